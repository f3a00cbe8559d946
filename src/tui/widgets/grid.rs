//! The grid of a result: a window over rows of any number, drawn cell by visible cell.

use std::ops::Range;

use ratatui::layout::Rect;

use crate::domain::{ResultColumn, ResultId, Value};
use crate::pipeline::Page;
use crate::shown::Shown;

use super::super::theme::Role;
use super::pen::{Pen, cols};

/// A column is never wider by itself; the whole cell opens on Enter.
const WIDEST: usize = 40;

/// Columns that can be seen at once on any screen.
const COLUMNS_SEEN: usize = 100;

/// Rows read beyond the window on either side, so that a step needs no reading.
const AHEAD: u64 = 64;

/// Where a person is in a result, and the rows around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// The result shown.
    pub result: Option<ResultId>,
    /// The row of the cursor, from 0.
    pub row: u64,
    /// The column of the cursor, from 0.
    pub col: usize,
    /// The rows that were asked for last, and how many had arrived then.
    pub asked: Option<(Range<u64>, u64)>,
    top: u64,
    left: usize,
    page: Page,
    /// Widths of columns; they only grow, so that nothing jumps.
    widths: Vec<usize>,
    /// Top row, left column and rows that widths were last measured for.
    widened: Option<(u64, usize, usize)>,
}

impl Grid {
    /// Shows another result from its start; the same one stays where it is.
    pub fn show(&mut self, result: Option<ResultId>) {
        if self.result != result {
            *self = Grid { result, ..Grid::default() };
        }
    }

    /// Takes rows.
    pub fn take(&mut self, page: Page) {
        self.widths.resize(page.columns.len(), 1);
        for (width, column) in self.widths.iter_mut().zip(&page.columns) {
            let head = Shown::cut(&column.name, WIDEST).width();
            let kind = Shown::cut(&column.data_type, WIDEST).width();
            *width = (*width).max(head).max(kind);
        }
        self.page = page;
        self.widened = None;
    }

    /// Grows columns to what the window holds.
    fn widen(&mut self, rows: usize) {
        let seen = (self.top, self.left, rows);
        if self.widened == Some(seen) {
            return;
        }
        self.widened = Some(seen);
        let from = usize::try_from(self.top.saturating_sub(self.page.first)).unwrap_or(0);
        let left = self.left;
        for row in self.page.rows.iter().skip(from).take(rows) {
            let cells = row.iter().skip(left).take(COLUMNS_SEEN);
            for (width, value) in self.widths.iter_mut().skip(left).zip(cells) {
                if *width < WIDEST {
                    *width = (*width).max(cell(value, WIDEST).width());
                }
            }
        }
    }

