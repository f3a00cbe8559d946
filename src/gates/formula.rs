//! Formulas compared by structure: what is divided by what, which rows are counted or summed.
//!
//! Scaling, casts, rounding and guards against zero don't matter, nor do qualifiers, the order of
//! conditions, or whether rows are counted by COUNT or by a SUM of ones.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser's tree has far more kinds of expression than formulas use"
)]

use sqlparser::ast::{
    BinaryOperator, CaseWhen, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, InTarget, SelectItem, SetExpr, UnaryOperator, Value,
};
use sqlparser::parser::Parser;

use crate::domain::Dialect;
use crate::sql::dialect::parser;

use super::comparisons::{denied, either, turned};

/// A formula's structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// A dividend and a divisor.
    Ratio(String, String),
    /// Anything else.
    Plain(String),
}

/// Deepest nesting that is compared.
const DEEPEST: usize = 40;

/// Reads an expression.
pub(super) fn parse(text: &str, dialect: Dialect) -> Option<Expr> {
    let rules = parser(dialect);
    let mut parser = Parser::new(&*rules).try_with_sql(text).ok()?;
    let expr = parser.parse_expr().ok()?;
    let end = parser.peek_token().token;
    matches!(end, sqlparser::tokenizer::Token::EOF).then_some(expr)
}

/// Returns the structure of an expression; conditions that hold for all rows anyway (`given`, from
/// WHERE) are left out of counted conditions.
pub(super) fn shape(expr: &Expr, given: &[String]) -> Shape {
    let mut reader = Reader { given, depth: 0 };
    reader.shape(expr)
}

/// Splits a condition into its canonical parts, all of which must hold.
pub(super) fn parts(expr: &Expr) -> Vec<String> {
    let mut reader = Reader { given: &[], depth: 0 };
    let mut found = reader.conjuncts(expr);
    found.sort();
    found
}

struct Reader<'a> {
    given: &'a [String],
    depth: usize,
}

