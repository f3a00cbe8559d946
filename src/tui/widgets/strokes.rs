//! What keys do to a text: typing, moving, selecting, deleting, cutting.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyModifiers};

use super::super::keymap::Press;
use super::editor::{Editor, HOLDS};

/// Lines that a page is long.
const PAGE: isize = 15;

/// A step of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To the letter before.
    Back,
    /// To the letter behind.
    Forward,
    /// To the line above.
    Up,
    /// To the line below.
    Down,
    /// To the begin of the line.
    Head,
    /// To the end of the line.
    End,
    /// To the begin of the text.
    Top,
    /// To the end of the text.
    Bottom,
    /// To the begin of the next word.
    WordForward,
    /// To the begin of the word before.
    WordBack,
}

impl Editor {
    /// Types a key; returns whether the text changed.
    pub fn press(&mut self, press: Press) -> bool {
        if let Some(letter) = press.letter() {
            if self.as_str().len() < HOLDS {
                self.buffer.letter(letter);
                self.revision += 1;
            }
            return true;
        }
        if let Some((to, lines)) = self.moved(press) {
            let select = press.with.contains(KeyModifiers::SHIFT);
            if lines == 0 {
                self.buffer.go(to, select);
            } else {
                self.buffer.go_lines(lines, select);
            }
            return false;
        }
        if is(press, KeyModifiers::CONTROL, 'v') || is(press, KeyModifiers::CONTROL, 'y') {
            let cut = self.cut.clone();
            return self.paste(&cut) == 0 && !cut.is_empty();
        }
        let Some((range, with)) = self.edited(press) else { return false };
        if is(press, KeyModifiers::CONTROL, 'x') {
            self.cut = self.as_str().get(range.clone()).unwrap_or("").to_owned();
        }
        let changes = !(range.is_empty() && with.is_empty());
        if changes {
            self.replace(range, with);
        }
        changes
    }

    /// Tells where a key moves the cursor: to a byte, or by lines.
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other keys move nothing")]
    fn moved(&self, press: Press) -> Option<(usize, isize)> {
        let (buffer, at) = (&self.buffer, self.buffer.cursor());
        let row = buffer.bounds(buffer.row_of(at));
        let with = press.with - KeyModifiers::SHIFT;
        let (plain, control, alternate) =
            (with.is_empty(), with == KeyModifiers::CONTROL, with == KeyModifiers::ALT);
        let to = match press.code {
            KeyCode::Up if plain => return Some((0, -1)),
            KeyCode::Down if plain => return Some((0, 1)),
            KeyCode::PageUp => return Some((0, -PAGE)),
            KeyCode::PageDown => return Some((0, PAGE)),
            KeyCode::Char('n') if control => return Some((0, 1)),
            KeyCode::Left if plain => buffer.before(at),
            KeyCode::Right if plain => buffer.behind(at),
            KeyCode::Char('b') if control => buffer.before(at),
            KeyCode::Char('f') if control => buffer.behind(at),
            KeyCode::Left => buffer.word_before(at),
            KeyCode::Right => buffer.word_behind(at),
            KeyCode::Char('b') if alternate => buffer.word_before(at),
            KeyCode::Char('f') if alternate => buffer.word_behind(at),
            KeyCode::Home | KeyCode::Up if control => 0,
            KeyCode::End | KeyCode::Down if control => buffer.text().len(),
            KeyCode::Char('<') if alternate => 0,
            KeyCode::Char('>') if alternate => buffer.text().len(),
            KeyCode::Home => row.start,
            KeyCode::End => row.end,
            KeyCode::Char('a') if control => row.start,
            KeyCode::Char('e') if control => row.end,
            _ => return None,
        };
        Some((to, 0))
    }

    /// Tells which bytes a key replaces, and by what.
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other keys change nothing")]
    fn edited(&self, press: Press) -> Option<(Range<usize>, &'static str)> {
        let (buffer, at) = (&self.buffer, self.buffer.cursor());
        let selected = buffer.selection();
        let control = press.with == KeyModifiers::CONTROL;
        let alternate = press.with == KeyModifiers::ALT;
        let row = buffer.bounds(buffer.row_of(at));
        let range = match press.code {
            KeyCode::Enter => return Some((selected.unwrap_or(at..at), "\n")),
            KeyCode::Char('m') if control => return Some((selected.unwrap_or(at..at), "\n")),
            KeyCode::Char('x') if control => selected.unwrap_or(at..at),
            KeyCode::Backspace | KeyCode::Delete if selected.is_some() => selected?,
            KeyCode::Backspace if alternate || control => buffer.word_before(at)..at,
            KeyCode::Backspace => buffer.before(at)..at,
            KeyCode::Char('h') if control => selected.unwrap_or(buffer.before(at)..at),
            KeyCode::Char('w') if control => buffer.word_before(at)..at,
            KeyCode::Delete if alternate || control => at..buffer.word_behind(at),
            KeyCode::Delete => at..buffer.behind(at),
            KeyCode::Char('d') if control => at..buffer.behind(at),
            KeyCode::Char('d') if alternate => at..buffer.word_behind(at),
            KeyCode::Char('k') if control && at == row.end => at..buffer.behind(at),
            KeyCode::Char('k') if control => at..row.end,
            _ => return None,
        };
        Some((range, ""))
    }

