//! Reads tables, columns and keys from DuckDB's own lists, in a few questions whatever their number.

use std::collections::BTreeMap;

use adbc_core::error::Error;

use super::super::super::Trouble;
use super::super::super::sqlite::version;
use super::super::kinds;
use super::super::line::Seat;
use super::super::reading::{ask, command};
use super::files::FileTable;
use super::open::Source;
use super::trouble;
use crate::domain::schema::{Index, KeyOrigin, RowCount, TableKind};
use crate::domain::{Catalog, Column, Dialect, ForeignKey, Stage, Table, Value};
use crate::sql::dialect::literal;

/// What all questions are about: the opened database, without what the engine has of its own.
const OURS: &str = "database_name = current_database() AND NOT internal";

const TABLES: &str = "SELECT schema_name, table_name, comment, sql, estimated_size, false \
     FROM duckdb_tables() WHERE {OURS} UNION ALL \
     SELECT schema_name, view_name, comment, sql, NULL, true FROM duckdb_views() WHERE {OURS} \
     ORDER BY ALL";
const COLUMNS: &str = "SELECT schema_name, table_name, column_name, data_type, \
     NOT is_nullable, column_default, comment FROM duckdb_columns() \
     WHERE {OURS} ORDER BY schema_name, table_name, column_index";
const CONSTRAINTS: &str = "SELECT schema_name, table_name, constraint_type, \
     to_json(constraint_column_names), referenced_table, to_json(referenced_column_names), \
     constraint_text FROM duckdb_constraints() WHERE database_name = current_database() \
     AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY', 'CHECK') \
     ORDER BY schema_name, table_name, constraint_index";
const INDEXES: &str = "SELECT schema_name, table_name, index_name, is_unique, expressions \
     FROM duckdb_indexes() WHERE database_name = current_database() AND NOT is_primary \
     ORDER BY schema_name, table_name, index_name";

/// A table's schema and name.
type At = (String, String);

/// Reads the whole catalog in one transaction, so that all of it is of one moment.
pub(super) fn read(seat: &mut Seat, source: &Source) -> Result<Catalog, Trouble> {
    let files: &[FileTable] = match source {
        Source::File(_) => &[],
        Source::Tables(tables) => tables,
    };
    assemble(seat, files).map_err(|error| trouble::say(&error, Stage::Connection, ""))
}

fn assemble(seat: &mut Seat, files: &[FileTable]) -> Result<Catalog, Error> {
    command(seat, "BEGIN TRANSACTION READ ONLY")?;
    let mut catalog = Catalog { dialect: Dialect::Duckdb, ..Catalog::default() };
    let mut tables: BTreeMap<At, Table> = BTreeMap::new();
    for mut row in rows(seat, TABLES)? {
        let at = (row.text(), row.text());
        if at.0.contains('.') || at.1.contains('.') {
            let why = "a name with a dot in it can't be told from one behind its schema";
            catalog.unreadable.push(format!("{}.{}: {why}", at.0, at.1));
            continue;
        }
        tables.insert(at.clone(), table(&at, &mut row));
    }
    for mut row in rows(seat, COLUMNS)? {
        if let Some(table) = tables.get_mut(&(row.text(), row.text())) {
            table.columns.push(column(&mut row));
        }
    }
    let mut declared = Vec::new();
    for mut row in rows(seat, CONSTRAINTS)? {
        let at = (row.text(), row.text());
        let Some(table) = tables.get_mut(&at) else { continue };
        match row.text().as_str() {
            "PRIMARY KEY" => set_key(table, row.list()),
            "UNIQUE" => set_unique(table, row.list()),
            "FOREIGN KEY" => declared.push((at, row.list(), row.text(), row.list())),
            _ => table.checks.push(row.rest().text()),
        }
    }
    for mut row in rows(seat, INDEXES)? {
        if let Some(table) = tables.get_mut(&(row.text(), row.text())) {
            add_index(table, &mut row);
        }
    }
    catalog.keys = declared.into_iter().filter_map(|key| foreign_key(&tables, key)).collect();
    catalog.tables = tables.into_values().collect();
    for table in files {
        of_files(seat, table, &mut catalog)?;
    }
    // a proof that fails must not take the next ones with it
    command(seat, "ROLLBACK")?;
    catalog.version = version::of(&catalog);
    Ok(catalog)
}

fn table(at: &At, row: &mut Row) -> Table {
    let (comment, ddl, size, view) = (row.maybe(), row.maybe(), row.next(), row.flag());
    let rows = match size {
        Some(Value::Integer(size)) => {
            u64::try_from(size).ok().map(|count| RowCount { count, exact: false })
        }
        Some(_) | None => None,
    };
    let kind = if view { TableKind::View } else { TableKind::Table };
    Table { name: named(at), kind, comment, ddl, rows, ..Table::default() }
}

