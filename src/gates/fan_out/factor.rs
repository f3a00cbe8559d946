//! How often rows are repeated, counted on the query's own FROM and WHERE.

use crate::domain::schema::TableKind;
use crate::domain::{Dialect, Span, Value};
use crate::sql::scope::{AggregateUse, Place, Relation, Scope};

use super::super::Before;
use super::super::look::Probed;
use super::joined::At;

/// What is known of how often rows are repeated.
pub(super) enum Factor {
    /// To be asked.
    Ask(String),
    /// The data can't tell.
    Unknown,
    /// Each row comes once.
    None,
    /// Rows of the join, rows of the table among them, and groups.
    Times { joined: f64, rows: f64, groups: f64 },
}

/// Counts joined rows against distinct rows of a table within each group.
pub(super) fn factor(look: &Before<'_>, at: At) -> Factor {
    asked(look, counting(look, at.scope, &[at.relation]))
}

/// Counts distinct rows of a table against the distinct amounts that DISTINCT leaves of them.
pub(super) fn dropped(look: &Before<'_>, at: At, aggregate: &AggregateUse) -> Factor {
    let sql = || {
        let amount = look.text(aggregate.argument?);
        let amount = amount.trim_start_matches("DISTINCT").trim();
        let cut = Cut::of(look, at.scope, &[at.relation])?;
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
        (Some(joined), Some(rows)) if rows > 0.0 && joined > rows => {
            Factor::Times { joined, rows, groups: number(2).unwrap_or(1.0) }
        }
        (_, Some(_)) => Factor::None,
        _ => Factor::Unknown,
    }
}

/// Writes the query that counts the joined rows, and the combinations of rows of some tables, by the
/// names that they have in a SELECT.
pub(super) fn once_sql(look: &Before<'_>, index: usize, names: &[&str]) -> Option<String> {
    let scope = look.binding.scopes.get(index)?;
    let at = |name: &&str| scope.relations.iter().position(|relation| relation.name == **name);
    let relations: Option<Vec<usize>> = names.iter().map(at).collect();
    counting(look, index, &relations?)
}

/// Writes the query that counts how many values some columns have in one group at most.
pub(in crate::gates) fn values_sql(
    look: &Before<'_>,
    index: usize,
    columns: &[&str],
) -> Option<String> {
    let Cut { with, clause, filter, groups, .. } = Cut::of(look, index, &[])?;
    let filter = filter.map_or(String::new(), |filter| format!(" WHERE {filter}"));
    let group = if groups.is_empty() { "" } else { " GROUP BY " };
    let keys = groups.join(", ");
    let count = |(n, column): (usize, &&str)| format!("COUNT(DISTINCT {column}) AS n{n}");
    let counts: Vec<String> = columns.iter().enumerate().map(count).collect();
    let most: Vec<String> = (0..columns.len()).map(|n| format!("MAX(n{n})")).collect();
    let (counts, most) = (counts.join(", "), most.join(", "));
    Some(format!(
        "{with}SELECT {most} FROM (SELECT {counts} {clause}{filter}{group}{keys}) AS counted"
    ))
}

/// Writes the query that counts the joined rows, the distinct rows of some tables among them, and
/// the groups.
fn counting(look: &Before<'_>, index: usize, relations: &[usize]) -> Option<String> {
    let Cut { with, clause, filter, groups, own } = Cut::of(look, index, relations)?;
    let filter = filter.map_or(String::new(), |filter| format!(" WHERE {filter}"));
    let keys: Vec<String> =
        groups.iter().enumerate().map(|(n, key)| format!("{key} AS g{n}, ")).collect();
    let named: Vec<String> = (0..groups.len()).map(|n| format!("g{n}")).collect();
    let all = [groups.clone(), own].concat().join(", ");
    let (keys, named) = (keys.concat(), named.join(", "));
    let counted = format!("SELECT {keys}COUNT(*) AS n {clause}{filter} GROUP BY {all}");
    Some(if groups.is_empty() {
        format!("{with}SELECT SUM(n), COUNT(*), 1 FROM ({counted}) AS counted")
    } else {
        let each = format!(
            "SELECT SUM(n) AS n, COUNT(*) AS r FROM ({counted}) AS counted GROUP BY {named}"
        );
        format!("{with}SELECT SUM(n), SUM(r), COUNT(*) FROM ({each}) AS grouped")
    })
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
    /// The keys of the tables whose rows are counted.
    own: Vec<String>,
}

impl<'a> Cut<'a> {
    fn of(look: &Before<'a>, index: usize, relations: &[usize]) -> Option<Self> {
        let scope = look.binding.scopes.get(index)?;
        if is_tied_outside(look, scope) {
            return None;
        }
        let text = look.query.text();
        let first = scope.relations.first()?.span.start;
        let from = text.get(..first)?.to_ascii_uppercase().rfind("FROM")?;
        let named = |output: Option<usize>| Some(scope.outputs.get(output?)?.span);
        let groups = scope.group_by.iter();
        let groups = groups.map(|key| named(key.output).unwrap_or(key.span).of(text).to_owned());
        let keys = relations.iter().map(|at| key_of(look, scope.relations.get(*at)?));
        let keys: Option<Vec<Vec<String>>> = keys.collect();
        Some(Cut {
            with: with(look, scope),
            clause: text.get(from..scope.from_end?)?,
            filter: scope.filter.map(|span| span.of(text)),
            groups: groups.collect(),
            own: keys?.concat(),
        })
    }
}

/// Lists the columns that tell the rows of a table apart, qualified.
fn key_of(look: &Before<'_>, relation: &Relation) -> Option<Vec<String>> {
    let table = look.catalog.table(relation.table()?)?;
    let stored = look.query.dialect() == Dialect::Sqlite && table.kind == TableKind::Table;
    let hidden = ["rowid".to_owned()];
    let columns = match table.primary_key.as_slice() {
        [] if stored => &hidden,
        [] => return None,
        columns => columns,
    };
    let name = look.quoted(&relation.name);
    Some(columns.iter().map(|column| format!("{name}.{}", look.quoted(column))).collect())
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
