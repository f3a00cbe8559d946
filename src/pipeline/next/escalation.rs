//! When the route of a run is changed, and to what: the map. Pure.
//!
//! A run is escalated once, and only where the same route can't get further: drafting again helps
//! against a wrong name that has a right one, not against a thing that the database doesn't hold.

use crate::domain::{Clarify, Failure, Stage, Transcript};

/// Choices at most.
const CHOICES: usize = 4;

/// A change of route.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pipeline) struct Escalation {
    /// From what to what, and why.
    pub words: String,
    /// What is asked back.
    pub clarify: Clarify,
}

/// Looks for the route on which a run that failed to draft goes on: from what can't be grounded to
/// asking back. None where drafting was the right route, or where there is nothing to choose from.
pub(in crate::pipeline) fn escalation(t: &Transcript) -> Option<Escalation> {
    let names_nothing = |failure: &Failure| failure.stage == Stage::Bind && ungrounded(failure);
    let mut failures = t.attempts.iter().map(|attempt| attempt.last().failure.as_ref());
    let all_unbound = failures.all(|failure| failure.is_some_and(|f| f.stage == Stage::Bind));
    let last = t.attempt()?.last().failure.as_ref()?;
    if !all_unbound || !names_nothing(last) {
        return None;
    }
    let understanding = t.understanding.as_ref()?;
    let span = understanding.unknown.first()?;
    let text = &t.question.text;
    let word = span.of(text);
    let known = understanding.tables();
    let related = understanding.related.tables.iter().map(|related| &related.table);
    let others = related.filter(|table| !known.contains(table)).take(CHOICES);
    let before = text.get(..span.start)?;
    let after = text.get(span.end..)?;
    let choices: Vec<String> = others.map(|table| format!("{before}{table}{after}")).collect();
    (choices.len() > 1).then(|| Escalation {
        words: format!(
            "from drafting to asking back: nothing in the database is called '{word}'"
        ),
        clarify: Clarify {
            question: format!(
                "Nothing in the database is called \"{word}\", and no draft found what else it is. Which of these do you mean?"
            ),
            choices,
        },
    })
}

/// Tells whether nothing in the catalog is close to a name that doesn't exist.
fn ungrounded(failure: &Failure) -> bool {
    failure.diagnostics.iter().any(|diagnostic| {
        let unknown = matches!(diagnostic.code.as_str(), "no_such_table" | "no_such_column");
        unknown && diagnostic.suggestions.is_empty()
    })
}
