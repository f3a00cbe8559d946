//! Columns that hold dates, and the form they are stored in.

use crate::domain::schema::TableKind;
use crate::domain::{Column, ColumnKind, ColumnRef, Value};
use crate::render::looks_like_date;

use super::Seen;

/// Seconds since 1970 of the years that a stored date is likely of: 1990 to 2100.
const SECONDS: std::ops::Range<i64> = 631_152_000..4_102_444_800;

/// What is guessed of a date column.
pub(super) struct Date {
    /// The form, where it is sure; empty where a person must say it.
    pub(super) format: Option<String>,
    /// What a person should know to say it.
    pub(super) note: Option<String>,
}

/// Tables that hold a column of one name from which its form is told once for all of them.
const MANY: usize = 3;

/// A name whose columns store dates in one form, in many tables.
#[derive(Debug)]
pub(super) struct Shared {
    name: String,
    form: String,
    tables: usize,
}

impl Shared {
    /// Tells whether a column has this name.
    pub(super) fn is(&self, column: &str) -> bool {
        self.name.eq_ignore_ascii_case(column)
    }

    /// Says it in a sentence.
    pub(super) fn note(&self) -> String {
        format!("{} is stored as {}, in {} tables", self.name, self.form, self.tables)
    }
}

/// Finds the names of columns that store dates in one form in many tables, as `last_update` does.
pub(super) fn shared(seen: &Seen<'_>) -> Vec<Shared> {
    let mut found: Vec<(String, Vec<Option<String>>)> = Vec::new();
    let stored = seen.catalog.tables.iter().filter(|table| table.kind != TableKind::View);
    for (table, column) in stored.flat_map(|t| t.columns.iter().map(move |column| (t, column))) {
        let at = ColumnRef::new(&table.name, &column.name);
        if seen.withheld.contains(&at) {
            continue;
        }
        let form = of(seen, &at, column).map(|date| date.format.filter(|form| !form.is_empty()));
        let Some(form) = form else { continue };
        match found.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(&column.name)) {
            Some((_, forms)) => forms.push(form),
            None => found.push((column.name.clone(), vec![form])),
        }
    }
    found
        .into_iter()
        .filter_map(|(name, forms)| {
            let form = forms.first()?.clone()?;
            let one =
                forms.len() >= MANY && forms.iter().all(|other| other.as_ref() == Some(&form));
            one.then_some(Shared { name, form, tables: forms.len() })
        })
        .collect()
}

/// Guesses how a column stores dates; none when it holds none.
pub(super) fn of(seen: &Seen<'_>, at: &ColumnRef, column: &Column) -> Option<Date> {
    let stats = seen.stats(at)?;
    let ends: Vec<&Value> = stats.min.iter().chain(&stats.max).collect();
    let frequent = stats.top.iter().map(|(value, _)| value);
    let values: Vec<&Value> = ends.into_iter().chain(frequent).collect();
    let named = is_named_so(&column.name);
    let mut forms: Vec<String> = Vec::new();
    for value in &values {
        let form = match value {
            Value::Text(text) if looks_like_date(text) => iso(text),
            Value::Integer(n) if named => since_1970(*n)?,
            Value::Text(text) if named || column.kind == ColumnKind::Date => {
                let note = format!("dates stand as '{}'", super::one_line(text));
                return Some(Date { format: Some(String::new()), note: Some(note) });
            }
            Value::Null
            | Value::Integer(_)
            | Value::Real(_)
            | Value::Text(_)
            | Value::Blob(_)
            | Value::Malformed(_) => return None,
        };
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    match forms.as_slice() {
        [] => None,
        [one] => Some(Date { format: Some(one.clone()), note: None }),
        some => Some(Date {
            format: Some(String::new()),
            note: Some(format!("several forms: {}", some.join(", "))),
        }),
    }
}

fn is_named_so(name: &str) -> bool {
    let words = super::short::split(name);
    let last = words.last().map_or("", String::as_str);
    matches!(last, "date" | "day" | "time" | "timestamp" | "datetime" | "on" | "at" | "dt" | "ts")
        || words.first().is_some_and(|word| word == "date")
}

/// Names the form of an ISO date: a letter for each digit of its time.
fn iso(text: &str) -> String {
    let time = text.get(10..).unwrap_or_default();
    let mut form = "YYYY-MM-DD".to_owned();
    let mut digits = 0;
    for c in time.chars() {
        if c.is_ascii_digit() {
            form.push(match digits {
                0 | 1 => 'H',
                2 | 3 => 'M',
                _ => 'S',
            });
            digits += 1;
        } else if matches!(c, 'Z' | '+') || digits > 6 {
            form.push(c);
            break;
        } else {
            form.push(c);
        }
    }
    form
}

fn since_1970(n: i64) -> Option<String> {
    if SECONDS.contains(&n) {
        Some("seconds since 1970-01-01 UTC".to_owned())
    } else if SECONDS.contains(&(n / 1_000)) {
        Some("milliseconds since 1970-01-01 UTC".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_a_letter_for_each_digit() {
        assert_eq!(iso("2026-01-31"), "YYYY-MM-DD");
        assert_eq!(iso("2026-01-31 09:30"), "YYYY-MM-DD HH:MM");
        assert_eq!(iso("2026-01-31T09:30:00.000"), "YYYY-MM-DDTHH:MM:SS.SSS");
        assert_eq!(iso("2026-01-31T09:30:00Z"), "YYYY-MM-DDTHH:MM:SSZ");
    }

    #[test]
    fn numbers_of_our_time_are_told_from_others() {
        assert_eq!(since_1970(1_700_000_000).as_deref(), Some("seconds since 1970-01-01 UTC"));
        let milliseconds = Some("milliseconds since 1970-01-01 UTC");
        assert_eq!(since_1970(1_700_000_000_000).as_deref(), milliseconds);
        assert_eq!(since_1970(20_240_131), None);
    }
}
