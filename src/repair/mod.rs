//! Repairs: rewriting a query that failed, here, where the target can be proved; else advice.
//!
//! What belongs here: one file for each repair and the table `REPAIRS`, in the order of P5. What
//! must never come: touching a query that runs, or guessing.
//! To add a repair: a file and a row.

use crate::domain::package::ErrorNote;
use crate::domain::{Catalog, Dialect, Failure, Repair, ValueList};

/// A query that failed, with what is known.
#[derive(Debug, Clone, Copy)]
pub struct Broken<'a> {
    /// Its text.
    pub sql: &'a str,
    /// Why it failed.
    pub failure: &'a Failure,
    /// The catalog.
    pub catalog: &'a Catalog,
    /// Stored values.
    pub values: &'a [ValueList],
    /// The dialect.
    pub dialect: Dialect,
}

/// What repair has to offer.
#[derive(Debug, Clone, PartialEq)]
pub enum Advice {
    /// The query rewritten; goes straight back to checking.
    Rewrite {
        /// The new text.
        sql: String,
        /// What was done.
        repair: Repair,
    },
    /// Every repair abstained; why, in words.
    Abstain(String),
}

/// Asks each repair in order; the first that can prove its target rewrites.
pub fn advise(_broken: &Broken<'_>) -> Advice {
    Advice::Abstain("no repair is sure".to_owned())
}

/// Derives cause and fix of a failure, for the model (S0-040).
pub fn notes(failure: &Failure) -> Vec<ErrorNote> {
    let note = |d: &crate::domain::Diagnostic| ErrorNote {
        error: d.message.clone(),
        cause: String::new(),
        fix: String::new(),
    };
    failure.diagnostics.iter().map(note).collect()
}
