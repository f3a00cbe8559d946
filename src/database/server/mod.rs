//! Engines reached through a connection or a foreign driver: what all of them share.
//!
//! What belongs here: caching of the catalog, samples, statistics and stored values by bounded
//! queries, look-ups. What must never come: anything that only one engine has; that is in its `Wire`.
//! To add an engine: a folder beside this one that implements `Wire`, and an arm in `super::open`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::cache::Cache;
use super::results::ResultStore;
use super::{Database, DatabaseError, Limits, LookUp, Looked, Trouble};
use crate::domain::{
    Catalog, ColumnStats, Dialect, EnginePlan, Rows, Sample, Table, Value, ValueList,
};

mod keys;
mod known;
mod look;
mod lookup;
pub(super) mod stopping;
mod values;

use known::Known;

/// Rows of a probe.
const PROBE_ROWS: u64 = 200;

/// What one engine speaks. Every future may be dropped at any time: dropping it cancels the
/// statement in the engine, and `settled` tells when that is done.
///
/// Each statement runs alone, in a read-only transaction or session of the engine's own: the second
/// wall against writes, which holds whatever text comes in.
pub(super) trait Wire: Send + Sync {
    /// Returns engine and version, for example `postgresql 15.3 · read-only`.
    fn engine(&self) -> String;

    /// Returns the dialect.
    fn dialect(&self) -> Dialect;

    /// Lists what a person should know of the connection, as sentences.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Waits until every cancelled statement has really stopped; false when one has not in time.
    fn settled(&self, within: Duration) -> BoxFuture<'_, bool>;

    /// Returns a text that differs when tables, columns or keys differ; one cheap question.
    fn stamp(&self) -> BoxFuture<'_, Result<String, DatabaseError>>;

    /// Reads tables, columns and keys; row counts are the engine's own estimates, never counted.
    fn catalog(&self) -> BoxFuture<'_, Result<Catalog, DatabaseError>>;

    /// Returns what the engine itself keeps of these tables' columns; columns it keeps nothing of
    /// are left out, and are measured from a bounded sample.
    fn kept<'a>(
        &'a self,
        tables: &'a [&'a Table],
    ) -> BoxFuture<'a, Result<Vec<ColumnStats>, DatabaseError>> {
        let _ = tables;
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Lets the engine prepare a statement without running it.
    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Asks the engine how it would run a statement, and what it expects that to cost.
    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>>;

    /// Runs one statement and streams its rows into `into`, within limits.
    ///
    /// Leaves `into` unfinished: the caller finishes it, whatever comes. Returns why it stopped
    /// before the last row, if it did.
    fn stream<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: &'a ResultStore,
    ) -> BoxFuture<'a, Result<Option<String>, Trouble>>;
}

/// An opened server or foreign engine.
pub(super) struct Server {
    address: String,
    wire: Box<dyn Wire>,
    cache: Cache,
    /// What is known of the database as it was last seen; held to look or to replace, never while
    /// the engine works.
    known: Mutex<Known>,
}

impl Server {
    /// Makes a database of an opened connection; `address` holds no password.
    pub(super) fn new(address: &str, wire: Box<dyn Wire>, cache: Option<&std::path::Path>) -> Self {
        Server {
            address: address.to_owned(),
            wire,
            cache: Cache::new(cache, std::path::Path::new(address)),
            known: Mutex::default(),
        }
    }

    /// Reads the rows of a small query of ours.
    async fn rows(
        &self,
        sql: &str,
        most: u64,
        within: Duration,
    ) -> Result<Vec<Vec<Value>>, Trouble> {
        let store = ResultStore::new();
        let limits = Limits { timeout: within, max_rows: Some(most) };
        self.wire.stream(sql, limits, &store).await?;
        Ok(store.page(0..most).rows)
    }
}

/// Finishes a result when its reading ends, also when the future is dropped: a reader must never
/// wait for rows that won't come.
struct Finish<'a> {
    into: &'a ResultStore,
    stopped: Option<String>,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.into.finish(self.stopped.take());
    }
}

impl Database for Server {
    fn engine(&self) -> String {
        self.wire.engine()
    }

    fn dialect(&self) -> Dialect {
        self.wire.dialect()
    }

    fn notices(&self) -> Vec<String> {
        self.wire.notices()
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        self.wire.settled(within)
    }

    fn catalog(&self, refresh: bool) -> BoxFuture<'_, Result<Arc<Catalog>, DatabaseError>> {
        Box::pin(self.read_catalog(refresh))
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        self.wire.prepare(sql)
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        self.wire.plan(sql)
    }

    fn run<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: Arc<ResultStore>,
    ) -> BoxFuture<'a, Result<Rows, Trouble>> {
        Box::pin(async move {
            let mut finish =
                Finish { into: &into, stopped: Some("the statement was interrupted".to_owned()) };
            match self.wire.stream(sql, limits, &into).await {
                Ok(stopped) => {
                    finish.stopped = stopped;
                    drop(finish);
                    Ok(into.head())
                }
                Err(trouble) => {
                    finish.stopped = Some(trouble.words());
                    Err(trouble)
                }
            }
        })
    }

    fn probe<'a>(&'a self, sql: &'a str, limits: Limits) -> BoxFuture<'a, Result<Rows, Trouble>> {
        let most = limits.max_rows.unwrap_or(PROBE_ROWS).min(PROBE_ROWS);
        self.run(sql, Limits { max_rows: Some(most), ..limits }, Arc::default())
    }

    fn statistics<'a>(
        &'a self,
        tables: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<ColumnStats>, DatabaseError>> {
        Box::pin(self.read_statistics(tables))
    }

    fn values(&self) -> BoxFuture<'_, Result<Arc<Vec<ValueList>>, DatabaseError>> {
        Box::pin(self.read_values())
    }

    fn samples<'a>(
        &'a self,
        tables: &'a [String],
        rows: usize,
    ) -> BoxFuture<'a, Result<Vec<Sample>, DatabaseError>> {
        Box::pin(self.read_samples(tables, rows))
    }

    fn generation(&self) -> u64 {
        self.known().generation
    }

    fn look_up<'a>(
        &'a self,
        wanted: &'a [LookUp],
        within: Duration,
    ) -> BoxFuture<'a, Result<Vec<Looked>, DatabaseError>> {
        Box::pin(self.look_texts_up(wanted, within))
    }
}

/// Passes on trouble with the connection; that one table can't be read is no such trouble.
fn blame_database<T>(trouble: Trouble, instead: T) -> Result<T, DatabaseError> {
    match trouble {
        Trouble::Database(error) => Err(error),
        Trouble::Query(_) => Ok(instead),
    }
}
