//! Understand, Gather, Package: reads facts once, links the question, puts the package together.

use std::time::{Duration, Instant};

use crate::context;
use crate::domain::{Happened, Pulse, Understanding};

use super::super::ask::Flow;
use super::super::knowing::drift_note;
use super::super::{opening, questions};
use super::sent;

/// How long a run waits for facts of linked tables before it goes on without them (P3).
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads catalog and stored values, then links the question's words; what lists leave open is
/// looked up in the data.
pub(super) async fn understand(flow: &mut Flow) {
    flow.pulse(Pulse::Waiting("reading the catalog".to_owned()));
    let session = flow.session.clone();
    flow.facts = session.basics().await;
    let question = flow.transcript.question.clone();
    let thought = session.think(&question, &mut flow.facts).await;
    if !thought.probes.is_empty() {
        // before any attempt
        let looked = Happened::Probed { attempt: 0, version: 0, probes: thought.probes };
        flow.tell(looked).await;
    }
    flow.tell(Happened::Understood(Box::new(thought.understanding))).await;
}

/// Reads statistics and samples of the linked tables.
pub(super) async fn gather(flow: &mut Flow) {
    let started = Instant::now();
    let asked = flow.transcript.understanding.is_some();
    if !asked {
        // one's own SQL starts at once: what gates want from data they ask for as probes
        flow.facts = flow.session.clone().basics().await;
    }
    let linked = flow.transcript.understanding.as_ref();
    let tables = if asked {
        let graph = flow.session.graph(&flow.facts.catalog);
        questions::measured(linked, &flow.facts.catalog, &graph)
    } else {
        Vec::new()
    };
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
    notes.extend(drift_note(&session.drift()));
    if asked && flow.facts.values.is_empty() && !flow.facts.catalog.tables.is_empty() {
        notes.push("no stored values are known yet".to_owned());
    }
    let elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    flow.tell(Happened::Gathered { tables, notes, elapsed_us }).await;
}

/// Reads facts of tables that were switched in while the run was paused.
async fn measure_switched(flow: &mut Flow, understanding: &Understanding) {
    let graph = flow.session.graph(&flow.facts.catalog);
    let mut tables = questions::measured(Some(understanding), &flow.facts.catalog, &graph);
    for table in &flow.transcript.question.switches.with_tables {
        if !tables.contains(table) {
            tables.push(table.clone());
        }
    }
    let session = flow.session.clone();
    let facts = tokio::time::timeout(PATIENCE, session.facts_of(&tables)).await;
    if let Ok((statistics, samples)) = facts {
        flow.facts.statistics = statistics;
        flow.facts.samples = samples;
    }
}

/// Puts the package of the next draft together, with the errors so far.
pub(super) async fn package(flow: &mut Flow) {
    let Some(understanding) = flow.transcript.understanding.clone() else { return };
    if flow.transcript.pauses.redraft {
        measure_switched(flow, &understanding).await;
    }
    let errors = sent::errors(&flow.transcript, &flow.facts);
    let graph = flow.session.graph(&flow.facts.catalog);
    let package = context::assemble(&context::Request {
        question: &flow.transcript.question,
        understanding: &understanding,
        facts: &flow.facts,
        graph: &graph,
        errors: &errors,
        form: flow.transcript.question.form(),
        generated_at: &opening::now(),
    });
    flow.tell(Happened::PackageReady(Box::new(package))).await;
}
