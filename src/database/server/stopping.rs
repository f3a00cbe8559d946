//! Statements that nobody waits for any more: each is cancelled in the engine, and remembered until
//! the engine has let go of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::task::JoinHandle;

/// The cancellings under way.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Stopping(Arc<Mutex<Vec<JoinHandle<()>>>>);

impl Stopping {
    /// Waits until all of them are done; false when one is not within the time given.
    pub(in super::super) async fn settled(&self, within: Duration) -> bool {
        let tasks = std::mem::take(&mut *self.lock());
        // a task that panicked has stopped too
        let all = async {
            for task in tasks {
                let _ = task.await;
            }
        };
        tokio::time::timeout(within, all).await.is_ok()
    }

    /// Makes sure that `cancel` runs when the guard is dropped before `Guard::done`.
    pub(in super::super) fn guard(
        &self,
        cancel: impl FnOnce() -> BoxFuture<'static, ()> + Send + 'static,
    ) -> Guard {
        Guard { stopping: self.clone(), cancel: Some(Box::new(cancel)) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the future that cancels.
type Cancel = dyn FnOnce() -> BoxFuture<'static, ()> + Send;

/// Cancels a statement when the future that waits for it is dropped.
pub(in super::super) struct Guard {
    stopping: Stopping,
    cancel: Option<Box<Cancel>>,
}

impl Guard {
    /// Says that the statement has ended by itself.
    pub(in super::super) fn done(mut self) {
        self.cancel = None;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(cancel) = self.cancel.take() else { return };
        // outside of a runtime the process ends, and its connections with it
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let task = runtime.spawn(cancel());
        let mut tasks = self.stopping.lock();
        tasks.retain(|task| !task.is_finished());
        tasks.push(task);
    }
}
