//! Runs with repairs and findings, and what the ledger must say of them.

use super::*;
use crate::domain::{Answer, Finding, Origin, Question, Repair, Rows, Status, Version};

fn finding(gate: &str) -> Finding {
    Finding {
        gate: gate.into(),
        severity: Severity::Warning,
        message: format!("{gate} says so"),
        evidence: String::new(),
        retryable: true,
        hint: None,
        span: None,
        rewrite: None,
    }
}

fn version(sql: &str, repaired: Option<&str>, gates: &[&str]) -> Version {
    let repair = |to: &str| Repair {
        kind: "unknown_name".into(),
        from: "x".into(),
        to: to.into(),
        evidence: String::new(),
    };
    Version {
        sql: sql.into(),
        repair: repaired.map(repair),
        findings: gates.iter().map(|gate| finding(gate)).collect(),
        rows: Some(Rows::default()),
        analysed: true,
        ..Version::default()
    }
}

fn attempt(n: u32, versions: Vec<Version>) -> Attempt {
    Attempt {
        n,
        origin: Origin::Model,
        drafted_sql: String::new(),
        plan: None,
        repair_note: String::new(),
        calls: Vec::new(),
        semantic_retry: false,
        candidate: None,
        versions,
        started_us: 0,
        ended_us: 0,
        closed: true,
    }
}

fn run(id: &str, attempts: Vec<Attempt>, chosen: Option<u32>, good: Option<bool>) -> Noted {
    let of = chosen.and_then(|n| attempts.iter().find(|a| a.n == n));
    let chosen = of.map(|attempt| (attempt.n, attempt.versions.len() - 1));
    let status = if chosen.is_some() { Status::Answered } else { Status::GaveUp };
    let answer = Answer {
        status,
        stop: None,
        clarify: None,
        trust: None,
        reasons: Vec::new(),
        assumptions: Vec::new(),
        summary: String::new(),
        chosen,
    };
    let mut run = Transcript::default();
    run.run = RunId(id.into());
    run.attempts = attempts;
    run.answer = Some(answer);
    Noted { run, good }
}

/// A run that a person made from another by editing its SQL.
fn edited(parent: &str, sql: &str, gates: &[&str]) -> Noted {
    let mut child = run("edit", vec![attempt(1, vec![version(sql, None, gates)])], Some(1), None);
    child.run.question = Question {
        sql: Some(sql.into()),
        parent: Some(RunId(parent.into())),
        ..Question::default()
    };
    child
}

fn mended(id: &str, good: Option<bool>) -> Noted {
    let versions =
        vec![version("SELECT x", None, &[]), version("SELECT price", Some("price"), &[])];
    run(id, vec![attempt(1, versions)], Some(1), good)
}

/// Times fired, runs, kept, undone, right, wrong.
fn counts(entry: &Entry) -> [u64; 6] {
    [entry.fired, entry.runs, entry.kept, entry.undone, entry.right, entry.wrong]
}

#[test]
fn a_repair_is_kept_while_the_answer_holds_what_it_wrote() {
    let ledger =
        Ledger::of(&[mended("a", Some(true)), mended("b", Some(false)), mended("c", None)]);
    assert_eq!((ledger.runs, ledger.judged), (3, 2));
    assert_eq!(counts(&ledger.repairs[0]), [3, 3, 3, 0, 1, 1]);
}

#[test]
fn a_hand_edit_that_takes_it_out_undoes_it() {
    let kept = Ledger::of(&[mended("a", None), edited("a", "SELECT price, 1", &[])]);
    assert_eq!(counts(&kept.repairs[0]), [1, 1, 1, 0, 0, 0]);
    let undone = Ledger::of(&[mended("a", None), edited("a", "SELECT cost", &[])]);
    assert_eq!(counts(&undone.repairs[0]), [1, 1, 0, 1, 0, 0]);
    let elsewhere = Ledger::of(&[mended("a", None), edited("other", "SELECT cost", &[])]);
    assert_eq!(counts(&elsewhere.repairs[0]), [1, 1, 1, 0, 0, 0]);
}

#[test]
fn a_retry_that_takes_its_place_undoes_it() {
    let first = vec![version("SELECT x", None, &["fan_out"])];
    let second = vec![version("SELECT y", None, &[])];
    let retried = run("a", vec![attempt(1, first), attempt(2, second)], Some(2), Some(true));
    let ledger = Ledger::of(&[retried]);
    assert_eq!(counts(&ledger.gates[0]), [1, 1, 0, 1, 1, 0]);
}

#[test]
fn a_finding_that_stands_on_the_answer_is_kept() {
    let versions = vec![version("SELECT x", None, &["fan_out", "top_n"])];
    let ledger = Ledger::of(&[run("a", vec![attempt(1, versions)], Some(1), Some(false))]);
    let names: Vec<&str> = ledger.gates.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["fan_out", "top_n"]);
    assert_eq!(counts(&ledger.gates[0]), [1, 1, 1, 0, 0, 1]);
}

#[test]
fn without_an_answer_nothing_is_kept_or_undone() {
    let versions = vec![version("SELECT x", Some("x"), &["fan_out"])];
    let ledger = Ledger::of(&[run("a", vec![attempt(1, versions)], None, None)]);
    assert_eq!(counts(&ledger.repairs[0]), [1, 1, 0, 0, 0, 0]);
    assert_eq!(counts(&ledger.gates[0]), [1, 1, 0, 0, 0, 0]);
}

#[test]
fn what_fires_most_often_comes_first() {
    let often = vec![version("SELECT x", None, &["top_n"])];
    let both = vec![version("SELECT x", None, &["fan_out", "top_n"])];
    let ledger = Ledger::of(&[
        run("a", vec![attempt(1, both)], Some(1), None),
        run("b", vec![attempt(1, often)], Some(1), None),
    ]);
    let names: Vec<&str> = ledger.gates.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["top_n", "fan_out"]);
}
