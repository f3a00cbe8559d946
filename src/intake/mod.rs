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
use crate::domain::{
    Facts, Knowledge, Link, LinkTarget, Match, Metric, Question, Span, Understanding,
};
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
    let related = related(question, &tokens, (&links, &hints), &facts.knowledge, index);
    let (intent, intent_words) = intent::intent(&question.text, &tokens, &links, &related);
    let kinds = kinds::kinds(&question.text, &tokens, &links, &related.anchors);
    let (complexity, complexity_reason) = kinds::complexity(&tokens, &links, &kinds);
    let unknown = link::unnamed(&tokens, &unknown, &related);
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
        unknown,
        warnings,
        ambiguity,
    }
}

/// Ranks the catalog by the question's words and those of the hint given with it, with the links and
/// hints that were found.
fn related(
    question: &Question,
    tokens: &[Token],
    (links, hints): (&[Link], &[Link]),
    knowledge: &Knowledge,
    index: &Index,
) -> Related {
    let covers = |link: &Link, token: &Token| {
        link.span.start <= token.span.start && token.span.end <= link.span.end
    };
    let part = |link: &&Link, token: &Token| {
        link.score >= 0.9 && link.span != token.span && covers(link, token)
    };
    let steers =
        |token: &Token| kinds::steers(&token.stem) && !links.iter().any(|link| part(&link, token));
    // what a metric is called says which metric, and that says which tables
    let metrics: Vec<(&Link, &Metric)> =
        links.iter().filter_map(|l| metric(l, knowledge)).collect();
    let of_metric = |token: &Token| metrics.iter().any(|(link, _)| covers(link, token));
    let needed: Vec<String> = metrics.iter().flat_map(|(_, m)| m.tables.iter().cloned()).collect();
    let own = tokens.iter().filter(|token| !steers(token) && !of_metric(token));
    let mut tokens: Vec<Token> = own.cloned().collect();
    tokens.extend(question.evidence.iter().flat_map(|evidence| tokenise(evidence)).map(|token| {
        // beyond the question, so that no link of the question holds it
        let by = question.text.len();
        let span = Span::new(token.span.start + by, token.span.end + by);
        Token { span, ..token }
    }));
    let links: Vec<Link> = links.iter().chain(hints).cloned().collect();
    index.rank(&tokens, &links, &needed)
}

/// Finds the metric that a link surely names.
fn metric<'a>(link: &'a Link, knowledge: &'a Knowledge) -> Option<(&'a Link, &'a Metric)> {
    match &link.target {
        LinkTarget::Metric(name) if link.how < Match::Part => {
            Some((link, knowledge.metrics.iter().find(|metric| metric.name == *name)?))
        }
        LinkTarget::Metric(_)
        | LinkTarget::Table(_)
        | LinkTarget::Column(_)
        | LinkTarget::Value { .. } => None,
    }
}

#[cfg(test)]
mod tests;
