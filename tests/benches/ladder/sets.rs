//! Question sets with their recorded predictions, each copy counted once.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Sets on SQLite that have a right query.
pub(crate) const GOLDS: [&str; 8] = [
    "spider_dev",
    "spider_syn",
    "spider_realistic",
    "spider_dk",
    "spider_train_gold",
    "samples_gold",
    "bird_train_gold",
    "defog_sqlite",
];

/// Sets with predictions.
pub(crate) const PREDICTED: [&str; 4] =
    ["spider_dev", "spider_syn", "spider_realistic", "spider_dk"];

/// A question with its right query and what models answered.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) db: String,
    #[serde(default)]
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) gold_sql: String,
    #[serde(default)]
    pub(crate) gold_alternatives: Vec<String>,
    #[serde(default)]
    pub(crate) predictions: Vec<Prediction>,
}

/// One recorded answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Prediction {
    pub(crate) sql: String,
    pub(crate) class: String,
    #[serde(default)]
    pub(crate) any_column_order: bool,
}

/// A query with one name changed, and the queries that it was made of, line by line.
#[derive(Debug, Deserialize)]
pub(crate) struct Resolved {
    pub(crate) db: String,
    pub(crate) sql: String,
    pub(crate) kind: String,
    pub(crate) accepted: bool,
}

/// A statement that a parser judged.
#[derive(Debug, Deserialize)]
pub(crate) struct Judged {
    pub(crate) id: String,
    pub(crate) dialect: String,
    pub(crate) sql: String,
    pub(crate) parses: bool,
    #[serde(default)]
    pub(crate) statements: Vec<String>,
}

/// A statement that engines ran.
#[derive(Debug, Deserialize)]
pub(crate) struct Spoken {
    pub(crate) id: String,
    pub(crate) sql: String,
    /// The dialect whose own tests hold it valid.
    #[serde(default)]
    pub(crate) dialect: String,
    #[serde(default)]
    pub(crate) engines: std::collections::BTreeMap<String, Accepted>,
}

/// An engine's verdict.
#[derive(Debug, Deserialize)]
pub(crate) struct Accepted {
    pub(crate) accepted: Option<bool>,
}

/// Reads `NAME.jsonl`.
pub(crate) fn read<T: DeserializeOwned>(data: &Path, name: &str) -> Vec<T> {
    let text = std::fs::read_to_string(data.join(format!("{name}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads a question set; equal answers to one question are kept once.
pub(crate) fn items(data: &Path, name: &str) -> Vec<Item> {
    let mut items: Vec<Item> = read(data, name);
    for item in &mut items {
        let mut seen = BTreeSet::new();
        item.predictions.retain(|said| seen.insert(said.sql.clone()));
    }
    items
}

/// The half that a database belongs to: thresholds are chosen on 0 and reported on 1.
///
/// The parity of FNV-1a over the name, so that it never depends on which databases there are. A
/// changed copy of a database (`new_pets_1`) stands where its original does.
pub(crate) fn half(db: &str) -> usize {
    let hash =
        db.trim_start_matches("new_").bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    usize::from(hash & 1 == 1)
}
