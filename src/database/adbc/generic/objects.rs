//! The catalog as ADBC's `GetObjects` tells it: catalogs, in them schemas, in them tables.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Arrow's types and ADBC's states are others' enums, of which few matter here"
)]

use std::collections::BTreeMap;

use adbc_core::Connection as _;
use adbc_core::error::Error;
use adbc_core::options::ObjectDepth;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type};
use arrow_array::{Array, StructArray};
use arrow_schema::DataType;

use super::super::kinds;
use super::super::line::Seat;
use crate::domain::schema::{KeyOrigin, TableKind};
use crate::domain::{Catalog, Column, ForeignKey, Table};

/// Schemas of engines' own, in lower case.
const SYSTEM: &[&str] =
    &["information_schema", "pg_catalog", "pg_toast", "sys", "mysql", "performance_schema"];

/// Where a connection stands, and what needs no name before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The catalog; none when the driver doesn't tell.
    pub(super) catalog: Option<String>,
    /// The schema.
    pub(super) schema: String,
}

impl Place {
    fn named(&self, schema: &str, table: &str) -> String {
        if schema.is_empty() || schema.eq_ignore_ascii_case(&self.schema) {
            table.to_owned()
        } else {
            format!("{schema}.{table}")
        }
    }
}

/// A key as a table tells it: columns, and schema, table and column of each column pointed to.
struct Key {
    from: String,
    columns: Vec<String>,
    to: Vec<(String, String, String)>,
}

/// Reads tables, columns and keys.
pub(super) fn read(seat: &mut Seat, place: &Place) -> Result<Catalog, Error> {
    let mut catalog = Catalog::default();
    let mut keys = Vec::new();
    let catalog_name = place.catalog.as_deref();
    let objects =
        seat.connection.get_objects(ObjectDepth::All, catalog_name, None, None, None, None)?;
    for batch in objects {
        let batch = StructArray::from(batch?);
        for row in (0..batch.len()).map(|at| Row { of: &batch, at }) {
            // a catalog that isn't asked for may be told all the same
            let other = row.text("catalog_name").filter(|_| place.catalog.is_some());
            if other.is_some_and(|name| place.catalog.as_ref() != Some(&name)) {
                continue;
            }
            for schema in row.rows("catalog_db_schemas") {
                add_schema(&schema, place, &mut catalog, &mut keys);
            }
        }
    }
    catalog.tables.sort_by(|a, b| a.name.cmp(&b.name));
    catalog.keys = foreign_keys(&catalog.tables, keys, place);
    Ok(catalog)
}

fn add_schema(schema: &Row<'_>, place: &Place, catalog: &mut Catalog, keys: &mut Vec<Key>) {
    let name = schema.text("db_schema_name").unwrap_or_default();
    if SYSTEM.contains(&name.to_ascii_lowercase().as_str()) {
        return;
    }
    for row in schema.rows("db_schema_tables") {
        let kind = row.text("table_type").unwrap_or_default().to_ascii_lowercase();
        let Some(table) = row.text("table_name").filter(|_| is_data(&kind)) else { continue };
        if table.contains('.') || name.contains('.') {
            let why = "a name with a dot in it can't be told from one behind its schema";
            catalog.unreadable.push(format!("{name}.{table}: {why}"));
            continue;
        }
        let mut columns: Vec<(i64, Column)> =
            row.rows("table_columns").map(|row| column(&row)).collect();
        columns.sort_by_key(|(place, _)| *place);
        let mut made = Table {
            name: place.named(&name, &table),
            kind: if kind.contains("view") { TableKind::View } else { TableKind::Table },
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            ..Table::default()
        };
        for constraint in row.rows("table_constraints") {
            add_constraint(&constraint, &mut made, keys);
        }
        catalog.tables.push(made);
    }
}

/// Tells whether a kind of table holds rows that people ask for.
fn is_data(kind: &str) -> bool {
    !kind.contains("index")
        && !kind.contains("sequence")
        && !kind.contains("system")
        && !kind.contains("toast")
        && !kind.contains("type")
}

