//! The examples component: verified pairs of the knowledge file, the most similar (S0-027, S0-028).

use crate::domain::{ComponentKind, Content, Example};

use super::Proposal;
use super::scene::Scene;
use super::selection::{Verdict, wanted};
use super::similar;

/// Most examples (S0-066).
const MOST: usize = 3;

/// Likeness below which a pair says nothing about the question.
const LEAST: f32 = 0.48;

/// How much less alike than the best another pair may be.
const BEHIND: f32 = 0.1;

/// Proposes the most similar pairs.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    let all = &scene.knowledge.examples;
    if all.is_empty() {
        return Proposal::nothing("none verified yet");
    }
    let ranked = similar::ranked(scene, all);
    let best = ranked.first().map_or(0.0, |(score, _)| *score);
    // beside one that asks nearly the same others only take room
    let most = if best < similar::NEARLY_THE_SAME { MOST } else { 1 };
    let near = ranked.iter().filter(|(score, _)| *score >= LEAST.max(best - BEHIND)).take(most);
    let mut pairs: Vec<Example> = near.map(|(_, pair)| (*pair).clone()).collect();
    if pairs.is_empty() && !scene.request.errors.is_empty() {
        // after a failure how a query is written here is worth a look, whatever it asks
        pairs.extend(ranked.first().map(|(_, pair)| (*pair).clone()));
    }
    if pairs.is_empty() {
        return Proposal::nothing("no verified pair is like the question");
    }
    let verdict = if let Some(reason) = wanted(scene, ComponentKind::Examples) {
        Verdict::is_in(reason)
    } else if !scene.request.errors.is_empty() {
        Verdict::is_in("an attempt failed")
    } else if best >= similar::NEARLY_THE_SAME {
        Verdict::is_in("one asks nearly the same")
    } else {
        Verdict::Out("a simple filter needs none".to_owned())
    };
    Proposal::new(Content::Examples(pairs), verdict)
}