/// Names a table, behind its schema where that isn't the usual one.
fn named(at: &At) -> String {
    match at {
        (schema, table) if schema == "main" => table.clone(),
        (schema, table) => format!("{schema}.{table}"),
    }
}

fn column(row: &mut Row) -> Column {
    let (name, data_type, not_null) = (row.text(), row.text(), row.flag());
    let (default, comment) = (row.maybe(), row.maybe());
    Column {
        kind: kinds::of(&data_type),
        name,
        data_type,
        not_null,
        default,
        comment,
        ..Column::default()
    }
}

fn set_key(table: &mut Table, key: Vec<String>) {
    for column in table.columns.iter_mut().filter(|column| key.contains(&column.name)) {
        column.primary = true;
        column.unique = key.len() == 1;
    }
    table.primary_key = key;
}

fn set_unique(table: &mut Table, columns: Vec<String>) {
    for column in table.columns.iter_mut().filter(|column| columns == [column.name.as_str()]) {
        column.unique = true;
    }
    table.uniques.push(columns);
}

fn add_index(table: &mut Table, row: &mut Row) {
    let (name, unique, expressions) = (row.text(), row.flag(), row.text());
    let plain = expressions.trim_matches(['[', ']']);
    let columns: Vec<String> =
        plain.split(", ").map(|part| part.trim_matches(['\'', '"']).to_owned()).collect();
    if unique && columns.iter().all(|name| table.column(name).is_some()) {
        set_unique(table, columns.clone());
    }
    table.indexes.push(Index { name, columns, unique });
}

/// Makes a key of what is declared; the table pointed to stands in the same schema.
fn foreign_key(
    tables: &BTreeMap<At, Table>,
    (at, from, to, columns): (At, Vec<String>, String, Vec<String>),
) -> Option<ForeignKey> {
    let table = tables.get(&at)?;
    let target = tables.get(&(at.0, to))?;
    let unique: Vec<&str> = from.iter().map(String::as_str).collect();
    Some(ForeignKey {
        one_to_one: table.is_unique(&unique),
        from_table: table.name.clone(),
        from_columns: from,
        to_table: target.name.clone(),
        to_columns: columns,
        origin: KeyOrigin::Declared,
    })
}

/// Tells of a table made of files what their footers say.
fn of_files(seat: &mut Seat, made: &FileTable, catalog: &mut Catalog) -> Result<(), Error> {
    let found = catalog.tables.iter_mut().find(|table| table.name.eq_ignore_ascii_case(&made.name));
    let Some(table) = found else { return Ok(()) };
    table.kind = TableKind::Table;
    table.ddl = None;
    if made.reader == "read_parquet" {
        let files: Vec<String> =
            made.files.iter().map(|file| literal(file, Dialect::Duckdb)).collect();
        let sql = format!(
            "SELECT CAST(sum(num_rows) AS BIGINT) FROM parquet_file_metadata([{}])",
            files.join(", ")
        );
        let counted = rows(seat, &sql)?.first_mut().and_then(Row::next);
        if let Some(Value::Integer(count)) = counted {
            table.rows = u64::try_from(count).ok().map(|count| RowCount { count, exact: true });
        }
    }
    Ok(())
}

fn rows(seat: &mut Seat, sql: &str) -> Result<Vec<Row>, Error> {
    let rows = ask(seat, &sql.replace("{OURS}", OURS))?;
    Ok(rows.into_iter().map(|row| Row(row.into_iter())).collect())
}

/// One row, read cell by cell.
struct Row(std::vec::IntoIter<Value>);

impl Row {
    fn next(&mut self) -> Option<Value> {
        self.0.next()
    }

    fn maybe(&mut self) -> Option<String> {
        match self.next()? {
            Value::Text(text) => Some(text),
            Value::Null
            | Value::Integer(_)
            | Value::Real(_)
            | Value::Blob(_)
            | Value::Malformed(_) => None,
        }
    }

    fn text(&mut self) -> String {
        self.maybe().unwrap_or_default()
    }

    fn flag(&mut self) -> bool {
        self.text() == "true"
    }

    fn list(&mut self) -> Vec<String> {
        serde_json::from_str(&self.text()).unwrap_or_default()
    }

    /// Skips to the last cell.
    fn rest(&mut self) -> Row {
        Row(self.0.next_back().into_iter().collect::<Vec<_>>().into_iter())
    }
}
