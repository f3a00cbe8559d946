//! DuckDB at work: cancelling, time-outs, rows in bounded memory, two at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::domain::Stage;

use super::duckdb::{duck, opened_duck};
use super::*;

/// Runs for hours.
const ENDLESS: &str = "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) = 5";
/// Returns rows for hours.
const FLOOD: &str = "SELECT i, repeat('x', 200) AS x FROM range(1000000000000) t(i)";

#[tokio::test]
async fn a_dropped_statement_stops_in_duckdb_within_200_ms() {
    let Some(made) = duck(&[]) else { return };
    let database = opened_duck(&made).await;
    for sql in [ENDLESS, FLOOD] {
        let store = Arc::new(ResultStore::new());
        let run = database.run(sql, LIMITS, Arc::clone(&store));
        assert!(tokio::time::timeout(Duration::from_millis(300), run).await.is_err(), "{sql}");
        let dropped = Instant::now();
        assert!(database.settled(Duration::from_secs(5)).await, "{sql}");
        let took = dropped.elapsed();
        println!("stopped after {took:?}: {sql}");
        assert!(store.finished());
    }
    // and it goes on answering
    assert_eq!(run(&*database, "SELECT 1").await.expect("rows").rows, [[Value::Integer(1)]]);
}

#[tokio::test]
async fn a_time_out_is_a_limit_of_the_query() {
    let Some(made) = duck(&[]) else { return };
    let database = opened_duck(&made).await;
    let limits = Limits { timeout: Duration::from_millis(200), max_rows: None };
    let failure = failure(database.run(ENDLESS, limits, Arc::default()).await);
    assert_eq!((failure.stage, failure.code()), (Stage::Limit, "timeout"));
    assert!(database.settled(Duration::from_secs(5)).await);
}

#[tokio::test]
async fn rows_stop_at_the_bound_and_memory_stays_small() {
    let Some(made) = duck(&[]) else { return };
    let database = opened_duck(&made).await;
    let store = Arc::new(ResultStore::new());
    let limits = Limits { max_rows: Some(100_000), ..LIMITS };
    let before = resident();
    let head = database.run(FLOOD, limits, Arc::clone(&store)).await.expect("rows");
    assert_eq!(store.count(), 100_000);
    assert_eq!(head.stopped.as_deref(), Some("stopped after 100,000 rows, the limit given"));
    let grown = resident().saturating_sub(before);
    println!("100,000 rows of 200 bytes: {grown} KiB more in memory");
    assert!(grown < 300 * 1024, "{grown} KiB");
    assert!(database.settled(Duration::from_secs(5)).await);
}

#[tokio::test]
async fn statements_run_beside_each_other() {
    let Some(made) = duck(&["CREATE TABLE t AS SELECT i FROM range(1000) t(i)"]) else { return };
    let database = opened_duck(&made).await;
    let asked = (0..20i64).map(|n| {
        let database = Arc::clone(&database);
        async move {
            let sql = format!("SELECT sum(i) + {n} FROM t");
            run(&*database, &sql).await.expect("rows").rows
        }
    });
    let told = futures_util::future::join_all(asked).await;
    for (n, rows) in (0i64..).zip(told) {
        assert_eq!(rows, [[Value::Integer(499_500 + n)]]);
    }
}

#[tokio::test]
async fn what_one_statement_leaves_behind_does_not_meet_the_next() {
    let Some(made) = duck(&["CREATE TABLE t AS SELECT 'a' AS k, 1 AS n"]) else { return };
    let database = opened_duck(&made).await;
    run(&*database, "PIVOT t ON k USING sum(n)").await.expect("rows");
    let left = "SELECT count(*) FROM duckdb_types() WHERE NOT internal";
    assert_eq!(run(&*database, left).await.expect("rows").rows, [[Value::Integer(0)]]);
}

/// Reads the resident memory in KiB; 0 where the system doesn't tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
