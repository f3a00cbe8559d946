//! A set of questions with gold SQL, as JSON lines; recorded predictions come with it. Pure but for
//! the lines it is given.
//!
//! A line is `{id?, db?, question, evidence?, gold_sql, gold_alternatives?, predictions?}`; a
//! prediction is `{model, sql, more?}`, `more` the further samples of that model in their order. What
//! other public sets call these fields is understood, too; other fields are ignored.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::sql::nearest::nearest;

/// Stands for every recording that covers a set.
const ALL: &str = "all";

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Number of the set, from 0.
    pub set: usize,
    /// Number of the line, from 1.
    pub line: usize,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Item {
    /// Where it stands.
    pub place: Place,
    /// Its id; where it has none, the number of its line.
    pub id: String,
    /// Name of its database.
    pub db: Option<String>,
    /// The question.
    pub question: String,
    /// A hint that comes with it.
    pub evidence: Option<String>,
    /// SQL that is right, the main one first; never empty.
    pub golds: Vec<String>,
    /// Recorded answers.
    pub recorded: Vec<Recorded>,
}

impl Item {
    /// Returns what a model answered, in order: its first answer, then further samples.
    pub fn samples(&self, model: &str) -> Option<&[String]> {
        let recorded = self.recorded.iter().find(|recorded| recorded.model == model);
        recorded.map(|recorded| recorded.samples.as_slice())
    }
}

/// What a model was recorded to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Its name.
    pub model: String,
    /// Its answers, in order; never empty.
    pub samples: Vec<String>,
}

/// A line that can't be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unscored {
    /// Where it stands.
    pub place: Place,
    /// Its id, where it has one.
    pub id: Option<String>,
    /// Why, as a sentence without a full stop.
    pub why: String,
}

/// One set, or several asked as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suite {
    /// Names of the sets.
    pub sets: Vec<String>,
    /// The questions, in order.
    pub items: Vec<Arc<Item>>,
    /// Lines that can't be read.
    pub unreadable: Vec<Unscored>,
}

/// Which questions of a set are asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrow {
    /// Databases; empty means all.
    pub databases: Vec<String>,
    /// Questions at most, from the first.
    pub limit: Option<usize>,
}

/// What was named and isn't there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Unknown {
    /// What.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// A line as written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    #[serde(alias = "question_id")]
    id: Json,
    #[serde(alias = "db_id")]
    db: Option<String>,
    question: Option<String>,
    evidence: Option<String>,
    #[serde(alias = "gold", alias = "query", alias = "SQL")]
    gold_sql: Option<Texts>,
    gold_alternatives: Option<Vec<String>>,
    predictions: Option<Vec<Prediction>>,
}

/// One text, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct Prediction {
    model: String,
    sql: Option<String>,
    #[serde(default, alias = "samples")]
    more: Vec<Sample>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Sample {
    Text(String),
    Object { sql: Option<String> },
}

impl Suite {
    /// Reads one more set; lines that can't be read are kept with the reason. Blank lines are none.
    pub fn read(&mut self, name: String, lines: impl Iterator<Item = std::io::Result<Vec<u8>>>) {
        let set = self.sets.len();
        self.sets.push(name);
        for (at, bytes) in lines.enumerate() {
            let place = Place { set, line: at + 1 };
            match bytes.map_err(|e| (None, format!("the line can't be read: {e}"))) {
                Ok(bytes) if bytes.trim_ascii().is_empty() => {}
                bytes => match bytes.and_then(|bytes| item(place, &bytes)) {
                    Ok(item) => self.items.push(Arc::new(item)),
                    Err((id, why)) => self.unreadable.push(Unscored { place, id, why }),
                },
            }
        }
    }

    /// Keeps the questions that shall be asked.
    pub fn narrow(&mut self, narrow: &Narrow) -> Result<(), Unknown> {
        let of = |item: &Arc<Item>| item.db.clone();
        let known: BTreeSet<String> = self.items.iter().filter_map(of).collect();
        for db in &narrow.databases {
            if !known.contains(db) {
                return Err(unknown(
                    "question on a database",
                    db,
                    known.iter().map(String::as_str),
                ));
            }
        }
        if !narrow.databases.is_empty() {
            let wanted = |item: &Arc<Item>| {
                item.db.as_ref().is_some_and(|db| narrow.databases.iter().any(|name| name == db))
            };
            self.items.retain(wanted);
        }
        self.items.truncate(narrow.limit.unwrap_or(usize::MAX));
        Ok(())
    }

