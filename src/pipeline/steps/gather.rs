//! Understand, Gather, Package: reads facts once, links the question, puts the package together.

use std::time::{Duration, Instant};

use crate::context;
use crate::domain::package::Form;
use crate::domain::{Happened, Pulse};
use crate::intake;
use crate::repair;

use super::super::ask::Flow;
use super::super::{opening, questions};

/// How long a run waits for facts of linked tables before it goes on without them (P3).
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads catalog and value lists, then links the question's words.
pub(super) async fn understand(flow: &mut Flow) {
    read_basics(flow).await;
    let understanding = intake::understand(&flow.transcript.question, &flow.facts);
    flow.tell(Happened::Understood(Box::new(understanding))).await;
}

async fn read_basics(flow: &mut Flow) {
    flow.pulse(Pulse::Waiting("reading the catalog".to_owned()));
    let session = flow.session.clone();
    flow.facts = session.basics().await;
    if let Ok(values) = tokio::time::timeout(PATIENCE, session.values()).await {
        flow.facts.values = values;
    }
}

/// Reads statistics and samples of the linked tables.
pub(super) async fn gather(flow: &mut Flow) {
    let started = Instant::now();
    if flow.transcript.understanding.is_none() {
        return gather_for_sql_alone(flow, started).await;
    }
    let tables = questions::wanted(flow.transcript.understanding.as_ref(), &flow.facts.catalog);
    flow.pulse(Pulse::Waiting("measuring".to_owned()));
    let session = flow.session.clone();
    let mut notes = Vec::new();
    match tokio::time::timeout(PATIENCE, session.facts_of(&tables)).await {
        Ok((statistics, samples)) => {
            flow.facts.statistics = statistics;
            flow.facts.samples = samples;
        }
        Err(_) => notes.push("statistics are still measuring".to_owned()),
    }
    if flow.facts.values.is_empty() && !flow.facts.catalog.tables.is_empty() {
        notes.push("no stored values are known yet".to_owned());
    }
    let elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    flow.tell(Happened::Gathered { tables, notes, elapsed_us }).await;
}

/// Reads what checking SQL needs when there is no question: no package is made, so that rows
/// wait for nothing. Stored values are read only where a text could be held against them.
async fn gather_for_sql_alone(flow: &mut Flow, started: Instant) {
    let names_a_text = flow.transcript.question.sql.as_ref().is_some_and(|sql| sql.contains('\''));
    if names_a_text {
        read_basics(flow).await;
    } else {
        flow.facts = flow.session.clone().basics().await;
    }
    let elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let gathered = Happened::Gathered { tables: Vec::new(), notes: Vec::new(), elapsed_us };
    flow.tell(gathered).await;
}

/// Puts the package of the next draft together, with the errors so far.
pub(super) async fn package(flow: &mut Flow) {
    let Some(understanding) = flow.transcript.understanding.clone() else { return };
    let failures = flow.transcript.attempts.iter().filter_map(|a| a.last().failure.as_ref());
    let errors: Vec<_> = failures.flat_map(repair::notes).collect();
    let package = context::assemble(&context::Request {
        question: &flow.transcript.question,
        understanding: &understanding,
        facts: &flow.facts,
        errors: &errors,
        form: Form::Text,
        generated_at: &opening::now(),
    });
    flow.tell(Happened::PackageReady(Box::new(package))).await;
}
