//! Text made safe for a terminal. Only this module makes `Shown`; widgets accept nothing else.
//!
//! What belongs here: turning bytes of data, names, errors and model text into harmless marks, and
//! measuring what is left. What must never come: a way to make `Shown` without the sanitiser, or
//! drawing. To add a mark: a row in `signs.rs`.
//!
//! **Invariant:** no `Shown` holds a control character, a bidirectional control, or a grapheme of
//! width zero; so what is measured here is what a screen of cells shows.

mod fit;
mod signs;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write;

use ratatui::buffer::CellWidth;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A text without control characters: C0, C1, DEL, escape sequences and bidirectional marks stand
/// as visible signs; normalised to NFC; one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Shown(String);

impl Shown {
    /// Makes a text safe. Line breaks become `␊`, tabs `␉`, other controls their pictures.
    pub fn new(text: &str) -> Self {
        if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
            return Shown(text.to_owned());
        }
        let marked = signs::mark(text.nfc());
        Shown(without_hidden(marked))
    }

    /// Makes one line of code safe: like `new`, with tabs as four spaces.
    pub fn code(line: &str) -> Self {
        Shown::new(&spaced(line))
    }

    /// Makes bytes safe that may be no UTF-8: each stray byte stands as `‹FF›`.
    pub fn bytes(bytes: &[u8]) -> Self {
        let mut shown = String::new();
        for chunk in bytes.utf8_chunks() {
            shown.push_str(&Shown::new(chunk.valid()).0);
            for byte in chunk.invalid() {
                // writing to a text never fails
                let _ = write!(shown, "‹{byte:02X}›");
            }
        }
        Shown(shown)
    }

    /// Makes a text of several lines safe, a `Shown` for each line.
    pub fn lines(text: &str) -> Vec<Shown> {
        text.split('\n').map(|line| Shown::code(line.strip_suffix('\r').unwrap_or(line))).collect()
    }

    /// Makes the start of a text safe, as far as `width` columns show it; what is cut ends in `…`.
    ///
    /// The cost depends on the width, not on the length of the text.
    pub fn cut(text: &str, width: usize) -> Self {
        // a text that takes more than 16 bytes a column is no reading matter
        let most = width.saturating_mul(16).saturating_add(64);
        if text.len() <= most {
            return Shown::new(text).fit(width);
        }
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let head = Shown::new(text.get(..end).unwrap_or(""));
        let mut cut = head.head(width.saturating_sub(1));
        if width > 0 {
            cut.0.push('…');
        }
        cut
    }

    /// Measures the columns before byte `at` of a line of code.
    pub fn column(line: &str, at: usize) -> usize {
        let at = (0..=at.min(line.len())).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
        Shown::code(line.get(..at).unwrap_or("")).width()
    }

    /// Returns the safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Measures columns of the terminal.
    pub fn width(&self) -> usize {
        if self.0.is_ascii() {
            return self.0.len();
        }
        self.0.graphemes(true).map(|g| usize::from(g.cell_width())).sum()
    }

    /// Appends another safe text.
    pub fn push(&mut self, other: &Shown) {
        self.0.push_str(&other.0);
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Shown {
    fn from(text: &str) -> Self {
        Shown::new(text)
    }
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Shown::new(&text)
    }
}

impl From<&String> for Shown {
    fn from(text: &String) -> Self {
        Shown::new(text)
    }
}

/// Joins the lines of prose or SQL of ours into one, a space for each line end and what stands around
/// it. What is data keeps its line ends, and shows them as marks.
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    let breaks = ['\n', '\r', '\t'];
    if !text.contains(breaks) {
        return text.into();
    }
    let lines: Vec<&str> = text.split(breaks).map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join(" ").into()
}

fn spaced(line: &str) -> Cow<'_, str> {
    if line.contains('\t') { line.replace('\t', "    ").into() } else { line.into() }
}

/// Replaces graphemes that would take no column by signs, so that nothing hides.
fn without_hidden(text: String) -> String {
    if text.graphemes(true).all(|g| g.cell_width() > 0) {
        return text;
    }
    let mut seen = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        if grapheme.cell_width() > 0 {
            seen.push_str(grapheme);
        } else {
            grapheme.chars().for_each(|c| signs::push_sign(&mut seen, c));
        }
    }
    seen
}
