//! Examples and formulas put to the test: checked like SQL of one's own, then run within limits.

use std::fmt::Write;
use std::sync::Arc;

use crate::database::ResultStore;
use crate::domain::counts::grouped_digits;
use crate::domain::{Catalog, ForeignKey, Metric, Rows, Stage, Value};
use crate::sql::dialect::{quote, quote_table};

use super::super::opening::SessionError;
use super::super::steps::{Looked, examine};
use super::prove::{Outcome, Proved, Test, failed, sentence};

/// Runs the examples.
pub(super) async fn examples(test: &Test<'_>) -> Result<Vec<Proved>, SessionError> {
    let mut proved = Vec::new();
    for (n, pair) in test.facts.knowledge.examples.iter().enumerate() {
        let entry = format!("example {}", n + 1);
        if test.stands(&entry) {
            let outcome = run(test, &pair.sql).await?;
            proved.push(Proved { entry, what: pair.question.clone(), outcome });
        }
    }
    Ok(proved)
}

/// Runs the formulas of metrics, each over its tables joined by their keys.
pub(super) async fn metrics(test: &Test<'_>) -> Result<Vec<Proved>, SessionError> {
    let mut proved = Vec::new();
    for metric in &test.facts.knowledge.metrics {
        let entry = format!("metric {}", metric.name);
        if !test.stands(&entry) {
            continue;
        }
        let outcome = match whole(test, metric) {
            Ok(sql) => run(test, &sql).await?,
            Err(why) => Outcome::Failed(why),
        };
        proved.push(Proved { entry, what: metric.formula.clone(), outcome });
    }
    Ok(proved)
}

/// Checks a query as SQL of one's own is checked, and runs it if it passes.
async fn run(test: &Test<'_>, sql: &str) -> Result<Outcome, SessionError> {
    let looked = Looked {
        question: None,
        hint: None,
        understanding: None,
        facts: test.facts,
        plan: None,
        reading: None,
        probe: false,
    };
    let checked = examine(test.session, sql, &looked).await;
    if let Some(failure) = checked.failure {
        if failure.stage == Stage::Connection {
            let hint = failure.diagnostics.iter().flat_map(|d| d.suggestions.clone()).collect();
            return Err(SessionError::Database(crate::database::DatabaseError::Lost {
                what: sentence(&failure),
                hint,
            }));
        }
        return Ok(Outcome::Failed(sentence(&failure)));
    }
    let store = Arc::new(ResultStore::new());
    match test.session.database.run(sql, test.limits, store).await {
        Ok(rows) => Ok(of_rows(&rows)),
        Err(trouble) => failed(trouble),
    }
}

fn of_rows(rows: &Rows) -> Outcome {
    let said = rows.rows.iter().flatten().any(|value| !value.is_null());
    if rows.row_count == 0 || !said {
        return Outcome::Empty;
    }
    let value = match rows.rows.as_slice() {
        [row] => match row.as_slice() {
            [value] => Some(shown(value)),
            _ => None,
        },
        _ => None,
    };
    Outcome::Rows { count: rows.row_count, more: rows.stopped.is_some(), value }
}

fn shown(value: &Value) -> String {
    grouped_digits(&value.plain())
}

/// Writes a metric as a query of its own: its formula over its tables, joined by the cheapest keys.
fn whole(test: &Test<'_>, metric: &Metric) -> Result<String, String> {
    let catalog = &test.facts.catalog;
    let quoted = |name: &str| quote(name, catalog.dialect);
    let trees = test.session.graph(catalog).cheapest(&metric.tables);
    let Some(tree) = trees.first() else {
        return Err(format!(
            "no keys connect its tables {}; tell them as [[joins]]",
            metric.tables.join(", ")
        ));
    };
    let mut tables = tree.tables.iter();
    let first = tables.next().map_or(String::new(), |table| quote_table(table, catalog.dialect));
    let mut sql = format!("SELECT {} AS {} FROM {first}", metric.formula, quoted(&metric.name));
    for (table, key) in tables.zip(&tree.keys) {
        let _ =
            write!(sql, " JOIN {} ON {}", quote_table(table, catalog.dialect), pairs(key, catalog));
    }
    if let Some(filter) = &metric.filter {
        let _ = write!(sql, " WHERE {filter}");
    }
    Ok(sql)
}

fn pairs(key: &ForeignKey, catalog: &Catalog) -> String {
    let side = |table: &str, column: &str| {
        format!("{}.{}", quote_table(table, catalog.dialect), quote(column, catalog.dialect))
    };
    let pairs: Vec<String> = key
        .from_columns
        .iter()
        .zip(&key.to_columns)
        .map(|(from, to)| format!("{} = {}", side(&key.from_table, from), side(&key.to_table, to)))
        .collect();
    pairs.join(" AND ")
}
