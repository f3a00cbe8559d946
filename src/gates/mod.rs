//! Gates: what lies in a query that would run. Each is a pure function with evidence.
//!
//! What belongs here: one file for each gate, and the tables `BEFORE` and `AFTER`. What must never
//! come: changing SQL that runs, or I/O: what a gate wants from data it asks for as a probe.
//! To add a gate: a file and a row.

use crate::domain::{Catalog, Facts, Finding, Plan, Probe, ProbeAnswer, Rows, Understanding};
use crate::sql::{Binding, ReadQuery};

/// What gates look at before a query runs.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// The question's words; none when only SQL was given.
    pub question: Option<&'a str>,
    /// What intake found, if there is a question.
    pub understanding: Option<&'a Understanding>,
    /// The query.
    pub query: &'a ReadQuery,
    /// Its names.
    pub binding: &'a Binding,
    /// The catalog.
    pub catalog: &'a Catalog,
    /// Statistics, values, knowledge.
    pub facts: &'a Facts,
    /// The plan it came with.
    pub plan: Option<&'a Plan>,
    /// Answers to probes asked for before.
    pub probed: &'a [ProbeAnswer],
}

/// What gates look at after a query ran.
#[derive(Debug, Clone, Copy)]
pub struct After<'a> {
    /// All that was known before.
    pub before: Before<'a>,
    /// The rows kept.
    pub rows: &'a Rows,
}

/// What gates say: findings, and probes they want answered before they say more.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Findings.
    pub findings: Vec<Finding>,
    /// Looks at the data; when answered, gates are asked again with the answers.
    pub probes: Vec<Probe>,
}

/// Asks every gate that needs no result.
pub fn before(_look: &Before<'_>) -> Verdict {
    Verdict::default()
}

/// Asks every gate that needs the result.
pub fn after(_look: &After<'_>) -> Verdict {
    Verdict::default()
}
