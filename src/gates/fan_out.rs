//! A measure of a table whose rows a join repeats, so that the sum counts them several times.
//!
//! The catalog shows that it can happen, a probe whether it does, and by what factor.

use crate::domain::{Severity, Span, Value};
use crate::sql::scope::{AggregateUse, Clause, Scope};

use super::look::{Probed, finding, pairs, probe};
use super::{Before, Verdict};

/// Looks at every SUM, AVG and counted column across joins.
pub(super) fn look(look: &Before<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    for (index, scope) in look.binding.scopes.iter().enumerate() {
        for aggregate in &scope.aggregates {
            verdict.join(measure(look, index, scope, aggregate));
        }
    }
    verdict
}

fn measure(look: &Before<'_>, index: usize, scope: &Scope, aggregate: &AggregateUse) -> Verdict {
    let counted = matches!(aggregate.function.as_str(), "sum" | "avg" | "total");
    if !counted || aggregate.distinct || aggregate.window || scope.relations.len() < 2 {
        return Verdict::default();
    }
    if counts_conditions(look, aggregate) {
        return Verdict::default();
    }
    let Some(owner) = only_relation(look, index, aggregate) else { return Verdict::default() };
    let Some(repeated_by) = multiplier(look, scope, owner) else { return Verdict::default() };
    // One group for each row of the owner: AVG over copies of one value is that value.
    if aggregate.function == "avg" && grouped_by_owner(look, scope, owner) {
        return Verdict::default();
    }
    let names = |at: usize| scope.relations.get(at).map_or("", |r| r.table().unwrap_or(&r.name));
    let (table, by) = (names(owner), names(repeated_by));
    let call = look.text(aggregate.span);
    let severity;
    let shown;
    match factor(look, scope, owner) {
        Factor::Ask(sql) => {
            let words = format!("how often the join repeats the rows of {table}");
            return Verdict { findings: Vec::new(), probes: vec![probe("fan_out", words, sql)] };
        }
        Factor::None => return Verdict::default(),
        Factor::Times(factor) => {
            // An average over a look-up table is often meant to weigh by the rows that point there.
            severity = if aggregate.function == "avg" { Severity::Info } else { Severity::Warning };
            shown = format!("on this data each row of {table} is counted {factor:.2} times");
        }
        Factor::Unknown => {
            severity = Severity::Info;
            shown = format!("several rows of {by} may belong to one row of {table}");
        }
    }
    let message =
        format!("{call} counts rows of {table} more than once: the join with {by} repeats them");
    let mut found = finding("fan_out", severity, message, shown);
    found.retryable = severity == Severity::Warning;
    found.span = Some(aggregate.span);
    found.hint = Some(format!(
        "Aggregate {by} to one row for each row of {table} first, or leave it out of this join, so that {call} sees each row of {table} once."
    ));
    vec![found].into()
}

/// Tells whether a sum counts rows by a condition: then joined rows are what is counted.
fn counts_conditions(look: &Before<'_>, aggregate: &AggregateUse) -> bool {
    let text = aggregate.argument.map_or("", |span| look.text(span)).to_ascii_uppercase();
    let words = ["CASE", "IIF(", "IF("];
    words.iter().any(|word| text.contains(word)) || text.contains(['=', '<', '>'])
}

/// Finds the one relation whose columns an aggregate reads.
fn only_relation(look: &Before<'_>, index: usize, aggregate: &AggregateUse) -> Option<usize> {
    let argument = aggregate.argument?;
    let inside = |span: Span| argument.start <= span.start && span.end <= argument.end;
    let mut owner = None;
    for used in look.binding.columns.iter().filter(|used| inside(used.span)) {
        let (scope, relation) = used.relation?;
        if scope != index || owner.is_some_and(|known| known != relation) {
            return None;
        }
        owner = Some(relation);
    }
    owner
}

