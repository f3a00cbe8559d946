//! SQLite files of every condition: what is read of good ones, what is said of bad ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use querent::database::{self, Database, DatabaseError, Limits, OpenOptions, ResultStore, Trouble};
use querent::domain::{ColumnKind, Failure, Rows, Stage, Value};
use rusqlite::Connection;
use tempfile::TempDir;

const LIMITS: Limits = Limits { timeout: Duration::from_mins(1), max_rows: None };

/// A database file of its own, removed at the end of the test.
struct Made {
    folder: TempDir,
    path: PathBuf,
}

fn made(sql: &str) -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    let connection = Connection::open(&path).expect("made");
    connection.execute_batch(sql).expect("filled");
    Made { folder, path }
}

async fn open(path: &Path) -> Result<Arc<dyn Database>, DatabaseError> {
    let address = path.to_str().expect("a plain path").to_owned();
    database::open(&address, &OpenOptions { cache: None }).await
}

async fn opened(made: &Made) -> Arc<dyn Database> {
    open(&made.path).await.expect("opened")
}

async fn refused(path: &Path) -> DatabaseError {
    match open(path).await {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

async fn run(database: &dyn Database, sql: &str) -> Result<Rows, Trouble> {
    database.run(sql, LIMITS, Arc::new(ResultStore::new())).await
}

fn failure<T: std::fmt::Debug>(result: Result<T, Trouble>) -> Failure {
    match result {
        Err(Trouble::Query(failure)) => failure,
        other => panic!("no failure of the query: {other:?}"),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

// ---- files that are no good database

#[tokio::test]
async fn a_missing_file_is_said_and_never_made() {
    let made = made("CREATE TABLE t (a)");
    let missing = made.folder.path().join("shopp.db");
    let error = refused(&missing).await;
    assert!(error.to_string().contains("there is no file"), "{error}");
    assert!(error.hint().contains("never creates") && error.hint().contains("shop.db"));
    assert!(!missing.exists());
}

#[tokio::test]
async fn a_folder_is_said_with_the_databases_in_it() {
    let made = made("CREATE TABLE t (a)");
    let error = refused(made.folder.path()).await;
    assert!(error.to_string().contains("is a folder"), "{error}");
    assert!(error.hint().contains("shop.db"), "{}", error.hint());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.db");
    std::fs::write(&path, "not a database at all, ".repeat(100)).expect("written");
    let error = refused(&path).await;
    assert!(error.to_string().contains("is no SQLite database"), "{error}");
}

#[tokio::test]
async fn an_empty_file_is_a_database_without_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").expect("written");
    let database = open(&path).await.expect("opened");
    assert!(database.catalog(false).await.expect("a catalog").tables.is_empty());
    assert!(database.values().await.expect("values").is_empty());
}

#[tokio::test]
async fn a_locked_file_is_said_after_a_bounded_wait() {
    let made = made("CREATE TABLE t (a)");
    let other = Connection::open(&made.path).expect("opened");
    other.execute_batch("BEGIN EXCLUSIVE").expect("locked");
    let error = refused(&made.path).await;
    assert!(matches!(error, DatabaseError::Locked { .. }), "{error:?}");
    other.execute_batch("COMMIT").expect("unlocked");
    opened(&made).await;
}

#[tokio::test]
async fn a_lock_that_comes_later_is_trouble_of_the_database_not_of_the_query() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    let other = Connection::open(&made.path).expect("opened");
    other.execute_batch("BEGIN EXCLUSIVE").expect("locked");
    let ran = run(&*database, "SELECT * FROM t").await;
    assert!(matches!(ran, Err(Trouble::Database(DatabaseError::Locked { .. }))), "{ran:?}");
}

#[tokio::test]
async fn damaged_pages_are_said_and_the_rest_stays_readable() {
    let made = made(
        "CREATE TABLE good (a); INSERT INTO good VALUES (1); CREATE TABLE bad (b);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         INSERT INTO bad SELECT printf('%0100d', i) FROM n",
    );
    let mut bytes = std::fs::read(&made.path).expect("read");
    // pages 1 to 3 hold the schema and the roots; what follows are leaves of `bad`
    let from = 4 * 4096;
    bytes[from..].fill(0xA5);
    std::fs::write(&made.path, bytes).expect("written");
    let database = opened(&made).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    assert!(catalog.unreadable.iter().any(|why| why.starts_with("rows of bad: ")), "{catalog:?}");
    assert_eq!(run(&*database, "SELECT a FROM good").await.expect("rows").row_count, 1);
    let ran = run(&*database, "SELECT max(b) FROM bad").await;
    assert!(matches!(ran, Err(Trouble::Database(DatabaseError::Lost { .. }))), "{ran:?}");
}

#[tokio::test]
async fn a_view_that_cannot_be_read_is_listed_as_such() {
    let made = made(
        "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t; CREATE TABLE u (b)",
    );
    let catalog = opened(&made).await.catalog(false).await.expect("a catalog");
    assert_eq!(catalog.tables.len(), 1);
    assert!(catalog.unreadable[0].starts_with("v: "), "{:?}", catalog.unreadable);
}

#[tokio::test]
async fn a_file_that_another_program_is_writing_is_read_as_it_was() {
    let made = made("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    let database = opened(&made).await;
    let writer = Connection::open(&made.path).expect("opened");
    writer.execute_batch("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)").expect("written");
    let count = run(&*database, "SELECT count(*) FROM t").await.expect("rows");
    assert_eq!(count.rows, [[Value::Integer(1)]]);
    writer.execute_batch("COMMIT").expect("committed");
    let count = run(&*database, "SELECT count(*) FROM t").await.expect("rows");
    assert_eq!(count.rows, [[Value::Integer(2)]]);
}

// ---- odd names and values

#[tokio::test]
async fn odd_names_reach_the_catalog_and_can_be_measured() {
    let made = made(
        r#"CREATE TABLE "order ""x"" 📈" ("select" INTEGER, "a b" TEXT, "it's" TEXT);
           INSERT INTO "order ""x"" 📈" VALUES (1, 'one', 'two')"#,
    );
    let database = opened(&made).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let name = catalog.tables[0].name.clone();
    assert_eq!(name, "order \"x\" 📈");
    let columns: Vec<&str> = catalog.tables[0].columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(columns, ["select", "a b", "it's"]);
    let stats = database.statistics(&[name.clone()]).await.expect("statistics");
    assert_eq!(stats[2].max, Some(text("two")));
    let samples = database.samples(&[name], 3).await.expect("samples");
    assert_eq!(samples[0].rows, [[Value::Integer(1), text("one"), text("two")]]);
}

#[tokio::test]
async fn odd_values_keep_their_bytes() {
    let made = made(
        "CREATE TABLE t (a TEXT, b BLOB); INSERT INTO t VALUES (CAST(x'610062' AS TEXT), x'00ff'),
         (CAST(x'636166e9' AS TEXT), NULL), ('big', zeroblob(3000000))",
    );
    let database = opened(&made).await;
    let store = Arc::new(ResultStore::new());
    database.run("SELECT a, b FROM t", LIMITS, Arc::clone(&store)).await.expect("rows");
    let rows = store.page(0..3).rows;
    assert_eq!(rows[0], [text("a\0b"), Value::Blob(vec![0, 255])]);
    assert_eq!(rows[1], [Value::Malformed(b"caf\xe9".to_vec()), Value::Null]);
    assert_eq!(rows[2][1], Value::Blob(vec![0; 3_000_000]));
    let values = database.values().await.expect("values");
    assert_eq!(values[0].values, ["a\0b", "big"]);
    assert!(!values[0].complete, "a value that is no text is missing from the list");
}

// ---- the engine's verdict

async fn verdict(sql: &str) -> Failure {
    let made = made(
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, price_cents INTEGER, room INTEGER);
         CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT)",
    );
    failure(opened(&made).await.prepare(sql).await)
}

#[tokio::test]
async fn each_error_has_its_code_and_its_place() {
    let cases = [
        ("SELECT price FROM bookings", "no_such_column", Some("price")),
        ("SELECT b.price FROM bookings b", "no_such_column", Some("b.price")),
        ("SELECT 1 FROM reservations", "no_such_table", Some("reservations")),
        ("SELECT id FROM bookings, rooms", "ambiguous_column", Some("id")),
        ("SELECT id FROMM bookings WHERE", "syntax_error", None),
        ("SELECT price_cents::float FROM bookings", "syntax_error", Some(":")),
        ("SELECT date_trunc('month', id) FROM bookings", "no_such_function", Some("date_trunc")),
        ("SELECT id FROM bookings WHERE sum(id) > 1", "misuse_of_aggregate", Some("sum")),
        ("SELECT id, room FROM bookings UNION SELECT id FROM rooms", "setop_column_mismatch", None),
        ("SELECT substr() FROM rooms", "wrong_arguments", Some("substr")),
        ("SELECT (SELECT id, room FROM bookings)", "subquery_columns", None),
        ("SELECT id FROM bookings WHERE room = ?", "unbound_parameter", None),
        ("SELECT 1; SELECT 2", "multiple_statements", Some("SELECT")),
        ("-- nothing", "empty", None),
    ];
    for (sql, code, place) in cases {
        let failure = verdict(sql).await;
        assert_eq!((failure.stage, failure.code()), (Stage::Prepare, code), "{sql}: {failure:?}");
        if let Some(place) = place {
            let span = failure.span().unwrap_or_else(|| panic!("{sql}: no place: {failure:?}"));
            assert_eq!(span.of(sql), place, "{sql}: {failure:?}");
        }
    }
}

#[tokio::test]
async fn whatever_writes_is_policy_and_is_not_retried() {
    for sql in [
        "DELETE FROM rooms",
        "WITH x AS (SELECT 1) INSERT INTO rooms SELECT 1, 'a' FROM x",
        "SELECT 1; DROP TABLE rooms",
        "PRAGMA user_version = 1",
        "PRAGMA table_info(rooms)",
        "ATTACH ':memory:' AS other",
        "VACUUM INTO '/nonexistent/copy.db'",
        "SELECT load_extension('x')",
        "BEGIN",
    ] {
        let failure = verdict(sql).await;
        assert_eq!((failure.stage, failure.code()), (Stage::Policy, "write"), "{sql}: {failure:?}");
        assert!(!failure.retryable, "{sql}");
    }
}

#[tokio::test]
async fn a_pragma_used_as_a_table_is_policy_too() {
    let made = made("CREATE TABLE t (a)");
    let failure = failure(run(&*opened(&made).await, "SELECT * FROM pragma_table_info('t')").await);
    assert_eq!((failure.stage, failure.code()), (Stage::Policy, "write"), "{failure:?}");
}

// ---- running

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

// ---- facts

#[tokio::test]
async fn kinds_follow_what_is_stored() {
    let made = made(
        "CREATE TABLE t (day TEXT, born DATE, name TEXT, n);
         INSERT INTO t VALUES ('2024-03-01', '2001-01-01', 'x', 1), (NULL, NULL, 'y', 2)",
    );
    let catalog = opened(&made).await.catalog(false).await.expect("a catalog");
    let kinds: Vec<ColumnKind> = catalog.tables[0].columns.iter().map(|c| c.kind).collect();
    use ColumnKind::{Date, Integer, Text};
    assert_eq!(kinds, [Date, Date, Text, Integer]);
}

#[tokio::test]
async fn a_changed_file_is_noticed_and_a_refresh_forgets_the_cache() {
    let made = made("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')");
    let cache = tempfile::tempdir().expect("a folder");
    let options = OpenOptions { cache: Some(cache.path().to_owned()) };
    let address = made.path.to_str().expect("a plain path");
    let database = database::open(address, &options).await.expect("opened");
    let first = database.catalog(false).await.expect("a catalog");
    assert_eq!(database.values().await.expect("values")[0].values, ["x"]);
    assert!(Arc::ptr_eq(&first, &database.catalog(false).await.expect("a catalog")));

    let again = database::open(address, &options).await.expect("opened");
    assert_eq!(*again.catalog(false).await.expect("a catalog"), *first, "from the cache");

    let other = Connection::open(&made.path).expect("opened");
    other.execute_batch("CREATE TABLE u (b); INSERT INTO t VALUES ('y')").expect("changed");
    let second = database.catalog(false).await.expect("a catalog");
    assert_eq!(second.tables.len(), 2);
    assert_ne!(second.version, first.version);
    assert_eq!(database.values().await.expect("values")[0].values, ["x", "y"]);
}

#[tokio::test]
async fn another_file_under_the_same_name_is_another_database() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    assert_eq!(database.catalog(false).await.expect("a catalog").tables[0].name, "t");
    std::fs::remove_file(&made.path).expect("removed");
    let other = Connection::open(&made.path).expect("made");
    other.execute_batch("CREATE TABLE v (a)").expect("filled");
    assert_eq!(database.catalog(false).await.expect("a catalog").tables[0].name, "v");
}

// ---- demo databases

#[tokio::test]
async fn demos_are_built_once_and_by_several_programs_at_once() {
    let cache = tempfile::tempdir().expect("a folder");
    let options = OpenOptions { cache: Some(cache.path().to_owned()) };
    let opening = (0..3).map(|_| database::open("demo", &options));
    for opened in futures_util::future::join_all(opening).await {
        let catalog = opened.expect("opened").catalog(false).await.expect("a catalog");
        assert!(catalog.tables.iter().any(|table| table.name == "bookings"));
        assert_eq!(catalog.database, "demo:reservo");
    }
    let built = std::fs::read_dir(cache.path().join("demo")).expect("the folder").count();
    assert_eq!(built, 1, "one file, no drafts left behind");
}

#[tokio::test]
async fn a_demo_needs_no_cache_folder() {
    for options in
        [OpenOptions { cache: None }, OpenOptions { cache: Some(PathBuf::from("/proc/nowhere")) }]
    {
        let database = database::open("demo:reservo", &options).await.expect("opened");
        let rows = run(&*database, "SELECT count(*) FROM bookings").await.expect("rows");
        assert_eq!(rows.rows, [[Value::Integer(23)]]);
    }
}
