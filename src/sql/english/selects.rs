//! Whole SELECTs in words: what is put out, over which rows, for which groups, in which order.

use sqlparser::ast::{
    Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause, OrderByKind, OrderBySort,
    Query, Select, SelectItem, TableFactor,
};

use super::super::scope::{Place, Relation, Scope, Source, bare, last_ident};
use super::conditions::all_start_with_columns;
use super::{Open, Teller, listed};

impl<'a> Teller<'a> {
    pub(super) fn select(&mut self, select: &'a Select, query: Option<&'a Query>) -> String {
        let start = self.spans.span(&select.select_token.0).map(|span| span.start);
        let found = self.binding.scopes.iter().position(|scope| Some(scope.span.start) == start);
        let known = found.and_then(|scope| Some((scope, self.scope(scope)?)));
        let Some((index, scope)) = known else { return self.quoted(self.spans.span(select)) };
        self.selects.push(Open { scope: index, select });
        let rows = self.rows(select, scope);
        let mut told = self.outputs(select, scope, &rows);
        if let Some(having) = &select.having {
            told.push_str(&format!(", only for groups where {}", self.condition(having)));
        }
        if let Some(qualify) = &select.qualify {
            told.push_str(&format!(", only where {}", self.condition(qualify)));
        }
        if let Some(query) = query {
            told = self.tail(query, told);
        }
        self.selects.pop();
        told
    }

    /// The part before the rows: what is put out.
    fn outputs(&mut self, select: &'a Select, scope: &Scope, rows: &str) -> String {
        let keys = match &select.group_by {
            GroupByExpr::Expressions(keys, _) => keys.as_slice(),
            GroupByExpr::All(_) => &[],
        };
        let grouped = scope.aggregates.iter().any(|aggregate| !aggregate.window);
        let (items, plain) = self.items(select, scope, !keys.is_empty() || grouped);
        let distinct = if scope.distinct { "the distinct combinations of " } else { "" };
        if !keys.is_empty() {
            let keys: Vec<String> = keys.iter().map(|key| self.key(key, scope)).collect();
            let of = if rows.is_empty() { String::new() } else { format!(" among {rows}") };
            return format!("for each {}{of}: {distinct}{}", listed(&keys), listed(&items));
        }
        if rows.is_empty() {
            return format!("just {}", listed(&items));
        }
        if grouped || select.having.is_some() {
            return match (items.as_slice(), rows.strip_prefix("the ")) {
                ([only], Some(counted))
                    if only == "the number of rows" && scope.relations.len() == 1 =>
                {
                    format!("the number of {counted}")
                }
                _ => format!("{} over {rows}", listed(&items)),
            };
        }
        if !scope.distinct {
            return format!("{} of {rows}", listed(&items));
        }
        let bare: Vec<String> =
            items.iter().map(|item| item.strip_prefix("the ").unwrap_or(item).to_owned()).collect();
        if let [one] = bare.as_slice() {
            let values = if plain { "values of " } else { "" };
            return format!("the distinct {values}{one} among {rows}");
        }
        format!("{distinct}{} among {rows}", listed(&bare))
    }

