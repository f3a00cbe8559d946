//! How a run ends. There is no field for repair prose, on purpose (S1-002).

use serde::{Deserialize, Serialize};

/// The five endings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A table, with its trust stated.
    Answered,
    /// A question back.
    Clarify,
    /// Not answered, for a reason known before or by the model.
    Declined,
    /// Tried and failed.
    GaveUp,
    /// Stopped by a person.
    Cancelled,
}

impl Status {
    /// Returns the status as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Answered => "answered",
            Status::Clarify => "clarify",
            Status::Declined => "declined",
            Status::GaveUp => "gave_up",
            Status::Cancelled => "cancelled",
        }
    }
}

/// How far an answer can be trusted. A machine never grants `certified` to its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Equals a pair that a person verified, or is compiled from approved metrics.
    Certified,
    /// Every check passed; every name and literal proved from catalog or data.
    Grounded,
    /// Runs, but something is open; the reasons are listed.
    NeedsReview,
}

impl Trust {
    /// Returns the trust as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Trust::Certified => "certified",
            Trust::Grounded => "grounded",
            Trust::NeedsReview => "needs_review",
        }
    }
}

/// Why a run was declined or given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopCode {
    /// Attempts or calls are used up.
    Budget,
    /// The same SQL came again.
    NoProgress,
    /// Time is up, or a statement's time-out ended the run.
    Deadline,
    /// The model can't be reached, or its replies can't be used.
    Model,
    /// A policy of ours or the person's refusal.
    Policy,
    /// The question asks to change data.
    WriteRequest,
    /// The question isn't about this database.
    OffTopic,
    /// Nothing in the database fits the question.
    Ungrounded,
    /// The database can't be read.
    Database,
}

impl StopCode {
    /// Returns the code as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            StopCode::Budget => "budget",
            StopCode::NoProgress => "no_progress",
            StopCode::Deadline => "deadline",
            StopCode::Model => "model",
            StopCode::Policy => "policy",
            StopCode::WriteRequest => "write_request",
            StopCode::OffTopic => "off_topic",
            StopCode::Ungrounded => "ungrounded",
            StopCode::Database => "database",
        }
    }
}

/// Why, in words, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Which kind.
    pub code: StopCode,
    /// What happened, as a sentence with the errors in it.
    pub message: String,
    /// What to do next, as a sentence.
    pub hint: String,
}

/// A question back with concrete choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clarify {
    /// The question.
    pub question: String,
    /// Rewordings of the person's question, one for each reading.
    pub choices: Vec<String>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Which ending.
    pub status: Status,
    /// Set when declined or given up.
    pub stop: Option<Stop>,
    /// Set when asked back.
    pub clarify: Option<Clarify>,
    /// Set when answered.
    pub trust: Option<Trust>,
    /// What the trust rests on, or what is open.
    pub reasons: Vec<String>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// One paragraph in which every number is a cell of the result.
    pub summary: String,
    /// The attempt and version (from 0) that is the answer.
    pub chosen: Option<(u32, usize)>,
}
