//! A year, a month or a day against a column of dates: the stretch of time that it names.

use crate::domain::plan::{Comparison, Condition, Operand, Term};
use crate::domain::{ColumnKind, ColumnRef, Value};
use crate::render::looks_like_date;

use super::schema::{Schema, same};

/// From a date on, up to another that no longer belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Period {
    start: String,
    end: String,
}

/// Writes a comparison as conditions that all must hold. A year against dates becomes the year's
/// range, so that "in 2025" finds `2025-03-01` and "after 2025" starts with 2026.
///
/// With `single` it stays one condition where it can, as chains of OR need.
pub(super) fn conditions(
    schema: &Schema<'_>,
    column: &ColumnRef,
    by: Comparison,
    right: Operand,
    single: bool,
) -> Vec<Condition> {
    let compare = |by, right| Condition::Compare { left: Term::Column(column.clone()), by, right };
    let bound = |by, date: &str| compare(by, Operand::Value(Value::Text(date.to_owned())));
    let ranged = match (&right, by) {
        (Operand::Value(value), _) => period(schema, column, value).map(|period| {
            let (start, end) = (period.start.as_str(), period.end.as_str());
            let pair = [bound(Comparison::GreaterEqual, start), bound(Comparison::Less, end)];
            match by {
                Comparison::Equal if single => vec![bound(Comparison::Like, &pattern(value))],
                Comparison::Equal => pair.to_vec(),
                Comparison::NotEqual => vec![Condition::Any(vec![
                    bound(Comparison::Less, start),
                    bound(Comparison::GreaterEqual, end),
                ])],
                Comparison::Greater => vec![bound(Comparison::GreaterEqual, end)],
                Comparison::LessEqual => vec![bound(Comparison::Less, end)],
                Comparison::Less | Comparison::GreaterEqual => vec![bound(by, start)],
                Comparison::Like
                | Comparison::NotLike
                | Comparison::In
                | Comparison::NotIn
                | Comparison::Between => vec![compare(by, right.clone())],
            }
        }),
        (Operand::Range(low, high), Comparison::Between) => {
            let ends = (period(schema, column, low), period(schema, column, high));
            // an end that names a day of plain dates belongs to the range as it is
            let plain = |by, end: &Value| compare(by, Operand::Value(end.clone()));
            let from = || plain(Comparison::GreaterEqual, low);
            let to = || plain(Comparison::LessEqual, high);
            (ends != (None, None)).then(|| {
                let (first, last) = ends;
                vec![
                    first.map_or_else(from, |p| bound(Comparison::GreaterEqual, &p.start)),
                    last.map_or_else(to, |p| bound(Comparison::Less, &p.end)),
                ]
            })
        }
        (Operand::Values(values), Comparison::In | Comparison::NotIn) => {
            let dated = values.iter().all(|v| period(schema, column, v).is_some());
            let each = |by| values.iter().map(move |v| bound(by, &pattern(v)));
            let all = || {
                if by == Comparison::In {
                    vec![Condition::Any(each(Comparison::Like).collect())]
                } else {
                    each(Comparison::NotLike).collect()
                }
            };
            dated.then(all)
        }
        (Operand::Range(..) | Operand::Values(_) | Operand::Term(_) | Operand::Plan(_), _) => None,
    };
    ranged.unwrap_or_else(|| vec![compare(by, right)])
}

/// Tells whether a column holds nothing but ISO dates, as far as is known.
pub(super) fn is_dated(schema: &Schema<'_>, at: &ColumnRef) -> bool {
    let Some(column) = schema.column(at) else { return false };
    let seen = seen(schema, at);
    let dates = !seen.is_empty() && seen.iter().all(|text| looks_like_date(text));
    match column.kind {
        ColumnKind::Date => dates || seen.is_empty(),
        ColumnKind::Text | ColumnKind::Unknown => dates,
        ColumnKind::Integer | ColumnKind::Real | ColumnKind::Boolean | ColumnKind::Blob => false,
    }
}

/// Texts known to be stored in a column: its ends, and its list of values.
fn seen<'a>(schema: &Schema<'a>, at: &ColumnRef) -> Vec<&'a str> {
    let measured = schema.facts.statistics.iter().find(|s| same(&s.at, at));
    let ends = measured.into_iter().flat_map(|s| s.min.iter().chain(s.max.iter()));
    let ends = ends.map(|value| match value {
        Value::Text(text) => text.as_str(),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            ""
        }
    });
    ends.chain(schema.list(at).unwrap_or_default().iter().map(String::as_str)).collect()
}

/// Reads a year, a month, or a day of a column of moments; none where equality says it already.
fn period(schema: &Schema<'_>, at: &ColumnRef, value: &Value) -> Option<Period> {
    let Value::Text(text) = value else { return None };
    let parts: Vec<u32> = text.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let year = *parts.first().filter(|year| (1000..=2999).contains(*year))?;
    let period = match (parts.as_slice(), text.len()) {
        ([_], 4) => Period { start: date(year, 1, 1), end: date(year + 1, 1, 1) },
        ([_, month @ 1..=12], 7) => {
            let (next_year, next) = if *month == 12 { (year + 1, 1) } else { (year, month + 1) };
            Period { start: date(year, *month, 1), end: date(next_year, next, 1) }
        }
        ([_, month @ 1..=12, day @ 1..=31], 10) => {
            let moments = seen(schema, at).iter().any(|text| text.len() > 10);
            moments.then(|| Period { start: text.clone(), end: day_after(year, *month, *day) })?
        }
        _ => return None,
    };
    is_dated(schema, at).then_some(period)
}

fn day_after(year: u32, month: u32, day: u32) -> String {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    match (day < days, month < 12) {
        (true, _) => date(year, month, day + 1),
        (false, true) => date(year, month + 1, 1),
        (false, false) => date(year + 1, 1, 1),
    }
}

fn date(year: u32, month: u32, day: u32) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// Writes what all dates of a year or month, or all moments of a day, begin with.
fn pattern(value: &Value) -> String {
    format!("{}%", value.plain())
}
