//! Proves what a knowledge file says against a schema, and names every disagreement.

use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use crate::domain::{Catalog, ColumnRef, Dialect, Knowledge, Metric};
use crate::sql::nearest::nearest;
use crate::sql::{ReadQuery, bind, dialect};

use super::file::column_ref;

/// A disagreement between knowledge and schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Which entry: `metric loss_ratio`, `column claims.fraud`, `example 2`.
    pub entry: String,
    /// What is wrong, as a sentence.
    pub message: String,
}

/// Proves names, formulas and examples against a schema; empty means all agree.
///
/// Entries are looked at in the order of `Knowledge`; one entry may have several disagreements.
pub fn drift(knowledge: &Knowledge, catalog: &Catalog) -> Vec<Drift> {
    let mut found = Found::default();
    for (i, rule) in knowledge.rules.iter().enumerate() {
        let wrong = rule.about.iter().filter_map(|about| no_such_target(about, knowledge, catalog));
        found.add(&format!("rule {}", i + 1), wrong);
    }
    for metric in &knowledge.metrics {
        found.add(&format!("metric {}", metric.name), metric_drift(metric, catalog));
    }
    for (table, _) in &knowledge.tables {
        found.add(&format!("table {table}"), no_such_table(table, catalog));
    }
    for meaning in &knowledge.columns {
        found.add(&format!("column {}", meaning.at), no_such_column(&meaning.at, catalog));
    }
    for (i, join) in knowledge.joins.iter().enumerate() {
        let wrong = join.from.iter().chain(&join.to).filter_map(|at| no_such_column(at, catalog));
        found.add(&format!("join {}", i + 1), wrong);
    }
    for (word, target) in &knowledge.synonyms {
        found.add(&format!("synonym {word}"), no_such_target(target, knowledge, catalog));
    }
    for (i, example) in knowledge.examples.iter().enumerate() {
        found.add(&format!("example {}", i + 1), query_drift(&example.sql, catalog));
    }
    for at in &knowledge.deny {
        found.add(&format!("deny {at}"), no_such_column(at, catalog));
    }
    found.drifts
}

/// What was found so far.
#[derive(Default)]
struct Found {
    drifts: Vec<Drift>,
}

impl Found {
    fn add(&mut self, entry: &str, messages: impl IntoIterator<Item = String>) {
        let drift = |message| Drift { entry: entry.to_owned(), message };
        self.drifts.extend(messages.into_iter().map(drift));
    }
}

fn no_such_table(name: &str, catalog: &Catalog) -> Option<String> {
    if catalog.table(name).is_some() {
        return None;
    }
    let names = catalog.tables.iter().map(|table| table.name.as_str());
    Some(format!("table '{name}' doesn't exist. {}", hint(name, names, "Tables")))
}

fn no_such_column(at: &ColumnRef, catalog: &Catalog) -> Option<String> {
    let Some(table) = catalog.table(&at.table) else {
        return no_such_table(&at.table, catalog);
    };
    if table.column(&at.column).is_some() {
        return None;
    }
    let names = table.columns.iter().map(|column| column.name.as_str());
    let hint = hint(&at.column, names, "Columns");
    Some(format!("column '{}' doesn't exist in {}. {hint}", at.column, table.name))
}

/// Says what is wrong with a table or `table.column`.
fn no_such_place(name: &str, catalog: &Catalog) -> Option<String> {
    if catalog.table(name).is_some() {
        return None;
    }
    match column_ref(name) {
        Some(at) => no_such_column(&at, catalog),
        None => no_such_table(name, catalog),
    }
}

/// Says what is wrong with what a synonym stands for or a rule is about: a metric, a table or a
/// column.
fn no_such_target(name: &str, knowledge: &Knowledge, catalog: &Catalog) -> Option<String> {
    if knowledge.metrics.iter().any(|metric| metric.name == name) {
        return None;
    }
    let wrong = no_such_place(name, catalog)?;
    if column_ref(name).is_some() {
        return Some(wrong);
    }
    let tables = catalog.tables.iter().map(|table| table.name.as_str());
    let names = tables.chain(knowledge.metrics.iter().map(|metric| metric.name.as_str()));
    let hint = hint(name, names, "Tables and metrics");
    Some(format!("'{name}' is no table, column or metric. {hint}"))
}

/// Proposes the nearest name, or lists them all.
fn hint<'a>(wrong: &str, names: impl Iterator<Item = &'a str>, what: &str) -> String {
    let names: Vec<&str> = names.collect();
    match nearest(wrong, names.iter().copied()).first() {
        Some((close, _)) => format!("Did you mean {close}?"),
        None => format!("{what}: {}", names.join(", ")),
    }
}

fn metric_drift(metric: &Metric, catalog: &Catalog) -> Vec<String> {
    if metric.tables.is_empty() {
        return vec!["it lists no tables; name those that its formula needs".to_owned()];
    }
    let missing = metric.tables.iter().filter_map(|table| no_such_table(table, catalog));
    let missing: Vec<String> = missing.collect();
    if !missing.is_empty() {
        return missing;
    }
    let parts = [("formula", Some(&metric.formula)), ("filter", metric.filter.as_ref())];
    let parts = parts.into_iter().filter_map(|(what, text)| Some((what, text?)));
    parts.flat_map(|(what, text)| expression_drift(what, text, metric, catalog)).collect()
}

/// Proves a formula or filter: it must be one expression, and its names must bind to the tables.
fn expression_drift(what: &str, text: &str, metric: &Metric, catalog: &Catalog) -> Vec<String> {
    if let Err(why) = expression(text, catalog.dialect) {
        return vec![format!("its {what} is no SQL expression: {why}")];
    }
    let quoted = |table: &String| dialect::quote(table, catalog.dialect);
    let tables: Vec<String> = metric.tables.iter().map(quoted).collect();
    let sql = format!("SELECT {text} FROM {}", tables.join(", "));
    let wrong = query_drift(&sql, catalog).into_iter();
    wrong.map(|message| format!("in its {what}, {message}")).collect()
}

/// Reads a text as exactly one expression.
fn expression(text: &str, dialect: Dialect) -> Result<(), String> {
    let rules = dialect::parser(dialect);
    let mut parser = Parser::new(&*rules).try_with_sql(text).map_err(|e| e.to_string())?;
    parser.parse_expr().map_err(|e| e.to_string())?;
    let next = parser.next_token().token;
    if next == Token::EOF { Ok(()) } else { Err(format!("it goes on with '{next}' after its end")) }
}

/// Says why a query can't be read, or which of its names don't bind.
fn query_drift(sql: &str, catalog: &Catalog) -> Vec<String> {
    match ReadQuery::parse(sql, catalog.dialect) {
        Err(failure) => vec![failure.message()],
        Ok(query) => {
            bind(&query, catalog).diagnostics.into_iter().map(|found| found.message).collect()
        }
    }
}
