//! `ask` and `run`: one question or one SQL text to its answer.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::config::Config;
use crate::domain::{Answer, Happened, Paused, Pulse, Question, ResultId, Status, Transcript};
use crate::pipeline::{Command, ResultStore, Session, Told, now};
use crate::record::{lines, report};

use super::args::{Ask, Printing, RunSql};
use super::choices::Format;
use super::output::{print, print_json, print_safe, say, say_hint, trace};
use super::streaming::Streaming;
use super::terms::{options_on, question};
use super::{approve, exit, open, table, text_of};

/// Rows of a table for reading; the other formats hold all.
const FIRST: u64 = 1_000;

/// Answers a question.
pub(super) async fn ask(ask: Ask, config: Arc<Config>) -> u8 {
    let Some(words) = &ask.question else {
        say("no question is given");
        say_hint("Ask with: querent ask --db demo \"How many bookings are there?\"");
        return exit::USAGE;
    };
    let text = match text_of(words) {
        Ok(text) => text,
        Err(code) => return code,
    };
    let session = match open(ask.edges.clone(), config.clone()).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    warn(&session);
    let question = match question(&session, text, &ask.terms, &config).await {
        Ok(question) => question,
        Err(code) => return code,
    };
    answer(&session, question, &ask.printing, ask.terms.yes).await
}

/// Runs SQL of the person's own.
pub(super) async fn run(run: RunSql, config: Arc<Config>) -> u8 {
    let sql = match text_of(&run.sql) {
        Ok(sql) => sql,
        Err(code) => return code,
    };
    if sql.trim().is_empty() {
        say("no SQL is given");
        return exit::USAGE;
    }
    let session = match open(super::without_model(run.edges), config.clone()).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    warn(&session);
    let question = Question {
        sql: Some(sql),
        asked_at: now(),
        options: options_on(&session, &run.terms, &config),
        ..Question::default()
    };
    answer(&session, question, &run.printing, run.terms.yes).await
}

/// Says what the person should know of what was opened.
fn warn(session: &Session) {
    for notice in session.header().notices {
        say(&notice);
    }
}

/// Carries a question to its end and prints it.
///
/// Rows of SQL of the person's own are written while they come: no other draft can take its place.
async fn answer(session: &Arc<Session>, question: Question, printing: &Printing, yes: bool) -> u8 {
    let format =
        if printing.json { Format::Json } else { printing.format.unwrap_or(Format::Table) };
    let own = question.sql.is_some() && !matches!(format, Format::Json | Format::Table);
    let mut streaming = Streaming::new(format);
    let transcript = carry(session, question, printing.trace, yes, |id| {
        match session.result(id).filter(|_| own) {
            Some(result) => streaming.arrived(id, &result),
            None => ControlFlow::Continue(()),
        }
    });
    let transcript = transcript.await;
    if streaming.gone() {
        // the reader has what it wanted
        return exit::OK;
    }
    let Some(answer) = &transcript.answer else {
        say("the run broke off without an answer");
        return exit::OPEN;
    };
    let result = transcript.chosen().and_then(|(_, version)| version.result.clone());
    if answer.status == Status::Answered && streaming.spoilt_for(result.as_ref()) {
        say("the statement was mended after its first rows were written: run it again");
        return exit::OPEN;
    }
    let rows = |_: &Transcript| result.and_then(|id: ResultId| session.result(&id));
    show(&transcript, answer, format, &mut streaming, rows);
    exit::of_answer(answer)
}

