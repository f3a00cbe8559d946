//! Checking SQL apart from a run: the same examination and the same repairs, nothing recorded.

use crate::domain::{Diagnostic, Facts, Failure, Finding, Question, Repair};
use crate::plan;
use crate::repair::{self, Advice};

use super::opening::SessionError;
use super::session::Session;
use super::steps::{Checked, Looked, examine, preview};

/// Rewrites at most, as within an attempt (P2).
const REWRITES: usize = 3;

/// SQL to be checked without running it.
#[derive(Debug, Clone, Default)]
pub struct CheckRequest {
    /// The SQL.
    pub sql: String,
    /// The question it shall answer, for the gates that need one.
    pub question: Option<String>,
    /// Whether gates and repairs may look at data.
    pub probe: bool,
    /// Whether local repair is tried.
    pub repair: bool,
}

/// What checking found.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// `ok`, `repaired` or `rejected`.
    pub status: &'static str,
    /// False when only the engine could read it.
    pub analysed: bool,
    /// The SQL last checked.
    pub sql: String,
    /// What was wrong with the SQL as given.
    pub diagnostics: Vec<Diagnostic>,
    /// Rewrites.
    pub repairs: Vec<Repair>,
    /// What gates say of the SQL last checked.
    pub findings: Vec<Finding>,
    /// Microseconds.
    pub elapsed_us: u64,
}

/// Checks SQL; local repairs are tried until it stands or they abstain.
pub(super) async fn check(
    session: &Session,
    request: &CheckRequest,
) -> Result<CheckReport, SessionError> {
    let facts = facts(session, request).await;
    let question = request
        .question
        .as_ref()
        .map(|text| Question { text: text.clone(), ..Question::default() });
    let understanding = match &question {
        Some(question) => Some(session.understand(question, &facts).await),
        None => None,
    };
    let reading = question.as_ref().zip(understanding.as_ref()).filter(|_| request.probe);
    let reading = reading.and_then(|(q, known)| plan::rules::sure::read(q, known, &facts));
    let looked = Looked {
        question: request.question.as_deref(),
        hint: None,
        understanding: understanding.as_ref(),
        facts: &facts,
        plan: None,
        reading: reading.as_ref(),
        probe: request.probe,
    };
    let mut sql = request.sql.clone();
    let mut repairs = Vec::new();
    let first = examine(session, &sql, &looked).await;
    let diagnostics = first.failure.as_ref().map(|f| f.diagnostics.clone()).unwrap_or_default();
    let mut last = first;
    while let Some(failure) =
        last.failure.clone().filter(|_| request.repair && repairs.len() < REWRITES)
    {
        let Some((mended, repair)) = mend(session, &sql, &failure, &facts) else { break };
        sql = mended;
        repairs.push(repair);
        last = examine(session, &sql, &looked).await;
    }
    if request.probe && last.failure.is_none() {
        preview(session, &looked, &mut last).await;
    }
    Ok(report(request, sql, repairs, diagnostics, last))
}

async fn facts(session: &Session, request: &CheckRequest) -> Facts {
    // without a look at data, values would have to be read first: gates then go by the catalog
    let mut facts = session.schema_facts().await;
    if request.probe || request.question.is_some() {
        facts.values = session.values().await;
    }
    facts
}

fn mend(
    session: &Session,
    sql: &str,
    failure: &Failure,
    facts: &Facts,
) -> Option<(String, Repair)> {
    if !failure.retryable {
        return None;
    }
    let broken = repair::Broken {
        sql,
        failure,
        catalog: &facts.catalog,
        values: &facts.values,
        dialect: session.dialect(),
    };
    match repair::advise(&broken) {
        Advice::Rewrite { sql: mended, repair } if mended != sql => Some((mended, repair)),
        Advice::Rewrite { .. } | Advice::Abstain(_) => None,
    }
}

fn report(
    request: &CheckRequest,
    sql: String,
    repairs: Vec<Repair>,
    diagnostics: Vec<Diagnostic>,
    last: Checked,
) -> CheckReport {
    let rejected = last.failure.is_some();
    let status = match (rejected, repairs.is_empty()) {
        (true, _) => "rejected",
        (false, true) => "ok",
        (false, false) => "repaired",
    };
    CheckReport {
        status,
        analysed: last.analysed,
        // a half-mended text helps nobody: what is rejected is shown as given
        sql: if rejected { request.sql.clone() } else { sql },
        diagnostics,
        repairs: if rejected { Vec::new() } else { repairs },
        findings: last.findings,
        elapsed_us: 0,
    }
}
