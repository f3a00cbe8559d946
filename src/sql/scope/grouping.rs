//! Columns beside aggregates that the groups don't determine, on engines that refuse them.

use sqlparser::ast::{Distinct, Expr, GroupByExpr, Select};

use crate::domain::{Dialect, Span};

use super::binder::Binder;
use super::facts::{Clause, ColumnUse, Key, Scope};

impl Binder<'_> {
    /// Reports what a grouped SELECT may not put out, filter or sort by; `first` is the SELECT's
    /// first use of a column.
    pub(super) fn check_grouping(&mut self, select: &Select, scope: usize, first: usize) {
        let refuses = matches!(self.dialect, Dialect::Postgres | Dialect::Duckdb);
        if !refuses || self.quiet > 0 || !plain_keys(select) {
            return;
        }
        let Some(bound) = self.out.scopes.get(scope) else { return };
        let aggregated = bound.aggregates.iter().any(|a| !a.window);
        if bound.group_by.is_empty() && !aggregated {
            return;
        }
        let uses = self.out.columns.get(first..).unwrap_or_default();
        let groups = Groups::of(bound, uses, scope);
        let loose = uses.iter().filter(|used| groups.leaves_open(used, scope));
        let loose: Vec<(Span, usize, String)> = loose
            .filter_map(|used| Some((used.span, used.relation?.1, used.name.clone())))
            .filter(|(_, relation, _)| !self.key_is_grouped(&groups, bound, *relation))
            .collect();
        for (span, _, name) in loose {
            let message = format!(
                "column '{name}' is neither grouped by nor aggregated: \
                 add it to GROUP BY, or aggregate it"
            );
            self.report("ungrouped_column", message, Some(span), Vec::new());
        }
    }

    /// Tells whether the groups hold the primary key of a table, from which PostgreSQL concludes
    /// the rest of its row.
    fn key_is_grouped(&self, groups: &Groups<'_>, bound: &Scope, relation: usize) -> bool {
        let table = bound.relations.get(relation).and_then(|relation| relation.table());
        let Some(table) = table.and_then(|name| self.catalog.table(name)) else { return false };
        self.dialect == Dialect::Postgres
            && !table.primary_key.is_empty()
            && table.primary_key.iter().all(|key| groups.has(relation, key))
    }

    /// Reports a sort key that SELECT DISTINCT doesn't put out, which PostgreSQL refuses.
    pub(super) fn check_distinct_order(&mut self, select: &Select, scope: usize) {
        let distinct = matches!(select.distinct, Some(Distinct::Distinct));
        if !distinct || self.dialect != Dialect::Postgres {
            return;
        }
        let Some(bound) = self.out.scopes.get(scope) else { return };
        if bound.outputs.iter().any(|output| output.star) {
            return;
        }
        let lost = |key: &&Key| {
            key.output.is_none() && self.out.columns.iter().any(|used| used.span == key.span)
        };
        let Some(span) = bound.tail.order_by.iter().find(lost).map(|key| key.span) else { return };
        let written = span.of(self.text);
        let message = format!("SELECT DISTINCT can't be sorted by {written}: put it out too");
        self.report("order_by_term", message, Some(span), Vec::new());
    }
}

/// Tells whether a SELECT groups by plain keys: no sets of keys, nothing implied.
fn plain_keys(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => false,
        GroupByExpr::Expressions(keys, modifiers) => {
            let odd = |key: &Expr| {
                matches!(
                    key,
                    Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_) | Expr::Tuple(_)
                )
            };
            modifiers.is_empty() && !keys.iter().any(odd)
        }
    }
}

/// What a SELECT groups by.
struct Groups<'a> {
    bound: &'a Scope,
    /// Relation and name of each column that is a key by itself.
    columns: Vec<(usize, &'a str)>,
    /// Relation and name of each column inside a key that is an expression.
    inside: Vec<(usize, &'a str)>,
    /// Outputs that are keys.
    outputs: Vec<Span>,
}

impl<'a> Groups<'a> {
    fn of(bound: &'a Scope, uses: &'a [ColumnUse], scope: usize) -> Self {
        let outputs: Vec<Span> = bound
            .group_by
            .iter()
            .filter_map(|key| bound.outputs.get(key.output?).map(|output| output.span))
            .collect();
        let keys: Vec<Span> = bound.group_by.iter().map(|key| key.span).collect();
        let (mut columns, mut inside) = (Vec::new(), Vec::new());
        for used in uses {
            let Some((_, relation)) = used.relation.filter(|(at, _)| *at == scope) else {
                continue;
            };
            let within = |span: &Span| span.start <= used.span.start && used.span.end <= span.end;
            let mut spans = keys.iter().chain(&outputs).filter(|span| within(span));
            match spans.next() {
                Some(span) if *span == used.span => columns.push((relation, used.name.as_str())),
                Some(_) => inside.push((relation, used.name.as_str())),
                None => {}
            }
        }
        Groups { bound, columns, inside, outputs }
    }

    fn has(&self, relation: usize, name: &str) -> bool {
        let is =
            |(of, column): &(usize, &str)| *of == relation && column.eq_ignore_ascii_case(name);
        self.columns.iter().any(is) || self.is_merged(name)
    }

    /// USING and NATURAL make columns of both sides one.
    fn is_merged(&self, name: &str) -> bool {
        let same = |a: &str| a.eq_ignore_ascii_case(name);
        self.columns.iter().any(|(_, column)| same(column))
            && self.bound.joins.iter().any(|pair| same(&pair.names.0) && same(&pair.names.1))
    }

    /// Tells whether a use stands where rows are grouped, and no key decides its value.
    ///
    /// A column that is part of a larger key may be there as that key, so that is left to the
    /// engine, unless it is an output by itself.
    fn leaves_open(&self, used: &ColumnUse, scope: usize) -> bool {
        let Some((_, relation)) = used.relation.filter(|(at, _)| *at == scope) else {
            return false;
        };
        let grouped = matches!(used.clause, Clause::Output | Clause::Having | Clause::OrderBy);
        let within = |span: Span| span.start <= used.span.start && used.span.end <= span.end;
        let counted = self.bound.aggregates.iter().any(|a| !a.window && within(a.span));
        let name = used.name.as_str();
        let in_key = self
            .inside
            .iter()
            .any(|(of, column)| *of == relation && column.eq_ignore_ascii_case(name));
        let alone = self.bound.outputs.iter().any(|output| output.span == used.span);
        used.scope == scope
            && grouped
            && !counted
            && !self.outputs.iter().any(|span| within(*span))
            && !self.has(relation, name)
            && (!in_key || alone)
    }
}
