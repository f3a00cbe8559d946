//! Bounds for listing stored values, which all tables and columns of a database share fairly.
//!
//! Every bound counts rows, values or bytes, so that the same data gives the same lists. What a
//! list lacks is stated with it.

use std::collections::BTreeSet;

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
#[derive(Debug)]
pub(super) struct Budget {
    cells: u64,
    values: u64,
    /// Bytes of values.
    pub(super) bytes: usize,
    tables: u64,
    columns: u64,
}

/// A table with its text-like columns.
pub(super) type TextLike<'a> = (&'a Table, Vec<&'a str>);

impl Budget {
    /// Makes the budget for all text-like columns of a database.
    pub(super) fn new(tables: &[TextLike<'_>]) -> Self {
        Budget {
            cells: CELLS,
            values: VALUES,
            bytes: BYTES,
            tables: tables.len() as u64,
            columns: tables.iter().map(|(_, columns)| columns.len() as u64).sum(),
        }
    }

    /// Rows that the next table may have read.
    pub(super) fn rows(&self, columns: u64) -> u64 {
        let fair = SHARES * self.cells / self.tables.max(1) / columns.max(1);
        fair.clamp(LEAST_ROWS, MOST_ROWS).min(self.cells / columns.max(1))
    }

    /// Values that each column of the next table may list.
    pub(super) fn each(&self) -> u64 {
        let fair = SHARES * self.values / self.columns.max(1);
        fair.clamp(LEAST_VALUES, MOST_VALUES).min(self.values)
    }

    /// Takes off what one table has cost, and makes lists of what was found in it.
    ///
    /// `read` rows of the table were looked at; `whole` tells whether these are all.
    pub(super) fn close(
        &mut self,
        (table, columns): &TextLike<'_>,
        listings: Vec<Listing>,
        read: u64,
        whole: bool,
    ) -> Vec<ValueList> {
        self.cells = self.cells.saturating_sub(read * columns.len() as u64);
        let list = |(column, listing): (&&str, Listing)| {
            self.values = self.values.saturating_sub(listing.values.len() as u64);
            ValueList {
                at: ColumnRef::new(&table.name, *column),
                complete: whole && !listing.full && !listing.odd,
                values: Texts::from_iter(listing.values),
                reach: Reach { read, of: table.rows },
            }
        };
        columns.iter().zip(listings).map(list).collect()
    }

    /// Goes on to the next table.
    pub(super) fn next(&mut self, columns: usize) {
        self.tables -= 1;
        self.columns -= columns as u64;
    }
}

/// Lists the stored tables that have text-like columns.
pub(super) fn text_like(catalog: &Catalog) -> Vec<TextLike<'_>> {
    let stored = catalog.tables.iter().filter(|table| table.kind == TableKind::Table);
    stored.map(|table| (table, text_columns(table))).filter(|(_, c)| !c.is_empty()).collect()
}

fn text_columns(table: &Table) -> Vec<&str> {
    let text = |kind| matches!(kind, ColumnKind::Text | ColumnKind::Unknown);
    table.columns.iter().filter(|c| text(c.kind)).map(|column| column.name.as_str()).collect()
}

/// Lists nothing of a table that is not read, and says so.
pub(super) fn unread((table, columns): &TextLike<'_>) -> Vec<ValueList> {
    let list = |column: &&str| ValueList {
        at: ColumnRef::new(&table.name, *column),
        reach: Reach { read: 0, of: table.rows },
        ..ValueList::default()
    };
    columns.iter().map(list).collect()
}

/// What was found of one column's values.
#[derive(Debug, Default)]
pub(super) struct Listing {
    values: BTreeSet<String>,
    /// A value was left out for want of room.
    pub(super) full: bool,
    /// A value was left out because it is no short text.
    odd: bool,
}

/// A cell, as far as listing cares.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// NULL.
    Null,
    /// Text.
    Text(&'a str),
    /// Anything else.
    Other,
}

impl Listing {
    /// Takes a cell in, while there is room.
    pub(super) fn look(&mut self, cell: Cell<'_>, most: u64, bytes: &mut usize) {
        let text = match cell {
            Cell::Null => return,
            Cell::Text(text) => Some(text),
            Cell::Other => None,
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
