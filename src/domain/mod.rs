//! The words of the product: plain values that every floor above speaks in.
//!
//! What belongs here: types that name a thing an analyst or the pipeline talks about, with the
//! small pure methods that keep them true. What must never come: I/O, clocks, async, other crates
//! than `serde`'s derives, or a type that only one module needs.
//! To add one: a file named after the noun, its types, one line in the list below.
//!
//! **Invariant:** nothing here imports another module of this crate.

pub mod answer;
pub mod attempt;
pub mod cell;
pub mod counts;
pub mod engine_plan;
pub mod event;
pub mod facts;
pub mod failure;
pub mod knowledge;
pub mod ledger;
pub mod links;
pub mod package;
pub mod pauses;
pub mod plan;
pub mod prompt;
pub mod question;
pub mod rows;
pub mod run;
pub mod schema;
pub mod secret;
pub mod summary;
pub mod tokens;
pub mod transcript;
pub mod units;
pub mod view;

pub use answer::{Answer, Clarify, Status, Stop, StopCode, Trust};
pub use attempt::{Attempt, Call, Check, Origin, Refusal, Repair, Usage, Version};
pub use cell::Cell;
pub use engine_plan::{Access, EnginePlan, EngineStep};
pub use event::{Event, Happened, Pulse};
pub use facts::{ColumnStats, Facts, LookedUp, Reach, Sample, Texts, ValueList, ValuePlaces};
pub use failure::{Diagnostic, Failure, Finding, Probe, ProbeAnswer, Severity, Span, Stage};
pub use knowledge::{Example, Knowledge, Metric};
pub use ledger::Ledger;
pub use links::{Complexity, Intent, Link, LinkTarget, Match, QuestionKind, Understanding};
pub use package::{Component, ComponentKind, Content, ContextPackage, Tier};
pub use pauses::{Estimate, Paused, Resumed, RunPolicy, StopAt, Stops};
pub use plan::{Plan, Reading};
pub use prompt::{Prompt, Role, Turn};
pub use question::{Options, Privacy, Question, RepairMode, Route, Switches};
pub use rows::{ResultColumn, Rows, Value};
pub use run::{ResultId, RunId};
pub use schema::{Catalog, Column, ColumnKind, ColumnRef, Dialect, ForeignKey, Table};
pub use secret::Secret;
pub use summary::{ColumnSummary, Histogram, Lengths};
pub use transcript::Transcript;
pub use view::{Condition, Find, SortKey, Test, View};
