//! A text editor: keys become changes of a buffer, and what is in view is drawn.
//!
//! The text keeps its own bytes, whatever was pasted; only what is drawn is made safe.

use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::shown::Shown;

use super::super::theme::Role;
use super::buffer::Buffer;
use super::pen::{Pen, cols};
use super::wrapping::Rows;

/// Bytes that a text takes at most; what is pasted beyond is left out, and said.
pub const HOLDS: usize = 8 << 20;

/// Bytes of a text whose lines are cut behind words; a larger one is cut anywhere, since every key
/// measures all of it.
const CUT_BEHIND_WORDS: usize = 32 * 1024;

/// A text being edited.
#[derive(Debug, Clone, Default)]
pub struct Editor {
    pub(super) buffer: Buffer,
    /// What was cut last.
    pub(super) cut: String,
    /// How often the text was changed.
    pub(super) revision: u64,
    /// First line shown, and first column where lines aren't wrapped.
    top: usize,
    left: usize,
}

impl Editor {
    /// Makes an editor with a text, the cursor at its end.
    pub fn of(text: &str) -> Self {
        let mut editor = Editor::default();
        editor.set(text);
        editor
    }

    /// Returns the whole text.
    pub fn text(&self) -> String {
        self.buffer.text().to_owned()
    }

    /// Borrows the whole text.
    pub fn as_str(&self) -> &str {
        self.buffer.text()
    }

    /// Counts the lines; one at least.
    pub fn count(&self) -> usize {
        self.buffer.widths().len()
    }

    /// Returns a line, and its first byte in the text.
    pub fn line_at(&self, row: usize) -> (&str, usize) {
        (self.buffer.line(row), self.buffer.bounds(row).start)
    }

