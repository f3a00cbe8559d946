//! How a column stores its dates: concluded from the values that were seen of it.

use std::collections::BTreeSet;

use crate::domain::{Column, ColumnKind, ColumnRef, Privacy, Value};
use crate::render::looks_like_date;

use super::notes::stats_of;
use super::scene::{Scene, same};

/// Formats that are named at most; more are only said to be mixed.
const NAMED: usize = 3;

/// Writes how a column's dates are stored, by what was measured and sampled of it.
pub(super) fn note(scene: &Scene<'_>, at: &ColumnRef, column: &Column) -> Option<String> {
    let dated = matches!(column.kind, ColumnKind::Date | ColumnKind::Text);
    if !dated || scene.privacy == Privacy::Names || scene.withheld.hides_data(at) {
        return None;
    }
    let seen = seen(scene, at)?;
    let forms: BTreeSet<String> = seen.iter().filter_map(|text| form(text)).collect();
    let others = seen.iter().any(|text| form(text).is_none());
    // a text that only happens to look like a date among others says nothing
    if forms.is_empty() || (others && column.kind != ColumnKind::Date) {
        return None;
    }
    let mut names: Vec<String> = forms.into_iter().collect();
    if others {
        names.push("other texts".to_owned());
    }
    match names.as_slice() {
        [one] => Some(format!("format: {one}")),
        some if some.len() <= NAMED => Some(format!("format: mixed ({})", some.join(", "))),
        _ => Some("format: mixed".to_owned()),
    }
}

/// Lists the texts seen of a column: the ends of its range, frequent ones, the first rows.
fn seen<'a>(scene: &'a Scene<'_>, at: &ColumnRef) -> Option<Vec<&'a str>> {
    let stats = stats_of(scene, at).filter(|stats| stats.known)?;
    let ends = stats.min.iter().chain(&stats.max);
    let frequent = stats.top.iter().map(|(value, _)| value);
    let samples = scene.request.facts.samples.iter().filter(|s| same(&s.table, &at.table));
    let first_rows = samples.flat_map(|sample| {
        let place = sample.columns.iter().position(|column| same(column, &at.column));
        sample.rows.iter().filter_map(move |row| row.get(place?))
    });
    let mut texts = Vec::new();
    for value in ends.chain(frequent).chain(first_rows) {
        match value {
            Value::Text(text) => texts.push(text.as_str()),
            Value::Null => {}
            // numbers among them are dates of another kind, which has no name here
            Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
                texts.push("");
            }
        }
    }
    Some(texts)
}

/// Names the form of an ISO date with or without time: `YYYY-MM-DD HH:MM:SS`; none for other texts.
fn form(text: &str) -> Option<String> {
    if !looks_like_date(text) {
        return None;
    }
    let time = text.get(10..)?;
    let (gap, time) = match time.chars().next() {
        None => return Some("YYYY-MM-DD".to_owned()),
        Some(gap) => (gap, time.get(1..)?),
    };
    let zone_at = time.find(['Z', '+', '-', ' ']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    let zone = match zone.trim_start() {
        "" => "",
        "Z" => "Z",
        zone if zone.starts_with(['+', '-']) => "+HH:MM",
        _ => return None,
    };
    let (clock, fraction) = clock.split_once('.').map_or((clock, ""), |(c, f)| (c, f));
    let pairs: Vec<&str> = clock.split(':').collect();
    let two_digits = |pair: &&str| pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_digit());
    if !pairs.iter().all(two_digits) || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let clock = match pairs.len() {
        1 => "HH",
        2 => "HH:MM",
        3 => "HH:MM:SS",
        _ => return None,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("YYYY-MM-DD{gap}{clock}{point}{}{zone}", "S".repeat(fraction.len())))
}

#[cfg(test)]
mod tests {
    use super::form;

    #[test]
    fn a_date_is_named_by_all_of_it() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(form(text).as_deref(), expected, "{text}");
        };
        check("2026-11-30", Some("YYYY-MM-DD"));
        check("2026-11-30 09:00", Some("YYYY-MM-DD HH:MM"));
        check("2026-11-30 09:00:59", Some("YYYY-MM-DD HH:MM:SS"));
        check("2026-11-30T09:00:59.123", Some("YYYY-MM-DDTHH:MM:SS.SSS"));
        check("2026-11-30T09:00:59Z", Some("YYYY-MM-DDTHH:MM:SSZ"));
        check("2026-11-30 09:00:59+02:00", Some("YYYY-MM-DD HH:MM:SS+HH:MM"));
        check("30.11.2026", None);
        check("2026-11-30 noon", None);
    }
}
