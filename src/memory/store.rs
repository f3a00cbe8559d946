//! How much of a result is kept with a run.

use crate::domain::{Event, Happened};

/// How much of a result is stored with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Store {
    /// Rows as the run kept them.
    #[default]
    Rows,
    /// Counts only.
    Counts,
    /// Neither.
    Nothing,
}

/// Takes from an event the rows that shall not be kept; the flow calls it before it folds, so that
/// `ask --json` and a replay agree.
///
/// Column names, types and the count of rows read stay.
pub fn strip(mut event: Event, store: Store) -> Event {
    if store == Store::Rows {
        return event;
    }
    if let Happened::Ran { rows, .. } = &mut event.happened {
        rows.truncated |= rows.row_count > 0;
        rows.rows.clear();
    }
    event
}
