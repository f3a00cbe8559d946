//! DuckDB: its own files, and Parquet, CSV and JSON files as tables of a database in memory.
//!
//! What belongs here: everything that only DuckDB has. What must never come: a text from outside
//! that is given to the driver before `proof::read_only` let it through.
//!
//! Three things keep it from writing, each by itself: `proof` reads a statement by the engine's own
//! parser and lets only those through that read; the file is opened read only, with every other
//! file, every extension and every setting locked away (`open`); and each statement runs in a
//! read-only transaction on a connection of its own.
//! To add a fact of the catalog: ask for it in `catalog`.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::super::results::ResultStore;
use super::super::server::Wire;
use super::super::{DatabaseError, Limits, Trouble};
use super::line::{Ended, Line, Seat, broken, late};
use super::reading::{self, command};
use crate::domain::{Catalog, Dialect, EnginePlan, Stage};

mod catalog;
mod files;
mod open;
mod plan;
mod proof;
mod trouble;

use open::Source;

/// Time for questions about the structure.
const ASKING: Duration = Duration::from_mins(1);

/// An opened DuckDB.
struct Duckdb {
    /// The address as typed.
    shown: String,
    source: Source,
    version: String,
    line: Line,
}

/// Opens a DuckDB file, or Parquet, CSV and JSON files; returns it with its address.
pub(in super::super) async fn connect(
    address: &str,
) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    let (line, source, version) = open::open(address).await?;
    let opened = Duckdb { shown: address.to_owned(), source, version, line };
    Ok((address.to_owned(), Box::new(opened)))
}

impl Duckdb {
    fn ended(ended: Ended, after: Duration) -> Trouble {
        match ended {
            Ended::Trouble(trouble) => trouble,
            Ended::Late => late(after),
            Ended::Unopened(error) => trouble::say(&error, Stage::Connection, ""),
            Ended::Broken => broken("DuckDB").into(),
        }
    }

    /// Asks a question about the structure.
    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Seat) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let ended = self.line.work(ASKING, work).await;
        ended.map_err(|ended| match Self::ended(ended, ASKING) {
            Trouble::Database(error) => error,
            Trouble::Query(failure) => DatabaseError::Lost {
                what: format!("the tables of {} can't be read: {}", self.shown, failure.message()),
                hint: "Try the same with another version of DuckDB; QUERENT_DUCKDB says which is used.".to_owned(),
            },
        })
    }
}

/// Proves that a statement only reads, and begins a transaction in which nothing else can be done.
///
/// It ends with the connection, which serves one statement only.
fn guarded(seat: &mut Seat, sql: &str) -> Result<(), Trouble> {
    proof::read_only(seat, sql)?;
    command(seat, "BEGIN TRANSACTION READ ONLY")
        .map_err(|error| trouble::say(&error, Stage::Connection, sql))
}

impl Wire for Duckdb {
    fn engine(&self) -> String {
        format!("duckdb {} · read-only", self.version)
    }

    fn dialect(&self) -> Dialect {
        Dialect::Duckdb
    }

    fn notices(&self) -> Vec<String> {
        self.source.notices(&self.shown)
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        Box::pin(self.line.settled(within))
    }

    fn stamp(&self) -> BoxFuture<'_, Result<String, DatabaseError>> {
        let stamp = format!("duckdb {} {}", self.version, self.source.stamp());
        Box::pin(std::future::ready(Ok(stamp)))
    }

    fn catalog(&self) -> BoxFuture<'_, Result<Catalog, DatabaseError>> {
        let source = self.source.clone();
        Box::pin(self.ask(move |seat| catalog::read(seat, &source)))
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        let text = sql.to_owned();
        Box::pin(async move {
            let work = move |seat: &mut Seat| plan::prepare(seat, &text);
            self.line.work(ASKING, work).await.map_err(|ended| Self::ended(ended, ASKING))
        })
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        let text = sql.to_owned();
        Box::pin(async move {
            let work = move |seat: &mut Seat| plan::plan(seat, &text);
            self.line.work(ASKING, work).await.map_err(|ended| Self::ended(ended, ASKING))
        })
    }

    fn stream<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: &'a ResultStore,
    ) -> BoxFuture<'a, Result<Option<String>, Trouble>> {
        Box::pin(async move {
            let run = reading::stream(&self.line, trouble::say, sql, limits, into, guarded, |_| {});
            run.await.map_err(|ended| Self::ended(ended, limits.timeout))
        })
    }
}
