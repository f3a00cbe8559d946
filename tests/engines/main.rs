//! The same database on every engine: the same questions, asked by rules and with recorded SQL, give
//! the same rows.
//!
//! What belongs here: whole runs of the program on several engines, held against each other. What
//! must never come: what one driver does by itself; that is tested in `tests/databases`.
//! To add an engine: a copy in `copies.rs`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]
#![expect(clippy::print_stdout, reason = "what is skipped or differs for a reason is said")]

mod copies;
#[path = "../program/mod.rs"]
mod program;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use program::Home;

/// Questions asked.
const QUESTIONS: usize = 40;

/// A question with the SQL that its data set gives as right, as SQLite takes it.
struct Asked {
    id: String,
    text: String,
    sql: String,
}

/// What a run answered, as far as engines must agree.
#[derive(Debug, PartialEq)]
struct Answer {
    status: String,
    /// Rows in the order they came, each cell in the one spelling that all engines share.
    rows: Vec<Vec<String>>,
}

#[test]
fn rules_answer_forty_questions_with_the_same_rows_on_every_engine() {
    let Some((data, asked)) = asked() else { return };
    let home = Home::new();
    agree(&home, &data, &asked, "rules", asked.len() / 2, &is_by_engine);
}

#[test]
fn recorded_sql_gives_the_same_rows_on_every_engine() {
    let Some((data, asked)) = asked() else { return };
    let home = Home::new();
    let line = |one: &Asked| json!({ "id": one.id, "replies": [one.sql] }).to_string();
    let script = home.file("recorded.jsonl");
    std::fs::write(&script, asked.iter().map(line).collect::<Vec<_>>().join("\n")).unwrap();
    let model = format!("script:{}", script.display());
    agree(&home, &data, &asked, &model, asked.len() - 1, &speaks_sqlite);
}

/// Tells whether another answer to recorded SQL follows from what SQLite takes and the engine
/// doesn't: `LIKE` in any letter case, and columns beside aggregates that aren't grouped by.
fn speaks_sqlite(engine: &str, one: &Asked, answer: &Answer) -> bool {
    let (strict, sql) = (["PostgreSQL", "DuckDB"].contains(&engine), one.sql.to_uppercase());
    let refused = answer.status == "gave_up" && sql.contains("GROUP BY");
    (strict && (refused || sql.contains("LIKE"))) || is_by_engine(engine, one, answer)
}

/// Tells whether another answer follows from the engine: MariaDB gives averages four digits more
/// than their column has, takes `á` for `a`, and with lower-case names on (as here) has no words left
/// in `mediatype`.
fn is_by_engine(engine: &str, one: &Asked, answer: &Answer) -> bool {
    let sql = one.sql.to_uppercase();
    let one_word = answer.status == "declined" && one.text.contains("media type");
    engine == "MariaDB" && (sql.contains("AVG(") || sql.contains("LIKE") || one_word)
}

/// Reads the first wording of each of the public questions on Chinook; none without the data.
fn asked() -> Option<(PathBuf, Vec<Asked>)> {
    let Ok(data) = std::env::var("QUERENT_DATA").map(PathBuf::from) else {
        println!("skipped: QUERENT_DATA names no folder of the public data");
        return None;
    };
    let lines = std::fs::read_to_string(data.join("samples_gold.jsonl")).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let text = |line: &Json, name: &str| line[name].as_str().unwrap().to_owned();
    let mut asked: Vec<Asked> = Vec::new();
    for line in lines.filter(|line| line["db"] == "chinook") {
        // each question is there in two wordings with the same SQL
        let sql = text(&line, "gold_sql");
        if asked.len() < QUESTIONS && asked.iter().all(|one| one.sql != sql) {
            asked.push(Asked { id: text(&line, "id"), text: text(&line, "question"), sql });
        }
    }
    assert_eq!(asked.len(), QUESTIONS);
    Some((data, asked))
}

