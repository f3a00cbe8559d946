//! Decides the next step of a run from its transcript and what is spent. Pure.

use crate::domain::{
    Attempt, Failure, Intent, Origin, Paused, Stage, StopCode, Stops, Transcript, Version,
};
use crate::sql::sameness;

use super::agreement;
use super::budget::Spent;
use super::ending::Ending;

/// What shall be done next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Link the question's words.
    Understand,
    /// Read the facts of what was linked.
    Gather,
    /// Put the package of the next draft together.
    Package,
    /// Have SQL written.
    Draft {
        /// The retry that a gate granted.
        semantic_retry: bool,
    },
    /// Open an attempt with SQL that is there already: a person gave it while the run was paused, or
    /// undid what was made of it.
    Adopt {
        /// The SQL.
        sql: String,
        /// Who wrote it.
        origin: Origin,
    },
    /// Check the newest version.
    Check,
    /// Ask the engine what the newest version will cost.
    Estimate,
    /// Run the newest version.
    Run,
    /// Let the gates look at its rows.
    Review,
    /// Try to mend the newest version here.
    Mend,
    /// Nothing more happens to the attempt.
    Close {
        /// How it ended, in words.
        outcome: String,
    },
    /// Change the route.
    Escalate {
        /// From what to what, and why.
        words: String,
    },
    /// Have a further draft of the same question, to be held against the answer.
    Sample {
        /// Which, from 2.
        candidate: u32,
        /// Of how many.
        of: u32,
    },
    /// Compare the results of the candidates.
    Compare,
    /// Put the chosen SQL into words.
    Explain,
    /// Hold those words against the question.
    Judge,
    /// Wait for a person.
    Await(Paused),
    /// End the run.
    Answer(Ending),
    /// It has ended.
    Done,
}

/// Who writes the drafts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// A model: it can be told of errors.
    Model,
    /// The rules: the same question gives the same SQL.
    Rules,
    /// A person: only they change it.
    Person,
}

/// Decides the next step. `stops` are those in force now: they may change while the run goes on.
pub(super) fn next(t: &Transcript, spent: &Spent, writer: Writer, stops: Stops) -> Step {
    if t.answer.is_some() {
        return Step::Done;
    }
    if let Some(paused) = &t.pauses.stopped {
        return Step::Answer(Ending::StoppedAt(paused.clone()));
    }
    if let Some(paused) = &t.pauses.refused {
        return Step::Answer(Ending::Refused(paused.clone()));
    }
    if spent.out_of_time(t) {
        return in_haste(t).unwrap_or(Step::Answer(Ending::stopped(StopCode::Deadline)));
    }
    if let Some(paused) = waiting::at_failure(t, stops) {
        return Step::Await(paused);
    }
    let step = given(t, spent, writer).unwrap_or_else(|| decide(t, spent, writer));
    waiting::first(t, writer, stops, step)
}

fn decide(t: &Transcript, spent: &Spent, writer: Writer) -> Step {
    if let Some(step) = before_drafting(t, writer) {
        return step;
    }
    match t.attempt() {
        None => first_draft(t, writer),
        Some(attempt) if attempt.closed => after_attempt(t, attempt, spent, writer),
        Some(attempt) => within_attempt(t, attempt, writer),
    }
}

/// Does what a person gave while the run was paused; what was open then is set aside.
fn given(t: &Transcript, spent: &Spent, writer: Writer) -> Option<Step> {
    let open = t.attempt().is_some_and(|attempt| !attempt.closed);
    let aside = |why: &str| Step::Close { outcome: format!("set aside: {why}") };
    if let Some(sql) = &t.pauses.sql {
        return Some(if open {
            aside("SQL was given in its place")
        } else {
            Step::Adopt { sql: sql.clone(), origin: Origin::Person }
        });
    }
    if !t.pauses.redraft || writer == Writer::Person {
        return None;
    }
    match writer {
        // the rules draft from the question: the package is shown anew, the draft stays
        Writer::Rules | Writer::Person => (!t.pauses.package_is_new).then_some(Step::Package),
        Writer::Model if open => Some(aside("the context was changed")),
        Writer::Model if !t.pauses.package_is_new => Some(Step::Package),
        // a person's wish is no attempt of the run's own accord: only calls are bounded
        Writer::Model if spent.calls < t.question.options.max_calls => {
            Some(Step::Draft { semantic_retry: false })
        }
        Writer::Model => Some(Step::Answer(Ending::stopped(StopCode::Budget))),
    }
}

