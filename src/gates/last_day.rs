//! A range of moments that ends with a day: what happened on that day after midnight is left out.

use crate::domain::plan::Comparison;
use crate::domain::{ColumnRef, Finding, Severity, Value};
use crate::sql::scope::LiteralUse;

use super::look::{Probed, finding, probe};
use super::number_for_text::stored;
use super::{Before, Verdict};

/// Name of the gate.
const GATE: &str = "last_day";
/// Letters of a day: `2024-01-31`.
const DAY: usize = 10;

/// Looks at every upper end that is a day, where the stored values are moments.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let scopes = look.binding.scopes.iter();
    let ends = scopes.flat_map(|scope| {
        scope.literals.iter().enumerate().filter(|(at, used)| {
            // of the ends of BETWEEN the second
            let first = at.checked_sub(1).and_then(|at| scope.literals.get(at));
            let second = first.is_some_and(|first| {
                first.op == Comparison::Between && first.compared == used.compared
            });
            used.op == Comparison::LessEqual || used.op == Comparison::Between && second
        })
    });
    let mut verdict = Verdict::default();
    for (_, used) in ends {
        verdict.join(judge(look, used));
    }
    verdict
}

fn judge(look: &Before<'_>, used: &LiteralUse) -> Verdict {
    let (Some(at), Value::Text(day)) = (&used.column, &used.value) else {
        return Verdict::default();
    };
    if !is_day(day) {
        return Verdict::default();
    }
    let known = stored(look, used);
    let number = look.catalog.column(at).is_some_and(|column| column.kind.is_number());
    if let Some(some) = known.iter().find(|text| is_moment(text)) {
        return vec![left_out(used, at, day, some)].into();
    }
    if !known.is_empty() || number {
        return Verdict::default();
    }
    asked(look, used, at, day)
}

/// Asks for the first value behind a day: where it is a moment of that day, it is left out.
fn asked(look: &Before<'_>, used: &LiteralUse, at: &ColumnRef, day: &str) -> Verdict {
    let column = look.quoted(&at.column);
    let (table, literal) = (look.quoted_table(&at.table), used.value.literal());
    let sql = format!("SELECT MIN({column}) FROM {table} WHERE {column} > {literal}");
    let first = match look.answer(&sql) {
        Probed::Open => {
            let asked = probe(GATE, format!("whether {at} holds moments of {day}"), sql);
            return Verdict { findings: Vec::new(), probes: vec![asked] };
        }
        Probed::Lost => None,
        Probed::Rows(rows) => rows.rows.first().and_then(|row| row.first()),
    };
    match first {
        Some(Value::Text(text)) if text.starts_with(day) && is_moment(text) => {
            vec![left_out(used, at, day, text)].into()
        }
        Some(_) | None => Verdict::default(),
    }
}

fn left_out(used: &LiteralUse, at: &ColumnRef, day: &str, some: &str) -> Finding {
    let message = format!("{at} holds moments: what happened on {day} after midnight is left out");
    let mut found = finding(GATE, Severity::Warning, message, format!("stored is '{some}'"));
    found.span = Some(used.span);
    found.retryable = true;
    found.hint = Some(format!("Compare {at} with < and the day after {day}."));
    found
}

/// Tells whether a text is a day with a time that is not midnight.
fn is_moment(text: &str) -> bool {
    let clock = text.get(DAY + 1..).unwrap_or_default();
    text.get(..DAY).is_some_and(is_day) && clock.contains(':') && !clock.starts_with("00:00")
}

fn is_day(text: &str) -> bool {
    let digits = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    text.len() == DAY && digits
}
