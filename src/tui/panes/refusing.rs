//! Refusing a repair: what was mended here is undone, and a model writes what is meant instead, in a
//! child run that begins where the repair was made.

use crate::domain::{Happened, Origin, Refusal, RepairMode};

use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::pause;

/// Fewest attempts of a run that goes on with the model: the text before the repair is one.
const ATTEMPTS: u32 = 2;

/// Returns the repair that the moment looked at is about: the one that made the version, or that
/// was made of the draft.
pub fn repair(app: &App) -> Option<Refusal> {
    let run = app.run.as_ref()?;
    let (attempt, at, version) = run.version()?;
    let at = if version.repair.is_some() { at } else { at + 1 };
    let repair = attempt.versions.get(at)?.repair.clone()?;
    let sql = attempt.versions.get(at.checked_sub(1)?)?.sql.clone();
    Some(Refusal { run: run.id().clone(), attempt: attempt.n, version: at, sql, repair })
}

/// Says why no repair can be refused now; nothing when one can.
pub fn why_not(app: &App) -> Option<&'static str> {
    let Some(refusal) = repair(app) else { return Some("No repair was made here.") };
    if app.running() && pause::paused(app).is_none() {
        return Some("The run goes on: a repair can be refused once it has ended.");
    }
    let of_model = app.run.as_ref().is_some_and(|run| {
        let mut attempts = run.live.attempts.iter();
        attempts.any(|a| a.n == refusal.attempt && a.origin == Origin::Model)
    });
    let modelless = app.header.model == "rules" || !of_model;
    modelless.then_some("No model is set that could write it instead: edit the SQL by hand.")
}

/// Tells whether the event looked at is a repair.
pub fn at_repair(app: &App) -> bool {
    let event = app.run.as_ref().and_then(|run| run.events.get(run.at()?));
    event.is_some_and(|event| matches!(event.happened, Happened::Rewritten { .. }))
}

/// Undoes the repair looked at and goes on with the model. A run that waits is stopped first.
pub fn refuse(app: &mut App) -> Vec<Effect> {
    if let Some(why) = why_not(app) {
        app.say(why, Tone::Trouble);
        return Vec::new();
    }
    let Some(refusal) = repair(app) else { return Vec::new() };
    let Some(former) = app.run.as_ref().map(|run| run.live.question.clone()) else {
        return Vec::new();
    };
    let words = format!(
        "Refused {} → {}: the model is asked instead.",
        refusal.repair.from, refusal.repair.to
    );
    let mut question = app.made(&former.text, None, Some(refusal.run.clone()));
    question.evidence = former.evidence;
    question.follows = former.follows;
    question.refused = former.refused;
    question.refused.push(refusal);
    // whoever refuses a repair asks for the model
    if !question.options.repair.model() {
        question.options.repair = RepairMode::Both;
    }
    question.options.max_attempts = question.options.max_attempts.max(ATTEMPTS);
    let mut effects = pause::stop(app);
    let waits = app.running();
    effects.extend(app.ask(question));
    if !waits {
        app.say(words, Tone::Done);
    }
    effects
}
