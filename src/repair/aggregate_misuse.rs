//! Aggregates where the engine forbids them: in WHERE, inside each other, or without groups.

use crate::domain::{Diagnostic, Span};
use crate::sql::scope::{Clause, ColumnUse, Output, Scope};

use super::case::{Case, Change};

/// Codes under which engines report a misused aggregate.
const CODES: &[&str] = &[
    "misuse_of_aggregate",
    "having_without_group",
    "ungrouped_column",
    "other_error",
    "syntax_error",
    "engine_error",
];

/// Moves, unnests or groups.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if !CODES.contains(&diagnostic.code.as_str()) {
        return None;
    }
    let scopes = &case.binding.as_ref()?.scopes;
    scopes.iter().find_map(|scope| {
        nested(case, scope).or_else(|| filter_to_having(case, scope)).or_else(|| group(case, scope))
    })
}

/// `SELECT max(count(*)) FROM t GROUP BY g` → the first count of the groups in falling order.
fn nested(case: &Case<'_>, scope: &Scope) -> Option<Change> {
    let plain_tail = scope.tail.order_by.is_empty() && scope.tail.limit_span.is_none();
    let [output] = scope.outputs.as_slice() else { return None };
    if scope.group_by.is_empty() || scope.having.is_some() || !plain_tail {
        return None;
    }
    let outer = scope.aggregates.iter().find(|a| a.span == output.span)?;
    let inner = scope.aggregates.iter().find(|a| Some(a.span) == outer.argument)?;
    let order = match (outer.function.as_str(), inner.function.as_str()) {
        ("max", "count" | "sum" | "avg" | "max" | "min") => "DESC",
        // The smallest of values that may be NULL would not come first.
        ("min", "count") => "ASC",
        _ => return None,
    };
    let call = inner.span.of(case.sql);
    let end = Span::new(scope.span.end, scope.span.end);
    let mut change = Change::at(
        outer.span,
        call,
        format!("the {} of all groups is the first in order", outer.function),
    );
    change.patches.push((end, format!(" ORDER BY {call} {order} LIMIT 1")));
    Some(change)
}

/// A condition on an aggregate belongs into HAVING when rows are grouped.
fn filter_to_having(case: &Case<'_>, scope: &Scope) -> Option<Change> {
    let filter = scope.filter?;
    let misused = misused(case, scope);
    if scope.group_by.is_empty() || scope.having.is_some() || misused.is_empty() {
        return None;
    }
    let text = filter.of(case.sql);
    // Conditions joined by AND alone are moved one by one.
    let parts = conjuncts(case, filter)?;
    let holds =
        |part: &&Span| misused.iter().any(|span| part.start <= span.start && span.end <= part.end);
    let moved: Vec<&str> = parts.iter().filter(holds).map(|p| p.of(case.sql).trim()).collect();
    let kept: Vec<&str> =
        parts.iter().filter(|p| !holds(p)).map(|p| p.of(case.sql).trim()).collect();
    let last = scope.group_by.last()?.span.end;
    let keyword = case.lexemes.iter().rev().find(|l| l.span.end <= filter.start)?;
    if !keyword.is_word(case.sql, "WHERE") || text.is_empty() {
        return None;
    }
    let mut change = Change::at(
        Span::new(keyword.span.start, filter.end),
        if kept.is_empty() { String::new() } else { format!("WHERE {}", kept.join(" AND ")) },
        "a condition on groups belongs into HAVING",
    );
    change.patches.push((Span::new(last, last), format!(" HAVING {}", moved.join(" AND "))));
    Some(change)
}

/// Lists the aggregates in WHERE, and the output aliases there that stand for one.
fn misused(case: &Case<'_>, scope: &Scope) -> Vec<Span> {
    let calls = scope.aggregates.iter().filter(|a| a.clause == Clause::Where && !a.window);
    let aggregated = |output: &Output| {
        let inside = |s: Span| output.span.start <= s.start && s.end <= output.span.end;
        output.aliased && scope.aggregates.iter().any(|a| !a.window && inside(a.span))
    };
    let named = |used: &&ColumnUse| {
        let alone = used.qualifier.is_none() && used.relation.is_none() && !used.string;
        let mut outputs = scope.outputs.iter().filter(|output| aggregated(output));
        alone
            && used.clause == Clause::Where
            && scope.filter.is_some_and(|f| f.start <= used.span.start && used.span.end <= f.end)
            && outputs.any(|output| output.name.eq_ignore_ascii_case(&used.name))
    };
    let columns = case.binding.iter().flat_map(|binding| &binding.columns).filter(named);
    calls.map(|call| call.span).chain(columns.map(|used| used.span)).collect()
}

/// Splits a condition at its outermost ANDs; none when it holds an OR or BETWEEN there.
fn conjuncts(case: &Case<'_>, filter: Span) -> Option<Vec<Span>> {
    let inside = |span: Span| filter.start <= span.start && span.end <= filter.end;
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, filter.start);
    for lexeme in case.lexemes.iter().filter(|l| inside(l.span)) {
        if lexeme.is_sign(case.sql, "(") {
            depth += 1;
        } else if lexeme.is_sign(case.sql, ")") {
            depth = depth.checked_sub(1)?;
        } else if depth == 0 {
            let stops = ["OR", "BETWEEN", "CASE"];
            if stops.iter().any(|word| lexeme.is_word(case.sql, word)) {
                return None;
            }
            if lexeme.is_word(case.sql, "AND") {
                parts.push(Span::new(start, lexeme.span.start));
                start = lexeme.span.end;
            }
        }
    }
    parts.push(Span::new(start, filter.end));
    Some(parts)
}

/// Plain output columns beside an aggregate in HAVING or ORDER BY: the groups they name are meant.
fn group(case: &Case<'_>, scope: &Scope) -> Option<Change> {
    let used = |clause: Clause| scope.aggregates.iter().any(|a| a.clause == clause && !a.window);
    let misused = used(Clause::Having) || used(Clause::OrderBy);
    let plain = scope.outputs.iter().all(|output| output.at.is_some() && !output.star);
    if !misused
        || !plain
        || used(Clause::Output)
        || !scope.group_by.is_empty()
        || scope.outputs.is_empty()
    {
        return None;
    }
    // Groups by the key of the only table would be the rows themselves.
    if let [relation] = scope.relations.as_slice() {
        let table = case.catalog.table(relation.table()?)?;
        let columns: Vec<&str> =
            scope.outputs.iter().filter_map(|o| Some(o.at.as_ref()?.column.as_str())).collect();
        if table.is_unique(&columns) {
            return None;
        }
    }
    let keys: Vec<&str> = scope.outputs.iter().map(|output| output.span.of(case.sql)).collect();
    let at = scope.filter.map(|span| span.end).or(scope.from_end)?;
    let text = format!(" GROUP BY {}", keys.join(", "));
    Some(Change::at(
        Span::new(at, at),
        text,
        "an aggregate beside plain columns needs their groups",
    ))
}
