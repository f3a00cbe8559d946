//! Run, Review, Explain: the statement within its limits, the gates on its rows, its plain English.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::database::{Limits, ResultStore};
use crate::domain::{Happened, Origin, Pulse, ResultId};
use crate::plan;
use crate::sql::{self, ReadQuery, english};

use super::super::ask::Flow;
use super::super::run::Told;
use super::super::{next, units};
use super::check::{Looked, failure, look_at_rows};

/// How often the face hears how many rows have come.
const BEAT: Duration = Duration::from_millis(50);

/// When it hears of rows first; each beat is twice as long until it is `BEAT`.
const FIRST_BEAT: Duration = Duration::from_millis(1);

/// Runs the newest version of the newest attempt.
pub(super) async fn run(flow: &mut Flow) {
    let Some(attempt) = flow.transcript.attempt().cloned() else { return };
    let version = attempt.versions.len() - 1;
    let result =
        ResultId { run: flow.transcript.run.clone(), attempt: attempt.n, version, view: 0 };
    let store = Arc::new(ResultStore::new());
    if attempt.last().analysed
        && let Ok(query) = ReadQuery::parse(&attempt.last().sql, flow.session.dialect())
    {
        let knowledge = flow.session.knowledge();
        store.measured_in(units::of(&query, &flow.facts.catalog, &knowledge));
    }
    flow.session.keep(result.clone(), store.clone());
    flow.pulse(Pulse::Waiting("running the SQL".to_owned()));
    let options = &flow.transcript.question.options;
    let limits =
        Limits { timeout: Duration::from_millis(options.timeout_ms), max_rows: options.max_rows };
    let started = Instant::now();
    let database = flow.session.database.clone();
    let outcome = {
        let statement = database.run(&attempt.last().sql, limits, store.clone());
        tokio::pin!(statement);
        let told = flow.pulses();
        let mut beat = FIRST_BEAT;
        loop {
            tokio::select! {
                biased;
                outcome = &mut statement => break outcome,
                () = tokio::time::sleep(beat) => {
                    beat = (beat * 2).min(BEAT);
                    let count = store.count();
                    let pulse = Pulse::Rows { result: result.clone(), count };
                    // a busy face sees the next count
                    let _ = told.try_send(Told::Pulse(pulse));
                }
            }
        }
    };
    let elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    match outcome {
        Ok(rows) => {
            flow.rows = Some(rows.clone());
            if flow.transcript.question.options.thorough {
                flow.results.retain(|(n, _)| *n != attempt.n);
                flow.results.push((attempt.n, rows.clone()));
            }
            flow.tell(Happened::Ran { attempt: attempt.n, version, rows, elapsed_us }).await;
        }
        Err(trouble) => {
            let failure = failure(trouble);
            flow.tell(Happened::Failed { attempt: Some(attempt.n), calls: Vec::new(), failure })
                .await;
        }
    }
}

/// Lets the gates look at the rows.
pub(super) async fn review(flow: &mut Flow) {
    let Some(attempt) = flow.transcript.attempt().cloned() else { return };
    let version = attempt.versions.len() - 1;
    let last = attempt.last();
    let read = ReadQuery::parse(&last.sql, flow.session.dialect()).ok().filter(|_| last.analysed);
    let rows = flow.rows.take();
    let (mut findings, mut probes) = (Vec::new(), Vec::new());
    if let (Some(query), Some(rows)) = (read, rows) {
        let binding = sql::bind(&query, &flow.facts.catalog);
        let t = &flow.transcript;
        // what rules drafted themselves follows their reading
        let reading = t
            .understanding
            .as_ref()
            .filter(|_| attempt.origin != Origin::Rules)
            .and_then(|known| plan::rules::sure::read(&t.question, known, &flow.facts));
        let looked = Looked {
            question: (!t.question.text.is_empty()).then_some(t.question.text.as_str()),
            hint: t.question.evidence.as_deref(),
            understanding: t.understanding.as_ref(),
            facts: &flow.facts,
            plan: attempt.plan.as_ref(),
            reading: reading.as_ref(),
            probe: true,
        };
        (findings, probes) = look_at_rows(&flow.session, &looked, (&query, &binding), &rows).await;
    }
    if !probes.is_empty() {
        flow.tell(Happened::Probed { attempt: attempt.n, version, probes }).await;
    }
    flow.tell(Happened::Reviewed { attempt: attempt.n, version, findings }).await;
}

/// Puts the chosen SQL into words.
pub(super) async fn explain(flow: &mut Flow) {
    let chosen = next::standing(&flow.transcript).map(|(_, version)| version.clone());
    let query = chosen
        .filter(|version| version.analysed)
        .and_then(|version| ReadQuery::parse(&version.sql, flow.session.dialect()).ok());
    let english = query.map_or_else(String::new, |query| {
        let binding = sql::bind(&query, &flow.facts.catalog);
        english::english(&query, &binding, &flow.facts.catalog)
    });
    flow.tell(Happened::Explained { english }).await;
}
