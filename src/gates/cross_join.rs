//! Tables that nothing connects: every row of one meets every row of the other.
//!
//! It grants no retry: in recorded answers the retries it granted mended nothing, and what ranks or
//! counts distinct values is right across such a join.

use crate::domain::Severity;
use crate::sql::scope::{Clause, Scope};

use super::look::{finding, pairs};
use super::{Before, Verdict};

/// Looks for relations that no condition ties to the others.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut findings = Vec::new();
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        let Some(loose) = loose(look, index, scope) else { continue };
        let Some(relation) = scope.relations.get(loose) else { continue };
        let first = scope.relations.first().map_or("", |r| r.name.as_str());
        let message = format!(
            "nothing connects {} with {first}: every row of one meets every row of the other",
            relation.name
        );
        let evidence = "no join condition names columns of both";
        let mut found = finding("cross_join", Severity::Warning, message, evidence);
        found.hint = Some(format!("Join {} on the key that leads to it.", relation.name));
        found.span = Some(relation.span);
        findings.push(found);
    }
    findings.into()
}

/// Finds the first base table that can't be reached from the first relation.
fn loose(look: &Before<'_>, index: usize, scope: &Scope) -> Option<usize> {
    if scope.relations.len() < 2 {
        return None;
    }
    let mut reached = vec![0];
    let mut at = 0;
    while let Some(from) = reached.get(at).copied() {
        at += 1;
        for to in 0..scope.relations.len() {
            if !reached.contains(&to) && !pairs(scope, from, to).is_empty() {
                reached.push(to);
            }
        }
    }
    // Other conditions than equalities of columns connect too; they are not looked into.
    let compared = |relation: usize| {
        look.binding.columns.iter().any(|used| {
            used.relation == Some((index, relation))
                && matches!(used.clause, Clause::On | Clause::Where)
                && !scope.literals.iter().any(|l| l.compared == used.span)
        })
    };
    (0..scope.relations.len()).find(|to| {
        let relation = scope.relations.get(*to);
        let table = relation.and_then(|r| r.table()).and_then(|name| look.catalog.table(name));
        let one_row = table.and_then(|t| t.rows).is_some_and(|rows| rows.exact && rows.count <= 1);
        !reached.contains(to) && table.is_some() && !one_row && !compared(*to)
    })
}
