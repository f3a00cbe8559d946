//! SQLite files, read only.
//!
//! What belongs here: everything that speaks to SQLite. What must never come: a write, or SQL from
//! outside that runs past `verdict::prepare`.
//! To add a fact of the catalog: read it in `structure`, clean it in `catalog`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::cache::Cache;
use super::demo::TemporaryFolder;
use super::results::ResultStore;
use super::session::{Lane, Lanes, Length, Watch};
use super::{Database, DatabaseError, Limits, LookUp, Looked, Trouble};
use crate::domain::{Catalog, ColumnStats, Dialect, EnginePlan, Rows, Sample, ValueList};

mod catalog;
mod ddl;
mod files;
mod kinds;
mod known;
mod look;
mod lookup;
mod measure;
mod open;
mod plan;
mod renew;
mod run;
mod scan;
mod structure;
mod tokens;
mod trouble;
mod values;
mod verdict;
pub(super) mod version;

use known::Known;
use open::Mode;

/// Rows of a probe.
const PROBE_ROWS: u64 = 200;

/// An opened SQLite file.
pub(super) struct Sqlite {
    address: String,
    path: PathBuf,
    mode: Mode,
    lanes: Lanes,
    cache: Cache,
    /// What is known of the file as it was last seen; held to look or to replace, never while
    /// the engine works.
    known: Mutex<Known>,
    /// A demo without a cache folder lives as long as its database is open.
    _temporary: Option<TemporaryFolder>,
}

/// Opens a file.
pub(super) async fn open(
    address: &str,
    path: &Path,
    cache: Option<&Path>,
    temporary: Option<TemporaryFolder>,
) -> Result<Sqlite, DatabaseError> {
    // an absolute path can't be read as a URI or as `:memory:`
    let path = std::path::absolute(path).map_err(|error| DatabaseError::Open {
        what: format!("{} is no path: {error}", path.display()),
        hint: "Give the path of a SQLite file.".to_owned(),
    })?;
    let opening = path.clone();
    let opened = tokio::task::spawn_blocking(move || open::first(&opening)).await;
    let (first, mode) = opened.unwrap_or_else(|_| {
        Err(DatabaseError::Open {
            what: "opening ended unexpectedly".to_owned(),
            hint: "Check that the file is a SQLite database.".to_owned(),
        })
    })?;
    let again = path.clone();
    Ok(Sqlite {
        address: address.to_owned(),
        mode,
        lanes: Lanes::new(Arc::new(move || open::again(&again, mode)), first),
        cache: Cache::new(cache, &path),
        path,
        known: Mutex::default(),
        _temporary: temporary,
    })
}

impl Sqlite {
    async fn work<T: Send + 'static>(
        &self,
        length: Length,
        timeout: Option<Duration>,
        job: impl FnOnce(&Lane, &Watch, &Path) -> T + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let path = self.path.clone();
        let now = files::identity(&self.path);
        self.lanes.work(length, timeout, now, move |lane, watch| job(lane, watch, &path)).await
    }
}

impl Database for Sqlite {
    fn engine(&self) -> String {
        let version: Vec<&str> = rusqlite::version().split('.').take(2).collect();
        let still = if self.mode == Mode::Still { " · still picture" } else { "" };
        format!("sqlite {} · read-only{still}", version.join("."))
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn notices(&self) -> Vec<String> {
        if self.mode == Mode::Live {
            return Vec::new();
        }
        let folder = self.path.parent().unwrap_or(&self.path).display();
        let log = files::beside(&self.path, "-wal");
        let unseen = match std::fs::metadata(&log) {
            Ok(found) if found.len() > 0 => {
                format!(" The newest changes, in {}, are not seen.", log.display())
            }
            Ok(_) | Err(_) => String::new(),
        };
        vec![format!(
            "{} is read as a still picture, because {folder} can't be written.{unseen}",
            self.address
        )]
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        Box::pin(self.lanes.settled(within))
    }

    fn catalog(&self, refresh: bool) -> BoxFuture<'_, Result<Arc<Catalog>, DatabaseError>> {
        Box::pin(self.read_catalog(refresh))
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        let sql = sql.to_owned();
        let prepared = self.work(Length::Quick, None, move |lane, _, path| {
            verdict::prepare(lane, &sql, path).map(|_| ())
        });
        Box::pin(async { prepared.await.map_err(Trouble::Database)? })
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        let sql = sql.to_owned();
        let planned = self.work(Length::Quick, None, move |lane, watch, path| {
            plan::plan(lane, watch, &sql, path)
        });
        Box::pin(async { planned.await.map_err(Trouble::Database)? })
    }

    fn run<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: Arc<ResultStore>,
    ) -> BoxFuture<'a, Result<Rows, Trouble>> {
        let sql = sql.to_owned();
        let ran = self.work(Length::Long, Some(limits.timeout), move |lane, watch, path| {
            run::run(lane, watch, &sql, limits, &into, path)
        });
        Box::pin(async { ran.await.map_err(Trouble::Database)? })
    }

    fn probe<'a>(&'a self, sql: &'a str, limits: Limits) -> BoxFuture<'a, Result<Rows, Trouble>> {
        let most = limits.max_rows.unwrap_or(PROBE_ROWS).min(PROBE_ROWS);
        let limits = Limits { max_rows: Some(most), ..limits };
        let sql = sql.to_owned();
        let ran = self.work(Length::Quick, Some(limits.timeout), move |lane, watch, path| {
            run::run(lane, watch, &sql, limits, &ResultStore::new(), path)
        });
        Box::pin(async { ran.await.map_err(Trouble::Database)? })
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
        Box::pin(async move {
            let catalog = self.read_catalog(false).await?;
            let wanted = wanted.to_vec();
            let looked = self.work(Length::Quick, Some(within), move |lane, watch, path| {
                lookup::look_up(lane, watch, path, &catalog, &wanted)
            });
            looked.await?
        })
    }
}

/// Writes a name so that SQLite takes it for a name, whatever it holds.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
