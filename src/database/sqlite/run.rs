//! Runs one statement and streams its rows into a result.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

use super::super::results::{ResultStore, Room, RowBytes};
use super::super::session::{Lane, Watch};
use super::super::{Limits, Trouble};
use super::verdict;
use crate::domain::counts;
use crate::domain::{ResultColumn, Rows};

/// Runs a statement to its end or a limit. The store is finished in every case, so that a reader
/// never waits for rows that won't come.
pub(super) fn run(
    lane: &Lane,
    watch: &Watch,
    sql: &str,
    limits: Limits,
    into: &ResultStore,
    path: &Path,
) -> Result<Rows, Trouble> {
    let streamed = verdict::prepare(lane, sql, path).and_then(|mut statement| {
        stream(&mut statement, limits, into)
            .map_err(|error| verdict::broken_off(&error, watch, limits.timeout, path))
    });
    match streamed {
        Ok(stopped) => {
            into.finish(stopped);
            Ok(into.head())
        }
        Err(trouble) => {
            into.finish(Some(trouble.words()));
            Err(trouble)
        }
    }
}

/// Streams all rows; returns why it stopped before the end, if it did.
fn stream(
    statement: &mut Statement<'_>,
    limits: Limits,
    into: &ResultStore,
) -> rusqlite::Result<Option<String>> {
    let columns = columns(statement);
    let mut untyped: Vec<Untyped> = (0..columns.len())
        .filter(|i| columns.get(*i).is_some_and(|c| c.data_type.is_empty()))
        .map(|column| Untyped { column, found: None })
        .collect();
    let width = columns.len();
    into.begin(columns);
    let mut rows = statement.raw_query();
    let mut bytes = RowBytes::new();
    let mut count = 0u64;
    while let Some(row) = rows.next()? {
        if limits.max_rows == Some(count) {
            return Ok(Some(format!(
                "stopped after {}, the limit given",
                counts::count(count, "row")
            )));
        }
        bytes.clear();
        for column in 0..width {
            encode(row.get_ref(column)?, &mut bytes);
        }
        if !untyped.is_empty() {
            learn_types(row, &mut untyped, into)?;
        }
        if into.push(&bytes) == Room::Stop {
            return Ok(into.stopped());
        }
        count += 1;
    }
    Ok(None)
}

fn encode(cell: ValueRef<'_>, bytes: &mut RowBytes) {
    match cell {
        ValueRef::Null => bytes.null(),
        ValueRef::Integer(n) => bytes.integer(n),
        ValueRef::Real(n) => bytes.real(n),
        ValueRef::Text(text) => bytes.text(text),
        ValueRef::Blob(blob) => bytes.blob(blob),
    }
}

/// A column of expressions, and the type that its values have so far.
struct Untyped {
    column: usize,
    found: Option<&'static str>,
}

/// What a column is called whose values have no type in common.
const MIXED: &str = "mixed";

/// Names the types of expressions by their values: numbers with and without fraction are `real`
/// together, all else that differs is `mixed`, and then it is settled.
fn learn_types(
    row: &Row<'_>,
    untyped: &mut Vec<Untyped>,
    into: &ResultStore,
) -> rusqlite::Result<()> {
    for one in untyped.iter_mut() {
        let class = match row.get_ref(one.column)? {
            ValueRef::Null => continue,
            ValueRef::Integer(_) => "integer",
            ValueRef::Real(_) => "real",
            ValueRef::Text(_) => "text",
            ValueRef::Blob(_) => "blob",
        };
        let together = match (one.found, class) {
            (None, class) => class,
            (Some(found), class) if found == class => continue,
            (Some("integer" | "real"), "integer" | "real") => "real",
            (Some(_), _) => MIXED,
        };
        if one.found != Some(together) {
            one.found = Some(together);
            into.set_type(one.column, together);
        }
    }
    untyped.retain(|one| one.found != Some(MIXED));
    Ok(())
}

fn columns(statement: &Statement<'_>) -> Vec<ResultColumn> {
    (0..statement.column_count()).map(|at| column(statement, at)).collect()
}

fn column(statement: &Statement<'_>, at: usize) -> ResultColumn {
    let Ok(Some((_, table, origin, data_type, ..))) = statement.column_metadata(at) else {
        let name = statement.column_name(at).unwrap_or("").to_owned();
        return ResultColumn { name, data_type: String::new(), origin: None, unit: None };
    };
    // asking for a name that is no UTF-8 panics in the library; such a column shows its origin
    let name = match origin.to_str() {
        Ok(_) => statement.column_name(at).unwrap_or("").to_owned(),
        Err(_) => origin.to_string_lossy().into_owned(),
    };
    ResultColumn {
        name,
        data_type: data_type.map_or(String::new(), |t| t.to_string_lossy().into_owned()),
        origin: Some(format!("{}.{}", table.to_string_lossy(), origin.to_string_lossy())),
        unit: None,
    }
}
