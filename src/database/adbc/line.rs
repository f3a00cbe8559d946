//! Connections through one driver, and the threads that wait on them: each statement is in a thread
//! of its own and can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adbc_core::error::Error;
use adbc_core::{CancelHandle, Connection, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedStatement};
use tokio::sync::{Semaphore, oneshot};

use super::super::server::stopping::{Guard, Stopping};
use super::super::{DatabaseError, Trouble};
use crate::domain::Stage;

/// Statements of people and models that run at once.
const LONG_LANES: usize = 4;
/// Quick looks at once; apart, so that they never wait behind a run.
const QUICK_LANES: usize = 3;
/// How long a cancelled statement may go on before it is told again: a driver may forget what comes
/// between two of its steps.
const AGAIN: Duration = Duration::from_millis(50);

/// Opens one more connection.
type Opener = dyn Fn(&ManagedDatabase) -> Result<ManagedConnection, Error> + Send + Sync;

/// How long a piece of work may be expected to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Milliseconds.
    Quick,
    /// Up to its limits.
    Long,
}

/// The connections of one database.
pub(super) struct Line {
    database: ManagedDatabase,
    open: Arc<Opener>,
    /// Connections for the next statements; held to take or put back, never while an engine works.
    idle: Arc<Mutex<Vec<ManagedConnection>>>,
    /// How many of them are kept: none where opening costs nothing, so that nothing a statement
    /// left behind meets the next one.
    kept: usize,
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    stopping: Stopping,
}

impl Line {
    /// Makes the line of an opened database.
    pub(super) fn new(database: ManagedDatabase, kept: usize, open: Arc<Opener>) -> Self {
        Line {
            database,
            open,
            idle: Arc::default(),
            kept,
            quick: Arc::new(Semaphore::new(QUICK_LANES)),
            long: Arc::new(Semaphore::new(LONG_LANES)),
            stopping: Stopping::default(),
        }
    }

    /// Waits until every cancelled statement has stopped; false when one has not in time.
    pub(super) async fn settled(&self, within: Duration) -> bool {
        self.stopping.settled(within).await
    }

    /// Starts work on a connection in a thread of its own. Dropping the job cancels it.
    pub(super) async fn start<T: Send + 'static>(
        &self,
        length: Length,
        work: impl FnOnce(&mut Seat) -> Result<T, Trouble> + Send + 'static,
    ) -> Job<T> {
        let queue = if length == Length::Quick { &self.quick } else { &self.long };
        let Ok(turn) = Arc::clone(queue).acquire_owned().await else {
            unreachable!("the semaphores live as long as the line and are never closed")
        };
        let watch = Arc::new(Watch::default());
        let (sender, done) = oneshot::channel();
        let (database, open) = (self.database.clone(), Arc::clone(&self.open));
        let (idle, kept, seen) = (Arc::clone(&self.idle), self.kept, Arc::clone(&watch));
        let thread = tokio::task::spawn_blocking(move || {
            let taken = locked(&idle).pop();
            let ended = match taken.map_or_else(|| open(&database), Ok) {
                Ok(connection) => {
                    *locked(&seen.handles) = vec![connection.get_cancel_handle()];
                    let mut seat = Seat { connection, watch: seen, broken: false };
                    let ended = work(&mut seat).map_err(Ended::Trouble);
                    if !seat.broken && !seat.watch.over() && locked(&idle).len() < kept {
                        locked(&idle).push(seat.connection);
                    }
                    ended
                }
                Err(error) => Err(Ended::Unopened(error)),
            };
            // nobody may be left to tell
            let _ = sender.send(ended);
            drop(turn);
        });
        let guard = self.stopping.guard(move || {
            Box::pin(async move {
                let mut thread = thread;
                loop {
                    let watch = Arc::clone(&watch);
                    // telling a server takes a connection of its own
                    let told = tokio::task::spawn_blocking(move || watch.stop());
                    let _ = told.await;
                    if tokio::time::timeout(AGAIN, &mut thread).await.is_ok() {
                        return;
                    }
                }
            })
        });
        Job { done, guard }
    }

    /// Works on a connection, within a time.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        within: Duration,
        work: impl FnOnce(&mut Seat) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Ended> {
        let job = async { self.start(Length::Quick, work).await.ended().await };
        tokio::time::timeout(within, job).await.map_err(|_| Ended::Late)?
    }
}

/// Why work did not come to its end.
#[derive(Debug)]
pub(super) enum Ended {
    /// No connection could be opened.
    Unopened(Error),
    /// The work itself says why.
    Trouble(Trouble),
    /// The time was over; the statement is being cancelled.
    Late,
    /// The driver broke off without a word.
    Broken,
}

/// Work under way; dropping it cancels the statement.
pub(super) struct Job<T> {
    done: oneshot::Receiver<Result<T, Ended>>,
    guard: Guard,
}

impl<T> Job<T> {
    /// Waits for its end.
    pub(super) async fn ended(self) -> Result<T, Ended> {
        let ended = self.done.await.unwrap_or(Err(Ended::Broken));
        self.guard.done();
        ended
    }
}

/// A connection in use.
pub(super) struct Seat {
    pub(super) connection: ManagedConnection,
    watch: Arc<Watch>,
    /// The connection is not to be used again.
    pub(super) broken: bool,
}

impl Seat {
    /// Makes a statement that is stopped when nobody waits for it any more.
    pub(super) fn statement(&mut self) -> Result<ManagedStatement, Error> {
        let statement = self.connection.new_statement()?;
        let handles = vec![statement.get_cancel_handle(), self.connection.get_cancel_handle()];
        *locked(&self.watch.handles) = handles;
        Ok(statement)
    }

    /// Tells whether nobody waits any more.
    pub(super) fn over(&self) -> bool {
        self.watch.over()
    }
}

/// Tells a working thread, and the engine under it, when it is over.
#[derive(Default)]
struct Watch {
    over: AtomicBool,
    /// Held to set or to use, while the engine works.
    handles: Mutex<Vec<Box<dyn CancelHandle>>>,
}

impl Watch {
    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Cancels by the first handle that the driver has.
    fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = locked(&self.handles).iter().any(|handle| handle.try_cancel().is_ok());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that a statement took too long.
pub(super) fn late(after: Duration) -> Trouble {
    let time = match after.subsec_millis() {
        0 => format!("{} s", after.as_secs()),
        _ => format!("{} ms", after.as_millis()),
    };
    let message = format!("the statement ran longer than {time}");
    Trouble::query(Stage::Limit, "timeout", message, None)
}

/// Says that a driver broke off.
pub(super) fn broken(engine: &str) -> DatabaseError {
    DatabaseError::Lost {
        what: format!("the driver of {engine} broke off without a word"),
        hint: "Ask again; if it happens once more, try another version of the driver.".to_owned(),
    }
}
