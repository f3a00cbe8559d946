//! An order and a limit behind an aggregate over all rows: one row is left, whatever the order.

use crate::domain::{Finding, Severity};
use crate::sql::scope::{Output, Scope};

use super::look::finding;
use super::{Before, Verdict};

/// Looks at every SELECT that aggregates all its rows.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    look.binding.scopes.iter().filter_map(|scope| judge(look, scope)).collect::<Vec<_>>().into()
}

fn judge(look: &Before<'_>, scope: &Scope) -> Option<Finding> {
    let aggregated = |output: &Output| {
        scope.aggregates.iter().any(|a| {
            !a.window && output.span.start <= a.span.start && a.span.end <= output.span.end
        })
    };
    let one = scope.group_by.is_empty()
        && !scope.outputs.is_empty()
        && scope.outputs.iter().all(aggregated);
    let key = scope.tail.order_by.first().filter(|_| one)?;
    let limit = scope.tail.limit_span?;
    let call = look.text(scope.outputs.first()?.span);
    let message = format!("{call} covers all rows: the order and the limit come after it");
    let evidence = format!("ordered by {}", look.text(key.span));
    let mut found = finding("useless_order", Severity::Warning, message, evidence);
    found.retryable = true;
    found.span = Some(limit);
    found.hint = Some(
        "Choose the row by a subquery with ORDER BY and LIMIT first, and aggregate then."
            .to_owned(),
    );
    Some(found)
}
