//! Threads that work on connections: a few at a time, each within limits, each stoppable.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::DatabaseError;

/// Statements of people and models, and measuring, that run at once.
const LONG_LANES: usize = 4;
/// Quick looks at once: prepare, catalog, probes. Apart, so that they never wait behind a run.
const QUICK_LANES: usize = 3;
/// Connections kept open between uses; each costs a page cache of up to 2 MB.
const IDLE: usize = 3;
/// Steps of the engine's machine between two looks at the watch: some microseconds.
const STEPS: i32 = 2000;

/// A connection and what its guards look at.
pub(super) struct Lane {
    /// The connection.
    pub(super) connection: Connection,
    /// True while the catalog is read: lets the structure pragmas pass the authorizer.
    pub(super) ours: Arc<AtomicBool>,
    /// Which file was opened, to notice that another took its name.
    pub(super) identity: (u64, u64),
}

/// Tells a working thread when it is over.
#[derive(Debug)]
pub(super) struct Watch {
    dropped: AtomicBool,
    deadline: Option<Instant>,
    /// Machine steps left, in multiples of `STEPS`; a bound that is the same on every machine.
    fuel: AtomicI64,
}

impl Watch {
    fn new(timeout: Option<Duration>) -> Self {
        Watch {
            dropped: AtomicBool::new(false),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            fuel: AtomicI64::new(i64::MAX),
        }
    }

    /// Tells whether nobody waits any more.
    pub(super) fn dropped(&self) -> bool {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Tells whether the time is up.
    pub(super) fn late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Grants machine steps to what follows; none means no bound.
    pub(super) fn refuel(&self, steps: Option<i64>) {
        let fuel = steps.map_or(i64::MAX, |steps| steps / i64::from(STEPS));
        self.fuel.store(fuel, Ordering::Relaxed);
    }

    fn over(&self) -> bool {
        self.dropped() || self.late() || self.fuel.fetch_sub(1, Ordering::Relaxed) <= 0
    }
}

/// Opens one more connection.
type Opener = dyn Fn() -> Result<Lane, DatabaseError> + Send + Sync;

/// How long a piece of work may be expected to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Milliseconds.
    Quick,
    /// Up to its limits.
    Long,
}

/// The connections of one database.
pub(super) struct Lanes {
    open: Arc<Opener>,
    /// Held to take or put back, never while an engine works.
    idle: Arc<Mutex<Idle>>,
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    stopping: Stopping,
}

/// Connections that nobody uses at the moment.
#[derive(Default)]
struct Idle {
    lanes: Vec<Lane>,
    /// Counts how often all connections were given up; those opened before are closed when they
    /// come back.
    epoch: u64,
}

/// Threads that nobody waits for any more and that were told to stop; held to add or take.
type Stopping = Arc<Mutex<Vec<JoinHandle<()>>>>;

impl Lanes {
    pub(super) fn new(open: Arc<Opener>, first: Lane) -> Self {
        Lanes {
            open,
            idle: Arc::new(Mutex::new(Idle { lanes: vec![first], epoch: 0 })),
            quick: Arc::new(Semaphore::new(QUICK_LANES)),
            long: Arc::new(Semaphore::new(LONG_LANES)),
            stopping: Stopping::default(),
        }
    }

    /// Waits until all work whose future was dropped has really stopped; false when it has not
    /// within the time given.
    pub(super) async fn settled(&self, within: Duration) -> bool {
        let threads = std::mem::take(&mut *locked(&self.stopping));
        // a thread that panicked has stopped too
        let all = async {
            for thread in threads {
                let _ = thread.await;
            }
        };
        tokio::time::timeout(within, all).await.is_ok()
    }

    /// Gives up all connections: what they have read of the file is no longer in it.
    pub(super) fn renew(&self) {
        let mut idle = locked(&self.idle);
        idle.lanes.clear();
        idle.epoch += 1;
    }

    /// Works on a connection in a thread of its own. Dropping the future interrupts the engine.
    ///
    /// `now` is the identity of the file at this moment: connections to a former file of that
    /// name are closed.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        length: Length,
        timeout: Option<Duration>,
        now: (u64, u64),
        job: impl FnOnce(&Lane, &Watch) -> T + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let queue = if length == Length::Quick { &self.quick } else { &self.long };
        let Ok(turn) = Arc::clone(queue).acquire_owned().await else {
            unreachable!("the semaphores live as long as the lanes and are never closed")
        };
        let watch = Arc::new(Watch::new(timeout));
        let handle = Arc::default();
        let mut guard = Interrupter {
            watch: Arc::clone(&watch),
            handle: Arc::clone(&handle),
            thread: None,
            stopping: Arc::clone(&self.stopping),
        };
        let (open, idle) = (Arc::clone(&self.open), Arc::clone(&self.idle));
        let (sender, done) = oneshot::channel();
        guard.thread = Some(tokio::task::spawn_blocking(move || {
            let (kept, epoch) = take(&idle, now);
            let mut lane = match kept.map_or_else(|| open(), Ok) {
                Ok(lane) => lane,
                Err(error) => {
                    // nobody may be left to tell
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            *locked(&handle) = Some(lane.connection.get_interrupt_handle());
            set_watch(&mut lane, Some(Arc::clone(&watch)));
            let done = job(&lane, &watch);
            *locked(&handle) = None;
            set_watch(&mut lane, None);
            put_back(&idle, lane, epoch);
            drop(turn);
            let _ = sender.send(Ok(done));
        }));
        let done = done.await;
        guard.thread = None;
        done.unwrap_or_else(|_| {
            Err(DatabaseError::Lost {
                what: "reading the database ended unexpectedly".to_owned(),
                hint: "Ask again; if it happens again, check the file for damage.".to_owned(),
            })
        })
    }
}

fn take(idle: &Mutex<Idle>, now: (u64, u64)) -> (Option<Lane>, u64) {
    let mut idle = locked(idle);
    idle.lanes.retain(|lane| lane.identity == now);
    (idle.lanes.pop(), idle.epoch)
}

fn put_back(idle: &Mutex<Idle>, lane: Lane, epoch: u64) {
    let mut idle = locked(idle);
    if idle.lanes.len() < IDLE && idle.epoch == epoch {
        idle.lanes.push(lane);
    }
}

fn set_watch(lane: &mut Lane, watch: Option<Arc<Watch>>) {
    let handler = watch.map(|watch| move || watch.over());
    // fails only for a connection that some other thread owns, and none does
    let _ = lane.connection.progress_handler(STEPS, handler);
}

/// Stops the thread's work when the future that waits for it is dropped.
struct Interrupter {
    watch: Arc<Watch>,
    handle: Arc<Mutex<Option<InterruptHandle>>>,
    /// The thread while it works; none once it has answered.
    thread: Option<JoinHandle<()>>,
    stopping: Stopping,
}

impl Drop for Interrupter {
    fn drop(&mut self) {
        self.watch.dropped.store(true, Ordering::Relaxed);
        if let Some(handle) = locked(&self.handle).as_ref() {
            handle.interrupt();
        }
        if let Some(thread) = self.thread.take() {
            let mut stopping = locked(&self.stopping);
            stopping.retain(|thread| !thread.is_finished());
            stopping.push(thread);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
