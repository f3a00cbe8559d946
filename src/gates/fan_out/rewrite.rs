//! The query in which each row counts once: a join for nothing is left out or made to give one row,
//! a child that is measured too is aggregated first.
//!
//! Equal by construction where the new joins give each row of the kept tables as the old ones do,
//! but once; that they do is counted on the data, and without that proof nothing is offered.

use crate::domain::{Probe, Span};
use crate::sql::from_items::{item, taken_out};
use crate::sql::rewrite::{Edit, apply};
use crate::sql::scope::{AggregateUse, JoinKind, Scope};
use crate::sql::{ReadQuery, bind};

use super::super::Before;
use super::super::look::{Probed, pairs, probe};
use super::factor::once_sql;
use super::joined::{At, Branch, branches};
use super::said::{is_condition, unsaid};
use super::{Case, case_of, counts_conditions};

/// A rewritten query, or the looks at the data that would prove one.
#[derive(Default)]
pub(super) struct Offer {
    pub(super) sql: Option<String>,
    pub(super) probes: Vec<Probe>,
}

/// Writes the query anew so that the finding is gone, where that can be proved.
pub(super) fn offer(look: &Before<'_>, index: usize, case: &Case) -> Offer {
    let plans =
        [left_out(look, index, case), made_single(look, index, case), folded(look, index, case)];
    let mut offer = Offer::default();
    for plan in plans.into_iter().flatten() {
        match plan.proved(look, case.owner.scope) {
            Proof::Given(sql) => return Offer { sql: Some(sql), probes: Vec::new() },
            Proof::Asked(probes) => offer.probes.extend(probes),
            Proof::Failed => {}
        }
    }
    offer
}

/// Changes of a query, and the relations that stay as they are.
struct Plan {
    edits: Vec<Edit>,
    kept: Vec<usize>,
}

enum Proof {
    Given(String),
    Asked(Vec<Probe>),
    Failed,
}

impl Plan {
    /// Counts the combinations of rows of the kept tables, in the old joins and in the new ones,
    /// where each must come once.
    fn proved(&self, look: &Before<'_>, index: usize) -> Proof {
        let written = || {
            let scope = look.binding.scopes.get(index)?;
            let sql = apply(look.query.text(), &self.edits)?;
            let query = ReadQuery::parse(&sql, look.query.dialect()).ok()?;
            let binding = bind(&query, look.catalog);
            let again = Before { query: &query, binding: &binding, ..*look };
            let start = self.moved(scope.span.start)?;
            let at = binding.scopes.iter().position(|scope| scope.span.start == start)?;
            let names: Vec<&str> = self
                .kept
                .iter()
                .filter_map(|at| Some(scope.relations.get(*at)?.name.as_str()))
                .collect();
            let new = once_sql(&again, at, &names).filter(|_| binding.diagnostics.is_empty())?;
            Some((sql, [once_sql(look, index, &names)?, new]))
        };
        let Some((sql, asked)) = written() else { return Proof::Failed };
        let mut figures = Vec::new();
        let mut open = Vec::new();
        for sql in asked {
            match look.answer(&sql) {
                Probed::Open => {
                    let words = "whether each row counts once in the query written anew";
                    open.push(probe("fan_out", words, sql));
                }
                Probed::Lost => return Proof::Failed,
                Probed::Rows(rows) => figures.push(rows.rows.first().cloned().unwrap_or_default()),
            }
        }
        if !open.is_empty() {
            return Proof::Asked(open);
        }
        let told = |row: usize, at: usize| Some(figures.get(row)?.get(at)?.plain());
        match (told(0, 1), told(1, 0), told(1, 1)) {
            (Some(before), Some(joined), Some(now)) if joined == now && now == before => {
                Proof::Given(tidy(&sql))
            }
            _ => Proof::Failed,
        }
    }

    /// Finds where a byte of the old text stands in the new one.
    fn moved(&self, at: usize) -> Option<usize> {
        let mut before = self.edits.iter().filter(|edit| edit.span.end <= at);
        before.try_fold(at, |at, edit| {
            (at + edit.text.len()).checked_sub(edit.span.end - edit.span.start)
        })
    }
}

/// Takes the space off that a join leaves behind at the end.
fn tidy(sql: &str) -> String {
    sql.trim_end().to_owned()
}

/// Leaves out every branch that is joined for nothing.
fn left_out(look: &Before<'_>, index: usize, case: &Case) -> Option<Plan> {
    let (scope, branches) = idle(look, index, case)?;
    let mut edits = unmasked(look, index);
    for branch in &branches {
        let mut out = Vec::new();
        for relation in &branch.relations {
            out.extend(taken_out(look.query, scope, *relation)?);
        }
        let inside = |span: Span| out.iter().any(|edit: &Edit| covers(edit.span, span));
        if !uses(look, case.owner.scope, branch).all(inside) {
            return None;
        }
        edits.extend(out);
    }
    Some(Plan { edits, kept: beside(scope, &branches) })
}

