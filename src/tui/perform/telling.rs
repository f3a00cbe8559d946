//! Reads what would be told: the package of a question being typed, figures of a table.

use std::sync::Arc;

use crate::domain::Question;
use crate::pipeline::Session;

use super::super::msg::Msg;
use super::{Performer, TYPING_PAUSE};

impl Performer {
    /// Puts a package together once the typing has paused; a later question replaces it.
    pub(super) fn preview(&mut self, session: &Arc<Session>, question: Question) {
        if let Some(former) = self.preview.take() {
            former.abort();
        }
        let (session, sender) = (session.clone(), self.sender.clone());
        self.preview = Some(self.tasks.spawn(async move {
            tokio::time::sleep(TYPING_PAUSE).await;
            // nothing is said when it can't be read: asking will say what is wrong
            if let Ok(package) = session.package(&question).await {
                let of = (question.text, question.switches);
                let _ = sender.send(Msg::Previewed(of, Box::new(package))).await;
            }
        }));
    }

    /// Measures a table once the cursor rests on it; a later table replaces it.
    pub(super) fn measure(&mut self, session: &Arc<Session>, table: String) {
        if let Some(former) = self.measure.take() {
            former.abort();
        }
        let (session, sender) = (session.clone(), self.sender.clone());
        self.measure = Some(self.tasks.spawn(async move {
            tokio::time::sleep(TYPING_PAUSE).await;
            let (statistics, _) = session.facts_of(std::slice::from_ref(&table)).await;
            let _ = sender.send(Msg::Measured(table, statistics)).await;
        }));
    }
}