fn before_drafting(t: &Transcript, writer: Writer) -> Option<Step> {
    if !t.question.text.trim().is_empty() || writer != Writer::Person {
        let Some(understanding) = &t.understanding else { return Some(Step::Understand) };
        if writer != Writer::Person && t.attempts.is_empty() {
            match understanding.intent {
                Intent::Write => {
                    return Some(Step::Answer(Ending::stopped(StopCode::WriteRequest)));
                }
                Intent::OffTopic => return Some(Step::Answer(Ending::stopped(StopCode::OffTopic))),
                Intent::Vague => return Some(Step::Answer(Ending::Vague)),
                Intent::Read if understanding.ambiguity.is_some() => {
                    return Some(Step::Answer(Ending::Ambiguous));
                }
                Intent::Read => {}
            }
        }
    }
    t.gathered.is_none().then_some(Step::Gather)
}

fn first_draft(t: &Transcript, writer: Writer) -> Step {
    if let Some(failure) = t.failures.last() {
        return Step::Answer(Ending::of(failure));
    }
    if let Some(refusal) = t.question.refused.last().filter(|_| writer == Writer::Model) {
        return Step::Adopt { sql: refusal.sql.clone(), origin: Origin::Model };
    }
    if writer != Writer::Person && !t.pauses.package_is_new {
        return Step::Package;
    }
    Step::Draft { semantic_retry: false }
}

fn within_attempt(t: &Transcript, attempt: &Attempt, writer: Writer) -> Step {
    let version = attempt.last();
    if version.checks.is_empty() {
        return Step::Check;
    }
    if let Some(failure) = &version.failure {
        return if may_mend(t, attempt, failure, writer) {
            Step::Mend
        } else {
            Step::Close { outcome: format!("failed at {}", failure.stage.name()) }
        };
    }
    if version.blocked() {
        return Step::Close { outcome: "blocked by a gate".to_owned() };
    }
    if version.rows.is_none() {
        return Step::Run;
    }
    if !version.reviewed {
        return Step::Review;
    }
    Step::Close { outcome: "stands".to_owned() }
}

fn may_mend(t: &Transcript, attempt: &Attempt, failure: &Failure, writer: Writer) -> bool {
    let here = attempt.versions.len() - 1;
    let advised = t.advice.iter().any(|(n, version, _)| (*n, *version) == (attempt.n, here));
    let options = &t.question.options;
    let mendable = matches!(failure.stage, Stage::Parse | Stage::Bind | Stage::Prepare);
    mendable
        && failure.retryable
        && writer != Writer::Person
        && attempt.origin != Origin::Person
        && options.repair.local()
        && t.rewrites(attempt.n) < options.max_rewrites as usize
        && !advised
}

fn after_attempt(t: &Transcript, last: &Attempt, spent: &Spent, writer: Writer) -> Step {
    if t.sampling.is_some() {
        return Step::Draft { semantic_retry: false };
    }
    let can_draft =
        writer == Writer::Model && t.question.options.repair.model() && spent.allows_draft(t);
    if let Some((chosen, standing)) = standing(t) {
        let retry = standing.retryable() > 0
            && spent.semantic_retries == 0
            && chosen.origin != Origin::Person;
        let called = t.failures.is_empty() && !agreement::comparable(t) && t.groups.is_none();
        if retry && can_draft && called {
            return redraft(t, true);
        }
        return finish(t, spent, chosen, writer);
    }
    if let Some(failure) = t.failures.last() {
        return Step::Answer(Ending::of(failure));
    }
    if let Some(failure) = &last.last().failure
        && !failure.retryable
    {
        return Step::Answer(Ending::of(failure));
    }
    if repeats(t, last) {
        return without(t, writer, StopCode::NoProgress);
    }
    if can_draft { redraft(t, false) } else { without(t, writer, StopCode::Budget) }
}

