//! The grid of a result: a window over rows of any number, drawn cell by visible cell.
//!
//! What belongs here: where a person is in a result, how its columns stand, and drawing that. What
//! must never come: reading rows, sorting or filtering them, keys.
//! To add a way to look at cells: a file here, its state in `Grid`, its drawing in `draw.rs`.
//!
//! **Invariant:** nothing here costs more than the cells that are visible, whatever the result holds.

pub mod cells;
pub mod columns;
#[cfg(test)]
mod corpus;
mod draw;
mod matches;
pub mod selection;
mod slots;
#[cfg(test)]
mod tests;
mod widths;

pub use cells::cell;
pub use draw::Marks;
pub use slots::Hit;

use std::ops::Range;

use crate::domain::{ResultColumn, ResultId, Value};
use crate::pipeline::Page;
use crate::shown::Shown;

use columns::Columns;
use selection::{Extent, Selected, Selection};
use widths::{WIDEST, Width};

/// Rows read beyond the window on either side, so that a step needs no reading.
const AHEAD: u64 = 64;

/// Where a person is in a result, and the rows around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// The result shown.
    pub result: Option<ResultId>,
    /// The row of the cursor, from 0.
    pub row: u64,
    /// The column of the cursor, by its index in the result.
    pub col: usize,
    /// The rows that were asked for last, and how many had arrived then.
    pub asked: Option<(Range<u64>, u64)>,
    /// How the columns stand.
    pub columns: Columns,
    /// Where a selection began, if there is one.
    pub selection: Option<Selection>,
    /// The column whose edge the mouse holds.
    pub pulled: Option<usize>,
    top: u64,
    /// Rows that have room.
    window: u64,
    /// The place of the first column behind those that stay at the left.
    left: usize,
    page: Page,
    /// Rows of the page are those of another order or filter.
    stale: bool,
    /// Widths of columns; they stay while rows go by, so that nothing jumps.
    widths: Vec<Width>,
}

impl Grid {
    /// Shows another result from its start; the same one stays where it is.
    ///
    /// In another order or through another filter it is still the same: its columns stay as they
    /// are, and its old rows until the new ones are there.
    pub fn show(&mut self, result: Option<ResultId>) {
        if self.result == result {
            return;
        }
        let same = match (&self.result, &result) {
            (Some(a), Some(b)) => (&a.run, a.attempt, a.version) == (&b.run, b.attempt, b.version),
            (None, _) | (_, None) => false,
        };
        if !same {
            *self = Grid { result, ..Grid::default() };
            return;
        }
        self.result = result;
        self.asked = None;
        self.selection = None;
        self.stale = true;
        (self.row, self.top) = (0, 0);
        self.widths.iter_mut().for_each(Width::close);
    }

    /// Lets the rows go while another result is shown; place and columns stay.
    pub fn put_by(&mut self) {
        self.page.rows.clear();
        (self.asked, self.pulled) = (None, None);
        self.stale = true;
    }

    /// Takes rows.
    pub fn take(&mut self, page: Page) {
        let names = |page: &Page| page.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        if names(&self.page) != names(&page) {
            self.widths.clear();
        }
        self.widths.resize(page.columns.len(), Width::default());
        self.columns.fit(page.columns.len());
        for (width, column) in self.widths.iter_mut().zip(&page.columns) {
            let head = Shown::cut(&column.name, WIDEST).width();
            let kind = Shown::cut(&draw::kind_of(column), WIDEST).width();
            width.head(head.max(kind));
        }
        self.stale = false;
        self.page = page;
        let last = self.page.total.saturating_sub(1);
        self.row = self.row.min(last);
        self.col = self.col.min(self.page.columns.len().saturating_sub(1));
    }

