//! Statistics of columns from the cells that a driver reads: counts, range, most frequent values.
//!
//! Bounds and order are fixed, so the same cells always give the same figures.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::domain::{Catalog, ColumnRef, ColumnStats, Table, Value};

/// Statistics of tables, by table name.
pub(super) type ByTable = BTreeMap<String, Vec<ColumnStats>>;

/// Rows of a table measured at most.
pub(super) const MEASURED_ROWS: u64 = 20_000;
/// Cells of a table measured at most.
pub(super) const MEASURED_CELLS: u64 = 1_000_000;
/// Bytes of a cell of a sample at most.
const SAMPLE_BYTES: usize = 2_000;
/// Most frequent values listed.
const TOP: usize = 5;
/// Bytes of a value that is shown or compared; longer ones count, but are not listed.
const LONG: usize = 200;

/// Lists the tables, as the catalog spells them, that are not measured yet.
pub(super) fn missing(catalog: &Catalog, tables: &[String], known: &ByTable) -> Vec<String> {
    tables
        .iter()
        .filter_map(|name| catalog.table(name))
        .map(|table| table.name.clone())
        .filter(|name| !known.contains_key(name))
        .collect()
}

/// Collects the statistics of tables; what is not measured comes back as not known.
pub(super) fn of_tables(catalog: &Catalog, tables: &[String], known: &ByTable) -> Vec<ColumnStats> {
    let found = tables.iter().filter_map(|name| catalog.table(name));
    found
        .flat_map(|table| match known.get(&table.name) {
            Some(columns) => columns.clone(),
            None => unknown(table),
        })
        .collect()
}

/// Tells whether an index finds a value of the column at once.
pub(super) fn leads_an_index(table: &Table, column: &str) -> bool {
    let leads = |columns: &[String]| columns.first().is_some_and(|first| first == column);
    leads(&table.primary_key)
        || table.uniques.iter().any(|unique| leads(unique))
        || table.indexes.iter().any(|index| index.unique && leads(&index.columns))
}

/// Cuts a long cell of a sample.
pub(super) fn shortened(value: Value) -> Value {
    match value {
        Value::Text(mut text) if text.len() > SAMPLE_BYTES => {
            text.truncate(text.floor_char_boundary(SAMPLE_BYTES));
            text.push('…');
            Value::Text(text)
        }
        Value::Blob(mut bytes) => {
            bytes.truncate(SAMPLE_BYTES);
            Value::Blob(bytes)
        }
        Value::Malformed(mut bytes) => {
            bytes.truncate(SAMPLE_BYTES);
            Value::Malformed(bytes)
        }
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Text(_) => value,
    }
}

fn unknown(table: &Table) -> Vec<ColumnStats> {
    let stats = |name: &String| ColumnStats {
        at: ColumnRef::new(&table.name, name),
        rows_read: 0,
        complete: false,
        nulls: 0,
        distinct: 0,
        min: None,
        max: None,
        top: Vec::new(),
        known: false,
    };
    table.columns.iter().map(|column| stats(&column.name)).collect()
}

/// A cell, ordered as SQLite orders: numbers, text, bytes; long ones last and by their beginning.
#[derive(Debug, Clone, PartialEq)]
struct Cell(Value, u64);

impl Cell {
    fn new(value: Value) -> Self {
        let (length, cut) = match &value {
            Value::Text(text) if text.len() > LONG => {
                let end = text.floor_char_boundary(LONG);
                (text.len(), Value::Text(text.get(..end).unwrap_or("").to_owned()))
            }
            Value::Blob(bytes) if bytes.len() > LONG => {
                (bytes.len(), Value::Blob(bytes.get(..LONG).unwrap_or(&[]).to_vec()))
            }
            Value::Malformed(bytes) if bytes.len() > LONG => {
                (bytes.len(), Value::Malformed(bytes.get(..LONG).unwrap_or(&[]).to_vec()))
            }
            Value::Null
            | Value::Integer(_)
            | Value::Real(_)
            | Value::Text(_)
            | Value::Blob(_)
            | Value::Malformed(_) => return Cell(value, 0),
        };
        Cell(cut, length as u64)
    }

