//! Looks texts of a question up in columns, within a bound of machine steps for each column.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::super::profile::leads_an_index;
use super::super::session::{Lane, Watch};
use super::super::{Look, LookUp, Looked, Wanted};
use super::{DatabaseError, quoted, trouble};
use crate::domain::{Catalog, Table};

/// Machine steps for one column: about three million rows of a table.
const STEPS: i64 = 15_000_000;

/// Looks up what is wanted, in order; what time does not allow comes back as unsettled.
pub(super) fn look_up(
    lane: &Lane,
    watch: &Watch,
    path: &Path,
    catalog: &Catalog,
    wanted: &[LookUp],
) -> Result<Vec<Looked>, DatabaseError> {
    let mut looked = Vec::new();
    for one in wanted {
        let Some(table) = catalog.table(&one.at.table) else { continue };
        let sql = scan(one);
        let found = if watch.dropped() || watch.late() {
            Ok(Look::Unsettled)
        } else {
            watch.refuel(Some(STEPS));
            let found = settle(&lane.connection, table, one, &sql);
            watch.refuel(None);
            found
        };
        let found = match found {
            Ok(found) => found,
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                Look::Unsettled
            }
            Err(error) => match trouble::environment(&error, path) {
                Some(trouble) => return Err(trouble),
                None => Look::Unsettled,
            },
        };
        looked.push(Looked { at: one.at.clone(), sql, found });
    }
    Ok(looked)
}

fn settle(
    connection: &Connection,
    table: &Table,
    wanted: &LookUp,
    sql: &str,
) -> rusqlite::Result<Look> {
    if let Wanted::Text(text) = &wanted.what
        && leads_an_index(table, &wanted.at.column)
        && let Some(stored) = first(connection, &by_index(wanted, text))?
    {
        return Ok(Look::Stored(stored));
    }
    Ok(first(connection, sql)?.map_or(Look::Lacking, Look::Stored))
}

fn first(connection: &Connection, sql: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.raw_query();
    match rows.next()? {
        Some(row) => Ok(row.get::<_, Option<String>>(0)?),
        None => Ok(None),
    }
}

/// Asks in the spellings that an index can find at once.
fn by_index(wanted: &LookUp, text: &str) -> String {
    let mut spellings = vec![text.to_owned(), text.to_lowercase(), text.to_uppercase()];
    spellings.dedup();
    let list: Vec<String> = spellings.iter().map(|text| literal(text)).collect();
    let (column, table) = (quoted(&wanted.at.column), quoted(&wanted.at.table));
    format!("SELECT {column} FROM {table} WHERE {column} IN ({}) LIMIT 1", list.join(", "))
}

/// Asks by reading rows until one is found.
fn scan(wanted: &LookUp) -> String {
    let (column, table) = (quoted(&wanted.at.column), quoted(&wanted.at.table));
    let is = match &wanted.what {
        Wanted::Text(text) => format!("{column} = {} COLLATE NOCASE", literal(text)),
        Wanted::Day { from, before } => {
            format!("{column} >= {} AND {column} < {}", literal(from), literal(before))
        }
    };
    format!("SELECT {column} FROM {table} WHERE {is} LIMIT 1")
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}
