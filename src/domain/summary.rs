//! What a column of a result holds, in figures.

use super::rows::{ResultColumn, Value};

/// Figures of one column over the rows that can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSummary {
    /// The column.
    pub column: ResultColumn,
    /// Rows counted.
    pub rows: u64,
    /// True when these are all rows of the statement; false while rows arrive or when reading
    /// stopped early.
    pub complete: bool,
    /// Cells that are NULL.
    pub nulls: u64,
    /// Cells that are an empty text.
    pub empty: u64,
    /// Whole numbers.
    pub integers: u64,
    /// Numbers with a fraction.
    pub reals: u64,
    /// Texts, malformed and empty ones included.
    pub texts: u64,
    /// Blobs.
    pub blobs: u64,
    /// Different values that aren't NULL; at least this many unless `distinct_exact`.
    pub distinct: u64,
    /// False when there were more than could be told apart.
    pub distinct_exact: bool,
    /// Least value that isn't NULL, in SQLite's order; long texts and blobs are cut.
    pub least: Option<Value>,
    /// Greatest value in SQLite's order.
    pub greatest: Option<Value>,
    /// Sum of the numbers: an integer while all are and it fits, else a real.
    pub sum: Option<Value>,
    /// Mean of the numbers.
    pub mean: Option<f64>,
    /// Exact median of the numbers; none when there are too many to be ordered here.
    pub median: Option<f64>,
    /// Most frequent values with their counts, at most ten, the most frequent first; ties in
    /// SQLite's order. Empty when no value comes twice.
    pub top: Vec<(Value, u64)>,
    /// False when a value that isn't listed may be as frequent.
    pub top_exact: bool,
    /// Lengths of the texts.
    pub lengths: Option<Lengths>,
    /// How the numbers spread.
    pub histogram: Option<Histogram>,
}

/// Lengths of texts, in characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub greatest: u64,
    /// The mean.
    pub mean: f64,
}

/// Counts of numbers in ranges of the same width.
///
/// The last range holds its upper end too. Whole numbers have ranges of a whole width. Numbers that aren't finite are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Lower end of the first range.
    pub from: f64,
    /// Upper end of the last range.
    pub to: f64,
    /// Numbers in each range; one range when all numbers are the same, else 20 at most.
    pub counts: Vec<u64>,
    /// The numbers are whole, and each range holds as many of them: the ends lie halfway between
    /// two.
    pub whole: bool,
}
