//! A question for the first N that got another number of rows.

use crate::domain::Severity;
use crate::domain::counts::count;

use super::look::{finding, words};
use super::written::number;
use super::{After, Before, Verdict};

/// Looks at the number of rows against the number asked for.
pub(super) fn look(look: &After<'_>) -> Verdict {
    let Some(wanted) = look.before.question.and_then(|q| asked(&words(q))) else {
        return Verdict::default();
    };
    let got = look.rows.row_count;
    let outer = look.before.binding.outer();
    let limit = outer.and_then(|scope| scope.tail.limit).or(look.before.binding.tail.limit);
    // Fewer rows are wrong only when the query itself cut them off.
    let cut_short = got < wanted && limit.is_some_and(|limit| limit < wanted);
    if got <= wanted && !cut_short {
        return Verdict::default();
    }
    let message = format!("the question asks for {wanted}, the result has {}", count(got, "row"));
    let evidence = match limit {
        Some(limit) => format!("LIMIT {limit}"),
        None => "there is no LIMIT".to_owned(),
    };
    let mut found = finding("top_n", Severity::Warning, message, evidence);
    found.retryable = true;
    found.hint = Some(format!("Return exactly the first {wanted} in the order asked for."));
    vec![found].into()
}

/// Looks at rows that are cut but not ordered: any will come, not the first. Where a question asks
/// for a ranking that is wrong; where there is none it is told.
pub(super) fn unordered(look: &Before<'_>) -> Verdict {
    let Some(scope) = look.binding.outer() else { return Verdict::default() };
    let limit = scope.tail.limit_span.or(look.binding.tail.limit_span);
    let ordered = !look.binding.tail.order_by.is_empty()
        || look.binding.scopes.iter().any(|scope| !scope.tail.order_by.is_empty());
    let text = look.query.text().to_lowercase();
    // A window function ranks too, and an extreme may be compared with.
    let ranked = text.contains("over") || text.contains("max(") || text.contains("min(");
    let Some(span) = limit.filter(|_| !ordered && !ranked) else { return Verdict::default() };
    let Some(question) = look.question else {
        if scope.group_by.is_empty() && scope.aggregates.iter().any(|a| !a.window) {
            return Verdict::default(); // one row needs no order
        }
        let message = "nothing orders the rows, so which of them come is not decided";
        let evidence = format!("LIMIT {} without ORDER BY", look.text(span));
        let mut found = finding("top_n", Severity::Info, message, evidence);
        found.span = Some(span);
        return vec![found].into();
    };
    let words = words(question);
    if !ranks(&words) {
        return Verdict::default();
    }
    let message = "the question asks for the first of a ranking, but nothing orders the rows";
    let evidence = format!("{} without ORDER BY; asked is '{}'", look.text(span), words.join(" "));
    let mut found = finding("top_n", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(span);
    found.hint = Some("Order by what the ranking is about before the LIMIT.".to_owned());
    vec![found].into()
}

/// Tells whether a question asks for the first N of a ranking. `First 3` alone may be any three.
fn ranks(words: &[String]) -> bool {
    asked(words).is_some() && words.iter().any(|w| w == "top" || BEHIND.contains(&w.as_str()))
}

const BEHIND: &[&str] = &[
    "most", "least", "highest", "lowest", "largest", "smallest", "biggest", "oldest", "youngest",
    "longest", "shortest", "best", "worst", "top",
];

/// Reads `top 3`, `first five`, `3 most …`, `the 3 largest …`.
fn asked(words: &[String]) -> Option<u64> {
    // One group's first N is another count for the whole.
    if words.iter().any(|w| matches!(w.as_str(), "each" | "per" | "every" | "least" | "than")) {
        return None;
    }
    words.windows(2).find_map(|pair| {
        let [a, b] = pair else { return None };
        let before = matches!(a.as_str(), "top" | "first").then(|| number(b)).flatten();
        let behind = BEHIND.contains(&b.as_str()).then(|| number(a)).flatten();
        before.or(behind).filter(|n| *n > 1)
    })
}
