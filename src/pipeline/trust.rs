//! How far an answer can be trusted, and why. Pure. Nothing here grants `certified` to SQL that
//! merely ran: only a person's verified pair or approved metrics do (S1-023).

use crate::domain::{Attempt, Finding, Origin, Severity, Transcript, Trust, Version};
use crate::sql::sameness;

use super::agreement::{self, Agreement};
use super::ending::Known;

/// Judges the version that is the answer.
pub(super) fn judge(
    t: &Transcript,
    attempt: &Attempt,
    version: &Version,
    known: &Known,
) -> (Trust, Vec<String>) {
    let mut open = doubts(t, attempt, version);
    if let Some(reason) = certificate(t, attempt, version, known, open.is_empty()) {
        let mut reasons = vec![reason];
        reasons.append(&mut open);
        return (Trust::Certified, reasons);
    }
    if open.is_empty() {
        let mut reasons = proofs(attempt, version);
        reasons.extend(thorough(t, attempt));
        (Trust::Grounded, reasons)
    } else {
        open.extend(thorough(t, attempt));
        (Trust::NeedsReview, open)
    }
}

/// Lists everything that speaks against trusting a version.
fn doubts(t: &Transcript, attempt: &Attempt, version: &Version) -> Vec<String> {
    let mut open: Vec<String> = warnings(version).map(|f| f.message.clone()).collect();
    if !version.analysed {
        open.push("Our own parser can't read this SQL, so no gate has looked at it.".to_owned());
    }
    if let Some(why) = version.rows.as_ref().and_then(|rows| rows.stopped.as_ref()) {
        open.push(format!("The result is not whole: reading {why}."));
    }
    for other in t.attempts.iter().filter(|a| a.semantic_retry && a.n != attempt.n) {
        let beside: Vec<&str> = warnings(other.last()).map(|f| f.message.as_str()).collect();
        let failure = other.last().failure.as_ref().map(crate::domain::Failure::message);
        let why = failure.unwrap_or_else(|| beside.join(" "));
        open.push(format!("A retry (attempt {}) was set aside: {why}", other.n));
    }
    if let Some(failure) = t.failures.last() {
        open.push(format!(
            "A retry could not be drafted: {}.",
            failure.message().trim_end_matches('.')
        ));
    }
    if let Agreement::Against(words) = agreement::evidence(t, attempt) {
        open.push(words);
    }
    if let Some(judgement) = t.judgement.as_ref().filter(|judged| judged.agrees == Some(false)) {
        let differs = judgement.words.trim_end_matches('.');
        open.push(format!("A judge finds that the SQL answers another question: {differs}."));
    }
    open
}

/// Lists what the optional lanes found that speaks for an answer, or why they found nothing.
fn thorough(t: &Transcript, attempt: &Attempt) -> Vec<String> {
    let mut told = Vec::new();
    if let Agreement::For(words) = agreement::evidence(t, attempt) {
        told.push(words);
    }
    match t.judgement.as_ref().map(|judged| (judged.agrees, judged.words.trim_end_matches('.'))) {
        Some((Some(true), _)) => {
            told.push(
                "Put back into words, a judge finds that it answers the question.".to_owned(),
            );
        }
        Some((None, why)) => told.push(format!("No judge looked at it: {why}.")),
        Some((Some(false), _)) | None => {}
    }
    told
}

fn warnings(version: &Version) -> impl Iterator<Item = &Finding> {
    version.findings.iter().filter(|finding| finding.severity >= Severity::Warning)
}

/// Finds what certifies a version: a verified pair, or approved metrics compiled without a doubt.
fn certificate(
    t: &Transcript,
    attempt: &Attempt,
    version: &Version,
    known: &Known,
    no_doubt: bool,
) -> Option<String> {
    let dialect = crate::domain::Dialect::default();
    let print = sameness::fingerprint(&version.sql, dialect);
    let asked = plain(&t.question.text);
    let pair = known.verified.iter().find(|pair| {
        plain(&pair.question) == asked && sameness::fingerprint(&pair.sql, dialect) == print
    });
    if let Some(pair) = pair {
        return Some(format!("Equals a pair that {} verified.", pair.verified_by));
    }
    let plan = attempt.plan.as_ref()?;
    let compiled = matches!(attempt.origin, Origin::Rules | Origin::Plan);
    let approved =
        |name: &Option<String>| name.as_ref().is_some_and(|n| known.approved.contains(n));
    let all = !plan.measures.is_empty() && plan.measures.iter().all(|m| approved(&m.metric));
    // What an approved metric is was agreed on by people: saying it assumes nothing.
    let agreed = |assumption: &String| {
        let named = plan.measures.iter().filter_map(|m| m.metric.as_ref());
        named.into_iter().any(|name| assumption.starts_with(&format!("{name} is ")))
    };
    (compiled && all && no_doubt && plan.assumptions.iter().all(agreed))
        .then(|| "Compiled from approved metrics.".to_owned())
}

/// Folds a question to what makes it the same question.
fn plain(question: &str) -> String {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn proofs(attempt: &Attempt, version: &Version) -> Vec<String> {
    let noted: Vec<&Finding> =
        version.findings.iter().filter(|f| f.severity < Severity::Warning).collect();
    let gates = if noted.is_empty() { "no gate found a fault" } else { "no gate warns" };
    let mut reasons = vec![
        "Every name is in the catalog.".to_owned(),
        format!("The engine prepared it, it ran read-only, and {gates}."),
    ];
    reasons.extend(noted.iter().map(|f| format!("Noted: {}.", f.message.trim_end_matches('.'))));
    if version.repair.is_some() {
        let mended: Vec<String> = attempt
            .versions
            .iter()
            .filter_map(|v| v.repair.as_ref())
            .map(|r| format!("{} → {}", r.from, r.to))
            .collect();
        reasons.push(format!("Mended here before running: {}.", mended.join(", ")));
    }
    reasons
}