    /// The output list in words, and whether it is all plain columns.
    fn items(&mut self, select: &'a Select, scope: &Scope, grouped: bool) -> (Vec<String>, bool) {
        let named = matches!(scope.place, Place::Cte(_) | Place::Derived(_));
        let keys = &scope.group_by;
        let mut plain = true;
        let mut told = Vec::new();
        for (item, output) in select.projection.iter().zip(&scope.outputs) {
            let (expr, alias) = match item {
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAliases { expr, .. } => {
                    (expr, None)
                }
                SelectItem::ExprWithAlias { expr, alias } => (expr, Some(&alias.value)),
                SelectItem::QualifiedWildcard(..) => {
                    let of = output.span.of(self.spans.text).trim_end_matches(".*");
                    let relation = scope.relation(of.trim_matches(['"', '`', '[', ']']));
                    let of = relation.map_or(of.to_owned(), |r| label(r, scope));
                    told.push(format!("every column of {of}"));
                    continue;
                }
                SelectItem::Wildcard(_) => {
                    told.push("every column".to_owned());
                    continue;
                }
            };
            let is_column = matches!(bare(expr), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            plain &= is_column;
            let mut words = self.value(expr);
            if is_column && !words.starts_with('\'') {
                words = format!("the {words}");
                let is_key = keys.iter().any(|key| {
                    key.at.is_some() && key.at == output.at
                        || key.span.of(self.spans.text) == output.span.of(self.spans.text)
                        || key.output.is_some_and(|at| scope.outputs.get(at) == Some(output))
                });
                if grouped && !is_key {
                    words.push_str(" of one row");
                }
            }
            let own = output.span.of(self.spans.text);
            match alias {
                Some(alias) if named && !own.ends_with(alias.as_str()) => {
                    told.push(format!("{words} (called {alias})"));
                }
                _ => told.push(words),
            }
        }
        (told, plain)
    }

    /// A group or sort key: what it names by position or alias is said itself.
    fn key(&mut self, key: &'a Expr, scope: &Scope) -> String {
        let span = self.spans.expr_span(key);
        let known =
            scope.group_by.iter().chain(&scope.tail.order_by).find(|k| Some(k.span) == span);
        let output = known.and_then(|key| key.output);
        let is_number = matches!(bare(key), Expr::Value(_));
        if let (true, Some(at)) = (is_number, output)
            && let Some(open) = self.selects.last().copied()
            && let Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) =
                open.select.projection.get(at)
        {
            return self.value(expr);
        }
        self.value(key)
    }

    /// FROM and WHERE: which rows.
    pub(super) fn rows(&mut self, select: &'a Select, scope: &Scope) -> String {
        let mut told = String::new();
        let mut next = 0;
        for item in &select.from {
            let first = self.factor(&item.relation, scope, &mut next);
            told = if told.is_empty() {
                first
            } else {
                format!("{told}, each with every one of {first}")
            };
            for join in &item.joins {
                let joined = self.join(join, scope, &mut next);
                told.push_str(&joined);
            }
        }
        if let Some(filter) = &select.selection {
            let words = self.condition(filter);
            let single = scope.relations.len() == 1 && all_start_with_columns(filter);
            told.push_str(match (single, scope.relations.len()) {
                (true, _) => " whose ",
                (false, 0 | 1) => " where ",
                (false, _) => "; of these only where ",
            });
            told.push_str(&words);
        }
        told
    }

    fn factor(&mut self, factor: &'a TableFactor, scope: &Scope, next: &mut usize) -> String {
        match factor {
            TableFactor::Derived { subquery, .. } => {
                let relation = scope.relations.get(*next);
                *next += 1;
                let called = relation.filter(|_| scope.relations.len() > 1);
                let called = called.map(|r| format!(" (called {})", r.name)).unwrap_or_default();
                format!("the rows of ({}){called}", self.query(subquery))
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                let mut told = self.factor(&table_with_joins.relation, scope, next);
                for join in &table_with_joins.joins {
                    let joined = self.join(join, scope, next);
                    told.push_str(&joined);
                }
                format!("({told})")
            }
            _ => {
                let relation = scope.relations.get(*next);
                *next += 1;
                let text = self.quoted(self.spans.span(factor));
                relation.map_or(text.clone(), |r| named_rows(r, scope, &text))
            }
        }
    }

    fn join(&mut self, join: &'a Join, scope: &Scope, next: &mut usize) -> String {
        use JoinOperator as J;
        let with = self.factor(&join.relation, scope, next);
        let (kind, constraint) = match &join.join_operator {
            J::Join(c) | J::Inner(c) | J::CrossJoin(c) | J::StraightJoin(c) => ("", c),
            J::Left(c) | J::LeftOuter(c) => (", or with none", c),
            J::Right(c) | J::RightOuter(c) => (", those without a partner kept too", c),
            J::FullOuter(c) => (", those of both sides without a partner kept too", c),
            _ => return format!(", joined by {}", self.quoted(self.spans.span(join))),
        };
        match constraint {
            JoinConstraint::On(condition) => {
                format!(", each with {with} where {}{kind}", self.condition(condition))
            }
            JoinConstraint::Using(names) | JoinConstraint::UsingAlias(names, _) => {
                let names: Vec<String> =
                    names.iter().filter_map(last_ident).map(|name| name.value.clone()).collect();
                format!(", each with {with} of the same {}{kind}", listed(&names))
            }
            JoinConstraint::Natural => {
                format!(", each with {with} that have equal columns of the same name{kind}")
            }
            JoinConstraint::None => format!(", each with every one of {with}{kind}"),
        }
    }

