//! Knowledge written for other tools: dbt schema files and semantic models, Cube data models.
//!
//! What belongs here: one file for each format, over one reader of YAML. What must never come:
//! running a template, or dropping in silence what can't be carried over: it becomes a line of
//! `Knowledge::lost`.
//! To add a format: a file that reads documents into an `Import`, its keys in `KEYS`, its line in
//! `read`.

use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};
use crate::domain::{ColumnRef, Dialect, Knowledge};
use crate::sql::dialect::quote;

mod cube;
mod cube_parts;
mod dbt;
mod figure;
mod semantic;
mod semantic_metrics;
mod template;
#[cfg(test)]
mod tests;
mod yaml;

use yaml::Node;

/// Keys that such files begin with, at the start of a line.
const KEYS: &[&str] = &[
    "version",
    "models",
    "sources",
    "seeds",
    "snapshots",
    "semantic_models",
    "metrics",
    "cubes",
    "views",
    "saved_queries",
    "groups",
    "exposures",
];

/// Most lines on what was lost that are kept.
const MOST_LOST: usize = 200;

/// Tells YAML of these formats from TOML: it begins with no section and no `key = value`, and holds
/// a known key, followed by a colon.
pub(super) fn is_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---");
    let toml = |line: &str| {
        line.starts_with('[') || line.split(':').next().is_some_and(|k| k.contains('='))
    };
    first.is_some_and(|line| !toml(line))
        && text.lines().any(|line| {
            let key = line.split_once(':').map_or("", |(key, _)| key.trim_end());
            KEYS.contains(&key)
        })
}

/// A file of another tool.
#[derive(Debug, Clone)]
pub(super) struct Foreign {
    /// What it is called in messages; empty where there is only one.
    pub(super) name: String,
    /// Its text.
    pub(super) text: String,
}

/// Reads files that belong together as one piece of knowledge, or says what is wrong and where.
pub(super) fn read(files: &[Foreign], source: &str) -> Result<Knowledge, String> {
    let mut documents: Vec<(&str, Node)> = Vec::new();
    for file in files {
        let at = if file.name.is_empty() { String::new() } else { format!("{}: ", file.name) };
        let nodes = yaml::documents(&file.text).map_err(|what| format!("{at}{what}"))?;
        documents.extend(nodes.into_iter().map(|node| (file.name.as_str(), node)));
    }
    let mut import = Import::default();
    for (file, document) in &documents {
        (*file).clone_into(&mut import.file);
        dbt::read(document, &mut import);
    }
    semantic::read(&documents, &mut import);
    cube::read(&documents, &mut import);
    if import.known == Knowledge::default() && import.lost.is_empty() {
        return Err(format!(
            "nothing of it is known; such files begin with one of {}",
            KEYS.join(", ")
        ));
    }
    let more = import.lost.len().saturating_sub(MOST_LOST);
    import.lost.truncate(MOST_LOST);
    import.lost.extend((more > 0).then(|| format!("… and {more} more")));
    Ok(Knowledge { source: source.to_owned(), lost: import.lost, ..import.known })
}

/// What was read so far.
#[derive(Debug, Default)]
struct Import {
    known: Knowledge,
    lost: Vec<String>,
    /// The file that is being read, for messages.
    file: String,
}

impl Import {
    /// Says that something can't be carried over.
    fn lose(&mut self, node: &Node, what: impl AsRef<str>) {
        let file = if self.file.is_empty() { String::new() } else { format!("{}, ", self.file) };
        self.lost.push(format!("{file}line {}: not carried over: {}", node.line, what.as_ref()));
    }

    /// Adds words to what a table means.
    fn table(&mut self, name: &str, words: &str) {
        let words = one_line(words);
        if words.is_empty() {
            return;
        }
        match self.known.tables.iter_mut().find(|(known, _)| known == name) {
            Some((_, meaning)) if meaning.contains(&words) => {}
            Some((_, meaning)) => *meaning = format!("{meaning}; {words}"),
            None => self.known.tables.push((name.to_owned(), words)),
        }
    }

    /// Adds to what is known of a column.
    fn column(&mut self, at: &ColumnRef, add: impl FnOnce(&mut Meaning)) {
        if let Some(meaning) = self.known.columns.iter_mut().find(|meaning| meaning.at == *at) {
            add(meaning);
        } else {
            let mut meaning = Meaning::of(at.clone());
            add(&mut meaning);
            self.known.columns.push(meaning);
        }
    }

    /// Adds words to what a column means.
    fn mean(&mut self, at: &ColumnRef, words: &str) {
        let words = one_line(words);
        if words.is_empty() {
            return;
        }
        self.column(at, |meaning| {
            if !meaning.text.contains(&words) {
                let gap = if meaning.text.is_empty() { "" } else { "; " };
                meaning.text = format!("{}{gap}{words}", meaning.text);
            }
        });
    }

    /// Adds another word for a table, column or metric, unless it says the name itself.
    fn synonym(&mut self, words: &str, name: &str) {
        let words = one_line(words).to_lowercase();
        let own = name.rsplit_once('.').map_or(name, |(_, column)| column);
        let same = super::init::split(own) == super::init::split(&words);
        let pair = (words, name.to_owned());
        if !pair.0.is_empty() && !same && !self.known.synonyms.contains(&pair) {
            self.known.synonyms.push(pair);
        }
    }

    fn join(&mut self, hint: JoinHint) {
        let same = |other: &JoinHint| other.from == hint.from && other.to == hint.to;
        if !self.known.joins.iter().any(same) {
            self.known.joins.push(hint);
        }
    }

    fn rule(&mut self, text: String, about: Vec<String>) {
        let rule = Rule { text, about };
        if !self.known.rules.contains(&rule) {
            self.known.rules.push(rule);
        }
    }

    /// Adds a metric; of two with one name the first counts.
    fn metric(&mut self, node: &Node, metric: Metric) {
        if self.known.metrics.iter().any(|known| known.name == metric.name) {
            self.lose(node, format!("metric {}: there is one of that name already", metric.name));
        } else {
            self.known.metrics.push(metric);
        }
    }
}

/// Makes one line of a text.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes a column with its table, quoted where engines need it.
fn qualified(table: &str, column: &str) -> String {
    format!("{}.{}", quote(table, Dialect::Generic), quote(column, Dialect::Generic))
}

/// Tells whether a text is one plain name.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