/// Makes every branch that is joined for nothing give one row, where it may be meant as a filter:
/// the question asks for what has it, or there is no question.
fn made_single(look: &Before<'_>, index: usize, case: &Case) -> Option<Plan> {
    let (scope, branches) = idle(look, index, case)?;
    let filters =
        |branch: &Branch| look.question.is_none() || is_condition(look, case.owner, branch);
    let mut edits = unmasked(look, index);
    for branch in branches.iter().filter(|branch| filters(branch)) {
        edits.extend(single(look, scope, case.owner.scope, branch)?);
    }
    for branch in branches.iter().filter(|branch| !filters(branch)) {
        for relation in &branch.relations {
            edits.extend(taken_out(look.query, scope, *relation)?);
        }
    }
    branches.iter().any(filters).then(|| Plan { edits, kept: beside(scope, &branches) })
}

/// Replaces a table by the distinct keys of it that are joined.
fn single(look: &Before<'_>, scope: &Scope, index: usize, branch: &Branch) -> Option<Vec<Edit>> {
    let [root] = branch.relations.as_slice() else { return None };
    let relation = scope.relations.get(*root).filter(|relation| relation.table().is_some())?;
    let joined = |span: Span| scope.joins.iter().any(|pair| covers(pair.span, span));
    if !uses(look, index, branch).all(joined) {
        return None;
    }
    let columns: Vec<String> =
        joined_columns(scope, *root).into_iter().map(|column| look.quoted(column)).collect();
    let at = item(look.query, scope, *root)?.relation;
    let text = look.text(relation.span);
    let name = look.quoted(&relation.name);
    let folded = format!("(SELECT DISTINCT {} FROM {text}) AS {name}", columns.join(", "));
    Some(vec![Edit::replace(at, folded)])
}

/// Finds the branches that are joined for nothing and repeat rows, where all measures are of the
/// same rows, so that each is right once these are gone.
fn idle<'a>(look: &Before<'a>, index: usize, case: &Case) -> Option<(&'a Scope, Vec<Branch>)> {
    let scope = look.binding.scopes.get(case.owner.scope)?;
    let measuring = look.binding.scopes.get(index)?;
    let same = |aggregate: &AggregateUse| {
        is_steady(aggregate)
            || case_of(look, index, aggregate).is_some_and(|other| other.branch.idle)
    };
    if !case.branch.idle || !measuring.aggregates.iter().all(same) {
        return None;
    }
    let mut found: Vec<Branch> = vec![case.branch.clone()];
    let all = (0..scope.relations.len()).map(|relation| At { scope: case.owner.scope, relation });
    for branch in std::iter::once(case.owner).chain(all).flat_map(|at| branches(look, at)) {
        let other = !branch.relations.contains(&case.owner.relation);
        let known = |at: &usize| found.iter().any(|branch| branch.relations.contains(at));
        if branch.idle && branch.many.is_some() && other && !branch.relations.iter().all(known) {
            found.retain(|part| !part.relations.iter().all(|at| branch.relations.contains(at)));
            found.push(branch);
        }
    }
    // a count may be meant to count what the question speaks of
    let counts = measuring.aggregates.iter().any(|aggregate| is_count(look, aggregate));
    let meant = |branch: &Branch| counts && !unsaid(look, case.owner, branch);
    (!found.iter().any(meant)).then_some((scope, found))
}

/// Aggregates every child that is measured, or joined for nothing, to one row for each row of the
/// table that they hang on.
fn folded(look: &Before<'_>, index: usize, case: &Case) -> Option<Plan> {
    let scope = look.binding.scopes.get(index).filter(|_| case.owner.scope == index)?;
    let (hub, _) = case.branch.many?;
    let children: Vec<Branch> = branches(look, At { scope: index, relation: hub })
        .into_iter()
        .filter(|branch| branch.many.is_some())
        .collect();
    let mut edits = Vec::new();
    let mut measured: Vec<Span> = Vec::new();
    for child in &children {
        let [at] = child.relations.as_slice() else { return None };
        let edit = aggregated(look, scope, index, *at, &mut measured, &mut edits)?;
        edits.push(edit);
    }
    let of_hub = |aggregate: &AggregateUse| {
        measured.contains(&aggregate.span)
            || is_steady(aggregate)
            || case_of(look, index, aggregate).is_some_and(|c| c.owner.relation == hub && !c.masked)
                && !is_count(look, aggregate)
    };
    let changed = !measured.is_empty() && scope.aggregates.iter().all(of_hub);
    changed.then(|| Plan { edits, kept: beside(scope, &children) })
}

