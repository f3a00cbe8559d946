//! Looks at stored rows for statistics and samples, within fixed bounds of rows and time.

use std::time::{Duration, Instant};

use super::super::DatabaseError;
use super::super::profile::{ByTable, MEASURED_CELLS, MEASURED_ROWS, Tally, shortened};
use super::{Server, blame_database};
use crate::domain::{Catalog, ColumnKind, ColumnRef, ColumnStats, Sample, Table};
use crate::sql::dialect::{quote, quote_table};

/// Time for measuring all tables asked for; what is not measured by then is marked unknown.
const MEASURING: Duration = Duration::from_secs(5);
/// Time for the first rows of one table; a view may be slow.
const SAMPLING: Duration = Duration::from_secs(2);

impl Server {
    /// Measures tables: what the engine keeps of them, and a bounded sample for the rest.
    pub(super) async fn measure(
        &self,
        catalog: &Catalog,
        tables: &[String],
    ) -> Result<ByTable, DatabaseError> {
        let end = Instant::now() + MEASURING;
        let tables: Vec<&Table> = tables.iter().filter_map(|name| catalog.table(name)).collect();
        let mut kept = self.wire.kept(&tables).await?;
        let mut measured = ByTable::new();
        for table in tables {
            let own = kept.extract_if(.., |stats| stats.at.table == table.name);
            let mut columns: Vec<ColumnStats> = own.collect();
            let lacks = |column: &str| columns.iter().all(|stats| stats.at.column != column);
            let rest: Vec<&str> = table
                .columns
                .iter()
                .filter(|column| column.kind != ColumnKind::Blob && lacks(&column.name))
                .map(|column| column.name.as_str())
                .collect();
            let left = end.saturating_duration_since(Instant::now());
            if !rest.is_empty() && !left.is_zero() {
                columns.extend(self.sample_columns(table, &rest, left).await?);
            }
            if !columns.is_empty() {
                measured.insert(table.name.clone(), in_order(table, columns));
            }
        }
        Ok(measured)
    }

    /// Measures columns of a table from its first rows.
    async fn sample_columns(
        &self,
        table: &Table,
        columns: &[&str],
        within: Duration,
    ) -> Result<Vec<ColumnStats>, DatabaseError> {
        let most = (MEASURED_CELLS / columns.len() as u64).clamp(500, MEASURED_ROWS);
        let sql = self.first_rows(table, columns, most + 1);
        let read = match self.rows(&sql, most + 1, within).await {
            Ok(rows) => rows,
            Err(trouble) => return blame_database(trouble, Vec::new()),
        };
        let complete = read.len() as u64 <= most;
        let mut tallies: Vec<Tally> = columns.iter().map(|_| Tally::default()).collect();
        for row in read.into_iter().take(usize::try_from(most).unwrap_or(usize::MAX)) {
            for (tally, cell) in tallies.iter_mut().zip(row) {
                tally.look(cell);
            }
        }
        let finish = |(column, tally): (&&str, Tally)| {
            tally.finish(ColumnRef::new(&table.name, *column), complete)
        };
        Ok(columns.iter().zip(tallies).map(finish).collect())
    }

    /// Reads the first rows of tables; one that can't be read is left out.
    pub(super) async fn read_samples(
        &self,
        tables: &[String],
        rows: usize,
    ) -> Result<Vec<Sample>, DatabaseError> {
        let catalog = self.read_catalog(false).await?;
        let mut samples = Vec::new();
        for table in tables.iter().filter_map(|name| catalog.table(name)) {
            let columns: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
            let most = rows as u64;
            let sql = self.first_rows(table, &columns, most);
            match self.rows(&sql, most, SAMPLING).await {
                Ok(read) => samples.push(Sample {
                    table: table.name.clone(),
                    columns: columns.into_iter().map(str::to_owned).collect(),
                    rows: read
                        .into_iter()
                        .map(|row| row.into_iter().map(shortened).collect())
                        .collect(),
                }),
                Err(trouble) => blame_database(trouble, ())?,
            }
        }
        Ok(samples)
    }

    /// Writes the query for the first rows of a table.
    pub(super) fn first_rows(&self, table: &Table, columns: &[&str], most: u64) -> String {
        let dialect = self.wire.dialect();
        let list: Vec<String> = columns.iter().map(|column| quote(column, dialect)).collect();
        let from = quote_table(&table.name, dialect);
        format!("SELECT {} FROM {from} LIMIT {most}", list.join(", "))
    }
}

fn in_order(table: &Table, mut columns: Vec<ColumnStats>) -> Vec<ColumnStats> {
    columns.sort_by_key(|stats| table.columns.iter().position(|c| c.name == stats.at.column));
    columns
}
