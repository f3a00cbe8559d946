//! Dates compared as letters in a form that is not the stored one, so that the order lies.

use crate::domain::plan::Comparison;
use crate::domain::{ColumnKind, ColumnRef, Dialect, Finding, Probe, Severity, Value};
use crate::search::dates;
use crate::sql::scope::LiteralUse;

use super::look::{Probed, finding, listed, probe};
use super::number_for_text::stored;
use super::{Before, Verdict};

/// Name of the gate.
const GATE: &str = "date_form";
/// Letters of a day: `2024-01-31`.
const DAY: usize = 10;
/// Stored texts that are looked at.
const SEEN: usize = 20;

/// What `strftime` gives for a single directive, and how many digits.
const DIGITS: &[(&str, usize)] = &[
    ("%Y", 4),
    ("%m", 2),
    ("%d", 2),
    ("%H", 2),
    ("%M", 2),
    ("%S", 2),
    ("%j", 3),
    ("%W", 2),
    ("%w", 1),
];

/// Looks at every literal that is compared with a part of a date, or with a column of dates.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    if look.query.dialect() != Dialect::Sqlite {
        return verdict; // engines with a type for dates compare dates
    }
    for used in look.binding.scopes.iter().flat_map(|scope| &scope.literals) {
        verdict.findings.extend(part(look, used));
        match column(look, used) {
            Judged::Ask(probe) if !verdict.probes.contains(&probe) => verdict.probes.push(probe),
            Judged::Found(found) => verdict.findings.push(*found),
            Judged::Ask(_) | Judged::Nothing => {}
        }
    }
    verdict
}

/// What is known of a column against a literal.
enum Judged {
    Ask(Probe),
    Found(Box<Finding>),
    Nothing,
}

