//! What can be wrong with a query, as data with evidence.

use serde::{Deserialize, Serialize};

/// A range of bytes in a text: `start` inclusive, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Makes a span.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// Returns the spanned text, or an empty text when the span doesn't fit.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// Where on its way a query was when something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading the text in the database's dialect, and proving that it only reads.
    Parse,
    /// Binding every name to the catalog.
    Bind,
    /// The engine's own prepare or EXPLAIN.
    Prepare,
    /// Execution.
    Run,
    /// A limit of time or rows.
    Limit,
    /// A policy of ours: read only, privacy, approval.
    Policy,
    /// The model's reply or the way to it.
    Model,
    /// The connection to the database.
    Connection,
}

impl Stage {
    /// Returns the stage's name as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Bind => "bind",
            Stage::Prepare => "prepare",
            Stage::Run => "run",
            Stage::Limit => "limit",
            Stage::Policy => "policy",
            Stage::Model => "model",
            Stage::Connection => "connection",
        }
    }
}

/// One thing that is wrong at one place of a query's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Short stable name: `no_such_column`, `no_such_table`, `ambiguous_column`,
    /// `no_such_function`, `syntax_error`, `misuse_of_aggregate`, `foreign_syntax`,
    /// `multiple_statements`, `write`, `setop_column_mismatch`, `not_analysed`, …
    pub code: String,
    /// A sentence in the shape of a good compiler error, with the suggestion in it.
    pub message: String,
    /// Where, in bytes of the checked SQL.
    pub span: Option<Span>,
    /// Replacement texts for the span, best first.
    pub suggestions: Vec<String>,
}

/// A query that did not get through, and why. Data, never a panic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Where it stopped.
    pub stage: Stage,
    /// Everything that was found at that stage, in order of the text; never empty.
    pub diagnostics: Vec<Diagnostic>,
    /// False when retrying can't mend it: bad key, lost connection, policy, time-out.
    pub retryable: bool,
}

impl Failure {
    /// Makes a failure of one diagnostic without a place.
    pub fn new(stage: Stage, code: impl Into<String>, message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic {
            code: code.into(),
            message: message.into(),
            span: None,
            suggestions: Vec::new(),
        };
        let retryable =
            !matches!(stage, Stage::Policy | Stage::Connection | Stage::Model | Stage::Limit);
        Failure { stage, diagnostics: vec![diagnostic], retryable }
    }

    /// Returns the first diagnostic's code.
    pub fn code(&self) -> &str {
        self.diagnostics.first().map_or("unknown", |d| d.code.as_str())
    }

    /// Returns all messages, one a line; one that holds at several places is said once.
    pub fn message(&self) -> String {
        let mut lines: Vec<&str> = Vec::new();
        for diagnostic in &self.diagnostics {
            if !lines.contains(&diagnostic.message.as_str()) {
                lines.push(&diagnostic.message);
            }
        }
        lines.join("\n")
    }

    /// Returns the first known place.
    pub fn span(&self) -> Option<Span> {
        self.diagnostics.iter().find_map(|d| d.span)
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Costs trust.
    Warning,
    /// Never becomes an answer.
    Blocking,
}

/// What a gate says about a query that runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the gate: `integer_division`, `fan_out`, `ungrounded_literal`, …
    pub gate: String,
    /// Weight.
    pub severity: Severity,
    /// A sentence for the analyst.
    pub message: String,
    /// What shows it: the text, figures or values that were compared.
    pub evidence: String,
    /// True when it may grant the one semantic retry.
    pub retryable: bool,
    /// What to tell the model in that retry.
    pub hint: Option<String>,
    /// Where in the checked SQL.
    pub span: Option<Span>,
    /// The query rewritten so that the finding is gone, where that can be proved.
    pub rewrite: Option<String>,
}

/// A bounded, read-only look at the data that a gate, repair or link wants before it decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Who asks: the gate's or repair's name.
    pub asked_by: String,
    /// What is to be learned, in words.
    pub purpose: String,
    /// A query of one statement that only reads and returns few rows.
    pub sql: String,
}

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeAnswer {
    /// The probe.
    pub probe: Probe,
    /// Its rows; none when it failed or ran out of time.
    pub rows: Option<super::rows::Rows>,
}
