//! A text with a cursor, a selection and what was changed: the text area library holds the lines and
//! the history; here the same text stands in one piece, with places as bytes, always between letters.

use std::ops::Range;

use tui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use crate::shown::Shown;

/// Changes that can be taken back at most.
const CHANGES: usize = 10_000;

/// A text being edited.
#[derive(Debug, Clone)]
pub(super) struct Buffer {
    /// Lines and history; its own cursor counts only while it edits.
    area: TextArea<'static>,
    text: String,
    /// First byte of each line.
    starts: Vec<usize>,
    /// Columns that each line takes.
    widths: Vec<usize>,
    cursor: usize,
    /// Where a selection began.
    anchor: Option<usize>,
    /// The column that moving up and down aims at.
    goal: Option<usize>,
    /// Edits of the area that each change consists of: they are taken back together.
    done: Vec<usize>,
    undone: Vec<usize>,
    /// What is typed next may join the last change.
    joins: bool,
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer::of("")
    }
}

impl Buffer {
    /// Makes a text with the cursor at its end and nothing to take back.
    pub(super) fn of(text: &str) -> Self {
        let mut area = TextArea::new(text.split('\n').map(str::to_owned).collect());
        area.set_max_histories(CHANGES);
        area.set_undo_coalescing(false);
        let mut buffer = Buffer {
            area,
            cursor: text.len(),
            text: String::new(),
            starts: vec![0],
            widths: vec![0],
            anchor: None,
            goal: None,
            done: Vec::new(),
            undone: Vec::new(),
            joins: false,
        };
        let end = text.len();
        buffer.splice(0..0, text);
        buffer.cursor = end;
        buffer
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the columns of each line.
    pub(super) fn widths(&self) -> &[usize] {
        &self.widths
    }

    /// Returns a line without its end; empty where there is none.
    pub(super) fn line(&self, row: usize) -> &str {
        self.text.get(self.bounds(row)).unwrap_or("")
    }

    /// Returns the bytes of a line, without its end.
    pub(super) fn bounds(&self, row: usize) -> Range<usize> {
        let from = self.starts.get(row).copied().unwrap_or(self.text.len());
        let to = self.starts.get(row + 1).map_or(self.text.len(), |next| next - 1);
        from..to
    }

    /// Returns the line a byte is in.
    pub(super) fn row_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Returns the selected bytes, if any.
    pub(super) fn selection(&self) -> Option<Range<usize>> {
        let anchor = self.anchor?;
        let range = anchor.min(self.cursor)..anchor.max(self.cursor);
        (!range.is_empty()).then_some(range)
    }

    pub(super) fn select_all(&mut self) {
        self.anchor = Some(0);
        self.cursor = self.text.len();
    }

    /// Puts the cursor at a byte; `select` keeps or begins a selection, else there is none then.
    pub(super) fn go(&mut self, to: usize, select: bool) {
        self.anchor = if select { self.anchor.or(Some(self.cursor)) } else { None };
        self.cursor = self.floor(to);
        self.goal = None;
        self.joins = false;
    }

    fn floor(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..=at).rev().find(|n| self.text.is_char_boundary(*n)).unwrap_or(0)
    }

    /// Moves by lines, keeping the column.
    pub(super) fn go_lines(&mut self, by: isize, select: bool) {
        let row = self.row_of(self.cursor);
        let before = self.text.get(self.bounds(row).start..self.cursor).unwrap_or("");
        let goal = self.goal.unwrap_or_else(|| Shown::code(before).width());
        let last = self.starts.len() - 1;
        let to = row.saturating_add_signed(by).min(last);
        let edge = if by < 0 { 0 } else { self.text.len() };
        let target = if to == row { edge } else { self.at_column(to, goal) };
        self.go(target, select);
        self.goal = Some(goal);
    }

    /// Returns the byte at a column of a line, or the line's end.
    pub(super) fn at_column(&self, row: usize, column: usize) -> usize {
        let bounds = self.bounds(row);
        let mut used = 0;
        for (at, grapheme) in self.line(row).grapheme_indices(true) {
            used += Shown::code(grapheme).width();
            if used > column {
                return bounds.start + at;
            }
        }
        bounds.end
    }