    /// Returns the columns.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.page.columns
    }

    /// Returns the number of rows that have arrived, and whether these are all.
    pub fn total(&self) -> (u64, bool) {
        (self.page.total, self.page.finished)
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

    /// Moves the cursor by rows and columns.
    pub fn go(&mut self, rows: i64, columns: isize) {
        let last = self.page.total.saturating_sub(1);
        self.row = self.row.saturating_add_signed(rows).min(last);
        let last = self.page.columns.len().saturating_sub(1);
        self.col = self.col.saturating_add_signed(columns).min(last);
    }

    /// Moves to a row; `u64::MAX` is the last one.
    pub fn go_row(&mut self, row: u64) {
        self.row = row.min(self.page.total.saturating_sub(1));
    }

    /// Moves to a column; `usize::MAX` is the last one.
    pub fn go_col(&mut self, col: usize) {
        self.col = col.min(self.page.columns.len().saturating_sub(1));
    }

    /// Keeps the cursor inside a window of this size; returns the rows to read, if any are missing.
    pub fn settle(&mut self, width: u16, height: u16) -> Option<Range<u64>> {
        let result = self.result.is_some();
        let rows = u64::from(height.saturating_sub(2)).max(1);
        self.top = self.top.clamp(self.row.saturating_sub(rows - 1), self.row);
        self.left = self.left.min(self.col);
        while self.left < self.col && !self.fits(usize::from(width)) {
            self.left += 1;
        }
        self.widen(usize::try_from(rows).unwrap_or(0));
        let end = self.page.first + self.page.rows.len() as u64;
        let want = self.top..(self.top + rows).min(self.page.total.max(1));
        let have = self.page.first <= want.start && want.end <= end;
        let unread = self.page.columns.is_empty() && !self.page.finished;
        (result && (unread || !have)).then(|| self.around(rows))
    }

    /// Returns the rows to hold around the window.
    pub fn around(&self, rows: u64) -> Range<u64> {
        self.top.saturating_sub(AHEAD)..self.top + rows + AHEAD
    }

    /// Tells whether the cursor's column is wholly inside when drawing starts at `left`.
    fn fits(&self, width: usize) -> bool {
        let mut used = self.gutter() + 1;
        let shown = self.widths.get(self.left..=self.col).unwrap_or(&[]);
        used += shown.iter().map(|w| w + 3).sum::<usize>();
        used <= width + 1
    }

    fn gutter(&self) -> usize {
        self.page.total.max(1).to_string().len().max(3)
    }

    /// Draws header, types, and the rows that have room.
    pub fn draw(&self, pen: &mut Pen<'_>, area: Rect, focused: bool) {
        if area.height == 0 || area.width < 6 {
            return;
        }
        let gutter = cols(self.gutter());
        let mut x = area.x + gutter + 2;
        for col in self.left..self.page.columns.len() {
            let room = area.right().saturating_sub(x);
            let wanted = cols(self.widths.get(col).copied().unwrap_or(1));
            let width = wanted.min(room);
            let last = col + 1 == self.page.columns.len();
            // half a number misleads; a column without room only says that there are more
            let readable = width == wanted || (room >= 8 && !self.is_number(col));
            if col > self.left && !readable {
                pen.text(x, area.y, room, "…", Role::Dim);
                break;
            }
            self.draw_column(pen, area, x, width, col, focused);
            let after = x + width;
            if !last && after + 3 < area.right() {
                self.draw_rule(pen, area, after + 1);
            } else if !last && after + 1 < area.right() {
                pen.text(after + 1, area.y, 1, "…", Role::Dim);
            }
            x = after + 3;
            if x >= area.right() {
                break;
            }
        }
        self.draw_numbers(pen, area, gutter);
        if let Some(y) = self.y_of(area, self.row).filter(|_| focused) {
            let from = area.x + gutter + 1;
            let row = Rect::new(from, y, area.right() - from, 1);
            pen.lay(row, Role::Row);
        }
        if focused {
            self.lay_cursor(pen, area, gutter);
        }
    }

    fn lay_cursor(&self, pen: &mut Pen<'_>, area: Rect, gutter: u16) {
        let before = self.widths.get(self.left..self.col).unwrap_or(&[]);
        let x = area.x + gutter + 2 + cols(before.iter().map(|w| w + 3).sum::<usize>());
        let width = cols(self.widths.get(self.col).copied().unwrap_or(1));
        if let Some(y) = self.y_of(area, self.row)
            && x < area.right()
        {
            pen.lay(Rect::new(x, y, width.min(area.right() - x), 1), Role::Cursor);
        }
    }

    /// Returns the line of a row on the screen.
    fn y_of(&self, area: Rect, row: u64) -> Option<u16> {
        let below = u16::try_from(row.checked_sub(self.top)?).ok()?;
        let y = area.y.checked_add(2)?.checked_add(below)?;
        (y < area.bottom()).then_some(y)
    }

    /// Returns the row and column at a cell of the screen.
    pub fn at(&self, area: Rect, x: u16, y: u16) -> Option<(u64, usize)> {
        let row = self.top + u64::from(y.checked_sub(area.y + 2)?);
        let mut from = area.x + cols(self.gutter()) + 2;
        let mut col = self.left;
        while x >= from + cols(*self.widths.get(col)?) + 2 {
            from += cols(*self.widths.get(col)?) + 3;
            col += 1;
        }
        (row < self.page.total).then_some((row, col))
    }

    fn draw_rule(&self, pen: &mut Pen<'_>, area: Rect, x: u16) {
        let rows = u16::try_from(self.page.total.saturating_sub(self.top)).unwrap_or(u16::MAX);
        let bottom = area.y.saturating_add(rows).saturating_add(2).min(area.bottom());
        for y in area.y..bottom {
            pen.text(x, y, 1, "│", Role::Border);
        }
    }

    fn draw_numbers(&self, pen: &mut Pen<'_>, area: Rect, gutter: u16) {
        let rows = area.height.saturating_sub(2);
        for n in 0..rows {
            let row = self.top + u64::from(n);
            if row >= self.page.total {
                break;
            }
            let y = area.y + 2 + n;
            pen.text_right(area.x + gutter, y, gutter, &(row + 1).to_string(), Role::Dim);
        }
    }

    fn draw_column(
        &self,
        pen: &mut Pen<'_>,
        area: Rect,
        x: u16,
        width: u16,
        col: usize,
        focused: bool,
    ) {
        let Some(column) = self.page.columns.get(col) else { return };
        let right = self.is_number(col);
        let head = if focused && col == self.col { Role::Accent } else { Role::Column };
        let fit = |text: Shown| {
            if right { text.right(usize::from(width)) } else { text.left(usize::from(width)) }
        };
        let most = usize::from(width);
        let style = pen.style(head);
        pen.put(x, area.y, width, &fit(Shown::cut(&column.name, most)), style);
        if area.height > 1 {
            let style = pen.style(Role::Dim);
            let kind = column.data_type.to_lowercase();
            pen.put(x, area.y + 1, width, &fit(Shown::cut(&kind, most)), style);
        }
        for n in 0..area.height.saturating_sub(2) {
            let Some(value) = self.value(self.top + u64::from(n), col) else { break };
            let style = pen.style(role_of(value));
            pen.put(x, area.y + 2 + n, width, &fit(cell(value, most)), style);
        }
    }

    fn value(&self, row: u64, col: usize) -> Option<&Value> {
        let at = usize::try_from(row.checked_sub(self.page.first)?).ok()?;
        self.page.rows.get(at)?.get(col)
    }

    /// Numbers stand right: those declared so, or those seen so.
    fn is_number(&self, col: usize) -> bool {
        let first = self.page.rows.iter().filter_map(|row| row.get(col)).find(|v| !v.is_null());
        first.is_some_and(|v| v.number().is_some())
    }
}

