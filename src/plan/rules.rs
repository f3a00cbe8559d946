//! The offline drafter: links → plan, by rules, no language model. It declines rather than guess.

use crate::domain::{Facts, Plan, Question, Understanding};

/// What the rules made of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruled {
    /// A plan, and what was understood, in words.
    Plan(Box<Plan>, String),
    /// No plan: why, and what to do, as sentences.
    Declined {
        /// Why.
        reason: String,
        /// What to do.
        hint: String,
    },
}

/// Draws a plan for a question.
pub fn draw(_question: &Question, _understanding: &Understanding, _facts: &Facts) -> Ruled {
    Ruled::Declined {
        reason: "the rules found no table for this question".to_owned(),
        hint: "Name a table or column, or set a model.".to_owned(),
    }
}
