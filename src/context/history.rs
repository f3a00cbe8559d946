//! The history component: past runs whose pair a person verified, similar first (S0-035, S0-037).

use crate::domain::{ComponentKind, Content, Example};

use super::Proposal;
use super::redact::redact_in;
use super::scene::Scene;
use super::selection::{Verdict, wanted};
use super::similar;

/// Most past runs (S0-066).
const MOST: usize = 10;

/// Proposes the most similar past runs; pairs of the knowledge file are not told twice.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    let facts = scene.request.facts;
    if facts.history.is_empty() {
        return Proposal::nothing("none verified yet");
    }
    let known = |pair: &Example| {
        let examples = &scene.knowledge.examples;
        examples.iter().any(|e| e.question == pair.question && e.sql == pair.sql)
    };
    let ranked = similar::ranked(scene, &facts.history);
    let pairs: Vec<Example> = ranked
        .into_iter()
        .filter(|(_, pair)| !known(pair))
        .take(MOST)
        .map(|(_, pair)| told(scene, pair))
        .collect();
    if pairs.is_empty() {
        return Proposal::nothing("all verified runs are among the examples");
    }
    // Every kind of question wants history (S0-050); a question always has a kind.
    let reason = wanted(scene, ComponentKind::History);
    let reason = reason.map_or("verified by a person", |_| "verified by a person, similar first");
    Proposal::new(Content::History(pairs), Verdict::is_in(reason))
}

/// Takes stored values out of a pair where the level keeps them here.
fn told(scene: &Scene<'_>, pair: &Example) -> Example {
    let told = |text: &str| redact_in(scene, text);
    Example { question: told(&pair.question), sql: told(&pair.sql), ..pair.clone() }
}
