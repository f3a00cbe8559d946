//! "The oldest" answered by a list that nothing ranks.

use crate::domain::Severity;
use crate::domain::counts::count;

use super::asked::Asked;
use super::look::finding;
use super::{After, Verdict};

/// Looks at a list where one is asked for.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let asked = look.before.question.map(Asked::of);
    let Some(word) = asked.as_ref().and_then(Asked::superlative) else {
        return Verdict::default();
    };
    let before = &look.before;
    let text = before.query.text().to_lowercase();
    let ranks = ["limit", "max(", "min(", "max (", "min (", "over", "fetch", "not exists", "all"]
        .iter()
        .any(|sign| text.contains(sign));
    if look.rows.row_count < 2 || ranks {
        return Verdict::default();
    }
    let message = format!(
        "the question asks for the {word}, the result has {} and nothing chooses",
        count(look.rows.row_count, "row")
    );
    let evidence = "no LIMIT, MIN, MAX or window stands in the query";
    let mut found = finding("superlative", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some("Order by what is asked for and keep the first row.".to_owned());
    vec![found].into()
}
