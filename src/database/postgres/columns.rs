//! Columns of a result: their types, and the stored columns that they come from unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use tokio_postgres::{Column, Statement};

use super::super::Trouble;
use super::pool::Session;
use super::{Postgres, cells, trouble};
use crate::domain::ResultColumn;

/// Stored columns by the number of their table and their own.
pub(super) type Origins = BTreeMap<(u32, i16), String>;

/// Names of columns as the catalog calls them.
const QUESTION: &str = "\
    SELECT a.attrelid, a.attnum, CASE WHEN pg_table_is_visible(c.oid) AND strpos(c.relname::text, '.') = 0 \
      THEN c.relname::text ELSE n.nspname || '.' || c.relname END || '.' || a.attname \
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0";

impl Postgres {
    /// Describes the columns of a prepared statement.
    pub(super) async fn result_columns(
        &self,
        on: &Session,
        statement: &Statement,
    ) -> Result<Vec<ResultColumn>, Trouble> {
        let columns = statement.columns();
        self.learn_origins(on, columns).await?;
        let origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        let described = columns.iter().map(|column| ResultColumn {
            name: column.name().to_owned(),
            data_type: cells::type_name(column),
            origin: place(column).and_then(|place| origins.get(&place).cloned()),
            unit: None,
        });
        Ok(described.collect())
    }

    /// Forgets the names of columns: they may have others now.
    pub(super) fn forget_origins(&self) {
        self.origins.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Asks for the names of columns that were not met yet.
    async fn learn_origins(&self, on: &Session, columns: &[Column]) -> Result<(), Trouble> {
        let unknown: BTreeSet<u32> = {
            let known = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
            let places = columns.iter().filter_map(place);
            places.filter(|place| !known.contains_key(place)).map(|(table, _)| table).collect()
        };
        if unknown.is_empty() {
            return Ok(());
        }
        let tables: Vec<u32> = unknown.into_iter().collect();
        let rows = on.client().query(QUESTION, &[&tables]).await;
        let rows = rows.map_err(|error| trouble::of_ours(&error, on.target()))?;
        let mut known = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let read = (row.try_get(0), row.try_get(1), row.try_get(2));
            if let (Ok(table), Ok(number), Ok(name)) = read {
                known.insert((table, number), name);
            }
        }
        Ok(())
    }
}

fn place(column: &Column) -> Option<(u32, i16)> {
    Some((column.table_oid()?, column.column_id()?))
}
