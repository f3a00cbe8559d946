//! A question for one value that got a list, or one cell where a list was asked for.

use crate::domain::Severity;

use super::look::{finding, words};
use super::{After, Verdict};

/// Words that ask for a breakdown, so that several rows are right.
const BREAKDOWN: &[&str] = &[
    "each",
    "per",
    "by",
    "every",
    "respective",
    "respectively",
    "different",
    "all",
    "list",
    "and",
    "or",
    "respect",
    "grouped",
    "group",
    "any",
    "those",
    "both",
    "over",
    "monthly",
    "yearly",
    "daily",
    "weekly",
    "distribution",
    "breakdown",
    "which",
    "who",
    "are",
    "with",
    "most",
    "least",
];

/// Looks at the number of rows against the question's form.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let Some(question) = look.before.question else { return Verdict::default() };
    let words = words(question);
    if look.rows.row_count <= 1 || !asks_for_one(&words) {
        return Verdict::default();
    }
    let message =
        format!("the question asks for one value, the result has {} rows", look.rows.row_count);
    let evidence =
        format!("asked: {}", words.iter().take(5).cloned().collect::<Vec<_>>().join(" "));
    let mut found = finding("answer_shape", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some("Aggregate to one row: the question asks for one value.".to_owned());
    vec![found].into()
}

/// Tells whether a question asks for a single number: how many, or the total of something.
fn asks_for_one(words: &[String]) -> bool {
    const TOTALS: &[&str] = &["average", "total", "sum", "number", "count", "mean", "avg"];
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let counts = (word(0), word(1)) == ("how", "many");
    let totals = matches!((word(0), word(1), word(2)), ("what", "is" | "was" | "s", "the"))
        && TOTALS.contains(&word(3));
    (counts || totals || word(0) == "count")
        && !words.iter().any(|w| w != "how" && BREAKDOWN.contains(&w.as_str()))
}
