//! A text that is looked for in cells, whatever the letter case.

use crate::domain::Cell;

/// A text made ready to be looked for.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "what it could stand in, each apart")]
pub(super) struct Needle {
    folded: String,
    ascii: bool,
    /// It could stand in a written whole number, any number, a blob.
    in_integer: bool,
    in_real: bool,
    in_blob: bool,
}

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        let mut folded = String::new();
        fold(text, &mut folded);
        let only = |set: &str| folded.chars().all(|c| set.contains(c));
        Needle {
            ascii: folded.is_ascii(),
            in_integer: only("0123456789-"),
            in_real: only("0123456789-.einfa"),
            in_blob: only("0123456789abcdefx'"),
            folded,
        }
    }

    /// Tells whether a cell's plain text holds it; NULL has no text. `room` is memory to write into.
    pub(super) fn is_in(&self, cell: Cell<'_>, room: &mut String) -> bool {
        let possible = match cell {
            Cell::Null => false,
            Cell::Text(text) => return self.in_text(text, room),
            Cell::Integer(_) => self.in_integer,
            Cell::Real(_) => self.in_real,
            Cell::Blob(_) => self.in_blob,
            Cell::Malformed(bytes) => return self.in_text(&String::from_utf8_lossy(bytes), room),
        };
        if !possible {
            return false;
        }
        room.clear();
        cell.push_plain(room);
        room.make_ascii_lowercase();
        room.contains(&self.folded)
    }

    fn in_text(&self, text: &str, room: &mut String) -> bool {
        if text.is_ascii() {
            return self.ascii && self.in_ascii(text.as_bytes());
        }
        room.clear();
        fold(text, room);
        room.contains(&self.folded)
    }

    fn in_ascii(&self, text: &[u8]) -> bool {
        let needle = self.folded.as_bytes();
        let Some(first) = needle.first() else { return true };
        let Some(last) = text.len().checked_sub(needle.len()) else { return false };
        let starts = text.iter().take(last + 1).enumerate();
        starts.filter(|(_, byte)| byte.to_ascii_lowercase() == *first).any(|(at, _)| {
            text.get(at..at + needle.len()).is_some_and(|part| part.eq_ignore_ascii_case(needle))
        })
    }
}

/// Writes text in one letter case, letter by letter: what stands around a letter doesn't matter.
fn fold(text: &str, out: &mut String) {
    for c in text.chars().flat_map(char::to_lowercase) {
        out.push(if c == 'ς' { 'σ' } else { c });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(cell: Cell<'_>, text: &str) -> bool {
        Needle::new(text).is_in(cell, &mut String::new())
    }

    #[test]
    fn letter_case_never_matters() {
        for (text, needle) in [
            ("Straße 7", "STRASSE"),
            ("Ärger", "äRG"),
            ("ΟΔΟΣ", "οδος"),
            ("ΟΔΟΣΑ", "ΟΔΟΣ"),
            ("abcABC", "cab"),
            ("300 \u{212a}", "300 k"),
            ("aaab", "AAB"),
            ("x", ""),
        ] {
            // ß has no single capital letter, so it is itself only
            assert_eq!(holds(Cell::Text(text), needle), !text.contains('ß'), "{text} {needle}");
        }
        assert!(!holds(Cell::Text("ab"), "abc"));
        assert!(!holds(Cell::Text("ab"), "ä"));
    }

    #[test]
    fn numbers_and_blobs_are_searched_as_they_are_written() {
        assert!(holds(Cell::Integer(-1234), "-12"));
        assert!(holds(Cell::Real(2.0), "2.0"));
        assert!(holds(Cell::Real(f64::INFINITY), "INF"));
        assert!(holds(Cell::Blob(&[0xab, 1]), "X'AB"));
        assert!(holds(Cell::Malformed(b"caf\xe9"), "CAF"));
        assert!(!holds(Cell::Integer(12), "2.0"));
        assert!(!holds(Cell::Null, ""));
    }
}
