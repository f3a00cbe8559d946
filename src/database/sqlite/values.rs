//! Lists the stored values of text-like columns, within bounds that all tables share fairly.
//!
//! Every bound but the last counts rows, values or bytes, so that the same file gives the same
//! lists. What a list lacks is stated with it.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::super::DatabaseError;
use super::super::session::{Lane, Watch};
use super::look::blame_database;
use super::quoted;
use super::scan::{Go, scan};
use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ColumnKind, ColumnRef, Reach, Table, Texts, ValueList};

/// Rows of a table read at most.
const MOST_ROWS: u64 = 100_000;
/// Rows of a table read at least, while there are cells left.
const LEAST_ROWS: u64 = 100;
/// Cells read of all tables together at most.
const CELLS: u64 = 4_000_000;
/// Values of one column listed at most.
const MOST_VALUES: u64 = 5_000;
/// Values of one column listed at least, while there are any left.
const LEAST_VALUES: u64 = 10;
/// Values of all columns together at most; each costs about a hundred bytes with its index.
const VALUES: u64 = 400_000;
/// Bytes of a listed value at most.
const VALUE_BYTES: usize = 100;
/// Bytes of all listed values together at most.
const BYTES: usize = 16 << 20;
/// How many fair shares one may take: most tables and columns need less than their own.
const SHARES: u64 = 3;

/// What is left to spend, and for how many.
struct Budget {
    cells: u64,
    values: u64,
    bytes: usize,
    tables: u64,
    columns: u64,
}

impl Budget {
    /// Rows that the next table may have read.
    fn rows(&self, columns: u64) -> u64 {
        let fair = SHARES * self.cells / self.tables.max(1) / columns.max(1);
        fair.clamp(LEAST_ROWS, MOST_ROWS).min(self.cells / columns.max(1))
    }

    /// Values that each column of the next table may list.
    fn each(&self) -> u64 {
        let fair = SHARES * self.values / self.columns.max(1);
        fair.clamp(LEAST_VALUES, MOST_VALUES).min(self.values)
    }
}

/// Lists the values of all text-like columns of all tables; those of tables that were not read in
/// time are empty and say so.
pub(super) fn values(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    catalog: &Catalog,
) -> Result<Vec<ValueList>, DatabaseError> {
    let tables: Vec<(&Table, Vec<&str>)> = catalog
        .tables
        .iter()
        .filter(|table| table.kind == TableKind::Table)
        .map(|table| (table, text_like(table)))
        .filter(|(_, columns)| !columns.is_empty())
        .collect();
    let mut budget = Budget {
        cells: CELLS,
        values: VALUES,
        bytes: BYTES,
        tables: tables.len() as u64,
        columns: tables.iter().map(|(_, columns)| columns.len() as u64).sum(),
    };
    let mut lists = Vec::new();
    for (table, columns) in tables {
        let over = watch.dropped() || watch.late();
        let read = if over || budget.rows(columns.len() as u64) == 0 {
            Ok(unread(table, &columns))
        } else {
            list(&lane.connection, table, &columns, &mut budget)
        };
        match read {
            Ok(found) => lists.extend(found),
            Err(error) => {
                blame_database(&error, path)?;
                lists.extend(unread(table, &columns));
            }
        }
        budget.tables -= 1;
        budget.columns -= columns.len() as u64;
    }
    Ok(lists)
}

fn text_like(table: &Table) -> Vec<&str> {
    let text = |kind| matches!(kind, ColumnKind::Text | ColumnKind::Unknown);
    table.columns.iter().filter(|c| text(c.kind)).map(|column| column.name.as_str()).collect()
}

fn unread(table: &Table, columns: &[&str]) -> Vec<ValueList> {
    let list = |column: &&str| ValueList {
        at: ColumnRef::new(&table.name, *column),
        reach: Reach { read: 0, of: table.rows },
        ..ValueList::default()
    };
    columns.iter().map(list).collect()
}

/// What was found of one column's values.
#[derive(Default)]
struct Listing {
    values: BTreeSet<String>,
    /// A value was left out for want of room.
    full: bool,
    /// A value was left out because it is no short text.
    odd: bool,
}

fn list(
    connection: &Connection,
    table: &Table,
    columns: &[&str],
    budget: &mut Budget,
) -> rusqlite::Result<Vec<ValueList>> {
    let mut listings: Vec<Listing> = columns.iter().map(|_| Listing::default()).collect();
    let quoted: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    let (rows, each) = (budget.rows(columns.len() as u64), budget.each());
    let mut read = 0;
    let whole = scan(connection, table, &quoted, rows, |row| {
        read += 1;
        let mut full = true;
        for (at, listing) in listings.iter_mut().enumerate() {
            listing.look(row.get_ref(at)?, each, &mut budget.bytes);
            full &= listing.full;
        }
        Ok(if full { Go::Enough } else { Go::On })
    });
    let whole = whole?;
    budget.cells = budget.cells.saturating_sub(read * columns.len() as u64);
    let list = |(column, listing): (&&str, Listing)| {
        budget.values = budget.values.saturating_sub(listing.values.len() as u64);
        ValueList {
            at: ColumnRef::new(&table.name, *column),
            complete: whole && !listing.full && !listing.odd,
            values: Texts::from_iter(listing.values),
            reach: Reach { read, of: table.rows },
        }
    };
    Ok(columns.iter().zip(listings).map(list).collect())
}

impl Listing {
    fn look(&mut self, cell: ValueRef<'_>, most: u64, bytes: &mut usize) {
        let text = match cell {
            ValueRef::Null => return,
            ValueRef::Text(text) => std::str::from_utf8(text).ok(),
            ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => None,
        };
        let Some(text) = text.filter(|text| text.len() <= VALUE_BYTES) else {
            self.odd = true;
            return;
        };
        if self.full || self.values.contains(text) {
            return;
        }
        if self.values.len() as u64 >= most || *bytes < text.len() {
            self.full = true;
            return;
        }
        *bytes -= text.len();
        self.values.insert(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_share_what_there_is() {
        let mut budget =
            Budget { cells: CELLS, values: VALUES, bytes: BYTES, tables: 5_000, columns: 50_000 };
        assert_eq!(budget.rows(10), 3 * 80);
        assert_eq!(budget.each(), 3 * 8);
        budget = Budget { tables: 1, columns: 2, ..budget };
        assert_eq!((budget.rows(2), budget.each()), (MOST_ROWS, MOST_VALUES));
        budget = Budget { cells: 10, values: 7, ..budget };
        assert_eq!((budget.rows(2), budget.each()), (5, 7));
    }
}
