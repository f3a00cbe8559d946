//! Looks at stored rows for statistics, value lists and samples, within fixed bounds.
//!
//! A table that is small enough is read whole. Of a larger one a fixed sample is read: blocks of
//! rows evenly spaced over its row ids, the last rows among them, since the newest matter most.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::super::DatabaseError;
use super::super::profile::{ByTable, Tally};
use super::super::session::{Lane, Watch};
use super::{measure, quoted, trouble};
use crate::domain::schema::TableKind;
use crate::domain::{Catalog, ColumnKind, ColumnRef, ColumnStats, Sample, Table, Value, ValueList};

/// Rows of a table measured at most.
const MEASURED_ROWS: u64 = 20_000;
/// Cells of a table measured at most.
const MEASURED_CELLS: u64 = 1_000_000;
/// Blocks of a sample.
const BLOCKS: u64 = 16;

/// Rows of a table read for value lists at most.
const VALUE_ROWS: u64 = 100_000;
/// Cells read for all value lists together at most.
const VALUE_CELLS: u64 = 2_000_000;
/// Values listed of one column at most.
const VALUES: usize = 5_000;
/// Bytes of a listed value at most.
const VALUE_BYTES: usize = 100;
/// Bytes of all listed values together at most.
const ALL_VALUE_BYTES: usize = 16 << 20;

/// Bytes of a cell of a sample at most.
const SAMPLE_BYTES: usize = 2_000;

/// Measures tables; one that can't be measured in time is left out.
pub(super) fn statistics(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    catalog: &Catalog,
    tables: &[String],
) -> Result<ByTable, DatabaseError> {
    let mut measured = ByTable::new();
    for table in tables.iter().filter_map(|name| catalog.table(name)) {
        if watch.dropped() || watch.late() {
            break;
        }
        match measure_table(&lane.connection, table) {
            Ok(columns) => drop(measured.insert(table.name.clone(), columns)),
            Err(error) => blame_database(&error, path)?,
        }
    }
    Ok(measured)
}

/// Passes on trouble with the database; that one table can't be read is no such trouble.
fn blame_database(error: &rusqlite::Error, path: &Path) -> Result<(), DatabaseError> {
    match trouble::environment(error, path) {
        Some(locked @ DatabaseError::Locked { .. }) => Err(locked),
        _ => Ok(()),
    }
}

fn measure_table(connection: &Connection, table: &Table) -> rusqlite::Result<Vec<ColumnStats>> {
    let width = table.columns.len().max(1) as u64;
    let rows = (MEASURED_CELLS / width).clamp(500, MEASURED_ROWS);
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| match column.kind {
            // bytes may be huge and say nothing: only whether they are there is counted
            ColumnKind::Blob => format!("typeof({})", quoted(&column.name)),
            ColumnKind::Integer
            | ColumnKind::Real
            | ColumnKind::Text
            | ColumnKind::Date
            | ColumnKind::Boolean
            | ColumnKind::Unknown => quoted(&column.name),
        })
        .collect();
    let mut tallies: Vec<Tally> = columns.iter().map(|_| Tally::default()).collect();
    let complete = scan(connection, table, &columns, rows, |row| {
        for (at, tally) in tallies.iter_mut().enumerate() {
            tally.look(value(row.get_ref(at)?));
        }
        Ok(())
    })?;
    let mut measured = Vec::new();
    for (column, tally) in table.columns.iter().zip(tallies) {
        let mut stats = tally.finish(ColumnRef::new(&table.name, &column.name), complete);
        if column.kind == ColumnKind::Blob {
            stats = bytes_only(stats);
        } else if !complete && leads_an_index(table, &column.name) {
            exact_ends(connection, table, &column.name, &mut stats)?;
        }
        measured.push(stats);
    }
    Ok(measured)
}

/// Turns figures of `typeof` into figures of a column of bytes: NULLs and nothing else.
fn bytes_only(stats: ColumnStats) -> ColumnStats {
    let null = |(value, _): &&(Value, u64)| *value == Value::Text("null".to_owned());
    let nulls = stats.top.iter().find(null).map_or(0, |(_, count)| *count);
    ColumnStats { nulls, distinct: 0, min: None, max: None, top: Vec::new(), ..stats }
}

