//! A result without rows, or with nothing but NULL, and the condition that emptied it.

use crate::domain::{Severity, Value};
use crate::sql::scope::LiteralUse;

use super::look::{Probed, finding, probe};
use super::ungrounded_literal::{Stored, stored};
use super::written::numbers;
use super::{After, Before, Verdict};

/// Name of the gate.
const GATE: &str = "empty_result";
/// Conditions that are asked about at most.
const MOST: usize = 4;

/// Looks whether anything came back.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let rows = look.rows;
    let nulls = rows.row_count > 0
        && !rows.truncated
        && rows.rows.iter().all(|row| row.iter().all(Value::is_null));
    if rows.row_count > 0 && !nulls {
        return Verdict::default();
    }
    let mut probes = Vec::new();
    let mut culprit = None;
    let conditions = conditions(&look.before);
    for literal in &conditions {
        match emptied(&look.before, literal) {
            Emptied::Ask(sql) => {
                let words =
                    format!("whether {} alone leaves rows", condition(&look.before, literal));
                probes.push(probe(GATE, words, sql));
            }
            Emptied::Yes => culprit = culprit.or(Some(*literal)),
            Emptied::No => {}
        }
    }
    if culprit.is_none() && !probes.is_empty() {
        return Verdict { findings: Vec::new(), probes };
    }
    let what = if nulls { "the result holds nothing but NULL" } else { "the result is empty" };
    let (message, evidence) = match culprit {
        Some(literal) => {
            let text = condition(&look.before, literal);
            (format!("{what}: no row fits {text}"), format!("{text} alone leaves no row"))
        }
        None => (what.to_owned(), asked_about(conditions.len())),
    };
    // Nothing is often the right answer; only a condition that nothing fits is a reason to doubt.
    let doubtful = culprit.is_some_and(|literal| !is_said(&look.before, literal));
    let severity = if doubtful { Severity::Warning } else { Severity::Info };
    let mut found = finding(GATE, severity, message, evidence);
    found.span = culprit.map(|literal| literal.span);
    // An ungrounded literal has its own finding, with the stored values as its hint.
    vec![found].into()
}

/// Says how much was asked: of conditions that aren't a column against a literal nothing is known.
fn asked_about(conditions: usize) -> String {
    match conditions {
        0 => "no condition compares a column with a literal, so none was asked about".to_owned(),
        1 => "the condition that compares a column with a literal leaves rows by itself".to_owned(),
        n => format!("each of {n} conditions on columns leaves rows by itself"),
    }
}

/// A number that the question says itself: that nothing has it is the answer.
fn is_said(before: &Before<'_>, literal: &LiteralUse) -> bool {
    let number = matches!(literal.value, Value::Integer(_) | Value::Real(_));
    let said = before.question.map(numbers).unwrap_or_default();
    number && literal.value.number().is_some_and(|n| said.iter().any(|m| (m - n).abs() < 1e-9))
}

/// Lists the conditions on rows that compare a base column with a literal.
fn conditions<'a>(before: &Before<'a>) -> Vec<&'a LiteralUse> {
    use crate::sql::scope::Clause;
    let scopes = before.binding.scopes.iter();
    let plain = |l: &&LiteralUse| {
        l.column.is_some() && !l.conditional && matches!(l.clause, Clause::Where | Clause::On)
    };
    scopes.flat_map(|scope| &scope.literals).filter(plain).take(MOST).collect()
}

enum Emptied {
    Ask(String),
    Yes,
    No,
}

/// Judges whether a condition alone leaves no row.
fn emptied(before: &Before<'_>, literal: &LiteralUse) -> Emptied {
    if matches!(stored(before, literal), Stored::Missing(_)) {
        return Emptied::Yes;
    }
    let Some((column, operator)) = literal.column.as_ref().zip(operator(literal)) else {
        return Emptied::No;
    };
    let sql = format!(
        "SELECT 1 FROM {} WHERE {} {operator} {} LIMIT 1",
        before.quoted_table(&column.table),
        before.quoted(&column.column),
        before.literal(&literal.value)
    );
    match before.answer(&sql) {
        Probed::Open => Emptied::Ask(sql),
        Probed::Rows(rows) if rows.rows.is_empty() => Emptied::Yes,
        Probed::Rows(_) | Probed::Lost => Emptied::No,
    }
}

fn operator(literal: &LiteralUse) -> Option<&'static str> {
    use crate::domain::plan::Comparison as C;
    match literal.op {
        C::Equal => Some("="),
        C::NotEqual => Some("<>"),
        C::Less => Some("<"),
        C::LessEqual => Some("<="),
        C::Greater => Some(">"),
        C::GreaterEqual => Some(">="),
        C::Like => Some("LIKE"),
        C::NotLike => Some("NOT LIKE"),
        C::In | C::NotIn | C::Between => None,
    }
}

/// Writes a condition as the query has it.
fn condition(before: &Before<'_>, literal: &LiteralUse) -> String {
    let operator = operator(literal).unwrap_or("IN");
    format!("{} {operator} {}", before.text(literal.compared), before.text(literal.span))
}
