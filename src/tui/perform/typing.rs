//! Helps who writes SQL by hand: offers at the cursor, and the engine's plan. A later wish of a kind
//! replaces the one before it.

use std::sync::Arc;

use crate::pipeline::Session;

use super::super::msg::Msg;
use super::Performer;

impl Performer {
    /// Finds what could stand at a cursor; `place` is the cursor, whether offers were asked for,
    /// and the state of the text.
    pub(super) fn complete(
        &mut self,
        session: Arc<Session>,
        sql: String,
        place: (usize, bool, u64),
    ) {
        if let Some(former) = self.complete.take() {
            former.abort();
        }
        let sender = self.sender.clone();
        let (cursor, asked, revision) = place;
        self.complete = Some(self.tasks.spawn(async move {
            let offers = session.complete_sql(&sql, cursor, asked).await;
            let _ = sender.send(Msg::SqlOffers(revision, offers)).await;
        }));
    }

    /// Asks the engine how it would run SQL.
    pub(super) fn explain(&mut self, session: Arc<Session>, sql: String) {
        self.stop_explaining();
        let sender = self.sender.clone();
        self.explain = Some(self.tasks.spawn(async move {
            let plan = session.explain(&sql).await;
            let _ = sender.send(Msg::Explained(sql, plan)).await;
        }));
    }

    /// Stops asking the engine; dropping the question interrupts it.
    pub(super) fn stop_explaining(&mut self) {
        if let Some(asking) = self.explain.take() {
            asking.abort();
        }
    }
}
