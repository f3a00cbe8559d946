//! Reads the ledger out of the stored runs.

use crate::domain::Transcript;
use crate::domain::ledger::{Ledger, Noted};

use super::{Memory, MemoryError};

impl Memory {
    /// Counts over the newest `most` runs; `database` narrows. A run that can't be read is counted
    /// apart and leaves the others.
    pub fn ledger(&self, database: Option<&str>, most: usize) -> Result<Ledger, MemoryError> {
        let mut noted = Vec::new();
        let mut unread = 0;
        for stored in self.list(database, most)? {
            let events = match self.events_of(&stored.run.0) {
                Err(MemoryError::Damaged { .. }) => {
                    unread += 1;
                    continue;
                }
                read => read?,
            };
            let good = match (stored.rating.as_str(), stored.verified_by.is_empty()) {
                ("-", _) => Some(false),
                ("+", _) | (_, false) => Some(true),
                (_, true) => None,
            };
            noted.push(Noted { run: Transcript::of(&events), good });
        }
        Ok(Ledger { unread, ..Ledger::of(&noted) })
    }
}
