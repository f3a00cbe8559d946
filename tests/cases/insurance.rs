//! The insurance pipeline (S4): relevance first, the worked cast and ratio, what its judge missed,
//! and what its repository got wrong.

use serde_json::{Value as Json, json};

use super::program::Home;
use super::recorded::{Recorded, ask, told, told_at};

const INSURANCE: &str = "demo:insurance";
const RATIO: &str = "What is the quote to bind ratio per agent channel? Use float numbers.";

/// The query of the worked case, as its model wrote it.
const CAST: &str = "SELECT a.channel,\n(COUNT(CASE WHEN s.statusid = 'BND' THEN 1 END) /\n\
    COUNT(CASE WHEN s.statusid = 'QTE' THEN 1 END) * 100)::float\nAS quote_conversion_rate\n\
    FROM submissions s\nJOIN agents a ON s.agent_id = a.agent_id\n\
    WHERE s.statusid IN ('BND', 'QTE')\nGROUP BY a.channel";
/// The agreed formula over the same join.
const AGREED: &str = "SELECT a.channel, CAST(COUNT(CASE WHEN s.statusid = 'BND' THEN 1 END) AS REAL) \
    / NULLIF(COUNT(CASE WHEN s.statusid = 'QTE' THEN 1 END), 0) * 100 AS quote_conversion \
    FROM submissions AS s JOIN agents AS a ON s.agent_id = a.agent_id GROUP BY a.channel";

fn warned(case: &Recorded, attempt: usize) -> Vec<String> {
    let found = &case.transcript.attempts[attempt].last().findings;
    found.iter().filter(|f| f.retryable).map(|f| f.gate.clone()).collect()
}

/// S4-014: the loss ratio is a figure of this business, and goes on to the model.
#[test]
fn a_question_about_a_figure_of_the_business_is_relevant() {
    let sql = "WITH losses AS (SELECT policy_id, SUM(approved_amount) AS approved FROM claims \
               GROUP BY policy_id) SELECT SUM(l.approved) / SUM(p.premium_amount) * 100 AS \
               loss_ratio FROM policies AS p LEFT JOIN losses AS l ON l.policy_id = p.policy_id";
    let case = told(&[sql], INSURANCE, "What is the loss ratio?", &[]);
    case.ended(0, "answered", 1, 1);
    let links = &case.transcript.understanding.as_ref().unwrap().links;
    assert!(links.iter().any(|link| link.words.eq_ignore_ascii_case("loss ratio")), "{links:?}");
}

/// S4-014: the swimming pool is not, is stopped before any call, and is told by which words.
#[test]
fn a_question_off_the_business_stops_before_the_model_is_asked() {
    let case = told(&["SELECT 1"], INSURANCE, "What is the price of a swimming pool?", &[]);
    case.steps(&["asked", "understood", "declined, off_topic"]);
    case.ended(1, "declined", 0, 0);
    let stop = case.run["stop"]["message"].as_str().unwrap();
    assert!(stop.contains("swimming") && stop.contains("pool"), "{stop}");
    assert!(!case.run["stop"]["hint"].as_str().unwrap().is_empty());
}

/// S4-019: the cast of another engine is written as this one's, before anything runs; the division
/// it came too late for is flagged. S4-024: the retry that counts something else as quoted is
/// flagged as well, and replaces nothing.
#[test]
fn the_worked_kpi_case_keeps_the_mended_reply_and_shows_both_findings() {
    let case = ask("script:kpi", INSURANCE, RATIO, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: foreign_syntax at bind",
        "mended 1.1: foreign_syntax",
        "checked 1.1: integer_division",
        "ran 1.1: 3 rows",
        "reviewed 1.1: passed",
        "closed 1: stands",
        "package",
        "drafted 2 by model, for a gate",
        "checked 2.0: metric_differs",
        "ran 2.0: 3 rows",
        "reviewed 2.0: passed",
        "closed 2: stands",
        "explained",
        "answered, needs_review",
    ]);
    case.ended(0, "answered", 2, 2);
    assert_eq!(warned(&case, 0), ["integer_division"]);
    assert_eq!(warned(&case, 1), ["metric_differs"]);
    let first = case.transcript.attempts[0].last();
    assert!(first.sql.contains("CAST(") && !first.sql.contains("::"), "{}", first.sql);
    assert_eq!(case.run["sql"], first.sql.as_str());
    let reasons = case.reasons();
    assert!(reasons.contains("integer"), "{reasons}");
    assert!(reasons.contains("quote_conversion"), "{reasons}");
}

