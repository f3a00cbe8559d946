//! Lists the stored values of text-like columns.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::super::DatabaseError;
use super::super::listing::{self, Budget, Cell, Listing, TextLike};
use super::super::session::{Lane, Watch};
use super::look::blame_database;
use super::quoted;
use super::scan::{Go, scan};
use crate::domain::{Catalog, ValueList};

/// Lists the values of all text-like columns of all tables; those of tables that were not read in
/// time are empty and say so.
pub(super) fn values(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    catalog: &Catalog,
) -> Result<Vec<ValueList>, DatabaseError> {
    let tables = listing::text_like(catalog);
    let mut budget = Budget::new(&tables);
    let mut lists = Vec::new();
    for table in &tables {
        let columns = table.1.len();
        let over = watch.dropped() || watch.late();
        let read = if over || budget.rows(columns as u64) == 0 {
            Ok(listing::unread(table))
        } else {
            list(&lane.connection, table, &mut budget)
        };
        match read {
            Ok(found) => lists.extend(found),
            Err(error) => {
                blame_database(&error, path)?;
                lists.extend(listing::unread(table));
            }
        }
        budget.next(columns);
    }
    Ok(lists)
}

fn list(
    connection: &Connection,
    table: &TextLike<'_>,
    budget: &mut Budget,
) -> rusqlite::Result<Vec<ValueList>> {
    let columns = &table.1;
    let mut listings: Vec<Listing> = columns.iter().map(|_| Listing::default()).collect();
    let quoted: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    let (rows, each) = (budget.rows(columns.len() as u64), budget.each());
    let mut read = 0;
    let whole = scan(connection, table.0, &quoted, rows, |row| {
        read += 1;
        let mut full = true;
        for (at, listing) in listings.iter_mut().enumerate() {
            listing.look(cell(row.get_ref(at)?), each, &mut budget.bytes);
            full &= listing.full;
        }
        Ok(if full { Go::Enough } else { Go::On })
    })?;
    Ok(budget.close(table, listings, read, whole))
}

fn cell(cell: ValueRef<'_>) -> Cell<'_> {
    match cell {
        ValueRef::Null => Cell::Null,
        ValueRef::Text(text) => std::str::from_utf8(text).map_or(Cell::Other, Cell::Text),
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => Cell::Other,
    }
}
