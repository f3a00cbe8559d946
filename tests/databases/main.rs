//! Databases of every condition: what is read of good ones, what is said of bad ones.

#![expect(clippy::panic, reason = "a test ends at the first wrong value")]
#![allow(clippy::print_stdout, reason = "what is skipped or measured is said")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use querent::database::{self, Database, DatabaseError, Limits, OpenOptions, ResultStore, Trouble};
use querent::domain::{Failure, Rows, Value};
use rusqlite::Connection;
use tempfile::TempDir;

#[cfg(feature = "adbc")]
mod adbc;
mod changes;
#[cfg(feature = "adbc")]
mod distributed;
#[cfg(feature = "adbc")]
mod duckdb;
#[cfg(feature = "adbc")]
mod duckdb_attacks;
#[cfg(feature = "adbc")]
mod duckdb_running;
mod facts;
mod files;
mod mysql;
mod network;
mod plans;
mod postgres;
mod running;
mod suite;
mod verdicts;

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
    database::open(&address, &OpenOptions::default()).await
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