fn leads_an_index(table: &Table, column: &str) -> bool {
    let leads = |columns: &[String]| columns.first().is_some_and(|first| first == column);
    leads(&table.primary_key)
        || table.uniques.iter().any(|unique| leads(unique))
        || table.indexes.iter().any(|index| index.unique && leads(&index.columns))
}

/// Reads the ends of an indexed column, which the engine finds without reading rows.
fn exact_ends(
    connection: &Connection,
    table: &Table,
    column: &str,
    stats: &mut ColumnStats,
) -> rusqlite::Result<()> {
    let end = |function: &str| {
        let sql = format!("SELECT {function}({}) FROM {}", quoted(column), quoted(&table.name));
        connection.query_row(&sql, [], |row| row.get_ref(0).map(value))
    };
    let short = |value: Value| Some(value).filter(|v| !v.is_null() && v.plain().len() <= 200);
    stats.min = short(end("min")?);
    stats.max = short(end("max")?);
    Ok(())
}

/// Reads at most `most` rows of a table; returns whether these are all.
fn scan(
    connection: &Connection,
    table: &Table,
    columns: &[String],
    most: u64,
    mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<bool> {
    let list = columns.join(", ");
    let from = quoted(&table.name);
    let large = table.rows.is_some_and(|rows| rows.count > most);
    let id = measure::row_id(table).filter(|_| large && table.kind == TableKind::Table);
    let ends = id.and_then(|id| row_ids(connection, &from, id));
    if let Some((id, (first, last))) = id.zip(ends) {
        let sample = Blocks { id, from: &from, list: &list, first, last, rows: most / BLOCKS };
        sample.read(connection, &mut each)?;
        return Ok(false);
    }
    let sql = format!("SELECT {list} FROM {from} LIMIT {}", most + 1);
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.raw_query();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        if read == most {
            return Ok(false);
        }
        each(row)?;
        read += 1;
    }
    Ok(true)
}

/// Reads the first and last row id; none for a table WITHOUT ROWID.
fn row_ids(connection: &Connection, from: &str, id: &str) -> Option<(i64, i64)> {
    let sql = format!("SELECT (SELECT min({id}) FROM {from}), (SELECT max({id}) FROM {from})");
    connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).ok()
}

/// A sample in blocks.
struct Blocks<'a> {
    id: &'a str,
    from: &'a str,
    list: &'a str,
    first: i64,
    last: i64,
    rows: u64,
}

impl Blocks<'_> {
    fn read(
        &self,
        connection: &Connection,
        each: &mut impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let Blocks { id, from, list, .. } = self;
        let forward = format!(
            "SELECT {list}, {id} FROM {from} WHERE {id} >= ?1 ORDER BY {id} LIMIT {}",
            self.rows
        );
        let backward = format!(
            "SELECT {list}, {id} FROM {from} WHERE {id} >= ?1 ORDER BY {id} DESC LIMIT {}",
            self.rows
        );
        let mut next = self.first;
        for block in 0..BLOCKS {
            let is_tail = block + 1 == BLOCKS;
            let from_id = if is_tail { next } else { self.begin(block).max(next) };
            let mut statement = connection.prepare(if is_tail { &backward } else { &forward })?;
            statement.raw_bind_parameter(1, from_id)?;
            let width = statement.column_count().saturating_sub(1);
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                each(row)?;
                next = next.max(row.get::<_, i64>(width)?.saturating_add(1));
            }
        }
        Ok(())
    }

    fn begin(&self, block: u64) -> i64 {
        let length = i128::from(self.last) - i128::from(self.first);
        let begin = i128::from(self.first) + length * i128::from(block) / i128::from(BLOCKS);
        i64::try_from(begin).unwrap_or(self.first)
    }
}

fn value(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Integer(n),
        ValueRef::Real(n) => Value::Real(n),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Malformed(bytes.to_vec()),
        },
    }
}

