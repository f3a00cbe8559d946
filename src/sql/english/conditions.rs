//! Conditions in words.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, Query, UnaryOperator, Value};

use super::super::scope::bare;
use super::{Teller, listed};

impl<'a> Teller<'a> {
    /// Says a condition.
    pub(super) fn condition(&mut self, expr: &'a Expr) -> String {
        if !self.may_go_on() {
            return self.quoted(self.spans.expr_span(expr));
        }
        self.depth += 1;
        let told = match expr {
            Expr::Nested(inner) => match bare(inner) {
                inner if is_chain(inner) => format!("({})", self.condition(inner)),
                inner => self.condition(inner),
            },
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                self.chain(expr, op)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Xor, right } => {
                let (left, right) = (self.condition(left), self.condition(right));
                format!("either ({left}) or ({right}) but not both")
            }
            Expr::BinaryOp { left, op, right } => self.comparison(expr, left, op, right),
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                format!("not ({})", self.condition(bare(expr)))
            }
            Expr::In { expr: left, target, negated, .. } => {
                self.within(expr, left, target, *negated)
            }
            Expr::Exists { subquery, negated } => self.exists(subquery, *negated),
            Expr::AnyOp { left, compare_op, right, .. } => {
                self.quantified(expr, left, compare_op, ("any of", right))
            }
            Expr::AllOp { left, compare_op, right } => {
                self.quantified(expr, left, compare_op, ("every one of", right))
            }
            Expr::Between { expr, negated, low, high } => {
                let (left, low, high) = (self.value(expr), self.value(low), self.value(high));
                format!("{left} {} between {low} and {high}", is(*negated))
            }
            _ => self.test(expr),
        };
        self.depth -= 1;
        told
    }

    /// What is told of one value.
    fn test(&mut self, expr: &'a Expr) -> String {
        let (inner, words) = match expr {
            Expr::IsNull(inner) => (inner, "is NULL"),
            Expr::IsNotNull(inner) => (inner, "is not NULL"),
            Expr::IsTrue(inner) => (inner, "is surely true"),
            Expr::IsNotTrue(inner) => (inner, "is not surely true"),
            Expr::IsFalse(inner) => (inner, "is surely false"),
            Expr::IsNotFalse(inner) => (inner, "is not surely false"),
            Expr::IsUnknown(inner) => (inner, "is unknown"),
            Expr::IsNotUnknown(inner) => (inner, "is not unknown"),
            Expr::IsDistinctFrom(left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                return format!("{left} is not the same as {right}");
            }
            Expr::IsNotDistinctFrom(left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                return format!("{left} is the same as {right}");
            }
            Expr::Like { .. }
            | Expr::ILike { .. }
            | Expr::SimilarTo { .. }
            | Expr::RLike { .. } => {
                return self.alike(expr);
            }
            _ if is_condition(expr) => return self.quoted(self.spans.expr_span(expr)),
            _ => return format!("{} is true", self.value(expr)),
        };
        format!("{} {words}", self.value(inner))
    }

    /// A text held against a pattern.
    fn alike(&mut self, expr: &'a Expr) -> String {
        let (left, negated, words, pattern, escape) = match expr {
            Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                (expr, *negated, "like", pattern, escape_char)
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                (expr, *negated, "like (in any letter case)", pattern, escape_char)
            }
            Expr::SimilarTo { negated, expr, pattern, escape_char } => {
                (expr, *negated, "similar to", pattern, escape_char)
            }
            Expr::RLike { negated, expr, pattern, .. } => {
                let (left, pattern) = (self.value(expr), self.value(pattern));
                let not = if *negated { "does not match" } else { "matches" };
                return format!("{left} {not} the regular expression {pattern}");
            }
            _ => return self.quoted(self.spans.expr_span(expr)),
        };
        let (left, pattern) = (self.value(left), self.value(pattern));
        let escape = match escape {
            Some(escape) => format!(" (escaped by {})", self.value(escape)),
            None => String::new(),
        };
        format!("{left} {} {words} {pattern}{escape}", is(negated))
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
                // what goes on to the end of the sentence would take the rest of the chain with it
                let open = matches!(bare(part), Expr::Exists { .. });
                let mixed = is_chain(part) || open;
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
        let Some(phrase) = phrase(op) else {
            let ending = if super::values::is_arithmetic(op) { "is not zero" } else { "is true" };
            return format!("{} {ending}", self.value(whole));
        };
        let by_value =
            !matches!(op, BinaryOperator::Is | BinaryOperator::IsNot | BinaryOperator::Spaceship);
        let (told, other) = (self.value(left), self.value(right));
        // comparing with NULL is never true, and isn't the test for it
        if by_value && (is_null(left) || is_null(right)) {
            return format!("{told} {op} {other} (which is never true)");
        }
        format!("{told} {phrase} {other}")
    }

    /// The comparison that `CASE x WHEN y` makes.
    pub(super) fn equal(&mut self, left: &'a Expr, right: &'a Expr) -> String {
        let (told, other) = (self.value(left), self.value(right));
        if is_null(left) || is_null(right) {
            return format!("{told} = {other} (which is never true)");
        }
        format!("{told} is {other}")
    }

    fn quantified(
        &mut self,
        whole: &'a Expr,
        left: &'a Expr,
        op: &BinaryOperator,
        (many, right): (&str, &'a Expr),
    ) -> String {
        let Some(phrase) = phrase(op) else { return self.quoted(self.spans.expr_span(whole)) };
        format!("{} {phrase} {many} {}", self.value(left), self.operand(right))
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
                let one = items.len() == 1 && !items.iter().any(is_null);
                let told: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                let left = self.value(left);
                match (told.as_slice(), negated) {
                    ([item], false) if one => format!("{left} is {item}"),
                    ([item], true) if one => format!("{left} is not {item}"),
                    ([], false) => format!("{left} is one of nothing"),
                    ([], true) => format!("{left} is none of nothing"),
                    (many, false) => format!("{left} is one of {}", listed(many)),
                    (many, true) => format!("{left} is none of {}", listed(many)),
                }
            }
            InTarget::Subquery(query) => {
                let among = if negated { "is not among" } else { "is among" };
                format!("{} {among} ({})", self.value(left), self.query(query))
            }
            InTarget::Unnest(array) => {
                let among = if negated { "is not among" } else { "is among" };
                format!("{} {among} the elements of {}", self.value(left), self.operand(array))
            }
            InTarget::Table { name, args: None } => {
                let among = if negated { "is not among" } else { "is among" };
                format!("{} {among} (every row of {name})", self.value(left))
            }
            InTarget::Table { .. } => self.quoted(self.spans.expr_span(whole)),
        }
    }

    fn exists(&mut self, query: &'a Query, negated: bool) -> String {
        if let Some(rows) = self.looked_for(query) {
            let there = if negated { "there is none of" } else { "there is at least one of" };
            return format!("{there} {rows}");
        }
        let any = if negated { "there is no row in" } else { "there is a row in" };
        format!("{any} ({})", self.query(query))
    }
}

