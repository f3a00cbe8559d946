//! SQLite files, read only.
//!
//! What belongs here: everything that speaks to SQLite. What must never come: a write, or SQL from
//! outside that runs past `verdict::prepare`.
//! To add a fact of the catalog: read it in `structure`, clean it in `catalog`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::cache::{Cache, Stamp};
use super::demo::TemporaryFolder;
use super::profile;
use super::results::ResultStore;
use super::session::{Lane, Lanes, Length, Watch};
use super::{Database, DatabaseError, Limits, Trouble};
use crate::domain::{Catalog, ColumnStats, Dialect, EnginePlan, Rows, Sample, ValueList};

mod catalog;
mod ddl;
mod files;
mod inferred;
mod kinds;
mod look;
mod measure;
mod open;
mod plan;
mod run;
mod structure;
mod tokens;
mod trouble;
mod verdict;

use open::Mode;

/// Rows of a probe.
const PROBE_ROWS: u64 = 200;
/// Time for measuring; what is not measured by then is marked unknown.
const MEASURING: Duration = Duration::from_secs(20);
/// Time for the first rows of tables; a view may be slow.
const SAMPLING: Duration = Duration::from_secs(5);

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

#[derive(Default)]
struct Known {
    stamp: Stamp,
    catalog: Option<Arc<Catalog>>,
    values: Option<Arc<Vec<ValueList>>>,
    statistics: Option<profile::ByTable>,
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

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what tells that the file changed, and forgets what was known of a former state.
    async fn stamp(&self) -> Result<Stamp, DatabaseError> {
        let stamp = self.work(Length::Quick, None, |lane, _, path| {
            structure::schema_version(lane)
                .map(|version| files::stamp(path, version))
                .map_err(|error| trouble::opening(&error, path))
        });
        let stamp = stamp.await??;
        let mut known = self.known();
        if known.stamp != stamp {
            *known = Known { stamp: stamp.clone(), ..Known::default() };
        }
        Ok(stamp)
    }

    /// Keeps something in memory, unless the file changed meanwhile.
    fn learn(&self, stamp: &Stamp, put: impl FnOnce(&mut Known)) {
        let mut known = self.known();
        if known.stamp == *stamp {
            put(&mut known);
        }
    }

    async fn read_catalog(&self, refresh: bool) -> Result<Arc<Catalog>, DatabaseError> {
        let stamp = self.stamp().await?;
        if refresh {
            *self.known() = Known { stamp: stamp.clone(), ..Known::default() };
        }
        if let Some(catalog) = self.known().catalog.clone() {
            return Ok(catalog);
        }
        let kept = if refresh { None } else { self.cache.load("catalog", &stamp) };
        let mut catalog: Catalog = if let Some(kept) = kept {
            kept
        } else {
            let read = self.work(Length::Long, None, catalog::read).await??;
            self.cache.store("catalog", &stamp, &read);
            read
        };
        catalog.database.clone_from(&self.address);
        let catalog = Arc::new(catalog);
        self.learn(&stamp, |known| known.catalog = Some(Arc::clone(&catalog)));
        Ok(catalog)
    }

    async fn read_statistics(&self, tables: &[String]) -> Result<Vec<ColumnStats>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let stamp = self.known().stamp.clone();
        let kept = self.known().statistics.clone();
        let mut known = match kept {
            Some(known) => known,
            None => self.cache.load("statistics", &stamp).unwrap_or_default(),
        };
        let missing = profile::missing(&catalog, tables, &known);
        if !missing.is_empty() {
            let from = Arc::clone(&catalog);
            let measured = self.work(Length::Long, Some(MEASURING), move |lane, watch, path| {
                look::statistics(lane, watch, path, &from, &missing)
            });
            known.extend(measured.await??);
            self.cache.store("statistics", &stamp, &known);
        }
        let columns = profile::of_tables(&catalog, tables, &known);
        self.learn(&stamp, |now| now.statistics.get_or_insert_default().extend(known));
        Ok(columns)
    }

    async fn read_values(&self) -> Result<Arc<Vec<ValueList>>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let stamp = self.known().stamp.clone();
        if let Some(values) = self.known().values.clone() {
            return Ok(values);
        }
        let kept = self.cache.load::<Vec<ValueList>>("values", &stamp);
        let values = if let Some(kept) = kept {
            kept
        } else {
            let read = self.work(Length::Long, None, move |lane, watch, path| {
                look::values(lane, watch, path, &catalog)
            });
            let read = read.await??;
            self.cache.store("values", &stamp, &read);
            read
        };
        let values = Arc::new(values);
        self.learn(&stamp, |known| known.values = Some(Arc::clone(&values)));
        Ok(values)
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
        Box::pin(async move {
            let catalog = self.read_catalog(false).await?;
            let tables = tables.to_vec();
            let read = self.work(Length::Quick, Some(SAMPLING), move |lane, _, path| {
                look::samples(lane, path, &catalog, &tables, rows)
            });
            read.await?
        })
    }
}

/// Writes a name so that SQLite takes it for a name, whatever it holds.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
