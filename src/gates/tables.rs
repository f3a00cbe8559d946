//! Tables that the question names and the query leaves out, or that it joins for nothing.

use crate::domain::{Finding, LinkTarget, Match, Severity, Span};
use crate::sql::scope::{Clause, JoinKind, Scope, Source};

use super::look::{finding, pairs};
use super::{Before, Verdict};

/// Looks at the tables used against the tables named.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut findings = missing(look);
    findings.extend(none(look));
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        findings.extend(surplus(look, index, scope));
    }
    findings.into()
}

/// A question about data, answered by SQL that reads none: `SELECT 42`.
fn none(look: &Before<'_>) -> Option<Finding> {
    let asked = look.question.is_some_and(|text| !text.trim().is_empty());
    // What is no table of the catalog may still be read: a table-valued function, a system table.
    let reads = |scope: &Scope| {
        let read = |source: &Source| {
            matches!(source, Source::Table(_) | Source::Function(_) | Source::Other(_))
        };
        scope.relations.iter().any(|relation| read(&relation.source))
    };
    if !asked || !look.binding.tables.is_empty() || look.binding.scopes.iter().any(reads) {
        return None;
    }
    let message = "the query reads no table, so its result doesn't come from the data";
    let mut found = finding("no_table", Severity::Warning, message, "no FROM names a table");
    found.retryable = true;
    found.hint = Some("Read the answer from the tables of the database.".to_owned());
    Some(found)
}

/// Tables that the question names by their very name.
fn missing(look: &Before<'_>) -> Vec<Finding> {
    let Some(understanding) = look.understanding else { return Vec::new() };
    let mut named: Vec<(&str, &str)> = Vec::new();
    for link in &understanding.links {
        if let LinkTarget::Table(table) = &link.target
            && matches!(link.how, Match::Exact | Match::Case | Match::Stem)
            && !named.iter().any(|(known, _)| known == table)
        {
            // Words that also fit a table in use don't name this one alone.
            let rival = understanding.links.iter().any(|other| {
                other.span == link.span
                    && matches!(&other.target, LinkTarget::Table(t) if look.binding.tables.contains(t))
            });
            if !rival {
                named.push((table, &link.words));
            }
        }
    }
    let unused = named.into_iter().filter(|(t, _)| !look.binding.tables.iter().any(|u| u == t));
    unused
        .map(|(table, words)| {
            let message = format!("the question names {table}, the query doesn't read it");
            finding("missing_table", Severity::Info, message, format!("the words '{words}'"))
        })
        .collect()
}

/// Joined tables of which nothing but the join condition is used.
fn surplus(look: &Before<'_>, index: usize, scope: &Scope) -> Vec<Finding> {
    let relations = unused(look, index, scope).into_iter();
    let findings = relations.filter_map(|at| scope.relations.get(at)).filter_map(|relation| {
        let message = format!("{} is joined, but nothing of it is used", relation.table()?);
        let evidence = "its columns stand in the join condition alone";
        let mut found = finding("surplus_table", Severity::Info, message, evidence);
        found.span = Some(relation.span);
        Some(found)
    });
    findings.collect()
}

/// Lists the relations at the end of the join path of which nothing but the join is used, where
/// rows aren't counted.
pub(super) fn unused(look: &Before<'_>, index: usize, scope: &Scope) -> Vec<usize> {
    let counts_rows = scope.aggregates.iter().any(|a| a.argument.is_none());
    if counts_rows { Vec::new() } else { idle(look, index, scope) }
}

/// Lists the relations at the end of the join path whose columns stand in the join alone.
pub(super) fn idle(look: &Before<'_>, index: usize, scope: &Scope) -> Vec<usize> {
    if scope.relations.len() < 2 || scope.outputs.iter().any(|output| output.star) {
        return Vec::new();
    }
    let joins = |span: Span| {
        scope.joins.iter().any(|pair| pair.span.start <= span.start && span.end <= pair.span.end)
    };
    let used = |at: usize| {
        let mut uses = look.binding.columns.iter();
        uses.any(|u| u.relation == Some((index, at)) && u.clause != Clause::On && !joins(u.span))
    };
    let idle = scope.relations.iter().enumerate().filter(|(at, relation)| {
        let neighbours = (0..scope.relations.len())
            .filter(|other| other != at && !pairs(scope, *at, *other).is_empty())
            .count();
        // A bridge between two others is needed, though nothing of it is shown.
        let leaf = neighbours == 1 && relation.join != Some(JoinKind::Cross);
        relation.table().is_some() && leaf && !used(*at)
    });
    idle.map(|(at, _)| at).collect()
}
