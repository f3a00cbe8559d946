//! The opened edges, and everything a face may ask of them.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Config;
use crate::database::{DatabaseError, Page};
use crate::domain::{
    Catalog, ContextPackage, Diagnostic, Event, Finding, Knowledge, Privacy, Question, Repair,
    ResultId, RunId,
};
use crate::memory::{MemoryError, StoredRun};
use crate::model::{Listed, ModelError};

use super::run::Run;

/// What a session is opened with.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Database address; none means the config's.
    pub database: Option<String>,
    /// Model spec; none means the config's, then the environment's, then `rules`.
    pub model: Option<String>,
    /// Knowledge file; none means the one beside the database, then the config's.
    pub knowledge: Option<PathBuf>,
    /// Privacy level set by hand.
    pub privacy: Option<Privacy>,
    /// Settings.
    pub config: Arc<Config>,
}

/// Why a session can't be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The knowledge file.
    #[error(transparent)]
    Knowledge(#[from] crate::knowledge::KnowledgeError),
    /// Memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// What was asked for makes no sense.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What to do.
        hint: String,
    },
}

/// What the header line shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// Database as named.
    pub database: String,
    /// Engine and version.
    pub engine: String,
    /// Model as `provider:name`, or `rules`.
    pub model: String,
    /// Replies come from a script.
    pub scripted: bool,
    /// Prompts leave this machine.
    pub remote: bool,
    /// What may leave.
    pub privacy: Option<Privacy>,
    /// Where knowledge came from; empty when there is none.
    pub knowledge: String,
    /// Numbers of rules and metrics.
    pub rules: usize,
    /// Number of metrics.
    pub metrics: usize,
    /// What the person should know: memory can't be written, knowledge drifts, …
    pub notices: Vec<String>,
}

/// Something that can stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// What it is: `table`, `column of bookings`, `metric`.
    pub what: String,
}

/// SQL to be checked without running it.
#[derive(Debug, Clone, Default)]
pub struct CheckRequest {
    /// The SQL.
    pub sql: String,
    /// The question it shall answer, for the gates that need one.
    pub question: Option<String>,
    /// Whether gates and repairs may look at data.
    pub probe: bool,
    /// Whether local repair is tried.
    pub repair: bool,
}

/// What checking found.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// `ok`, `repaired` or `rejected`.
    pub status: &'static str,
    /// False when only the engine could read it.
    pub analysed: bool,
    /// The SQL last checked.
    pub sql: String,
    /// What was wrong with the SQL as given.
    pub diagnostics: Vec<Diagnostic>,
    /// Rewrites.
    pub repairs: Vec<Repair>,
    /// What gates say of the SQL last checked.
    pub findings: Vec<Finding>,
    /// Microseconds.
    pub elapsed_us: u64,
}

/// The opened edges. Shared by reference; every method may be called at any time.
pub struct Session {}

impl Session {
    /// Opens database, model, knowledge and memory.
    pub async fn open(_setup: Setup) -> Result<Self, SessionError> {
        Ok(Session {})
    }

    /// Returns what the header shows.
    pub fn header(&self) -> Header {
        Header::default()
    }

    /// Returns the catalog as last read.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::default()
    }

    /// Reads the catalog and statistics anew.
    pub async fn refresh(&self) -> Result<Arc<Catalog>, SessionError> {
        Ok(Arc::default())
    }

    /// Returns what people know of the database.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        Arc::default()
    }

    /// Lists five example questions of this database: from knowledge, else made from the catalog.
    pub fn example_questions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Completes the word before the cursor with names of tables, columns and metrics.
    pub fn complete(&self, _word: &str) -> Vec<Completion> {
        Vec::new()
    }

    /// Puts together the package that a question would get; no model is asked.
    pub async fn package(&self, _question: &Question) -> Result<ContextPackage, SessionError> {
        Err(SessionError::Usage { what: String::new(), hint: String::new() })
    }

    /// Checks SQL without running it.
    pub async fn check(&self, _request: &CheckRequest) -> Result<CheckReport, SessionError> {
        Err(SessionError::Usage { what: String::new(), hint: String::new() })
    }

    /// Starts a run: a question, or SQL of one's own (`Question::sql`).
    pub fn start(self: &Arc<Self>, _question: Question) -> Run {
        let (_, told) = tokio::sync::mpsc::channel(1);
        let (commands, _) = tokio::sync::mpsc::channel(1);
        Run { id: RunId::default(), told, commands, task: tokio::spawn(async {}) }
    }

    /// Reads rows of a result of this session, or those that a stored run kept.
    pub fn page(&self, _result: &ResultId, _range: Range<u64>) -> Option<Page> {
        None
    }

    /// Lists stored runs, newest first; `here` narrows to this database.
    pub async fn history(&self, _here: bool, _most: usize) -> Result<Vec<StoredRun>, SessionError> {
        Ok(Vec::new())
    }

    /// Reads a stored run's events; `run` may be the start of an id, or `last`.
    pub async fn replay(&self, _run: &str) -> Result<Vec<Event>, SessionError> {
        Ok(Vec::new())
    }

    /// Rates a run: `Some(true)` is `+`, `Some(false)` is `-`, `None` takes it back.
    pub async fn rate(&self, _run: &RunId, _good: Option<bool>) -> Result<(), SessionError> {
        Ok(())
    }

    /// Marks a run's pair verified by the configured person; `false` withdraws it.
    pub async fn verify(&self, _run: &RunId, _verified: bool) -> Result<(), SessionError> {
        Ok(())
    }

    /// Lists models that could be chosen.
    pub fn models(&self) -> Vec<Listed> {
        Vec::new()
    }
}
