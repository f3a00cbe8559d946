//! The family of an expression's values, as far as it is certain.

use sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArguments, UnaryOperator};

use crate::domain::{ColumnKind, Dialect};

use super::binder::Binder;
use super::from::last_ident;
use super::parts::{argument, bare};

impl Binder<'_> {
    /// Returns the family of a bound expression; `Unknown` when in doubt.
    pub(super) fn kind(&self, expr: &Expr, scope: usize) -> ColumnKind {
        self.kind_within(expr, scope, 0)
    }

    fn kind_within(&self, expr: &Expr, scope: usize, depth: usize) -> ColumnKind {
        if depth > 40 {
            return ColumnKind::Unknown;
        }
        match bare(expr) {
            Expr::Value(value) => literal_kind(&value.value),
            expr @ (Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => self.column_kind(expr),
            Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr } => {
                self.kind_within(expr, scope, depth + 1)
            }
            Expr::BinaryOp { left, op, right } => {
                let sides = (
                    self.kind_within(left, scope, depth + 1),
                    self.kind_within(right, scope, depth + 1),
                );
                arithmetic(op, sides)
            }
            Expr::Cast { data_type, .. } => type_kind(&data_type.to_string()),
            Expr::Function(call) => self.call_kind(call, scope, depth),
            Expr::Case { conditions, else_result, .. } => {
                let results = conditions.iter().map(|when| &when.result);
                let mut kinds = results
                    .chain(else_result.iter().map(|e| &**e))
                    .filter(|e| !is_null(e))
                    .map(|e| self.kind_within(e, scope, depth + 1));
                let first = kinds.next().unwrap_or_default();
                if kinds.all(|kind| kind == first) { first } else { ColumnKind::Unknown }
            }
            _ => ColumnKind::Unknown,
        }
    }

    /// Tells whether PostgreSQL sums a value as numeric, whose division keeps the fraction.
    fn sums_to_numeric(&self, expr: &Expr) -> bool {
        let big = |at| {
            let column = self.catalog.column(&at);
            column.is_some_and(|c| matches!(&*c.data_type.to_ascii_lowercase(), "bigint" | "int8"))
        };
        let counts = matches!(bare(expr), Expr::Function(call)
            if call.name.to_string().eq_ignore_ascii_case("count"));
        self.dialect == Dialect::Postgres && (counts || self.column_of(expr).is_some_and(big))
    }

    fn column_kind(&self, expr: &Expr) -> ColumnKind {
        let Some(used) = self.use_of(expr) else { return ColumnKind::Unknown };
        let Some((scope, relation)) = used.relation else { return ColumnKind::Unknown };
        let relation = self.relations(scope).get(relation);
        let column = relation.and_then(|relation| relation.column(&used.name));
        column.map_or(ColumnKind::Unknown, |column| column.kind)
    }

    fn call_kind(&self, call: &Function, scope: usize, depth: usize) -> ColumnKind {
        let name = last_ident(&call.name).map(|i| i.value.to_ascii_lowercase()).unwrap_or_default();
        let first = match &call.args {
            FunctionArguments::List(list) => list.args.first().and_then(argument),
            FunctionArguments::None | FunctionArguments::Subquery(_) => None,
        };
        match name.as_str() {
            "count" | "length" | "instr" | "row_number" | "rank" | "dense_rank" | "unicode" => {
                ColumnKind::Integer
            }
            // there the sum of a bigint is numeric
            "sum" if first.is_some_and(|e| self.sums_to_numeric(e)) => ColumnKind::Real,
            "sum" | "min" | "max" | "abs" | "coalesce" | "ifnull" | "nullif" => {
                first.map_or(ColumnKind::Unknown, |e| self.kind_within(e, scope, depth + 1))
            }
            "avg" | "total" | "round" | "julianday" => ColumnKind::Real,
            "lower" | "upper" | "substr" | "trim" | "strftime" | "group_concat" | "replace" => {
                ColumnKind::Text
            }
            "date" | "datetime" => ColumnKind::Date,
            _ => ColumnKind::Unknown,
        }
    }
}

fn literal_kind(value: &sqlparser::ast::Value) -> ColumnKind {
    use sqlparser::ast::Value as V;
    match value {
        V::Number(digits, _) if digits.contains(['.', 'e', 'E']) => ColumnKind::Real,
        V::Number(..) => ColumnKind::Integer,
        V::SingleQuotedString(_) => ColumnKind::Text,
        _ => ColumnKind::Unknown,
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(v) if matches!(v.value, sqlparser::ast::Value::Null))
}

fn arithmetic(op: &BinaryOperator, sides: (ColumnKind, ColumnKind)) -> ColumnKind {
    use ColumnKind::{Integer, Real};
    let calculates = matches!(
        op,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
    );
    match sides {
        _ if !calculates => ColumnKind::Unknown,
        (Integer, Integer) => Integer,
        (Real, Integer | Real) | (Integer, Real) => Real,
        _ => ColumnKind::Unknown,
    }
}

/// Returns the family of a type's name, by the rules of SQLite's affinities where they are clear.
fn type_kind(name: &str) -> ColumnKind {
    let upper = name.to_ascii_uppercase();
    let has = |part: &str| upper.contains(part);
    if has("INT") || upper == "SIGNED" || upper == "UNSIGNED" {
        ColumnKind::Integer
    } else if has("CHAR") || has("TEXT") {
        ColumnKind::Text
    } else if has("REAL") || has("FLOA") || has("DOUB") {
        ColumnKind::Real
    } else {
        ColumnKind::Unknown
    }
}