/// Walks the joins from a relation; returns the first one that can have several rows for one.
fn multiplier(look: &Before<'_>, scope: &Scope, owner: usize) -> Option<usize> {
    let mut reached = vec![owner];
    let mut at = 0;
    while let Some(from) = reached.get(at).copied() {
        at += 1;
        for (to, relation) in scope.relations.iter().enumerate() {
            let joined = pairs(scope, from, to);
            if reached.contains(&to) || joined.is_empty() {
                continue;
            }
            relation.table()?;
            let columns: Vec<&str> = joined.iter().map(|(_, theirs)| *theirs).collect();
            if !look.is_unique(relation, &columns) && !fixed_by_filter(look, scope, to, &columns) {
                return Some(to);
            }
            reached.push(to);
        }
    }
    None
}

/// Tells whether equalities with literals make the join columns a key: one row is left then.
fn fixed_by_filter(look: &Before<'_>, scope: &Scope, to: usize, joined: &[&str]) -> bool {
    let Some(relation) = scope.relations.get(to) else { return false };
    let mut columns: Vec<&str> = joined.to_vec();
    for literal in &scope.literals {
        let equal = literal.op == crate::domain::plan::Comparison::Equal && !literal.conditional;
        let at = literal.column.as_ref().filter(|_| equal && literal.clause != Clause::Having);
        if let Some(at) = at.filter(|at| Some(at.table.as_str()) == relation.table()) {
            columns.push(&at.column);
        }
    }
    look.is_unique(relation, &columns)
}

/// Tells whether the groups hold one row of the owner each.
fn grouped_by_owner(look: &Before<'_>, scope: &Scope, owner: usize) -> bool {
    let Some(relation) = scope.relations.get(owner) else { return false };
    let keys: Vec<&str> = scope
        .group_by
        .iter()
        .filter_map(|key| key.at.as_ref())
        .filter(|at| Some(at.table.as_str()) == relation.table())
        .map(|at| at.column.as_str())
        .collect();
    !keys.is_empty() && look.is_unique(relation, &keys)
}

/// What is known of how often rows are repeated.
enum Factor {
    Ask(String),
    Unknown,
    None,
    Times(f64),
}

/// Counts joined rows against distinct rows of the owner within each group, on the query's own FROM
/// and WHERE.
fn factor(look: &Before<'_>, scope: &Scope, owner: usize) -> Factor {
    let Some(sql) = probe_sql(look, scope, owner) else { return Factor::Unknown };
    let rows = match look.answer(&sql) {
        Probed::Open => return Factor::Ask(sql),
        Probed::Lost => return Factor::Unknown,
        Probed::Rows(rows) => rows,
    };
    let number = |at: usize| rows.rows.first().and_then(|row| row.get(at)).and_then(Value::number);
    match (number(0), number(1)) {
        (Some(all), Some(distinct)) if distinct > 0.0 && all > distinct => {
            Factor::Times(all / distinct)
        }
        (_, Some(_)) => Factor::None,
        _ => Factor::Unknown,
    }
}

fn probe_sql(look: &Before<'_>, scope: &Scope, owner: usize) -> Option<String> {
    // Only a SELECT that stands on tables alone can be cut out.
    if scope.parent.is_some() || scope.relations.iter().any(|r| r.table().is_none()) {
        return None;
    }
    let relation = scope.relations.get(owner)?;
    let table = look.catalog.table(relation.table()?)?;
    let [key] = table.primary_key.as_slice() else { return None };
    let text = look.query.text();
    let first = scope.relations.first()?.span.start;
    let head = text.get(..first)?;
    let from = head.to_ascii_uppercase().rfind("FROM")?;
    let filter = scope.filter.map_or(String::new(), |span| format!(" WHERE {}", span.of(text)));
    let owner_key = format!("{}.{}", look.quoted(&relation.name), look.quoted(key));
    let clause = text.get(from..scope.from_end?)?;
    let mut keys: Vec<&str> = Vec::new();
    for key in &scope.group_by {
        let named = key.output.and_then(|at| scope.outputs.get(at)).map(|output| output.span);
        keys.push(named.unwrap_or(key.span).of(text));
    }
    keys.push(&owner_key);
    let groups = format!("SELECT COUNT(*) AS n {clause}{filter} GROUP BY {}", keys.join(", "));
    Some(format!("SELECT SUM(n), COUNT(*) FROM ({groups}) AS counted"))
}
