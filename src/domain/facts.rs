//! What Gather reads before thinking starts: catalog, statistics, samples, knowledge, history.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::knowledge::{Example, Knowledge};
use super::rows::Value;
use super::schema::{Catalog, ColumnRef};

/// Everything known about a database when a question is thought about; given as a value.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Structure.
    pub catalog: Arc<Catalog>,
    /// Statistics of the columns measured so far.
    pub statistics: Vec<ColumnStats>,
    /// Stored values of text-like columns.
    pub values: Arc<Vec<ValueList>>,
    /// First rows of linked tables.
    pub samples: Vec<Sample>,
    /// What people know.
    pub knowledge: Arc<Knowledge>,
    /// Verified past runs, newest first.
    pub history: Vec<Example>,
}

/// What was measured of one column, from a bounded, fixed sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnStats {
    /// The column.
    pub at: ColumnRef,
    /// Rows looked at.
    pub rows_read: u64,
    /// True when these are all rows of the table.
    pub complete: bool,
    /// NULLs among the rows read.
    pub nulls: u64,
    /// Distinct values among the rows read, NULL left out.
    pub distinct: u64,
    /// Smallest value that is not NULL.
    pub min: Option<Value>,
    /// Largest value that is not NULL.
    pub max: Option<Value>,
    /// Most frequent values with their counts, at most 5.
    pub top: Vec<(Value, u64)>,
    /// False when a time bound ended the measuring: all else is then unknown.
    pub known: bool,
}

/// The stored values of one text-like column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueList {
    /// The column.
    pub at: ColumnRef,
    /// Distinct values as stored, sorted.
    pub values: Vec<String>,
    /// True when these are all values of the column.
    pub complete: bool,
}

/// First rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The table.
    pub table: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}
