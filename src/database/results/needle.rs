//! A text that is looked for in cells, whatever the letter case.

use crate::domain::Cell;

/// A text made ready to be looked for.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "what it could stand in, each apart")]
pub(super) struct Needle {
    folded: String,
    ascii: bool,
    /// Only ASCII letters fold to it: bytes can be compared without reading letters.
    plain: bool,
    /// The byte of it that is looked for first, and its place.
    rare: (usize, u8),
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
            // the Kelvin sign folds to k, a capital i with a dot to i and the dot
            plain: folded.is_ascii() && !folded.contains(['k', 'i']),
            rare: rare(&folded),
            in_integer: only("0123456789-"),
            in_real: only("0123456789-.einfa"),
            in_blob: only("0123456789abcdefx'"),
            folded,
        }
    }

    /// Tells whether cells whose bytes these are may hold it; false is certain.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        let written = self.in_integer || self.in_real || self.in_blob;
        written || !self.plain || self.in_ascii(bytes)
    }

    /// Tells whether a cell's plain text holds it; NULL has no text. `room` is memory to write into.
    pub(super) fn is_in(&self, cell: Cell<'_>, room: &mut String) -> bool {
        let possible = match cell {
            Cell::Null => false,
            Cell::Text(text) => return self.in_text(text, room),
            // the sign and as many digits as there may be
            Cell::Integer(n) => {
                let most =
                    n.unsigned_abs().checked_ilog10().map_or(2, |digits| digits as usize + 2);
                self.in_integer && self.folded.len() <= most
            }
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
        if self.plain || text.is_ascii() {
            return self.ascii && self.in_ascii(text.as_bytes());
        }
        room.clear();
        fold(text, room);
        room.contains(&self.folded)
    }

    fn in_ascii(&self, text: &[u8]) -> bool {
        let needle = self.folded.as_bytes();
        let (at, byte) = self.rare;
        if needle.is_empty() {
            return true;
        }
        memchr::memchr2_iter(byte, byte.to_ascii_uppercase(), text).any(|found| {
            let start = found.checked_sub(at);
            let part = start.and_then(|start| text.get(start..start + needle.len()));
            part.is_some_and(|part| part.eq_ignore_ascii_case(needle))
        })
    }
}

/// Chooses the byte of a text that is least frequent in others.
fn rare(folded: &str) -> (usize, u8) {
    /// From frequent to less so; what isn't listed is rarer.
    const FREQUENT: &[u8] = b" etaoinsrhldcu0123456789mfpgwyb,.-_vk";
    let often = |byte: u8| FREQUENT.iter().position(|other| *other == byte).unwrap_or(usize::MAX);
    let bytes = folded.bytes().enumerate();
    bytes.max_by_key(|(_, byte)| often(*byte)).unwrap_or_default()
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
            ("Ärger", "RGE"),
            ("xäxÄxx", "XX"),
            ("\u{130}d", "i"),
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
