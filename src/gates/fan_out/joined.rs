//! The joins of a SELECT as a graph: what hangs on a relation, and what repeats its rows.

use crate::domain::Span;
use crate::domain::plan::Comparison;
use crate::sql::scope::{Clause, Key, Place, Relation, Scope, Source};

use super::super::Before;
use super::super::look::pairs;

/// Deepest nesting of subqueries that is looked into; a recursive CTE would have no end.
const DEEPEST: usize = 8;

/// A relation of a SELECT: indexes of the scope, and of the relation in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub(super) scope: usize,
    pub(super) relation: usize,
}

/// What hangs on a relation by one join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// Its relations, the one that is joined first.
    pub(super) relations: Vec<usize>,
    /// From where to where the join may give several rows for one.
    pub(super) many: Option<(usize, usize)>,
    /// Nothing of it is used but in joins.
    pub(super) idle: bool,
}

impl Branch {
    /// The relation that is joined first.
    pub(super) fn root(&self) -> usize {
        self.relations.first().copied().unwrap_or_default()
    }
}

/// Lists what hangs on a relation.
pub(super) fn branches(look: &Before<'_>, at: At) -> Vec<Branch> {
    let Some(scope) = look.binding.scopes.get(at.scope) else { return Vec::new() };
    let owner = at.relation;
    let joined = |a: usize, b: usize| !pairs(scope, a, b).is_empty();
    let mut found: Vec<Branch> = Vec::new();
    for root in (0..scope.relations.len()).filter(|root| *root != owner && joined(owner, *root)) {
        if found.iter().any(|branch| branch.relations.contains(&root)) {
            continue;
        }
        let mut relations = vec![root];
        let mut many = several(look, scope, owner, root).then_some((owner, root));
        let mut next = 0;
        while let Some(from) = relations.get(next).copied() {
            next += 1;
            for to in (0..scope.relations.len()).filter(|to| *to != owner && joined(from, *to)) {
                if relations.contains(&to) {
                    continue;
                }
                let more = many.is_none() && several(look, scope, from, to);
                many = many.or(more.then_some((from, to)));
                relations.push(to);
            }
        }
        let idle = relations.iter().all(|relation| is_idle(look, at.scope, *relation));
        found.push(Branch { relations, many, idle });
    }
    found
}

/// Lists the relations of which each row of a relation has one row at most.
pub(super) fn fixed(look: &Before<'_>, at: At) -> Vec<usize> {
    let mut reached = vec![at.relation];
    let Some(scope) = look.binding.scopes.get(at.scope) else { return reached };
    let mut next = 0;
    while let Some(from) = reached.get(next).copied() {
        next += 1;
        for to in 0..scope.relations.len() {
            let joined = !reached.contains(&to) && !pairs(scope, from, to).is_empty();
            if joined && !several(look, scope, from, to) {
                reached.push(to);
            }
        }
    }
    reached
}

/// Tells whether nothing of a relation is used but in joins.
fn is_idle(look: &Before<'_>, index: usize, at: usize) -> bool {
    let Some((scope, relation)) = relation(look, At { scope: index, relation: at }) else {
        return false;
    };
    let star = scope.outputs.iter().filter(|output| output.star).any(|output| {
        let of = output.span.of(look.query.text()).rsplit_once('.').map(|(of, _)| of.trim());
        of.is_none_or(|of| {
            of.trim_matches(['"', '`', '[', ']']).eq_ignore_ascii_case(&relation.name)
        })
    });
    let joins = |span: Span| {
        scope.joins.iter().any(|pair| pair.span.start <= span.start && span.end <= pair.span.end)
    };
    let mut uses = look.binding.columns.iter().filter(|u| u.relation == Some((index, at)));
    !star && !uses.any(|u| u.clause != Clause::On && !joins(u.span))
}

/// Tells whether a relation may have several rows for one of another that it is joined to.
fn several(look: &Before<'_>, scope: &Scope, from: usize, to: usize) -> bool {
    let Some(relation) = scope.relations.get(to) else { return false };
    let joined = pairs(scope, from, to);
    let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
    !is_unique(look, relation, &columns, 0) && !fixed_by_filter(look, scope, to, &columns)
}

/// Tells whether conditions that hold for every row make the join columns a key: one row is left.
fn fixed_by_filter(look: &Before<'_>, scope: &Scope, to: usize, joined: &[&str]) -> bool {
    let Some(relation) = scope.relations.get(to) else { return false };
    let mut columns: Vec<&str> = joined.to_vec();
    for literal in &scope.literals {
        let filter = matches!(literal.clause, Clause::Where | Clause::On);
        if literal.op != Comparison::Equal || literal.conditional || !filter {
            continue;
        }
        let used = look.binding.columns.iter().find(|used| used.span == literal.compared);
        let of = used.and_then(|used| used.relation).map(|(_, relation)| relation);
        if let Some(at) = literal.column.as_ref().filter(|_| of == Some(to)) {
            columns.push(&at.column);
        }
    }
    look.is_unique(relation, &columns)
}

