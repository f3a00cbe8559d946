//! Knowledge files: rules, metrics, meanings and examples from TOML, and their proof against the
//! live schema.
//!
//! What belongs here: reading `*.knowledge.toml` and saying where it disagrees with a catalog.
//! What must never come: choosing what a question needs of it.

use std::path::Path;

use crate::domain::{Catalog, Knowledge};

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

/// A disagreement between knowledge and schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Which entry: `metric loss_ratio`, `column claims.fraud`, `example 2`.
    pub entry: String,
    /// What is wrong, as a sentence.
    pub message: String,
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
pub fn parse(_text: &str, source: &str) -> Result<Knowledge, KnowledgeError> {
    Ok(Knowledge { source: source.to_owned(), ..Knowledge::default() })
}

/// Proves names, formulas and examples against a schema; empty means all agree.
pub fn drift(_knowledge: &Knowledge, _catalog: &Catalog) -> Vec<Drift> {
    Vec::new()
}

/// Finds the knowledge file beside a database file.
pub fn beside(database: &Path) -> Option<std::path::PathBuf> {
    let mut name = database.file_name()?.to_owned();
    name.push(".knowledge.toml");
    let path = database.with_file_name(name);
    path.is_file().then_some(path)
}