fn role_of(value: &Value) -> Role {
    match value {
        Value::Null => Role::Null,
        Value::Integer(_) | Value::Real(_) => Role::Number,
        Value::Text(_) => Role::Text,
        Value::Blob(_) | Value::Malformed(_) => Role::Dim,
    }
}

/// Writes a real for reading: very large and very small ones with an exponent. Copies are exact.
fn real(n: f64, value: &Value) -> String {
    let size = n.abs();
    if n.is_finite() && n != 0.0 && !(1e-6..1e16).contains(&size) {
        format!("{n:e}")
    } else {
        value.plain()
    }
}

/// Makes a cell safe, cut to a width.
pub fn cell(value: &Value, width: usize) -> Shown {
    match value {
        Value::Null => Shown::new("∅"),
        Value::Integer(_) => Shown::cut(&value.plain(), width),
        Value::Real(n) => Shown::cut(&real(*n, value), width),
        Value::Text(text) => Shown::cut(text, width),
        Value::Malformed(bytes) => {
            let most = bytes.len().min(width * 4 + 16);
            Shown::bytes(bytes.get(..most).unwrap_or(bytes)).fit(width)
        }
        Value::Blob(bytes) => {
            let head: Vec<u8> = bytes.iter().copied().take(width / 2 + 2).collect();
            let size = format!(" {} B", bytes.len());
            let room = width.saturating_sub(size.len());
            let mut shown = Shown::from(Value::Blob(head).plain());
            if shown.width() > room || bytes.len() > width / 2 + 2 {
                shown = Shown::cut(&shown.head(room.saturating_sub(1)).to_string(), room);
                shown.push(&Shown::new("…"));
            }
            shown.push(&Shown::from(size));
            shown.fit(width)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value) -> String {
        cell(value, 24).as_str().to_owned()
    }

    #[test]
    fn numbers_are_read_as_they_are_and_extremes_with_an_exponent() {
        assert_eq!(shown(&Value::Real(79_482.82)), "79482.82");
        assert_eq!(shown(&Value::Real(2.0)), "2.0");
        assert_eq!(shown(&Value::Real(-1e308)), "-1e308");
        assert_eq!(shown(&Value::Real(f64::NEG_INFINITY)), "-inf");
        assert_eq!(shown(&Value::Integer(i64::MIN)), "-9223372036854775808");
        assert_eq!(shown(&Value::Null), "∅");
    }

    #[test]
    fn the_window_follows_the_cursor_and_asks_for_what_is_missing() {
        let mut grid = Grid::default();
        let run = crate::domain::RunId::default();
        grid.show(Some(ResultId { run, attempt: 1, version: 0, view: 0 }));
        assert_eq!(grid.settle(80, 12), Some(0..74));
        let column = ResultColumn { name: "n".into(), data_type: "integer".into(), origin: None };
        let rows = (0..74).map(|n| vec![Value::Integer(n)]).collect();
        let columns = vec![column];
        grid.take(Page { columns, first: 0, rows, total: 1_000_000, finished: true });
        assert_eq!(grid.settle(80, 12), None);
        grid.go_row(u64::MAX);
        assert_eq!(grid.row, 999_999);
        assert_eq!(grid.settle(80, 12), Some(999_926..1_000_064));
    }
}
