//! A plain column beside aggregates that its groups don't determine: SQLite picks any row.

use crate::domain::{ColumnRef, Dialect, Finding, Severity, Value};
use crate::sql::scope::{Output, Scope};

use super::look::{Probed, finding, probe};
use super::{Before, Verdict, fan_out};

/// Name of the gate.
const GATE: &str = "ungrouped_column";

/// Looks at the plain outputs of grouped SELECTs.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    if look.query.dialect() != Dialect::Sqlite {
        return verdict; // other engines refuse or were told not to
    }
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        let grouped = !scope.group_by.is_empty() || scope.aggregates.iter().any(|a| !a.window);
        if grouped && !picks_a_row(scope) {
            verdict.join(judge(look, index, scope));
        }
    }
    verdict
}

fn judge(look: &Before<'_>, index: usize, scope: &Scope) -> Verdict {
    let plain = scope.outputs.iter().filter(|output| !output.star);
    let open: Vec<(&Output, &ColumnRef)> = plain
        .filter_map(|output| Some((output, output.at.as_ref()?)))
        .filter(|(output, at)| !determined(look, scope, output, at))
        .collect();
    if open.is_empty() {
        return Verdict::default();
    }
    let columns: Vec<&str> = open.iter().map(|(output, _)| look.text(output.span)).collect();
    let sql = fan_out::values_sql(look, index, &columns).filter(|_| shows_all(scope));
    let answer = sql.as_ref().map_or(Probed::Lost, |sql| look.answer(sql));
    let counted = match answer {
        Probed::Rows(rows) => rows.rows.first(),
        Probed::Open | Probed::Lost => None,
    };
    let told = open.iter().enumerate().map(|(nth, (output, at))| {
        let most = counted.and_then(|row| row.get(nth)).and_then(Value::number);
        told(look, scope, output, at, most)
    });
    let mut verdict = Verdict::from(told.collect::<Vec<_>>());
    if let (Probed::Open, Some(sql)) = (answer, sql) {
        let words = "whether a column has one value in each group";
        verdict.probes.push(probe(GATE, words, sql));
    }
    verdict
}

/// All groups are shown: one with several values is then surely among them.
fn shows_all(scope: &Scope) -> bool {
    scope.group_by.is_empty() || scope.having.is_none() && scope.tail.limit_span.is_none()
}

/// Tells of a column, with the most values that a group holds of it, where that was counted.
fn told(
    look: &Before<'_>,
    scope: &Scope,
    output: &Output,
    at: &ColumnRef,
    most: Option<f64>,
) -> Finding {
    let several = most.filter(|most| *most > 1.0);
    let keys: Vec<&str> = scope.group_by.iter().map(|key| look.text(key.span)).collect();
    let evidence = match (several, keys.as_slice()) {
        (Some(most), _) => format!("one group holds {most} different values of it"),
        (None, []) => "there is no GROUP BY beside the aggregate".to_owned(),
        (None, keys) => format!("grouped by {}", keys.join(", ")),
    };
    let severity = if several.is_some() { Severity::Warning } else { Severity::Info };
    let message =
        format!("{at} is neither grouped by nor aggregated, so any row of a group may show");
    let mut found = finding(GATE, severity, message, evidence);
    found.retryable = several.is_some();
    found.hint = Some(format!("Add {at} to GROUP BY, or aggregate it."));
    found.span = Some(output.span);
    found
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
