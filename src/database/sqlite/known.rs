//! What is known of a file, as long as it stays as it was; read again when it changed.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use super::super::DatabaseError;
use super::super::cache::Stamp;
use super::super::profile;
use super::super::session::Length;
use super::{Sqlite, catalog, files, look, renew, structure, trouble, values};
use crate::domain::{Catalog, ColumnStats, Sample, ValueList};

/// Time for measuring; what is not measured by then is marked unknown.
const MEASURING: Duration = Duration::from_secs(20);
/// Time for the first rows of tables; a view may be slow.
const SAMPLING: Duration = Duration::from_secs(5);
/// Time for reading stored values; tables not read by then say so.
const LISTING: Duration = Duration::from_secs(8);

/// What is known of one moment of the file.
#[derive(Default)]
pub(super) struct Known {
    stamp: Stamp,
    /// Counts the moments; 0 before the first look.
    pub(super) generation: u64,
    catalog: Option<Arc<Catalog>>,
    /// The catalog was read whole at this moment, not renewed from a former one.
    whole: bool,
    /// A person asked to read this moment anew.
    refreshed: bool,
    /// The catalog of the moment before, and the engine's count of schema changes then.
    former: Option<(Arc<Catalog>, i64)>,
    values: Option<Arc<Vec<ValueList>>>,
    statistics: Option<profile::ByTable>,
    /// Tables whose statistics are in the cache folder.
    kept: usize,
}

impl Known {
    /// Begins a new moment; what was known before helps to read it.
    fn begin(&mut self, stamp: &Stamp) {
        let same_file = self.stamp.identity == stamp.identity;
        let before = self.stamp.schema_version;
        let catalog = self.catalog.take().map(|catalog| (catalog, before));
        let former = catalog.or_else(|| self.former.take()).filter(|_| same_file);
        *self = Known {
            stamp: stamp.clone(),
            generation: self.generation + 1,
            former,
            ..Known::default()
        };
    }
}

impl Sqlite {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what tells that the file changed, and forgets what was known of a former moment.
    async fn stamp(&self) -> Result<Stamp, DatabaseError> {
        let mut stamp = self.look().await?;
        if self.known().generation > 0 && files::written_over(&self.known().stamp, &stamp) {
            self.lanes.renew();
            stamp = self.look().await?;
            // another database under the name: nothing known of the former helps to read it
            self.known().catalog = None;
            self.known().former = None;
        }
        let mut known = self.known();
        if known.stamp != stamp {
            known.begin(&stamp);
        }
        Ok(stamp)
    }

    async fn look(&self) -> Result<Stamp, DatabaseError> {
        let stamp = self.work(Length::Quick, None, |lane, _, path| {
            structure::schema_version(lane)
                .map(|version| files::stamp(path, version))
                .map_err(|error| trouble::opening(&error, path))
        });
        stamp.await?
    }

    /// Keeps something in memory, unless the file changed meanwhile.
    fn learn(&self, stamp: &Stamp, put: impl FnOnce(&mut Known)) {
        let mut known = self.known();
        if known.stamp == *stamp {
            put(&mut known);
        }
    }

    pub(super) async fn read_catalog(&self, refresh: bool) -> Result<Arc<Catalog>, DatabaseError> {
        let stamp = self.stamp().await?;
        if refresh {
            let mut known = self.known();
            known.begin(&stamp);
            known.former = None;
            known.refreshed = true;
            drop(known);
            for what in ["statistics", "values"] {
                self.cache.forget(what);
            }
        } else if let Some(catalog) = self.known().catalog.clone() {
            return Ok(catalog);
        }
        let former = self.known().former.clone();
        let former = former.filter(|(catalog, _)| catalog.tables.len() >= renew::WIDE);
        if let Some((former, schema_version)) = former
            && let Some(catalog) = self.renewed(&stamp, former, schema_version).await?
        {
            self.learn(&stamp, |known| known.catalog = Some(Arc::clone(&catalog)));
            return Ok(catalog);
        }
        self.read_whole(&stamp, refresh).await
    }

    /// Takes a change into the catalog of a wide file, if that can be done.
    async fn renewed(
        &self,
        stamp: &Stamp,
        former: Arc<Catalog>,
        schema_version: i64,
    ) -> Result<Option<Arc<Catalog>>, DatabaseError> {
        if schema_version == stamp.schema_version {
            return Ok(Some(former));
        }
        let read = self.work(Length::Quick, None, move |lane, watch, path| {
            renew::read(lane, watch, path, &former)
        });
        let Some(mut catalog) = read.await?? else { return Ok(None) };
        catalog.database.clone_from(&self.address);
        Ok(Some(Arc::new(catalog)))
    }

