//! What a store of memory's tables can do: read rows, and make changes all or none.

use super::MemoryError;

/// Where the tables are: a file of one's own, or a server that a team shares.
///
/// Both get the same statements, so that they can't come to mean different things. Parameters are
/// `$1`, `$2`, … in the order of their first use: PostgreSQL counts them, and SQLite takes them for
/// names, which it numbers in that order.
pub(super) trait Tables: Send {
    /// Reads all rows of a query.
    fn read(&mut self, sql: &str, cells: &[Cell]) -> Result<Vec<Row>, MemoryError>;

    /// Makes changes as one transaction, unless a newer Querent has changed the tables meanwhile.
    fn write(&mut self, changes: &[Change]) -> Result<(), MemoryError>;
}

/// A value on its way in or out. A missing one has a type too: PostgreSQL asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// Text.
    Text(Option<String>),
    /// A whole number.
    Number(Option<i64>),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(Some(text.to_owned()))
    }
}

impl From<Option<&str>> for Cell {
    fn from(text: Option<&str>) -> Self {
        Cell::Text(text.map(str::to_owned))
    }
}

impl From<Option<i64>> for Cell {
    fn from(number: Option<i64>) -> Self {
        Cell::Number(number)
    }
}

/// A row, read from its first column on.
#[derive(Debug)]
pub(super) struct Row(std::vec::IntoIter<Cell>);

impl Row {
    /// Makes a row of its cells.
    pub(super) fn new(cells: Vec<Cell>) -> Self {
        Row(cells.into_iter())
    }

    /// Takes the next cell as text; empty when it is missing.
    pub(super) fn text(&mut self) -> String {
        match self.0.next() {
            Some(Cell::Text(text)) => text.unwrap_or_default(),
            Some(Cell::Number(_)) | None => String::new(),
        }
    }

    /// Takes the next cell as a count.
    pub(super) fn count(&mut self) -> Option<u64> {
        match self.0.next() {
            Some(Cell::Number(number)) => number.and_then(|n| u64::try_from(n).ok()),
            Some(Cell::Text(_)) | None => None,
        }
    }
}

/// A statement that changes rows.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) sql: String,
    pub(super) cells: Vec<Cell>,
}

impl Change {
    /// Makes a change of texts.
    pub(super) fn new(sql: &str, texts: &[&str]) -> Self {
        Change { sql: sql.to_owned(), cells: texts.iter().map(|text| Cell::from(*text)).collect() }
    }
}

/// Says that this program is too old for the tables.
pub(super) fn newer(version: usize, known: usize) -> String {
    format!(
        "it was written by a newer Querent (tables version {version}, this program knows {known})"
    )
}