    /// Returns the place one letter before a place.
    pub(super) fn before(&self, at: usize) -> usize {
        let head = self.text.get(..at).unwrap_or("");
        at - head.graphemes(true).next_back().map_or(0, str::len)
    }

    /// Returns the place one letter behind a place.
    pub(super) fn behind(&self, at: usize) -> usize {
        let tail = self.text.get(at..).unwrap_or("");
        at + tail.graphemes(true).next().map_or(0, str::len)
    }

    /// Returns where the word before a place begins.
    pub(super) fn word_before(&self, at: usize) -> usize {
        let head = self.text.get(..at).unwrap_or("");
        let end = head.trim_end_matches(|c| !wordy(c)).len();
        let word = head.get(..end).unwrap_or("");
        word.trim_end_matches(wordy).len()
    }

    /// Returns where the word after the one at a place begins.
    pub(super) fn next_word(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or("").trim_start_matches(wordy);
        self.text.len() - rest.trim_start_matches(|c| !wordy(c)).len()
    }

    /// Returns where the word behind a place ends.
    pub(super) fn word_behind(&self, at: usize) -> usize {
        let tail = self.text.get(at..).unwrap_or("");
        let word = tail.trim_start_matches(|c| !wordy(c));
        let rest = word.trim_start_matches(wordy);
        self.text.len() - rest.len()
    }

    /// Replaces bytes; the cursor goes behind what stands there then.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str) {
        let range = self.floor(range.start)..self.floor(range.end);
        if range.is_empty() && with.is_empty() {
            return;
        }
        let edits = self.edit(range, with);
        self.done.push(edits);
    }

    /// Types one letter: letters of one word are taken back together.
    pub(super) fn letter(&mut self, letter: char) {
        let selected = self.selection();
        let joins = self.joins && selected.is_none() && wordy(letter);
        let at = self.cursor;
        let edits = self.edit(selected.unwrap_or(at..at), letter.encode_utf8(&mut [0; 4]));
        match self.done.last_mut().filter(|_| joins) {
            Some(last) => *last += edits,
            None => self.done.push(edits),
        }
        self.joins = wordy(letter);
    }

    /// Edits the area and the text alike; returns how many edits the area counts.
    fn edit(&mut self, range: Range<usize>, with: &str) -> usize {
        self.area.cancel_selection();
        self.jump(range.start);
        let removes = !range.is_empty();
        if removes {
            self.area.start_selection();
            self.jump(range.end);
        }
        if with.is_empty() {
            self.area.cut();
        } else {
            self.area.insert_str(with);
        }
        let at = range.start + with.len();
        self.splice(range, with);
        self.go(at, false);
        self.undone.clear();
        usize::from(removes) + usize::from(!with.is_empty())
    }

    /// Puts the area's cursor at a byte.
    ///
    /// A jump names lines and columns up to 65,535; what lies beyond is stepped, from the nearer end.
    fn jump(&mut self, to: usize) {
        const FAR: usize = u16::MAX as usize;
        let row = self.row_of(to);
        let (start, end) = (self.bounds(row).start, self.bounds(row).end);
        let letters = |range| self.text.get(range).map_or(0, |text: &str| text.chars().count());
        let (before, behind) = (letters(start..to), letters(to..end));
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.area.move_cursor(CursorMove::Jump(short(row), short(before)));
        for _ in self.area.cursor().0..row {
            self.area.move_cursor(CursorMove::Down);
        }
        if before > FAR && behind < before - FAR {
            self.area.move_cursor(CursorMove::End);
            for _ in 0..behind {
                self.area.move_cursor(CursorMove::Back);
            }
        }
        for _ in self.area.cursor().1..before {
            self.area.move_cursor(CursorMove::Forward);
        }
    }

    /// Takes the last change back; returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let Some(edits) = self.done.pop() else { return false };
        let back = (0..edits).filter(|_| self.area.undo()).count();
        if back == 0 {
            // all older changes are forgotten
            self.done.clear();
            return false;
        }
        self.undone.push(back);
        self.renew();
        true
    }

    /// Makes the change again that was taken back last.
    pub(super) fn redo(&mut self) -> bool {
        let Some(edits) = self.undone.pop() else { return false };
        let again = (0..edits).filter(|_| self.area.redo()).count();
        self.done.push(again);
        self.renew();
        true
    }

    /// Takes text and cursor from the area.
    fn renew(&mut self) {
        let text = self.area.lines().join("\n");
        let (row, column) = self.area.cursor();
        self.splice(0..self.text.len(), &text);
        let line = self.line(row);
        let inside = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        self.go(self.bounds(row).start + inside, false);
    }

    /// Replaces bytes and brings lines and widths in line; the only place that changes the text in one piece.
    fn splice(&mut self, range: Range<usize>, with: &str) {
        let (first, last) = (self.row_of(range.start), self.row_of(range.end));
        self.text.replace_range(range.clone(), with);
        let begins = with.match_indices('\n').map(|(at, _)| range.start + at + 1);
        self.starts.splice(first + 1..=last, begins);
        let fresh = with.matches('\n').count();
        for start in self.starts.iter_mut().skip(first + fresh + 1) {
            *start = *start - range.len() + with.len();
        }
        let measured: Vec<usize> =
            (first..=first + fresh).map(|row| Shown::code(self.line(row)).width()).collect();
        self.widths.splice(first..=last, measured);
    }
}

