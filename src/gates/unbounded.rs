//! A query that may return a very long list.

use crate::domain::Severity;
use crate::domain::counts::count;

use super::look::finding;
use super::{Before, Verdict};

/// Rows from which a result is long for a screen.
const LONG: u64 = 10_000;

/// Looks at plain queries without conditions or limit on large tables.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let Some(scope) = look.binding.outer() else { return Verdict::default() };
    let limited = scope.tail.limit_span.is_some() || look.binding.tail.limit_span.is_some();
    if limited || scope.is_aggregated() || scope.filter.is_some() || scope.distinct {
        return Verdict::default();
    }
    let tables = scope.relations.iter().filter_map(|r| look.catalog.table(r.table()?));
    let rows = tables.filter_map(|table| table.rows).map(|rows| rows.count).max().unwrap_or(0);
    if rows < LONG {
        return Verdict::default();
    }
    let message = "the result has no limit and may be long";
    let evidence = format!("the largest table has {}", count(rows, "row"));
    vec![finding("unbounded", Severity::Info, message, evidence)].into()
}
