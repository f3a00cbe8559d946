//! Looks at stored rows for the catalog: how many there are, and what kinds of cells.
//!
//! **Invariant:** every bound here counts rows, bytes or machine steps, never time, so that the
//! same file gives the same catalog.

use rusqlite::Connection;

use super::super::session::Watch;
use super::kinds::Seen;
use super::quoted;
use crate::domain::Table;
use crate::domain::schema::{RowCount, TableKind};

/// Bytes of a database up to which all rows are counted: counting reads each page at most once.
const COUNTED_BYTES: u64 = 64 << 20;
/// Rows of a table counted in a larger database before it is estimated.
const COUNTED_ROWS: u64 = 10_000;
/// Rows looked at for the kinds of columns.
const LOOKED_AT: u32 = 20;
/// Machine steps for one look at a view or virtual table.
const STEPS: i64 = 500_000;

/// What bounds counting.
#[derive(Debug)]
pub(super) struct Counting {
    /// Bytes of the database.
    pub(super) size: u64,
    /// Row counts that ANALYZE left, by table.
    pub(super) analysed: Vec<(String, u64)>,
}

/// Counts or estimates the rows of a table; views are not counted.
pub(super) fn rows(
    connection: &Connection,
    watch: &Watch,
    table: &Table,
    bounds: &Counting,
) -> rusqlite::Result<Option<RowCount>> {
    let from = quoted(&table.name);
    match table.kind {
        TableKind::View => Ok(None),
        TableKind::Virtual => {
            watch.refuel(Some(STEPS));
            let counted = number(connection, &format!("SELECT count(*) FROM {from}"));
            watch.refuel(None);
            Ok(counted.ok().flatten().map(|count| RowCount { count, exact: true }))
        }
        TableKind::Table if bounds.size <= COUNTED_BYTES => {
            let counted = number(connection, &format!("SELECT count(*) FROM {from}"))?;
            Ok(counted.map(|count| RowCount { count, exact: true }))
        }
        TableKind::Table => estimate(connection, table, bounds),
    }
}

fn estimate(
    connection: &Connection,
    table: &Table,
    bounds: &Counting,
) -> rusqlite::Result<Option<RowCount>> {
    let from = quoted(&table.name);
    let most = COUNTED_ROWS + 1;
    let some =
        number(connection, &format!("SELECT count(*) FROM (SELECT 1 FROM {from} LIMIT {most})"))?;
    if let Some(count) = some.filter(|count| *count < most) {
        return Ok(Some(RowCount { count, exact: true }));
    }
    let analysed = bounds.analysed.iter().find(|(name, _)| name.eq_ignore_ascii_case(&table.name));
    let largest = || match row_id(table) {
        // a table WITHOUT ROWID has none, and stays without an estimate
        Some(id) => number(connection, &format!("SELECT max({id}) FROM {from}")).ok().flatten(),
        None => None,
    };
    let count = analysed.map(|(_, rows)| *rows).or_else(largest);
    Ok(count.map(|count| RowCount { count: count.max(COUNTED_ROWS), exact: false }))
}

/// Names the row id, unless the table's own columns hide all its names.
pub(super) fn row_id(table: &Table) -> Option<&'static str> {
    ["_rowid_", "rowid", "oid"].into_iter().find(|name| table.column(name).is_none())
}

fn number(connection: &Connection, sql: &str) -> rusqlite::Result<Option<u64>> {
    let count: Option<i64> = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(count.and_then(|count| u64::try_from(count).ok()))
}

/// Corrects the kinds of a table's columns by its first rows.
pub(super) fn correct_kinds(
    connection: &Connection,
    watch: &Watch,
    table: &mut Table,
) -> rusqlite::Result<()> {
    let asked: Vec<usize> = (0..table.columns.len())
        .filter(|i| table.columns.get(*i).is_some_and(|c| worth_a_look(c.kind, &c.data_type)))
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        asked.iter().filter_map(|i| table.columns.get(*i)).map(|c| quoted(&c.name)).collect();
    let sql = format!("SELECT {} FROM {} LIMIT {LOOKED_AT}", names.join(", "), quoted(&table.name));
    let mut seen = vec![Seen::default(); asked.len()];
    watch.refuel(Some(STEPS));
    let looked = look(connection, &sql, &mut seen);
    watch.refuel(None);
    for (column, seen) in asked.iter().zip(&seen) {
        if let Some(column) = table.columns.get_mut(*column) {
            column.kind = seen.correct(column.kind);
        }
    }
    looked
}

/// Cells of a declared BLOB may be huge and never change its kind.
fn worth_a_look(kind: crate::domain::ColumnKind, data_type: &str) -> bool {
    kind != crate::domain::ColumnKind::Blob || data_type.is_empty()
}

fn look(connection: &Connection, sql: &str, seen: &mut [Seen]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        for (at, seen) in seen.iter_mut().enumerate() {
            seen.look(row.get_ref(at)?);
        }
    }
    Ok(())
}
