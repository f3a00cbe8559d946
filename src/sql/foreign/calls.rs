//! Calls of functions that the engine lacks, or reads otherwise.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArgumentClause, FunctionArgumentList,
    FunctionArguments, OrderByExpr, OrderBySort, Value,
};

use crate::domain::{ColumnKind, Dialect, Span};

use super::dates::Unit;
use super::turn::Turn;
use super::{Hunt, rows};
use crate::sql::functions;
use crate::sql::scope::argument;

impl Hunt<'_> {
    /// Looks at a call.
    pub(super) fn function(&mut self, whole: &Expr, call: &Function) {
        let FunctionArguments::List(list) = &call.args else { return };
        let [name] = call.name.0.as_slice() else { return };
        let Some(name) = name.as_ident().filter(|ident| ident.quote_style.is_none()) else {
            return;
        };
        let name = name.value.to_ascii_lowercase();
        let arguments: Vec<&Expr> = list.args.iter().filter_map(argument).collect();
        let span = self.spans.expr_span(whole);
        let instead = match () {
            () if matches!(name.as_str(), "group_concat" | "string_agg" | "listagg") => {
                self.joined(&name, call, list, &arguments)
            }
            () if call.filter.is_some() && self.dialect == Dialect::Mysql => {
                let instead = self.filtered(&name, call, list, &arguments);
                self.lacks(span, "foreign_syntax", "FILTER; use CASE in the aggregate", instead);
                return;
            }
            () if call.over.is_some() || call.filter.is_some() => None,
            () if name == "round" && arguments.len() == 2 => {
                self.rounded(&arguments, span);
                return;
            }
            () => self.plain(&name, &arguments),
        };
        let has = functions::limits(&name, self.dialect).is_some();
        let hint = rows::hint(&name, self.dialect).filter(|_| !has);
        if instead.is_none() && hint.is_none() && (has || !rows::is_known(&name)) {
            return;
        }
        let what = match hint.filter(|_| instead.is_none()) {
            Some(hint) => format!("function '{name}'; {hint}"),
            None => format!("such function '{name}'"),
        };
        self.lacks(span, "no_such_function", &what, instead);
    }

    fn lacks(
        &mut self,
        span: Option<Span>,
        code: &'static str,
        what: &str,
        instead: Option<(String, Vec<Span>)>,
    ) {
        self.turns.push(Turn { span, code, what: what.to_owned(), instead, whole: true });
    }

    /// Writes a call by its row or by what its arguments say, where the engine lacks it.
    fn plain(&self, name: &str, arguments: &[&Expr]) -> Option<(String, Vec<Span>)> {
        let written: Vec<&str> =
            arguments.iter().map(|expr| self.text(expr)).collect::<Option<_>>()?;
        let count = arguments.len();
        let fits = functions::limits(name, self.dialect)
            .is_some_and(|(least, most)| least <= count && count <= most);
        let is_bare_unit = |text: &&str| Unit::read(text).is_some() && !text.starts_with('\'');
        let steered = matches!(name, "date_trunc" | "datediff" | "date_diff")
            && self.dialect != Dialect::Mysql
            && written.iter().any(is_bare_unit)
            || matches!(name, "date" | "datetime") && written == ["'now'"];
        if fits && !steered {
            return None;
        }
        let template = super::call(name, &written, self.dialect)?;
        let holes: Option<Vec<Span>> =
            arguments.iter().map(|expr| self.spans.expr_span(expr)).collect();
        // a unit is read, and stands in no hole
        let holes = holes.filter(|_| !template.is_empty())?;
        Some((template, holes))
    }

    /// PostgreSQL rounds to digits what is numeric only.
    fn rounded(&mut self, arguments: &[&Expr], span: Option<Span>) {
        let [value, digits] = arguments else { return };
        if self.dialect == Dialect::Postgres && self.is_double(value, 0) {
            let template = "ROUND(CAST({0} AS NUMERIC), {1})".to_owned();
            let holes = [*value, *digits].map(|expr| self.spans.expr_span(expr));
            if let [Some(value), Some(digits)] = holes {
                let what = "ROUND of double precision to digits";
                self.lacks(span, "foreign_syntax", what, Some((template, vec![value, digits])));
            }
        }
    }

    /// Tells whether a value is surely of double precision.
    fn is_double(&self, expr: &Expr, depth: usize) -> bool {
        let double = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["double", "float", "real"].iter().any(|double| name.starts_with(double))
        };
        if depth > 20 {
            return false;
        }
        match expr {
            Expr::Nested(inner) => self.is_double(inner, depth + 1),
            Expr::Cast { data_type, .. } => double(&data_type.to_string()),
            Expr::BinaryOp { left, op, right } => {
                use sqlparser::ast::BinaryOperator as B;
                matches!(op, B::Plus | B::Minus | B::Multiply | B::Divide)
                    && (self.is_double(left, depth + 1) || self.is_double(right, depth + 1))
            }
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                self.column(expr).is_some_and(|column| double(&column.data_type))
            }
            Expr::Function(call) => {
                let FunctionArguments::List(list) = &call.args else { return false };
                let same = ["sum", "avg", "min", "max", "abs", "coalesce", "nullif", "stddev"];
                let name = call.name.to_string().to_ascii_lowercase();
                same.contains(&name.as_str())
                    && list.args.iter().filter_map(argument).any(|e| self.is_double(e, depth + 1))
            }
            _ => false,
        }
    }

    /// Finds the base column that an expression is.
    pub(super) fn column(&self, expr: &Expr) -> Option<&crate::domain::Column> {
        self.catalog.column(self.binding.column_at(self.spans.expr_span(expr)?)?)
    }

    pub(super) fn is_text(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Value(value) => matches!(value.value, Value::SingleQuotedString(_)),
            Expr::Nested(inner) => self.is_text(inner),
            _ => self.column(expr).is_some_and(|column| column.kind == ColumnKind::Text),
        }
    }

    /// Writes an aggregate with a FILTER as one over CASE.
    fn filtered(
        &self,
        name: &str,
        call: &Function,
        list: &FunctionArgumentList,
        arguments: &[&Expr],
    ) -> Option<(String, Vec<Span>)> {
        let filter = self.spans.expr_span(call.filter.as_deref()?)?;
        if call.over.is_some() || !list.clauses.is_empty() || list.args.len() != 1 {
            return None;
        }
        let distinct = distinct(list);
        let name = name.to_ascii_uppercase();
        match arguments {
            [] => Some((format!("{name}(CASE WHEN {{0}} THEN 1 END)"), vec![filter])),
            [value] => {
                let value = self.spans.expr_span(value)?;
                let template = format!("{name}({distinct}CASE WHEN {{0}} THEN {{1}} END)");
                Some((template, vec![filter, value]))
            }
            _ => None,
        }
    }

    /// Writes an aggregate that joins texts.
    fn joined(
        &self,
        name: &str,
        call: &Function,
        list: &FunctionArgumentList,
        arguments: &[&Expr],
    ) -> Option<(String, Vec<Span>)> {
        let own = match self.dialect {
            Dialect::Postgres => "string_agg",
            Dialect::Mysql => "group_concat",
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Generic => return None,
        };
        if name == own || call.over.is_some() || call.filter.is_some() {
            return None;
        }
        let (value, separator) = self.separated(name, list, arguments)?;
        let mut holes = vec![self.spans.expr_span(value)?];
        let order = self.order(call, list, &mut holes)?;
        let distinct = distinct(list);
        let template = if self.dialect == Dialect::Mysql {
            format!("GROUP_CONCAT({distinct}{{0}}{order} SEPARATOR {separator})")
        } else if self.is_text(value) {
            format!("STRING_AGG({distinct}{{0}}, {separator}{order})")
        } else if distinct.is_empty() || order.is_empty() {
            format!("STRING_AGG({distinct}CAST({{0}} AS TEXT), {separator}{order})")
        } else {
            return None; // sorts by what it puts out only
        };
        Some((template, holes))
    }

    /// Finds what is joined and by which text.
    fn separated<'e>(
        &self,
        name: &str,
        list: &FunctionArgumentList,
        arguments: &[&'e Expr],
    ) -> Option<(&'e Expr, String)> {
        let clause = list.clauses.iter().find_map(|clause| match clause {
            FunctionArgumentClause::Separator(value) => Some(value.to_string()),
            _ => None,
        });
        let usual = if name == "listagg" { "''" } else { "','" };
        match arguments {
            [value] => Some((value, clause.unwrap_or_else(|| usual.to_owned()))),
            [value, separator @ Expr::Value(_)] if clause.is_none() => {
                Some((value, self.text(separator)?.to_owned()))
            }
            _ => None,
        }
    }

    /// Writes ORDER BY of an aggregate; its keys go into holes.
    fn order(
        &self,
        call: &Function,
        list: &FunctionArgumentList,
        holes: &mut Vec<Span>,
    ) -> Option<String> {
        let inside = list.clauses.iter().find_map(|clause| match clause {
            FunctionArgumentClause::OrderBy(keys) => Some(keys.as_slice()),
            _ => None,
        });
        let keys: &[OrderByExpr] = inside.unwrap_or(&call.within_group);
        let mut words = Vec::new();
        for key in keys {
            words.push(format!(
                "{{{}}}{}",
                holes.len(),
                if matches!(key.options.sort, Some(OrderBySort::Desc)) { " DESC" } else { "" }
            ));
            holes.push(self.spans.expr_span(&key.expr)?);
        }
        let list = words.join(", ");
        Some(if list.is_empty() { list } else { format!(" ORDER BY {list}") })
    }
}

fn distinct(list: &FunctionArgumentList) -> &'static str {
    if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) { "DISTINCT " } else { "" }
}