    /// Lists the recorded models and how many questions each answered, in the order of the set.
    pub fn recordings(&self) -> Vec<(String, usize)> {
        let mut found: Vec<(String, usize)> = Vec::new();
        for recorded in self.items.iter().flat_map(|item| &item.recorded) {
            match found.iter_mut().find(|(model, _)| *model == recorded.model) {
                Some((_, n)) => *n += 1,
                None => found.push((recorded.model.clone(), 1)),
            }
        }
        found
    }

    /// Tells whether a recording answers more than half of the questions of some set.
    fn covers(&self, model: &str) -> bool {
        (0..self.sets.len()).any(|set| {
            let of_set = || self.items.iter().filter(|item| item.place.set == set);
            let answered = of_set().filter(|item| item.samples(model).is_some()).count();
            answered * 2 > of_set().count()
        })
    }

    /// Finds the recordings that are named; `all` stands for each that answers more than half of
    /// the questions of some set.
    pub fn named(&self, names: &[String]) -> Result<Vec<String>, Unknown> {
        let known = self.recordings();
        let mut found: Vec<String> = Vec::new();
        for name in names {
            let is = |model: &str| model == name;
            let here: Vec<&String> = if name == ALL && !known.iter().any(|(model, _)| is(model)) {
                known.iter().map(|(model, _)| model).filter(|model| self.covers(model)).collect()
            } else {
                known.iter().map(|(model, _)| model).filter(|model| is(model)).collect()
            };
            if here.is_empty() {
                return Err(unknown("recording", name, known.iter().map(|(m, _)| m.as_str())));
            }
            let fresh: Vec<String> =
                here.into_iter().filter(|m| !found.contains(m)).cloned().collect();
            found.extend(fresh);
        }
        Ok(found)
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Unknown {
    let known: Vec<&str> = known.collect();
    let close = nearest(name, known.iter().copied()).first().map(|(close, _)| (*close).to_owned());
    let hint = match (close, known.as_slice()) {
        (_, []) => "The set has none.".to_owned(),
        (Some(close), _) => format!("Did you mean '{close}'?"),
        (None, known) => format!("The set has: {}.", known.join(", ")),
    };
    Unknown { what: format!("the set has no {what} named '{name}'"), hint }
}

/// Reads a line; trouble comes with the line's id where it has one.
fn item(place: Place, bytes: &[u8]) -> Result<Item, (Option<String>, String)> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| (None, format!("the line is no UTF-8 text: {e}")))?
        .trim_start_matches('\u{feff}')
        .trim();
    let json: Json =
        serde_json::from_str(text).map_err(|e| (None, format!("the line is no JSON: {e}")))?;
    if !json.is_object() {
        return Err((None, "the line is no JSON object".to_owned()));
    }
    let id = id_text(json.get("id").or_else(|| json.get("question_id")).unwrap_or(&Json::Null));
    let line: Line = serde_json::from_value(json)
        .map_err(|e| (id.clone(), format!("a field of the line has the wrong type: {e}")))?;
    let has = |text: &String| !text.trim().is_empty();
    let golds: Vec<String> = match line.gold_sql {
        Some(Texts::One(sql)) => vec![sql],
        Some(Texts::Several(list)) => list,
        None => Vec::new(),
    };
    let golds: Vec<String> =
        golds.into_iter().chain(line.gold_alternatives.unwrap_or_default()).filter(has).collect();
    if golds.is_empty() {
        return Err((id, "the line has no gold_sql to compare with".to_owned()));
    }
    let Some(question) = line.question.filter(has) else {
        return Err((id, "the line has no question".to_owned()));
    };
    Ok(Item {
        place,
        id: id.unwrap_or_else(|| place.line.to_string()),
        db: line.db.filter(has),
        question,
        evidence: line.evidence.filter(has),
        golds,
        recorded: line.predictions.unwrap_or_default().into_iter().map(recorded).collect(),
    })
}

fn recorded(prediction: Prediction) -> Recorded {
    let further = prediction.more.into_iter().map(|sample| match sample {
        Sample::Text(sql) => sql,
        Sample::Object { sql } => sql.unwrap_or_default(),
    });
    let samples = std::iter::once(prediction.sql.unwrap_or_default()).chain(further).collect();
    Recorded { model: prediction.model, samples }
}

fn id_text(id: &Json) -> Option<String> {
    match id {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => Some(id.to_string()),
    }
}

#[cfg(test)]
#[path = "suite_tests.rs"]
mod tests;
