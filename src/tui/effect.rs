//! What the workbench wants done outside itself: plain data, comparable, loggable.

use std::ops::Range;
use std::sync::Arc;

use crate::chart::Figure;
use crate::domain::{Find, Privacy, Question, ResultId, Resumed, RunId, Stops, View};
use crate::pipeline::Export;
use crate::render::table::TableForm;

use super::drafts::Draft;
use super::kept::Kept;

/// One wish to the outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Open database and model; answered by `Opened` or `NotOpened`.
    Open(Terms),
    /// Start a question; a former run is dropped.
    Ask(Box<Question>),
    /// Cancel the running question.
    Stop,
    /// Go on where the run waits.
    Resume(Resumed),
    /// Have the running question wait at these places from now on.
    Stops(Stops),
    /// Read rows; answered at once by `Page`.
    Page(ResultId, Range<u64>),
    /// Read rows to be charted; answered by `ChartRows`.
    ChartRows(ResultId),
    /// Write a chart into a file; answered by `Done`, `Trouble` or `ChartExists`.
    SaveChart {
        /// Where.
        path: String,
        /// What.
        figure: Arc<Figure>,
        /// A file that is there may be replaced.
        replace: bool,
    },
    /// Sort and filter a result; answered by `Arranged`. A later one replaces it.
    Arrange(ResultId, View),
    /// Stop sorting and filtering.
    StopArranging,
    /// Find a text in a result; answered by `Found`. A later one replaces it.
    Find(ResultId, Find),
    /// Stop finding.
    StopFinding,
    /// Sum a column up; answered by `Summarized`. A later one replaces it.
    Summarize(ResultId, usize),
    /// Stop summing up.
    StopSummarizing,
    /// Write a result into a file; told by `Exported`.
    Export(ResultId, Box<Export>),
    /// Stop writing; what was begun is removed.
    StopExport,
    /// Copy rows of a result as text; answered by `Done` or `Trouble`.
    CopyTable(Box<CopyTable>),
    /// Complete a word; answered at once by `Completions`.
    Complete(String),
    /// Find what could stand at a cursor in SQL; a later wish replaces it; answered by `SqlOffers`.
    CompleteSql {
        /// The text.
        sql: String,
        /// The cursor, in bytes.
        cursor: usize,
        /// Offers were asked for by a key.
        asked: bool,
        /// The state of the text.
        revision: u64,
    },
    /// Ask the engine how it would run SQL; answered by `Explained`.
    Explain(String),
    /// Stop asking the engine.
    StopExplaining,
    /// Put together the package a question would get, once the typing has paused; answered by
    /// `Previewed`. A later one replaces it.
    Preview(Box<Question>),
    /// Measure the columns of a table, once the cursor rests on it; answered by `Measured`.
    Measure(String),
    /// Check SQL once the typing has paused; a later check replaces it.
    Check {
        /// The text.
        sql: String,
        /// The question it shall answer.
        question: Option<String>,
    },
    /// Colour SQL; answered by `Coloured`.
    Colour {
        /// The text.
        sql: String,
        /// Name of the theme.
        theme: String,
    },
    /// List past runs of this database; answered by `Runs`.
    Runs,
    /// Count what repairs and gates did in past runs; answered by `Ledger`.
    Ledger,
    /// Read a stored run; answered by `Replayed`.
    Replay(RunId),
    /// Read a stored run to compare it; answered by `Fetched` or `NotFetched`.
    Fetch(RunId),
    /// Rate a run.
    Rate(RunId, bool),
    /// Mark a run's pair verified, or withdraw it.
    Verify(RunId, bool),
    /// Read the catalog again; answered by `Refreshed`.
    Refresh,
    /// Keep texts in progress over a crash, for the database that is open; none, keep nothing.
    KeepDrafts(Vec<Draft>),
    /// Read what was kept for a database, and keep for it from now on; answered by `Drafts`.
    ReadDrafts(String),
    /// Give the terminal back and stop, until the shell lets us go on.
    Suspend,
    /// Write down what is remembered, once no more changes come.
    Remember(Box<Kept>),
    /// Put a text into the terminal's clipboard.
    Copy(String),
    /// Draw all cells anew.
    Redraw,
}

/// Rows to copy as text.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyTable {
    /// The result.
    pub result: ResultId,
    /// Its rows, from 0.
    pub rows: Range<u64>,
    /// Its columns, in this order.
    pub columns: Vec<usize>,
    /// The form of the text.
    pub form: TableForm,
}

/// What is opened; what isn't said stays as it was at the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// Database address.
    pub database: Option<String>,
    /// Model as `provider:name`.
    pub model: Option<String>,
    /// Privacy level.
    pub privacy: Option<Privacy>,
}
