//! The proof of a knowledge file: what binds is run, and each entry gets its outcome.

use std::time::Duration;

use crate::database::{Limits, Trouble};
use crate::domain::{Facts, Failure};
use crate::knowledge::{self, Drift};

use super::super::opening::SessionError;
use super::super::session::Session;
use super::{queries, stored};

/// How a knowledge file is proved.
#[derive(Debug, Clone, Copy)]
pub struct ProveRequest {
    /// Whether examples and formulas are run, and data is looked at; else only names are bound.
    pub run: bool,
    /// Time for each statement.
    pub timeout: Duration,
    /// Rows read of each statement.
    pub max_rows: u64,
}

/// What a proof found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proof {
    /// Where names and formulas disagree with the schema.
    pub drift: Vec<Drift>,
    /// What was run and looked at, in the order of the file.
    pub proved: Vec<Proved>,
}

impl Proof {
    /// Counts what is wrong: disagreements with the schema, and what failed.
    pub fn wrong(&self) -> usize {
        let failed = self.proved.iter().filter(|proved| proved.outcome.is_wrong());
        self.drift.len() + failed.count()
    }
}

/// One entry that was put to the test.
#[derive(Debug, Clone, PartialEq)]
pub struct Proved {
    /// Which entry: `example 2`, `metric net_sales`, `join 1`.
    pub entry: String,
    /// What it says: the question, the formula, the pair of columns.
    pub what: String,
    /// How it went.
    pub outcome: Outcome,
}

/// How an entry stood the test.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It ran and gave rows: how many were read, whether there are more, the value where it is one.
    Rows {
        /// Rows read.
        count: u64,
        /// Reading stopped at the limit.
        more: bool,
        /// The only cell, where the result is one.
        value: Option<String>,
    },
    /// It ran and gave no row, or nothing but NULL.
    Empty,
    /// It holds, in words.
    Holds(String),
    /// Something is worth a look, as a sentence.
    Doubt(String),
    /// It is wrong, as a sentence.
    Failed(String),
}

impl Outcome {
    /// Tells whether the entry is wrong, as opposed to worth a look.
    pub fn is_wrong(&self) -> bool {
        matches!(self, Outcome::Failed(_))
    }
}

/// Proves all entries; those that disagree with the schema are not run.
pub(super) async fn prove(
    session: &Session,
    request: &ProveRequest,
) -> Result<Proof, SessionError> {
    // also entries that disagree, so that numbers are those of the file
    let facts = Facts { knowledge: session.knowledge(), ..session.schema_facts().await };
    let drift = knowledge::drift(&facts.knowledge, &facts.catalog);
    if !request.run {
        return Ok(Proof { drift, proved: Vec::new() });
    }
    let limits = Limits { timeout: request.timeout, max_rows: Some(request.max_rows) };
    let test = Test { session, facts: &facts, drift: &drift, limits };
    let mut proved = stored::joins(&test).await?;
    proved.extend(queries::metrics(&test).await?);
    proved.extend(stored::columns(&test).await?);
    proved.extend(queries::examples(&test).await?);
    Ok(Proof { drift, proved })
}

/// What every test needs.
pub(super) struct Test<'a> {
    pub(super) session: &'a Session,
    pub(super) facts: &'a Facts,
    drift: &'a [Drift],
    pub(super) limits: Limits,
}

impl Test<'_> {
    /// Tells whether an entry agrees with the schema, so that it can be run.
    pub(super) fn stands(&self, entry: &str) -> bool {
        !self.drift.iter().any(|drift| drift.entry == entry)
    }
}

/// Makes a failed outcome of a query's trouble; trouble of the database itself ends the proof.
pub(super) fn failed(trouble: Trouble) -> Result<Outcome, SessionError> {
    match trouble {
        Trouble::Query(failure) => Ok(Outcome::Failed(sentence(&failure))),
        Trouble::Database(e) => Err(e.into()),
    }
}

/// Says a failure in one line.
pub(super) fn sentence(failure: &Failure) -> String {
    failure.message().split_whitespace().collect::<Vec<_>>().join(" ")
}