impl Reader<'_> {
    fn shape(&mut self, expr: &Expr) -> Shape {
        let expr = unscaled(expr);
        if let Expr::BinaryOp { left, op: BinaryOperator::Divide, right } = expr {
            return Shape::Ratio(self.text(left), self.text(right));
        }
        // The average of ones and zeros is the share of the ones.
        if let Some((condition, one)) = average_of_case(expr)
            && is_number(one, 1.0)
        {
            let counted = self.counted(condition);
            return Shape::Ratio(counted, "count[*]".to_owned());
        }
        Shape::Plain(self.text(expr))
    }

    /// Writes an expression so that equal ones are equal texts.
    fn text(&mut self, expr: &Expr) -> String {
        self.depth += 1;
        let text = if self.depth > DEEPEST { plain(expr) } else { self.text_of(unscaled(expr)) };
        self.depth -= 1;
        text
    }

    fn text_of(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Identifier(ident) => ident.value.to_lowercase(),
            Expr::CompoundIdentifier(parts) => {
                parts.last().map_or(String::new(), |ident| ident.value.to_lowercase())
            }
            Expr::Value(value) => literal(&value.value),
            Expr::Function(function) => self.function(function),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::In { expr, target: InTarget::List(list), negated, .. } => {
                let mut values: Vec<String> = list.iter().map(|v| self.text(v)).collect();
                values.sort();
                let of = self.text(expr);
                match values.as_slice() {
                    [one] if !negated => format!("{of}={one}"),
                    _ => format!("{of}{}in[{}]", if *negated { "!" } else { "" }, values.join(",")),
                }
            }
            Expr::IsNull(of) => format!("{} is null", self.text(of)),
            Expr::IsNotNull(of) => format!("{} is not null", self.text(of)),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => match unscaled(expr) {
                Expr::BinaryOp { left, op, right } if denied(op).is_some() => {
                    self.binary(left, &denied(op).unwrap_or_else(|| op.clone()), right)
                }
                inner => format!("not({})", self.text(inner)),
            },
            Expr::Case { operand: None, conditions, else_result, .. } => {
                self.case(conditions, else_result.as_deref())
            }
            Expr::Subquery(query) => match &*query.body {
                SetExpr::Select(select) => self.subquery(select),
                _ => plain(expr),
            },
            _ => plain(expr),
        }
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> String {
        let (a, b) = (self.text(left), self.text(right));
        match op {
            BinaryOperator::Or => {
                let mut sides = [a, b];
                sides.sort();
                either(&sides).unwrap_or_else(|| format!("or({},{})", sides[0], sides[1]))
            }
            BinaryOperator::And => {
                let mut all = self.conjuncts(left);
                all.extend(self.conjuncts(right));
                all.sort();
                format!("and({})", all.join(","))
            }
            BinaryOperator::Plus | BinaryOperator::Multiply => {
                let mut sides = [a, b];
                sides.sort();
                format!("({}{op}{})", sides[0], sides[1])
            }
            BinaryOperator::Eq | BinaryOperator::NotEq => {
                // A literal stands on the right.
                let (l, r) = if a.starts_with(['\'', '0']) || a > b && !b.starts_with('\'') {
                    (b, a)
                } else {
                    (a, b)
                };
                format!("{l}{}{r}", if *op == BinaryOperator::Eq { "=" } else { "!=" })
            }
            // a literal stands on the right here too
            _ => match turned(op).filter(|_| a.starts_with(['\'', '0'])) {
                Some(op) => format!("({b}{op}{a})"),
                None => format!("({a}{op}{b})"),
            },
        }
    }

    fn conjuncts(&mut self, expr: &Expr) -> Vec<String> {
        match unscaled(expr) {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                let mut all = self.conjuncts(left);
                all.extend(self.conjuncts(right));
                all
            }
            other => vec![self.text(other)],
        }
    }

    fn case(&mut self, conditions: &[CaseWhen], other: Option<&Expr>) -> String {
        let whens: Vec<String> = conditions
            .iter()
            .map(|when| format!("{}:{}", self.text(&when.condition), self.text(&when.result)))
            .collect();
        let other = other.map_or("null".to_owned(), |e| self.text(e));
        format!("case[{}|{other}]", whens.join(";"))
    }

    /// Writes the count of rows for which a condition holds.
    fn counted(&mut self, condition: &Expr) -> String {
        let mut parts = self.conjuncts(condition);
        parts.retain(|part| !self.given.contains(part));
        parts.sort();
        if parts.is_empty() { "count[*]".to_owned() } else { format!("count[{}]", parts.join(",")) }
    }

    fn function(&mut self, function: &Function) -> String {
        let name = function.name.to_string().to_lowercase();
        let (arguments, distinct) = arguments(function);
        let filter = function.filter.as_deref();
        match (name.as_str(), arguments.as_slice()) {
            ("count", [None]) => filter.map_or("count[*]".to_owned(), |f| self.counted(f)),
            ("count", [Some(of)]) if !distinct => {
                if let Some((condition, _, other)) = case_of(of)
                    && other.is_none_or(is_null)
                {
                    return self.counted(condition);
                }
                if matches!(of, Expr::Value(_)) {
                    return filter.map_or("count[*]".to_owned(), |f| self.counted(f));
                }
                // what is known, not what is true
                format!("count[known {}]", self.text(of))
            }
            ("sum" | "total", [Some(of)]) if !distinct => self.sum(of, filter),
            _ => {
                let texts: Vec<String> = arguments
                    .iter()
                    .map(|a| a.map_or("*".to_owned(), |of| self.text(of)))
                    .collect();
                let mark = if distinct { "distinct " } else { "" };
                format!("{name}[{mark}{}]", texts.join(","))
            }
        }
    }

    fn sum(&mut self, of: &Expr, filter: Option<&Expr>) -> String {
        if let Some((condition, value, other)) = case_of(of)
            && other.is_none_or(|e| is_null(e) || is_number(e, 0.0))
        {
            if is_number(value, 1.0) {
                return self.counted(condition);
            }
            let mut parts = self.conjuncts(condition);
            parts.retain(|part| !self.given.contains(part));
            parts.sort();
            let value = self.text(value);
            return if parts.is_empty() {
                format!("sum[{value}]")
            } else {
                format!("sum[{value}|{}]", parts.join(","))
            };
        }
        // A comparison is one or zero.
        if let Expr::BinaryOp { op, .. } = unscaled(of)
            && matches!(op, BinaryOperator::Eq | BinaryOperator::Gt | BinaryOperator::Lt)
        {
            return self.counted(of);
        }
        let value = self.text(of);
        filter.map_or(format!("sum[{value}]"), |f| {
            let mut parts = self.conjuncts(f);
            parts.retain(|part| !self.given.contains(part));
            parts.sort();
            if parts.is_empty() {
                return format!("sum[{value}]");
            }
            format!("sum[{value}|{}]", parts.join(","))
        })
    }

    /// A scalar subquery that counts rows under a condition counts them like COUNT(CASE …).
    fn subquery(&mut self, select: &sqlparser::ast::Select) -> String {
        let [SelectItem::UnnamedExpr(of) | SelectItem::ExprWithAlias { expr: of, .. }] =
            select.projection.as_slice()
        else {
            return select.to_string().to_lowercase();
        };
        let inner = self.text(of);
        match (&select.selection, inner.as_str()) {
            (None, _) => inner,
            (Some(condition), "count[*]") => self.counted(condition),
            (Some(condition), _) => {
                let parts = parts(condition).join(",");
                match inner.strip_prefix("sum[").and_then(|rest| rest.strip_suffix(']')) {
                    Some(value) if !value.contains('|') => format!("sum[{value}|{parts}]"),
                    _ => format!("{inner} where {parts}"),
                }
            }
        }
    }
}