fn column(row: &Row<'_>) -> (i64, Column) {
    let data_type = row.text("xdbc_type_name").unwrap_or_default();
    let not_null = match row.text("xdbc_is_nullable") {
        Some(word) => word.eq_ignore_ascii_case("no"),
        None => row.number("xdbc_nullable") == Some(0),
    };
    let column = Column {
        name: row.text("column_name").unwrap_or_default(),
        kind: kinds::of(&data_type),
        data_type,
        not_null,
        default: row.text("xdbc_column_def"),
        comment: row.text("remarks").filter(|text| !text.is_empty()),
        ..Column::default()
    };
    (row.number("ordinal_position").unwrap_or(0), column)
}

fn add_constraint(row: &Row<'_>, table: &mut Table, keys: &mut Vec<Key>) {
    let columns = row.texts("constraint_column_names");
    let kind = row.text("constraint_type").unwrap_or_default().to_ascii_uppercase();
    let single = |table: &mut Table, key: bool| {
        for column in &mut table.columns {
            if columns.contains(&column.name) {
                column.primary |= key;
                column.unique |= columns.len() == 1;
            }
        }
    };
    match kind.as_str() {
        "PRIMARY KEY" => {
            single(table, true);
            table.primary_key = columns;
        }
        "UNIQUE" => {
            single(table, false);
            table.uniques.push(columns);
        }
        "FOREIGN KEY" => {
            let part = |row: Row<'_>| {
                let schema = row.text("fk_db_schema").unwrap_or_default();
                Some((schema, row.text("fk_table")?, row.text("fk_column_name")?))
            };
            let to: Option<Vec<_>> = row.rows("constraint_column_usage").map(part).collect();
            let from = table.name.clone();
            keys.extend(to.map(|to| Key { from, columns, to }));
        }
        _ => {}
    }
}

fn foreign_keys(tables: &[Table], keys: Vec<Key>, place: &Place) -> Vec<ForeignKey> {
    let by_name: BTreeMap<&str, &Table> =
        tables.iter().map(|table| (table.name.as_str(), table)).collect();
    let made = |key: Key| {
        let (schema, table, _) = key.to.first()?;
        let target = by_name.get(place.named(schema, table).as_str())?;
        let from = by_name.get(key.from.as_str())?;
        let unique: Vec<&str> = key.columns.iter().map(String::as_str).collect();
        let to_columns: Vec<String> = key.to.iter().map(|(_, _, column)| column.clone()).collect();
        (to_columns.len() == key.columns.len()).then(|| ForeignKey {
            one_to_one: from.is_unique(&unique),
            from_table: key.from.clone(),
            from_columns: key.columns.clone(),
            to_table: target.name.clone(),
            to_columns,
            origin: KeyOrigin::Declared,
        })
    };
    keys.into_iter().filter_map(made).collect()
}

/// One row of named values, some of which are lists of such rows.
struct Row<'a> {
    of: &'a StructArray,
    at: usize,
}

impl<'a> Row<'a> {
    fn cell(&self, name: &str) -> Option<&'a dyn Array> {
        let column = self.of.column_by_name(name)?;
        (!column.is_null(self.at)).then_some(column.as_ref())
    }

    fn text(&self, name: &str) -> Option<String> {
        words(self.cell(name)?, self.at)
    }

    fn number(&self, name: &str) -> Option<i64> {
        let column = self.cell(name)?;
        match column.data_type() {
            DataType::Int16 => Some(column.as_primitive::<Int16Type>().value(self.at).into()),
            DataType::Int32 => Some(column.as_primitive::<Int32Type>().value(self.at).into()),
            _ => None,
        }
    }

    fn list(&self, name: &str) -> Option<(&'a dyn Array, std::ops::Range<usize>)> {
        let list = self.cell(name)?.as_list_opt::<i32>()?;
        let place = |at: usize| {
            list.value_offsets().get(at).and_then(|at| usize::try_from(*at).ok()).unwrap_or(0)
        };
        Some((list.values().as_ref(), place(self.at)..place(self.at + 1)))
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let Some((items, range)) = self.list(name) else { return Vec::new() };
        range.filter_map(|at| words(items, at)).collect()
    }

    fn rows(&self, name: &str) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let found =
            self.list(name).and_then(|(items, range)| Some((items.as_struct_opt()?, range)));
        found.into_iter().flat_map(|(of, range)| range.map(move |at| Row { of, at }))
    }
}

fn words(array: &dyn Array, at: usize) -> Option<String> {
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(at).to_owned()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(at).to_owned()),
        DataType::Utf8View => Some(array.as_string_view().value(at).to_owned()),
        _ => None,
    }
}
