//! ORDER BY, LIMIT, OFFSET and FETCH in words.

use sqlparser::ast::{
    Expr, Fetch, LimitClause, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Query,
    SelectItem, SetExpr, Value,
};

use super::super::scope::{Scope, bare};
use super::{Open, Teller};

/// A sort key in words.
pub(super) struct Sorted {
    key: String,
    down: bool,
    /// Where NULL comes, if it is said.
    nulls_first: Option<bool>,
}

impl Sorted {
    fn words(&self) -> String {
        let way = if self.down { "from highest to lowest" } else { "from lowest to highest" };
        let nulls = match self.nulls_first {
            Some(true) => ", NULL first",
            Some(false) => ", NULL last",
            None => "",
        };
        format!("{} {way}{nulls}", self.key)
    }
}

/// Tells whether a LIMIT counts for each of some keys, which has no words.
pub(super) fn has_limit_by(query: &Query) -> bool {
    matches!(&query.limit_clause, Some(LimitClause::LimitOffset { limit_by, .. }) if !limit_by.is_empty())
}

impl<'a> Teller<'a> {
    /// ORDER BY and LIMIT around what was told.
    pub(super) fn tail(&mut self, query: &'a Query, told: String) -> String {
        let scope = self.selects.last().and_then(|open| self.scope(open.scope));
        let keys = match (query.order_by.as_ref().map(|order| &order.kind), scope) {
            (Some(OrderByKind::Expressions(keys)), Some(scope)) => {
                keys.iter().map(|key| self.sorted(key, Some(scope))).collect()
            }
            (Some(OrderByKind::All(options)), _) => vec![every_column(options)],
            _ => Vec::new(),
        };
        self.ordered(query, told, &keys)
    }

    /// The same around a set operation: keys name its columns.
    pub(super) fn set_tail(&mut self, query: &'a Query, told: String) -> String {
        let first = self.first_arm(&query.body);
        self.selects.extend(first);
        let keys = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(keys)) => {
                keys.iter().map(|key| self.result_key(key)).collect()
            }
            Some(OrderByKind::All(options)) => vec![every_column(options)],
            None => Vec::new(),
        };
        let bounded = query.limit_clause.is_some() || query.fetch.is_some();
        let told = if !keys.is_empty() || bounded { format!("({told})") } else { told };
        let told = self.ordered(query, told, &keys);
        if first.is_some() {
            self.selects.pop();
        }
        told
    }

    fn first_arm(&self, body: &'a SetExpr) -> Option<Open<'a>> {
        let mut body = body;
        loop {
            body = match body {
                SetExpr::SetOperation { left, .. } => left,
                SetExpr::Query(query) => &query.body,
                SetExpr::Select(select) => {
                    let start = self.spans.span(&select.select_token.0)?.start;
                    let mut scopes = self.binding.scopes.iter();
                    let scope = scopes.position(|scope| scope.span.start == start)?;
                    return Some(Open { scope, select });
                }
                SetExpr::Values(_)
                | SetExpr::Insert(_)
                | SetExpr::Update(_)
                | SetExpr::Delete(_)
                | SetExpr::Merge(_)
                | SetExpr::Table(_) => return None,
            };
        }
    }

    /// A key of a set operation: a position, a name of its columns, or an expression of them.
    fn result_key(&mut self, key: &'a OrderByExpr) -> Sorted {
        let words = match bare(&key.expr) {
            Expr::Value(value) if matches!(value.value, Value::Number(..)) => {
                format!("column {} of the result", self.written(&key.expr))
            }
            Expr::Identifier(name) => super::named(&name.value),
            _ => self.value(&key.expr),
        };
        with_way(&words, &key.options)
    }

    /// A sort key; what it names by position or alias is said itself.
    pub(super) fn sorted(&mut self, key: &'a OrderByExpr, scope: Option<&Scope>) -> Sorted {
        let words = match scope {
            Some(scope) => self.key(&key.expr, scope),
            None => self.value(&key.expr),
        };
        with_way(&words, &key.options)
    }

    /// Sort keys of a window or an aggregate.
    pub(super) fn in_order(&mut self, keys: &'a [OrderByExpr]) -> String {
        let keys: Vec<String> = keys.iter().map(|key| self.sorted(key, None).words()).collect();
        keys.join(", then by ")
    }

    /// A group or sort key: what it names by position or alias is said itself.
    pub(super) fn key(&mut self, key: &'a Expr, scope: &Scope) -> String {
        let span = self.spans.expr_span(key);
        let known =
            scope.group_by.iter().chain(&scope.tail.order_by).find(|k| Some(k.span) == span);
        let output = known.and_then(|key| key.output);
        let is_number = matches!(bare(key), Expr::Value(_));
        if let (true, Some(at)) = (is_number, output)
            && let Some(open) = self.selects.last().copied()
        {
            return match open.select.projection.get(at) {
                Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) => {
                    self.value(expr)
                }
                _ => format!("column {} of the result", self.written(key)),
            };
        }
        self.value(key)
    }

    fn ordered(&mut self, query: &'a Query, told: String, keys: &[Sorted]) -> String {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (None, None),
        };
        let fetched = query.fetch.as_ref();
        let limit = limit.or(fetched.and_then(|fetch| fetch.quantity.as_ref()));
        let extra = fetched.map(beyond).unwrap_or_default();
        let limit = match limit {
            Some(limit) => Some(self.value(limit)).filter(|limit| limit != "-1"),
            None => fetched.map(|_| "1".to_owned()),
        };
        if let ([Sorted { key, down, nulls_first: None }], Some(limit), None) =
            (keys, &limit, offset)
            && !key.starts_with("the highest")
            && !key.starts_with("the lowest")
        {
            let key = key.strip_prefix("the ").unwrap_or(key);
            let end = if *down { "highest" } else { "lowest" };
            let many = if limit == "1" { "one" } else { limit };
            return format!("{told}, only the {many}{extra} with the {end} {key}");
        }
        let sorted: Vec<String> = keys.iter().map(Sorted::words).collect();
        let mut told = told;
        if !sorted.is_empty() {
            told.push_str(&format!(", sorted by {}", sorted.join(", then by ")));
        }
        match (limit, offset.map(|offset| self.value(offset))) {
            (Some(n), Some(skip)) => {
                told.push_str(&format!(", only {n}{extra} after the first {skip}"));
            }
            (Some(n), None) if n == "1" => told.push_str(&format!(", only the first{extra}")),
            (Some(n), None) => told.push_str(&format!(", only the first {n}{extra}")),
            (None, Some(skip)) => told.push_str(&format!(", without the first {skip}")),
            (None, None) => {}
        }
        told
    }
}

fn beyond(fetch: &Fetch) -> String {
    let percent = if fetch.percent { " percent" } else { "" };
    let ties = if fetch.with_ties { " and those equal to the last" } else { "" };
    format!("{percent}{ties}")
}

fn with_way(key: &str, options: &OrderByOptions) -> Sorted {
    let down = matches!(options.sort, Some(OrderBySort::Desc));
    let using = match &options.sort {
        Some(OrderBySort::Using(operator)) => format!(" by the operator {operator}"),
        Some(OrderBySort::Asc | OrderBySort::Desc) | None => String::new(),
    };
    Sorted { key: format!("{key}{using}"), down, nulls_first: options.nulls_first }
}

fn every_column(options: &OrderByOptions) -> Sorted {
    with_way("every column", options)
}
