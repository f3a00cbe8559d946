//! The errors component: this run's errors as error, cause, fix (S0-038 to S0-040).

use crate::domain::Content;
use crate::domain::counts::count;
use crate::domain::package::ErrorNote;

use super::Proposal;
use super::redact::redact_in;
use super::scene::Scene;
use super::selection::Verdict;

/// Most errors (P3).
const MOST: usize = 3;

/// Proposes the newest errors of this run, oldest of them first.
///
/// The notes are redacted by whoever makes them with the SQL at hand; here stored values that are
/// in neither the question nor the SQL an error quotes are taken out once more.
pub(super) fn propose(scene: &Scene<'_>) -> Proposal {
    let all = scene.request.errors;
    if all.is_empty() {
        return Proposal::nothing("no error in this run");
    }
    let older = all.len().saturating_sub(MOST);
    let told = |text: &String| redact_in(scene, text);
    let notes = all.iter().skip(older).map(|note| ErrorNote {
        error: told(&note.error),
        cause: told(&note.cause),
        fix: told(&note.fix),
    });
    let plural = if all.len() == 1 { "attempt" } else { "attempts" };
    let mut proposal = Proposal::new(
        Content::Errors(notes.collect()),
        Verdict::is_in(format!("this run has failed {plural}")),
    );
    proposal.cut.extend((older > 0).then(|| count(older, "older error")));
    proposal
}
