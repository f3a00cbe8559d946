//! A rectangle of cells, whole rows or whole columns, from an anchor to the cursor.

use std::ops::Range;

/// What a selection takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The cells between anchor and cursor.
    Cells,
    /// Their rows, whole.
    Rows,
    /// Their columns, whole.
    Columns,
}

/// Where a selection began. It ends at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// What it takes.
    pub extent: Extent,
    /// Row of the anchor, from 0.
    pub row: u64,
    /// Column of the anchor, by its index in the result.
    pub col: usize,
}

/// Rows and columns that are selected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selected {
    /// Rows, from 0.
    pub rows: Range<u64>,
    /// Columns by their index in the result, in the order they stand.
    pub columns: Vec<usize>,
}

impl Selected {
    /// Tells whether a cell is selected.
    pub fn holds(&self, row: u64, col: usize) -> bool {
        self.rows.contains(&row) && self.columns.contains(&col)
    }
}