    fn is_long(&self) -> bool {
        self.1 > 0
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) | Value::Malformed(_) => 2,
        Value::Blob(_) => 3,
    }
}

fn bytes(value: &Value) -> &[u8] {
    match value {
        Value::Text(text) => text.as_bytes(),
        Value::Blob(bytes) | Value::Malformed(bytes) => bytes,
        Value::Null | Value::Integer(_) | Value::Real(_) => &[],
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = || match (&self.0, &other.0) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (a, b) => {
                let float = |value: &Value| value.number().unwrap_or(0.0);
                float(a).total_cmp(&float(b))
            }
        };
        self.is_long()
            .cmp(&other.is_long())
            .then_with(|| rank(&self.0).cmp(&rank(&other.0)))
            .then_with(numbers)
            .then_with(|| bytes(&self.0).cmp(bytes(&other.0)))
            .then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Cell {}

/// What is counted of one column while its cells go by.
#[derive(Debug, Default)]
pub(super) struct Tally {
    rows: u64,
    nulls: u64,
    counts: BTreeMap<Cell, u64>,
}

impl Tally {
    /// Counts one cell.
    pub(super) fn look(&mut self, value: Value) {
        self.rows += 1;
        if value.is_null() {
            self.nulls += 1;
        } else {
            *self.counts.entry(Cell::new(value)).or_default() += 1;
        }
    }

    /// Returns the figures; `complete` tells whether all rows of the table were looked at.
    pub(super) fn finish(self, at: ColumnRef, complete: bool) -> ColumnStats {
        let distinct = self.counts.len() as u64;
        let any_long = self.counts.keys().next_back().is_some_and(Cell::is_long);
        let mut listed: Vec<(Value, u64)> = self
            .counts
            .into_iter()
            .filter(|(cell, _)| !cell.is_long())
            .map(|(cell, count)| (cell.0, count))
            .collect();
        // with long texts among them, the ends of what is left are not the ends of the column
        let end = |cell: Option<&(Value, u64)>| cell.filter(|_| !any_long).map(|(v, _)| v.clone());
        let (min, max) = (end(listed.first()), end(listed.last()));
        listed.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        listed.truncate(TOP);
        ColumnStats {
            at,
            rows_read: self.rows,
            complete,
            nulls: self.nulls,
            distinct,
            min,
            max,
            top: listed,
            known: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(cells: Vec<Value>) -> ColumnStats {
        let mut tally = Tally::default();
        for cell in cells {
            tally.look(cell);
        }
        tally.finish(ColumnRef::new("t", "c"), true)
    }

    #[test]
    fn figures_are_those_of_the_cells() {
        let text = |t: &str| Value::Text(t.into());
        let stats = tally(vec![text("b"), text("a"), Value::Null, text("b"), Value::Integer(9)]);
        assert_eq!((stats.rows_read, stats.nulls, stats.distinct), (5, 1, 3));
        assert_eq!((stats.min, stats.max), (Some(Value::Integer(9)), Some(text("b"))));
        assert_eq!(
            stats.top,
            [(text("b"), 2), (Value::Integer(9), 1), (text("a"), 1)],
            "frequent first, ties in order"
        );
    }

    #[test]
    fn numbers_are_ordered_by_value_whatever_their_type() {
        let stats = tally(vec![Value::Integer(2), Value::Real(10.5), Value::Real(-1.0)]);
        assert_eq!((stats.min, stats.max), (Some(Value::Real(-1.0)), Some(Value::Real(10.5))));
    }

    #[test]
    fn long_texts_count_but_are_not_listed() {
        let long = |end: &str| Value::Text("é".repeat(200) + end);
        let stats = tally(vec![long("a"), long("bc"), Value::Text("x".into())]);
        assert_eq!(stats.distinct, 3);
        assert_eq!(stats.top, [(Value::Text("x".into()), 1)]);
        assert_eq!((stats.min, stats.max), (None, None));
    }
}
