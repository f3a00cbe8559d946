//! The acting half of the flow: each file does one step and tells what happened.
//!
//! What belongs here: waiting for edges, calling the pure modules, telling events. What must never
//! come: deciding what comes next; that is `next`.
//! To add a step: a variant of `Step`, a file, a row in `take`. `sent` is no step: it holds what of a
//! run may be sent again.

use crate::domain::Happened;

use super::ask::Flow;
use super::next::Step;

mod check;
mod draft;
mod estimate;
mod execute;
mod gather;
mod judge;
mod mend;
mod sent;

pub(super) use check::{Checked, Looked, examine, preview};
pub(super) use judge::has_case;

/// Does one step.
pub(super) async fn take(flow: &mut Flow, step: Step) {
    match step {
        Step::Understand => gather::understand(flow).await,
        Step::Gather => gather::gather(flow).await,
        Step::Package => gather::package(flow).await,
        Step::Draft { semantic_retry } => draft::draft(flow, semantic_retry).await,
        Step::Adopt { sql, origin } => draft::adopt(flow, sql, origin).await,
        Step::Check => check::check(flow).await,
        Step::Estimate => estimate::estimate(flow).await,
        Step::Run => execute::run(flow).await,
        Step::Review => execute::review(flow).await,
        Step::Mend => mend::mend(flow).await,
        Step::Close { outcome } => mend::close(flow, outcome).await,
        Step::Escalate { words } => flow.tell(Happened::Escalated { words }).await,
        Step::Sample { candidate, of } => judge::sample(flow, candidate, of).await,
        Step::Compare => judge::compare(flow).await,
        Step::Judge => judge::judge(flow).await,
        Step::Explain => execute::explain(flow).await,
        Step::Answer(ending) => flow.end(&ending).await,
        // waiting is the flow's own: no step is at work meanwhile
        Step::Await(_) | Step::Done => {}
    }
}
