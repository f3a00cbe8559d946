//! The walk over expressions: names resolved, subqueries bound, comparisons and divisions noted.

use sqlparser::ast::{
    BinaryOperator, CaseWhen, Expr, Ident, InTarget, ObjectName, Query, UnaryOperator,
};

use crate::domain::plan::Comparison;
use crate::domain::{Dialect, Value};

use super::binder::Binder;
use super::facts::{Clause, Division, JoinPair, LiteralUse, Place};
use super::from::last_ident;
use super::parts::{bare, children};

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Here {
    pub(super) scope: usize,
    pub(super) clause: Clause,
    pub(super) aggregates: Aggregates,
    /// Under OR, NOT or CASE.
    pub(super) conditional: bool,
    /// The whole of a sort key.
    pub(super) sort_key: bool,
}

/// Whether an aggregate may stand here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aggregates {
    /// It may.
    Allowed,
    /// Never: WHERE, ON, GROUP BY.
    Forbidden,
    /// Inside another aggregate.
    Inside,
}

impl Here {
    pub(super) fn new(scope: usize, clause: Clause) -> Self {
        Here { scope, clause, aggregates: Aggregates::Allowed, conditional: false, sort_key: false }
    }

    pub(super) fn no_aggregates(scope: usize, clause: Clause) -> Self {
        Here { aggregates: Aggregates::Forbidden, ..Here::new(scope, clause) }
    }

    fn under_condition(self) -> Self {
        Here { conditional: true, ..self }
    }
}

