//! Reads rows of a table within a bound: all of a small one, a fixed sample of a large one.
//!
//! Of a large table blocks of rows evenly spaced over its row ids are read, the last rows among
//! them, since the newest matter most.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::{measure, quoted};
use crate::domain::schema::TableKind;
use crate::domain::{Table, Value};

/// Blocks of a sample.
const BLOCKS: u64 = 16;

/// Whether more rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    On,
    /// What is wanted is known.
    Enough,
}

/// Reads at most `most` rows of a table; returns whether these are all.
pub(super) fn scan(
    connection: &Connection,
    table: &Table,
    columns: &[String],
    most: u64,
    mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<Go>,
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
        if each(row)? == Go::Enough {
            return Ok(false);
        }
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
        each: &mut impl FnMut(&Row<'_>) -> rusqlite::Result<Go>,
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
                if each(row)? == Go::Enough {
                    return Ok(());
                }
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

pub(super) fn value(cell: ValueRef<'_>) -> Value {
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
