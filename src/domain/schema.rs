//! What a database is made of: tables, columns, keys, as read from its catalog.

use serde::{Deserialize, Serialize};

use super::counts::count;

/// The SQL dialect an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// SQLite 3.
    #[default]
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB.
    Mysql,
    /// DuckDB.
    Duckdb,
    /// Any other engine, read leniently.
    Generic,
}

impl Dialect {
    /// Returns the name people use for the dialect.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Sqlite => "SQLite",
            Dialect::Postgres => "PostgreSQL",
            Dialect::Mysql => "MySQL",
            Dialect::Duckdb => "DuckDB",
            Dialect::Generic => "SQL",
        }
    }
}

/// Everything that is known of a database's structure at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Catalog {
    /// How the person named the database, for example `demo:reservo` or a path.
    pub database: String,
    /// The dialect of its engine.
    pub dialect: Dialect,
    /// The engine's name as its driver tells it, where the dialect says no more than SQL.
    #[serde(default)]
    pub vendor: String,
    /// Tables and views in the order the engine lists them, names as declared.
    pub tables: Vec<Table>,
    /// Declared and inferred foreign keys, and those that people told.
    pub keys: Vec<ForeignKey>,
    /// Hash of tables and keys, in lower-case hexadecimal.
    pub version: String,
    /// Objects that could not be read, each with the reason in words.
    pub unreadable: Vec<String>,
}

impl Catalog {
    /// Finds a table by name, ignoring ASCII letter case.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// Finds a column by table and name, ignoring ASCII letter case.
    pub fn column(&self, at: &ColumnRef) -> Option<&Column> {
        self.table(&at.table)?.column(&at.column)
    }

    /// Lists the keys that touch a table on either side.
    pub fn keys_of<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a ForeignKey> {
        self.keys.iter().filter(move |key| {
            key.from_table.eq_ignore_ascii_case(table) || key.to_table.eq_ignore_ascii_case(table)
        })
    }
}

/// What kind of relation a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// A stored table.
    #[default]
    Table,
    /// A view.
    View,
    /// A virtual table of an extension, such as FTS5.
    Virtual,
}

impl TableKind {
    /// Returns the name people use for it.
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Table => "table",
            TableKind::View => "view",
            TableKind::Virtual => "virtual table",
        }
    }
}

/// A table or view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Table {
    /// Name as declared, without quotes.
    pub name: String,
    /// Table, view or virtual table.
    pub kind: TableKind,
    /// Comment from the DDL or the engine's own comment store.
    pub comment: Option<String>,
    /// Columns in declared order.
    pub columns: Vec<Column>,
    /// Column names of the primary key in key order; empty when there is none.
    pub primary_key: Vec<String>,
    /// Column sets that are unique besides the primary key.
    pub uniques: Vec<Vec<String>>,
    /// Indexes that are no constraint.
    pub indexes: Vec<Index>,
    /// Text of CHECK constraints.
    pub checks: Vec<String>,
    /// Number of rows, where known.
    pub rows: Option<RowCount>,
    /// The statement that made it, as stored by the engine.
    pub ddl: Option<String>,
}

impl Table {
    /// Makes a table of which only the names of its columns are known.
    #[cfg(test)]
    pub(crate) fn bare(name: &str, columns: &[&str]) -> Table {
        let column = |name: &&str| Column { name: (*name).to_owned(), ..Column::default() };
        let columns = columns.iter().map(column).collect();
        Table { name: name.to_owned(), columns, ..Table::default() }
    }

    /// Finds a column by name, ignoring ASCII letter case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Tells whether these columns hold at most one row for each combination of values.
    pub fn is_unique(&self, columns: &[&str]) -> bool {
        let covers = |key: &[String]| {
            !key.is_empty() && key.iter().all(|k| columns.iter().any(|c| c.eq_ignore_ascii_case(k)))
        };
        covers(&self.primary_key) || self.uniques.iter().any(|unique| covers(unique))
    }
}

/// A number of rows and whether it was counted or estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCount {
    /// Rows.
    pub count: u64,
    /// True when every row was counted.
    pub exact: bool,
}

impl RowCount {
    /// Writes the number with its noun; an estimate has a sign: `23 rows`, `~1,200 rows`.
    pub fn words(self) -> String {
        let sign = if self.exact { "" } else { "~" };
        format!("{sign}{}", count(self.count, "row"))
    }
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Name as declared.
    pub name: String,
    /// Indexed columns; an expression stands as its text.
    pub columns: Vec<String>,
    /// True for a unique index.
    pub unique: bool,
}

/// The family of a column's type, as far as questions care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction.
    Real,
    /// Text.
    Text,
    /// Dates, times and both.
    Date,
    /// Truth values.
    Boolean,
    /// Bytes.
    Blob,
    /// Not declared, or a type we don't know.
    #[default]
    Unknown,
}

impl ColumnKind {
    /// Tells whether sums and averages make sense.
    pub fn is_number(self) -> bool {
        matches!(self, ColumnKind::Integer | ColumnKind::Real)
    }
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Column {
    /// Name as declared, without quotes.
    pub name: String,
    /// Declared type, verbatim; empty when none is declared.
    pub data_type: String,
    /// Family of the type.
    pub kind: ColumnKind,
    /// NOT NULL is declared.
    pub not_null: bool,
    /// DEFAULT expression, verbatim.
    pub default: Option<String>,
    /// Unique by itself.
    pub unique: bool,
    /// Part of the primary key.
    pub primary: bool,
    /// The expression that computes it from other columns, verbatim; empty when its text is unknown.
    #[serde(default)]
    pub generated: Option<String>,
    /// Comment from the DDL or the engine's own comment store.
    pub comment: Option<String>,
}

/// A column named with its table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
pub struct ColumnRef {
    /// Table name.
    pub table: String,
    /// Column name.
    pub column: String,
}

impl ColumnRef {
    /// Names a column of a table.
    pub fn new(table: impl Into<String>, column: impl Into<String>) -> Self {
        ColumnRef { table: table.into(), column: column.into() }
    }
}

impl std::fmt::Display for ColumnRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.table, self.column)
    }
}

/// Whether a key was declared by the schema, told by people or concluded by us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyOrigin {
    /// FOREIGN KEY in the schema.
    Declared,
    /// Told by a knowledge file; the reason in words, empty when it gives none.
    Told(String),
    /// Concluded from names, types and data; the reason in words.
    Inferred(String),
}

/// A foreign key: each row of the *from* side points to at most one row of the *to* side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignKey {
    /// Table that holds the key columns.
    pub from_table: String,
    /// Key columns, in order.
    pub from_columns: Vec<String>,
    /// Table pointed to.
    pub to_table: String,
    /// Columns pointed to, in the same order and number.
    pub to_columns: Vec<String>,
    /// Declared, told or inferred.
    pub origin: KeyOrigin,
    /// True when a row of the *to* side is pointed to by at most one row (1:1).
    pub one_to_one: bool,
}

impl ForeignKey {
    /// Tells whether the schema or a person says that it is a key, as opposed to us.
    pub fn is_sure(&self) -> bool {
        !matches!(self.origin, KeyOrigin::Inferred(_))
    }

    /// Tells whether the schema declares the key.
    pub fn declared(&self) -> bool {
        self.origin == KeyOrigin::Declared
    }
}
