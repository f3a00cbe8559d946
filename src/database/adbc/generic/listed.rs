//! The catalog of engines that don't tell it through the driver: a list of tables, and the columns
//! of a query for no rows of each.

use std::time::{Duration, Instant};

use adbc_core::Statement as _;
use adbc_core::error::Error;
use arrow_schema::Schema;

use super::super::kinds;
use super::super::line::Seat;
use super::super::reading::ask;
use super::super::types;
use crate::domain::{Catalog, Column, Dialect, Table, Value};
use crate::sql::dialect::quote_table;

/// Questions for a list of schemas and tables, the first that the engine understands.
const LISTS: &[&str] = &[
    "SELECT table_schema, table_name FROM information_schema.tables \
     WHERE lower(table_schema) NOT IN ('information_schema', 'pg_catalog', 'sys')",
    "SHOW TABLES",
];
/// Columns of such a list that hold the schema or the table's name, in lower case.
const SCHEMA: &[&str] = &["table_schema", "database", "namespace", "schema_name", "database_name"];
const NAME: &[&str] = &["table_name", "tablename", "name"];
/// Time for the columns of all tables.
const LOOKING: Duration = Duration::from_secs(20);

/// Reads tables and their columns.
pub(super) fn read(seat: &mut Seat, dialect: Dialect, schema: &str) -> Result<Catalog, Error> {
    let mut catalog = Catalog::default();
    let end = Instant::now() + LOOKING;
    for (own, table) in tables(seat)? {
        let usual = own.is_empty() || own == schema || own == "default";
        let name = if usual { table } else { format!("{own}.{table}") };
        if Instant::now() > end {
            catalog.unreadable.push(format!("columns of {name}: reading them took too long"));
            continue;
        }
        match columns(seat, &name, dialect) {
            Ok(columns) => catalog.tables.push(Table { name, columns, ..Table::default() }),
            Err(error) => catalog.unreadable.push(format!("{name}: {}", error.message)),
        }
    }
    catalog.tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(catalog)
}

fn tables(seat: &mut Seat) -> Result<Vec<(String, String)>, Error> {
    let mut failed = None;
    for sql in LISTS {
        match listed(seat, sql) {
            Ok(found) => return Ok(found),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(Vec::new()), Err)
}

fn listed(seat: &mut Seat, sql: &str) -> Result<Vec<(String, String)>, Error> {
    let names = schema(seat, sql)?;
    let names: Vec<String> =
        names.fields().iter().map(|field| field.name().to_lowercase()).collect();
    let at = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let (own, table) = (at(SCHEMA), at(NAME).unwrap_or(names.len().saturating_sub(1)));
    let text = |row: &[Value], at: Option<usize>| match row.get(at?)? {
        Value::Text(text) => Some(text.clone()),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            None
        }
    };
    let pair =
        |row: Vec<Value>| Some((text(&row, own).unwrap_or_default(), text(&row, Some(table))?));
    Ok(ask(seat, sql)?.into_iter().filter_map(pair).collect())
}

fn columns(seat: &mut Seat, table: &str, dialect: Dialect) -> Result<Vec<Column>, Error> {
    let sql = format!("SELECT * FROM {} WHERE 1 = 0", quote_table(table, dialect));
    let schema = schema(seat, &sql)?;
    let column = |field: &arrow_schema::FieldRef| {
        let data_type = types::type_name(field);
        Column {
            name: field.name().clone(),
            kind: kinds::of(&data_type),
            data_type,
            not_null: !field.is_nullable(),
            ..Column::default()
        }
    };
    Ok(schema.fields().iter().map(column).collect())
}

/// Names types of a catalog that the driver told without them.
pub(super) fn add_types(seat: &mut Seat, catalog: &mut Catalog, dialect: Dialect) {
    let end = Instant::now() + LOOKING;
    for table in &mut catalog.tables {
        let told = table.columns.iter().all(|column| !column.data_type.is_empty());
        if (told && !table.columns.is_empty()) || Instant::now() > end {
            continue;
        }
        let Ok(found) = columns(seat, &table.name, dialect) else { continue };
        if table.columns.is_empty() {
            table.columns = found;
            continue;
        }
        for column in table.columns.iter_mut().filter(|column| column.data_type.is_empty()) {
            if let Some(found) = found.iter().find(|found| found.name == column.name) {
                column.data_type.clone_from(&found.data_type);
                column.kind = found.kind;
            }
        }
    }
}

fn schema(seat: &mut Seat, sql: &str) -> Result<Schema, Error> {
    let mut statement = seat.statement()?;
    statement.set_sql_query(sql)?;
    let batches = statement.execute()?;
    Ok(batches.schema().as_ref().clone())
}
