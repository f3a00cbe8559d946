//! "The longest" answered by the shortest: the order runs against the superlative.

use crate::domain::{Finding, Severity};
use crate::sql::scope::{Key, Scope};

use super::look::{finding, words};
use super::{Before, Verdict};

/// Superlatives that ask for the largest number.
const LARGEST: &[&str] = &["longest", "largest", "biggest", "highest", "greatest", "heaviest"];
/// Superlatives that ask for the smallest number.
const SMALLEST: &[&str] = &["shortest", "smallest", "lowest", "lightest", "cheapest"];
/// Superlatives of how many.
const MOST: &[&str] = &["most"];
/// Their opposites.
const LEAST: &[&str] = &["least", "fewest"];
/// Words that ask for an order of their own, or turn the meaning round.
const TURNING: &[&str] = &[
    "ascending",
    "descending",
    "order",
    "ordered",
    "sort",
    "sorted",
    "not",
    "except",
    "second",
    "third",
    "last",
    "bottom",
    "nth",
];
/// Words of columns where the smallest number is the best.
const RANKS: &[&str] =
    &["rank", "ranking", "position", "place", "order", "grade", "level", "class"];

/// Looks at the only limit of a query, where it stands behind one order.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let found = look.question.zip(look.binding.outer());
    let found = found.and_then(|(question, scope)| judge(look, &words(question), scope));
    found.into_iter().collect::<Vec<_>>().into()
}

fn judge(look: &Before<'_>, asked: &[String], scope: &Scope) -> Option<Finding> {
    scope.tail.limit?;
    let [key] = scope.tail.order_by.as_slice() else { return None };
    let only = look.binding.set_operations.is_empty()
        && look.binding.scopes.iter().filter(|s| s.tail.limit_span.is_some()).count() == 1;
    let turned = asked.iter().any(|word| TURNING.contains(&word.as_str()));
    if !only || turned || scope.tail.offset.is_some_and(|offset| offset > 0) {
        return None;
    }
    let counted = is_counted(look, scope, key);
    if !counted && !is_amount(look, key) {
        return None;
    }
    let (word, largest) = wanted(asked, counted)?;
    if largest == key.descending {
        return None;
    }
    let (runs, turn) = if key.descending { ("largest", "ASC") } else { ("smallest", "DESC") };
    let by = look.text(key.span);
    let message = format!("the question asks for the {word}, the {runs} {by} comes first");
    let evidence = format!("{by} holds numbers, and is in order of the {runs} first");
    let mut found = finding("direction", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(key.span);
    found.hint = Some(format!("Order by {by} {turn}."));
    Some(found)
}

/// Finds the one way that all superlatives of a question point to.
fn wanted(asked: &[String], counted: bool) -> Option<(&str, bool)> {
    let mut found: Option<(&str, bool)> = None;
    for (at, word) in asked.iter().enumerate() {
        let word = word.as_str();
        // "at least 3" compares
        let before = at.checked_sub(1).and_then(|at| asked.get(at));
        if before.is_some_and(|before| before == "at") {
            continue;
        }
        let most = MOST.contains(&word) || LEAST.contains(&word);
        let large = LARGEST.contains(&word) || MOST.contains(&word);
        if !(large || SMALLEST.contains(&word) || LEAST.contains(&word)) {
            continue;
        }
        // "the most recent", "the least experienced": what the adjective measures may run backwards
        if most && !counted || found.is_some_and(|(_, known)| known != large) {
            return None;
        }
        found = found.or(Some((word, large)));
    }
    found
}

/// Tells whether a key counts or adds rows.
fn is_counted(look: &Before<'_>, scope: &Scope, key: &Key) -> bool {
    let output = key.output.and_then(|at| scope.outputs.get(at));
    let span = output.map_or(key.span, |output| output.span);
    let text = look.text(span).to_ascii_lowercase();
    (text.starts_with("count(") || text.starts_with("sum("))
        && scope.aggregates.iter().any(|aggregate| aggregate.span == span && !aggregate.window)
}

/// Tells whether a key is a column of numbers in which the larger number is more.
fn is_amount(look: &Before<'_>, key: &Key) -> bool {
    let Some(at) = &key.at else { return false };
    let name = at.column.to_lowercase();
    let number = look.catalog.column(at).is_some_and(|column| column.kind.is_number());
    number && !RANKS.iter().any(|rank| name.contains(rank))
}
