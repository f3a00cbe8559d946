//! How often rows are repeated, counted on the query's own FROM and WHERE.

use crate::domain::schema::TableKind;
use crate::domain::{Dialect, Span, Value};
use crate::sql::dialect::quote;
use crate::sql::scope::{AggregateUse, Place, Scope};

use super::super::Before;
use super::super::look::Probed;
use super::joined::{At, relation};

/// What is known of how often rows are repeated.
pub(super) enum Factor {
    /// To be asked.
    Ask(String),
    /// The data can't tell.
    Unknown,
    /// Each row comes once.
    None,
    /// Rows of the join, and of the table among them.
    Times { joined: f64, rows: f64 },
}

/// Counts joined rows against distinct rows of a table within each group.
pub(super) fn factor(look: &Before<'_>, at: At) -> Factor {
    asked(look, probe_sql(look, at))
}

/// Counts distinct rows of a table against the distinct amounts that DISTINCT leaves of them.
pub(super) fn dropped(look: &Before<'_>, at: At, aggregate: &AggregateUse) -> Factor {
    let sql = || {
        let amount = look.text(aggregate.argument?);
        let amount = amount.trim_start_matches("DISTINCT").trim();
        let cut = Cut::of(look, at)?;
        let known = match cut.filter {
            Some(filter) => format!("({}) AND ({amount}) IS NOT NULL", filter),
            None => format!("({amount}) IS NOT NULL"),
        };
        let count = |keys: Vec<String>| {
            let keys = keys.join(", ");
            let (with, clause) = (&cut.with, cut.clause);
            format!(
                "(SELECT COUNT(*) FROM ({with}SELECT 1 {clause} WHERE {known} GROUP BY {keys}) AS kept)"
            )
        };
        let rows = count([cut.groups.clone(), cut.own.clone()].concat());
        let amounts = count([cut.groups.clone(), vec![amount.to_owned()]].concat());
        Some(format!("SELECT {rows}, {amounts}"))
    };
    asked(look, sql())
}

fn asked(look: &Before<'_>, sql: Option<String>) -> Factor {
    let Some(sql) = sql else { return Factor::Unknown };
    let rows = match look.answer(&sql) {
        Probed::Open => return Factor::Ask(sql),
        Probed::Lost => return Factor::Unknown,
        Probed::Rows(rows) => rows,
    };
    let number = |at: usize| rows.rows.first().and_then(|row| row.get(at)).and_then(Value::number);
    match (number(0), number(1)) {
        (Some(joined), Some(rows)) if rows > 0.0 && joined > rows => Factor::Times { joined, rows },
        (_, Some(_)) => Factor::None,
        _ => Factor::Unknown,
    }
}

/// Writes the query that counts the joined rows, and the distinct rows of a table among them.
pub(super) fn probe_sql(look: &Before<'_>, at: At) -> Option<String> {
    let Cut { with, clause, filter, mut groups, own } = Cut::of(look, at)?;
    let filter = filter.map_or(String::new(), |filter| format!(" WHERE {filter}"));
    groups.extend(own);
    let counted = format!("SELECT COUNT(*) AS n {clause}{filter} GROUP BY {}", groups.join(", "));
    Some(format!("{with}SELECT SUM(n), COUNT(*) FROM ({counted}) AS counted"))
}

/// A SELECT taken apart.
struct Cut<'a> {
    /// The WITH that its tables may stand in, with a space behind; else empty.
    with: String,
    /// FROM and its tables.
    clause: &'a str,
    filter: Option<&'a str>,
    /// What is grouped by.
    groups: Vec<String>,
    /// The key of the measured table.
    own: Vec<String>,
}

impl<'a> Cut<'a> {
    fn of(look: &Before<'a>, at: At) -> Option<Self> {
        let (scope, relation) = relation(look, at)?;
        if is_tied_outside(look, scope) {
            return None;
        }
        let table = look.catalog.table(relation.table()?)?;
        let text = look.query.text();
        let first = scope.relations.first()?.span.start;
        let from = text.get(..first)?.to_ascii_uppercase().rfind("FROM")?;
        let named = |output: Option<usize>| Some(scope.outputs.get(output?)?.span);
        let groups = scope.group_by.iter();
        let groups = groups.map(|key| named(key.output).unwrap_or(key.span).of(text).to_owned());
        let (name, dialect) = (quote(&relation.name, look.query.dialect()), look.query.dialect());
        let hidden = ["rowid".to_owned()];
        let own = match table.primary_key.as_slice() {
            [] if dialect == Dialect::Sqlite && table.kind == TableKind::Table => &hidden,
            [] => return None,
            columns => columns,
        };
        Some(Cut {
            with: with(look, scope),
            clause: text.get(from..scope.from_end?)?,
            filter: scope.filter.map(|span| span.of(text)),
            groups: groups.collect(),
            own: own.iter().map(|column| format!("{name}.{}", quote(column, dialect))).collect(),
        })
    }
}

/// Writes the CTEs that a SELECT can see.
fn with(look: &Before<'_>, scope: &Scope) -> String {
    let Some(with) = &look.query.query().with else { return String::new() };
    let before = |name: &str| {
        let mut scopes = look.binding.scopes.iter();
        scopes.any(|body| {
            let named = matches!(&body.place, Place::Cte(cte) if cte.eq_ignore_ascii_case(name));
            named && body.span.end <= scope.span.start
        })
    };
    let seen = with.cte_tables.iter().filter(|cte| before(&cte.alias.name.value));
    let seen: Vec<String> = seen.map(ToString::to_string).collect();
    let recursive = if with.recursive { "RECURSIVE " } else { "" };
    if seen.is_empty() { String::new() } else { format!("WITH {recursive}{} ", seen.join(", ")) }
}

/// Tells whether a SELECT reads columns of one around it.
fn is_tied_outside(look: &Before<'_>, scope: &Scope) -> bool {
    let within = |span: Span| scope.span.start <= span.start && span.end <= scope.span.end;
    let columns = look.binding.columns.iter().filter(|used| within(used.span));
    let outside = |at: usize| look.binding.scopes.get(at).is_none_or(|other| !within(other.span));
    let mut tied = columns.filter_map(|used| used.relation);
    tied.any(|(at, _)| outside(at))
}
