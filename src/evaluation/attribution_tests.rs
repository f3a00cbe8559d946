//! Runs as walks: which lane made the answer right or wrong.

use super::*;
use crate::domain::{
    Answer, Finding, Origin, Repair, Rows, Severity, Stop, StopCode, Transcript, Version,
};

/// The verdict that a text has in its name: `right…`, `wrong…`, else it fails.
fn judge(sql: &str) -> Verdict {
    match sql {
        sql if sql.starts_with("right") => Verdict::Right,
        sql if sql.starts_with("wrong") => Verdict::Wrong,
        _ => Verdict::Failed("no_such_column".to_owned()),
    }
}

/// A version that ran.
fn ran(sql: &str) -> Version {
    Version { sql: sql.to_owned(), rows: Some(Rows::default()), ..Version::default() }
}

/// A version that was refused at a stage.
fn failed(sql: &str, stage: Stage, code: &str) -> Version {
    let failure = Some(Failure::new(stage, code, "no"));
    Version { sql: sql.to_owned(), failure, ..Version::default() }
}

fn mended(kind: &str, version: Version) -> Version {
    let repair = Repair {
        kind: kind.to_owned(),
        from: String::new(),
        to: String::new(),
        evidence: String::new(),
    };
    Version { repair: Some(repair), ..version }
}

fn doubted(gate: &str, severity: Severity, version: Version) -> Version {
    let finding = Finding {
        gate: gate.to_owned(),
        severity,
        message: String::new(),
        evidence: String::new(),
        retryable: true,
        hint: None,
        span: None,
        rewrite: None,
    };
    Version { findings: vec![finding], ..version }
}

fn attempt(n: u32, semantic_retry: bool, versions: Vec<Version>) -> Attempt {
    Attempt {
        n,
        origin: Origin::Model,
        drafted_sql: versions.first().unwrap().sql.clone(),
        plan: None,
        repair_note: String::new(),
        calls: Vec::new(),
        semantic_retry,
        candidate: None,
        versions,
        started_us: 0,
        ended_us: 0,
        closed: true,
    }
}

fn answer(status: Status, stop: Option<StopCode>, chosen: Option<(u32, usize)>) -> Answer {
    let stop = stop.map(|code| Stop { code, message: String::new(), hint: String::new() });
    Answer {
        status,
        stop,
        clarify: None,
        trust: None,
        reasons: Vec::new(),
        assumptions: Vec::new(),
        summary: String::new(),
        chosen,
    }
}

fn run(attempts: Vec<Attempt>, answer: Answer) -> Transcript {
    let mut t = Transcript::default();
    t.attempts = attempts;
    t.answer = Some(answer);
    t
}

fn answered(attempts: Vec<Attempt>, chosen: (u32, usize)) -> Transcript {
    run(attempts, answer(Status::Answered, None, Some(chosen)))
}

fn ended(attempts: Vec<Attempt>, status: Status, code: StopCode) -> Transcript {
    run(attempts, answer(status, Some(code), None))
}

/// Walks a run and writes its steps as `lane kind before>after`.
#[track_caller]
fn check(t: &Transcript, recorded: Option<&str>, ends: (&str, &str), steps: &[&str]) {
    let walk = walk(t, recorded, &judge);
    let told: Vec<String> = walk
        .moves
        .iter()
        .map(|m| {
            let (lane, before, after) = (m.lane.name(), m.before.name(), m.after.name());
            format!("{lane} {} {before}>{after}", m.detail)
        })
        .collect();
    assert_eq!(told, steps);
    assert_eq!((walk.first.name(), walk.last.name()), ends);
    let hits = |of: &dyn Fn(&Move) -> bool| walk.moves.iter().filter(|m| of(m)).count();
    let right = |verdict: &Verdict| usize::from(verdict.right());
    assert_eq!(
        right(&walk.first) + hits(&Move::fixed),
        right(&walk.last) + hits(&Move::broke),
        "steps join"
    );
}

#[test]
fn an_answer_that_nothing_was_done_to_has_no_steps() {
    let t = answered(vec![attempt(1, false, vec![ran("wrong")])], (1, 0));
    check(&t, Some("wrong;\n"), ("wrong", "wrong"), &[]);
    check(&t, None, ("wrong", "wrong"), &[]);
}

