//! Conditions in words.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, Query, SetExpr, UnaryOperator, Value};

use super::super::scope::bare;
use super::{DEEPEST, Open, Teller, listed};

impl<'a> Teller<'a> {
    /// Says a condition.
    pub(super) fn condition(&mut self, expr: &'a Expr) -> String {
        if self.depth > DEEPEST {
            return self.quoted(self.spans.expr_span(expr));
        }
        self.depth += 1;
        let told = match expr {
            Expr::Nested(inner) => match bare(inner) {
                inner @ Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. } => {
                    format!("({})", self.condition(inner))
                }
                inner => self.condition(inner),
            },
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                self.chain(expr, op)
            }
            Expr::BinaryOp { left, op, right } => self.comparison(expr, left, op, right),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                format!("not ({})", self.condition(expr))
            }
            Expr::IsNull(inner) => format!("{} is NULL", self.value(inner)),
            Expr::IsNotNull(inner) => format!("{} is not NULL", self.value(inner)),
            Expr::Between { expr, negated, low, high } => {
                let (left, low, high) = (self.value(expr), self.value(low), self.value(high));
                format!("{left} {} between {low} and {high}", is(*negated))
            }
            Expr::Like { negated, expr: left, pattern, escape_char: None, any: false } => {
                let (left, pattern) = (self.value(left), self.value(pattern));
                format!("{left} {} like {pattern}", is(*negated))
            }
            Expr::In { expr: left, target, negated, .. } => {
                self.within(expr, left, target, *negated)
            }
            Expr::Exists { subquery, negated } => self.exists(subquery, *negated),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Function(_) => {
                format!("{} is true", self.value(expr))
            }
            _ => self.quoted(self.spans.expr_span(expr)),
        };
        self.depth -= 1;
        told
    }

    /// A chain of AND or OR, walked in a loop.
    fn chain(&mut self, expr: &'a Expr, joined: &BinaryOperator) -> String {
        let mut parts = Vec::new();
        let mut rest = expr;
        while let Expr::BinaryOp { left, op, right } = rest
            && op == joined
        {
            parts.push(&**right);
            rest = left;
        }
        parts.push(rest);
        let is_or = matches!(joined, BinaryOperator::Or);
        let told: Vec<String> = parts
            .into_iter()
            .rev()
            .map(|part| {
                let words = self.condition(part);
                let mixed = is_or && matches!(part, Expr::BinaryOp { op: BinaryOperator::And, .. });
                if mixed { format!("({words})") } else { words }
            })
            .collect();
        told.join(if is_or { " or " } else { " and " })
    }

    fn comparison(
        &mut self,
        whole: &'a Expr,
        left: &'a Expr,
        op: &BinaryOperator,
        right: &'a Expr,
    ) -> String {
        let phrase = match op {
            BinaryOperator::Eq => "is",
            BinaryOperator::NotEq => "is not",
            BinaryOperator::Lt => "is under",
            BinaryOperator::LtEq => "is at most",
            BinaryOperator::Gt => "is over",
            BinaryOperator::GtEq => "is at least",
            BinaryOperator::Is => "is the same as",
            BinaryOperator::IsNot => "is not the same as",
            _ if super::values::is_arithmetic(op) => {
                return format!("{} isn't zero", self.value(whole));
            }
            _ => return self.quoted(self.spans.expr_span(whole)),
        };
        // comparing with NULL is never true: say it as written
        if is_null(left) || is_null(right) {
            return self.quoted(self.spans.expr_span(whole));
        }
        format!("{} {phrase} {}", self.value(left), self.value(right))
    }

    fn within(
        &mut self,
        whole: &'a Expr,
        left: &'a Expr,
        target: &'a InTarget,
        negated: bool,
    ) -> String {
        match target {
            InTarget::List(items) => {
                let told: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                let left = self.value(left);
                match (told.as_slice(), negated) {
                    ([one], false) => format!("{left} is {one}"),
                    ([one], true) => format!("{left} is not {one}"),
                    (many, false) => format!("{left} is one of {}", listed(many)),
                    (many, true) => format!("{left} is none of {}", listed(many)),
                }
            }
            InTarget::Subquery(query) => {
                let among = if negated { "is not among" } else { "is among" };
                format!("{} {among} ({})", self.value(left), self.query(query))
            }
            InTarget::Unnest(_) | InTarget::Table { .. } => {
                self.quoted(self.spans.expr_span(whole))
            }
        }
    }

    fn exists(&mut self, query: &'a Query, negated: bool) -> String {
        let there = if negated { "there is none of" } else { "there is at least one of" };
        if let SetExpr::Select(select) = &*query.body
            && query.with.is_none()
            && query.limit_clause.is_none()
            && select.having.is_none()
            && let start = self.spans.span(&select.select_token.0).map(|span| span.start)
            && let Some(index) =
                self.binding.scopes.iter().position(|scope| Some(scope.span.start) == start)
            && let Some(scope) = self.scope(index)
            && !scope.is_aggregated()
            && !scope.relations.is_empty()
        {
            self.selects.push(Open { scope: index, select });
            let rows = self.rows(select, scope);
            self.selects.pop();
            return format!("{there} {rows}");
        }
        let any = if negated { "there is no row in" } else { "there is a row in" };
        format!("{any} ({})", self.query(query))
    }
}

/// Tells whether each part of an AND chain starts with a plain column, so that `whose` fits.
pub(super) fn all_start_with_columns(expr: &Expr) -> bool {
    let mut rest = expr;
    while let Expr::BinaryOp { left, op: BinaryOperator::And, right } = rest {
        if !starts_with_column(right) {
            return false;
        }
        rest = left;
    }
    starts_with_column(rest)
}

fn starts_with_column(expr: &Expr) -> bool {
    let left = match expr {
        Expr::BinaryOp { left, op, .. } if !matches!(op, BinaryOperator::Or) => left,
        Expr::IsNull(e) | Expr::IsNotNull(e) => e,
        Expr::Between { expr, .. } | Expr::Like { expr, .. } | Expr::In { expr, .. } => expr,
        _ => return false,
    };
    matches!(bare(left), Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

fn is_null(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Value(value) if matches!(value.value, Value::Null))
}

fn is(negated: bool) -> &'static str {
    if negated { "is not" } else { "is" }
}
