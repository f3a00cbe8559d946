//! A range of moments that ends with a day: what happened on that day after midnight is left out.

use crate::domain::plan::Comparison;
use crate::domain::{Finding, Severity, Value};
use crate::sql::scope::LiteralUse;

use super::look::finding;
use super::number_for_text::stored;
use super::{Before, Verdict};

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
    ends.filter_map(|(_, used)| judge(look, used)).collect::<Vec<_>>().into()
}

fn judge(look: &Before<'_>, used: &LiteralUse) -> Option<Finding> {
    let Value::Text(day) = &used.value else { return None };
    let at = used.column.as_ref().filter(|_| is_day(day))?;
    let moments = stored(look, used);
    let moment = |text: &&str| {
        let clock = text.get(DAY + 1..).unwrap_or_default();
        text.get(..DAY).is_some_and(is_day) && clock.contains(':') && !clock.starts_with("00:00")
    };
    let some = moments.iter().find(|text| moment(text))?;
    let message = format!("{at} holds moments: what happened on {day} after midnight is left out");
    let mut found = finding("last_day", Severity::Warning, message, format!("stored is '{some}'"));
    found.span = Some(used.span);
    found.retryable = true;
    found.hint = Some(format!("Compare {at} with < and the day after {day}."));
    Some(found)
}

fn is_day(text: &str) -> bool {
    let digits = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    text.len() == DAY && digits
}
