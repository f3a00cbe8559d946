//! What a question wants: intent, kinds, complexity, and the ties from its words to the schema.
//!
//! What belongs here: reading words against facts, with evidence. What must never come: SQL, or
//! the choice of what a model is told. To add a kind's word: one entry in `kinds`.

mod ambiguity;
mod intent;
mod kinds;
mod link;

use crate::domain::{Facts, Question, Understanding};
use crate::search::{Index, tokenise};

/// Understands a question by the facts of its database.
pub fn understand(question: &Question, facts: &Facts) -> Understanding {
    let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
    understand_with(question, facts, &index)
}

/// Understands a question by the facts of its database and their index, built before.
pub fn understand_with(question: &Question, facts: &Facts, index: &Index) -> Understanding {
    let tokens = tokenise(&question.text);
    let (links, unknown) = link::link(&question.text, &tokens, &facts.catalog, index);
    let (intent, intent_words) = intent::intent(&question.text, &tokens, &links);
    let kinds = kinds::kinds(&question.text, &tokens, &links);
    let (complexity, complexity_reason) = kinds::complexity(&tokens, &links, &kinds);
    let warnings = link::warnings(&question.text, &tokens, &links, &unknown, facts);
    let ambiguity = ambiguity::ambiguity(&question.text, &links, &facts.catalog);
    Understanding {
        intent,
        intent_words,
        kinds,
        complexity,
        complexity_reason,
        links,
        warnings,
        ambiguity,
    }
}

#[cfg(test)]
mod tests;
