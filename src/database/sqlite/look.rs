//! Looks at stored rows for statistics and samples, within fixed bounds.

use std::path::Path;

use rusqlite::Connection;

use super::super::DatabaseError;
use super::super::profile::{
    ByTable, MEASURED_CELLS, MEASURED_ROWS, Tally, leads_an_index, shortened,
};
use super::super::session::{Lane, Watch};
use super::scan::{Go, scan, value};
use super::{quoted, trouble};
use crate::domain::{Catalog, ColumnKind, ColumnRef, ColumnStats, Sample, Table, Value};

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
pub(super) fn blame_database(error: &rusqlite::Error, path: &Path) -> Result<(), DatabaseError> {
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
        Ok(Go::On)
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
