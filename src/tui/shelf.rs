//! Runs at hand: the one looked at, and those looked at before.

use crate::domain::RunId;

use super::app::App;
use super::moment::RunView;

/// Runs looked at before that are kept whole; others are read from memory.
const RUNS_AT_HAND: usize = 8;

impl App {
    /// Looks at a run; the one looked at before is kept.
    pub fn put_in_front(&mut self, run: RunView) {
        self.former.retain(|former| *former.id() != *run.id());
        if let Some(former) = self.run.replace(run) {
            self.shelve(former);
        }
    }

    /// Keeps a run at hand, for comparing; the oldest one goes when there are too many.
    pub fn shelve(&mut self, run: RunView) {
        if run.events.is_empty() {
            return;
        }
        self.former.retain(|former| *former.id() != *run.id());
        self.former.push(run);
        let more = self.former.len().saturating_sub(RUNS_AT_HAND);
        self.former.drain(..more);
    }

    /// Finds a run that is at hand.
    pub fn find_run(&self, id: &RunId) -> Option<&RunView> {
        self.run.iter().chain(&self.former).find(|run| *run.id() == *id)
    }
}
