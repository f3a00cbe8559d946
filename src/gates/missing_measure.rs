//! An average that the question asks for and the query doesn't compute.

use crate::domain::Severity;

use super::asked::Asked;
use super::look::finding;
use super::{Before, Verdict};

/// Looks for anything that averages.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let Some(question) = look.question else { return Verdict::default() };
    let asked = Asked::of(question).has(&["average", "avg"]);
    let text = look.query.text().to_lowercase();
    let computed = ["avg", "average", "mean", "/"].iter().any(|sign| text.contains(sign));
    if !asked || computed {
        return Verdict::default();
    }
    let message = "the question asks for an average, the query computes none";
    let evidence = "neither AVG, nor a division, nor a column of averages is in it";
    let mut found = finding("missing_measure", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some("Compute the average that is asked for.".to_owned());
    vec![found].into()
}
