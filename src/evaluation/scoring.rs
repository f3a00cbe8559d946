//! From a finished run to its score: every text of it is run by the engine alone and judged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::domain::tokens;
use crate::domain::{Attempt, Call, ComponentKind, Severity, Status, Transcript, Version};

use super::attribution::{self, Verdict};
use super::judge::{Judge, Outcome, orders};
use super::score::{Bare, Cost, Draft, Scored};
use super::suite::Item;

/// The gold results of a question, and what is odd about them.
pub(super) type Golds = (Vec<Arc<Outcome>>, Option<String>);

/// Runs the gold SQL of a question; an error when none of it runs.
pub(super) async fn golds(judge: &Judge, item: &Item) -> Result<Golds, String> {
    let mut golds = Vec::new();
    let mut failed = Vec::new();
    for (n, sql) in item.golds.iter().enumerate() {
        let outcome = judge.gold(sql).await;
        match outcome.as_ref() {
            Outcome::Rows(_) => golds.push(outcome),
            Outcome::Failed { class, message } => {
                failed.push(format!("gold {} of {}: {class}: {message}", n + 1, item.golds.len()));
            }
        }
    }
    if golds.is_empty() {
        return Err(format!("the gold SQL doesn't run: {}", failed.join("; ")));
    }
    let note = (!failed.is_empty()).then(|| format!("doesn't run: {}", failed.join("; ")));
    Ok((golds, note))
}

/// A finished run, to be judged.
pub(super) struct Finished<'a> {
    pub(super) item: &'a Item,
    pub(super) transcript: &'a Transcript,
    /// Recorded answers, as many as the run had attempts to spend.
    pub(super) samples: Option<Vec<String>>,
    pub(super) golds: Vec<Arc<Outcome>>,
    pub(super) timeout: Duration,
}

impl Finished<'_> {
    /// Judges every text of the run and scores it.
    pub(super) async fn score(&self, judge: &Judge) -> Scored {
        let outcomes = self.outcomes(judge).await;
        let verdicts: BTreeMap<&str, Verdict> =
            outcomes.iter().map(|(sql, outcome)| (*sql, outcome.verdict(&self.golds))).collect();
        let verdict = |sql: &str| verdicts.get(sql).cloned().unwrap_or(Verdict::Unanswered);
        let (t, samples) = (self.transcript, self.samples.as_deref());
        let first = samples.and_then(<[String]>::first).map(String::as_str);
        let walk = attribution::walk(t, first, &verdict);
        let chosen = t.chosen();
        let answer = t.answer.as_ref();
        let sql = chosen.map(|(_, version)| version.sql.clone());
        let gold = self.item.golds.first().cloned().unwrap_or_default();
        let ordered = walk.last.right() && orders(&gold);
        let drafted = t.attempts.first();
        Scored {
            place: self.item.place,
            id: self.item.id.clone(),
            db: self.item.db.clone().unwrap_or_else(|| t.database.clone()),
            question: self.item.question.clone(),
            first_sql: first.or(drafted.map(|a| a.drafted_sql.as_str())).map(str::to_owned),
            status: answer.map_or(Status::Cancelled, |answer| answer.status),
            stop: answer.and_then(|answer| answer.stop.as_ref()).map(|stop| stop.code),
            trust: answer.and_then(|answer| answer.trust),
            error: error(t),
            right_at_once: walk.last.right() && chosen.is_some_and(|(attempt, _)| attempt.n == 1),
            row_order: sql
                .as_deref()
                .filter(|_| ordered)
                .and_then(|sql| outcomes.get(sql))
                .map(|outcome| outcome.in_order_of(&self.golds)),
            bare: samples.map(|samples| bare(samples, &verdict)),
            draft: drafted.map(|attempt| draft(attempt, &verdict)),
            cost: cost(t),
            gold,
            sql,
            walk,
        }
    }

    /// Runs every text once; what the run itself kept whole is not run again.
    async fn outcomes(&self, judge: &Judge) -> BTreeMap<&str, Outcome> {
        let mut outcomes = BTreeMap::new();
        let versions = || self.transcript.attempts.iter().flat_map(|a| a.versions.iter());
        for version in versions() {
            if let Some(outcome) = version.rows.as_ref().and_then(Outcome::of_run) {
                outcomes.insert(version.sql.as_str(), outcome);
            }
        }
        let samples = self.samples.iter().flatten().map(String::as_str);
        let drafted = self.transcript.attempts.iter().map(|a| a.drafted_sql.as_str());
        for sql in samples.chain(drafted).chain(versions().map(|v| v.sql.as_str())) {
            if !outcomes.contains_key(sql) {
                outcomes.insert(sql, judge.run(sql, self.timeout).await);
            }
        }
        outcomes
    }
}