    /// Moves the cursor.
    pub fn go(&mut self, step: Step) {
        let (buffer, at) = (&self.buffer, self.buffer.cursor());
        let row = buffer.bounds(buffer.row_of(at));
        let to = match step {
            Step::Up => return self.buffer.go_lines(-1, false),
            Step::Down => return self.buffer.go_lines(1, false),
            Step::Back => buffer.before(at).max(row.start),
            Step::Forward => buffer.behind(at).min(row.end),
            Step::Head => row.start,
            Step::End => row.end,
            Step::Top => 0,
            Step::Bottom => buffer.text().len(),
            Step::WordForward => buffer.next_word(at),
            Step::WordBack => buffer.word_before(at),
        };
        self.buffer.go(to, false);
    }

    /// Deletes what is selected, else the letter behind the cursor; returns whether there was one.
    pub fn delete_letter(&mut self) -> bool {
        let at = self.buffer.cursor();
        let range = self.buffer.selection().unwrap_or(at..self.buffer.behind(at));
        let any = !range.is_empty();
        if any {
            self.replace(range, "");
        }
        any
    }

    /// Deletes the cursor's line with its end; of the last line, with the end before it.
    pub fn delete_line(&mut self) -> bool {
        let line = self.buffer.bounds(self.buffer.row_of(self.buffer.cursor()));
        let range = if line.end < self.as_str().len() {
            line.start..line.end + 1
        } else {
            line.start.saturating_sub(1)..line.end
        };
        let any = !range.is_empty();
        self.replace(range, "");
        any
    }

    /// Begins a new line; `indented`, as far in as this one.
    pub fn new_line(&mut self, indented: bool) {
        let at = self.buffer.cursor();
        let (line, first) = self.line_at(self.buffer.row_of(at));
        let margin = line.len() - line.trim_start_matches([' ', '\t']).len();
        let margin = line.get(..margin.min(at - first)).unwrap_or("");
        let with = if indented { format!("\n{margin}") } else { "\n".to_owned() };
        self.replace(self.buffer.selection().unwrap_or(at..at), &with);
    }
}

fn is(press: Press, with: KeyModifiers, letter: char) -> bool {
    press.code == KeyCode::Char(letter) && press.with == with
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(editor: &mut Editor, names: &str) {
        for name in names.split(' ') {
            editor.press(Press::named(name).expect(name));
        }
    }

    #[test]
    fn words_are_selected_cut_and_put_elsewhere() {
        let mut editor = Editor::of("SELECT a, b");
        press(&mut editor, "Ctrl-Shift-Left");
        assert_eq!(editor.selection(), Some(10..11));
        press(&mut editor, "Ctrl-X Home Ctrl-Right Right Ctrl-V");
        assert_eq!(editor.text(), "SELECT ba, ");
        press(&mut editor, "Shift-End Backspace");
        assert_eq!(editor.text(), "SELECT b");
        press(&mut editor, "Ctrl-W");
        assert_eq!(editor.text(), "SELECT ");
        press(&mut editor, "Home Ctrl-K");
        assert_eq!(editor.text(), "");
    }

    #[test]
    fn lines_and_letters_are_deleted_whole() {
        let mut editor = Editor::of("one\ntwo\nthree");
        editor.go(Step::Up);
        assert!(editor.delete_line());
        assert_eq!(editor.text(), "one\nthree");
        editor.go(Step::Head);
        assert!(editor.delete_letter());
        assert_eq!(editor.text(), "one\nhree");
        editor.go(Step::End);
        assert!(!editor.delete_letter());
        assert!(editor.delete_line());
        assert_eq!(editor.text(), "one");
        assert!(editor.delete_line() && !editor.delete_line());
    }

    #[test]
    fn a_new_line_goes_on_as_far_in_as_the_last() {
        let mut editor = Editor::of("WHERE a\n  AND b");
        editor.new_line(true);
        assert_eq!(editor.text(), "WHERE a\n  AND b\n  ");
        editor.new_line(false);
        assert_eq!(editor.text(), "WHERE a\n  AND b\n  \n");
    }
}
