//! Stored values, read and indexed behind the questions: none waits for a large database.
//!
//! One reader works at a time. What it found stays until the database was seen changed; then it is
//! still given while newer values are read, marked as of the past.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::database::Database;
use crate::domain::{ValueList, ValuePlaces};
use crate::search::values::Values;

/// How long a question waits for values that are read for the first time (P3).
const PATIENCE: Duration = Duration::from_secs(2);
/// Reading that took no longer is waited for when the database changed.
const QUICK: Duration = Duration::from_millis(250);
/// Longer reading begins so much later: the question that saw the change goes first, and many
/// changes in a row are read once.
const CALM: Duration = Duration::from_millis(500);

/// Stored values and their index, of one moment of the database.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    /// The lists.
    pub(super) lists: Arc<Vec<ValueList>>,
    /// Where each table's lists stand among them.
    pub(super) places: Arc<ValuePlaces>,
    /// Their index.
    pub(super) index: Arc<Values>,
    /// They are of the database as it was last seen.
    pub(super) fresh: bool,
}

/// Reads stored values when they are first wanted, and again when the database changed.
pub(super) struct Reader {
    state: Arc<Mutex<State>>,
    /// The moment whose values were read last.
    done: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    stored: Stored,
    /// The moment they are of; 0 before any.
    generation: u64,
    /// How long reading took.
    took: Duration,
    task: Option<JoinHandle<()>>,
}

impl Default for Reader {
    fn default() -> Self {
        Reader { state: Arc::default(), done: watch::channel(0).0 }
    }
}

impl Reader {
    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// Returns the values as far as they are known, waiting for them only where that is short or
    /// there are none yet.
    pub(super) async fn read(&self, database: &Arc<dyn Database>) -> Stored {
        let generation = database.generation();
        let mut done = self.done.subscribe();
        let patience = {
            let mut state = self.state();
            if state.generation >= generation {
                return state.stored.clone();
            }
            let short = state.generation == 0 || state.took < QUICK;
            if state.task.as_ref().is_none_or(JoinHandle::is_finished) {
                let calm = if short { Duration::ZERO } else { CALM };
                state.task = Some(tokio::spawn(self.reading(database, calm)));
            }
            if short { PATIENCE } else { Duration::ZERO }
        };
        let newest = done.wait_for(|newest| *newest >= generation);
        // what is not there by then is of the past, and said to be
        let _ = tokio::time::timeout(patience, newest).await;
        let state = self.state();
        let fresh = state.generation >= generation;
        Stored { fresh, ..state.stored.clone() }
    }

    /// Returns the index of lists that were read here; of others it is made.
    pub(super) fn index_of(&self, lists: &Arc<Vec<ValueList>>) -> Arc<Values> {
        let state = self.state();
        if Arc::ptr_eq(&state.stored.lists, lists) {
            return state.stored.index.clone();
        }
        drop(state);
        if lists.is_empty() { Arc::default() } else { Arc::new(Values::new(lists)) }
    }

    /// Waits until the values of this moment are read and indexed.
    pub(super) async fn settled(&self, database: &Arc<dyn Database>) {
        self.read(database).await;
        let task = self.state().task.take();
        if let Some(task) = task {
            // one that was aborted has settled too
            let _ = task.await;
        }
    }

    /// The work of one reading, after a while.
    fn reading(
        &self,
        database: &Arc<dyn Database>,
        calm: Duration,
    ) -> impl Future<Output = ()> + use<> {
        let (state, done, database) = (self.state.clone(), self.done.clone(), database.clone());
        async move {
            tokio::time::sleep(calm).await;
            let started = Instant::now();
            let read = database.values().await;
            let generation = database.generation();
            let former = locked(&state).stored.index.clone();
            // trouble is told by whoever runs a query; here there is nothing to find
            let lists = read.unwrap_or_default();
            let listed = lists.clone();
            let index =
                move || (Arc::new(ValuePlaces::of(&listed)), Arc::new(renewed(&former, &listed)));
            let (places, index) = tokio::task::spawn_blocking(index).await.unwrap_or_default();
            let mut state = locked(&state);
            state.stored = Stored { lists, places, index, fresh: true };
            state.generation = generation;
            state.took = started.elapsed();
            drop(state);
            done.send_replace(generation);
        }
    }
}

/// Indexes lists: from the former index where that is small, else from nothing.
fn renewed(former: &Values, lists: &[ValueList]) -> Values {
    /// Columns up to which copying an index and changing it is quicker than a new one.
    const COPIED: usize = 2_000;
    if lists.len() > COPIED {
        return Values::new(lists);
    }
    let mut values = former.clone();
    values.renew(lists);
    values
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(task) = self.state().task.take() {
            task.abort();
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