/// Tells whether a relation has one row at most for each combination of these columns; what isn't
/// known counts as such.
fn is_unique(look: &Before<'_>, relation: &Relation, columns: &[&str], depth: usize) -> bool {
    if relation.table().is_some() {
        return look.is_unique(relation, columns);
    }
    let has = |name: &str| columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    let Some((_, inner)) = inner(look, relation).filter(|_| depth < DEEPEST) else { return true };
    if !inner.group_by.is_empty() {
        let named = |key: &Key| {
            let same = |at: usize| inner.outputs.get(at).is_some_and(|output| has(&output.name));
            let base = |o: &&crate::sql::scope::Output| o.at.is_some() && o.at == key.at;
            key.output.is_some_and(same)
                || inner.outputs.iter().filter(base).any(|output| has(&output.name))
        };
        return inner.group_by.iter().all(named);
    }
    if inner.is_aggregated() || inner.tail.limit.is_some() {
        return true;
    }
    if inner.distinct && inner.outputs.iter().all(|output| !output.star && has(&output.name)) {
        return true;
    }
    let [only] = inner.relations.as_slice() else { return true };
    let base = columns.iter().filter_map(|column| relation.column(column)?.at.as_ref());
    let base: Vec<&str> = base.map(|at| at.column.as_str()).collect();
    is_unique(look, only, &base, depth + 1)
}

/// Finds the SELECT that a derived table or a CTE is made of; none for a set operation.
fn inner<'a>(look: &Before<'a>, relation: &Relation) -> Option<(usize, &'a Scope)> {
    let scopes = &look.binding.scopes;
    let at = match &relation.source {
        Source::Subquery(at) => (*at)?,
        Source::Cte(name) => scopes.iter().position(
            |scope| matches!(&scope.place, Place::Cte(cte) if cte.eq_ignore_ascii_case(name)),
        )?,
        Source::Table(_) | Source::Function(_) | Source::Other(_) => return None,
    };
    let arm = |operation: &crate::sql::scope::SetOperationUse| operation.left == Some(at);
    let single = !look.binding.set_operations.iter().any(arm);
    scopes.get(at).filter(|_| single).map(|scope| (at, scope))
}

/// Finds the SELECT that a relation shows row by row: no groups, nothing distinct, no limit.
pub(super) fn shown<'a>(look: &Before<'a>, relation: &Relation) -> Option<(usize, &'a Scope)> {
    inner(look, relation).filter(|(_, scope)| {
        !scope.is_aggregated() && !scope.distinct && scope.tail.limit_span.is_none()
    })
}

/// Follows a column of a subquery that is shown row by row to the relation it comes from, and its
/// name there.
pub(super) fn origin(look: &Before<'_>, at: At, column: &str) -> Option<(At, String)> {
    let (_, seen) = relation(look, at)?;
    let (index, scope) = shown(look, seen)?;
    let output = scope.outputs.iter().find(|output| output.name.eq_ignore_ascii_case(column));
    if let Some(output) = output.filter(|output| !output.star) {
        let inside = |span: Span| output.span.start <= span.start && span.end <= output.span.end;
        let used = look.binding.columns.iter().find(|used| inside(used.span))?;
        let (scope, relation) = used.relation.filter(|(scope, _)| *scope == index)?;
        return Some((At { scope, relation }, used.name.clone()));
    }
    let has = |relation: &Relation| relation.column(column).is_some();
    let relation = scope.relations.iter().position(has)?;
    Some((At { scope: index, relation }, column.to_owned()))
}

/// Finds a relation and its SELECT.
pub(super) fn relation<'a>(look: &Before<'a>, at: At) -> Option<(&'a Scope, &'a Relation)> {
    let scope = look.binding.scopes.get(at.scope)?;
    Some((scope, scope.relations.get(at.relation)?))
}

/// Lists the tables that a relation is made of.
pub(super) fn tables<'a>(look: &Before<'a>, relation: &'a Relation) -> Vec<&'a str> {
    if let Some(table) = relation.table() {
        return vec![table];
    }
    let inner = inner(look, relation).map(|(_, scope)| scope.relations.iter());
    inner.into_iter().flatten().filter_map(Relation::table).collect()
}
