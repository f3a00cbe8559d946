//! Everything that reaches the workbench: plain data, so that it can be logged, stored and compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chart::Sheet;
use crate::domain::{
    Catalog, ColumnStats, ColumnSummary, ContextPackage, EnginePlan, Event, Find, Ledger, ResultId,
    RunId, Switches, View,
};
use crate::pipeline::{CheckReport, Completion, Exported, Header, Listed, Page, StoredRun, Told};
use crate::sql::complete::Offers;

use super::drafts::Draft;
use super::effect::Terms;
use super::keymap::Press;
use super::theme::Paint;

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// Milliseconds since the start; comes before every batch of messages.
    Clock(u64),
    /// A key.
    Key(Press),
    /// A pasted text.
    Paste(String),
    /// The mouse at a cell.
    Mouse(Mouse, u16, u16),
    /// The terminal's size, columns and rows.
    Size(u16, u16),
    /// Database and model are open.
    Opened(Box<Opened>),
    /// They can't be opened: what, and what to do.
    NotOpened(String, String),
    /// A run began.
    Started(RunId),
    /// A run tells something.
    Told(Told),
    /// A run's channel closed.
    Ended(RunId),
    /// Rows of a result, or nothing when they are no longer kept.
    Page(ResultId, Option<Page>),
    /// Rows to be charted, or nothing when they are no longer kept.
    ChartRows(ResultId, Option<Arc<Sheet>>),
    /// There is a file where a chart was to be saved.
    ChartExists(String),
    /// A result was sorted and filtered: the result with this view, or a sentence.
    Arranged(ResultId, View, Result<ResultId, String>),
    /// Where a text was found in a result, if anywhere.
    Found(ResultId, Find, Option<(u64, usize)>),
    /// Figures of a column; none when its rows are no longer kept.
    Summarized(ResultId, usize, Option<Box<ColumnSummary>>),
    /// What an export tells.
    Exported(ResultId, Exported),
    /// The text of a part of a result to be copied, and what it is in words.
    CopyText(String, String),
    /// A text was copied: by these ways, in words.
    Copied(String),
    /// Names that could stand at the cursor.
    Completions(Vec<Completion>),
    /// What could stand at the cursor in SQL, for a state of its text.
    SqlOffers(u64, Offers),
    /// How the engine would run SQL, or why it can't, as a sentence.
    Explained(String, Result<EnginePlan, String>),
    /// The package that a question would get: its text and switches, and the package.
    Previewed((String, Switches), Box<ContextPackage>),
    /// What was measured of a table's columns.
    Measured(String, Vec<ColumnStats>),
    /// What checking typed SQL found.
    Checked(Box<CheckReport>),
    /// SQL with its colours.
    Coloured(Colours),
    /// Past runs, newest first.
    Runs(Vec<StoredRun>),
    /// What repairs and gates did, or why it can't be told.
    Ledger(Result<Ledger, String>),
    /// A stored run.
    Replayed(Vec<Event>),
    /// A stored run, to be compared.
    Fetched(Vec<Event>),
    /// A stored run can't be read: why.
    NotFetched(String),
    /// A run was rated or verified.
    Judged(Judged),
    /// Where knowledge disagrees with the schema as it is now, as sentences.
    Drifted(Vec<String>),
    /// The catalog was read again.
    Refreshed(Arc<Catalog>),
    /// Texts that were kept for the database that is open.
    Drafts(Vec<Draft>),
    /// Something was done.
    Done(String),
    /// Something failed.
    Trouble(String),
}

/// A person's word on a run, as it was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The run.
    pub run: RunId,
    /// What they said of it.
    pub how: Verdict,
}

/// What a person says of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is good, or bad.
    Rated(bool),
    /// Its pair is verified, or no longer.
    Verified(bool),
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// The left button went down.
    Press,
    /// The mouse moved with the left button down.
    Drag,
    /// The left button came up.
    Release,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
}

/// What opening found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Opened {
    /// What the header shows.
    pub header: Header,
    /// Structure.
    pub catalog: Arc<Catalog>,
    /// Example questions.
    pub examples: Vec<String>,
    /// Models to choose from.
    pub models: Vec<Listed>,
    /// What was asked to be opened.
    pub terms: Terms,
}

/// The colours of SQL, by line of text: ends of pieces in bytes, with their paint.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Colours {
    /// The text and the theme they were made for.
    pub of: (String, String),
    /// Pieces of each line.
    pub lines: BTreeMap<String, Vec<(usize, Paint)>>,
}
