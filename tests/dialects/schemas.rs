//! Catalogs made from the CREATE TABLE statements of schema files.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser knows far more than these files hold"
)]

use std::path::{Path, PathBuf};

use querent::domain::{Catalog, Column, ColumnKind, Dialect, Table};
use querent::sql::dialect::parser;
use serde_json::Value;
use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, Ident, IndexColumn, ObjectName, Statement,
    TableConstraint,
};
use sqlparser::parser::Parser;

/// Returns the folder of the query sets, or says that it isn't there.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("QUERENT_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: QUERENT_DATA names no folder with the query sets");
    }
    folder
}

/// Reads a set.
pub(crate) fn lines(folder: &Path, set: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a text field of a line.
pub(crate) fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Reads the catalog of a schema file; tables of the schema `public` stand on the search path.
pub(crate) fn catalog(file: &Path, dialect: Dialect) -> Catalog {
    let text = std::fs::read_to_string(file).unwrap();
    let mut catalog = Catalog { dialect, ..Catalog::default() };
    for statement in statements(&text) {
        match Parser::parse_sql(&*parser(dialect), statement).map(|mut all| all.pop()) {
            Ok(Some(Statement::CreateTable(made))) => {
                let mut table = Table { name: named(&made.name), ..Table::default() };
                table.columns = made.columns.iter().map(column).collect();
                table.primary_key =
                    key(&made.constraints).unwrap_or_else(|| own_key(&made.columns));
                catalog.tables.push(table);
            }
            Ok(Some(Statement::AlterTable(altered))) => {
                let name = named(&altered.name);
                let added = altered.operations.iter().find_map(|operation| match operation {
                    AlterTableOperation::AddConstraint { constraint, .. } => {
                        key(std::slice::from_ref(constraint))
                    }
                    _ => None,
                });
                let table = catalog.tables.iter_mut().find(|table| table.name == name);
                if let (Some(table), Some(added)) = (table, added) {
                    table.primary_key = added;
                }
            }
            Ok(_) => {}
            Err(error) => unreachable!("{}: {error}\n{statement}", file.display()),
        }
    }
    assert!(!catalog.tables.is_empty(), "{}", file.display());
    catalog
}

/// Cuts CREATE TABLE and ALTER TABLE out of a dump.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("CREATE TABLE").chain(text.match_indices("ALTER TABLE ONLY"));
    let mut found: Vec<&str> = starts
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with('\n'))
        .filter_map(|(at, _)| text[at..].split(";\n").next())
        .filter(|statement| statement.starts_with("CREATE") || statement.contains("PRIMARY KEY"))
        .collect();
    found.sort_by_key(|statement| !statement.starts_with("CREATE"));
    found.into_iter()
}

fn named(name: &ObjectName) -> String {
    let parts: Vec<String> =
        name.0.iter().filter_map(|part| part.as_ident()).map(|ident| ident.value.clone()).collect();
    match parts.as_slice() {
        [schema, table] if schema == "public" => table.clone(),
        parts => parts.join("."),
    }
}

fn column(made: &ColumnDef) -> Column {
    let data_type = made.data_type.to_string();
    Column {
        name: made.name.value.clone(),
        kind: kind(&data_type.to_ascii_lowercase()),
        data_type,
        ..Column::default()
    }
}

fn kind(name: &str) -> ColumnKind {
    let begins = |parts: &[&str]| parts.iter().any(|part| name.starts_with(part));
    match () {
        () if name == "tinyint(1)" || begins(&["bool"]) => ColumnKind::Boolean,
        () if begins(&["interval"]) => ColumnKind::Unknown,
        () if begins(&["int", "bigint", "smallint", "tinyint"]) => ColumnKind::Integer,
        () if begins(&["numeric", "decimal", "double", "float", "real"]) => ColumnKind::Real,
        () if begins(&["date", "time"]) => ColumnKind::Date,
        () if begins(&["char", "varchar", "text", "longtext", "mediumtext"]) => ColumnKind::Text,
        () => ColumnKind::Unknown,
    }
}

fn key(constraints: &[TableConstraint]) -> Option<Vec<String>> {
    constraints.iter().find_map(|constraint| match constraint {
        TableConstraint::PrimaryKey(key) => Some(key.columns.iter().map(indexed).collect()),
        _ => None,
    })
}

fn indexed(column: &IndexColumn) -> String {
    column.column.expr.to_string().trim_matches(['"', '`']).to_owned()
}

fn own_key(columns: &[ColumnDef]) -> Vec<String> {
    let is_key = |made: &&ColumnDef| {
        made.options.iter().any(|option| matches!(option.option, ColumnOption::PrimaryKey(_)))
    };
    columns.iter().find(is_key).map(|made: &ColumnDef| vec![value(&made.name)]).unwrap_or_default()
}

fn value(ident: &Ident) -> String {
    ident.value.clone()
}

/// An engine of the defog sets: its name, its dialect, its set, and the folder of its schemas.
pub(crate) const DEFOG: [(&str, Dialect, &str, &str); 3] = [
    ("SQLite", Dialect::Sqlite, "defog_sqlite", "db"),
    ("PostgreSQL", Dialect::Postgres, "defog_postgres", "db_pg"),
    ("MySQL", Dialect::Mysql, "defog_mysql", "db_mysql"),
];

/// Reads the catalog of a database of a defog set.
pub(crate) fn defog(folder: &Path, at: &str, db: &str, dialect: Dialect) -> Catalog {
    if dialect == Dialect::Sqlite {
        // the tables are those of the MySQL files, and so are their types
        let file = folder.join(format!("db_mysql/{db}.sql"));
        let mut catalog = catalog(&file, Dialect::Mysql);
        catalog.dialect = dialect;
        return catalog;
    }
    let mut catalog = catalog(&folder.join(format!("{at}/{db}.sql")), dialect);
    catalog.database = format!("server/{}", db.trim_start_matches("defog_"));
    catalog
}

/// Reads the catalog of the dialect cases.
pub(crate) fn cases(folder: &Path, engine: &str, dialect: Dialect) -> Catalog {
    catalog(&folder.join(format!("dialects_schema.{engine}.sql")), dialect)
}