/// Ends a run that has nothing to show, on another route where one leads on.
fn without(t: &Transcript, writer: Writer, code: StopCode) -> Step {
    if !t.escalations.is_empty() {
        return Step::Answer(Ending::AskedBack);
    }
    match escalation::escalation(t).filter(|_| writer == Writer::Model) {
        Some(route) => Step::Escalate { words: route.words },
        None => Step::Answer(Ending::stopped(code)),
    }
}

fn redraft(t: &Transcript, semantic_retry: bool) -> Step {
    if t.pauses.package_is_new { Step::Draft { semantic_retry } } else { Step::Package }
}

/// What is left once there is an answer: the lanes that were asked for, its words, the end.
fn finish(t: &Transcript, spent: &Spent, chosen: &Attempt, writer: Writer) -> Step {
    let wanted = (writer == Writer::Model).then(|| agreement::wanted(t, spent, chosen)).flatten();
    if let Some((candidate, of)) = wanted {
        return Step::Sample { candidate, of };
    }
    if agreement::comparable(t) {
        return Step::Compare;
    }
    if t.english.is_none() {
        return Step::Explain;
    }
    let options = &t.question.options;
    let judge = options.thorough
        && writer == Writer::Model
        && t.judgement.is_none()
        && spent.calls < options.max_calls
        && super::steps::has_case(t);
    if judge { Step::Judge } else { Step::Answer(Ending::Answered) }
}

/// Ends with the answer that stands when time is up in the optional lanes: they are evidence, and
/// their lack is no reason to take an answer away. None before they have begun.
fn in_haste(t: &Transcript) -> Option<Step> {
    lanes_begun(t).then(|| {
        if agreement::comparable(t) {
            Step::Compare
        } else if t.english.is_none() {
            Step::Explain
        } else {
            Step::Answer(Ending::Answered)
        }
    })
}

/// Tells whether an answer stands that the optional lanes look at.
pub(super) fn lanes_begun(t: &Transcript) -> bool {
    let begun = t.sampling.is_some()
        || t.english.is_some()
        || t.groups.is_some()
        || agreement::comparable(t);
    t.question.options.thorough && begun && standing(t).is_some()
}

/// Tells whether an attempt's draft is the same query as an earlier one, but for layout, letter
/// case and alias names.
pub(super) fn repeats(t: &Transcript, attempt: &Attempt) -> bool {
    let dialect = crate::domain::Dialect::default();
    let this = sameness::fingerprint(&attempt.drafted_sql, dialect);
    let earlier = t.attempts.iter().filter(|a| a.n < attempt.n);
    earlier
        .flat_map(|a| a.versions.iter())
        .any(|version| sameness::fingerprint(&version.sql, dialect) == this)
}

/// Finds the attempt that is the answer as things stand: the newest that stands, but the semantic
/// retry only if it has strictly fewer retryable findings than the one it would replace. A candidate
/// is it only once all were compared, and more agree with it.
pub(super) fn standing(t: &Transcript) -> Option<(&Attempt, &Version)> {
    let mut best: Option<&Attempt> = None;
    let own = t.attempts.iter().filter(|a| a.candidate.is_none());
    for attempt in own.filter(|a| a.closed && a.stands()) {
        let better = best.is_none_or(|former| {
            !attempt.semantic_retry || attempt.last().retryable() < former.last().retryable()
        });
        if better {
            best = Some(attempt);
        }
    }
    let agreed = match &t.groups {
        Some(groups) => best.map(|before| agreement::chosen(t, groups, before)),
        None => best,
    };
    agreed.map(|attempt| (attempt, attempt.last()))
}

pub(super) mod escalation;
mod waiting;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod waiting_tests;
