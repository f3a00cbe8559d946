//! Which results of a session can still be read.

use std::sync::Arc;

use crate::database::ResultStore;
use crate::domain::{ResultId, View};

/// Results as they came that can still be read; older ones give their place in the spill file back.
const RESULTS: usize = 16;
/// Arrangements that can still be read, over all results.
const VIEWS: usize = 3;

/// The results of a session, oldest first.
#[derive(Default)]
pub(in super::super) struct Kept {
    results: Vec<(ResultId, Arc<ResultStore>)>,
    views: Vec<(ResultId, View, Arc<ResultStore>)>,
    /// Arrangements made so far: the number of the newest.
    made: u32,
}

impl Kept {
    /// Keeps a result as it came; the oldest goes, with its arrangements, when there are too many.
    pub(in super::super) fn keep(&mut self, id: ResultId, store: Arc<ResultStore>) {
        if self.results.len() >= RESULTS {
            let (gone, _) = self.results.remove(0);
            self.views.retain(|(id, ..)| original(id) != gone);
        }
        self.results.push((id, store));
    }

    /// Keeps an arrangement of a result and gives it a number; the oldest one goes.
    pub(in super::super) fn keep_view(
        &mut self,
        of: &ResultId,
        view: View,
        store: Arc<ResultStore>,
    ) -> ResultId {
        if self.views.len() >= VIEWS {
            self.views.remove(0);
        }
        self.made += 1;
        let id = ResultId { view: self.made, ..of.clone() };
        self.views.push((id.clone(), view, store));
        id
    }

    /// Finds the arrangement that was made before, and makes it the newest.
    pub(in super::super) fn arranged(&mut self, of: &ResultId, view: &View) -> Option<ResultId> {
        let at =
            self.views.iter().position(|(id, v, _)| original(id) == original(of) && v == view)?;
        let found = self.views.remove(at);
        let id = found.0.clone();
        self.views.push(found);
        Some(id)
    }

    /// Finds a result or an arrangement.
    pub(in super::super) fn find(&self, id: &ResultId) -> Option<Arc<ResultStore>> {
        let results = self.results.iter().map(|(id, store)| (id, store));
        let views = self.views.iter().map(|(id, _, store)| (id, store));
        results.chain(views).find(|(other, _)| *other == id).map(|(_, store)| Arc::clone(store))
    }
}

/// Names the result as it came.
pub(in super::super) fn original(id: &ResultId) -> ResultId {
    ResultId { view: 0, ..id.clone() }
}
