//! One drafted text, its versions, and what became of each.

use serde::{Deserialize, Serialize};

use super::failure::{Failure, Finding, Stage};
use super::pauses::Estimate;
use super::plan::Plan;
use super::rows::Rows;
use super::run::{ResultId, RunId};

/// Who wrote a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A language model, or a script that plays one.
    Model,
    /// The offline drafter.
    Rules,
    /// Compiled from a plan.
    Plan,
    /// A person.
    Person,
    /// Put together from islands.
    Assembly,
}

impl Origin {
    /// Returns the origin's name as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Model => "model",
            Origin::Rules => "rules",
            Origin::Plan => "plan",
            Origin::Person => "person",
            Origin::Assembly => "assembly",
        }
    }
}

/// Tokens of one or more model calls, as the provider counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens of `input_tokens` that came from the provider's cache.
    pub cached_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cached_tokens += other.cached_tokens;
    }
}

/// One call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Model as asked for, `provider:name`.
    pub model: String,
    /// Hash of the request, the key of cassettes.
    pub request: String,
    /// The messages as sent: role and text.
    pub messages: Vec<(String, String)>,
    /// The reply as it came; empty when none came.
    pub reply: String,
    /// Tokens.
    pub usage: Usage,
    /// Microseconds from request to end of reply.
    pub elapsed_us: u64,
    /// Price in US dollars where the price table knows the model.
    pub cost: Option<f64>,
}

/// One passed or failed stage of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Which stage.
    pub stage: Stage,
    /// Passed.
    pub ok: bool,
    /// Microseconds it took.
    pub elapsed_us: u64,
}

/// A local rewrite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// Name of the repair: `unknown_name`, `wrong_table`, `foreign_cast`, …
    pub kind: String,
    /// The text it replaced.
    pub from: String,
    /// What stands there now.
    pub to: String,
    /// What proves it, in words.
    pub evidence: String,
}

/// A local rewrite that a person undid, to have a model write what they mean instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The run in which it was made.
    pub run: RunId,
    /// Its attempt there.
    pub attempt: u32,
    /// The version that it made, from 1.
    pub version: usize,
    /// The text before it: from here the model goes on.
    pub sql: String,
    /// What was done.
    pub repair: Repair,
}

/// One version of an attempt's SQL: as drafted, or after a local rewrite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Version {
    /// The text.
    pub sql: String,
    /// The rewrite that made it; none for the draft.
    pub repair: Option<Repair>,
    /// Stages passed or failed, in order.
    pub checks: Vec<Check>,
    /// False when our parser couldn't read what the engine prepares.
    pub analysed: bool,
    /// What gates say, before and after running.
    pub findings: Vec<Finding>,
    /// Why it didn't get through.
    pub failure: Option<Failure>,
    /// What the engine said it would cost, where it was asked.
    pub estimate: Option<Estimate>,
    /// Its rows, when it ran.
    pub rows: Option<Rows>,
    /// Where all of its rows can be read while the session lives.
    pub result: Option<ResultId>,
    /// Microseconds in the engine.
    pub run_us: u64,
    /// True once the gates have seen its rows.
    pub reviewed: bool,
}

impl Version {
    /// Tells whether a finding keeps it from being run or from being an answer.
    pub fn blocked(&self) -> bool {
        self.findings.iter().any(|f| f.severity == super::failure::Severity::Blocking)
    }

    /// Tells whether it ran and nothing blocks it.
    pub fn stands(&self) -> bool {
        self.failure.is_none() && self.rows.is_some() && !self.blocked()
    }

    /// Counts the findings that may grant the semantic retry.
    pub fn retryable(&self) -> usize {
        self.findings.iter().filter(|f| f.retryable).count()
    }
}

/// One drafted text and its versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// 1, 2, 3, …
    pub n: u32,
    /// Who wrote it.
    pub origin: Origin,
    /// The SQL as drafted, byte for byte.
    pub drafted_sql: String,
    /// The plan that came with it.
    pub plan: Option<Plan>,
    /// The reply's prose; shown in the trace only.
    pub repair_note: String,
    /// Calls it took.
    pub calls: Vec<Call>,
    /// True for the one retry that a gate granted.
    pub semantic_retry: bool,
    /// Which draft of the same question it is, from 2, when it was drafted beside an answer to be
    /// held against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<u32>,
    /// The draft and its rewrites; never empty.
    pub versions: Vec<Version>,
    /// When it was drafted and closed, in microseconds since the question.
    pub started_us: u64,
    /// Time of the last event that belongs to it.
    pub ended_us: u64,
    /// True once nothing more happens to it.
    pub closed: bool,
}

impl Attempt {
    /// Returns the version that was checked last.
    pub fn last(&self) -> &Version {
        match self.versions.last() {
            Some(version) => version,
            None => unreachable!("an attempt is made with its first version"),
        }
    }

    /// Tells whether its last version stands.
    pub fn stands(&self) -> bool {
        self.last().stands()
    }
}