/// Takes the first sample that runs, as one would who only hears the engine's errors.
fn bare(samples: &[String], verdict: &dyn Fn(&str) -> Verdict) -> Bare {
    let mut bare = Bare { last: Verdict::Unanswered, attempts: 0 };
    for sample in samples {
        bare.attempts += 1;
        bare.last = verdict(sample);
        if bare.last.runs() {
            break;
        }
    }
    bare
}

fn draft(attempt: &Attempt, verdict: &dyn Fn(&str) -> Verdict) -> Draft {
    let first = attempt.versions.first();
    let failure = first.and_then(|version| version.failure.as_ref());
    let refused = failure.filter(|failure| attribution::refused(failure));
    let last = attempt.last();
    let mended = match &last.failure {
        Some(failure) => Verdict::Failed(failure.code().to_owned()),
        None => verdict(&last.sql),
    };
    Draft {
        verdict: verdict(&attempt.drafted_sql),
        refused: refused.map(|f| f.diagnostics.iter().map(|d| d.code.clone()).collect()),
        warnings: first.map(warnings).unwrap_or_default(),
        mended: (attempt.versions.len() > 1).then_some(mended),
    }
}

fn warnings(version: &Version) -> Vec<String> {
    let mut gates: Vec<String> = Vec::new();
    for finding in version.findings.iter().filter(|f| f.severity >= Severity::Warning) {
        if !gates.contains(&finding.gate) {
            gates.push(finding.gate.clone());
        }
    }
    gates
}

/// Returns the class of the error that a run ended with, if it has no answer.
fn error(t: &Transcript) -> Option<String> {
    let answer = t.answer.as_ref()?;
    if !matches!(answer.status, Status::GaveUp) {
        return None;
    }
    let last = t.attempt().map(Attempt::last);
    let class = match last {
        Some(version) if version.blocked() => Some("blocked"),
        Some(version) => version.failure.as_ref().map(crate::domain::Failure::code),
        None => t.failures.last().map(crate::domain::Failure::code),
    };
    class.or_else(|| answer.stop.as_ref().map(|stop| stop.code.name())).map(str::to_owned)
}

fn cost(t: &Transcript) -> Cost {
    let mut included: Vec<ComponentKind> =
        t.packages.iter().flat_map(crate::domain::ContextPackage::included).collect();
    included.sort_unstable();
    included.dedup();
    // a request that was answered carries its hash
    let answered = |call: &&Call| !call.request.is_empty();
    let calls = t.calls().filter(answered).count();
    let versions = || t.attempts.iter().flat_map(|a| a.versions.iter());
    Cost {
        attempts: t.attempts.len(),
        calls,
        unanswered_calls: t.calls().count() - calls,
        usage: t.usage(),
        sent_tokens: t.calls().filter(answered).map(tokens::sent).sum(),
        package_tokens: t.packages.first().map_or(0, |package| u64::from(package.tokens)),
        included,
        elapsed_us: t.elapsed_us,
        model_us: t.calls().map(|call| call.elapsed_us).sum(),
        engine_us: versions().map(|version| version.run_us).sum(),
    }
}
