//! A question for a value of each that gets one row for all.

use crate::domain::Severity;

use super::look::{finding, words};
use super::{Before, Verdict};

/// Looks at a query that surely has one row, where the question says "for each".
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let Some(asked) = look.question.map(words).filter(|words| says_each(words)) else {
        return Verdict::default();
    };
    let Some(scope) = look.binding.outer().filter(|_| has_one_row(look)) else {
        return Verdict::default();
    };
    let message = "the question asks for a value of each, and this gives one row for all";
    let evidence = format!("aggregates without GROUP BY; asked is '{}'", asked.join(" "));
    let mut found = finding("grain", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = scope.outputs.first().map(|output| output.span);
    found.hint = Some("Group by what the question names behind \"each\".".to_owned());
    vec![found].into()
}

/// Aggregates alone, of rows that nothing groups anywhere. A ratio or an average may speak of each in
/// one number.
fn has_one_row(look: &Before<'_>) -> bool {
    let scopes = &look.binding.scopes;
    let aggregated = |at: usize| {
        let all = scopes.get(at).map_or(&[][..], |scope| &scope.aggregates);
        !all.is_empty() && all.iter().all(|a| !a.window && !a.filtered && a.function != "avg")
    };
    look.binding.outermost.is_some_and(aggregated)
        && look.binding.set_operations.is_empty()
        && scopes.len() == 1
        && scopes.iter().all(|s| s.group_by.is_empty() && s.divisions.is_empty())
        && scopes.iter().all(|s| s.outputs.iter().all(|o| o.at.is_none() && !o.star))
}

/// Reads `for each`, `of each`, `in each`, but not `of each other`.
fn says_each(words: &[String]) -> bool {
    let each = |at: usize| {
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        matches!(word(at), "for" | "of" | "in" | "by")
            && word(at + 1) == "each"
            && word(at + 2) != "other"
    };
    (0..words.len()).any(each)
}
