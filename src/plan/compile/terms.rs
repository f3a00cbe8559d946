//! Terms, conditions and names of one query as SQL text.

use crate::domain::plan::{Aggregate, Comparison, Condition, Operand, Term};
use crate::domain::{Catalog, Column, ColumnKind, ColumnRef, Dialect, Plan, Value};
use crate::sql::dialect::{literal, quote, quote_table};

/// The names of one query: aliases where there are joins, bare names else.
pub(super) struct Names<'a> {
    catalog: &'a Catalog,
    tables: &'a [String],
    joined: bool,
    depth: usize,
}

impl<'a> Names<'a> {
    pub(super) fn new(plan: &'a Plan, catalog: &'a Catalog, depth: usize) -> Self {
        Names { catalog, tables: &plan.tables, joined: !plan.joins.is_empty(), depth }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.catalog.dialect
    }

    /// `T1`, `T2`, … by place; a nested query has letters of its own.
    pub(super) fn alias(&self, table: &str) -> String {
        let at = self.tables.iter().position(|t| t.eq_ignore_ascii_case(table)).unwrap_or(0);
        let letter = ["T", "S", "U", "V"].get(self.depth).copied().unwrap_or("W");
        format!("{letter}{}", at + 1)
    }

    /// A table in FROM.
    pub(super) fn table(&self, table: &str) -> String {
        let name = self.catalog.table(table).map_or(table, |t| t.name.as_str());
        let quoted = quote_table(name, self.dialect());
        if self.joined { format!("{quoted} AS {}", self.alias(table)) } else { quoted }
    }

    /// A column, qualified where there are joins.
    pub(super) fn column(&self, at: &ColumnRef) -> Result<String, String> {
        if !self.tables.iter().any(|t| t.eq_ignore_ascii_case(&at.table)) {
            return Err(format!("the plan uses {at} without its table"));
        }
        let name = self.catalog.column(at).map_or(at.column.as_str(), |c| c.name.as_str());
        let quoted = quote(name, self.dialect());
        Ok(if self.joined { format!("{}.{quoted}", self.alias(&at.table)) } else { quoted })
    }

    /// SQL of a person or model: `table.` becomes the table's alias where there are joins.
    fn sql(&self, sql: &str) -> String {
        if !self.joined {
            return sql.to_owned();
        }
        let mut out = String::new();
        let mut rest = sql;
        while let Some(first) = rest.chars().next() {
            let length = if first == '\'' || first == '"' {
                rest.char_indices()
                    .skip(1)
                    .find(|(_, c)| *c == first)
                    .map_or(rest.len(), |(n, _)| n + 1)
            } else if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, tail) = rest.split_at(length);
            let table = self.tables.iter().find(|t| t.eq_ignore_ascii_case(token));
            match table.filter(|_| tail.starts_with('.') && !out.ends_with('.')) {
                Some(table) => out.push_str(&self.alias(table)),
                None => out.push_str(token),
            }
            rest = tail;
        }
        out
    }

    fn meta(&self, term: &Term) -> Option<&Column> {
        match term {
            Term::Column(at) => self.catalog.column(at),
            Term::Star | Term::Aggregate { .. } | Term::Sql(_) => None,
        }
    }

    /// A nested plan in parentheses.
    fn nested(&self, plan: &Plan) -> Result<String, String> {
        Ok(format!("({})", super::query::query(plan, self.catalog, self.depth + 1)?))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Writes a term.
pub(super) fn term(term_: &Term, names: &Names<'_>) -> Result<String, String> {
    match term_ {
        Term::Column(at) => names.column(at),
        Term::Star => Ok("*".to_owned()),
        Term::Sql(sql) => Ok(names.sql(sql)),
        Term::Aggregate { function, of, distinct } => {
            let inner = term(of, names)?;
            if matches!(**of, Term::Star) && *function != Aggregate::Count {
                return Err(format!("{} of all columns has no meaning", function.sql()));
            }
            let distinct = if *distinct { "DISTINCT " } else { "" };
            Ok(format!("{}({distinct}{inner})", function.sql()))
        }
    }
}

/// Writes a condition.
pub(super) fn condition(condition_: &Condition, names: &Names<'_>) -> Result<String, String> {
    match condition_ {
        Condition::Compare { left, by, right } => compare(left, *by, right, names),
        Condition::Null { left, not } => {
            Ok(format!("{} IS {}NULL", term(left, names)?, if *not { "NOT " } else { "" }))
        }
        Condition::Any(any) => {
            let texts: Vec<String> =
                any.iter().map(|c| condition(c, names)).collect::<Result<_, _>>()?;
            if texts.is_empty() {
                return Err("a condition of the plan has no parts".to_owned());
            }
            Ok(format!("({})", texts.join(" OR ")))
        }
        Condition::Sql(sql) => Ok(format!("({})", names.sql(sql))),
    }
}

fn compare(
    left: &Term,
    by: Comparison,
    right: &Operand,
    names: &Names<'_>,
) -> Result<String, String> {
    let column = names.meta(left);
    let value = |v: &Value| value(v, column, names.dialect());
    let left_text = term(left, names)?;
    let right_text = match right {
        Operand::Value(v) => value(v),
        Operand::Values(values) => {
            format!("({})", values.iter().map(value).collect::<Vec<_>>().join(", "))
        }
        Operand::Range(low, high) => format!("{} AND {}", value(low), value(high)),
        Operand::Term(other) => term(other, names)?,
        Operand::Plan(plan) => names.nested(plan)?,
    };
    let left_text = match (column, right, by) {
        // Numbers kept as text would be compared letter by letter.
        (
            Some(column),
            Operand::Value(Value::Integer(_) | Value::Real(_)),
            Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual,
        ) if column.kind == ColumnKind::Text => {
            format!("CAST({left_text} AS {})", real(names.dialect()))
        }
        _ => left_text,
    };
    Ok(format!("{left_text} {} {right_text}", operator(by, names.dialect())))
}

fn real(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "REAL",
        Dialect::Postgres | Dialect::Duckdb | Dialect::Generic => "DOUBLE PRECISION",
        Dialect::Mysql => "DOUBLE",
    }
}

/// Writes a comparison; a pattern is meant in any letter case, which `LIKE` minds on some engines.
fn operator(by: Comparison, dialect: Dialect) -> &'static str {
    let minds_case = matches!(dialect, Dialect::Postgres | Dialect::Duckdb);
    match by {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
        Comparison::Like if minds_case => "ILIKE",
        Comparison::Like => "LIKE",
        Comparison::NotLike if minds_case => "NOT ILIKE",
        Comparison::NotLike => "NOT LIKE",
        Comparison::In => "IN",
        Comparison::NotIn => "NOT IN",
        Comparison::Between => "BETWEEN",
    }
}

/// Writes a value as its column wants it: a number for a number column even when given as text.
fn value(value: &Value, column: Option<&Column>, dialect: Dialect) -> String {
    let numeric = column.is_some_and(|c| c.kind.is_number());
    match value {
        Value::Text(text) if numeric && text.parse::<f64>().is_ok_and(f64::is_finite) => {
            text.clone()
        }
        Value::Text(text) => literal(text, dialect),
        Value::Integer(n @ (0 | 1))
            if dialect == Dialect::Postgres
                && column.is_some_and(|c| c.kind == ColumnKind::Boolean) =>
        {
            if *n == 1 {
                "TRUE".to_owned()
            } else {
                "FALSE".to_owned()
            }
        }
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            value.literal()
        }
    }
}