/// S4-019: the place of the cast is pointed at, as exactly as the engine's `unrecognized token: ":"`.
#[test]
fn the_cast_is_underlined_where_it_stands() {
    let case = told(&[CAST], INSURANCE, RATIO, &["--repair", "none"]);
    case.ended(1, "gave_up", 1, 1);
    let error = &case.run["attempts"][0]["error"];
    assert_eq!((&error["stage"], &error["code"]), (&json!("bind"), &json!("foreign_syntax")));
    let at = |end: &str| usize::try_from(error["span"][end].as_u64().unwrap()).unwrap();
    let shown = &CAST[at("start")..at("end")];
    assert!(shown.ends_with("::float"), "{shown}");
}

/// S4-009, S4-033: the agreed formula passes, and its fractions reach the table.
#[test]
fn the_agreed_formula_gives_fractions_and_no_finding() {
    let case = told(&[AGREED], INSURANCE, RATIO, &[]);
    case.ended(0, "answered", 1, 1);
    assert!(warned(&case, 0).is_empty(), "{:?}", warned(&case, 0));
    let rows = case.run["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "one for each channel");
    assert!(rows.iter().all(|row| row[1].is_f64()), "{rows:?}");
    assert!(rows.iter().any(|row| row[1].as_f64().unwrap().fract() != 0.0), "{rows:?}");
    assert_eq!(case.run["columns"][1]["type"], "real");
}

/// S4-033: whole numbers where float numbers were asked for never pass unmarked.
#[test]
fn whole_numbers_for_a_ratio_asked_in_fractions_are_flagged() {
    let case = told(&[CAST], INSURANCE, RATIO, &["--max-attempts", "1"]);
    case.ended(0, "answered", 1, 1);
    assert_eq!(case.run["trust"], "needs_review");
    assert!(warned(&case, 0).contains(&"integer_division".to_owned()));
}

/// S4-022: what the retry brings goes through reading, repair, binding and gates like any draft.
#[test]
fn a_corrected_query_goes_through_every_check_again() {
    let again = AGREED.replace("CAST(COUNT", "(COUNT").replace(" AS REAL) /", ")::real /");
    let case = told(&[CAST, &again], INSURANCE, RATIO, &[]);
    case.steps_from_the_draft(&[
        "drafted 1 by model",
        "checked 1.0: foreign_syntax at bind",
        "mended 1.1: foreign_syntax",
        "checked 1.1: integer_division",
        "ran 1.1: 3 rows",
        "reviewed 1.1: passed",
        "closed 1: stands",
        "package",
        "drafted 2 by model, for a gate",
        "checked 2.0: foreign_syntax at bind",
        "mended 2.1: foreign_syntax",
        "checked 2.1: passed",
        "ran 2.1: 3 rows",
        "reviewed 2.1: passed",
        "closed 2: stands",
        "explained",
        "answered, grounded",
    ]);
    case.ended(0, "answered", 2, 2);
}

/// S4-023: the trace numbers trials by kind: attempts, and versions within each.
#[test]
fn the_stored_run_tells_each_trial_with_its_verdict() {
    let case = ask("script:kpi", INSURANCE, RATIO, &[]);
    let id = case.run["run"].as_str().unwrap();
    let told = case.home.run(&["replay", id, "--trace", "--json"]);
    let lines: Vec<Json> =
        told.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let checked: Vec<(u64, u64, bool)> = lines
        .iter()
        .filter_map(|line| line.get("happened").or(Some(line)))
        .filter(|line| line["event"] == "checked")
        .map(|line| {
            let number = |key: &str| line[key].as_u64().unwrap();
            (number("attempt"), number("version"), line["failure"].is_null())
        })
        .collect();
    assert_eq!(checked, [(1, 0, false), (1, 1, true), (2, 0, true)], "{}", told.err);
}

/// S4-024: the judge of the source changed what counts as quoted; here the dictionary decides.
#[test]
fn a_metric_that_is_computed_otherwise_is_held_against_its_formula() {
    let judged = "SELECT agents.channel, (CAST(COUNT(CASE WHEN submissions.statusid = 'BND' THEN 1 \
        END) AS FLOAT) / NULLIF(CAST(COUNT(CASE WHEN submissions.statusid IN ('BND', 'QTE') THEN 1 \
        END) AS FLOAT), 0)) * 100 AS quote_to_bind_ratio FROM submissions JOIN agents \
        ON submissions.agent_id = agents.agent_id WHERE submissions.statusid IN ('BND', 'QTE') \
        GROUP BY agents.channel";
    let case = told(&[judged, AGREED], INSURANCE, RATIO, &[]);
    case.ended(0, "answered", 2, 2);
    assert_eq!(warned(&case, 0), ["metric_differs"]);
    let found = &case.transcript.attempts[0].last().findings;
    let found = found.iter().find(|f| f.gate == "metric_differs").unwrap();
    assert!(found.message.contains("quote_conversion"), "{}", found.message);
    assert!(case.last_words(1).contains(found.hint.as_deref().unwrap()));
    assert_eq!(case.run["sql"], AGREED);
    assert_eq!(case.run["trust"], "grounded");
}

/// S4-025: what only the source's judge found is found by reading the query, with no model at all.
#[test]
fn the_faults_of_the_first_query_are_found_without_a_model() {
    let home = Home::new();
    let looked = home.run(&["check", "--db", INSURANCE, "--json", "--question", RATIO, CAST]);
    assert_eq!(looked.code, 1);
    let report = looked.json();
    assert_eq!(report["status"], "repaired");
    let gates: Vec<&str> =
        report["findings"].as_array().unwrap().iter().filter_map(|f| f["gate"].as_str()).collect();
    assert!(gates.contains(&"integer_division"), "{gates:?}");
}

/// S4-025: a condition that changes what a ratio is over changes the metric.
#[test]
fn a_where_that_drops_the_denominator_is_a_change_of_the_metric() {
    let narrowed = AGREED.replace(" GROUP BY", " WHERE s.statusid = 'BND' GROUP BY");
    let case = told(&[&narrowed], INSURANCE, RATIO, &["--max-attempts", "1"]);
    assert_eq!(case.run["trust"], "needs_review");
    assert!(!warned(&case, 0).is_empty());
}

/// S4-026: after its trials the source returns the last result unmarked. Here it is marked, and a
/// model's text is read as data: it is never executed but as one query that reads.
#[test]
fn the_last_result_is_never_returned_unmarked() {
    let unlike = CAST.replace("* 100)::float", "* 100.0)::float");
    let case = told(&[CAST, &unlike, CAST], INSURANCE, RATIO, &[]);
    assert_eq!(case.run["status"], "answered");
    assert_eq!(case.run["trust"], "needs_review");
    assert!(!case.reasons().is_empty());
    let code = "__import__('os').system('true')";
    let case = told(&[code, code, code], INSURANCE, RATIO, &[]);
    assert_ne!(case.run["status"], "answered");
}

/// S4-026: an empty result is told with the condition that emptied it; nobody judges what it means.
#[test]
fn an_empty_result_names_the_condition_that_emptied_it() {
    let sql = "SELECT claim_id FROM claims WHERE claim_status = 'OPEN'";
    let case = told(&[sql], INSURANCE, "Which claims are open?", &["--max-attempts", "1"]);
    assert_eq!(case.run["trust"], "needs_review");
    assert!(case.reasons().contains("'OPEN'"), "{}", case.reasons());
}

/// S4-027: what people wrote of columns that are gone is told, and never told to the model.
#[test]
fn knowledge_of_a_column_that_is_gone_is_told_as_drift() {
    let home = Home::new();
    let db = home.database(
        "book.sqlite",
        "CREATE TABLE policies (policy_id TEXT PRIMARY KEY, premium_amount REAL NOT NULL);
         INSERT INTO policies VALUES ('P1', 100.0), ('P2', 250.0);",
    );
    let knowledge = "[columns.\"policies.policy_start_year\"]\nmeaning = \"first year of cover\"\n";
    std::fs::write(format!("{db}.knowledge.toml"), knowledge).unwrap();
    let sql = "SELECT SUM(premium_amount) AS premium FROM policies";
    let case = told_at(home, &[sql], &db, "What is the total premium amount of all policies?", &[]);
    case.ended(0, "answered", 1, 1);
    let warnings = &case.transcript.package().unwrap().warnings;
    let told = warnings.join("\n") + &case.transcript.gathered.clone().unwrap().join("\n");
    assert!(told.contains("policy_start_year"), "{told}");
    assert!(!case.messages(0)[0].1.contains("policy_start_year"), "{}", case.messages(0)[0].1);
}

/// S4-018: the source makes two calls to mend one query; here it is none, or one.
#[test]
fn a_repair_costs_no_call_or_one() {
    assert_eq!(
        told(&[CAST], INSURANCE, RATIO, &["--max-attempts", "1"]).run["usage"]["model_calls"],
        1
    );
    let replies = ["SELECT channel FROM brokers", "SELECT channel FROM agents"];
    let case = told(&replies, INSURANCE, "List the channel of each agent", &["--repair", "model"]);
    assert_eq!(case.run["usage"]["model_calls"], 2);
}
