//! A line being typed: its text, the cursor between two letters, and drawing it.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use crate::shown::Shown;

use super::super::keymap::Press;
use super::super::theme::Role;
use super::pen::{Pen, cols};

/// A text of one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    text: String,
    /// The cursor, in bytes.
    at: usize,
    /// The whole text is only proposed: the first letter typed replaces it.
    pub proposed: bool,
}

impl Line {
    /// Makes a line with a text, the cursor at its end.
    pub fn of(text: impl Into<String>) -> Self {
        let text = text.into();
        Line { at: text.len(), text, proposed: false }
    }

    /// Makes a line with a text that the first letter replaces.
    pub fn proposing(text: impl Into<String>) -> Self {
        let line = Line::of(text);
        Line { proposed: !line.text.is_empty(), ..line }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Inserts a text at the cursor; only its first line.
    pub fn insert(&mut self, text: &str) {
        if std::mem::take(&mut self.proposed) {
            self.clear();
        }
        let line = text.lines().next().unwrap_or("");
        self.text.insert_str(self.at, line);
        self.at += line.len();
    }

    /// Empties the line.
    pub fn clear(&mut self) {
        *self = Line::default();
    }

    /// Puts the cursor at the start.
    pub fn home(&mut self) {
        (self.at, self.proposed) = (0, false);
    }

    /// Puts the cursor at the end.
    pub fn end(&mut self) {
        (self.at, self.proposed) = (self.text.len(), false);
    }

    /// Types a key; returns whether it means something in a line.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "foreign enum: other keys mean nothing here"
    )]
    pub fn press(&mut self, press: Press) -> bool {
        if let Some(c) = press.letter() {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        let word = !press.with.is_empty();
        match press.code {
            KeyCode::Backspace if self.proposed => self.clear(),
            KeyCode::Backspace => self.delete_before(word),
            KeyCode::Char('w') if word => self.delete_before(true),
            KeyCode::Char('u') if word => self.clear(),
            KeyCode::Delete => self.delete_after(),
            KeyCode::Left => self.at = self.before(word),
            KeyCode::Right => self.at = self.after(word),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => return false,
        }
        self.proposed = false;
        true
    }

    fn delete_before(&mut self, word: bool) {
        let from = self.before(word);
        self.text.replace_range(from..self.at, "");
        self.at = from;
    }

    fn delete_after(&mut self) {
        let end = self.after(false);
        self.text.replace_range(self.at..end, "");
    }

    /// Returns where the letter or the word before the cursor begins.
    fn before(&self, word: bool) -> usize {
        let head = self.text.get(..self.at).unwrap_or("");
        if word {
            let letters = head.trim_end_matches(|c: char| !c.is_alphanumeric());
            return letters.trim_end_matches(char::is_alphanumeric).len();
        }
        head.grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    /// Returns where the letter or the word after the cursor ends.
    fn after(&self, word: bool) -> usize {
        let rest = self.text.get(self.at..).unwrap_or("");
        if word {
            let letters = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
            let end = letters.trim_start_matches(char::is_alphanumeric);
            return self.text.len() - end.len();
        }
        self.at + rest.graphemes(true).next().map_or(0, str::len)
    }

    /// Draws the line, scrolled so that the cursor is seen.
    pub fn draw(&self, pen: &mut Pen<'_>, x: u16, y: u16, most: u16, role: Role) {
        let shown = Shown::new(&self.text);
        let before = Shown::new(self.text.get(..self.at).unwrap_or("")).width();
        let room = usize::from(most);
        if room == 0 {
            return;
        }
        // a sign at either end says that the line goes on there; the cursor stands beside it
        let behind = usize::from(before + 1 < shown.width());
        let skip = (before + 1 + behind).saturating_sub(room);
        let style = pen.style(if self.proposed { Role::Selected } else { role });
        let cut = shown.skip(skip);
        pen.put(x, y, most, &if behind > 0 { cut.fit(room) } else { cut.head(room) }, style);
        if skip > 0 {
            pen.text(x, y, 1, "…", Role::Dim);
        }
        let at = x + cols(before - skip);
        pen.lay(ratatui::layout::Rect::new(at, y, 1, 1), Role::Cursor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &mut Line, keys: &str) {
        for key in keys.split(' ') {
            assert!(line.press(Press::named(key).expect(key)), "{key}");
        }
    }

    #[test]
    fn letters_go_in_at_the_cursor_and_whole_graphemes_go_out() {
        let mut line = Line::of("ae\u{301}");
        typed(&mut line, "Left x");
        assert_eq!(line.text(), "axe\u{301}");
        typed(&mut line, "End Backspace");
        assert_eq!(line.text(), "ax");
        typed(&mut line, "Home Delete y");
        assert_eq!(line.text(), "yx");
    }

    #[test]
    fn what_is_only_proposed_is_replaced_by_the_first_letter() {
        let mut line = Line::proposing("= Berlin");
        typed(&mut line, "x");
        assert_eq!(line.text(), "x");
        let mut line = Line::proposing("= Berlin");
        typed(&mut line, "End !");
        assert_eq!(line.text(), "= Berlin!");
    }

    #[test]
    fn words_are_skipped_and_deleted_whole() {
        let mut line = Line::of("> 10 and < 20");
        typed(&mut line, "Ctrl-W");
        assert_eq!(line.text(), "> 10 and < ");
        typed(&mut line, "Ctrl-Left Ctrl-Left Ctrl-Right");
        assert_eq!(line.at, 4);
        typed(&mut line, "Ctrl-U");
        assert_eq!(line.text(), "");
    }
}
