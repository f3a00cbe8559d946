//! A plain column beside aggregates that its groups don't determine: SQLite picks any row.

use crate::domain::{ColumnRef, Dialect, Severity};
use crate::sql::scope::{Output, Scope};

use super::look::finding;
use super::{Before, Verdict};

/// Looks at the plain outputs of grouped SELECTs.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    if look.query.dialect() != Dialect::Sqlite {
        return Verdict::default(); // other engines refuse or were told not to
    }
    let mut findings = Vec::new();
    for scope in &look.binding.scopes {
        let grouped = !scope.group_by.is_empty() || scope.aggregates.iter().any(|a| !a.window);
        if !grouped || picks_a_row(scope) {
            continue;
        }
        for output in scope.outputs.iter().filter(|output| !output.star) {
            let Some(at) = output.at.as_ref().filter(|at| !determined(look, scope, output, at))
            else {
                continue;
            };
            let message = format!(
                "{at} is neither grouped by nor aggregated, so any row of a group may show"
            );
            let keys: Vec<&str> = scope.group_by.iter().map(|key| look.text(key.span)).collect();
            let evidence = if keys.is_empty() {
                "there is no GROUP BY beside the aggregate".to_owned()
            } else {
                format!("grouped by {}", keys.join(", "))
            };
            let mut found = finding("ungrouped_column", Severity::Info, message, evidence);
            found.hint = Some(format!("Add {at} to GROUP BY, or aggregate it."));
            found.span = Some(output.span);
            findings.push(found);
        }
    }
    findings.into()
}

/// With one MIN or MAX, SQLite takes the other columns from the row that has it.
fn picks_a_row(scope: &Scope) -> bool {
    let [only] = scope.aggregates.as_slice() else { return false };
    matches!(only.function.as_str(), "min" | "max")
}

/// Tells whether the groups fix a column's value: it is a key of them, follows from a key of its
/// table, or from a key that the joins tie to the groups.
fn determined(look: &Before<'_>, scope: &Scope, output: &Output, at: &ColumnRef) -> bool {
    let mut fixed: Vec<(String, String)> = scope
        .group_by
        .iter()
        .filter_map(|key| key.at.as_ref())
        .map(|at| (at.table.to_lowercase(), at.column.to_lowercase()))
        .collect();
    let lower = |at: &ColumnRef| (at.table.to_lowercase(), at.column.to_lowercase());
    loop {
        let before = fixed.len();
        for pair in &scope.joins {
            let (Some(a), Some(b)) = (&pair.columns.0, &pair.columns.1) else { continue };
            let (a, b) = (lower(a), lower(b));
            if fixed.contains(&a) && !fixed.contains(&b) {
                fixed.push(b);
            } else if fixed.contains(&b) && !fixed.contains(&a) {
                fixed.push(a);
            }
        }
        for table in &look.catalog.tables {
            let name = table.name.to_lowercase();
            let known: Vec<&str> =
                fixed.iter().filter(|(t, _)| *t == name).map(|(_, c)| c.as_str()).collect();
            if known.is_empty() || !table.is_unique(&known) {
                continue;
            }
            let columns: Vec<_> =
                table.columns.iter().map(|c| (name.clone(), c.name.to_lowercase())).collect();
            fixed.extend(columns.into_iter().filter(|c| !fixed.contains(c)).collect::<Vec<_>>());
        }
        if fixed.len() == before {
            break;
        }
    }
    fixed.contains(&lower(at)) || scope.group_by.iter().any(|key| key.span == output.span)
}
