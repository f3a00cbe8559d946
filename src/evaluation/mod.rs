//! Measuring: a set of questions with gold SQL goes through the real pipeline, and what came of it is
//! compared, counted, and laid beside what would have come without us.
//!
//! What belongs here: reading a set, asking its questions, comparing rows, saying which lane made an
//! answer right or wrong, adding up, and the report. What must never come: SQL rules, or a second
//! pipeline: what is measured is what a person gets.
//! To add a figure: a field of [`score::Score`], filled in `Score::of`, its line in `report`.
//!
//! **Invariant:** `suite`, `attribution`, `score`, `paired`, `settings` and `report` take
//! values and give values; `asking`, `judge`, `scoring` and `measure` wait.

mod asking;
pub mod attribution;
mod judge;
mod measure;
pub mod paired;
pub mod report;
pub mod score;
mod scoring;
mod settings;
pub mod suite;

pub use crate::pipeline::compare;
pub use measure::{Evaluation, Fatal, Measured, Progress, Subject, Terms, evaluate};
pub use settings::{Ablated, Setting};
pub use suite::{Narrow, Place, Suite, Unscored};