impl Binder<'_> {
    /// Binds an expression and everything in it.
    pub(super) fn expr(&mut self, expr: &Expr, here: Here) {
        if self.depth > super::binder::DEEPEST {
            return;
        }
        self.depth += 1;
        match expr {
            Expr::Identifier(ident) => self.name(None, ident, here),
            Expr::CompoundIdentifier(parts) => self.qualified(parts, here),
            Expr::BinaryOp { .. } => self.chain(expr, here),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                self.expr(expr, here.under_condition());
            }
            Expr::Function(function) => self.function(function, here),
            Expr::In { expr: left, target, negated, .. } => {
                self.expr(left, here);
                self.in_target(left, target, *negated, here);
            }
            Expr::Between { expr: left, low, high, negated } => {
                for part in [left, low, high] {
                    self.expr(part, here);
                }
                let here = if *negated { here.under_condition() } else { here };
                self.literal(left, low, Comparison::Between, here);
                self.literal(left, high, Comparison::Between, here);
            }
            Expr::Like { expr: left, pattern, negated, .. }
            | Expr::ILike { expr: left, pattern, negated, .. } => {
                self.expr(left, here);
                self.expr(pattern, here);
                let op = if *negated { Comparison::NotLike } else { Comparison::Like };
                self.literal(left, pattern, op, here);
            }
            Expr::Exists { subquery, .. } => {
                self.subquery(subquery, here);
            }
            Expr::Subquery(subquery) => {
                let columns = self.subquery(subquery, here);
                if columns.is_some_and(|n| n != 1) {
                    self.too_wide(subquery, columns.unwrap_or(0));
                }
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                let ends = operand.iter().chain(else_result);
                ends.for_each(|part| self.expr(part, here));
                self.cases(operand.as_deref(), conditions, here);
            }
            Expr::CompoundFieldAccess { .. } if self.dialect == Dialect::Sqlite => {
                let span = self.expr_span(expr);
                let message = "syntax error: SQLite's values have no parts".to_owned();
                self.report("syntax_error", message, span, Vec::new());
            }
            Expr::Wildcard(token) if self.dialect == Dialect::Sqlite => {
                let span = self.span(&token.0);
                let message = "syntax error near '*': expected an expression".to_owned();
                self.report("syntax_error", message, span, Vec::new());
            }
            other => {
                for child in children(other) {
                    self.expr(child, here);
                }
            }
        }
        self.depth -= 1;
    }

    /// Binds a name with its qualifier.
    fn qualified(&mut self, parts: &[Ident], here: Here) {
        if let [schema, _, _] = parts
            && self.dialect == Dialect::Sqlite
            && !["main", "temp"].contains(&schema.value.to_ascii_lowercase().as_str())
        {
            self.unknown_qualifier(schema, None, here.scope);
        } else if let [.., qualifier, ident] = parts {
            self.name(Some((qualifier, parts.len())), ident, here);
        }
    }

    /// Binds the branches of a `CASE`; with an operand each condition is a value compared to it.
    fn cases(&mut self, operand: Option<&Expr>, conditions: &[CaseWhen], here: Here) {
        for when in conditions {
            self.expr(&when.condition, here.under_condition());
            self.expr(&when.result, here);
            if let Some(operand) = operand {
                let here = here.under_condition();
                self.literal(operand, &when.condition, Comparison::Equal, here);
            }
        }
    }

    /// Walks a left-deep chain of binary operators in a loop: it can be thousands long.
    fn chain(&mut self, expr: &Expr, here: Here) {
        let mut links = Vec::new();
        let mut first = expr;
        let mut here_now = here;
        while let Expr::BinaryOp { left, op, right } = first {
            if matches!(op, BinaryOperator::Or | BinaryOperator::Xor) {
                here_now = here.under_condition();
            }
            links.push((first, &**left, op, &**right, here_now));
            first = left;
        }
        self.expr(first, here_now);
        for (whole, left, op, right, here) in links.into_iter().rev() {
            self.expr(right, here);
            if let Some(comparison) = comparison(op) {
                self.literal(left, right, comparison, here);
                self.literal(right, left, turned(comparison), here);
                if comparison == Comparison::Equal {
                    self.equality(whole, left, right, here);
                }
            }
            if matches!(op, BinaryOperator::Divide) {
                self.division(whole, left, right, here);
            }
        }
    }

    /// Binds a subquery in an expression; returns how many columns it shows, where known.
    pub(super) fn subquery(&mut self, query: &Query, here: Here) -> Option<usize> {
        let bound = self.query(query, &Place::Expression, Some(here.scope));
        bound.columns.map(|columns| columns.len())
    }

    fn in_target(&mut self, left: &Expr, target: &InTarget, negated: bool, here: Here) {
        let op = if negated { Comparison::NotIn } else { Comparison::In };
        match target {
            InTarget::List(items) => {
                for item in items {
                    self.expr(item, here);
                    self.literal(left, item, op, here);
                }
            }
            InTarget::Subquery(query) => {
                let columns = self.subquery(query, here);
                let single = !matches!(left, Expr::Tuple(_) | Expr::Subquery(_));
                if let (true, Some(n)) = (single, columns.filter(|n| *n != 1)) {
                    self.too_wide(query, n);
                }
            }
            InTarget::Unnest(expr) => self.expr(expr, here),
            InTarget::Table { name, args: None } => self.in_table(name),
            InTarget::Table { .. } => {}
        }
    }

    /// Binds the table of `x IN table`, which SQLite has.
    fn in_table(&mut self, name: &ObjectName) {
        let Some(ident) = last_ident(name) else { return };
        let known = self.ctes.iter().any(|cte| cte.name.eq_ignore_ascii_case(&ident.value));
        let span = self.ident_span(ident).unwrap_or_default();
        match self.catalog.table(&ident.value).map(|table| table.name.clone()) {
            Some(table) if !self.out.tables.contains(&table) => self.out.tables.push(table),
            Some(_) => {}
            None if known || self.is_system_table(name, &ident.value) => {}
            None => self.no_such_table(&ident.value, span),
        }
    }

    fn too_wide(&mut self, query: &Query, columns: usize) {
        let message =
            format!("a subquery that is used as a value gives {columns} columns; it needs one");
        let span = self.span(query);
        self.report("subquery_columns", message, span, Vec::new());
    }

    /// Binds an expression that stands outside every SELECT: VALUES, LIMIT.
    pub(super) fn loose_expr(&mut self, expr: &Expr, parent: Option<usize>) {
        if let Some(scope) = parent {
            self.expr(expr, Here::new(scope, Clause::Limit));
        }
    }

    /// Notes the comparison of `compared` with `value`, when that is a literal.
    fn literal(&mut self, compared: &Expr, value: &Expr, op: Comparison, here: Here) {
        if self.quiet > 0 {
            return;
        }
        let (value_span, compared_span) = (self.expr_span(value), self.expr_span(compared));
        let (Some(span), Some(compared_span)) = (value_span, compared_span) else { return };
        let double_quoted = self.out.columns.iter().any(|c| c.string && c.span == span);
        let Some(value) = literal_value(value, double_quoted) else { return };
        let use_ = LiteralUse {
            span,
            column: self.column_of(compared),
            compared: compared_span,
            op,
            value,
            double_quoted,
            clause: here.clause,
            conditional: here.conditional,
        };
        self.scope_mut(here.scope, |s| s.literals.push(use_));
    }

    /// Notes an equality between columns of two relations of this SELECT.
    fn equality(&mut self, whole: &Expr, left: &Expr, right: &Expr, here: Here) {
        if here.conditional || !matches!(here.clause, Clause::On | Clause::Where) || self.quiet > 0
        {
            return;
        }
        let (Some(l), Some(r)) = (self.use_of(left), self.use_of(right)) else { return };
        let (Some((ls, li)), Some((rs, ri))) = (l.relation, r.relation) else { return };
        if ls != here.scope || rs != here.scope || li == ri {
            return;
        }
        let pair = JoinPair {
            span: self.expr_span(whole).unwrap_or_default(),
            relations: (li, ri),
            names: (l.name.clone(), r.name.clone()),
            columns: (l.at.clone(), r.at.clone()),
            clause: here.clause,
        };
        self.scope_mut(here.scope, |s| s.joins.push(pair));
    }

    fn division(&mut self, whole: &Expr, left: &Expr, right: &Expr, here: Here) {
        let spans = (self.expr_span(whole), self.expr_span(left), self.expr_span(right));
        let (Some(span), Some(l), Some(r)) = spans else { return };
        if self.quiet > 0 {
            return;
        }
        let truncates = matches!(self.dialect, Dialect::Sqlite | Dialect::Postgres);
        let whole_numbers =
            |e: &Expr| self.kind(e, here.scope) == crate::domain::ColumnKind::Integer;
        let integer = truncates && whole_numbers(left) && whole_numbers(right);
        self.scope_mut(here.scope, |s| {
            let inside = |side: crate::domain::Span| {
                s.aggregates.iter().any(|a| side.start <= a.span.start && a.span.end <= side.end)
            };
            let ratio = inside(l) || inside(r);
            let division =
                Division { span, left: l, right: r, integer, ratio, clause: here.clause };
            s.divisions.push(division);
        });
    }
}