/// Replaces a child by its aggregates for each key, and the measures of it by those of these.
fn aggregated(
    look: &Before<'_>,
    scope: &Scope,
    index: usize,
    at: usize,
    measured: &mut Vec<Span>,
    edits: &mut Vec<Edit>,
) -> Option<Edit> {
    let relation = scope.relations.get(at).filter(|relation| relation.table().is_some())?;
    let name = look.quoted(&relation.name);
    let branch = Branch { relations: vec![at], many: None, idle: false };
    let reads = |aggregate: &AggregateUse| {
        let read = |span: Span| aggregate.argument.is_some_and(|argument| covers(argument, span));
        uses(look, index, &branch).any(read)
    };
    let mut columns: Vec<String> = joined_columns(scope, at)
        .into_iter()
        .map(|column| format!("{name}.{}", look.quoted(column)))
        .collect();
    let keys = columns.join(", ");
    let mut own: Vec<Span> = Vec::new();
    for aggregate in scope.aggregates.iter().filter(|aggregate| reads(aggregate)) {
        let argument = aggregate.argument.filter(|_| !aggregate.distinct && !aggregate.filtered)?;
        let mut read = look.binding.columns.iter().filter(|used| covers(argument, used.span));
        if aggregate.window || !read.all(|used| used.relation == Some((index, at))) {
            return None;
        }
        let call = look.text(aggregate.span);
        let part = format!("{}_{}", aggregate.function, columns.len());
        let again = match aggregate.function.as_str() {
            "count" => format!("COALESCE(SUM({name}.{part}), 0)"),
            "sum" | "total" | "min" | "max" => {
                format!("{}({name}.{part})", aggregate.function.to_ascii_uppercase())
            }
            _ => return None,
        };
        columns.push(format!("{call} AS {part}"));
        edits.push(Edit::replace(aggregate.span, again));
        measured.push(aggregate.span);
        own.push(aggregate.span);
    }
    let known = |span: Span| {
        scope.joins.iter().any(|pair| covers(pair.span, span))
            || own.iter().any(|aggregate| covers(*aggregate, span))
    };
    if !uses(look, index, &branch).all(known) || relation.join == Some(JoinKind::Cross) {
        return None;
    }
    let item = item(look.query, scope, at)?.relation;
    let (list, table) = (columns.join(", "), look.text(item));
    Some(Edit::replace(item, format!("(SELECT {list} FROM {table} GROUP BY {keys}) AS {name}")))
}

/// Takes DISTINCT off the sums that it was to mend.
fn unmasked(look: &Before<'_>, index: usize) -> Vec<Edit> {
    let scope = look.binding.scopes.get(index);
    let sums = scope.into_iter().flat_map(|scope| &scope.aggregates).filter(|aggregate| {
        aggregate.distinct && matches!(aggregate.function.as_str(), "sum" | "avg" | "total")
    });
    let word = "DISTINCT";
    let masks = sums.filter(|aggregate| case_of(look, index, aggregate).is_some_and(|c| c.masked));
    let masks = masks.filter_map(|aggregate| {
        let text = look.text(aggregate.span).to_ascii_uppercase();
        let start = aggregate.span.start + text.find(word)?;
        Some(Edit::replace(
            Span { start, end: (start + word.len() + 1).min(aggregate.argument?.start) },
            "",
        ))
    });
    masks.collect()
}

/// Tells whether an aggregate counts rows, so that which ones it counts is the question's matter.
fn is_count(look: &Before<'_>, aggregate: &AggregateUse) -> bool {
    !aggregate.distinct && aggregate.function == "count" || counts_conditions(look, aggregate)
}

/// Tells whether an aggregate gives the same whether rows are repeated or not.
fn is_steady(aggregate: &AggregateUse) -> bool {
    let counts = aggregate.function == "count" && aggregate.distinct;
    counts || matches!(aggregate.function.as_str(), "min" | "max")
}

/// Lists the places where columns of a branch are used.
fn uses<'a>(look: &'a Before<'_>, index: usize, branch: &'a Branch) -> impl Iterator<Item = Span> {
    let of = move |relation: Option<(usize, usize)>| {
        relation.is_some_and(|(scope, at)| scope == index && branch.relations.contains(&at))
    };
    look.binding.columns.iter().filter(move |used| of(used.relation)).map(|used| used.span)
}

/// Lists the columns by which a relation is joined, each once.
fn joined_columns(scope: &Scope, at: usize) -> Vec<&str> {
    let mut columns: Vec<&str> = Vec::new();
    for (_, theirs) in (0..scope.relations.len()).flat_map(|other| pairs(scope, other, at)) {
        if !columns.contains(&theirs) {
            columns.push(theirs);
        }
    }
    columns
}

/// Lists the relations beside some branches.
fn beside(scope: &Scope, branches: &[Branch]) -> Vec<usize> {
    let inside = |at: &usize| branches.iter().any(|branch| branch.relations.contains(at));
    (0..scope.relations.len()).filter(|at| !inside(at)).collect()
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
