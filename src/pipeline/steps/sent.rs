//! What of a run may be sent again: the question, former drafts and their errors, less what the
//! privacy level keeps here. Every text is held against the SQL it speaks of.

use crate::context;
use crate::domain::package::ErrorNote;
use crate::domain::{Attempt, Facts, Failure, Question, Stage, Transcript};
use crate::prompt;
use crate::repair;

/// Returns the question as it may be sent: the query it follows up may hold stored spellings that
/// were never told to this model.
pub(super) fn question(question: &Question, facts: &Facts) -> Question {
    let follows = question.follows.as_ref().map(|(asked, sql)| {
        let known = format!("{asked} {}", question.text);
        let privacy = question.options.privacy;
        (asked.clone(), context::redact(sql, facts, privacy, &known))
    });
    Question { follows, ..question.clone() }
}

/// Lists this run's former drafts with what is told about each: exact errors, or a gate's hint.
pub(super) fn former(t: &Transcript, facts: &Facts, semantic_retry: bool) -> Vec<(String, String)> {
    let told = |attempt: &Attempt| {
        let version = attempt.last();
        let doubts = version.findings.iter().filter(|f| f.retryable || !semantic_retry);
        let note = match &version.failure {
            Some(failure) => prompt::failed(&sendable(attempt, failure, &t.question, facts)),
            None => doubts.map(prompt::doubted).collect::<Vec<_>>().join("\n"),
        };
        let refused = t.question.refused.iter().filter(|r| r.sql == version.sql);
        let notes: Vec<String> =
            std::iter::once(note).chain(refused.map(|r| prompt::refused(&r.repair))).collect();
        let sql = sql(attempt, &t.question, facts);
        (sql.to_owned(), about(attempt, &notes.join("\n"), &t.question, facts))
    };
    t.attempts.iter().map(told).collect()
}

/// Lists this run's errors with cause and fix, for the package.
pub(super) fn errors(t: &Transcript, facts: &Facts) -> Vec<ErrorNote> {
    let failed = t.attempts.iter().filter_map(|a| Some((a, a.last().failure.as_ref()?)));
    let notes = failed.flat_map(|(attempt, failure)| {
        let told = |text: &str| about(attempt, text, &t.question, facts);
        let failure = sendable(attempt, failure, &t.question, facts);
        repair::notes(&failure).into_iter().map(move |note| ErrorNote {
            error: told(&note.error),
            cause: told(&note.cause),
            fix: told(&note.fix),
        })
    });
    notes.collect()
}

/// Returns a failure as it may be sent: of one that came while the statement ran, where data is kept
/// here, only its class.
fn sendable(attempt: &Attempt, failure: &Failure, question: &Question, facts: &Facts) -> Failure {
    let sql = format!("{} {}", attempt.drafted_sql, attempt.last().sql);
    let told = failure.stage != Stage::Run
        || context::may_tell_data(facts, question.options.privacy, &sql);
    let mut failure = failure.clone();
    for diagnostic in failure.diagnostics.iter_mut().filter(|_| !told) {
        let class = diagnostic.code.replace('_', " ");
        diagnostic.message =
            format!("{class} (the engine's words may hold stored data and are not told)");
        diagnostic.suggestions.clear();
    }
    failure
}

/// Takes out of a text about an attempt what may not leave.
pub(super) fn about(attempt: &Attempt, text: &str, question: &Question, facts: &Facts) -> String {
    let known = format!("{} {}", question.text, sql(attempt, question, facts));
    context::redact(text, facts, question.options.privacy, &known)
}

/// Picks the text of an attempt that may be sent: as it was mended here, unless a rewrite put in
/// what the level keeps here; then as the model itself wrote it.
fn sql<'a>(attempt: &'a Attempt, question: &Question, facts: &Facts) -> &'a str {
    let mended = &attempt.last().sql;
    let known = format!("{} {}", question.text, attempt.drafted_sql);
    let told = context::redact(mended, facts, question.options.privacy, &known);
    if told == *mended { mended } else { &attempt.drafted_sql }
}
