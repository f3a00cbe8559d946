//! What a question wants: intent, kinds, complexity, and the ties from its words to the schema.
//!
//! What belongs here: reading words against facts, with evidence. What must never come: SQL, or
//! the choice of what a model is told. To add a kind's word: one entry in `kinds`.

mod ambiguity;
mod hints;
mod intent;
mod kinds;
mod link;

use crate::domain::links::Related;
use crate::domain::{Facts, Link, Question, Span, Understanding};
use crate::search::{Index, Token, tokenise};

/// Understands a question by the facts of its database.
pub fn understand(question: &Question, facts: &Facts) -> Understanding {
    let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
    understand_with(question, facts, &index)
}

/// Understands a question by the facts of its database and their index, built before.
pub fn understand_with(question: &Question, facts: &Facts, index: &Index) -> Understanding {
    let tokens = tokenise(&question.text);
    let (links, unknown) = link::link(&question.text, &tokens, index);
    let hints = hints::hints(question, &tokens, &links, &unknown, index);
    let related = related(question, &tokens, &links, &hints, index);
    let (intent, intent_words) = intent::intent(&question.text, &tokens, &links, &related);
    let kinds = kinds::kinds(&question.text, &tokens, &links, &related.anchors);
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
        hints,
        related,
        warnings,
        ambiguity,
    }
}

/// Ranks the catalog by the question's words and those of the hint given with it.
fn related(
    question: &Question,
    tokens: &[Token],
    links: &[Link],
    hints: &[Link],
    index: &Index,
) -> Related {
    let part = |link: &&Link, token: &Token| {
        link.score >= 0.9
            && link.span != token.span
            && link.span.start <= token.span.start
            && token.span.end <= link.span.end
    };
    let steers =
        |token: &&Token| kinds::steers(&token.stem) && !links.iter().any(|link| part(&link, token));
    let mut tokens: Vec<Token> = tokens.iter().filter(|token| !steers(token)).cloned().collect();
    tokens.extend(question.evidence.iter().flat_map(|evidence| tokenise(evidence)).map(|token| {
        // beyond the question, so that no link of the question holds it
        let by = question.text.len();
        let span = Span::new(token.span.start + by, token.span.end + by);
        Token { span, ..token }
    }));
    let links: Vec<Link> = links.iter().chain(hints).cloned().collect();
    index.rank(&tokens, &links)
}

#[cfg(test)]
mod tests;
