//! What a question wants: intent, kinds, complexity, and the ties from its words to the schema.
//!
//! What belongs here: reading words against facts, with evidence. What must never come: SQL, or
//! the choice of what a model is told.

use crate::domain::{Complexity, Facts, Intent, Question, QuestionKind, Understanding};

/// Understands a question by the facts of its database.
pub fn understand(_question: &Question, _facts: &Facts) -> Understanding {
    Understanding {
        intent: Intent::Read,
        intent_words: String::new(),
        kinds: vec![(QuestionKind::SimpleFilter, String::new())],
        complexity: Complexity::Simple,
        complexity_reason: String::new(),
        links: Vec::new(),
        warnings: Vec::new(),
        ambiguity: None,
    }
}
