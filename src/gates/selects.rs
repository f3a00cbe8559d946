//! The SELECTs of a query that stand in it as tables, with their outputs as expressions.

use sqlparser::ast::{Expr, Query, Select, SelectItem, SetExpr, TableFactor};

/// One output of a SELECT.
pub(super) struct Computed<'a> {
    /// The expression.
    pub(super) expr: &'a Expr,
    /// The alias that the query gives.
    pub(super) alias: Option<&'a str>,
}

/// Lists the SELECTs of a query: its own, those of CTEs, set operations and subqueries in FROM.
pub(super) fn selects(query: &Query) -> Vec<&Select> {
    let mut found = Vec::new();
    let mut open: Vec<&Query> = vec![query];
    while let Some(query) = open.pop() {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            open.push(&cte.query);
        }
        let mut bodies = vec![&*query.body];
        while let Some(body) = bodies.pop() {
            if let SetExpr::Select(select) = body {
                open.extend(derived(select));
                found.push(&**select);
            } else if let SetExpr::SetOperation { left, right, .. } = body {
                bodies.extend([&**left, &**right]);
            } else if let SetExpr::Query(inner) = body {
                open.push(inner);
            }
        }
    }
    found
}

/// Lists the subqueries in a SELECT's FROM.
fn derived(select: &Select) -> Vec<&Query> {
    let mut queries = Vec::new();
    for table in &select.from {
        let factors =
            std::iter::once(&table.relation).chain(table.joins.iter().map(|j| &j.relation));
        for factor in factors {
            if let TableFactor::Derived { subquery, .. } = factor {
                queries.push(&**subquery);
            }
        }
    }
    queries
}

/// Lists a SELECT's outputs, stars left out.
pub(super) fn outputs(select: &Select) -> Vec<Computed<'_>> {
    select
        .projection
        .iter()
        .filter_map(|item| {
            if let SelectItem::UnnamedExpr(expr) = item {
                Some(Computed { expr, alias: None })
            } else if let SelectItem::ExprWithAlias { expr, alias } = item {
                Some(Computed { expr, alias: Some(&alias.value) })
            } else {
                None
            }
        })
        .collect()
}
