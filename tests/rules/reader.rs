//! A small reader of SQLite files for measuring: structure, values, rows.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use querent::domain::schema::KeyOrigin;
use querent::domain::{
    Catalog, Column, ColumnKind, ColumnRef, Facts, ForeignKey, Table, ValueList,
};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// Rows of a query as sorted texts of cells; an error in words.
pub(crate) fn rows(connection: &Connection, sql: &str) -> Result<Vec<Vec<String>>, String> {
    let mut statement = connection.prepare(sql).map_err(|e| e.to_string())?;
    let width = statement.column_count();
    let mut rows = statement.query([]).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    while let Some(row) = rows.next().map_err(|e| e.to_string())? {
        all.push((0..width).map(|n| cell(row.get_ref_unwrap(n))).collect());
        if all.len() > 200_000 {
            return Err("too many rows".to_owned());
        }
    }
    Ok(all)
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "∅".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(n) if n.fract() == 0.0 && n.abs() < 1e15 => format!("{n:.0}"),
        ValueRef::Real(n) => format!("{n:.8e}"),
        ValueRef::Text(t) => format!("'{}", String::from_utf8_lossy(t)),
        ValueRef::Blob(b) => format!("'{}", String::from_utf8_lossy(b)),
    }
}

/// Tells whether two results hold the same rows, columns in any order.
pub(crate) fn same(mine: &[Vec<String>], gold: &[Vec<String>]) -> bool {
    if mine.len() != gold.len() {
        return false;
    }
    let (Some(first), Some(wanted)) = (mine.first(), gold.first()) else { return true };
    if first.len() != wanted.len() {
        return false;
    }
    let mut wanted: Vec<Vec<String>> = gold.to_vec();
    wanted.sort();
    let column = |rows: &[Vec<String>], n: usize| {
        let mut cells: Vec<String> = rows.iter().map(|r| r[n].clone()).collect();
        cells.sort();
        cells
    };
    let fits: Vec<Vec<usize>> = (0..first.len())
        .map(|n| {
            let cells = column(gold, n);
            (0..first.len()).filter(|m| column(mine, *m) == cells).collect()
        })
        .collect();
    permute(&fits, &mut Vec::new(), mine, &wanted)
}

fn permute(
    fits: &[Vec<usize>],
    taken: &mut Vec<usize>,
    mine: &[Vec<String>],
    wanted: &[Vec<String>],
) -> bool {
    let Some(choices) = fits.get(taken.len()) else {
        let mut rows: Vec<Vec<String>> =
            mine.iter().map(|r| taken.iter().map(|n| r[*n].clone()).collect()).collect();
        rows.sort();
        return rows == wanted;
    };
    for choice in choices {
        if !taken.contains(choice) {
            taken.push(*choice);
            if permute(fits, taken, mine, wanted) {
                return true;
            }
            taken.pop();
        }
    }
    false
}

/// Structure and values of a database.
pub(crate) fn facts(connection: &Connection) -> Facts {
    let names = rows(connection, "SELECT name FROM sqlite_master WHERE type IN ('table','view') AND name NOT LIKE 'sqlite_%' ORDER BY rowid").unwrap();
    let mut catalog = Catalog::default();
    let mut values = Vec::new();
    for name in names.iter().map(|row| text(&row[0])) {
        let table = table(connection, &name);
        for column in &table.columns {
            let sql = format!(
                "SELECT DISTINCT \"{0}\" FROM \"{name}\" WHERE typeof(\"{0}\") = 'text' ORDER BY 1 LIMIT 10000",
                column.name
            );
            let list = rows(connection, &sql).unwrap_or_default();
            if !list.is_empty() {
                values.push(ValueList {
                    at: ColumnRef::new(&name, &column.name),
                    complete: list.len() < 10_000,
                    values: list.iter().map(|row| text(&row[0])).collect(),
                    ..ValueList::default()
                });
            }
        }
        catalog.tables.push(table);
    }
    catalog.keys = keys(connection, &catalog);
    Facts { catalog: Arc::new(catalog), values: Arc::new(values), ..Facts::default() }
}

fn text(cell: &str) -> String {
    cell.strip_prefix('\'').unwrap_or(cell).to_owned()
}

fn table(connection: &Connection, name: &str) -> Table {
    let mut table = Table { name: name.to_owned(), ..Table::default() };
    let mut keys: BTreeMap<i64, String> = BTreeMap::new();
    for row in rows(connection, &format!("PRAGMA table_info(\"{name}\")")).unwrap() {
        let (column, declared) = (text(&row[1]), text(&row[2]));
        let place: i64 = row[5].parse().unwrap_or(0);
        if place > 0 {
            keys.insert(place, column.clone());
        }
        table.columns.push(Column {
            name: column,
            kind: kind(&declared),
            data_type: declared,
            not_null: row[3] == "1",
            primary: place > 0,
            ..Column::default()
        });
    }
    table.primary_key = keys.into_values().collect();
    table
}

fn kind(declared: &str) -> ColumnKind {
    let upper = declared.to_uppercase();
    let has = |words: &[&str]| words.iter().any(|w| upper.contains(w));
    if has(&["BOOL"]) {
        ColumnKind::Boolean
    } else if has(&["INT"]) {
        ColumnKind::Integer
    } else if has(&["REAL", "FLOA", "DOUB", "NUMERIC", "DECIMAL"]) {
        ColumnKind::Real
    } else if has(&["DATE", "TIME"]) {
        ColumnKind::Date
    } else if has(&["CHAR", "TEXT", "CLOB"]) {
        ColumnKind::Text
    } else {
        ColumnKind::Unknown
    }
}

fn keys(connection: &Connection, catalog: &Catalog) -> Vec<ForeignKey> {
    let mut keys: Vec<ForeignKey> = Vec::new();
    for table in &catalog.tables {
        let list =
            rows(connection, &format!("PRAGMA foreign_key_list(\"{}\")", table.name)).unwrap();
        let mut by_id: BTreeMap<i64, ForeignKey> = BTreeMap::new();
        for row in list {
            let Some(to) = catalog.table(&text(&row[2])) else { continue };
            let column = match text(&row[4]).as_str() {
                "∅" => to.primary_key.first().cloned().unwrap_or_default(),
                named => named.to_owned(),
            };
            let key = by_id.entry(row[0].parse().unwrap()).or_insert_with(|| ForeignKey {
                from_table: table.name.clone(),
                from_columns: Vec::new(),
                to_table: to.name.clone(),
                to_columns: Vec::new(),
                origin: KeyOrigin::Declared,
                one_to_one: false,
            });
            key.from_columns.push(text(&row[3]));
            key.to_columns.push(column);
        }
        for key in by_id.into_values() {
            if !keys.iter().any(|k| {
                k.from_table == key.from_table
                    && k.from_columns == key.from_columns
                    && k.to_table == key.to_table
            }) {
                keys.push(key);
            }
        }
    }
    keys
}