/// Lists the values of all text-like columns of all tables.
pub(super) fn values(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    catalog: &Catalog,
) -> Result<Vec<ValueList>, DatabaseError> {
    let mut lists = Vec::new();
    let mut cells = VALUE_CELLS;
    let mut bytes = ALL_VALUE_BYTES;
    for table in catalog.tables.iter().filter(|table| table.kind == TableKind::Table) {
        let columns: Vec<&str> = table
            .columns
            .iter()
            .filter(|column| matches!(column.kind, ColumnKind::Text | ColumnKind::Unknown))
            .map(|column| column.name.as_str())
            .collect();
        let rows = (cells / columns.len().max(1) as u64).min(VALUE_ROWS);
        if columns.is_empty() || rows == 0 || watch.dropped() {
            continue;
        }
        match list_values(&lane.connection, table, &columns, rows, &mut bytes) {
            Ok((read, found)) => {
                cells = cells.saturating_sub(read * columns.len() as u64);
                lists.extend(found);
            }
            Err(error) => blame_database(&error, path)?,
        }
    }
    Ok(lists)
}

/// What was found of one column's values.
#[derive(Default)]
struct Listing {
    values: BTreeSet<String>,
    /// A value was left out.
    cut: bool,
}

fn list_values(
    connection: &Connection,
    table: &Table,
    columns: &[&str],
    most: u64,
    bytes: &mut usize,
) -> rusqlite::Result<(u64, Vec<ValueList>)> {
    let mut listings: Vec<Listing> = columns.iter().map(|_| Listing::default()).collect();
    let quoted: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    let mut read = 0;
    let complete = scan(connection, table, &quoted, most, |row| {
        read += 1;
        for (at, listing) in listings.iter_mut().enumerate() {
            listing.look(row.get_ref(at)?, bytes);
        }
        Ok(())
    })?;
    let list = |(column, listing): (&&str, Listing)| ValueList {
        at: ColumnRef::new(&table.name, *column),
        values: listing.values.into_iter().collect(),
        complete: complete && !listing.cut,
    };
    Ok((read, columns.iter().zip(listings).map(list).collect()))
}

impl Listing {
    fn look(&mut self, cell: ValueRef<'_>, bytes: &mut usize) {
        let text = match cell {
            ValueRef::Null => return,
            ValueRef::Text(text) => std::str::from_utf8(text).ok(),
            ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => None,
        };
        let Some(text) = text.filter(|text| text.len() <= VALUE_BYTES) else {
            self.cut = true;
            return;
        };
        if self.values.contains(text) {
            return;
        }
        if self.values.len() >= VALUES || *bytes < text.len() {
            self.cut = true;
            return;
        }
        *bytes -= text.len();
        self.values.insert(text.to_owned());
    }
}

/// Reads the first rows of tables; one that can't be read is left out.
pub(super) fn samples(
    lane: &Lane,
    path: &Path,
    catalog: &Catalog,
    tables: &[String],
    rows: usize,
) -> Result<Vec<Sample>, DatabaseError> {
    let mut samples = Vec::new();
    for table in tables.iter().filter_map(|name| catalog.table(name)) {
        match sample(&lane.connection, table, rows) {
            Ok(sample) => samples.push(sample),
            Err(error) => blame_database(&error, path)?,
        }
    }
    Ok(samples)
}

fn sample(connection: &Connection, table: &Table, most: usize) -> rusqlite::Result<Sample> {
    let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let list: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    let sql = format!("SELECT {} FROM {} LIMIT {most}", list.join(", "), quoted(&table.name));
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.raw_query();
    let mut sample = Sample { table: table.name.clone(), columns, rows: Vec::new() };
    while let Some(row) = rows.next()? {
        let cells = (0..list.len()).map(|at| row.get_ref(at).map(|cell| shortened(value(cell))));
        sample.rows.push(cells.collect::<rusqlite::Result<_>>()?);
    }
    Ok(sample)
}

fn shortened(value: Value) -> Value {
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
