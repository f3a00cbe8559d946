//! The lanes of `--thorough`: candidates grouped by result, and the judge that only reports. Models are
//! scripts; each reply stands where the call for it comes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]

mod program;

use program::{Ended, Home};
use serde_json::Value as Json;

const QUESTION: &str = "How many bookings are there?";
const AGREES: &str = r#"{"agrees": true, "difference": ""}"#;
const ALL: &str = "SELECT COUNT(*) AS n FROM bookings";
const ALL_TOO: &str = "SELECT COUNT(id) AS bookings FROM bookings";
const ONE_MORE: &str = "SELECT SUM(1) AS n FROM bookings";
const CONFIRMED: &str = "SELECT COUNT(*) AS n FROM bookings WHERE status = 'confirmed'";

fn script(home: &Home, replies: &[&str]) -> String {
    let listed = replies.iter().map(|reply| format!("[[reply]]\ntext = '''\n{reply}\n'''"));
    let text = listed.collect::<Vec<_>>().join("\n");
    std::fs::write(home.file("script.toml"), text).unwrap();
    format!("script:{}", home.file("script.toml").display())
}

fn asked(home: &Home, replies: &[&str], more: &[&str]) -> Ended {
    asked_about(home, QUESTION, replies, more)
}

fn asked_about(home: &Home, question: &str, replies: &[&str], more: &[&str]) -> Ended {
    let model = script(home, replies);
    let mut arguments =
        vec!["ask", "--db", "demo:reservo", "--model", &model, "--json", "--thorough", "--trace"];
    arguments.extend(more);
    arguments.push(question);
    home.run(&arguments)
}

fn ask(replies: &[&str], more: &[&str]) -> Json {
    asked(&Home::new(), replies, more).json()
}

