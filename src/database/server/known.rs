//! What is known of a database, as long as its structure stays as it was; read again when it changed.

use std::sync::{Arc, MutexGuard, PoisonError};

use super::super::cache::Stamp;
use super::super::{DatabaseError, profile};
use super::Server;
use crate::domain::{Catalog, ColumnStats, ValueList};

/// What is known of one moment of the database.
#[derive(Default)]
pub(super) struct Known {
    stamp: Stamp,
    /// Counts the moments; 0 before the first look.
    pub(super) generation: u64,
    catalog: Option<Arc<Catalog>>,
    values: Option<Arc<Vec<ValueList>>>,
    statistics: profile::ByTable,
}

impl Server {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what tells that the structure changed, and forgets what was known of a former moment.
    async fn stamp(&self, refresh: bool) -> Result<Stamp, DatabaseError> {
        let stamp = Stamp { server: self.wire.stamp().await?, ..Stamp::default() };
        let mut known = self.known();
        if known.stamp != stamp || known.generation == 0 || refresh {
            let generation = known.generation + 1;
            *known = Known { stamp: stamp.clone(), generation, ..Known::default() };
        }
        Ok(stamp)
    }

    /// Keeps something in memory, unless the structure changed meanwhile.
    fn learn(&self, stamp: &Stamp, put: impl FnOnce(&mut Known)) {
        let mut known = self.known();
        if known.stamp == *stamp {
            put(&mut known);
        }
    }

    pub(super) async fn read_catalog(&self, refresh: bool) -> Result<Arc<Catalog>, DatabaseError> {
        let stamp = self.stamp(refresh).await?;
        if let Some(catalog) = self.known().catalog.clone() {
            return Ok(catalog);
        }
        let kept = if refresh { None } else { self.cache.load("catalog", &stamp) };
        let mut catalog: Catalog = if let Some(kept) = kept {
            kept
        } else {
            let mut read = self.wire.catalog().await?;
            self.add_inferred_keys(&mut read).await?;
            self.cache.store("catalog", &stamp, &read);
            read
        };
        catalog.database.clone_from(&self.address);
        let catalog = Arc::new(catalog);
        self.learn(&stamp, |known| known.catalog = Some(Arc::clone(&catalog)));
        Ok(catalog)
    }

    pub(super) async fn read_statistics(
        &self,
        tables: &[String],
    ) -> Result<Vec<ColumnStats>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let stamp = self.known().stamp.clone();
        let missing = profile::missing(&catalog, tables, &self.known().statistics);
        if !missing.is_empty() {
            let measured = self.measure(&catalog, &missing).await?;
            self.learn(&stamp, |known| known.statistics.extend(measured));
        }
        Ok(profile::of_tables(&catalog, tables, &self.known().statistics))
    }

    pub(super) async fn read_values(&self) -> Result<Arc<Vec<ValueList>>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let stamp = self.known().stamp.clone();
        if let Some(values) = self.known().values.clone() {
            return Ok(values);
        }
        let values = Arc::new(self.list_values(&catalog).await?);
        self.learn(&stamp, |known| known.values = Some(Arc::clone(&values)));
        Ok(values)
    }
}
