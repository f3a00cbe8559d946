//! The right name under the wrong table: it is qualified with the relation in scope that owns it.

use crate::domain::Diagnostic;
use crate::sql::dialect::quote;
use crate::sql::scope::{Clause, JoinPair, Relation, Scope};

use super::case::{Case, Change, Name};
use super::closeness::{one_close, same_name};

/// Re-qualifies a column.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if !matches!(diagnostic.code.as_str(), "no_such_column" | "no_such_table") {
        return None;
    }
    let name = case.column_of(diagnostic)?;
    let qualifier = name.qualifier?;
    let (_, scope) = case.scope_at(name.span.start)?;
    let visible = case.visible(scope);
    let known = visible.iter().any(|relation| relation.name.eq_ignore_ascii_case(qualifier));
    let (relation, column) =
        if known { owner(case, scope, &name)? } else { meant(case, scope, &visible, &name)? };
    let owner = quote(&relation.name, case.dialect);
    let written = format!("{owner}.{}", quote(column, case.dialect));
    let words = if known {
        format!("'{qualifier}' has no '{}', '{}' has", name.last, relation.name)
    } else {
        format!("'{qualifier}' isn't in FROM, its table is there as '{}'", relation.name)
    };
    Some(Change::at(name.span, written, words))
}

/// Finds the only relation of the SELECT that owns the name; two that the join makes equal count
/// as one.
pub(super) fn owner<'a>(
    case: &Case<'_>,
    scope: &'a Scope,
    name: &Name<'_>,
) -> Option<(&'a Relation, &'a str)> {
    let owners: Vec<(usize, &str)> = scope
        .relations
        .iter()
        .enumerate()
        .filter_map(|(at, relation)| Some((at, column_of(relation, name.last)?)))
        .collect();
    let (first, column) = *owners.first()?;
    if !owners.iter().all(|(at, _)| *at == first || joined_on(scope, first, *at, column)) {
        return None;
    }
    // In a join condition, the owner may be the other side, and the condition then says nothing.
    let used = case.binding.as_ref()?.columns.iter().find(|u| u.span == name.span);
    let in_condition = used.is_some_and(|u| u.clause == Clause::On);
    if in_condition && (compares_with_itself(case, scope, name, first) || lets_go(scope, name)) {
        return None;
    }
    Some((scope.relations.get(first)?, column))
}

/// Tells whether the condition that a name stands in is all that joins its relation: under another
/// relation's name, nothing would, and every row would meet every other.
fn lets_go(scope: &Scope, name: &Name<'_>) -> bool {
    let called = |r: &Relation| name.qualifier.is_some_and(|q| r.name.eq_ignore_ascii_case(q));
    let joined = scope.relations.iter().position(called);
    joined.is_some_and(|at| {
        !scope.joins.iter().any(|pair| pair.relations.0 == at || pair.relations.1 == at)
    })
}

/// Finds the relation that an unknown qualifier means: the one whose table or name it is.
fn meant<'a>(
    case: &Case<'_>,
    scope: &Scope,
    visible: &[&'a Relation],
    name: &Name<'_>,
) -> Option<(&'a Relation, &'a str)> {
    let qualifier = name.qualifier?;
    let same: Vec<&&Relation> = visible
        .iter()
        .filter(|r| r.table().is_some_and(|table| same_name(table, qualifier)))
        .collect();
    if let [relation] = same.as_slice() {
        return Some((relation, column_of(relation, name.last)?));
    }
    // A qualifier that is a table of its own means that table, not a similar one.
    if case.catalog.table(qualifier).is_some() {
        return None;
    }
    let names = visible.iter().map(|r| r.name.as_str()).filter(|n| n.len() > 3);
    let (close, _) = one_close(qualifier, names, "")?;
    let relation = scope.relation(close).map(|r| r.span)?;
    let relation = visible.iter().find(|r| r.span == relation)?;
    Some((relation, column_of(relation, name.last)?))
}

/// Returns a relation's column of this name, as it is spelled there.
fn column_of<'a>(relation: &'a Relation, name: &str) -> Option<&'a str> {
    let columns = relation.columns.as_ref()?;
    let exact = columns.iter().find(|c| c.name.eq_ignore_ascii_case(name));
    let mut same = columns.iter().filter(|c| same_name(&c.name, name));
    let only = same.next().filter(|_| same.next().is_none());
    exact.or(only).map(|c| c.name.as_str())
}

/// Tells whether two relations are joined on equal values of this column.
pub(super) fn joined_on(scope: &Scope, a: usize, b: usize, column: &str) -> bool {
    let same = |name: &str| name.eq_ignore_ascii_case(column);
    let joins = |pair: &JoinPair| {
        (pair.relations == (a, b) || pair.relations == (b, a))
            && same(&pair.names.0)
            && same(&pair.names.1)
    };
    scope.joins.iter().any(joins)
}

/// Tells whether the other side of the equality around a name is the same relation.
fn compares_with_itself(case: &Case<'_>, scope: &Scope, name: &Name<'_>, owner: usize) -> bool {
    let Some(binding) = &case.binding else { return true };
    let at = case.lexemes.iter().position(|l| l.span.start >= name.span.start).unwrap_or(0);
    let near = |span: crate::domain::Span| {
        let other = case.lexemes.iter().position(|l| l.span.start >= span.start).unwrap_or(0);
        other.abs_diff(at) <= 5
    };
    binding.columns.iter().any(|u| {
        u.span != name.span
            && u.clause == Clause::On
            && near(u.span)
            && u.relation.is_some_and(|(s, r)| {
                r == owner && binding.scopes.get(s).is_some_and(|found| found.span == scope.span)
            })
    })
}