fn literal_value(expr: &Expr, double_quoted: bool) -> Option<Value> {
    use sqlparser::ast::Value as V;
    match bare(expr) {
        Expr::Identifier(ident) if double_quoted => Some(Value::Text(ident.value.clone())),
        Expr::Value(value) => match &value.value {
            V::Number(digits, _) => number(digits),
            V::SingleQuotedString(text)
            | V::DoubleQuotedString(text)
            | V::EscapedStringLiteral(text)
            | V::NationalStringLiteral(text) => Some(Value::Text(text.clone())),
            V::Boolean(truth) => Some(Value::Integer(i64::from(*truth))),
            V::Null => Some(Value::Null),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match literal_value(expr, false)? {
            Value::Integer(n) => n.checked_neg().map(Value::Integer),
            Value::Real(n) => Some(Value::Real(-n)),
            _ => None,
        },
        _ => None,
    }
}

fn number(digits: &str) -> Option<Value> {
    let plain = digits.replace('_', "");
    let whole = plain.parse().map(Value::Integer);
    whole.or_else(|_| plain.parse().map(Value::Real)).ok()
}

fn comparison(op: &BinaryOperator) -> Option<Comparison> {
    match op {
        BinaryOperator::Eq => Some(Comparison::Equal),
        BinaryOperator::NotEq => Some(Comparison::NotEqual),
        BinaryOperator::Lt => Some(Comparison::Less),
        BinaryOperator::LtEq => Some(Comparison::LessEqual),
        BinaryOperator::Gt => Some(Comparison::Greater),
        BinaryOperator::GtEq => Some(Comparison::GreaterEqual),
        _ => None,
    }
}

/// Reads a comparison from its right side.
fn turned(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::Like
        | Comparison::NotLike
        | Comparison::In
        | Comparison::NotIn
        | Comparison::Between => op,
    }
}
