//! The lesson on the self-correction loop (S2): its worked cases A and B, its exercises C to E, and
//! what it says a loop must do.

use serde_json::{Value as Json, json};

use super::program::Home;
use super::recorded::{ask, told};

const RESERVO: &str = "demo:reservo";
const CONFIRMED: &str = "How much did we bring in with confirmed bookings?";
const MODEL_ONLY: [&str; 2] = ["--repair", "model"];
const NO_PRICE: &str = "column 'price' doesn't exist in bookings. Did you mean price_cents?";

/// The steps of a run whose first reply is refused for a name and whose second one stands.
fn refused_then_right(code: &str) -> Vec<String> {
    let steps = [
        "drafted 1 by model",
        &format!("checked 1.0: {code} at bind"),
        "closed 1: failed at bind",
        "package",
        "drafted 2 by model",
        "checked 2.0: passed",
        "ran 2.0: 1 rows",
        "reviewed 2.0: passed",
        "closed 2: stands",
        "explained",
        "answered, grounded",
    ];
    steps.iter().map(|step| (*step).to_owned()).collect()
}

fn strs(steps: &[String]) -> Vec<&str> {
    steps.iter().map(String::as_str).collect()
}

/// S2-009.
#[test]
fn case_a_is_told_the_exact_error_and_corrects_itself() {
    let case = ask("script:case-a", RESERVO, CONFIRMED, &MODEL_ONLY);
    case.steps_from_the_draft(&strs(&refused_then_right("no_such_column")));
    case.ended(0, "answered", 2, 2);
    let run = &case.run;
    assert_eq!(run["rows"], json!([[211_900]]));
    assert_eq!(run["summary"], "revenue is 211900 cents.");
    let error = &run["attempts"][0]["error"];
    assert_eq!((&error["stage"], &error["message"]), (&json!("bind"), &json!(NO_PRICE)));
    let sql = run["attempts"][0]["sql"].as_str().unwrap();
    let at = |end: &str| usize::try_from(error["span"][end].as_u64().unwrap()).unwrap();
    assert_eq!(&sql[at("start")..at("end")], "price");
}

/// S2-006, S2-015: question, former SQL, and the exact error; nothing vaguer.
#[test]
fn the_second_call_of_case_a_holds_the_question_the_sql_that_failed_and_its_error() {
    let case = ask("script:case-a", RESERVO, CONFIRMED, &MODEL_ONLY);
    assert_eq!(case.messages(0).len(), 1, "nothing has failed yet");
    let messages = case.messages(1);
    let roles: Vec<&str> = messages.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert!(messages[0].1.contains(CONFIRMED));
    assert_eq!(messages[1].1, case.transcript.attempts[0].drafted_sql);
    assert!(messages[2].1.contains(NO_PRICE), "{}", messages[2].1);
    assert!(messages[2].1.contains("failed at stage bind"), "{}", messages[2].1);
}

/// S2-009 with the local lane open: one call is enough.
#[test]
fn case_a_is_mended_here_without_asking_again() {
    let case = ask("script:case-a", RESERVO, CONFIRMED, &["--repair", "both"]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: no_such_column at bind",
        "mended 1.1: unknown_name",
        "checked 1.1: passed",
        "ran 1.1: 1 rows",
        "reviewed 1.1: passed",
        "closed 1: stands",
        "explained",
        "answered, grounded",
    ]);
    case.ended(0, "answered", 1, 1);
    assert_eq!(case.run["rows"], json!([[211_900]]));
    let repairs = case.run["attempts"][0]["repairs"].as_array().unwrap();
    let shown = json!([{"kind": "unknown_name", "from": "price", "to": "price_cents"}]);
    assert_eq!(json!(repairs), shown);
}

/// S2-010, S2-023: the source re-sends the same SQL three times; the same text again is no progress.
#[test]
fn case_b_stops_when_the_same_sql_comes_again() {
    let case = ask("script:case-b", RESERVO, "How much did we bring in?", &MODEL_ONLY);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: no_such_column at bind",
        "closed 1: failed at bind",
        "package",
        "drafted 2 by model",
        "checked 2.0: no_such_column at bind",
        "closed 2: failed at bind",
        "gave_up, no_progress",
    ]);
    case.ended(1, "gave_up", 2, 2);
    assert_eq!((&case.run["sql"], &case.run["trust"]), (&Json::Null, &Json::Null));
}

