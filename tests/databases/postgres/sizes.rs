//! Large databases and large results: how long they take, and that memory stays bounded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::database::{Limits, ResultStore};
use querent::domain::Value;

use super::super::run;
use super::served;

/// Writes the statement that makes tables, each with a key to the one before.
fn tables(count: u32) -> String {
    format!(
        "DO $$ BEGIN FOR n IN 1..{count} LOOP \
           EXECUTE format('CREATE TABLE table_%s (id int PRIMARY KEY, name text NOT NULL, kind varchar(10), \
             amount numeric(10,2) DEFAULT 0, made date, changed timestamptz, other int)', n); \
           IF n > 1 THEN EXECUTE format('ALTER TABLE table_%s ADD FOREIGN KEY (other) REFERENCES table_%s (id)', n, n - 1); END IF; \
           IF n % 500 = 0 THEN COMMIT; END IF; \
         END LOOP; END $$"
    )
}

#[tokio::test]
async fn a_catalog_of_five_thousand_tables_is_read_once() {
    let Some(served) = served("five_thousand").await else { return };
    served.fill(&tables(5000)).await;
    served.fill("VACUUM pg_class, pg_attribute, pg_constraint, pg_index").await;
    let database = served.open().await;
    let begin = Instant::now();
    let catalog = database.catalog(false).await.expect("a catalog");
    let first = begin.elapsed();
    assert_eq!((catalog.tables.len(), catalog.keys.len()), (5000, 4999));
    let begin = Instant::now();
    let again = database.catalog(false).await.expect("a catalog");
    let unchanged = begin.elapsed();
    assert!(Arc::ptr_eq(&catalog, &again));
    println!("5,000 tables: {first:?} first, {unchanged:?} unchanged");
}

#[tokio::test]
async fn ten_thousand_tables_can_be_opened_and_asked() {
    let Some(served) = served("ten_thousand").await else { return };
    served.fill(&tables(10_000)).await;
    let database = served.open().await;
    let begin = Instant::now();
    let catalog = database.catalog(false).await.expect("a catalog");
    println!("10,000 tables: {:?} first", begin.elapsed());
    assert_eq!(catalog.tables.len(), 10_000);
    let rows = run(&*database, "SELECT count(*) FROM table_9999 JOIN table_10000 ON true").await;
    assert_eq!(rows.expect("rows").rows, [[Value::Integer(0)]]);
}

#[tokio::test]
async fn a_table_of_sixteen_hundred_columns_is_whole() {
    let Some(served) = served("wide").await else { return };
    let columns: Vec<String> = (1..=1600).map(|n| format!("c{n} smallint")).collect();
    served.fill(&format!("CREATE TABLE wide ({})", columns.join(", "))).await;
    served.fill("INSERT INTO wide (c1, c1600) VALUES (1, 1600); ANALYZE wide").await;
    let database = served.open().await;
    let catalog = database.catalog(false).await.expect("a catalog");
    assert_eq!(catalog.table("wide").map(|table| table.columns.len()), Some(1600));
    let rows = run(&*database, "SELECT * FROM wide").await.expect("a row");
    assert_eq!((rows.rows[0].len(), &rows.rows[0][1599]), (1600, &Value::Integer(1600)));
    assert_eq!(rows.columns[1599].origin.as_deref(), Some("wide.c1600"));
    let stats = database.statistics(&["wide".to_owned()]).await.expect("statistics");
    assert_eq!(stats.len(), 1600);
}

#[tokio::test]
async fn a_million_rows_arrive_in_bounded_memory() {
    let Some(served) = served("million").await else { return };
    let database = served.open().await;
    let sql = "SELECT n, 'row ' || n AS name, n / 4.0 AS quarter, NULL AS nothing \
               FROM generate_series(1, 1000000) n";
    let before = peak();
    let begin = Instant::now();
    let store = Arc::new(ResultStore::new());
    let limits = Limits { timeout: Duration::from_mins(5), max_rows: None };
    let rows = database.run(sql, limits, Arc::clone(&store)).await.expect("rows");
    println!("1,000,000 rows in {:?}, {} MiB more", begin.elapsed(), (peak() - before) >> 10);
    assert_eq!((rows.row_count, store.count()), (1_000_000, 1_000_000));
    let last = store.page(999_999..1_000_000);
    let expected = [
        Value::Integer(1_000_000),
        Value::Text("row 1000000".into()),
        Value::Real(250_000.0),
        Value::Null,
    ];
    assert_eq!(last.rows, [expected]);
    assert!(peak() - before < 100 << 10, "the result takes more than 100 MiB");
}

/// The most memory that this process ever had, in KiB; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn a_slow_reader_holds_the_server_back_and_not_the_memory() {
    let Some(served) = served("stopping").await else { return };
    let database = served.open().await;
    let limits = Limits { timeout: Duration::from_mins(1), max_rows: Some(1000) };
    let begin = Instant::now();
    // it has no end that anyone would wait for: only the limit stops it
    let sql = "SELECT generate_series(1, 1000000000000) AS n";
    let rows = database.run(sql, limits, Arc::new(ResultStore::new())).await.expect("rows");
    assert_eq!(rows.row_count, 1000);
    assert!(database.settled(Duration::from_secs(5)).await);
    assert_eq!(served.running("1000000000000").await, 0);
    println!("stopped at its limit after {:?}", begin.elapsed());
}
