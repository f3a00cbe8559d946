//! Files that are missing, damaged, locked, changing, or demos built by us.

use std::path::PathBuf;

use querent::database::{self, DatabaseError, OpenOptions, Trouble};
use querent::domain::Value;
use rusqlite::Connection;

use super::{made, open, opened, refused, run};

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

#[tokio::test]
async fn demos_are_built_once_and_by_several_programs_at_once() {
    let cache = tempfile::tempdir().expect("a folder");
    let options = OpenOptions { cache: Some(cache.path().to_owned()), ..OpenOptions::default() };
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
    for options in [None, Some(PathBuf::from("/proc/nowhere"))]
        .map(|cache| OpenOptions { cache, ..OpenOptions::default() })
    {
        let database = database::open("demo:reservo", &options).await.expect("opened");
        let rows = run(&*database, "SELECT count(*) FROM bookings").await.expect("rows");
        assert_eq!(rows.rows, [[Value::Integer(23)]]);
    }
}

#[tokio::test]
async fn a_broken_demo_in_the_cache_is_built_anew() {
    let cache = tempfile::tempdir().expect("a folder");
    let options = OpenOptions { cache: Some(cache.path().to_owned()), ..OpenOptions::default() };
    drop(database::open("demo:reservo", &options).await.expect("opened"));
    let built = std::fs::read_dir(cache.path().join("demo")).expect("the folder").next();
    let path = built.expect("a file").expect("an entry").path();
    std::fs::write(&path, "broken ".repeat(1000)).expect("written");
    let database = database::open("demo:reservo", &options).await.expect("opened");
    let rows = run(&*database, "SELECT count(*) FROM bookings").await.expect("rows");
    assert_eq!(rows.rows, [[Value::Integer(23)]]);
}
