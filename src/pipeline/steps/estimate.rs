//! Estimate: the engine's own plan of the newest version, and what it says of the cost.

use std::time::Duration;

use crate::database::Limits;
use crate::domain::{Dialect, Estimate, Happened, Value};
use crate::sql::{self, ReadQuery};

use super::super::ask::Flow;
use super::super::cost;

/// Time and lines that a plan may take.
const PLAN: Limits = Limits { timeout: Duration::from_millis(500), max_rows: Some(200) };

/// Time in which a server plans: it is asked over a network.
const PLANNING: Duration = Duration::from_secs(2);

/// Asks the engine what the newest version will cost.
pub(super) async fn estimate(flow: &mut Flow) {
    let Some(attempt) = flow.transcript.attempt().cloned() else { return };
    let version = attempt.versions.len() - 1;
    let estimate = match flow.session.dialect() {
        Dialect::Sqlite => by_plan(flow, &attempt.last().sql).await,
        dialect @ (Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic) => {
            by_engine(flow, dialect, &attempt.last().sql).await
        }
    };
    flow.tell(Happened::Estimated { attempt: attempt.n, version, estimate }).await;
}

fn none(words: &str) -> Estimate {
    Estimate { rows: None, words: words.to_owned() }
}

/// Takes what a server itself expects.
async fn by_engine(flow: &Flow, dialect: Dialect, text: &str) -> Estimate {
    let planned = tokio::time::timeout(PLANNING, flow.session.database.plan(text)).await;
    match planned {
        Ok(Ok(plan)) => cost::expected(dialect, plan, &flow.facts.catalog),
        Ok(Err(_)) => none("no estimate: the engine shows no plan"),
        Err(_) => none("no estimate: the engine took too long to plan"),
    }
}

/// Reads SQLite's query plan: which tables are scanned whole, and inside which others.
async fn by_plan(flow: &Flow, text: &str) -> Estimate {
    let Ok(query) = ReadQuery::parse(text, flow.session.dialect()) else {
        return none("no estimate: our parser can't read it");
    };
    let plan = format!("EXPLAIN QUERY PLAN {text}");
    let Ok(rows) = flow.session.database.probe(&plan, PLAN).await else {
        return none("no estimate: the engine shows no plan");
    };
    let whole = |cell: Option<&Value>| match cell {
        Some(Value::Integer(n)) => *n,
        Some(
            Value::Null | Value::Real(_) | Value::Text(_) | Value::Blob(_) | Value::Malformed(_),
        )
        | None => 0,
    };
    let step = |row: &Vec<Value>| cost::PlanLine {
        id: whole(row.first()),
        parent: whole(row.get(1)),
        words: row.get(3).map(Value::plain).unwrap_or_default(),
    };
    let lines: Vec<cost::PlanLine> = rows.rows.iter().map(step).collect();
    let binding = sql::bind(&query, &flow.facts.catalog);
    cost::estimate(&lines, &binding, &flow.facts.catalog)
}
