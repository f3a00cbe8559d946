//! A name that several relations own: it is qualified where either owner means the same.

use crate::domain::Diagnostic;
use crate::sql::dialect::quote;

use super::case::{Case, Change};
use super::wrong_table::joined_on;

/// Qualifies an ambiguous column with the first owner, when the join makes all owners equal.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if diagnostic.code != "ambiguous_column" {
        return None;
    }
    let name = case.column_of(diagnostic).filter(|name| name.qualifier.is_none())?;
    let (_, scope) = case.scope_at(name.span.start)?;
    let owns = |at: &usize| {
        let columns = scope.relations.get(*at).and_then(|r| r.columns.as_ref());
        columns.is_some_and(|c| c.iter().any(|c| c.name.eq_ignore_ascii_case(name.last)))
    };
    let owners: Vec<usize> = (0..scope.relations.len()).filter(owns).collect();
    // Equal for all rows: each owner is joined to another one on this very column.
    let mut reached = vec![*owners.first()?];
    while let Some(next) = owners.iter().find(|at| {
        !reached.contains(at) && reached.iter().any(|r| joined_on(scope, *r, **at, name.last))
    }) {
        reached.push(*next);
    }
    if reached.len() != owners.len() {
        return None;
    }
    // The outer side of an outer join has the value in every row.
    let kept = owners.iter().find(|at| scope.relations.get(**at).is_some_and(|r| !r.optional));
    let relation = scope.relations.get(*kept?)?;
    let written = format!("{}.{}", quote(&relation.name, case.dialect), name.span.of(case.sql));
    let words = format!("the join makes '{}' equal in all tables that have it", name.last);
    Some(Change::at(name.span, written, words))
}