#[track_caller]
fn has_reason(run: &Json, wanted: &str) {
    let reasons = run["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|r| r == wanted), "{wanted} is not among {reasons:#?}");
}

#[test]
fn candidates_that_agree_and_a_judge_that_agrees_are_reasons_to_trust() {
    let run = ask(&[ALL, ALL_TOO, ONE_MORE, AGREES], &[]);
    assert_eq!(run["status"], "answered");
    assert_eq!(run["trust"], "grounded", "{}", run["reasons"]);
    assert_eq!(run["rows"][0][0], 23);
    assert_eq!(run["sql"], ALL, "the answer that stood stays");
    assert_eq!(run["attempts"].as_array().unwrap().len(), 3);
    assert_eq!(run["usage"]["model_calls"], 4);
    has_reason(&run, "3 of 3 candidates gave the same rows.");
    has_reason(&run, "Put back into words, a judge finds that it answers the question.");
}

/// Rules don't read this question, so that no gate has a reading to hold the first answer against.
const UNREAD: &str = "Roughly what came of the bookings, as one figure?";

#[test]
fn an_answer_that_passes_every_gate_stays_against_one_more_and_wants_a_review() {
    let run = asked_about(&Home::new(), UNREAD, &[CONFIRMED, ALL, ALL_TOO, AGREES], &[]).json();
    assert_eq!(run["sql"], CONFIRMED, "{run:#}");
    assert_eq!(run["trust"], "needs_review");
    has_reason(
        &run,
        "The candidates disagree: 1 of 3 gave these rows, attempts 2 and 3 gave others.",
    );
}

#[test]
fn a_group_that_clearly_outnumbers_the_answer_is_taken_and_wants_a_review() {
    let home = Home::new();
    std::fs::create_dir_all(home.file("config/querent")).unwrap();
    std::fs::write(home.file("config/querent/config.toml"), "[budgets]\ncandidates = 4\n").unwrap();
    let replies = [CONFIRMED, ALL, ALL_TOO, ONE_MORE, AGREES];
    let run = asked_about(&home, UNREAD, &replies, &[]).json();
    assert_eq!(run["sql"], ALL, "{run:#}");
    assert_eq!(run["rows"][0][0], 23);
    assert_eq!(run["trust"], "needs_review");
    has_reason(&run, "The candidates disagree: 3 of 4 gave these rows, attempt 1 gave others.");
}

#[test]
fn where_no_two_agree_the_first_answer_stays() {
    let other = "SELECT COUNT(*) AS n FROM bookings WHERE status = 'pending'";
    let run = ask(&[ALL, CONFIRMED, other, AGREES], &[]);
    assert_eq!(run["sql"], ALL);
    assert_eq!(run["trust"], "needs_review");
    has_reason(
        &run,
        "The candidates disagree: 1 of 3 gave these rows, attempts 2 and 3 gave others.",
    );
}

#[test]
fn a_judge_reports_and_never_rewrites() {
    let differs = r#"{"agrees": false, "difference": "it counts cancelled bookings too", "corrected_sql_query": "SELECT 99 AS n"}"#;
    let run = ask(&[ALL, ALL_TOO, ONE_MORE, differs], &[]);
    assert_eq!(run["sql"], ALL);
    assert_eq!(run["rows"][0][0], 23);
    assert_eq!(run["trust"], "needs_review");
    has_reason(
        &run,
        "A judge finds that the SQL answers another question: it counts cancelled bookings too.",
    );
}

#[test]
fn a_broken_verdict_is_asked_for_again_twice_at_most() {
    let run =
        ask(&[ALL, ALL_TOO, ONE_MORE, "Looks fine!", "```json\n{\"agrees\": \"yes\",}\n```"], &[]);
    assert_eq!(
        (run["trust"].as_str(), &run["usage"]["model_calls"]),
        (Some("grounded"), &5.into())
    );
    let run = ask(&[ALL, ALL_TOO, ONE_MORE, "fine", "{\"agrees\": ", "exec('yes')", AGREES], &[]);
    assert_eq!(run["usage"]["model_calls"], 6);
    assert_eq!(run["trust"], "grounded", "no verdict is no evidence against it");
    has_reason(
        &run,
        "No judge looked at it: its verdict can't be used: the reply doesn't say whether the query agrees.",
    );
}

#[test]
fn a_judge_is_not_asked_about_no_rows() {
    let none = "SELECT id FROM bookings WHERE hours > 11";
    let home = Home::new();
    let ended = asked(&home, &[none, none, none, none, none], &[]);
    assert_eq!(ended.json()["row_count"], 0);
    assert!(ended.err.contains("\"event\":\"compared\""), "{}", ended.err);
    assert!(!ended.err.contains("\"event\":\"judged\""), "{}", ended.err);
}

#[test]
fn candidates_and_judge_count_against_the_calls() {
    let run = ask(&[ALL, ALL_TOO], &["--max-calls", "2"]);
    assert_eq!(run["usage"]["model_calls"], 2);
    has_reason(&run, "2 of 2 candidates gave the same rows.");
    let run = ask(&[ALL], &["--max-calls", "1"]);
    assert_eq!(
        (run["status"].as_str(), &run["usage"]["model_calls"]),
        (Some("answered"), &1.into())
    );
}

#[test]
fn candidates_spend_no_attempt_and_a_failing_one_is_no_failure_of_the_run() {
    let run = ask(&[ALL, "DELETE FROM bookings", ALL_TOO, AGREES], &["--max-attempts", "1"]);
    assert_eq!(run["status"], "answered");
    assert_eq!(run["attempts"][1]["error"]["stage"], "policy");
    assert_eq!(run["trust"], "grounded", "{}", run["reasons"]);
    has_reason(&run, "2 of 3 candidates gave the same rows; 1 came to no result.");
}

#[test]
fn a_candidate_is_mended_here_like_any_draft() {
    let misspelt = "SELECT COUNT(prise_cents) AS n FROM bookings";
    let run = ask(&[ALL, misspelt, ALL_TOO, AGREES], &[]);
    assert_eq!(run["attempts"][1]["repairs"][0]["to"], "price_cents");
    has_reason(&run, "3 of 3 candidates gave the same rows.");
}

#[test]
fn a_model_that_has_no_further_reply_ends_the_candidates_and_not_the_run() {
    let run = ask(&[ALL], &[]);
    assert_eq!(run["status"], "answered");
    assert_eq!(run["rows"][0][0], 23);
    let reasons = run["reasons"].to_string();
    assert!(reasons.contains("No other candidate was drafted to compare with"), "{reasons}");
    assert!(reasons.contains("No judge looked at it"), "{reasons}");
}

#[test]
fn each_candidate_the_comparison_and_the_verdict_are_events_and_replay_is_the_same() {
    let home = Home::new();
    let ended = asked(&home, &[ALL, ALL_TOO, CONFIRMED, AGREES], &[]);
    let events: Vec<Json> =
        ended.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let named = |name: &str| {
        let found = events.iter().map(|event: &Json| event.to_string());
        found.filter(|event| event.contains(&format!("\"event\":\"{name}\""))).count()
    };
    assert_eq!((named("sampled"), named("compared"), named("judged")), (2, 1, 1), "{}", ended.err);
    assert!(ended.err.contains("\"groups\":[[1,2],[3]]"), "{}", ended.err);
    let again = home.run(&["replay", "last", "--json"]);
    assert_eq!(again.out, ended.out);
}

#[test]
fn nothing_more_is_asked_without_the_flag() {
    let home = Home::new();
    let model = script(&home, &[ALL]);
    let run =
        home.run(&["ask", "--db", "demo:reservo", "--model", &model, "--json", QUESTION]).json();
    assert_eq!(run["usage"]["model_calls"], 1);
    assert!(!run["reasons"].to_string().contains("judge"), "{}", run["reasons"]);
}

#[test]
fn each_draft_is_told_in_another_order_and_the_judge_sees_no_sql() {
    let home = Home::new();
    let ended = asked(&home, &[ALL, ALL_TOO, ONE_MORE, AGREES], &[]);
    let mut sent = Vec::new();
    for line in ended.err.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok()) {
        let calls = [&line["calls"], &line["happened"]["calls"]];
        for call in calls.into_iter().filter_map(Json::as_array).flatten() {
            sent.push(call["messages"].clone());
        }
    }
    assert_eq!(sent.len(), 4, "{}", ended.err);
    assert!(sent[1] != sent[0] && sent[2] != sent[1]);
    assert!(sent[1].to_string().contains("This is draft 2 of 3"));
    let judge = sent[3].to_string();
    assert!(judge.contains("the number of bookings") && !judge.contains("SELECT"), "{judge}");
}

#[test]
fn the_ledger_counts_what_repairs_and_gates_did_in_past_runs() {
    let home = Home::new();
    let empty = home.run(&["memory", "ledger", "--json"]).json();
    assert_eq!(empty["runs"], 0);
    let misspelt = "SELECT COUNT(prise_cents) AS n FROM bookings";
    let model = script(&home, &[misspelt]);
    for _ in 0..2 {
        home.run(&["ask", "--db", "demo:reservo", "--model", &model, "--json", QUESTION]);
    }
    home.run(&["runs", "rate", "last", "+"]);
    let ledger = home.run(&["memory", "ledger", "--json"]).json();
    assert_eq!((ledger["runs"].clone(), ledger["judged"].clone()), (2.into(), 1.into()));
    let repair = &ledger["repairs"][0];
    assert_eq!(repair["name"], "unknown_name");
    let figures = ["fired", "runs", "kept", "undone", "right", "wrong"].map(|key| &repair[key]);
    assert_eq!(figures.map(|figure| figure.as_u64().unwrap()), [2, 2, 2, 0, 1, 0]);
    let told = home.run(&["memory", "ledger"]);
    assert_eq!(told.code, 0);
    assert!(told.out.contains("2 runs remembered, 1 of them rated or verified."), "{}", told.out);
    assert!(told.out.contains("unknown_name"), "{}", told.out);
    let other = home.run(&["memory", "ledger", "--json", "--db", "demo:sales"]).json();
    assert_eq!(other["runs"], 0);
}
