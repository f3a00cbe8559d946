//! `check` over the public benchmark sets: what runs is neither rejected nor rewritten, what fails
//! is flagged before running. Needs the data folder in `QUERENT_DATA`; says so without it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops where it must, and says what it skips"
)]

mod program;

use std::fmt::Write;
use std::path::PathBuf;

use program::Home;
use serde_json::{Value as Json, json};

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("QUERENT_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: QUERENT_DATA names no folder of benchmark data");
    }
    folder
}

/// An unoptimised program checks every 16th query, an optimised one all of them.
const STRIDE: usize = if cfg!(debug_assertions) { 16 } else { 1 };

fn items(folder: &std::path::Path, set: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks many queries in one batch; each is (database, SQL).
fn check(folder: &std::path::Path, queries: &[(String, String)]) -> Vec<Json> {
    let mut input = String::new();
    for (id, (db, sql)) in queries.iter().enumerate() {
        writeln!(input, "{}", json!({ "id": id, "db": db, "sql": sql })).unwrap();
    }
    let databases = folder.join("db").display().to_string();
    let ended = Home::new().run_with(&["check", "--jsonl", "-", "--db-dir", &databases], &input);
    let lines = ended.lines();
    assert_eq!(lines.len(), queries.len(), "{}", ended.err);
    lines
}

fn text(item: &Json, field: &str) -> String {
    item[field].as_str().unwrap_or_default().to_owned()
}

/// Lists what isn't plainly `ok`.
fn not_ok(queries: &[(String, String)], lines: &[Json]) -> Vec<String> {
    let odd = queries.iter().zip(lines).filter(|(_, line)| line["status"] != "ok");
    odd.map(|((db, sql), line)| format!("{db}: {sql}\n  {line}")).collect()
}

#[test]
fn no_gold_query_is_rejected_or_rewritten() {
    let Some(folder) = data() else { return };
    let sets =
        ["spider_dev", "spider_train_gold", "samples_gold", "bird_train_gold", "defog_sqlite"];
    let mut queries = Vec::new();
    for item in sets.iter().flat_map(|set| items(&folder, set)) {
        queries.push((text(&item, "db"), text(&item, "gold_sql")));
    }
    assert!(queries.len() > 2_000);
    let queries: Vec<_> = queries.into_iter().step_by(STRIDE).collect();
    let lines = check(&folder, &queries);
    let odd = not_ok(&queries, &lines);
    assert!(odd.is_empty(), "{} of {}:\n{}", odd.len(), queries.len(), odd.join("\n"));
}

#[test]
fn recorded_queries_that_run_stay_as_they_are_and_those_that_fail_are_flagged() {
    let Some(folder) = data() else { return };
    let (mut right, mut failing) = (Vec::new(), Vec::new());
    for set in ["spider_dev", "spider_syn", "spider_realistic", "spider_dk"] {
        for item in items(&folder, set) {
            for prediction in item["predictions"].as_array().unwrap() {
                let query = (text(&item, "db"), text(prediction, "sql"));
                match prediction["class"].as_str().unwrap() {
                    "ok_correct" => right.push(query),
                    "ok_wrong" | "empty" | "timeout" => {}
                    _ => failing.push(query),
                }
            }
        }
    }
    right.sort();
    right.dedup();
    let right: Vec<_> = right.into_iter().step_by(STRIDE).collect();
    let lines = check(&folder, &right);
    let odd = not_ok(&right, &lines);
    assert!(odd.is_empty(), "{} of {}:\n{}", odd.len(), right.len(), odd.join("\n"));

    let lines = check(&folder, &failing);
    let flagged = lines.iter().filter(|line| line["status"] != "ok").count();
    println!("{flagged} of {} failing queries are flagged before running", failing.len());
    assert!(flagged * 100 >= failing.len() * 95, "{flagged} of {}", failing.len());
}

/// Shares of right and of wrong recorded answers that a gate warns of, in percent.
fn warned(folder: &std::path::Path) -> (f64, f64) {
    let mut queries: Vec<(String, String, String, bool)> = Vec::new();
    for set in ["spider_dev", "spider_syn", "spider_realistic", "spider_dk"] {
        for item in items(folder, set) {
            for said in item["predictions"].as_array().unwrap() {
                let right = said["class"] == "ok_correct";
                let wrong = said["class"] == "ok_wrong" && said["any_column_order"] != true;
                if right || wrong {
                    let asked = (text(&item, "db"), text(&item, "question"));
                    queries.push((asked.0, asked.1, text(said, "sql"), right));
                }
            }
        }
    }
    queries.sort();
    queries.dedup();
    let queries: Vec<_> = queries.into_iter().step_by(STRIDE).collect();
    let mut input = String::new();
    for (id, (db, question, sql, _)) in queries.iter().enumerate() {
        let line = json!({ "id": id, "db": db, "question": question, "sql": sql });
        writeln!(input, "{line}").unwrap();
    }
    let databases = folder.join("db").display().to_string();
    // from a file: so many answers fill a pipe before all questions are written
    let questions = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(questions.path(), input).unwrap();
    let file = questions.path().display().to_string();
    let arguments = ["check", "--jsonl", &file, "--probe", "--db-dir", &databases];
    let lines = Home::new().run_with(&arguments, "").lines();
    assert_eq!(lines.len(), queries.len());
    let share = |right: bool| {
        let of = queries.iter().zip(&lines).filter(|(query, _)| query.3 == right);
        let warns = |line: &Json| {
            let findings = line["findings"].as_array().unwrap();
            findings.iter().any(|found| found["severity"] != "info")
        };
        let all = of.clone().count().max(1);
        let hits = of.filter(|(_, line)| warns(line)).count();
        100.0 * f64::from(u32::try_from(hits).unwrap()) / f64::from(u32::try_from(all).unwrap())
    };
    (share(true), share(false))
}

#[test]
fn gates_warn_of_many_wrong_answers_and_of_few_right_ones() {
    let Some(folder) = data() else { return };
    let (right, wrong) = warned(&folder);
    println!("warned of: {right:.1} % of the right answers, {wrong:.1} % of the wrong ones");
    // a sixteenth of the answers strays by a few
    let stray = if STRIDE > 1 { 1.5 } else { 0.0 };
    assert!(right <= 2.0 + stray, "{right}");
    assert!(wrong >= 40.0 - 4.0 * stray, "{wrong}");
}
