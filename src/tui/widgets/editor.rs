//! A text editor: `tui_textarea` holds text, cursor and undo; the cells are drawn from `Shown`.
//!
//! The text keeps its own bytes, whatever was pasted; only what is drawn is made safe.

use crossterm::event::{KeyEvent, KeyEventKind, KeyEventState};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tui_textarea::{CursorMove, TextArea};

use crate::shown::Shown;

use super::super::keymap::Press;
use super::pen::{Pen, cols};

/// A text being edited.
#[derive(Debug, Clone, Default)]
pub struct Editor {
    area: TextArea<'static>,
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
        self.area.lines().join("\n")
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// Tells whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.area.lines().iter().all(String::is_empty)
    }

    /// Replaces the text; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        self.area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
        (self.top, self.left) = (0, 0);
    }

    /// Types a key; returns whether the text changed.
    pub fn press(&mut self, press: Press) -> bool {
        let event = KeyEvent {
            code: press.code,
            modifiers: press.with,
            kind: KeyEventKind::Press,
            state: KeyEventState::NONE,
        };
        self.area.input(event)
    }

    /// Moves the cursor.
    pub fn go(&mut self, step: CursorMove) {
        self.area.move_cursor(step);
    }

    /// Deletes the letter under the cursor.
    pub fn delete_letter(&mut self) -> bool {
        self.area.delete_next_char()
    }

    /// Deletes the cursor's line.
    pub fn delete_line(&mut self) -> bool {
        let (row, rows) = self.place();
        self.area.move_cursor(CursorMove::Head);
        let emptied = self.area.delete_line_by_end();
        // the last line has no line end of its own: the one before it goes
        let joined =
            if row + 1 < rows { self.area.delete_next_char() } else { self.area.delete_char() };
        emptied || joined
    }

    /// Takes back the last change.
    pub fn undo(&mut self) -> bool {
        self.area.undo()
    }

    /// Makes the change again that was taken back.
    pub fn redo(&mut self) -> bool {
        self.area.redo()
    }

    /// Begins a new line.
    pub fn new_line(&mut self) {
        self.area.insert_newline();
    }

    /// Inserts a pasted text. Terminals send `\r` for line ends.
    pub fn paste(&mut self, text: &str) {
        self.area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
    }

    /// Returns the line of the cursor and the number of lines.
    pub fn place(&self) -> (usize, usize) {
        (self.area.cursor().0, self.area.lines().len())
    }

    /// Returns the cursor's line.
    pub fn line(&self) -> &str {
        self.area.lines().get(self.area.cursor().0).map_or("", String::as_str)
    }

    /// Counts the letters of the cursor's line that stand behind it.
    pub fn behind(&self) -> usize {
        self.line().chars().count().saturating_sub(self.area.cursor().1)
    }

    /// Returns the part of a word before the cursor: letters, digits, `_` and `.`.
    pub fn word(&self) -> &str {
        let before = self.before();
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let from = start.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        before.get(from..).unwrap_or("")
    }

    /// Replaces the word before the cursor.
    pub fn replace_word(&mut self, with: &str) {
        for _ in 0..self.word().chars().count() {
            self.area.delete_char();
        }
        self.area.insert_str(with);
    }

    /// Returns the cursor's line up to the cursor.
    fn before(&self) -> &str {
        let (row, col) = self.area.cursor();
        let line = self.area.lines().get(row).map_or("", String::as_str);
        let end = line.char_indices().nth(col).map_or(line.len(), |(at, _)| at);
        line.get(..end).unwrap_or("")
    }

    /// Counts the rows that the text takes when wrapped.
    pub fn wrapped_rows(&self, width: u16) -> usize {
        let width = usize::from(width.max(1));
        self.lines().iter().map(|line| rows_of(&Shown::code(line), width)).sum()
    }

    /// Draws wrapped by letters; returns where the terminal's cursor belongs.
    pub fn draw_wrapped(&self, pen: &mut Pen<'_>, area: Rect, style: Style) -> Option<Position> {
        let width = usize::from(area.width);
        let height = usize::from(area.height);
        if width == 0 || height == 0 {
            return None;
        }
        let before = Shown::code(self.before()).width();
        let above: usize =
            self.lines().iter().take(self.place().0).map(|l| rows_of(&Shown::code(l), width)).sum();
        let cursor_row = above + before / width;
        let top = cursor_row.saturating_sub(height - 1);
        let mut row = 0;
        for line in self.lines() {
            let mut rest = Shown::code(line);
            for _ in 0..rows_of(&rest, width) {
                if row >= top && row < top + height {
                    let y = area.y + cols(row - top);
                    pen.put(area.x, y, area.width, &rest.head(width), style);
                }
                rest = rest.skip(width);
                row += 1;
            }
            if row >= top + height {
                break;
            }
        }
        Some(Position::new(area.x + cols(before % width), area.y + cols(cursor_row - top)))
    }

    /// Keeps the cursor inside a window of this size; called before drawing without wrapping.
    pub fn settle(&mut self, width: u16, height: u16) {
        let (width, height) = (usize::from(width.max(1)), usize::from(height.max(1)));
        let row = self.place().0;
        let col = Shown::code(self.before()).width();
        self.top = self.top.clamp(row.saturating_sub(height - 1), row);
        self.left = self.left.clamp(col.saturating_sub(width - 1), col);
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
        let line = self.lines().get(row).map_or("", String::as_str);
        let mut col = 0;
        for (n, (at, c)) in line.char_indices().enumerate() {
            if Shown::column(line, at + c.len_utf8()) > column {
                break;
            }
            col = n + 1;
        }
        self.area.move_cursor(CursorMove::Jump(cols(row), cols(col)));
    }
}

/// Counts the rows of a wrapped line; the cursor behind a full last row needs one more.
fn rows_of(line: &Shown, width: usize) -> usize {
    line.width() / width + 1
}

#[cfg(test)]
mod tests {
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
}
