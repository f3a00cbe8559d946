//! Knowledge files: rules, metrics, meanings and examples from TOML, and their proof against the
//! live schema.
//!
//! What belongs here: finding and reading `*.knowledge.toml`, and saying where it disagrees with a
//! catalog. What must never come: choosing what a question needs of it, or a look at the data.
//! To add a kind of entry: a field in `file.rs`, its proof in `drift.rs`, and lines in
//! `assets/knowledge.example.toml`, which is the format's description and is read by a test.

use std::path::{Path, PathBuf};

use crate::domain::Knowledge;

mod complaint;
mod drift;
mod file;
mod hints;
#[cfg(test)]
mod tests;

pub use drift::{Drift, drift};
pub use hints::with_hints;

/// Why a knowledge file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// It can't be read.
    #[error("knowledge file {path} can't be read: {what}")]
    File {
        /// The file.
        path: String,
        /// Why.
        what: String,
    },
    /// It is no knowledge file; the place is in the message.
    #[error("knowledge file {path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong, with line and column.
        what: String,
    },
}

/// Finds the knowledge file beside a database file.
///
/// For `shop.sqlite` it is `shop.sqlite.knowledge.toml`, else `shop.knowledge.toml`.
pub fn beside(database: &Path) -> Option<PathBuf> {
    let named = |stem: &std::ffi::OsStr| {
        let mut name = stem.to_owned();
        name.push(".knowledge.toml");
        database.with_file_name(name)
    };
    let candidates = [database.file_name().map(named), database.file_stem().map(named)];
    candidates.into_iter().flatten().find(|path| path.is_file())
}

/// Reads a knowledge file.
pub fn read(path: &Path) -> Result<Knowledge, KnowledgeError> {
    let text = std::fs::read_to_string(path).map_err(|e| KnowledgeError::File {
        path: path.display().to_string(),
        what: e.to_string(),
    })?;
    parse(&text, &path.display().to_string())
}

/// Reads knowledge from text; `source` is where it came from, for messages.
pub fn parse(text: &str, source: &str) -> Result<Knowledge, KnowledgeError> {
    let malformed = |what| KnowledgeError::Malformed { path: source.to_owned(), what };
    file::parse(text).map(|file| file.knowledge(source)).map_err(malformed)
}
