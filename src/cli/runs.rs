//! `runs`, `replay`, `memory`: past runs, without database or network.

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::domain::Transcript;
use crate::pipeline::{self, Archive, SessionError, StoredRun};
use crate::render::ledger;

use super::args::{MemoryAction, MemoryArgs, Replay, Runs, RunsAction};
use super::ask::show;
use super::choices::Format;
use super::output::{print_json, print_safe, say, say_hint};
use super::streaming::Streaming;
use super::{exit, report};

/// Lists runs, or does something to one.
pub(super) async fn runs(runs: Runs, config: &Config) -> u8 {
    let archive = Archive::open(config);
    let Some(action) = runs.action else {
        let place = runs.edges.db.map(|db| pipeline::place(&db, config));
        return match archive.list(place, runs.most).await {
            Ok(list) => listed(&list, runs.json),
            Err(e) => report(&SessionError::from(e)),
        };
    };
    match action {
        RunsAction::Verify { run, by } => done(archive.verify(&run, by).await, "verified"),
        RunsAction::Withdraw { run } => done(archive.withdraw(&run).await, "withdrawn"),
        RunsAction::Rate { run, rating } => {
            let good = match rating.as_str() {
                "+" => Some(true),
                "-" => Some(false),
                "none" => None,
                _ => {
                    say(&format!("'{rating}' is no rating"));
                    say_hint("Rate with +, - or none.");
                    return exit::USAGE;
                }
            };
            done(archive.rate(&run, good).await, "rated")
        }
    }
}

fn done<E>(result: Result<(), E>, word: &str) -> u8
where
    SessionError: From<E>,
{
    match result {
        Ok(()) => {
            say(word);
            exit::OK
        }
        Err(e) => report(&SessionError::from(e)),
    }
}

fn listed(runs: &[StoredRun], as_json: bool) -> u8 {
    if as_json {
        print_json(&Json::Array(runs.iter().map(row).collect()));
        return exit::OK;
    }
    for run in runs {
        // the first 13 characters are the time: runs of one moment share them
        let short = run.run.0.get(..23).unwrap_or(&run.run.0);
        let verified = if run.verified_by.is_empty() { "" } else { " ✓ verified" };
        let by = if run.asked_by.is_empty() { "" } else { "  by " };
        print_safe(&format!(
            "{short}  {}  {:<9} {}  {}{}{verified}{by}{}",
            run.asked_at.get(..16).unwrap_or(&run.asked_at),
            run.status,
            run.database,
            run.question.lines().next().unwrap_or_default(),
            if run.rating.is_empty() { String::new() } else { format!("  {}", run.rating) },
            run.asked_by,
        ));
    }
    if runs.is_empty() {
        say("no such runs are stored");
    }
    exit::OK
}

fn row(run: &StoredRun) -> Json {
    let set = |text: &str| if text.is_empty() { Json::Null } else { Json::String(text.to_owned()) };
    json!({
        "run": run.run,
        "asked_at": run.asked_at,
        "database": run.database,
        "model": run.model,
        "question": run.question,
        "status": run.status,
        "trust": set(&run.trust),
        "rating": set(&run.rating),
        "verified_by": set(&run.verified_by),
        "asked_by": set(&run.asked_by),
    })
}

/// Prints what a run printed; the exit code is the run's own.
pub(super) async fn replay(replay: Replay, config: &Config) -> u8 {
    let events = match Archive::open(config).load(&replay.run).await {
        Ok(events) => events,
        Err(e) => return report(&SessionError::from(e)),
    };
    if replay.printing.trace {
        for line in events.iter().filter_map(|event| crate::record::lines::write(event).ok()) {
            super::output::trace(&line);
        }
    }
    let transcript = Transcript::of(&events);
    let Some(answer) = &transcript.answer else {
        say("the run broke off without an answer");
        return exit::OPEN;
    };
    let printing = &replay.printing;
    let format =
        if printing.json { Format::Json } else { printing.format.unwrap_or(Format::Table) };
    show(&transcript, answer, format, &mut Streaming::new(format), |_| None);
    exit::of_answer(answer)
}

/// Lists or withdraws verified pairs.
pub(super) async fn memory(memory: MemoryArgs, config: &Config) -> u8 {
    let archive = Archive::open(config);
    match memory.action {
        MemoryAction::Withdraw { run } => done(archive.withdraw(&run).await, "withdrawn"),
        MemoryAction::Ledger { most, json, edges } => {
            let place = edges.db.map(|db| pipeline::place(&db, config));
            match archive.ledger(place, most).await {
                Ok(ledger) if json => print_json(&json!(ledger)),
                Ok(ledger) => {
                    for (_, line) in ledger::lines(&ledger) {
                        print_safe(&line);
                    }
                }
                Err(e) => return report(&SessionError::from(e)),
            }
            exit::OK
        }
        MemoryAction::List { json, edges } => {
            let place = edges.db.map(|db| pipeline::place(&db, config));
            match archive.list(place, usize::MAX).await {
                Ok(mut list) => {
                    list.retain(|run| !run.verified_by.is_empty());
                    listed(&list, json)
                }
                Err(e) => report(&SessionError::from(e)),
            }
        }
    }
}
