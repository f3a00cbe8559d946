//! Statements that run: their columns, limits, errors, and how they are stopped.

use std::sync::Arc;
use std::time::Duration;

use querent::database::{Limits, ResultStore};
use querent::domain::{Stage, Value};

use super::{LIMITS, failure, made, opened, run};

#[tokio::test]
async fn columns_tell_name_type_and_origin() {
    let made = made(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(9)); INSERT INTO t VALUES (1, NULL), (2, 'x')",
    );
    let database = opened(&made).await;
    let sql = "SELECT v AS w, id, nullif(id, 1) * 0.5, max(v, 'a'), NULL FROM t";
    let rows = run(&*database, sql).await.expect("rows");
    let told: Vec<(&str, &str, Option<&str>)> = rows
        .columns
        .iter()
        .map(|c| (c.name.as_str(), c.data_type.as_str(), c.origin.as_deref()))
        .collect();
    assert_eq!(told[0], ("w", "VARCHAR(9)", Some("t.v")));
    assert_eq!(told[1], ("id", "INTEGER", Some("t.id")));
    assert_eq!(told[2], ("nullif(id, 1) * 0.5", "real", None));
    assert_eq!(told[3].1, "text");
    assert_eq!(told[4].1, "");
}

#[tokio::test]
async fn a_column_without_a_declared_type_is_called_by_all_of_its_values() {
    let made = made(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, free, n INTEGER);
         INSERT INTO t VALUES (1, 1.5, 1), (2, 'x', 2), (3, NULL, 'three')",
    );
    let database = opened(&made).await;
    let sql = "SELECT free, n, CASE WHEN id = 1 THEN 2 ELSE 2.5 END, id * 2, x'00' FROM t";
    let rows = run(&*database, sql).await.expect("rows");
    let types: Vec<&str> = rows.columns.iter().map(|c| c.data_type.as_str()).collect();
    // a declared type stays, whatever is stored; numbers of both kinds are reals together
    assert_eq!(types, ["mixed", "INTEGER", "real", "integer", "blob"]);
}

const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
const MANY: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n";

#[tokio::test]
async fn a_statement_that_takes_too_long_is_a_limit() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    let limits = Limits { timeout: Duration::from_millis(50), max_rows: None };
    let store = Arc::new(ResultStore::new());
    let failure = failure(database.run(ENDLESS, limits, Arc::clone(&store)).await);
    assert_eq!((failure.stage, failure.code()), (Stage::Limit, "timeout"));
    assert!(store.finished());
}

#[tokio::test]
async fn a_dropped_statement_counts_as_settled_only_once_the_engine_has_stopped() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    assert!(database.settled(Duration::ZERO).await, "nothing works");
    let store = Arc::new(ResultStore::new());
    let statement = database.run(ENDLESS, LIMITS, Arc::clone(&store));
    // long enough to be at work, shorter than its limit
    let cut_off = tokio::time::timeout(Duration::from_millis(30), statement).await;
    assert!(cut_off.is_err(), "an endless statement ended");
    assert!(database.settled(Duration::from_mins(1)).await);
    assert!(store.finished(), "the engine was still at work");
}

#[tokio::test]
async fn rows_stop_at_the_limit_and_only_then_are_truncated() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    for (limit, rows, truncated) in [(10, 10, true), (3000, 3000, true), (5000, 3000, true)] {
        let limits = Limits { max_rows: Some(limit), ..LIMITS };
        let store = Arc::new(ResultStore::new());
        let kept = database.run(MANY, limits, Arc::clone(&store)).await.expect("rows");
        assert_eq!((kept.row_count, kept.truncated), (rows, truncated), "limit {limit}");
        assert_eq!(store.stopped().is_some(), limit == 10, "limit {limit}");
        assert_eq!(store.page(rows - 1..rows).rows, [[Value::Integer(rows.cast_signed())]]);
    }
}

#[tokio::test]
async fn errors_of_running_are_failures_of_the_run() {
    let made = made("CREATE TABLE t (a); INSERT INTO t VALUES (9223372036854775807), ('{x')");
    let database = opened(&made).await;
    for (sql, code) in [
        ("SELECT abs(-9223372036854775807 - 1)", "integer_overflow"),
        ("SELECT json_extract(a, '$.b') FROM t WHERE typeof(a) = 'text'", "malformed_json"),
        ("SELECT zeroblob(1000000000)", "too_big"),
    ] {
        let failure = failure(run(&*database, sql).await);
        assert_eq!((failure.stage, failure.code()), (Stage::Run, code), "{failure:?}");
        assert!(failure.retryable);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_run_stops_the_engine_and_the_database_goes_on() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    let store = Arc::new(ResultStore::new());
    let limits = Limits { timeout: Duration::from_hours(1), max_rows: None };
    let running = database.run(ENDLESS, limits, Arc::clone(&store));
    assert!(tokio::time::timeout(Duration::from_millis(50), running).await.is_err());
    // the store is finished by the thread, as the last thing it does
    while !store.finished() {
        tokio::task::yield_now().await;
    }
    assert_eq!(run(&*database, "SELECT 1").await.expect("rows").row_count, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prepare_never_waits_behind_running_statements() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    let limits = Limits { timeout: Duration::from_hours(1), max_rows: None };
    let running = (0..6).map(|_| database.run(ENDLESS, limits, Arc::new(ResultStore::new())));
    let all = futures_util::future::join_all(running);
    tokio::select! {
        _ = all => panic!("endless statements ended"),
        prepared = async {
            tokio::task::yield_now().await;
            database.prepare("SELECT a FROM t").await
        } => prepared.expect("prepared"),
    }
}
