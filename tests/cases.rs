//! The scripted cases: the self-correction lesson (S2, cases A to E) and the worked KPI case (S4).

mod program;

use program::Home;
use serde_json::Value as Json;

fn ask(model: &str, question: &str, more: &[&str]) -> (i32, Json) {
    let home = Home::new();
    let db = if model == "script:kpi" { "demo:insurance" } else { "demo:reservo" };
    let mut arguments = vec!["ask", "--db", db, "--model", model, "--json"];
    arguments.extend(more);
    arguments.push(question);
    let ended = home.run(&arguments);
    (ended.code, ended.json())
}

const CONFIRMED: &str = "How much did we bring in with confirmed bookings?";

#[test]
fn case_a_is_told_the_exact_error_and_corrects_itself() {
    let (code, run) = ask("script:case-a", CONFIRMED, &["--repair", "model"]);
    assert_eq!(code, 0);
    assert_eq!(run["status"], "answered");
    assert_eq!(run["rows"][0][0], 211_900);
    let attempts = run["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 2);
    let error = &attempts[0]["error"];
    assert_eq!(error["stage"], "bind");
    assert_eq!(
        error["message"],
        "column 'price' doesn't exist in bookings. Did you mean price_cents?"
    );
    let sql = attempts[0]["sql"].as_str().unwrap();
    let at = |end: &str| usize::try_from(error["span"][end].as_u64().unwrap()).unwrap();
    assert_eq!(&sql[at("start")..at("end")], "price");
    assert_eq!(run["usage"]["model_calls"], 2);
    assert_eq!(run["summary"], "revenue is 211900 cents.");
}

#[test]
fn case_a_is_mended_here_without_asking_again() {
    let (code, run) = ask("script:case-a", CONFIRMED, &["--repair", "both"]);
    assert_eq!(code, 0);
    assert_eq!(run["rows"][0][0], 211_900);
    let attempts = run["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 1);
    let repairs = attempts[0]["repairs"].as_array().unwrap();
    assert_eq!(repairs.len(), 1);
    assert_eq!(repairs[0]["to"], "price_cents");
    assert_eq!(run["usage"]["model_calls"], 1);
}

#[test]
fn case_b_stops_when_the_same_sql_comes_again() {
    let (code, run) = ask("script:case-b", "How much did we bring in?", &["--repair", "model"]);
    assert_eq!(code, 1);
    assert_eq!(run["status"], "gave_up");
    assert_eq!(run["stop"]["code"], "no_progress");
    assert_eq!(run["usage"]["model_calls"], 2);
    assert_eq!(run["sql"], Json::Null);
    assert_eq!(run["trust"], Json::Null);
}

#[test]
fn case_c_lists_the_real_tables_and_counts_23() {
    let (code, run) = ask("script:case-c", "How many bookings are there?", &["--repair", "model"]);
    assert_eq!(code, 0);
    assert_eq!(run["rows"][0][0], 23);
    assert_eq!(
        run["attempts"][0]["error"]["message"],
        "table 'reservations' doesn't exist. Tables: bookings, members, payments, rooms"
    );
}

#[test]
fn case_d_says_which_attempt_succeeded() {
    let question = "How much confirmed revenue did we bring in?";
    let (_, run) = ask("script:case-d", question, &["--repair", "model"]);
    let attempts = run["attempts"].as_array().unwrap();
    let stands = |attempt: &&Json| attempt["error"].is_null();
    assert_eq!(attempts.iter().find(stands).unwrap()["n"], 2);
    assert_eq!(run["rows"][0][0], 211_900);
}

#[test]
fn case_e_has_no_second_attempt_to_correct_itself_in() {
    for script in ["script:case-a", "script:case-e"] {
        let (code, run) = ask(script, CONFIRMED, &["--repair", "model", "--max-attempts", "1"]);
        assert_eq!(code, 1);
        assert_eq!(run["status"], "gave_up");
        assert_eq!(run["stop"]["code"], "budget");
        assert_eq!(run["attempts"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn the_worked_kpi_case_keeps_the_mended_reply_and_shows_both_findings() {
    let question = "What is the quote to bind ratio per agent channel? Use float numbers.";
    let (code, run) = ask("script:kpi", question, &[]);
    assert_eq!(code, 0);
    assert_eq!(run["status"], "answered");
    assert_eq!(run["trust"], "needs_review");
    let attempts = run["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 2);
    let gates = |attempt: &Json| -> Vec<String> {
        let retryable = ["integer_division", "metric_differs"];
        let findings = attempt["findings"].as_array().unwrap();
        let names = findings.iter().filter_map(|f| f["gate"].as_str());
        names.filter(|g| retryable.contains(g)).map(str::to_owned).collect()
    };
    assert_eq!(gates(&attempts[0]), ["integer_division"]);
    assert_eq!(gates(&attempts[1]), ["metric_differs"]);
    assert!(attempts[0]["sql"].as_str().unwrap().contains("CAST("));
    assert_eq!(run["sql"], attempts[0]["sql"]);
    let reasons = run["reasons"].to_string();
    assert!(reasons.contains("integer"), "{reasons}");
    assert!(reasons.contains("quote_conversion"), "{reasons}");
}

#[test]
fn a_scripted_model_is_always_said_to_be_one() {
    let home = Home::new();
    let ended = home.run(&[
        "ask",
        "--db",
        "demo:reservo",
        "--model",
        "script:case-c",
        "--trace",
        "--json",
        "How many bookings are there?",
    ]);
    assert!(ended.err.contains("\"scripted\":true"), "{}", ended.err);
    assert_eq!(ended.json()["model"], "script:case-c");
}
