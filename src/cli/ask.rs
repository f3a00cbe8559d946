//! `ask` and `run`: one question or one SQL text to its answer.

use std::sync::Arc;

use crate::config::Config;
use crate::domain::{Answer, Happened, Options, Paused, Question, ResultId, Transcript};
use crate::pipeline::{Command, Session, Told, now};
use crate::record::{lines, report};

use super::args::{Ask, Printing, RunSql};
use super::choices::Format;
use super::output::{print, print_json, print_safe, say, say_hint, stream, trace};
use super::terms::{options, question};
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
        options: Options { privacy: session.privacy(), ..options(&run.terms, &config) },
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
async fn answer(session: &Arc<Session>, question: Question, printing: &Printing, yes: bool) -> u8 {
    let transcript = carry(session, question, printing.trace, yes).await;
    let Some(answer) = &transcript.answer else {
        say("the run broke off without an answer");
        return exit::OPEN;
    };
    let format =
        if printing.json { Format::Json } else { printing.format.unwrap_or(Format::Table) };
    let result = transcript.chosen().and_then(|(_, version)| version.result.clone());
    show(&transcript, answer, format, |_| result.and_then(|id: ResultId| session.result(&id)));
    exit::of_answer(answer)
}

/// Carries a question to its end; Ctrl-C cancels, a second one leaves. `yes` approves whatever
/// approval is asked for.
pub(super) async fn carry(
    session: &Arc<Session>,
    question: Question,
    tracing: bool,
    yes: bool,
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
    rows: impl FnOnce(&Transcript) -> Option<Arc<crate::pipeline::ResultStore>>,
) {
    if format == Format::Json {
        print_json(&report::report(transcript));
        return;
    }
    let Some((_, version)) = transcript.chosen() else {
        unanswered(answer);
        return;
    };
    match (format, rows(transcript), &version.rows) {
        (Format::Table, all, Some(kept)) => {
            let mut rows = kept.clone();
            if let (true, Some(all)) = (kept.rows.is_empty(), all) {
                // the store policy keeps rows from runs, not from the person who asks
                rows.rows = all.page(0..FIRST).rows;
            }
            print_safe(&answer.summary);
            print("");
            print_safe(&table::aligned(&rows));
            beside(answer, rows.row_count, rows.rows.len());
        }
        (_, Some(all), _) => {
            // a reader that went away wants no more rows
            let _ = stream(&all, format);
        }
        (_, None, Some(kept)) => {
            let _ = stream(&crate::pipeline::ResultStore::kept(kept), format);
        }
        (_, None, None) => {}
    }
}

/// Says what stands beside the table: trust, reasons, assumptions, what is not shown.
fn beside(answer: &Answer, count: u64, shown: usize) {
    if count > shown as u64 {
        say(&format!("first {shown} of {count} rows; --format csv prints all"));
    }
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
    if answer.status == crate::domain::Status::Cancelled {
        say("cancelled");
        for reason in &answer.reasons {
            say_hint(reason);
        }
    }
}
