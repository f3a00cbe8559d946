//! What a form needs to write rows, and how writing may end early.

use std::fs::File;
use std::io;

use crate::domain::Cell;

use super::trouble::ExportTrouble;

/// Why writing ended early.
#[derive(Debug)]
pub(super) enum Halt {
    /// Nobody waits any more.
    Stopped,
    /// The file takes no more.
    File(io::Error),
    /// The rows don't fit the form, or can't be read.
    Trouble(ExportTrouble),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Halt::File(error)
    }
}

impl From<ExportTrouble> for Halt {
    fn from(trouble: ExportTrouble) -> Self {
        Halt::Trouble(trouble)
    }
}

/// Writes rows in one form.
pub(super) trait RowWriter {
    /// Writes the next row.
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Halt>;

    /// Writes what comes after the last row; gives the file back, and sentences on what a reader of
    /// it should know.
    fn finish(self: Box<Self>) -> Result<(File, Vec<String>), Halt>;
}

/// What kinds of values a column holds.
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only typed forms ask"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of kinds; any combination is possible")]
pub(super) struct Held {
    pub(super) integers: bool,
    /// Integers that a real can't hold exactly.
    pub(super) large: bool,
    pub(super) reals: bool,
    pub(super) texts: bool,
    pub(super) malformed: bool,
    pub(super) blobs: bool,
}

impl Held {
    pub(super) fn see(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Null => {}
            Cell::Integer(n) => {
                self.integers = true;
                self.large |= !is_exact(n);
            }
            Cell::Real(_) => self.reals = true,
            Cell::Text(_) => self.texts = true,
            Cell::Malformed(_) => self.malformed = true,
            Cell::Blob(_) => self.blobs = true,
        }
    }
}

/// Tells whether a real holds this number exactly, and no other number near it: up to 2^53.
pub(super) fn is_exact(n: i64) -> bool {
    n.unsigned_abs() <= 1 << 53
}

/// Says that so many texts could not be written byte for byte.
pub(super) fn note_malformed(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 text isn't valid UTF-8; its bad bytes are written as �.".to_owned()),
        _ => Some(format!("{count} texts aren't valid UTF-8; their bad bytes are written as �.")),
    }
}

/// Says which columns got other names, because a name may come only once.
pub(super) fn note_renamed(given: &[String], written: &[String]) -> Option<String> {
    let renamed: Vec<String> = given
        .iter()
        .zip(written)
        .filter(|(given, written)| given != written)
        .map(|(_, written)| format!("“{written}”"))
        .collect();
    let some = !renamed.is_empty();
    some.then(|| format!("Names that came twice are written as {}.", renamed.join(", ")))
}