    /// Counts how often the text was changed: the same number, the same text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Tells whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.as_str().bytes().all(|b| b == b'\n')
    }

    /// Replaces the text; the cursor goes to its end, and nothing can be taken back.
    pub fn set(&mut self, text: &str) {
        self.buffer = Buffer::of(text);
        (self.top, self.left) = (0, 0);
        self.revision += 1;
    }

    /// Inserts a pasted text; returns how many bytes found no place. Terminals send `\r` for line
    /// ends.
    pub fn paste(&mut self, text: &str) -> usize {
        let at = self.buffer.cursor();
        let range = self.buffer.selection().unwrap_or(at..at);
        let room = HOLDS.saturating_sub(self.as_str().len() - range.len()).min(text.len());
        let end = (0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (taken, left) = text.split_at(end);
        if taken.contains('\r') {
            self.replace(range, &taken.replace("\r\n", "\n").replace('\r', "\n"));
        } else {
            self.replace(range, taken);
        }
        left.len()
    }

    /// Takes the last change back; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.revision += 1;
        self.buffer.undo()
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) -> bool {
        self.revision += 1;
        self.buffer.redo()
    }

    /// Selects the whole text.
    pub fn select_all(&mut self) {
        self.buffer.select_all();
    }

    /// Returns the selected bytes of the text.
    pub fn selection(&self) -> Option<Range<usize>> {
        self.buffer.selection()
    }

    /// Returns the cursor's byte in the text.
    pub fn cursor_byte(&self) -> usize {
        self.buffer.cursor()
    }

    /// Replaces bytes of the text, undoably; the cursor goes behind what stands there then.
    pub fn replace(&mut self, range: Range<usize>, with: &str) {
        self.buffer.replace(range, with);
        self.revision += 1;
    }

    /// Puts the cursor at a byte of the text.
    pub fn go_to(&mut self, byte: usize) {
        self.buffer.go(byte, false);
    }

    /// Returns the line of the cursor and the number of lines.
    pub fn place(&self) -> (usize, usize) {
        (self.buffer.row_of(self.buffer.cursor()), self.count())
    }

    /// Returns the cursor's line.
    pub fn line(&self) -> &str {
        self.buffer.line(self.place().0)
    }

    /// Counts the letters of the cursor's line that stand behind it.
    pub fn behind(&self) -> usize {
        let at = self.buffer.cursor();
        let end = self.buffer.bounds(self.buffer.row_of(at)).end;
        self.as_str().get(at..end).unwrap_or("").chars().count()
    }

    /// Returns the part of a word before the cursor: letters, digits, `_` and `.`.
    pub fn word(&self) -> &str {
        let before = self.before();
        let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        before.get(word.len()..).unwrap_or("")
    }

    /// Replaces the word before the cursor.
    pub fn replace_word(&mut self, with: &str) {
        let at = self.buffer.cursor();
        self.replace(at - self.word().len()..at, with);
    }

    /// Returns the cursor's line up to the cursor.
    fn before(&self) -> &str {
        let at = self.buffer.cursor();
        let start = self.buffer.bounds(self.buffer.row_of(at)).start;
        self.as_str().get(start..at).unwrap_or("")
    }

    /// Counts the rows that the text takes when wrapped.
    pub fn wrapped_rows(&self, width: u16) -> usize {
        let width = usize::from(width.max(1));
        (0..self.count()).map(|n| self.rows_of(n, width).count()).sum()
    }

    /// Returns how a line is cut into rows of a width.
    fn rows_of(&self, n: usize, width: usize) -> Rows {
        let wide = self.buffer.widths().get(n).copied().unwrap_or(0);
        if self.as_str().len() > CUT_BEHIND_WORDS {
            return Rows::Anywhere(width, wide);
        }
        Rows::of(self.buffer.line(n), wide, width)
    }

    /// Returns the row of the cursor where lines are wrapped to a width, and its column there.
    fn cursor_place(&self, width: usize) -> (usize, usize) {
        let line = self.place().0;
        let above: usize = (0..line).map(|n| self.rows_of(n, width).count()).sum();
        let before = Shown::code(self.before()).width();
        let (row, column) = self.rows_of(line, width).place(before);
        (above + row, column.min(width.saturating_sub(1)))
    }

    /// Returns the first row shown in a window, wrapped, and how many rows there are. The row that
    /// only a cursor behind a full line needs is none.
    pub fn wrapped(&self, width: u16, height: u16) -> (usize, usize) {
        let wide = usize::from(width.max(1));
        let (row, _) = self.cursor_place(wide);
        (row.saturating_sub(usize::from(height.max(1)) - 1), self.wrapped_rows(width))
    }

    /// Draws wrapped behind words; returns where the terminal's cursor belongs.
    pub fn draw_wrapped(&self, pen: &mut Pen<'_>, area: Rect, style: Style) -> Option<Position> {
        let width = usize::from(area.width);
        let height = usize::from(area.height);
        if width == 0 || height == 0 {
            return None;
        }
        let (cursor_row, cursor_column) = self.cursor_place(width);
        let top = cursor_row.saturating_sub(height - 1);
        let mut row = 0;
        for n in 0..self.count() {
            let rows = self.rows_of(n, width);
            let next = row + rows.count();
            if next > top {
                // rows of this line above the window are skipped at once
                let hidden = top.saturating_sub(row);
                let line = Shown::code(self.buffer.line(n));
                let from = rows.start(hidden);
                let mut rest = line.skip(from).head((height + 1) * (width + 1));
                for at in row + hidden..next.min(top + height) {
                    let wide = rows.start(at - row + 1).saturating_sub(rows.start(at - row));
                    // a blank behind the last word may stand outside
                    let shown = rest.head(wide.min(width));
                    pen.put(area.x, area.y + cols(at - top), area.width, &shown, style);
                    rest = rest.skip(wide);
                }
            }
            row = next;
            if row >= top + height {
                break;
            }
        }
        if self.selection().is_some_and(|range| range.len() == self.as_str().len()) {
            let rows = cols(row.saturating_sub(top).min(height));
            pen.lay(Rect { height: rows, ..area }, Role::Cursor);
        }
        Some(Position::new(area.x + cols(cursor_column), area.y + cols(cursor_row - top)))
    }

    /// Keeps the cursor inside a window of this size; called before drawing without wrapping.
    pub fn settle(&mut self, width: u16, height: u16) {
        let (width, height) = (usize::from(width.max(1)), usize::from(height.max(1)));
        let row = self.place().0;
        let col = Shown::code(self.before()).width();
        // the last column may hold the sign that the line goes on: the cursor stays before it
        let room = if self.behind() > 1 && width > 2 { width - 2 } else { width - 1 };
        self.top = self.top.clamp(row.saturating_sub(height - 1), row);
        self.left = self.left.clamp(col.saturating_sub(room), col);
    }

    /// Returns the first line and column shown, as settled.
    pub fn scrolled(&self) -> (usize, usize) {
        (self.top, self.left)
    }

    /// Returns the cursor's place in lines and columns of the text.
    pub fn cursor(&self) -> (usize, usize) {
        (self.place().0, Shown::code(self.before()).width())
    }

    /// Puts the cursor on a line and column of the text, as the mouse does.
    pub fn point(&mut self, row: usize, column: usize) {
        self.buffer.go(self.buffer.at_column(row.min(self.count() - 1), column), false);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::Press;
    use super::*;

    #[test]
    fn pasted_line_ends_become_lines_and_bytes_stay() {
        let mut editor = Editor::default();
        editor.paste("one\rtwo\r\nthree\u{1b}");
        assert_eq!(editor.text(), "one\ntwo\nthree\u{1b}");
        assert_eq!(editor.place(), (2, 3));
    }

    #[test]
    fn the_word_before_the_cursor_is_completed() {
        let mut editor = Editor::of("sum of bookings.pri");
        assert_eq!(editor.word(), "bookings.pri");
        editor.replace_word("bookings.price_cents");
        assert_eq!(editor.text(), "sum of bookings.price_cents");
        assert_eq!(Editor::of("größe").word(), "größe");
        assert_eq!(Editor::of("a ").word(), "");
    }

    #[test]
    fn bytes_are_replaced_and_taken_back() {
        let mut editor = Editor::of("SELECT ä,\n  pric FROM t");
        let at = editor.as_str().find("pric").expect("it is there");
        editor.replace(at..at + 4, "price_cents");
        assert_eq!(editor.text(), "SELECT ä,\n  price_cents FROM t");
        assert_eq!(editor.cursor_byte(), at + 11);
        assert!(editor.undo());
        assert_eq!(editor.text(), "SELECT ä,\n  pric FROM t");
        assert!(editor.redo() && !editor.redo());
        assert_eq!(editor.text(), "SELECT ä,\n  price_cents FROM t");
    }

    #[test]
    fn what_finds_no_place_is_counted() {
        let mut editor = Editor::default();
        assert_eq!(editor.paste(&"é".repeat(HOLDS / 2 + 3)), 6);
        assert_eq!(editor.as_str().len(), HOLDS);
        editor.press(Press::named("x").expect("a key"));
        assert_eq!(editor.as_str().len(), HOLDS);
    }
}