#[test]
fn a_reply_that_only_reading_makes_sql_of_is_fixed_by_reading() {
    let t = answered(vec![attempt(1, false, vec![ran("right")])], (1, 0));
    let steps = ["reading  no_such_column>right"];
    check(&t, Some("```sql\nright\n```"), ("no_such_column", "right"), &steps);
}

#[test]
fn each_rewrite_is_a_step_of_local_repair() {
    let versions = vec![
        failed("one", Stage::Bind, "no_such_column"),
        mended("wrong_table", failed("two", Stage::Prepare, "ambiguous_column")),
        mended("ambiguous_name", ran("right")),
    ];
    let t = answered(vec![attempt(1, false, versions)], (1, 2));
    let steps = [
        "local_repair wrong_table no_such_column>no_such_column",
        "local_repair ambiguous_name no_such_column>right",
    ];
    check(&t, None, ("no_such_column", "right"), &steps);
}

#[test]
fn a_right_query_that_is_refused_is_broken_by_the_check_and_fixed_by_the_retry() {
    let refused = failed("right one", Stage::Bind, "no_such_table");
    let attempts =
        vec![attempt(1, false, vec![refused]), attempt(2, false, vec![ran("right two")])];
    let steps = [
        "check no_such_table right>no_such_table",
        "error_retry no_such_table no_such_table>right",
    ];
    check(&answered(attempts, (2, 0)), Some("right one"), ("right", "right"), &steps);
}

#[test]
fn a_semantic_retry_counts_only_if_it_is_taken() {
    let first = || attempt(1, false, vec![doubted("fan_out", Severity::Warning, ran("wrong"))]);
    let retry = || attempt(2, true, vec![ran("right")]);
    let taken = ["semantic_retry fan_out wrong>right"];
    check(&answered(vec![first(), retry()], (2, 0)), None, ("wrong", "right"), &taken);
    let aside = ["semantic_retry fan_out wrong>wrong"];
    check(&answered(vec![first(), retry()], (1, 0)), None, ("wrong", "wrong"), &aside);
}

#[test]
fn a_semantic_retry_that_was_mended_is_one_step() {
    let first = attempt(1, false, vec![doubted("top_n", Severity::Warning, ran("right one"))]);
    let versions = vec![
        failed("two", Stage::Bind, "no_such_column"),
        mended("unknown_name", ran("right two")),
    ];
    let t = answered(vec![first, attempt(2, true, versions)], (2, 1));
    check(&t, None, ("right", "right"), &["semantic_retry top_n right>right"]);
}

#[test]
fn a_retry_that_no_reply_came_to_is_told() {
    let first = attempt(1, false, vec![doubted("top_n", Severity::Warning, ran("right"))]);
    let mut t = answered(vec![first], (1, 0));
    t.failures.push(Failure::new(Stage::Model, "model", "no more replies"));
    check(&t, None, ("right", "right"), &["semantic_retry top_n, no reply right>right"]);
}

#[test]
fn a_blocking_gate_takes_the_answer_away() {
    let blocked = doubted("fan_out", Severity::Blocking, ran("wrong"));
    let t = ended(vec![attempt(1, false, vec![blocked])], Status::GaveUp, StopCode::Budget);
    let steps = ["gate fan_out wrong>blocked"];
    check(&t, None, ("wrong", "unanswered"), &steps);
}

#[test]
fn declining_and_giving_up_are_lanes_too() {
    let declined = ended(Vec::new(), Status::Declined, StopCode::WriteRequest);
    let steps = ["understanding write_request right>unanswered"];
    check(&declined, Some("right"), ("right", "unanswered"), &steps);
    let late =
        ended(vec![attempt(1, false, vec![ran("right")])], Status::GaveUp, StopCode::Deadline);
    check(&late, None, ("right", "unanswered"), &["ending deadline right>unanswered"]);
    let slow = failed("right", Stage::Limit, "timeout");
    let late = ended(vec![attempt(1, false, vec![slow])], Status::GaveUp, StopCode::Deadline);
    check(&late, None, ("right", "unanswered"), &["ending timeout right>timeout"]);
}

#[test]
fn an_error_that_stays_is_no_step() {
    let refused = || failed("none", Stage::Bind, "no_such_column");
    let attempts = vec![attempt(1, false, vec![refused()]), attempt(2, false, vec![refused()])];
    let t = ended(attempts, Status::GaveUp, StopCode::NoProgress);
    let steps = ["error_retry no_such_column no_such_column>no_such_column"];
    check(&t, None, ("no_such_column", "unanswered"), &steps);
}
