//! Reads the structure of a SQLite file as the engine tells it: a few statements over all tables.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::super::session::Lane;

/// A row of the schema table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) kind: String,
    pub(super) name: String,
    /// The table that it belongs to: its own name but for indexes.
    pub(super) table: String,
    pub(super) ddl: Option<String>,
}

impl Object {
    /// Tells whether it is a virtual table.
    pub(super) fn is_virtual(&self) -> bool {
        let begins = |ddl: &String| {
            ddl.get(..14).is_some_and(|begin| begin.eq_ignore_ascii_case("CREATE VIRTUAL"))
        };
        self.kind == "table" && self.ddl.as_ref().is_some_and(begins)
    }
}

/// A column as the engine tells it.
#[derive(Debug, Clone)]
pub(super) struct RawColumn {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) data_type: String,
    pub(super) not_null: bool,
    pub(super) default: Option<String>,
    /// Place in the primary key, from 1; 0 when it is not part of it.
    pub(super) key: i64,
    /// Computed by the table's definition.
    pub(super) generated: bool,
}

/// A column of an index; `column` is none for an expression.
#[derive(Debug, Clone)]
pub(super) struct RawIndex {
    pub(super) table: String,
    pub(super) index: String,
    pub(super) unique: bool,
    /// `c` by CREATE INDEX, `u` by UNIQUE, `pk` by PRIMARY KEY.
    pub(super) origin: String,
    pub(super) partial: bool,
    pub(super) column: Option<String>,
}

/// A column of a foreign key; `to` is none when the key points to the other's primary key.
#[derive(Debug, Clone)]
pub(super) struct RawKey {
    pub(super) table: String,
    pub(super) id: i64,
    pub(super) to_table: String,
    pub(super) from: String,
    pub(super) to: Option<String>,
}

/// Reads the engine's count of schema changes.
pub(super) fn schema_version(lane: &Lane) -> rusqlite::Result<i64> {
    ours(lane, |connection| connection.query_row("PRAGMA schema_version", [], |row| row.get(0)))
}

/// Works with the structure pragmas let through.
pub(super) fn ours<T>(lane: &Lane, work: impl FnOnce(&Connection) -> T) -> T {
    lane.ours.store(true, std::sync::atomic::Ordering::Relaxed);
    let done = work(&lane.connection);
    lane.ours.store(false, std::sync::atomic::Ordering::Relaxed);
    done
}

/// Reads text of any encoding; what is no UTF-8 is shown with marks in place of the bytes.
fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(n) => Some(n.to_string()),
        ValueRef::Real(n) => Some(n.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    })
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    argument: Option<&str>,
    make: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare(sql)?;
    if let Some(argument) = argument {
        statement.raw_bind_parameter(1, argument)?;
    }
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(make(row)?);
    }
    Ok(found)
}

/// Lists tables, views and indexes in the order they were made.
pub(super) fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema \
               WHERE type IN ('table', 'view', 'index') ORDER BY rowid";
    all(connection, sql, None, |row| {
        Ok(Object {
            kind: text(row, 0)?.unwrap_or_default(),
            name: text(row, 1)?.unwrap_or_default(),
            table: text(row, 2)?.unwrap_or_default(),
            ddl: text(row, 3)?,
        })
    })
}

/// Lists the tables in which virtual tables keep their content.
pub(super) fn shadows(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'";
    all(connection, sql, None, |row| Ok(text(row, 0)?.unwrap_or_default()))
}

/// Tables that are stored by the engine itself; views and virtual tables may fail one by one.
const STORED: &str = "(SELECT name FROM sqlite_schema WHERE type = 'table' \
                      AND sql NOT LIKE 'create virtual%' ORDER BY rowid) AS t";

/// Lists the columns of all stored tables.
pub(super) fn columns(connection: &Connection) -> rusqlite::Result<Vec<RawColumn>> {
    let sql = format!(
        "SELECT t.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk, c.hidden \
         FROM {STORED} CROSS JOIN pragma_table_xinfo(t.name, 'main') AS c WHERE c.hidden <> 1"
    );
    all(connection, &sql, None, column)
}

