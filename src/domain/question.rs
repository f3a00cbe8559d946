//! What was asked, and under which terms.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::attempt::Refusal;
use super::package::{ComponentKind, Form};
use super::pauses::Stops;
use super::run::RunId;
use super::schema::ColumnRef;

/// What may leave this machine, errors and repairs included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Privacy {
    /// Names, types, comments, knowledge, the question's own words.
    Names,
    /// Also counts, null rates, number and date ranges, value lists up to 20 distinct.
    Stats,
    /// Also samples and stored spellings.
    Rows,
}

impl Privacy {
    /// Returns the level's name as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Privacy::Names => "names",
            Privacy::Stats => "stats",
            Privacy::Rows => "rows",
        }
    }
}

/// Which repair lanes are open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum RepairMode {
    /// No repair.
    None,
    /// Only rewrites made here.
    Local,
    /// Only the model.
    Model,
    /// Local first, then the model.
    #[default]
    Both,
}

impl RepairMode {
    /// Tells whether local rewrites may be made.
    pub fn local(self) -> bool {
        matches!(self, RepairMode::Local | RepairMode::Both)
    }

    /// Tells whether the model may be asked again.
    pub fn model(self) -> bool {
        matches!(self, RepairMode::Model | RepairMode::Both)
    }
}

/// Whether a question is answered in one draft or divided into islands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Decided by complexity.
    #[default]
    Auto,
    /// One draft.
    Single,
    /// Islands.
    Divided,
}

/// Budgets and terms of one run. Defaults are those of the product definition, P2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Attempts at most, 1 to 10.
    pub max_attempts: u32,
    /// Model calls at most.
    pub max_calls: u32,
    /// Local rewrites at most within each attempt.
    pub max_rewrites: u32,
    /// Milliseconds for one statement.
    pub timeout_ms: u64,
    /// Milliseconds for the whole run, not counted while paused.
    pub deadline_ms: u64,
    /// Package budget in tokens.
    pub tokens: u32,
    /// The form the package is told in.
    pub form: Form,
    /// Rows read at most; none means all.
    pub max_rows: Option<u64>,
    /// Rows that a statement may look at before it counts as costly, by the engine's estimate.
    pub costly_rows: u64,
    /// What may leave this machine.
    pub privacy: Privacy,
    /// Open repair lanes.
    pub repair: RepairMode,
    /// Single draft or islands.
    pub route: Route,
    /// Optional lanes on.
    pub thorough: bool,
    /// Drafts that are held against each other when the optional lanes are on, 1 to 7.
    pub candidates: u32,
    /// Where the run waits for a person.
    pub stops: Stops,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_attempts: 3,
            max_calls: 12,
            max_rewrites: 3,
            timeout_ms: 30_000,
            deadline_ms: 120_000,
            tokens: 6_000,
            form: Form::Text,
            max_rows: None,
            costly_rows: 10_000_000,
            privacy: Privacy::Rows,
            repair: RepairMode::Both,
            route: Route::Auto,
            thorough: false,
            candidates: 3,
            stops: Stops::default(),
        }
    }
}

/// What a person switched by hand; everything else follows the selection rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Switches {
    /// Components that must stay out.
    pub without: BTreeSet<ComponentKind>,
    /// Components that must be in where they have content.
    pub with: BTreeSet<ComponentKind>,
    /// Tables that must stay out of the package.
    pub without_tables: BTreeSet<String>,
    /// Tables that must be in.
    pub with_tables: BTreeSet<String>,
    /// Columns that must stay out, key columns too.
    pub without_columns: BTreeSet<ColumnRef>,
    /// Columns that must be in, and with them their table.
    pub with_columns: BTreeSet<ColumnRef>,
    /// The form of the package, where it isn't the configured one.
    pub form: Option<Form>,
}

impl Switches {
    /// Counts what is switched.
    pub fn count(&self) -> usize {
        let kinds = self.with.len() + self.without.len();
        let tables = self.with_tables.len() + self.without_tables.len();
        let columns = self.with_columns.len() + self.without_columns.len();
        kinds + tables + columns + usize::from(self.form.is_some())
    }

    /// Counts what is switched here and not there, or there and not here.
    pub fn differences(&self, other: &Switches) -> usize {
        let kinds = [(&self.without, &other.without), (&self.with, &other.with)];
        let tables = [
            (&self.without_tables, &other.without_tables),
            (&self.with_tables, &other.with_tables),
        ];
        let columns = [
            (&self.without_columns, &other.without_columns),
            (&self.with_columns, &other.with_columns),
        ];
        kinds.iter().map(|(one, two)| one.symmetric_difference(two).count()).sum::<usize>()
            + tables.iter().map(|(one, two)| one.symmetric_difference(two).count()).sum::<usize>()
            + columns.iter().map(|(one, two)| one.symmetric_difference(two).count()).sum::<usize>()
            + usize::from(self.form != other.form)
    }
}

/// A question, or SQL of one's own, with its terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Question {
    /// The words as typed; empty when only SQL was given.
    pub text: String,
    /// A hint given with the question; joins the business component for this run.
    pub evidence: Option<String>,
    /// SQL of the person's own: no model is asked, origin `person`.
    pub sql: Option<String>,
    /// Local date and time of asking, ISO 8601 with offset.
    pub asked_at: String,
    /// The run this one was made from, by a hand edit, a switch or a follow-up.
    pub parent: Option<RunId>,
    /// Question and SQL of the run that this one follows up, if any.
    pub follows: Option<(String, String)>,
    /// The id of a batch line.
    #[serde(default)]
    pub id: Option<String>,
    /// Local rewrites that a person refused in the runs before, the newest last: none of them is
    /// made again, and the run begins with the text before the newest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// What was switched by hand.
    pub switches: Switches,
    /// Budgets and terms.
    pub options: Options,
}

impl Question {
    /// Returns the form that the package is told in: switched by hand, else as configured.
    pub fn form(&self) -> Form {
        self.switches.form.unwrap_or(self.options.form)
    }
}