    /// Returns the columns of the result, hidden ones too.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.page.columns
    }

    /// Returns the number of rows that have arrived, and whether these are all.
    pub fn total(&self) -> (u64, bool) {
        (self.page.total, self.page.finished)
    }

    /// Returns the first row shown, and how many there are so far.
    pub fn window(&self) -> (usize, usize) {
        let rows = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        (rows(self.top), rows(self.page.total))
    }

    /// Returns the rows at hand around the window.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Returns the cell under the cursor with its column.
    pub fn current(&self) -> Option<(&ResultColumn, &Value)> {
        let row = self.row_values()?;
        Some((self.page.columns.get(self.col)?, row.get(self.col)?))
    }

    /// Returns the values of the cursor's row.
    pub fn row_values(&self) -> Option<&[Value]> {
        let at = usize::try_from(self.row.checked_sub(self.page.first)?).ok()?;
        self.page.rows.get(at).map(Vec::as_slice)
    }

    /// Returns a cell, when its row is at hand.
    pub fn value(&self, row: u64, col: usize) -> Option<&Value> {
        let at = usize::try_from(row.checked_sub(self.page.first)?).ok()?;
        self.page.rows.get(at)?.get(col)
    }

    /// Tells whether a column's first value seen was a number; none while no value was seen.
    pub fn is_number(&self, col: usize) -> Option<bool> {
        self.widths.get(col).and_then(Width::number)
    }

    /// Moves the cursor by rows and columns as they stand.
    pub fn go(&mut self, rows: i64, columns: isize) {
        let last = self.page.total.saturating_sub(1);
        self.row = self.row.saturating_add_signed(rows).min(last);
        let place = self.columns.place(self.col).unwrap_or(0);
        self.go_place(place.saturating_add_signed(columns));
    }

    /// Moves to a row; `u64::MAX` is the last one.
    pub fn go_row(&mut self, row: u64) {
        self.row = row.min(self.page.total.saturating_sub(1));
    }

    /// Moves to a column as it stands; `usize::MAX` is the last one.
    pub fn go_place(&mut self, place: usize) {
        let last = self.columns.shown().len().saturating_sub(1);
        self.col = self.columns.at(place.min(last)).unwrap_or(0);
    }

    /// Moves to a column by its index in the result; a hidden one is shown.
    pub fn go_col(&mut self, col: usize) {
        let col = col.min(self.page.columns.len().saturating_sub(1));
        self.columns.show(col);
        self.col = col;
    }

    /// Hides the column of the cursor; returns whether it could be hidden.
    pub fn hide(&mut self) -> bool {
        let next = self.columns.hide(self.col);
        self.col = next.unwrap_or(self.col);
        next.is_some()
    }

    /// Makes the cursor's column wider or narrower.
    pub fn widen_by(&mut self, by: isize) {
        if let Some(width) = self.widths.get_mut(self.col) {
            width.by_hand(by);
        }
    }

    /// Sets the width of a column.
    pub fn set_width(&mut self, col: usize, width: usize) {
        if let Some(one) = self.widths.get_mut(col) {
            one.set(width);
        }
    }

    /// Fits the cursor's column to the cells at hand, or lets it go back to its own width.
    pub fn fit(&mut self) {
        let col = self.col;
        if let Some(width) = self.widths.get_mut(col) {
            width.fit(self.page.rows.iter().filter_map(|row| row.get(col)));
        }
    }

    /// Tells whether the cursor's cell has less room than it wants.
    pub fn is_cut(&self) -> bool {
        let Some((_, value)) = self.current() else { return false };
        Width::wanted(value) > self.width(self.col)
    }

    /// Gives a sorted column room for its sign.
    pub fn make_room(&mut self, col: usize, sign: usize) {
        let name = self.page.columns.get(col).map(|c| Shown::cut(&c.name, WIDEST).width());
        if let (Some(width), Some(name)) = (self.widths.get_mut(col), name) {
            width.head(name + sign);
        }
    }

    /// Begins a selection at the cursor, unless there is one of this kind.
    pub fn select(&mut self, extent: Extent) {
        if self.selection.is_none_or(|s| s.extent != extent) {
            let (row, col) = self.selection.map_or((self.row, self.col), |s| (s.row, s.col));
            self.selection = Some(Selection { extent, row, col });
        }
    }

    /// Returns what is selected.
    pub fn selected(&self) -> Option<Selected> {
        let Selection { extent, row, col } = self.selection?;
        let last = self.page.total.max(1) - 1;
        let rows = match extent {
            Extent::Columns => 0..last + 1,
            Extent::Cells | Extent::Rows => row.min(self.row)..row.max(self.row).min(last) + 1,
        };
        let shown = self.columns.shown();
        let columns = match extent {
            Extent::Rows => shown.to_vec(),
            Extent::Cells | Extent::Columns => {
                let ends = (self.columns.place(col), self.columns.place(self.col));
                let (Some(a), Some(b)) = ends else { return None };
                shown.get(a.min(b)..=a.max(b)).unwrap_or(&[]).to_vec()
            }
        };
        Some(Selected { rows, columns })
    }

    /// Keeps the cursor inside a window of this size; returns the rows to read, if any are missing.
    pub fn settle(&mut self, width: u16, height: u16) -> Option<Range<u64>> {
        let result = self.result.is_some();
        let rows = u64::from(height.saturating_sub(2)).max(1);
        self.top = self.top.clamp(self.row.saturating_sub(rows - 1), self.row);
        self.window = rows;
        self.measure();
        self.settle_left(width);
        let end = self.page.first + self.page.rows.len() as u64;
        let want = self.top..(self.top + rows).min(self.page.total.max(1));
        let have = self.page.first <= want.start && want.end <= end && !self.stale;
        let unread = self.page.columns.is_empty() && !self.page.finished;
        (result && (unread || !have)).then(|| self.around(rows))
    }

    /// Measures the columns that can be seen, as far as the rows of their samples are at hand.
    fn measure(&mut self) {
        let first = self.page.first;
        let end = first + self.page.rows.len() as u64;
        if self.stale || !(first..end).contains(&self.top) {
            return;
        }
        let top = self.top;
        let shown = self.columns.shown();
        let scrolled = shown.iter().skip(self.left.max(self.columns.frozen()));
        let seen = shown.iter().take(self.columns.frozen()).chain(scrolled);
        for col in seen.take(slots::COLUMNS_SEEN) {
            let page = &self.page.rows;
            let value =
                |row: u64| page.get(usize::try_from(row.checked_sub(first)?).ok()?)?.get(*col);
            if let Some(width) = self.widths.get_mut(*col) {
                width.measure(top, value);
            }
        }
    }

    /// Returns the rows to hold around the window.
    pub fn around(&self, rows: u64) -> Range<u64> {
        self.top.saturating_sub(AHEAD)..self.top + rows + AHEAD
    }
}
