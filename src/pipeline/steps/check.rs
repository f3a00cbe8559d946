//! Check: parse, bind, the engine's own prepare, the gates with their probes. Nothing is run but
//! probes of ours.

use std::time::{Duration, Instant};

use crate::database::{Limits, Trouble};
use crate::domain::event::Probed;
use crate::domain::{
    Check, Diagnostic, Facts, Failure, Finding, Happened, Plan, Probe, ProbeAnswer, Reading, Rows,
    Severity, Stage, Understanding,
};
use crate::gates;
use crate::plan::conform;
use crate::sql::{self, Binding, ReadQuery};

use super::super::ask::Flow;
use super::super::session::Session;

/// Time for one probe.
const PROBE: Limits = Limits { timeout: Duration::from_millis(500), max_rows: Some(200) };
/// Rounds of probes: what a probe shows may call for one more, not for many.
const ROUNDS: usize = 2;
/// Probes of one round at most: a list of a hundred literals must not become a hundred queries.
const PROBES: usize = 8;

/// What is looked at beside the SQL.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct Looked<'a> {
    pub(in crate::pipeline) question: Option<&'a str>,
    /// A hint given with the question.
    pub(in crate::pipeline) hint: Option<&'a str>,
    pub(in crate::pipeline) understanding: Option<&'a Understanding>,
    pub(in crate::pipeline) facts: &'a Facts,
    pub(in crate::pipeline) plan: Option<&'a Plan>,
    /// The question as rules read it.
    pub(in crate::pipeline) reading: Option<&'a Reading>,
    /// Whether gates may look at data.
    pub(in crate::pipeline) probe: bool,
}

/// What checking found.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Checked {
    pub(in crate::pipeline) checks: Vec<Check>,
    pub(in crate::pipeline) analysed: bool,
    pub(in crate::pipeline) findings: Vec<Finding>,
    pub(in crate::pipeline) failure: Option<Failure>,
    pub(in crate::pipeline) probes: Vec<Probed>,
    pub(in crate::pipeline) read: Option<(ReadQuery, Binding)>,
}

/// Checks the newest version of the newest attempt.
pub(super) async fn check(flow: &mut Flow) {
    let Some(attempt) = flow.transcript.attempt().cloned() else { return };
    let version = attempt.versions.len() - 1;
    let t = &flow.transcript;
    let text = t.question.text.clone();
    let looked = Looked {
        question: (!text.is_empty()).then_some(text.as_str()),
        hint: t.question.evidence.as_deref(),
        understanding: t.understanding.as_ref(),
        facts: &flow.facts,
        plan: attempt.plan.as_ref(),
        reading: None,
        probe: true,
    };
    let checked = examine(&flow.session, &attempt.last().sql, &looked).await;
    if !checked.probes.is_empty() {
        flow.tell(Happened::Probed { attempt: attempt.n, version, probes: checked.probes }).await;
    }
    flow.tell(Happened::Checked {
        attempt: attempt.n,
        version,
        checks: checked.checks,
        analysed: checked.analysed,
        findings: checked.findings,
        failure: checked.failure,
    })
    .await;
}

/// Checks SQL: parse → bind → prepare → gates. What the engine prepares is never rejected for our
/// parser's or binder's sake: it counts as not analysed.
pub(in crate::pipeline) async fn examine(
    session: &Session,
    text: &str,
    looked: &Looked<'_>,
) -> Checked {
    let mut checked = Checked::default();
    let mut clock = Instant::now();
    let parsed = ReadQuery::parse(text, session.dialect());
    checked.pass(Stage::Parse, parsed.is_ok(), &mut clock);
    let ours = match parsed {
        Ok(query) => {
            let binding = sql::bind(&query, &looked.facts.catalog);
            let wrong = binding.diagnostics.clone();
            checked.pass(Stage::Bind, wrong.is_empty(), &mut clock);
            checked.read = Some((query, binding));
            (!wrong.is_empty()).then_some((Stage::Bind, wrong))
        }
        Err(failure) if failure.stage == Stage::Policy => {
            checked.failure = Some(failure);
            return checked;
        }
        Err(failure) => Some((failure.stage, failure.diagnostics)),
    };
    let theirs = session.database.prepare(text).await;
    match (ours, theirs) {
        (None, Ok(())) => checked.pass(Stage::Prepare, true, &mut clock),
        (Some((_, wrong)), Ok(())) => {
            // the engine decides what is valid; our doubt is worth a word
            checked.overrule(&wrong);
            checked.pass(Stage::Prepare, true, &mut clock);
            return checked;
        }
        (ours, Err(trouble)) => {
            let failure = failure(trouble);
            if ours.is_none() {
                checked.pass(failure.stage, false, &mut clock);
            }
            checked.failure = Some(merged(ours, failure));
            return checked;
        }
    }
    checked.analysed = true;
    ask_gates(session, looked, &mut checked).await;
    checked
}

