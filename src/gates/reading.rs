//! A result that differs from what the question asks for as rules read it, word by word.
//!
//! Rules read plain questions rightly seven times of eight; `plan::rules::sure` leaves out where
//! they are likely not to. Two readings that differ in rows are worth a second look.

use std::collections::BTreeMap;

use crate::domain::{Finding, Reading, Rows, Severity, Value};

use super::look::{Probed, finding, probe};
use super::{After, Verdict};

/// Name of the gate.
const GATE: &str = "reading";

/// Compares the result with what the reading gives.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let Some(reading) = look.before.reading else { return Verdict::default() };
    let mut probes = Vec::new();
    let mut rows_of = |sql: &str, words: &str| match look.before.answer(sql) {
        Probed::Open => {
            probes.push(probe(GATE, words, sql.to_owned()));
            None
        }
        Probed::Lost => None,
        Probed::Rows(rows) => Some(rows),
    };
    let read = rows_of(&reading.sql, "what the question asks for, read by rules");
    let ties = reading.ties.as_deref().map(|sql| rows_of(sql, "whether the first is one alone"));
    let open = ties.is_some_and(|ties| ties.is_none_or(|ties| is_tied(reading, ties)));
    let found = read.filter(|_| !open).and_then(|read| judge(look, reading, read));
    Verdict { findings: found.into_iter().collect(), probes }
}

/// Tells whether the last row kept and the first one left out are equal in what orders them.
fn is_tied(reading: &Reading, ties: &Rows) -> bool {
    let Some(last) = reading.first.and_then(|first| usize::try_from(first).ok()) else {
        return false;
    };
    let kept = last.checked_sub(1).and_then(|at| ties.rows.get(at));
    kept.zip(ties.rows.get(last)).is_some_and(|(a, b)| a == b)
}

fn judge(look: &After<'_>, reading: &Reading, read: &Rows) -> Option<Finding> {
    let mine = look.rows;
    if mine.truncated || read.truncated || read.rows.is_empty() || nothing(read) {
        return None;
    }
    let (wide, narrow) = (mine.columns.len(), read.columns.len());
    let difference = match difference(mine, read) {
        // whether repeated rows are wanted is said by other words, and another gate reads them
        Difference::None | Difference::Repeats => return None,
        Difference::Width if wide < narrow => return None,
        Difference::Width => {
            format!("the question seems to ask for {}, the result has {wide}", columns(narrow))
        }
        Difference::Rows => "the result differs from what the question seems to ask for".to_owned(),
    };
    let evidence = format!(
        "read word by word, the question asks for {}: {}",
        reading.words,
        crate::domain::counts::count(read.row_count, "row")
    );
    let mut found = finding(GATE, Severity::Warning, difference, evidence);
    found.retryable = true;
    found.hint = Some(format!(
        "Read word by word, the question asks for: {}. Follow it, or keep the SQL where the question means something else.",
        reading.words
    ));
    found.rewrite = Some(reading.sql.clone());
    Some(found)
}

fn columns(n: usize) -> String {
    if n == 1 { "one column".to_owned() } else { format!("{n} columns") }
}

/// No row says anything.
fn nothing(rows: &Rows) -> bool {
    rows.rows.iter().flatten().all(|cell| cell.is_null() || cell.number() == Some(0.0))
}

enum Difference {
    None,
    /// The same rows, some of them more often in one.
    Repeats,
    /// More or fewer columns.
    Width,
    Rows,
}

/// Compares two results as multisets of rows, columns in any order.
fn difference(mine: &Rows, read: &Rows) -> Difference {
    if mine.columns.len() != read.columns.len() {
        return if mine.rows.is_empty() { Difference::Rows } else { Difference::Width };
    }
    let (a, b) = (arranged(mine), arranged(read));
    if a == b {
        return Difference::None;
    }
    if a.keys().eq(b.keys()) {
        return Difference::Repeats;
    }
    Difference::Rows
}

/// Counts each row, its columns put in the order of what they hold.
fn arranged(rows: &Rows) -> BTreeMap<Vec<String>, usize> {
    let mut columns: Vec<Vec<String>> = (0..rows.columns.len())
        .map(|at| rows.rows.iter().filter_map(|row| row.get(at)).map(cell).collect())
        .collect();
    columns.sort_by_cached_key(|column| {
        let mut sorted = column.clone();
        sorted.sort();
        sorted.dedup();
        sorted
    });
    let mut counted = BTreeMap::new();
    for at in 0..rows.rows.len() {
        let row: Vec<String> =
            columns.iter().filter_map(|column| column.get(at)).cloned().collect();
        *counted.entry(row).or_insert(0) += 1;
    }
    counted
}

/// A cell so that equal amounts are equal texts.
fn cell(value: &Value) -> String {
    match value.number() {
        Some(number) if number.is_finite() => format!("{number:.9e}"),
        _ => value.plain(),
    }
}