    /// Reads the whole catalog; from the cache folder, where it has that of this moment.
    async fn read_whole(
        &self,
        stamp: &Stamp,
        refresh: bool,
    ) -> Result<Arc<Catalog>, DatabaseError> {
        let first = self.known().generation == 1 && !refresh;
        let kept = if first { self.cache.load("catalog", stamp) } else { None };
        let mut catalog: Catalog = if let Some(kept) = kept {
            kept
        } else {
            let read = self.work(Length::Long, None, catalog::read).await??;
            if first || refresh || read.tables.len() < renew::WIDE {
                self.cache.store("catalog", stamp, &read);
            }
            read
        };
        catalog.database.clone_from(&self.address);
        let catalog = Arc::new(catalog);
        self.learn(stamp, |known| {
            known.catalog = Some(Arc::clone(&catalog));
            known.whole = true;
            known.former = None;
        });
        Ok(catalog)
    }

    pub(super) async fn read_statistics(
        &self,
        tables: &[String],
    ) -> Result<Vec<ColumnStats>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let stamp = self.known().stamp.clone();
        let missing = {
            let mut known = self.known();
            if known.statistics.is_none() {
                let first = known.generation == 1;
                let kept = if first { self.cache.load("statistics", &stamp) } else { None };
                let kept: profile::ByTable = kept.unwrap_or_default();
                known.kept = kept.len();
                known.statistics = Some(kept);
            }
            profile::missing(&catalog, tables, known.statistics.get_or_insert_default())
        };
        if !missing.is_empty() {
            let from = Arc::clone(&catalog);
            let measured = self.work(Length::Long, Some(MEASURING), move |lane, watch, path| {
                look::statistics(lane, watch, path, &from, &missing)
            });
            let measured = measured.await??;
            self.learn(&stamp, |now| now.statistics.get_or_insert_default().extend(measured));
            self.keep_statistics(false);
        }
        let known = self.known();
        let none = profile::ByTable::new();
        let measured = known.statistics.as_ref().filter(|_| known.stamp == stamp).unwrap_or(&none);
        Ok(profile::of_tables(&catalog, tables, measured))
    }

    /// Writes statistics into the cache folder; at the end, or when there are twice as many as
    /// before: to write them all for each table more would cost more than measuring.
    pub(super) fn keep_statistics(&self, at_the_end: bool) {
        let mut known = self.known();
        let Some(statistics) = &known.statistics else { return };
        let measured = statistics.len();
        if measured > known.kept && (at_the_end || measured >= 2 * known.kept) {
            self.cache.store("statistics", &known.stamp, statistics);
            known.kept = measured;
        }
    }

    pub(super) async fn read_values(&self) -> Result<Arc<Vec<ValueList>>, DatabaseError> {
        let mut catalog = self.read_catalog(false).await?;
        let (stamp, whole, first, refreshed) = {
            let known = self.known();
            if let Some(values) = known.values.clone() {
                return Ok(values);
            }
            (known.stamp.clone(), known.whole, known.generation == 1, known.refreshed)
        };
        if !whole {
            // there is time now for what a renewed catalog left out
            catalog = self.read_whole(&stamp, false).await?;
        }
        let wide = catalog.tables.len() >= renew::WIDE;
        let kept = if first { self.cache.load::<Vec<ValueList>>("values", &stamp) } else { None };
        let values = if let Some(kept) = kept {
            kept
        } else {
            let read = self.work(Length::Long, Some(LISTING), move |lane, watch, path| {
                values::values(lane, watch, path, &catalog)
            });
            let read = read.await??;
            // a wide file that changes often is not written out each time
            if first || refreshed || !wide {
                self.cache.store("values", &stamp, &read);
            }
            read
        };
        let values = Arc::new(values);
        self.learn(&stamp, |known| known.values = Some(Arc::clone(&values)));
        Ok(values)
    }

    pub(super) async fn read_samples(
        &self,
        tables: &[String],
        rows: usize,
    ) -> Result<Vec<Sample>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let tables = tables.to_vec();
        let read = self.work(Length::Quick, Some(SAMPLING), move |lane, _, path| {
            look::samples(lane, path, &catalog, &tables, rows)
        });
        read.await?
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.keep_statistics(true);
    }
}