/// The words of a comparison between two values.
fn phrase(op: &BinaryOperator) -> Option<&'static str> {
    use BinaryOperator as B;
    Some(match op {
        B::Eq => "is",
        B::NotEq => "is not",
        B::Lt => "is under",
        B::LtEq => "is at most",
        B::Gt => "is over",
        B::GtEq => "is at least",
        B::Is | B::Spaceship => "is the same as",
        B::IsNot => "is not the same as",
        B::Glob => "is like the glob",
        B::Match => "matches the search for",
        B::Regexp | B::PGRegexMatch => "matches the regular expression",
        B::PGRegexIMatch => "matches in any letter case the regular expression",
        B::PGRegexNotMatch => "does not match the regular expression",
        B::PGRegexNotIMatch => "does not match in any letter case the regular expression",
        B::PGLikeMatch => "is like",
        B::PGNotLikeMatch => "is not like",
        B::PGILikeMatch => "is like (in any letter case)",
        B::PGNotILikeMatch => "is not like (in any letter case)",
        _ => return None,
    })
}

/// Tells whether an expression is true or false by what it is.
pub(super) fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_condition(bare(inner)) && !is_chain(bare(inner)),
        Expr::BinaryOp { op, .. } => {
            matches!(op, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor)
                || phrase(op).is_some()
        }
        Expr::UnaryOp { op, .. } => matches!(op, UnaryOperator::Not | UnaryOperator::BangNot),
        Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsUnknown(_)
        | Expr::IsNotUnknown(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::Between { .. }
        | Expr::Like { .. }
        | Expr::ILike { .. }
        | Expr::SimilarTo { .. }
        | Expr::RLike { .. }
        | Expr::In { .. }
        | Expr::AnyOp { .. }
        | Expr::AllOp { .. }
        | Expr::Exists { .. } => true,
        _ => false,
    }
}

/// Tells whether an expression is a chain of AND or OR.
pub(super) fn is_chain(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. })
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
