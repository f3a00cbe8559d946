//! The context package: which components a question needs, and what fits the budget.
//!
//! What belongs here: one file for each component, the table `COMPONENTS`, the budget. What must
//! never come: reading facts, or text that leaves without passing the privacy level.
//! To add a component: a file and a row.

use crate::domain::package::{ErrorNote, Form};
use crate::domain::{ContextPackage, Facts, Question, Understanding};

/// What a package is made from.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The question with its switches, budget and privacy level.
    pub question: &'a Question,
    /// What intake found.
    pub understanding: &'a Understanding,
    /// Facts.
    pub facts: &'a Facts,
    /// This run's errors so far, newest last.
    pub errors: &'a [ErrorNote],
    /// The form of the texts.
    pub form: Form,
    /// When, ISO 8601.
    pub generated_at: &'a str,
}

/// Puts a package together.
pub fn assemble(request: &Request<'_>) -> ContextPackage {
    ContextPackage {
        version: String::new(),
        generated_at: request.generated_at.to_owned(),
        components: Vec::new(),
        tokens: 0,
        budget: request.question.options.tokens,
        form: request.form,
        tables: Vec::new(),
        columns: Vec::new(),
        values: Vec::new(),
        join_path: Vec::new(),
        warnings: Vec::new(),
    }
}
