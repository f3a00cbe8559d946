//! Where a run waits for a person, why it does, what they decided, and what is left of it.

use serde::{Deserialize, Serialize};

use super::question::Switches;

/// Which statements are shown to a person before they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum RunPolicy {
    /// None: what is proved to read only runs.
    #[default]
    Auto,
    /// Those that the engine's estimate calls costly.
    AskCostly,
    /// All that were not typed by the person.
    Ask,
}

impl RunPolicy {
    /// All policies, the most trusting first.
    pub const ALL: [RunPolicy; 3] = [RunPolicy::Auto, RunPolicy::AskCostly, RunPolicy::Ask];

    /// Returns the policy's name as people type it.
    pub fn name(self) -> &'static str {
        match self {
            RunPolicy::Auto => "auto",
            RunPolicy::AskCostly => "ask-costly",
            RunPolicy::Ask => "ask",
        }
    }
}

/// Where a run waits for a person: breakpoints, and the policy for statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Stops {
    /// Before each call of a model.
    pub before_call: bool,
    /// Before each run of SQL.
    pub before_run: bool,
    /// At each failure, before anything is done about it.
    pub at_failure: bool,
    /// Which statements want approval.
    pub policy: RunPolicy,
}

impl Stops {
    /// Tells whether a breakpoint is set.
    pub fn any(self) -> bool {
        self.before_call || self.before_run || self.at_failure
    }
}

/// The three places of a breakpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopAt {
    /// The package is ready; the model hasn't been asked.
    BeforeCall,
    /// The SQL is checked; it hasn't run.
    BeforeRun,
    /// Something failed; nothing was done about it.
    AtFailure,
}

impl StopAt {
    /// Says the place, to go after "paused" or "stopped".
    pub fn words(self) -> &'static str {
        match self {
            StopAt::BeforeCall => "before the model is asked",
            StopAt::BeforeRun => "before the SQL runs",
            StopAt::AtFailure => "at a failure",
        }
    }
}

/// Why a run waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Paused {
    /// A statement wants approval.
    Approval {
        /// The exact SQL.
        sql: String,
        /// Why it is asked.
        reason: String,
    },
    /// A breakpoint was set here.
    Breakpoint {
        /// Where.
        at: StopAt,
    },
}

impl Paused {
    /// Says where the run waits, to go after "paused".
    pub fn words(&self) -> &'static str {
        match self {
            Paused::Approval { .. } => "for approval of the SQL",
            Paused::Breakpoint { at } => at.words(),
        }
    }
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Resumed {
    /// Go on.
    Go,
    /// Stop here: the run is cancelled.
    Stop,
    /// The SQL that wants approval is not approved: a verdict on it, by a person or for want of one.
    Refuse,
    /// Go on with this SQL: it becomes an attempt of the person's, checked like any other.
    WithSql {
        /// The SQL.
        sql: String,
    },
    /// Go on with these switches: the package is put together again, and a model drafts from it.
    WithSwitches {
        /// All switches from now on.
        switches: Switches,
    },
}

/// What the engine says a statement will cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Estimate {
    /// Rows looked at, about; none where the engine tells nothing.
    pub rows: Option<u64>,
    /// How that comes about, in words.
    pub words: String,
}

/// What the last events mean for waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lately {
    /// Nothing that matters here.
    #[default]
    Nothing,
    /// Something failed, and nothing was done about it yet.
    Failed,
    /// A person has just decided: whatever comes next was waved through.
    Decided,
}

/// What pauses have left to be done, folded from events.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pauses {
    /// What the last events mean for waiting.
    pub lately: Lately,
    /// SQL that a person gave and that is no attempt yet.
    pub sql: Option<String>,
    /// A person changed the switches: the model shall draft from a new package.
    pub redraft: bool,
    /// The newest package has led to no draft yet.
    pub package_is_new: bool,
    /// Attempts whose SQL a person gave while the run was paused.
    pub given: Vec<u32>,
    /// Where a person stopped the run.
    pub stopped: Option<Paused>,
    /// Where the SQL was not approved.
    pub refused: Option<Paused>,
}