impl Checked {
    fn pass(&mut self, stage: Stage, ok: bool, clock: &mut Instant) {
        let elapsed_us = u64::try_from(clock.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.checks.push(Check { stage, ok, elapsed_us });
        *clock = Instant::now();
    }

    /// The engine prepares what we can't read: the statement counts as not analysed.
    fn overrule(&mut self, wrong: &[Diagnostic]) {
        for check in &mut self.checks {
            check.ok = true;
        }
        self.read = None;
        let told: Vec<&str> = wrong.iter().map(|d| d.message.as_str()).collect();
        self.findings.push(Finding {
            gate: "not_analysed".to_owned(),
            severity: Severity::Info,
            message: "The engine accepts this SQL, but our own analysis can't read it.".to_owned(),
            evidence: told.join("\n"),
            retryable: false,
            hint: None,
            span: wrong.iter().find_map(|d| d.span),
            rewrite: None,
        });
    }
}

/// Chooses between what we found and what the engine says: ours where we found it too, for its
/// names and suggestions; the engine's where it read the text and we couldn't.
fn merged(ours: Option<(Stage, Vec<Diagnostic>)>, theirs: Failure) -> Failure {
    match ours {
        Some((Stage::Parse, _)) if theirs.code() != "syntax_error" => theirs,
        Some((stage, diagnostics)) if theirs.retryable => {
            Failure { stage, diagnostics, retryable: true }
        }
        Some(_) | None => theirs,
    }
}

/// Turns trouble with the database into a failure that ends the run.
pub(super) fn failure(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Query(failure) => failure,
        Trouble::Database(e) => {
            let mut failure = Failure::new(Stage::Connection, "database", e.to_string());
            for diagnostic in &mut failure.diagnostics {
                diagnostic.suggestions = vec![e.hint().to_owned()];
            }
            failure
        }
    }
}

/// Asks the gates that need no result, and holds the SQL against its plan.
async fn ask_gates(session: &Session, looked: &Looked<'_>, checked: &mut Checked) {
    let Some((query, binding)) = &checked.read else { return };
    let ask = |answers: &[ProbeAnswer]| gates::before(&look(looked, query, binding, answers));
    let (findings, probes) = settle(session, looked.probe, ask).await;
    checked.findings.extend(findings);
    checked.probes.extend(probes);
    if let Some(plan) = looked.plan {
        checked.findings.extend(conform::conform(plan, query, binding, &looked.facts.catalog));
    }
}

/// Lets the gates that need a result look at rows.
pub(in crate::pipeline) async fn look_at_rows(
    session: &Session,
    looked: &Looked<'_>,
    (query, binding): (&ReadQuery, &Binding),
    rows: &Rows,
) -> (Vec<Finding>, Vec<Probed>) {
    let ask = |answers: &[ProbeAnswer]| {
        let before = look(looked, query, binding, answers);
        gates::after(&gates::After { before, rows })
    };
    settle(session, looked.probe, ask).await
}

/// Looks at the first rows of a query that stands, and lets the gates judge them.
pub(in crate::pipeline) async fn preview(
    session: &Session,
    looked: &Looked<'_>,
    checked: &mut Checked,
) {
    let Some((query, binding)) = &checked.read else { return };
    let Ok(rows) = session.database.probe(query.text(), PROBE).await else { return };
    let (findings, probes) = look_at_rows(session, looked, (query, binding), &rows).await;
    checked.findings.extend(findings);
    checked.probes.extend(probes);
}

/// Asks gates, answers the probes they want, and asks again, until they want no more.
pub(super) async fn settle(
    session: &Session,
    probing: bool,
    ask: impl Fn(&[ProbeAnswer]) -> gates::Verdict,
) -> (Vec<Finding>, Vec<Probed>) {
    let mut answers: Vec<ProbeAnswer> = Vec::new();
    let mut told = Vec::new();
    for round in 0..=ROUNDS {
        let verdict = ask(&answers);
        let is_new = |probe: &Probe| !answers.iter().any(|answer| answer.probe == *probe);
        let fresh: Vec<Probe> = verdict.probes.into_iter().filter(is_new).take(PROBES).collect();
        if round == ROUNDS || fresh.is_empty() || !probing {
            return (verdict.findings, told);
        }
        for probe in fresh {
            let rows = session.database.probe(&probe.sql, PROBE).await.ok();
            told.push(probed(&probe, rows.as_ref()));
            answers.push(ProbeAnswer { probe, rows });
        }
    }
    (Vec::new(), told)
}

/// Puts together what gates look at.
pub(super) fn look<'a>(
    looked: &Looked<'a>,
    query: &'a ReadQuery,
    binding: &'a Binding,
    probed: &'a [ProbeAnswer],
) -> gates::Before<'a> {
    gates::Before {
        question: looked.question,
        hint: looked.hint,
        understanding: looked.understanding,
        query,
        binding,
        catalog: &looked.facts.catalog,
        facts: looked.facts,
        plan: looked.plan,
        reading: looked.reading,
        probed,
    }
}

fn probed(probe: &Probe, rows: Option<&Rows>) -> Probed {
    let found = match rows {
        None => "no answer in time".to_owned(),
        Some(rows) if rows.rows.is_empty() => "nothing".to_owned(),
        Some(rows) => {
            let cells: Vec<String> =
                rows.rows.iter().flatten().take(5).map(crate::domain::Value::plain).collect();
            cells.join(", ")
        }
    };
    Probed { purpose: probe.purpose.clone(), sql: probe.sql.clone(), found }
}
