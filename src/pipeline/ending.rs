//! How a run ends, as an `Answer` in clear sentences. Pure.

use crate::domain::{
    Answer, Attempt, Clarify, Failure, Paused, Stage, Status, Stop, StopCode, Transcript,
};

use super::{narrator, next, trust};

/// Which ending the flow decided on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// A table.
    Answered,
    /// Too little was asked.
    Vague,
    /// Readings differ.
    Ambiguous,
    /// The route was changed: nothing drafted could be grounded.
    AskedBack,
    /// Stopped by a rule of ours.
    Stopped(StopCode),
    /// Stopped by something that retrying can't mend.
    Failed(Failure),
    /// Stopped by the person.
    Cancelled,
    /// Stopped by the person while the run waited for them.
    StoppedAt(Paused),
    /// The SQL that wanted approval was not approved.
    Refused(Paused),
}

impl Ending {
    /// Ends by a rule of ours.
    pub(super) fn stopped(code: StopCode) -> Self {
        Ending::Stopped(code)
    }

    /// Ends by a failure.
    pub(super) fn of(failure: &Failure) -> Self {
        Ending::Failed(failure.clone())
    }
}

/// What an answer needs besides the transcript.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Example questions, for hints.
    pub examples: Vec<String>,
    /// Pairs that a person verified.
    pub verified: Vec<crate::domain::Example>,
    /// Names of metrics that a person approved for compiling.
    pub approved: Vec<String>,
}

/// Makes the answer.
pub(super) fn answer(t: &Transcript, ending: &Ending, known: &Known) -> Answer {
    match ending {
        Ending::Answered => answered(t, known),
        Ending::Vague => clarify(
            "What would you like to know? The question names nothing that this database holds.",
            known.examples.iter().take(5).cloned().collect(),
        ),
        Ending::Ambiguous => {
            let ambiguity = t.understanding.as_ref().and_then(|u| u.ambiguity.clone());
            let (question, choices) = ambiguity.map_or_else(
                || ("Which of these do you mean?".to_owned(), Vec::new()),
                |a| (a.question, a.choices),
            );
            clarify(&question, choices)
        }
        Ending::AskedBack => match next::escalation::escalation(t) {
            Some(route) => clarify(&route.clarify.question, route.clarify.choices),
            None => stopped(t, StopCode::Budget, known),
        },
        Ending::Stopped(code) => stopped(t, *code, known),
        Ending::Failed(failure) => failed(t, failure),
        Ending::Cancelled => bare(Status::Cancelled),
        Ending::StoppedAt(paused) => stopped_at(paused),
        Ending::Refused(paused) => refused(paused),
    }
}

fn bare(status: Status) -> Answer {
    Answer {
        status,
        stop: None,
        clarify: None,
        trust: None,
        reasons: Vec::new(),
        assumptions: Vec::new(),
        summary: String::new(),
        chosen: None,
    }
}

/// Stopping is a person's: nothing failed, and nothing is advised.
fn stopped_at(paused: &Paused) -> Answer {
    let words = match paused {
        Paused::Approval { .. } => {
            "Stopped by you: the SQL was not approved, and was not run.".to_owned()
        }
        Paused::Breakpoint { at } => format!("Stopped by you {}.", at.words()),
    };
    Answer { reasons: vec![words], ..bare(Status::Cancelled) }
}

/// Refusing a statement is a verdict on it; at a breakpoint there is none to give.
fn refused(paused: &Paused) -> Answer {
    match paused {
        Paused::Approval { reason, .. } => stop(
            Status::GaveUp,
            StopCode::Policy,
            format!("The SQL was not approved, so it was not run. {reason}"),
            "Approve it, give --yes, or set the run policy to auto.",
        ),
        Paused::Breakpoint { .. } => stopped_at(paused),
    }
}

fn answered(t: &Transcript, known: &Known) -> Answer {
    let Some((attempt, version)) = next::standing(t) else {
        return stopped(t, StopCode::Budget, known);
    };
    let (trust, reasons) = trust::judge(t, attempt, version, known);
    let assumptions = attempt.plan.as_ref().map(|p| p.assumptions.clone()).unwrap_or_default();
    Answer {
        trust: Some(trust),
        reasons,
        assumptions,
        summary: version.rows.as_ref().map(narrator::summary).unwrap_or_default(),
        chosen: Some((attempt.n, attempt.versions.len() - 1)),
        ..bare(Status::Answered)
    }
}

fn clarify(question: &str, choices: Vec<String>) -> Answer {
    let clarify = Clarify { question: question.to_owned(), choices };
    Answer { clarify: Some(clarify), ..bare(Status::Clarify) }
}

