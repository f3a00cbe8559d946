//! A column of texts that is compared with a number: SQLite compares the letters, not the amounts.

use crate::domain::{Finding, Severity, Value};
use crate::render::looks_like_date;
use crate::sql::scope::LiteralUse;

use super::look::{finding, listed};
use super::{Before, Verdict};

/// Looks at every number that is compared with a column whose stored values are all dates or
/// words.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let literals = look.binding.scopes.iter().flat_map(|scope| &scope.literals);
    let findings: Vec<Finding> = literals.filter_map(|used| judge(look, used)).collect();
    findings.into()
}

fn judge(look: &Before<'_>, used: &LiteralUse) -> Option<Finding> {
    let at = used.column.as_ref()?;
    let column = look.catalog.column(at)?;
    if !matches!(used.value, Value::Integer(_) | Value::Real(_)) || column.kind.is_number() {
        return None;
    }
    let stored = stored(look, used);
    let dates = !stored.is_empty() && stored.iter().all(|text| looks_like_date(text));
    let words = stored.iter().all(|text| text.trim().parse::<f64>().is_err());
    let all = look.values_of(at).is_some_and(|list| list.complete && !list.values.is_empty());
    if !(dates || words && all) {
        return None;
    }
    let number = look.text(used.span);
    let message = format!("{at} holds texts, and is compared with the number {number}");
    let evidence = format!("stored are {}", listed(stored.iter().copied(), 3));
    let mut found = finding("number_for_text", Severity::Warning, message, evidence);
    found.span = Some(used.span);
    found.retryable = true;
    found.hint = Some(if dates {
        format!("Compare {at} with a date in quotes, such as '2024-01-31'.")
    } else {
        format!("Compare {at} with one of its stored texts.")
    });
    Some(found)
}

/// Texts known to be in the column: its list, else its ends.
pub(super) fn stored<'a>(look: &Before<'a>, used: &LiteralUse) -> Vec<&'a str> {
    let Some(at) = &used.column else { return Vec::new() };
    let listed = look.values_of(at).map(|list| list.values.iter().map(String::as_str).collect());
    let known = listed.filter(|list: &Vec<&str>| !list.is_empty());
    let of_text = |value: &'a Value| match value {
        Value::Text(text) => Some(text.as_str()),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            None
        }
    };
    known.unwrap_or_else(|| {
        let measured = look.facts.statistics.iter().filter(|stats| stats.at == *at);
        measured.flat_map(|s| s.min.iter().chain(s.max.iter())).filter_map(of_text).collect()
    })
}
