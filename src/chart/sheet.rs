//! Rows held small for charting: numbers, and texts once each; bounded whatever the result's size.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{ResultColumn, Value};

use super::dates::{self, Moment};

/// Rows that are charted at most.
pub const MOST_ROWS: usize = 50_000;

/// Cells at most, at 16 bytes each.
const MOST_CELLS: usize = 2_000_000;

/// Bytes of all different texts at most.
const MOST_TEXT: usize = 8 << 20;

/// Bytes of one text at most; what is longer is cut, and ends in `…`.
const LONGEST_TEXT: usize = 160;

/// One cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// NULL.
    Null,
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Real(f64),
    /// A text, by its place among the different ones.
    Text(u32),
    /// Bytes: neither number nor name.
    Bytes,
}

impl Cell {
    /// Returns the number in the cell, if it is one that has a place on an axis.
    pub fn number(self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "a place on an axis")]
            Cell::Whole(n) => Some(n as f64),
            Cell::Real(n) => n.is_finite().then_some(n),
            Cell::Null | Cell::Text(_) | Cell::Bytes => None,
        }
    }
}

/// Rows of a result, column by column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    columns: Vec<ResultColumn>,
    cells: Vec<Vec<Cell>>,
    rows: usize,
    texts: Vec<Arc<str>>,
    moments: Vec<Option<Moment>>,
    known: HashMap<Arc<str>, u32>,
    bytes: usize,
    /// Rows that the result has; more than are held when it was cut.
    pub total: u64,
    /// All rows had arrived when these were read.
    pub finished: bool,
}

impl Sheet {
    /// Makes an empty sheet.
    pub fn new(columns: Vec<ResultColumn>) -> Self {
        let cells = vec![Vec::new(); columns.len()];
        Sheet { columns, cells, ..Sheet::default() }
    }

    /// Makes a sheet of rows at hand.
    pub fn of(columns: &[ResultColumn], rows: &[Vec<Value>]) -> Self {
        let mut sheet = Sheet::new(columns.to_vec());
        for row in rows {
            if !sheet.push(row) {
                break;
            }
        }
        sheet.total = rows.len() as u64;
        sheet.finished = true;
        sheet
    }

    /// Adds a row; returns false when there is no room, and the row was left out.
    pub fn push(&mut self, row: &[Value]) -> bool {
        let cells = (self.rows + 1).saturating_mul(self.columns.len());
        if self.rows >= MOST_ROWS || cells > MOST_CELLS || self.bytes > MOST_TEXT {
            return false;
        }
        for column in 0..self.columns.len() {
            let cell = self.cell_of(column, row.get(column).unwrap_or(&Value::Null));
            if let Some(cells) = self.cells.get_mut(column) {
                cells.push(cell);
            }
        }
        self.rows += 1;
        true
    }

    fn cell_of(&mut self, column: usize, value: &Value) -> Cell {
        match value {
            Value::Null => Cell::Null,
            Value::Integer(n) => Cell::Whole(*n),
            Value::Real(n) => Cell::Real(*n),
            Value::Text(text) => {
                if self.columns.get(column).is_some_and(declared_number)
                    && let Some(number) = read_number(text)
                {
                    return number;
                }
                self.text(text)
            }
            Value::Blob(_) | Value::Malformed(_) => Cell::Bytes,
        }
    }

    fn text(&mut self, text: &str) -> Cell {
        let cut = cut(text);
        if let Some(known) = self.known.get(&*cut) {
            return Cell::Text(*known);
        }
        let Ok(place) = u32::try_from(self.texts.len()) else { return Cell::Bytes };
        let text: Arc<str> = cut.into();
        self.bytes += text.len() + 64;
        self.moments.push(dates::parse(&text));
        self.texts.push(text.clone());
        self.known.insert(text, place);
        Cell::Text(place)
    }

    /// Returns the columns.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// Counts the rows held.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a column's cells.
    pub fn cells(&self, column: usize) -> &[Cell] {
        self.cells.get(column).map_or(&[], Vec::as_slice)
    }

    /// Returns a cell; NULL where there is none.
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        self.cells(column).get(row).copied().unwrap_or(Cell::Null)
    }

    /// Returns the moment that a text cell tells.
    pub fn moment(&self, cell: Cell) -> Option<Moment> {
        let Cell::Text(n) = cell else { return None };
        self.moments.get(usize::try_from(n).ok()?).copied().flatten()
    }

    /// Writes a cell as a label.
    pub fn label(&self, cell: Cell) -> String {
        match cell {
            Cell::Null => "∅".to_owned(),
            Cell::Whole(n) => n.to_string(),
            Cell::Real(n) => n.to_string(),
            Cell::Text(n) => {
                let text = usize::try_from(n).ok().and_then(|n| self.texts.get(n));
                text.map(ToString::to_string).unwrap_or_default()
            }
            Cell::Bytes => "bytes".to_owned(),
        }
    }
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or(""))
}

/// Tells whether a column was declared to hold numbers; engines send some of them as text.
fn declared_number(column: &ResultColumn) -> bool {
    const NAMES: [&str; 7] = ["int", "num", "dec", "real", "doub", "float", "money"];
    let declared = column.data_type.to_lowercase();
    NAMES.iter().any(|name| declared.contains(name)) && !declared.contains("interval")
}

fn read_number(text: &str) -> Option<Cell> {
    let text = text.trim();
    if !text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) {
        return None;
    }
    let whole = text.parse().ok().map(Cell::Whole);
    whole.or_else(|| text.parse().ok().map(Cell::Real))
}