fn stop(status: Status, code: StopCode, message: String, hint: &str) -> Answer {
    Answer { stop: Some(Stop { code, message, hint: hint.to_owned() }), ..bare(status) }
}

fn stopped(t: &Transcript, code: StopCode, known: &Known) -> Answer {
    let errors = errors(t);
    let options = &t.question.options;
    match code {
        StopCode::WriteRequest => stop(
            Status::Declined,
            code,
            format!("The request asks to change data{}. Querent only reads.", shown_by(t)),
            "Ask what you want to know, or change the data with another tool.",
        ),
        StopCode::OffTopic => stop(
            Status::Declined,
            code,
            format!("The question isn't about this database{}.", shown_by(t)),
            &example_hint(known),
        ),
        StopCode::Deadline => stop(
            Status::GaveUp,
            code,
            format!("Time was up after {} s.{errors}", options.deadline_ms / 1_000),
            "Ask for less, or allow more time with --deadline.",
        ),
        StopCode::NoProgress => stop(
            Status::GaveUp,
            code,
            format!("The same SQL came again although its error was told.{errors}"),
            "Edit the SQL by hand, reword the question, or try another model.",
        ),
        StopCode::Budget if t.question.sql.is_some() => {
            let failure = t.attempt().and_then(|a| a.last().failure.as_ref());
            let message = failure.map_or_else(String::new, |f| capital(&f.message()));
            stop(Status::GaveUp, code, message, "Edit the SQL and run it again.")
        }
        StopCode::Budget
        | StopCode::Model
        | StopCode::Policy
        | StopCode::Ungrounded
        | StopCode::Database => stop(
            Status::GaveUp,
            code,
            format!("No query got through in {}.{errors}", attempts(t)),
            "Edit the SQL by hand, reword the question, or allow more with --max-attempts.",
        ),
    }
}

fn attempts(t: &Transcript) -> String {
    match t.attempts.len() {
        1 => "one attempt".to_owned(),
        n => format!("{n} attempts"),
    }
}

/// Names the words that showed an intent.
fn shown_by(t: &Transcript) -> String {
    let words = t.understanding.as_ref().map(|u| u.intent_words.as_str()).unwrap_or_default();
    if words.is_empty() { String::new() } else { format!(" (\"{words}\")") }
}

fn example_hint(known: &Known) -> String {
    match known.examples.first() {
        Some(example) => format!("Ask about what it holds, for example: {example}"),
        None => "Ask about the tables that `querent schema` lists.".to_owned(),
    }
}

/// Lists what was wrong with each attempt, a sentence each.
fn errors(t: &Transcript) -> String {
    let told = |attempt: &Attempt| {
        let failure = attempt.last().failure.as_ref()?;
        Some(format!(" Attempt {}: {}", attempt.n, capital(&failure.message().replace('\n', "; "))))
    };
    t.attempts.iter().filter_map(told).collect()
}

fn failed(t: &Transcript, failure: &Failure) -> Answer {
    let message = capital(&failure.message());
    let given = failure.diagnostics.first().and_then(|d| d.suggestions.first()).cloned();
    let hint = given.unwrap_or_default();
    match (failure.stage, failure.code()) {
        (Stage::Policy, "write") if t.question.sql.is_some() => {
            let hint = "Querent only reads. Change the data with another tool.";
            stop(Status::Declined, StopCode::WriteRequest, message, hint)
        }
        (Stage::Model, "cannot") => stop(Status::Declined, StopCode::Ungrounded, message, &hint),
        (Stage::Model, "ungrounded") => {
            stop(Status::Declined, StopCode::Ungrounded, message, &hint)
        }
        (Stage::Model, "off_topic") => stop(Status::Declined, StopCode::OffTopic, message, &hint),
        (Stage::Model, _) => stop(Status::GaveUp, StopCode::Model, message, &hint),
        (Stage::Policy, _) => stop(Status::GaveUp, StopCode::Policy, message, &hint),
        (Stage::Connection, _) => stop(Status::GaveUp, StopCode::Database, message, &hint),
        (Stage::Limit, _) => {
            let hint = "Narrow the question, or allow more time with --timeout.";
            stop(Status::GaveUp, StopCode::Deadline, message, hint)
        }
        (Stage::Parse | Stage::Bind | Stage::Prepare | Stage::Run, _) => {
            let hint = "Edit the SQL by hand, or reword the question.";
            stop(Status::GaveUp, StopCode::Budget, message, hint)
        }
    }
}

/// Makes a sentence of an error text.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    let sentence = format!("{first}{}", chars.as_str());
    if sentence.ends_with(['.', '?', '!']) { sentence } else { format!("{sentence}.") }
}
