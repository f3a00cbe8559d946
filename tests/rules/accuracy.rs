//! How often the offline drafter is right on public questions, by running its SQL and the gold.
//!
//! Needs the question sets in the folder `QUERENT_DATA`; prints what it skips without it. With
//! `QUERENT_PREDICTIONS` set to a folder, what was drafted for each set is written there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use querent::domain::{Facts, Question};
use querent::intake::understand_with;
use querent::plan::compile::compile;
use querent::plan::rules::{Ruled, draw};
use querent::search::Index;
use serde_json::Value as Json;

use crate::reader;

/// Right, answered and all questions of a set.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    right: usize,
    answered: usize,
    all: usize,
}

impl Score {
    fn of_all(self) -> f64 {
        100.0 * self.right as f64 / self.all.max(1) as f64
    }

    fn of_answered(self) -> f64 {
        100.0 * self.right as f64 / self.answered.max(1) as f64
    }
}

struct Known {
    connection: rusqlite::Connection,
    facts: Facts,
    index: Index,
}

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("QUERENT_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: QUERENT_DATA names no folder of question sets");
    }
    folder
}

fn lines(path: &Path) -> Vec<Json> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|l| !l.trim().is_empty())
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn draft(question: &str, known: &Known) -> Result<(String, String), String> {
    let question = Question { text: question.to_owned(), ..Question::default() };
    let understanding = understand_with(&question, &known.facts, &known.index);
    if understanding.intent != querent::domain::Intent::Read {
        return Err(format!("intent {:?}", understanding.intent));
    }
    match draw(&question, &understanding, &known.facts) {
        Ruled::Plan(plan, words) => match compile(&plan, &known.facts.catalog) {
            Ok(sql) => Ok((sql, words)),
            Err(failure) => Err(failure.message()),
        },
        Ruled::Declined { reason, .. } => Err(reason),
    }
}

fn score(folder: &Path, set: &str) -> Score {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let mut score = Score::default();
    let mut written = String::new();
    for item in lines(&folder.join(format!("{set}.jsonl"))) {
        let text = |key: &str| item.get(key).and_then(Json::as_str).unwrap_or("").to_owned();
        let db = text("db");
        let known = known.entry(db.clone()).or_insert_with(|| open(folder, &db));
        score.all += 1;
        let drafted = draft(&text("question"), known);
        let (mut sql, mut right) = (String::new(), false);
        let note;
        match drafted {
            Ok((drafted, words)) => {
                score.answered += 1;
                let mine = reader::rows(&known.connection, &drafted);
                let mut golds = vec![text("gold_sql")];
                golds.extend(
                    item.get("gold_alternatives")
                        .and_then(Json::as_array)
                        .into_iter()
                        .flatten()
                        .filter_map(Json::as_str)
                        .map(str::to_owned),
                );
                right = mine.as_ref().is_ok_and(|mine| {
                    golds.iter().any(|gold| {
                        reader::rows(&known.connection, gold)
                            .is_ok_and(|gold| reader::same(mine, &gold))
                    })
                });
                note = mine.err().unwrap_or(words);
                sql = drafted;
            }
            Err(reason) => note = reason,
        }
        score.right += usize::from(right);
        let line = serde_json::json!({"id": text("id"), "sql": sql, "right": right, "note": note,
            "question": text("question"), "gold": text("gold_sql"), "db": db});
        written.push_str(&line.to_string());
        written.push('\n');
    }
    if let Some(out) = std::env::var_os("QUERENT_PREDICTIONS") {
        std::fs::write(Path::new(&out).join(format!("{set}.jsonl")), written).unwrap();
    }
    println!(
        "{set}: right {} of answered {} of all {}: {:.1} % of all, {:.1} % of answered",
        score.right,
        score.answered,
        score.all,
        score.of_all(),
        score.of_answered()
    );
    score
}

fn open(folder: &Path, db: &str) -> Known {
    let connection = reader::open(&folder.join("db").join(format!("{db}.sqlite")));
    let facts = reader::facts(&connection);
    let index = Index::new(&facts.catalog, &facts.values, &facts.knowledge);
    Known { connection, facts, index }
}

#[test]
fn rules_are_right_on_a_third_of_spider_dev_and_on_three_quarters_of_what_they_answer() {
    let Some(folder) = data() else { return };
    let score = score(&folder, "spider_dev");
    assert!(score.of_all() >= 30.0, "{score:?}");
    assert!(score.of_answered() >= 75.0, "{score:?}");
}

#[test]
fn rules_are_as_sure_of_themselves_on_other_databases() {
    let Some(folder) = data() else { return };
    let train = score(&folder, "spider_train_gold");
    for set in ["samples_gold", "spider_realistic", "spider_syn", "spider_dk"] {
        score_if_there(&folder, set);
    }
    assert!(train.of_answered() >= 75.0, "{train:?}");
}

fn score_if_there(folder: &Path, set: &str) {
    if folder.join(format!("{set}.jsonl")).exists() {
        score(folder, set);
    }
}

#[test]
fn rules_decline_most_questions_that_the_database_cannot_answer() {
    let Some(folder) = data() else { return };
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let (mut declined, mut all) = (0, 0);
    for item in lines(&folder.join("unanswerable_questions.jsonl")) {
        let text = |key: &str| item.get(key).and_then(Json::as_str).unwrap_or("").to_owned();
        let db = text("db");
        let known = known.entry(db.clone()).or_insert_with(|| open(&folder, &db));
        all += 1;
        match draft(&text("question"), known) {
            Ok((sql, _)) => println!("answered: {} → {sql}", text("question")),
            Err(_) => declined += 1,
        }
    }
    println!("unanswerable: declined {declined} of {all}");
    assert!(declined * 10 >= all * 9, "{declined} of {all}");
}