/// S2-023: layout, letter case and alias names make no other query of it.
#[test]
fn the_same_query_in_other_clothes_is_no_progress_either() {
    let replies = [
        "SELECT SUM(price) AS revenue FROM bookings",
        "select sum( price )\n  as total\nfrom bookings;",
        "SELECT 1",
    ];
    let case = told(&replies, RESERVO, "How much did we bring in?", &MODEL_ONLY);
    case.ended(1, "gave_up", 2, 2);
    assert_eq!(case.run["stop"]["code"], "no_progress");
}

/// S2-010: a model that errs in another way each time meets the cap; S2-017: the end is a sentence
/// with every error, on standard error a line, and no traceback.
#[test]
fn a_stubborn_model_meets_the_cap_of_three() {
    let replies = [
        "SELECT SUM(price) FROM bookings",
        "SELECT SUM(amount) FROM reservations",
        "SELECT SUM(cost) FROM bookings",
        "SELECT 1 AS never_asked_for",
    ];
    let case = told(&replies, RESERVO, "How much did we bring in?", &MODEL_ONLY);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: no_such_column at bind",
        "closed 1: failed at bind",
        "package",
        "drafted 2 by model",
        "checked 2.0: no_such_table at bind",
        "closed 2: failed at bind",
        "package",
        "drafted 3 by model",
        "checked 3.0: no_such_column at bind",
        "closed 3: failed at bind",
        "gave_up, budget",
    ]);
    case.ended(1, "gave_up", 3, 3);
    let message = case.run["stop"]["message"].as_str().unwrap();
    for told in ["Attempt 1: Column 'price'", "Attempt 2: Table 'reservations'", "Attempt 3: "] {
        assert!(message.contains(told), "{message}");
    }
    assert!(!case.run["stop"]["hint"].as_str().unwrap().is_empty());
}

/// S2-011.
#[test]
fn case_c_lists_the_real_tables_and_counts_23() {
    let case = ask("script:case-c", RESERVO, "How many bookings are there?", &MODEL_ONLY);
    case.steps_from_the_draft(&strs(&refused_then_right("no_such_table")));
    case.ended(0, "answered", 2, 2);
    assert_eq!(case.run["rows"], json!([[23]]));
    let listed = "table 'reservations' doesn't exist. Tables: bookings, members, payments, rooms";
    assert_eq!(case.run["attempts"][0]["error"]["message"], listed);
    assert!(case.last_words(1).contains(listed), "{}", case.last_words(1));
}

/// S2-012: attempt 2 gave 211900.
#[test]
fn case_d_says_which_attempt_succeeded() {
    let question = "How much confirmed revenue did we bring in?";
    let case = ask("script:case-d", RESERVO, question, &MODEL_ONLY);
    case.steps_from_the_draft(&strs(&refused_then_right("no_such_column")));
    case.ended(0, "answered", 2, 2);
    let (attempt, version) = case.transcript.chosen().unwrap();
    assert_eq!(attempt.n, 2);
    assert_eq!(version.rows.as_ref().unwrap().rows[0][0].plain(), "211900");
    let attempts = case.run["attempts"].as_array().unwrap();
    let stands = attempts.iter().find(|attempt| attempt["error"].is_null()).unwrap();
    assert_eq!(stands["n"], 2);
}

/// S2-013.
#[test]
fn case_e_has_no_second_attempt_to_correct_itself_in() {
    for script in ["script:case-a", "script:case-e"] {
        let more = ["--repair", "model", "--max-attempts", "1"];
        let case = ask(script, RESERVO, CONFIRMED, &more);
        case.steps_from_the_draft(&[
            "drafted 1 by model",
            "checked 1.0: no_such_column at bind",
            "closed 1: failed at bind",
            "gave_up, budget",
        ]);
        case.ended(1, "gave_up", 1, 1);
        let message = case.run["stop"]["message"].as_str().unwrap();
        assert!(message.contains("one attempt"), "{message}");
    }
}

/// S2-013 the other way round: what is mended here costs no attempt.
#[test]
fn a_single_attempt_is_enough_where_the_fault_is_mended_here() {
    let case = ask("script:case-e", RESERVO, CONFIRMED, &["--max-attempts", "1"]);
    case.ended(0, "answered", 1, 1);
    assert_eq!(case.run["rows"], json!([[211_900]]));
}

