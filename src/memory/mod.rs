//! Remembered runs: one embedded SQLite file per user.
//!
//! What belongs here: storing runs as event lines, ratings, verified pairs, and withdrawing them.
//! What must never come: deciding that something is right because it ran.

use std::path::Path;

use crate::domain::{Event, Example, RunId};

/// The opened memory. Methods block for milliseconds; the flow calls them off the event loop.
#[derive(Debug)]
pub struct Memory {}

/// Why memory can't be used. A run goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file can't be opened or written.
    #[error("memory at {path} can't be used: {what}")]
    File {
        /// The file.
        path: String,
        /// Why.
        what: String,
    },
    /// There is no such run.
    #[error("no run {0} is stored")]
    NoSuchRun(String),
    /// A stored run can't be read.
    #[error("run {run} can't be read: {what}")]
    Damaged {
        /// The run.
        run: String,
        /// Why.
        what: String,
    },
    /// The request makes no sense for this run.
    #[error("{0}")]
    Refused(String),
}

/// How much of a result is stored with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Store {
    /// Rows as the run kept them.
    #[default]
    Rows,
    /// Counts only.
    Counts,
    /// Neither.
    Nothing,
}

/// One stored run in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// The run.
    pub run: RunId,
    /// When it was asked, ISO 8601.
    pub asked_at: String,
    /// The database.
    pub database: String,
    /// The model.
    pub model: String,
    /// The question, or the SQL when there is none.
    pub question: String,
    /// Status as scripts read it.
    pub status: String,
    /// Trust as scripts read it, empty unless answered.
    pub trust: String,
    /// `+`, `-` or empty.
    pub rating: String,
    /// Who verified its pair; empty when nobody did.
    pub verified_by: String,
}

impl Memory {
    /// Opens or makes the file and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, MemoryError> {
        Err(MemoryError::File { path: path.display().to_string(), what: "not built".to_owned() })
    }

    /// Stores a finished run.
    pub fn store(&self, _events: &[Event]) -> Result<(), MemoryError> {
        Ok(())
    }

    /// Lists runs, newest first; `database` narrows.
    pub fn list(
        &self,
        _database: Option<&str>,
        _most: usize,
    ) -> Result<Vec<StoredRun>, MemoryError> {
        Ok(Vec::new())
    }

    /// Reads a run's events. `run` may be the start of an id, or `last`.
    pub fn load(&self, run: &str) -> Result<Vec<Event>, MemoryError> {
        Err(MemoryError::NoSuchRun(run.to_owned()))
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes the rating back.
    pub fn rate(&self, run: &str, _good: Option<bool>) -> Result<(), MemoryError> {
        Err(MemoryError::NoSuchRun(run.to_owned()))
    }

    /// Marks a run's question and SQL as verified by a named person.
    pub fn verify(&self, run: &str, _by: &str, _at: &str) -> Result<(), MemoryError> {
        Err(MemoryError::NoSuchRun(run.to_owned()))
    }

    /// Takes a verification back.
    pub fn withdraw(&self, run: &str) -> Result<(), MemoryError> {
        Err(MemoryError::NoSuchRun(run.to_owned()))
    }

    /// Lists verified pairs of a database, newest first.
    pub fn verified(&self, _database: &str) -> Result<Vec<Example>, MemoryError> {
        Ok(Vec::new())
    }
}
