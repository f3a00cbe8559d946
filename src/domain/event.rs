//! What happened in a run, recorded; and what is happening, shown but never recorded.

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::attempt::{Call, Check, Origin, Repair};
use super::failure::{Failure, Finding};
use super::links::Understanding;
use super::package::ContextPackage;
use super::pauses::{Estimate, Paused, Resumed};
use super::plan::Plan;
use super::question::Question;
use super::rows::Rows;
use super::run::{ResultId, RunId};

/// One recorded fact of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The run it belongs to.
    pub run: RunId,
    /// Microseconds since the question was asked.
    pub at_us: u64,
    /// The fact.
    pub happened: Happened,
}

/// What happened, in the past tense.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happened {
    /// A question came in.
    Asked {
        /// The question and its terms.
        question: Box<Question>,
        /// Database as named by the person.
        database: String,
        /// Where it is, the same for every spelling of its name; empty in older runs.
        #[serde(default)]
        place: String,
        /// Engine and its version, with `read-only`.
        engine: String,
        /// Model as `provider:name`.
        model: String,
        /// True when replies come from a script.
        scripted: bool,
        /// Where knowledge was read from; empty when there is none.
        knowledge: String,
    },
    /// The question was understood.
    Understood(Box<Understanding>),
    /// Facts were read.
    Gathered {
        /// Tables whose facts were read.
        tables: Vec<String>,
        /// What is missing or still measuring, in words.
        notes: Vec<String>,
        /// Microseconds it took.
        elapsed_us: u64,
    },
    /// A package was put together for the next draft.
    PackageReady(Box<ContextPackage>),
    /// A plan was made.
    Planned {
        /// Who made it.
        origin: Origin,
        /// The plan.
        plan: Box<Plan>,
    },
    /// SQL was written.
    Drafted {
        /// The attempt it opens.
        attempt: u32,
        /// Who wrote it.
        origin: Origin,
        /// The SQL, byte for byte.
        sql: String,
        /// The reply's prose, for the trace.
        note: String,
        /// The model calls it took.
        calls: Vec<Call>,
        /// True for the retry that a gate granted.
        semantic_retry: bool,
    },
    /// A version was checked before running.
    Checked {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// Stages, in order.
        checks: Vec<Check>,
        /// False when only the engine could read it.
        analysed: bool,
        /// What gates say.
        findings: Vec<Finding>,
        /// Why it didn't pass.
        failure: Option<Failure>,
    },
    /// The engine was asked what a version will cost to run.
    Estimated {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// What it says.
        estimate: Estimate,
    },
    /// The data was looked at to prove something.
    Probed {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// What was to be learned, the query, and what was found.
        probes: Vec<Probed>,
    },
    /// A version ran.
    Ran {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// Columns, first rows, and the count.
        rows: Rows,
        /// Microseconds in the engine.
        elapsed_us: u64,
    },
    /// A result was looked at.
    Reviewed {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// What gates say.
        findings: Vec<Finding>,
    },
    /// Something failed outside checking: the run of SQL, a model call, the connection.
    Failed {
        /// The attempt, if one is open.
        attempt: Option<u32>,
        /// Model calls made before failing.
        calls: Vec<Call>,
        /// Why.
        failure: Failure,
    },
    /// Repair looked at a failure and has words for the model, or abstained.
    Advised {
        /// The attempt.
        attempt: u32,
        /// The version, from 0.
        version: usize,
        /// What was tried here and why it abstained, or what the model shall be told.
        words: String,
    },
    /// A version was rewritten here.
    Rewritten {
        /// The attempt.
        attempt: u32,
        /// The new version, from 1.
        version: usize,
        /// Its text.
        sql: String,
        /// What was done.
        repair: Repair,
    },
    /// Nothing more happens to an attempt.
    AttemptClosed {
        /// The attempt.
        attempt: u32,
        /// How it ended, in words.
        outcome: String,
    },
    /// A further draft of the same question is wanted, to be held against the answer.
    Sampled {
        /// Which, from 2; the first is the answer itself.
        candidate: u32,
        /// Of how many.
        of: u32,
    },
    /// The results of all candidates were compared.
    Compared {
        /// Attempts that gave the same rows, biggest group first, each in order.
        groups: Vec<Vec<u32>>,
    },
    /// The chosen SQL, put into words, was held against the question.
    Judged(Box<Judgement>),
    /// The run waits for a person.
    Paused(Paused),
    /// The person decided.
    Resumed(Resumed),
    /// The route was changed.
    Escalated {
        /// From what to what, in words.
        words: String,
    },
    /// The chosen SQL was put into words.
    Explained {
        /// Exact plain English of the SQL.
        english: String,
    },
    /// The run ended. Always the last event.
    Answered(Box<Answer>),
}

/// What a judge says of SQL that was put into words. It only reports: it never writes SQL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether the words answer the question; none when the judge gave no usable verdict.
    pub agrees: Option<bool>,
    /// What differs, or why there is no verdict.
    pub words: String,
    /// The model calls it took.
    pub calls: Vec<Call>,
}

/// One look at the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// What was to be learned.
    pub purpose: String,
    /// The query.
    pub sql: String,
    /// What was found, in words.
    pub found: String,
}

/// What is happening right now. Shown live, never recorded, never decided on.
#[derive(Debug, Clone, PartialEq)]
pub enum Pulse {
    /// What the run is waiting for, in words.
    Waiting(String),
    /// A piece of a model's reply.
    Text(String),
    /// Rows read so far of a running statement, and where to read them.
    Rows {
        /// Where.
        result: ResultId,
        /// How many.
        count: u64,
    },
}
