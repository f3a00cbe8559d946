//! Lists the stored values of text-like columns by bounded reads, until the time for it is over.

use std::time::{Duration, Instant};

use super::super::DatabaseError;
use super::super::listing::{self, Budget, Cell, Listing, TextLike};
use super::{Server, blame_database};
use crate::domain::{Catalog, Value, ValueList};

/// Time for all tables; those not read by then say so.
const LISTING: Duration = Duration::from_secs(8);
/// Rows of a table read at most: they cross a wire.
const MOST_ROWS: u64 = 10_000;

impl Server {
    /// Lists the values of all text-like columns; tables not read are empty and say so.
    pub(super) async fn list_values(
        &self,
        catalog: &Catalog,
    ) -> Result<Vec<ValueList>, DatabaseError> {
        let end = Instant::now() + LISTING;
        let tables = listing::text_like(catalog);
        let mut budget = Budget::new(&tables);
        let mut lists = Vec::new();
        for table in &tables {
            let left = end.saturating_duration_since(Instant::now());
            let found = self.list(table, left, &mut budget).await?;
            lists.extend(found.unwrap_or_else(|| listing::unread(table)));
            budget.next(table.1.len());
        }
        Ok(lists)
    }

    /// Lists the values of one table; none when it can't be read in the time or room left.
    async fn list(
        &self,
        table: &TextLike<'_>,
        left: Duration,
        budget: &mut Budget,
    ) -> Result<Option<Vec<ValueList>>, DatabaseError> {
        let columns = &table.1;
        let rows = budget.rows(columns.len() as u64).min(MOST_ROWS);
        if left.is_zero() || rows == 0 {
            return Ok(None);
        }
        let sql = self.first_rows(table.0, columns, rows + 1);
        let read = match self.rows(&sql, rows + 1, left).await {
            Ok(read) => read,
            Err(trouble) => return blame_database(trouble, None),
        };
        let (whole, each) = (read.len() as u64 <= rows, budget.each());
        let mut listings: Vec<Listing> = columns.iter().map(|_| Listing::default()).collect();
        for row in &read {
            for (listing, value) in listings.iter_mut().zip(row) {
                listing.look(cell(value), each, &mut budget.bytes);
            }
        }
        Ok(Some(budget.close(table, listings, rows.min(read.len() as u64), whole)))
    }
}

fn cell(value: &Value) -> Cell<'_> {
    match value {
        Value::Null => Cell::Null,
        Value::Text(text) => Cell::Text(text),
        Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => Cell::Other,
    }
}