/// Carries a question to its end; Ctrl-C cancels, a second one leaves. `yes` approves whatever
/// approval is asked for. `arriving` hears of rows that come, and may break the run off.
pub(super) async fn carry(
    session: &Arc<Session>,
    question: Question,
    tracing: bool,
    yes: bool,
    mut arriving: impl FnMut(&ResultId) -> ControlFlow<()>,
) -> Transcript {
    let mut run = session.start(question);
    let mut transcript = Transcript::default();
    let mut cancelling = false;
    // one listener throughout: a new one for each turn would miss what comes between two
    let interrupt = tokio::signal::ctrl_c();
    tokio::pin!(interrupt);
    loop {
        tokio::select! {
            told = run.told.recv() => match told {
                Some(Told::Event(event)) => {
                    if tracing && let Ok(line) = lines::write(&event) {
                        trace(&line);
                    }
                    transcript.apply(&event);
                    if let Happened::Paused(paused) = &event.happened {
                        // a run that waits tells nothing; one that went away needs no answer
                        let _ = run.commands.send(command(paused, yes).await).await;
                    }
                }
                Some(Told::Pulse(Pulse::Rows { result, .. })) => {
                    if arriving(&result).is_break() {
                        // nobody reads what would come; the run may be ending just now
                        let _ = run.commands.try_send(Command::Cancel);
                    }
                }
                Some(Told::Pulse(_)) => {}
                None => return transcript,
            },
            signal = &mut interrupt => {
                if signal.is_err() || cancelling {
                    return transcript;
                }
                cancelling = true;
                interrupt.set(tokio::signal::ctrl_c());
                // the run may be ending just now: then its answer comes anyway
                let _ = run.commands.try_send(Command::Cancel);
            }
        }
    }
}

/// Asks what to do where the run waits; Ctrl-C cancels.
async fn command(paused: &Paused, yes: bool) -> Command {
    tokio::select! {
        decision = approve::decide(paused, yes) => Command::Resume(decision),
        _ = tokio::signal::ctrl_c() => Command::Cancel,
    }
}

/// Prints the end of a run in a format. `rows` finds all rows, where they can still be read.
pub(super) fn show(
    transcript: &Transcript,
    answer: &Answer,
    format: Format,
    streaming: &mut Streaming,
    rows: impl FnOnce(&Transcript) -> Option<Arc<ResultStore>>,
) {
    if format == Format::Json {
        print_json(&report::report(transcript));
        return;
    }
    let Some((_, version)) = transcript.chosen() else {
        unanswered(answer);
        return;
    };
    let all = rows(transcript).or_else(|| {
        let kept = version.rows.as_ref()?;
        Some(Arc::new(ResultStore::kept(kept)))
    });
    let Some(all) = all else { return };
    if format == Format::Table {
        let mut first = version.rows.clone().unwrap_or_default();
        if first.rows.is_empty() {
            // the store policy keeps rows from runs, not from the person who asks
            first.rows = all.page(0..FIRST).rows;
        }
        print_safe(&answer.summary);
        print("");
        print_safe(&table::aligned(&first));
        left_out(first.rows.len() as u64, &all);
    } else {
        streaming.end(&all);
        left_out(all.count(), &all);
    }
    beside(answer);
}

/// Says how many rows are not shown, and how to get at them.
fn left_out(shown: u64, all: &ResultStore) {
    let read = all.read();
    if shown < read && all.count() == read {
        say(&format!("first {shown} of {read} rows; --format csv prints all"));
    } else if shown < read {
        say(&format!("first {shown} of {read} rows: the run kept no more; run it again for all"));
    }
}

/// Says what stands beside the table: trust, reasons, assumptions.
fn beside(answer: &Answer) {
    if let Some(trust) = answer.trust {
        say(&format!("trust: {}", trust.name().replace('_', " ")));
    }
    for reason in &answer.reasons {
        say_hint(reason);
    }
    for assumption in &answer.assumptions {
        say_hint(&format!("Assumed: {assumption}"));
    }
}

fn unanswered(answer: &Answer) {
    if let Some(stop) = &answer.stop {
        say(&stop.message);
        say_hint(&stop.hint);
    }
    if let Some(clarify) = &answer.clarify {
        say(&clarify.question);
        for choice in &clarify.choices {
            say_hint(&format!("- {choice}"));
        }
    }
    if answer.status == Status::Cancelled {
        say("cancelled");
        for reason in &answer.reasons {
            say_hint(reason);
        }
    }
}
