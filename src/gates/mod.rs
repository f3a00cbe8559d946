//! Gates: what lies in a query that would run. Each is a pure function with evidence.
//!
//! What belongs here: one file for each gate, and the tables `BEFORE` and `AFTER`. What must never
//! come: changing SQL that runs, or I/O: what a gate wants from data it asks for as a probe.
//! To add a gate: a file and a row. A gate warns only as long as it is rarely wrong when measured
//! on recorded answers; else it informs.

mod answer_shape;
mod asked;
mod both;
mod comparisons;
mod count_of_condition;
mod cross_join;
mod date_form;
mod direction;
mod empty_result;
mod fan_out;
mod formula;
mod grain;
mod integer_division;
mod join_key;
mod last_day;
mod letter_case;
mod look;
mod metric_differs;
mod missing_measure;
mod negated_rows;
mod nulls;
mod number_for_text;
mod numbers;
mod reading;
mod repeated_rows;
mod selects;
mod stray_string;
mod superlative;
mod surplus_column;
mod tables;
mod ties;
mod top_n;
mod unbounded;
mod ungrounded_literal;
mod ungrouped_column;
mod useless_order;
mod written;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_asked;
#[cfg(test)]
mod tests_meaning;
#[cfg(test)]
mod tests_proved;

use crate::domain::{
    Catalog, Facts, Finding, Plan, Probe, ProbeAnswer, Reading, Rows, Understanding,
};
use crate::sql::{Binding, ReadQuery};

/// What gates look at before a query runs.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// The question's words; none when only SQL was given.
    pub question: Option<&'a str>,
    /// A hint given with the question.
    pub hint: Option<&'a str>,
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
    /// The question as rules read it, where they are sure.
    pub reading: Option<&'a Reading>,
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

impl Verdict {
    fn join(&mut self, other: Verdict) {
        self.findings.extend(other.findings);
        for probe in other.probes {
            if !self.probes.iter().any(|known| known.sql == probe.sql) {
                self.probes.push(probe);
            }
        }
    }
}

impl From<Vec<Finding>> for Verdict {
    fn from(findings: Vec<Finding>) -> Self {
        Verdict { findings, probes: Vec::new() }
    }
}

/// Gates that need no result.
const BEFORE: &[fn(&Before<'_>) -> Verdict] = &[
    metric_differs::look,
    integer_division::look,
    ungrounded_literal::look,
    stray_string::look,
    fan_out::look,
    cross_join::look,
    join_key::look,
    ungrouped_column::look,
    tables::look,
    unbounded::look,
    top_n::unordered,
    grain::look,
    number_for_text::look,
    nulls::look,
    letter_case::look,
    last_day::look,
    surplus_column::look,
    negated_rows::look,
    both::look,
    useless_order::look,
    missing_measure::look,
    numbers::look,
    direction::look,
    count_of_condition::look,
    date_form::look,
];

/// Gates that need the result.
const AFTER: &[fn(&After<'_>) -> Verdict] = &[
    empty_result::look,
    answer_shape::look,
    top_n::look,
    superlative::look,
    repeated_rows::look,
    reading::look,
    ties::look,
];

/// Asks every gate that needs no result.
pub fn before(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for gate in BEFORE {
        verdict.join(gate(look));
    }
    verdict
}

/// Asks every gate that needs the result.
pub fn after(look: &After<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for gate in AFTER {
        verdict.join(gate(look));
    }
    verdict
}
