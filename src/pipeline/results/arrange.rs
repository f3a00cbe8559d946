//! Arranging: a result sorted and filtered becomes a result of its own.

use std::sync::{Arc, PoisonError};

use crate::database::results::{self, Unarranged};
use crate::domain::{ResultId, View};

use super::super::opening::SessionError;
use super::super::session::Session;
use super::kept::original;
use super::thread::beside;

impl Session {
    /// Sorts and filters a result of this session into one with an id of its own, which is paged,
    /// exported and summed up like any other. Rows still arriving are waited for.
    ///
    /// The view is of the result as it came, also when `of` is itself an arrangement: views are
    /// replaced, not stacked. A plain view gives the result as it came. The same view asked for again
    /// is kept. Dropping the future stops the work.
    pub async fn arrange(
        self: &Arc<Self>,
        of: &ResultId,
        view: View,
    ) -> Result<ResultId, SessionError> {
        let id = original(of);
        let Some(result) = self.result(&id) else {
            return Err(SessionError::Usage {
                what: "this result is no longer kept".to_owned(),
                hint: "Run the SQL again.".to_owned(),
            });
        };
        if view.is_plain() {
            return Ok(id);
        }
        result.ended().await;
        let known =
            self.results.lock().unwrap_or_else(PoisonError::into_inner).arranged(&id, &view);
        if let Some(known) = known {
            return Ok(known);
        }
        let wanted = view.clone();
        let made = beside(move |stop| results::arranged(&result, &wanted, stop)).await;
        match made {
            Some(Ok(store)) => {
                let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(results.keep_view(&id, view, Arc::new(store)))
            }
            Some(Err(why)) => Err(unarranged(why)),
            None => Err(unarranged(Unarranged::Space("the work ended unexpectedly".to_owned()))),
        }
    }
}

fn unarranged(why: Unarranged) -> SessionError {
    let (what, hint) = match why {
        Unarranged::Stopped => ("sorting was stopped".to_owned(), "Sort again."),
        Unarranged::Space(why) => (
            format!("the rows can't be arranged: {why}"),
            "Narrow the query, or free space in the temporary folder.",
        ),
    };
    SessionError::Usage { what, hint: hint.to_owned() }
}