/// Asks all engines and holds them against SQLite, which must answer at least so many; a difference
/// that is explained is told.
fn agree(
    home: &Home,
    data: &std::path::Path,
    asked: &[Asked],
    model: &str,
    least: usize,
    explained: &dyn Fn(&str, &Asked, &Answer) -> bool,
) {
    let file = data.join("db/chinook.sqlite");
    let expected = answers(home, &file.display().to_string(), asked, model);
    let open = asked.iter().filter(|one| expected[&one.id].status != "answered");
    let open: Vec<&str> = open.map(|one| one.text.as_str()).collect();
    println!("SQLite answers {} of {}; not: {open:?}", asked.len() - open.len(), asked.len());
    assert!(asked.len() - open.len() >= least, "{open:?}");
    for copy in copies::of(&file, home) {
        let found = answers(home, &copy.address, asked, model);
        let differ = asked.iter().filter(|one| found[&one.id] != expected[&one.id]);
        let (known, unknown): (Vec<&Asked>, Vec<&Asked>) =
            differ.partition(|one| explained(copy.engine, one, &found[&one.id]));
        let told: Vec<String> = unknown
            .into_iter()
            .map(|one| {
                let (here, there) = (&found[&one.id], &expected[&one.id]);
                format!("{}\n  SQLite: {there:?}\n  here:   {here:?}", one.text)
            })
            .collect();
        assert!(told.is_empty(), "{}: {} differ\n{}", copy.engine, told.len(), told.join("\n"));
        let same = asked.len() - known.len();
        let known: Vec<&str> = known.iter().map(|one| one.sql.as_str()).collect();
        println!("{}: {same} questions with the same rows; explained: {known:#?}", copy.engine);
    }
}

/// Asks all questions of one database in one batch.
fn answers(home: &Home, db: &str, asked: &[Asked], model: &str) -> BTreeMap<String, Answer> {
    let line = |one: &Asked| json!({ "id": one.id, "question": one.text }).to_string();
    let lines: Vec<String> = asked.iter().map(line).collect();
    let batch = home.file("questions.jsonl");
    std::fs::write(&batch, lines.join("\n")).unwrap();
    let batch = batch.display().to_string();
    let mut command = home.command(&["ask", "--jsonl", &batch, "--db", db, "--model", model]);
    command.envs(std::env::var_os("QUERENT_DUCKDB").map(|library| ("QUERENT_DUCKDB", library)));
    let ended = program::Ended::of(command.output().unwrap());
    assert_eq!(ended.code, 0, "{db}: {}", ended.err);
    let answers = ended.out.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    answers.map(|line| (line["id"].as_str().unwrap().to_owned(), answer(&line))).collect()
}

fn answer(line: &Json) -> Answer {
    let status = line["status"].as_str().unwrap_or("no status").to_owned();
    let columns = line["columns"].as_array().map_or(0, Vec::len);
    let cells = |row: &Json| row.as_array().unwrap().iter().map(cell).collect();
    let mut rows: Vec<Vec<String>> =
        line["rows"].as_array().into_iter().flatten().map(cells).collect();
    assert!(rows.iter().all(|row| row.len() == columns), "{line}");
    // no engine promises an order that was not asked for, and engines collate texts differently
    rows.sort();
    Answer { status, rows }
}

/// Writes a cell as all engines share it: numbers to nine digits, whatever their type, and midnight
/// as its day.
fn cell(cell: &Json) -> String {
    let text = match cell {
        Json::Null => return "NULL".to_owned(),
        Json::String(text) => text.as_str(),
        number @ (Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_)) => {
            &number.to_string()
        }
    };
    match text.parse::<f64>() {
        Ok(number) if !text.starts_with(['+', '0']) || text.contains('.') || text == "0" => {
            format!("{number:.8e}")
        }
        Ok(_) | Err(_) => text.trim_end_matches(" 00:00:00").to_owned(),
    }
}
