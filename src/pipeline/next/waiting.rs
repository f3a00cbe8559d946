//! Where a run waits for a person: breakpoints, and statements that want approval. Pure.

use crate::domain::counts::count;
use crate::domain::pauses::Lately;
use crate::domain::{Attempt, Origin, Paused, RunPolicy, StopAt, Stops, Transcript};

use super::{Step, Writer};

/// Waits at a failure that nothing was done about yet.
pub(super) fn at_failure(t: &Transcript, stops: Stops) -> Option<Paused> {
    let failed = stops.at_failure && t.pauses.lately == Lately::Failed;
    failed.then_some(Paused::Breakpoint { at: StopAt::AtFailure })
}

/// Puts what must come first before a step: a pause, or the estimate that a policy wants.
pub(super) fn first(t: &Transcript, writer: Writer, stops: Stops, step: Step) -> Step {
    if t.pauses.lately == Lately::Decided {
        return step;
    }
    if matches!(step, Step::Draft { .. }) && writer == Writer::Model && stops.before_call {
        return Step::Await(Paused::Breakpoint { at: StopAt::BeforeCall });
    }
    let Some(attempt) = t.attempt().filter(|_| step == Step::Run) else { return step };
    if stops.policy == RunPolicy::AskCostly && attempt.last().estimate.is_none() {
        return Step::Estimate;
    }
    if let Some(reason) = doubt(attempt, stops.policy, t.question.options.costly_rows) {
        return Step::Await(Paused::Approval { sql: attempt.last().sql.clone(), reason });
    }
    // who gives SQL at a pause has said that it shall run
    let given = t.pauses.given.contains(&attempt.n);
    if stops.before_run && !given {
        return Step::Await(Paused::Breakpoint { at: StopAt::BeforeRun });
    }
    step
}

/// Says why a statement wants approval, if it does.
fn doubt(attempt: &Attempt, policy: RunPolicy, bound: u64) -> Option<String> {
    match policy {
        RunPolicy::Auto => None,
        RunPolicy::AskCostly => {
            let estimate = attempt.last().estimate.as_ref()?;
            let costly = estimate.rows.is_some_and(|rows| rows > bound);
            costly.then(|| {
                let bound = count(bound, "row");
                format!(
                    "It is costly: {}, more than {bound} (budgets.costly_rows).",
                    estimate.words
                )
            })
        }
        // what the person typed was shown by being typed
        RunPolicy::Ask if attempt.origin == Origin::Person => None,
        RunPolicy::Ask => Some("Every statement is shown before it runs.".to_owned()),
    }
}