/// S2-020: the source feeds the first error back only; here one prompt names all, and one retry
/// mends all.
#[test]
fn every_error_of_a_query_is_told_at_once() {
    let replies = [
        "SELECT r.title, SUM(b.price) AS revenue FROM bookings AS b JOIN rooms AS r \
         ON r.id = b.room WHERE b.state = 'confirmed' GROUP BY r.title",
        "SELECT r.name, SUM(b.price_cents) AS revenue FROM bookings AS b JOIN rooms AS r \
         ON r.id = b.room_id WHERE b.status = 'confirmed' GROUP BY r.name",
    ];
    let question = "How much did each room bring in with confirmed bookings?";
    let case = told(&replies, RESERVO, question, &MODEL_ONLY);
    case.ended(0, "answered", 2, 2);
    let failure = case.transcript.attempts[0].last().failure.clone().unwrap();
    let names: Vec<&str> = failure
        .diagnostics
        .iter()
        .map(|d| d.span.unwrap().of(&case.transcript.attempts[0].drafted_sql))
        .collect();
    assert_eq!(names.len(), 5, "title twice, price, room, state: {names:?}");
    let told = case.last_words(1);
    for diagnostic in &failure.diagnostics {
        assert!(told.contains(&diagnostic.message), "{told}");
    }
    assert_eq!(case.run["row_count"], 6, "one row for each room that has bookings");
}

/// S2-018: what the retry is told is the former attempt's own error, and the package is built anew
/// to hold it.
#[test]
fn a_retry_is_never_the_first_prompt_again() {
    let case = ask("script:case-c", RESERVO, "How many bookings are there?", &MODEL_ONLY);
    assert_ne!(case.messages(0), case.messages(1));
    assert_eq!(case.transcript.packages.len(), 2);
    let (first, second) = (&case.messages(0)[0].1, &case.messages(1)[0].1);
    let header = "PREVIOUS ERRORS - AVOID THESE:";
    assert!(!first.contains(header) && second.contains(header), "{second}");
}

/// S2-021: which layer catches which fault; the last one is caught by none that looks at the SQL
/// alone.
#[test]
fn each_failure_mode_has_the_layer_that_catches_it() {
    let home = Home::new();
    let looked =
        |sql: &str| home.run(&["check", "--db", RESERVO, "--json", "--repair", "none", sql]).json();
    let code = |sql: &str| looked(sql)["diagnostics"][0]["code"].as_str().map(str::to_owned);
    let cases = [
        ("SELECT SUM(price) FROM bookings", "no_such_column"),
        ("SELECT COUNT(*) FROM reservations", "no_such_table"),
        ("SELECT COUNT(*) FROM bookings WHERE status = 'confirmed", "syntax_error"),
        ("SELECT id FROM bookings JOIN rooms ON rooms.id = bookings.room_id", "ambiguous_column"),
        ("DELETE FROM bookings", "write"),
    ];
    for (sql, wanted) in cases {
        assert_eq!(code(sql).as_deref(), Some(wanted), "{sql}");
    }
    assert_eq!(looked("SELECT SUM(price_cents) FROM bookings")["status"], "ok");
}

/// S2-002, S2-003: a result that says how far it came, and what it holds.
#[test]
fn a_run_says_the_stage_that_each_version_reached() {
    let case = ask("script:case-a", RESERVO, CONFIRMED, &MODEL_ONLY);
    let stages = |attempt: usize| -> Vec<(String, bool)> {
        let checks = case.run["attempts"][attempt]["checks"].as_array().unwrap();
        let stage = |c: &Json| (c["stage"].as_str().unwrap().to_owned(), c["ok"] == true);
        checks.iter().map(stage).collect()
    };
    let is = |told: Vec<(String, bool)>, wanted: &[(&str, bool)]| {
        let told: Vec<(&str, bool)> = told.iter().map(|(s, ok)| (s.as_str(), *ok)).collect();
        assert_eq!(told, wanted);
    };
    is(stages(0), &[("parse", true), ("bind", false)]);
    is(stages(1), &[("parse", true), ("bind", true), ("prepare", true)]);
}

/// S2-004.
#[test]
fn a_scripted_model_is_always_said_to_be_one() {
    let case = ask("script:case-c", RESERVO, "How many bookings are there?", &[]);
    assert!(case.transcript.scripted);
    assert_eq!(case.run["model"], "script:case-c");
}