    /// ORDER BY and LIMIT around what was told.
    fn tail(&mut self, query: &'a Query, told: String) -> String {
        let scope = self.selects.last().and_then(|open| self.scope(open.scope));
        let keys: Vec<(String, bool)> = match (&query.order_by, scope) {
            (Some(order), Some(scope)) => match &order.kind {
                OrderByKind::Expressions(keys) => keys
                    .iter()
                    .map(|key| {
                        let down = matches!(key.options.sort, Some(OrderBySort::Desc));
                        (self.key(&key.expr, scope), down)
                    })
                    .collect(),
                OrderByKind::All(_) => vec![("every column".to_owned(), false)],
            },
            _ => Vec::new(),
        };
        self.ordered(query, told, &keys)
    }

    pub(super) fn set_tail(&mut self, query: &'a Query, told: String) -> String {
        let keys = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(keys)) => keys
                .iter()
                .map(|key| {
                    let down = matches!(key.options.sort, Some(OrderBySort::Desc));
                    let span = self.spans.expr_span(&key.expr);
                    (span.map_or("…", |s| s.of(self.spans.text)).to_owned(), down)
                })
                .collect(),
            Some(OrderByKind::All(_)) | None => Vec::new(),
        };
        let told = if query.order_by.is_some() || query.limit_clause.is_some() {
            format!("({told})")
        } else {
            told
        };
        self.ordered(query, told, &keys)
    }

    fn ordered(&mut self, query: &'a Query, told: String, keys: &[(String, bool)]) -> String {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref()), None),
        };
        let limit = limit.map(|limit| self.value(limit)).filter(|limit| limit != "-1");
        if let ([(key, down)], Some(limit), None) = (keys, &limit, offset)
            && !key.starts_with("the highest")
            && !key.starts_with("the lowest")
        {
            let key = key.strip_prefix("the ").unwrap_or(key);
            let end = if *down { "highest" } else { "lowest" };
            let many = if limit == "1" { "one" } else { limit };
            return format!("{told}, only the {many} with the {end} {key}");
        }
        let sorted: Vec<String> = keys
            .iter()
            .map(|(key, down)| {
                let way = if *down { "from highest to lowest" } else { "from lowest to highest" };
                format!("{key} {way}")
            })
            .collect();
        let mut told = told;
        if !sorted.is_empty() {
            told.push_str(&format!(", sorted by {}", sorted.join(", then by ")));
        }
        match (limit, offset.map(|offset| self.value(offset))) {
            (Some(n), Some(skip)) => told.push_str(&format!(", only {n} after the first {skip}")),
            (Some(n), None) if n == "1" => told.push_str(", only the first"),
            (Some(n), None) => told.push_str(&format!(", only the first {n}")),
            (None, Some(skip)) => told.push_str(&format!(", without the first {skip}")),
            (None, None) => {}
        }
        told
    }
}

/// The name by which a relation's columns are told.
pub(super) fn label(relation: &Relation, scope: &Scope) -> String {
    match &relation.source {
        Source::Table(table) | Source::Cte(table) if !is_twice(relation, scope) => table.clone(),
        _ => relation.name.clone(),
    }
}

fn is_twice(relation: &Relation, scope: &Scope) -> bool {
    scope.relations.iter().filter(|other| other.source == relation.source).count() > 1
}

fn named_rows(relation: &Relation, scope: &Scope, text: &str) -> String {
    let called = match &relation.alias {
        Some(alias) if is_twice(relation, scope) => format!(" (called {alias})"),
        _ => String::new(),
    };
    match &relation.source {
        Source::Table(name) | Source::Cte(name) => {
            let plural = name.ends_with('s') && !name.ends_with("ss");
            format!("the {name}{}{called}", if plural { "" } else { " rows" })
        }
        Source::Subquery(_) | Source::Function(_) | Source::Other(_) => {
            format!("the rows of {text}")
        }
    }
}
