//! Values in words: literals, arithmetic, casts, CASE, parts of dates, subqueries.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, CeilFloorKind, DateTimeField, Expr, Interval, Subscript,
    TrimWhereField, UnaryOperator,
};

use super::super::scope::bare;
use super::conditions::{is_chain, is_condition};
use super::{Teller, listed, named};

impl<'a> Teller<'a> {
    /// Says a value; plain columns come without an article.
    pub(super) fn value(&mut self, expr: &'a Expr) -> String {
        if !self.may_go_on() {
            return self.quoted(self.spans.expr_span(expr));
        }
        self.depth += 1;
        let told = if is_condition(expr) {
            let words = self.condition(expr);
            // what goes on to the end of a sentence would take what follows with it
            let open = is_chain(expr) || matches!(bare(expr), Expr::Exists { .. });
            if open { format!("whether ({words})") } else { format!("whether {words}") }
        } else {
            self.plain_value(expr)
        };
        self.depth -= 1;
        told
    }

    fn plain_value(&mut self, expr: &'a Expr) -> String {
        match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => self.column(expr),
            Expr::Value(_) | Expr::Prefixed { .. } => self.written(expr),
            Expr::Nested(inner) => match bare(inner) {
                Expr::BinaryOp { .. } => format!("({})", self.value(inner)),
                inner => self.value(inner),
            },
            Expr::UnaryOp { op, expr: inner } => self.signed(*op, inner),
            Expr::BinaryOp { left, op, right } => {
                format!("{} {op} {}", self.operand(left), self.operand(right))
            }
            Expr::Function(call) => self.call(expr, call),
            Expr::Subquery(query) => format!("({})", self.query(query)),
            Expr::Case { operand, conditions, else_result, .. } => {
                let mut parts: Vec<String> = Vec::new();
                for when in conditions {
                    let result = self.value(&when.result);
                    let condition = match operand {
                        None => self.condition(&when.condition),
                        Some(operand) => self.equal(operand, &when.condition),
                    };
                    parts.push(format!("{result} if {condition}"));
                }
                parts.push(match else_result {
                    Some(other) => format!("else {}", self.value(other)),
                    None => "else NULL".to_owned(),
                });
                format!("({})", parts.join(", "))
            }
            Expr::Tuple(items) => format!("({})", self.comma_list(items)),
            Expr::Array(array) => format!("[{}]", self.comma_list(&array.elem)),
            Expr::GroupingSets(sets) => self.sets("grouping set of", sets),
            Expr::Cube(sets) => self.sets("combination, subtotals of each too, of", sets),
            Expr::Rollup(sets) => self.sets("level, subtotals from the right too, of", sets),
            _ => self.special_form(expr),
        }
    }

    /// Forms of the grammar that look like calls, or stand around one value.
    fn special_form(&mut self, expr: &'a Expr) -> String {
        match expr {
            Expr::Cast { kind, expr, data_type, format: None } => {
                let failing = match kind {
                    CastKind::Cast | CastKind::DoubleColon => "",
                    CastKind::TryCast | CastKind::SafeCast => " (or NULL if it can't be)",
                };
                format!("{} as {data_type}{failing}", self.operand(expr))
            }
            Expr::Convert { expr, data_type: Some(data_type), charset: None, styles, .. }
                if styles.is_empty() =>
            {
                format!("{} as {data_type}", self.operand(expr))
            }
            Expr::Collate { expr, collation } => {
                format!("{} (by collation {collation})", self.operand(expr))
            }
            Expr::Extract { field, expr, .. } => {
                format!("the {} of {}", field.to_string().to_lowercase(), self.operand(expr))
            }
            Expr::Ceil { expr, field } => self.rounded(expr, field, "up"),
            Expr::Floor { expr, field } => self.rounded(expr, field, "down"),
            Expr::Position { expr, r#in } => {
                format!("the position of {} in {}", self.operand(expr), self.operand(r#in))
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let text = self.value(expr);
                let from = substring_from.as_ref().map(|from| self.value(from));
                let many = substring_for.as_ref().map(|many| self.value(many));
                substring(&text, from, many)
            }
            Expr::Trim { expr, trim_where, trim_what, trim_characters } => {
                let mut told = format!("{} trimmed", self.operand(expr));
                let what = trim_what.iter().map(|e| &**e).chain(trim_characters.iter().flatten());
                let what: Vec<String> = what.map(|expr| self.value(expr)).collect();
                if !what.is_empty() {
                    told.push_str(&format!(" of {}", listed(&what)));
                }
                told.push_str(match trim_where {
                    Some(TrimWhereField::Leading) => " at its start",
                    Some(TrimWhereField::Trailing) => " at its end",
                    Some(TrimWhereField::Both) | None => "",
                });
                told
            }
            Expr::Interval(interval) => self.interval(expr, interval),
            Expr::TypedString(typed) => format!("{} {}", typed.data_type, typed.value),
            Expr::AtTimeZone { timestamp, time_zone } => {
                let (moment, zone) = (self.operand(timestamp), self.operand(time_zone));
                format!("{moment} at time zone {zone}")
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                let mut told = self.operand(root);
                for access in access_chain {
                    let step = self.access(access);
                    told.push_str(&step);
                }
                told
            }
            Expr::Named { expr, name } => {
                format!("{} (called {})", self.value(expr), named(&name.value))
            }
            Expr::Wildcard(_) => "*".to_owned(),
            _ => self.quoted(self.spans.expr_span(expr)),
        }
    }

    pub(super) fn written(&self, expr: &Expr) -> String {
        let span = self.spans.expr_span(expr);
        span.map_or("…", |span| span.of(self.spans.text)).to_owned()
    }

    /// A value inside arithmetic: phrases of several words get parentheses.
    pub(super) fn operand(&mut self, expr: &'a Expr) -> String {
        let told = self.value(expr);
        let arithmetic = matches!(expr, Expr::BinaryOp { .. }) && !is_condition(expr);
        let whole = matches!(
            expr,
            Expr::Value(_)
                | Expr::Subquery(_)
                | Expr::Tuple(_)
                | Expr::Array(_)
                | Expr::Case { .. }
                | Expr::Nested(_)
        ) && (told.starts_with(['(', '\'', '[']) || !told.contains(' '));
        let column = matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
            && !told.ends_with(" outside");
        let called = matches!(expr, Expr::Function(call) if call.over.is_none()
            && told.to_lowercase().starts_with(&format!("{}(", call.name).to_lowercase()));
        let simple =
            !told.contains(' ') || arithmetic || whole || column || called || told.starts_with('`');
        if simple { told } else { format!("({told})") }
    }

    fn signed(&mut self, op: UnaryOperator, inner: &'a Expr) -> String {
        let sign = match op {
            UnaryOperator::Minus => "-".to_owned(),
            UnaryOperator::Plus => "+".to_owned(),
            other => format!("{other} "),
        };
        let told = self.value(inner);
        // a sign stands before one thing: what is more gets parentheses
        let one = !told.contains(' ') && !told.starts_with(['-', '+']);
        let closed = matches!(inner, Expr::Nested(_) | Expr::Subquery(_)) && told.starts_with('(');
        if one || closed { format!("{sign}{told}") } else { format!("{sign}({told})") }
    }

    fn rounded(&mut self, expr: &'a Expr, field: &CeilFloorKind, way: &str) -> String {
        let to = match field {
            CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) => String::new(),
            CeilFloorKind::DateTimeField(field) => format!(" to the {field}"),
            CeilFloorKind::Scale(scale) => format!(" to {scale} decimals"),
        };
        format!("{} rounded {way}{to}", self.operand(expr))
    }

    fn interval(&mut self, whole: &'a Expr, interval: &'a Interval) -> String {
        if interval.last_field.is_some()
            || interval.leading_precision.is_some()
            || interval.fractional_seconds_precision.is_some()
        {
            return self.quoted(self.spans.expr_span(whole));
        }
        let unit = interval.leading_field.as_ref();
        let unit = unit.map(|field| format!(" {}", field.to_string().to_lowercase()));
        format!("interval {}{}", self.operand(&interval.value), unit.unwrap_or_default())
    }

    fn access(&mut self, access: &'a AccessExpr) -> String {
        match access {
            AccessExpr::Dot(expr) => format!(".{}", self.written(expr)),
            AccessExpr::Subscript(Subscript::Index { index }) => format!("[{}]", self.value(index)),
            AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride }) => {
                let bounds = [lower_bound, upper_bound, stride];
                let told = bounds
                    .map(|bound| bound.as_ref().map(|bound| self.value(bound)).unwrap_or_default());
                format!("[{}]", told.join(":"))
            }
        }
    }

    pub(super) fn comma_list(&mut self, items: &'a [Expr]) -> String {
        let told: Vec<String> = items.iter().map(|item| self.value(item)).collect();
        told.join(", ")
    }

    fn sets(&mut self, words: &str, sets: &'a [Vec<Expr>]) -> String {
        let told: Vec<String> =
            sets.iter().map(|set| format!("({})", self.comma_list(set))).collect();
        format!("{words} {}", listed(&told))
    }
}

/// A part of a text; where it starts is said, or is its first letter.
fn substring(text: &str, from: Option<String>, many: Option<String>) -> String {
    match (from, many) {
        (Some(from), Some(many)) => format!("substr({text}, {from}, {many})"),
        (Some(from), None) => format!("substr({text}, {from})"),
        (None, Some(many)) => format!("substr({text}, 1, {many})"),
        (None, None) => format!("substr({text})"),
    }
}

/// Tells whether an operator computes with numbers or texts.
pub(super) fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        op,
        B::Plus
            | B::Minus
            | B::Multiply
            | B::Divide
            | B::Modulo
            | B::StringConcat
            | B::BitwiseAnd
            | B::BitwiseOr
    )
}