/// Lists the columns of one view or virtual table.
pub(super) fn columns_of(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RawColumn>> {
    let sql = "SELECT ?1, name, type, \"notnull\", dflt_value, pk, hidden \
               FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 1";
    all(connection, sql, Some(table), column)
}

fn column(row: &Row<'_>) -> rusqlite::Result<RawColumn> {
    Ok(RawColumn {
        table: text(row, 0)?.unwrap_or_default(),
        name: text(row, 1)?.unwrap_or_default(),
        data_type: text(row, 2)?.unwrap_or_default(),
        not_null: row.get::<_, i64>(3)? != 0,
        default: text(row, 4)?,
        key: row.get(5)?,
        generated: row.get::<_, i64>(6)? > 1,
    })
}

/// Lists the columns of all indexes, those of the oldest index of a table first.
pub(super) fn indexes(connection: &Connection) -> rusqlite::Result<Vec<RawIndex>> {
    let sql = format!(
        "SELECT t.name, i.name, i.\"unique\", i.origin, i.partial, c.name \
         FROM {STORED} CROSS JOIN pragma_index_list(t.name, 'main') AS i \
         CROSS JOIN pragma_index_xinfo(i.name, 'main') AS c WHERE c.key = 1 \
         ORDER BY t.name, i.seq DESC, c.seqno"
    );
    all(connection, &sql, None, index)
}

/// Lists the columns of the indexes of one table, the oldest first.
pub(super) fn indexes_of(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RawIndex>> {
    let sql = "SELECT ?1, i.name, i.\"unique\", i.origin, i.partial, c.name \
               FROM pragma_index_list(?1, 'main') AS i \
               CROSS JOIN pragma_index_xinfo(i.name, 'main') AS c WHERE c.key = 1 \
               ORDER BY i.seq DESC, c.seqno";
    all(connection, sql, Some(table), index)
}

fn index(row: &Row<'_>) -> rusqlite::Result<RawIndex> {
    Ok(RawIndex {
        table: text(row, 0)?.unwrap_or_default(),
        index: text(row, 1)?.unwrap_or_default(),
        unique: row.get::<_, i64>(2)? != 0,
        origin: text(row, 3)?.unwrap_or_default(),
        partial: row.get::<_, i64>(4)? != 0,
        column: text(row, 5)?,
    })
}

/// Lists the columns of all declared foreign keys, in declared order.
pub(super) fn keys(connection: &Connection) -> rusqlite::Result<Vec<RawKey>> {
    let sql = format!(
        "SELECT t.name, k.id, k.\"table\", k.\"from\", k.\"to\" \
         FROM {STORED} CROSS JOIN pragma_foreign_key_list(t.name, 'main') AS k"
    );
    Ok(in_declared_order(all(connection, &sql, None, key)?))
}

/// Lists the columns of the declared foreign keys of one table, in declared order.
pub(super) fn keys_of(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RawKey>> {
    let sql = "SELECT ?1, k.id, k.\"table\", k.\"from\", k.\"to\" \
               FROM pragma_foreign_key_list(?1, 'main') AS k";
    Ok(in_declared_order(all(connection, sql, Some(table), key)?))
}

fn key(row: &Row<'_>) -> rusqlite::Result<RawKey> {
    Ok(RawKey {
        table: text(row, 0)?.unwrap_or_default(),
        id: row.get(1)?,
        to_table: text(row, 2)?.unwrap_or_default(),
        from: text(row, 3)?.unwrap_or_default(),
        to: text(row, 4)?,
    })
}

/// The engine numbers the last declared key 0; columns of one key stay in order.
fn in_declared_order(mut keys: Vec<RawKey>) -> Vec<RawKey> {
    for of_table in keys.chunk_by_mut(|a, b| a.table == b.table) {
        of_table.sort_by_key(|key| std::cmp::Reverse(key.id));
    }
    keys
}

/// Reads the bytes that the database takes.
pub(super) fn size(connection: &Connection) -> rusqlite::Result<u64> {
    let pragma = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let bytes = pragma("PRAGMA page_count")?.saturating_mul(pragma("PRAGMA page_size")?);
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// Reads the row counts that ANALYZE left, if it ever ran.
pub(super) fn analysed(connection: &Connection) -> Vec<(String, u64)> {
    let sql = "SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl ORDER BY tbl";
    let read = all(connection, sql, None, |row| {
        let rows = row.get::<_, Option<i64>>(1)?.unwrap_or(0);
        Ok((text(row, 0)?.unwrap_or_default(), u64::try_from(rows).unwrap_or(0)))
    });
    read.unwrap_or_default()
}
