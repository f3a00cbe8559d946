//! Long work beside the waiting: a thread that is told when nobody waits any more.

use crate::database::results::Stop;

/// Tells the work to stop when the future that waits for it is dropped.
struct Waiting(Stop);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.ask();
    }
}

/// Works in a thread of its own. Dropping the future stops the work soon after; none means that the
/// work ended unexpectedly.
pub(in super::super) async fn beside<T: Send + 'static>(
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Option<T> {
    let stop = Stop::default();
    let waiting = Waiting(stop.clone());
    let done = tokio::task::spawn_blocking(move || work(&stop)).await.ok();
    drop(waiting);
    done
}