fn told(used: &LiteralUse, message: String, evidence: String, hint: String) -> Finding {
    let mut found = finding(GATE, Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(used.span);
    found.hint = Some(hint);
    found
}

/// `strftime('%Y', d) = 2022` and `strftime('%m', d) = '1'` hold for no row.
fn part(look: &Before<'_>, used: &LiteralUse) -> Option<Finding> {
    let call = look.text(used.compared).trim();
    let (_, width) = directive(call)?;
    let literal = look.text(used.span);
    let ordered = !matches!(used.op, Comparison::Like | Comparison::NotLike);
    match &used.value {
        Value::Integer(_) | Value::Real(_) => {
            let message = format!("{call} is a text, and is compared with the number {literal}");
            let evidence =
                "SQLite holds no text equal to a number, and every text larger".to_owned();
            let hint = format!("Write CAST({call} AS INTEGER), or the number in quotes.");
            Some(told(used, message, evidence, hint))
        }
        Value::Text(text)
            if ordered && text.len() != width && text.bytes().all(|b| b.is_ascii_digit()) =>
        {
            let message = format!("{call} has {width} digits, and is compared with {literal}");
            let evidence = "texts are compared letter by letter".to_owned();
            let hint = format!("Write '{text:0>width$}'.");
            Some(told(used, message, evidence, hint))
        }
        Value::Text(_) | Value::Null | Value::Blob(_) | Value::Malformed(_) => None,
    }
}

/// Reads the directive of a whole call of `strftime`.
fn directive(call: &str) -> Option<(&'static str, usize)> {
    let head = call.get(.."strftime(".len())?;
    let inner = call.strip_suffix(')').filter(|_| head.eq_ignore_ascii_case("strftime("))?;
    let format = inner.get(head.len()..)?.trim_start();
    let one = |(sign, _): &&(&str, usize)| {
        format
            .strip_prefix('\'')
            .and_then(|rest| rest.strip_prefix(*sign))
            .is_some_and(|rest| rest.starts_with('\''))
    };
    // `strftime(…) || strftime(…)` ends with a bracket too
    let depth = call.chars().try_fold((0_i32, false), |(depth, closed), c| match c {
        _ if closed => None,
        '(' => Some((depth + 1, false)),
        ')' => Some((depth - 1, depth == 1)),
        _ => Some((depth, false)),
    });
    depth?;
    DIGITS.iter().find(one).copied()
}

/// A day in a form that no stored text has.
fn column(look: &Before<'_>, used: &LiteralUse) -> Judged {
    let Some(at) = &used.column else { return Judged::Nothing };
    let compares = !matches!(used.op, Comparison::Like | Comparison::NotLike);
    let letters = look.catalog.column(at).is_some_and(|column| {
        matches!(column.kind, ColumnKind::Text | ColumnKind::Date | ColumnKind::Unknown)
    });
    let text = match &used.value {
        Value::Text(text) if is_day(text) => Some(text),
        // where values are known, another gate looks at numbers
        Value::Integer(_) | Value::Real(_) if stored(look, used).is_empty() => None,
        Value::Text(_)
        | Value::Integer(_)
        | Value::Real(_)
        | Value::Null
        | Value::Blob(_)
        | Value::Malformed(_) => return Judged::Nothing,
    };
    if !compares || !letters {
        return Judged::Nothing;
    }
    let sql = sample(look, at);
    let rows = match look.answer(&sql) {
        Probed::Open => {
            return Judged::Ask(probe(GATE, format!("in which form {at} holds dates"), sql));
        }
        Probed::Lost => return Judged::Nothing,
        Probed::Rows(rows) => rows,
    };
    let cells = rows.rows.iter().filter_map(|row| row.first());
    let stored: Vec<&str> = cells.filter_map(day_of).collect();
    if stored.len() != rows.rows.len() || stored.is_empty() {
        return Judged::Nothing;
    }
    against(look, used, at, text, &stored)
}

/// Holds a literal against stored dates.
fn against(
    look: &Before<'_>,
    used: &LiteralUse,
    at: &ColumnRef,
    text: Option<&String>,
    stored: &[&str],
) -> Judged {
    let found =
        |message, evidence, hint| Judged::Found(Box::new(told(used, message, evidence, hint)));
    let evidence = format!("stored are {}", listed(stored.iter().copied(), 2));
    let Some(text) = text else {
        let number = look.text(used.span);
        let message = format!("{at} holds dates, and is compared with the number {number}");
        let hint = format!("Compare {at} with a date in quotes, such as '2024-01-31'.");
        return found(message, evidence, hint);
    };
    if !is_iso(text) {
        let message = format!("{at} is compared letter by letter with a date in another form");
        let days = dates::read(text).map(dates::Reading::days).unwrap_or_default();
        let iso: Vec<String> = days.into_iter().map(|day| format!("'{}'", day.iso())).collect();
        let hint = format!("Write the date as it is stored: {}.", iso.join(" or "));
        return found(message, evidence, hint);
    }
    let equal = matches!(used.op, Comparison::Equal | Comparison::In);
    if equal && stored.iter().all(|text| text.len() > DAY) {
        let sql = equals(look, at, look.text(used.span));
        match look.answer(&sql) {
            Probed::Open => {
                return Judged::Ask(probe(GATE, format!("whether {at} holds that day alone"), sql));
            }
            Probed::Rows(rows) if rows.rows.is_empty() => {}
            Probed::Lost | Probed::Rows(_) => return Judged::Nothing,
        }
        let message = format!("{at} holds moments: none of them equals the day {text}");
        let hint = format!("Compare date({at}) with the day.");
        return found(message, evidence, hint);
    }
    Judged::Nothing
}

/// Writes the look at some stored texts.
fn sample(look: &Before<'_>, at: &ColumnRef) -> String {
    let (table, column) = (look.quoted_table(&at.table), look.quoted(&at.column));
    format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL LIMIT {SEEN}")
}

/// Writes the look for one row that is equal.
fn equals(look: &Before<'_>, at: &ColumnRef, literal: &str) -> String {
    let (table, column) = (look.quoted_table(&at.table), look.quoted(&at.column));
    format!("SELECT 1 FROM {table} WHERE {column} = {literal} LIMIT 1")
}

/// Reads a stored text that begins with a day as SQLite writes it.
fn day_of(value: &Value) -> Option<&str> {
    if let Value::Text(text) = value { Some(text.as_str()) } else { None }
        .filter(|text| text.get(..DAY).is_some_and(is_iso))
}

/// Tells whether a text is a day and nothing else: `2022-1-5`, `01/05/2022`, `2022-01-05`.
fn is_day(text: &str) -> bool {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.'));
    plain && dates::read(text).is_some()
}

fn is_iso(text: &str) -> bool {
    let digits = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    text.len() == DAY && digits
}