/// Takes off what only scales, casts, rounds or guards: brackets, CAST, ROUND, NULLIF(x, 0),
/// COALESCE(x, 0), × 100, × 1.0.
fn unscaled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => unscaled(inner),
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } => {
            if is_scale(right) {
                unscaled(left)
            } else if is_scale(left) {
                unscaled(right)
            } else {
                expr
            }
        }
        // 100.0 * a / b is read as (100.0 * a) / b; its dividend is unscaled when it is written.
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let (arguments, _) = arguments(function);
            match (name.as_str(), arguments.as_slice()) {
                ("round", [Some(inner), ..]) => unscaled(inner),
                ("nullif" | "coalesce" | "ifnull", [Some(inner), Some(guard)])
                    if is_number(guard, 0.0) =>
                {
                    unscaled(inner)
                }
                _ => expr,
            }
        }
        _ => expr,
    }
}

fn is_scale(expr: &Expr) -> bool {
    is_number(expr, 1.0) || is_number(expr, 100.0)
}

fn is_number(expr: &Expr, wanted: f64) -> bool {
    let Expr::Value(value) = expr else { return false };
    matches!(&value.value, Value::Number(text, _) if text.parse::<f64>().is_ok_and(|n| (n - wanted).abs() < f64::EPSILON))
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::Null))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Number(text, _) => {
            text.parse::<f64>().map_or_else(|_| text.clone(), |n| format!("0{n}"))
        }
        Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => format!("'{text}'"),
        Value::Null => "null".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

/// Lists a call's arguments (none for `*`) and whether it is DISTINCT.
fn arguments(function: &Function) -> (Vec<Option<&Expr>>, bool) {
    let FunctionArguments::List(list) = &function.args else { return (Vec::new(), false) };
    let arguments = list
        .args
        .iter()
        .map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        })
        .collect();
    (arguments, list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

/// Takes `CASE WHEN c THEN v ELSE o END` or `IIF(c, v, o)` apart.
fn case_of(expr: &Expr) -> Option<(&Expr, &Expr, Option<&Expr>)> {
    match unscaled(expr) {
        Expr::Case { operand: None, conditions, else_result, .. } => {
            let [when] = conditions.as_slice() else { return None };
            Some((&when.condition, &when.result, else_result.as_deref()))
        }
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let (arguments, _) = arguments(function);
            match arguments.as_slice() {
                [Some(c), Some(v), Some(o)] if name == "iif" || name == "if" => {
                    Some((c, v, Some(o)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Takes `AVG(CASE WHEN c THEN v ELSE 0 END)` apart.
fn average_of_case(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::Function(function) = expr else { return None };
    let (arguments, distinct) = arguments(function);
    let [Some(of)] = arguments.as_slice() else { return None };
    if distinct || !function.name.to_string().eq_ignore_ascii_case("avg") {
        return None;
    }
    let (condition, value, other) = case_of(of)?;
    other.is_some_and(|e| is_number(e, 0.0)).then_some((condition, value))
}

/// Writes any other expression: in lower case, without qualifiers and spaces.
fn plain(expr: &Expr) -> String {
    let text = expr.to_string().to_lowercase();
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let bare =
            word.rsplit('.').next().filter(|last| !last.starts_with(|c: char| c.is_ascii_digit()));
        out.push_str(bare.unwrap_or(word));
        out.push(' ');
    }
    out.trim_end().to_owned()
}
