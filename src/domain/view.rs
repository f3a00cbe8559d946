//! How rows of a result are looked at: sorted and filtered, without changing the result.

use super::rows::Value;

/// An order and a filter over a result's rows. The empty view is the result as it came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Sort keys, the first one foremost; rows that tie stay as they came.
    pub sort: Vec<SortKey>,
    /// Conditions that all hold for a row that is shown.
    pub filter: Vec<Condition>,
}

impl View {
    /// Tells whether rows are shown as they came.
    pub fn is_plain(&self) -> bool {
        self.sort.is_empty() && self.filter.is_empty()
    }
}

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey {
    /// The column, from 0.
    pub column: usize,
    /// Largest first.
    pub descending: bool,
}

/// What must hold for a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The column, from 0; none means any column (`Lacks`: every column).
    pub column: Option<usize>,
    /// What its value must pass.
    pub test: Test,
}

/// A test on one cell.
///
/// A cell's text is its plain text (`Value::plain`): numbers in full, blobs as `x'…'`. Values compare
/// as SQLite orders them, and only like with like: a number is neither less nor more than a text or
/// a blob. NULL passes `Null` and `Lacks` only.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Its text holds this one, whatever the letter case.
    Contains(String),
    /// Its text doesn't hold this one.
    Lacks(String),
    /// It equals this value.
    Equal(Value),
    /// It differs from this value, and is not NULL.
    NotEqual(Value),
    /// It is less.
    Less(Value),
    /// It is less or equal.
    AtMost(Value),
    /// It is more.
    More(Value),
    /// It is more or equal.
    AtLeast(Value),
    /// It is NULL.
    Null,
    /// It is not NULL.
    NotNull,
}

/// What is looked for in a result, and from where on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Find {
    /// Text that a cell's text holds, whatever the letter case; empty finds nothing.
    pub text: String,
    /// Row of the first cell looked at, from 0.
    pub from_row: u64,
    /// Column of the first cell looked at; cells go row by row, left to right.
    pub from_col: usize,
    /// Towards the beginning.
    pub backwards: bool,
    /// Only in this column.
    pub column: Option<usize>,
}
