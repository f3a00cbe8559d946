//! Values in words: columns, literals, aggregates, arithmetic, subqueries.

use sqlparser::ast::{
    BinaryOperator, CastKind, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, SelectItem, UnaryOperator,
};

use super::super::scope::{ColumnUse, argument, bare, last_ident};
use super::selects::label;
use super::{DEEPEST, Teller};

impl<'a> Teller<'a> {
    /// Says a value; plain columns come without an article.
    pub(super) fn value(&mut self, expr: &'a Expr) -> String {
        if self.depth > DEEPEST {
            return self.quoted(self.spans.expr_span(expr));
        }
        self.depth += 1;
        let told = match expr {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => self.column(expr),
            Expr::Value(_) => self.written(expr),
            Expr::Nested(inner) => match bare(inner) {
                Expr::BinaryOp { .. } => format!("({})", self.value(inner)),
                inner => self.value(inner),
            },
            Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } => {
                format!("-{}", self.operand(inner))
            }
            Expr::BinaryOp { left, op, right } if is_arithmetic(op) => {
                format!("{} {op} {}", self.operand(left), self.operand(right))
            }
            Expr::Function(call) => self.call(expr, call),
            Expr::Cast {
                kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, ..
            } => {
                format!("{} as {data_type}", self.operand(expr))
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let parts = [Some(expr), substring_from.as_ref(), substring_for.as_ref()];
                let parts: Vec<String> =
                    parts.into_iter().flatten().map(|part| self.value(part)).collect();
                format!("substr({})", parts.join(", "))
            }
            Expr::Trim { expr, trim_where: None, trim_what: None, trim_characters: None } => {
                format!("{} trimmed", self.operand(expr))
            }
            Expr::Subquery(query) => format!("({})", self.query(query)),
            Expr::Case { operand: None, conditions, else_result, .. } => {
                let mut parts: Vec<String> = conditions
                    .iter()
                    .map(|when| {
                        let result = self.value(&when.result);
                        format!("{result} if {}", self.condition(&when.condition))
                    })
                    .collect();
                parts.push(match else_result {
                    Some(other) => format!("else {}", self.value(other)),
                    None => "else NULL".to_owned(),
                });
                format!("({})", parts.join(", "))
            }
            Expr::BinaryOp { .. }
            | Expr::UnaryOp { op: UnaryOperator::Not, .. }
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::Between { .. }
            | Expr::Like { .. }
            | Expr::In { .. }
            | Expr::Exists { .. } => format!("whether {}", self.condition(expr)),
            _ => self.quoted(self.spans.expr_span(expr)),
        };
        self.depth -= 1;
        told
    }

    fn written(&self, expr: &Expr) -> String {
        let span = self.spans.expr_span(expr);
        span.map_or("…", |span| span.of(self.spans.text)).to_owned()
    }

    /// A value inside arithmetic: phrases of several words get parentheses.
    fn operand(&mut self, expr: &'a Expr) -> String {
        let told = self.value(expr);
        let simple = !told.contains(' ')
            || told.starts_with(['(', '\'', '`'])
            || matches!(expr, Expr::BinaryOp { .. });
        if simple { told } else { format!("({told})") }
    }

    /// Names a column; with its table where the SELECT has several.
    fn column(&mut self, expr: &'a Expr) -> String {
        let used = self.spans.expr_span(expr).and_then(|span| {
            let mut uses = self.binding.columns.iter();
            uses.find(|used| used.span.end == span.end && span.start <= used.span.start)
        });
        match used {
            Some(used) if used.string => format!("'{}'", used.name.replace('\'', "''")),
            Some(used) => match used.relation {
                Some((scope, relation)) => self.placed(used, scope, relation),
                None => self.aliased(&used.name).unwrap_or_else(|| used.name.clone()),
            },
            None => self.written(expr),
        }
    }

    fn placed(&self, used: &ColumnUse, scope: usize, relation: usize) -> String {
        let name = used.at.as_ref().map_or(&used.name, |at| &at.column);
        let here = self.selects.last().map(|open| open.scope);
        let Some(owner) = self.scope(scope) else { return used.name.clone() };
        let shown = owner.relations.get(relation);
        let name = match shown.and_then(|r| r.column(&used.name)) {
            Some(column) => &column.name,
            None => name,
        };
        let label = shown.map(|relation| label(relation, owner)).unwrap_or_default();
        match here == Some(scope) {
            true if owner.relations.len() == 1 => name.clone(),
            true => format!("{label}.{name}"),
            false => format!("{label}.{name} outside"),
        }
    }

    /// Says what an output alias stands for.
    fn aliased(&mut self, name: &str) -> Option<String> {
        let open = self.selects.last().copied()?;
        open.select.projection.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if alias.value.eq_ignore_ascii_case(name) => {
                // an alias that stands in its own expression would never end
                let inside = self.written(expr).to_lowercase().contains(&name.to_lowercase());
                (!inside || matches!(expr, Expr::CompoundIdentifier(_) | Expr::Function(_)))
                    .then(|| self.value(expr))
            }
            _ => None,
        })
    }

    fn call(&mut self, whole: &'a Expr, call: &'a Function) -> String {
        let plain = call.over.is_none()
            && call.filter.is_none()
            && call.within_group.is_empty()
            && call.name.0.len() == 1;
        let FunctionArguments::List(list) = &call.args else { return self.written(whole) };
        let Some(ident) = last_ident(&call.name).filter(|_| plain && list.clauses.is_empty())
        else {
            return self.quoted(self.spans.expr_span(whole));
        };
        let name = ident.value.to_ascii_lowercase();
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        if let [only] = list.args.as_slice()
            && let Some(told) = self.aggregate(&name, only, distinct)
        {
            return told;
        }
        if distinct {
            return self.quoted(self.spans.expr_span(whole));
        }
        let mut args = Vec::new();
        for arg in &list.args {
            match argument(arg) {
                Some(expr) => args.push(self.value(expr)),
                None => return self.quoted(self.spans.expr_span(whole)),
            }
        }
        match (name.as_str(), args.as_slice()) {
            ("round", [value, digits]) => format!("{value} rounded to {digits} decimals"),
            ("abs", [value]) => format!("the size of {value} without its sign"),
            ("lower", [value]) => format!("{value} in lower case"),
            ("upper", [value]) => format!("{value} in upper case"),
            ("length", [value]) => format!("the length of {value}"),
            ("coalesce" | "ifnull", [value, other]) => format!("{value} (or {other} if NULL)"),
            _ => format!("{name}({})", args.join(", ")),
        }
    }

    fn aggregate(&mut self, name: &str, arg: &'a FunctionArg, distinct: bool) -> Option<String> {
        if let FunctionArg::Unnamed(FunctionArgExpr::Wildcard) = arg {
            return (name == "count").then(|| "the number of rows".to_owned());
        }
        let expr = argument(arg)?;
        let phrase = match name {
            "count" if distinct => "the number of distinct",
            "count" if matches!(bare(expr), Expr::Value(_)) => {
                return Some("the number of rows".into())
                    .filter(|_| !self.written(expr).eq_ignore_ascii_case("null"));
            }
            "count" => "the number of non-NULL",
            "sum" | "total" => "the sum of",
            "avg" => "the average",
            "min" => "the lowest",
            "max" => "the highest",
            _ => return None,
        };
        let of = self.operand(expr);
        let each = if distinct && name != "count" { " distinct" } else { "" };
        Some(format!("{phrase}{each} {of}"))
    }
}

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
            | B::Arrow
            | B::LongArrow
            | B::BitwiseAnd
            | B::BitwiseOr
    )
}