/// Tells whether a letter belongs to a word.
fn wordy(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_is_taken_back_at_once_and_comes_again() {
        let mut buffer = Buffer::default();
        "two words".chars().for_each(|c| buffer.letter(c));
        assert!(buffer.undo());
        assert_eq!(buffer.text(), "two ");
        while buffer.undo() {}
        assert_eq!((buffer.text(), buffer.cursor()), ("", 0));
        while buffer.redo() {}
        assert_eq!((buffer.text(), buffer.cursor()), ("two words", 9));
    }

    #[test]
    fn moving_keeps_the_column_and_stops_at_the_ends() {
        let mut buffer = Buffer::of("long line\nx\n売上 line");
        buffer.go(6, false);
        buffer.go_lines(1, false);
        assert_eq!(buffer.cursor(), 11);
        buffer.go_lines(1, false);
        // six columns: two wide letters, a space, and one letter
        assert_eq!(buffer.text().get(buffer.cursor()..), Some("ine"));
        buffer.go_lines(1, false);
        assert_eq!(buffer.cursor(), buffer.text().len());
        buffer.go_lines(-9, true);
        assert_eq!(buffer.selection().map(|range| range.end), Some(buffer.text().len()));
    }

    #[test]
    fn words_and_letters_are_stepped_over_whole() {
        let buffer = Buffer::of("sum(price_cents) é\u{301}");
        assert_eq!(buffer.word_behind(3), 15);
        assert_eq!(buffer.word_before(15), 4);
        assert_eq!(buffer.before(buffer.text().len()), 17);
        assert_eq!(buffer.behind(0), 1);
    }

    proptest! {
        #[test]
        fn lines_and_widths_are_those_of_the_text(
            edits in proptest::collection::vec((0usize..60, 0usize..20, "[a\né\t売]{0,6}"), 1..20),
            backs in 0usize..30,
        ) {
            let mut buffer = Buffer::of("one\n\nthree");
            for (at, length, with) in edits {
                buffer.replace(at..at + length, &with);
            }
            for n in 0..backs {
                if n % 3 == 2 { buffer.redo() } else { buffer.undo() };
                let lines: Vec<&str> = buffer.text().split('\n').collect();
                let held: Vec<&str> = (0..buffer.starts.len()).map(|row| buffer.line(row)).collect();
                prop_assert_eq!(&held, &lines);
                prop_assert_eq!(buffer.area.lines(), &lines[..]);
                let wide: Vec<usize> = lines.iter().map(|l| Shown::code(l).width()).collect();
                prop_assert_eq!(&buffer.widths, &wide);
            }
        }
    }
}
