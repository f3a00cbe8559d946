//! The form of a knowledge file, and words for what is wrong with one.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use toml::Spanned;

use crate::domain::knowledge::{Meaning, Metric, Rule};
use crate::domain::{ColumnRef, Example, Knowledge};
use crate::sql::nearest::nearest;

/// A knowledge file as written. `assets/knowledge.example.toml` explains every key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    domain: String,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    conventions: Vec<String>,
    #[serde(default)]
    questions: Vec<String>,
    #[serde(default)]
    deny: Vec<Spanned<String>>,
    #[serde(default)]
    rules: Vec<RuleEntry>,
    #[serde(default)]
    metrics: Vec<MetricEntry>,
    #[serde(default)]
    tables: BTreeMap<String, TableEntry>,
    #[serde(default)]
    columns: BTreeMap<Spanned<String>, ColumnEntry>,
    #[serde(default)]
    synonyms: BTreeMap<String, String>,
    #[serde(default)]
    examples: Vec<ExampleEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    text: String,
    #[serde(default)]
    about: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MetricEntry {
    name: Spanned<String>,
    meaning: String,
    formula: String,
    #[serde(default)]
    tables: Vec<String>,
    filter: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    #[serde(default)]
    approved: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableEntry {
    meaning: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnEntry {
    meaning: String,
    format: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleEntry {
    question: String,
    sql: String,
    verified_by: String,
    verified_at: Option<When>,
}

/// A day, written as TOML's own date or as text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum When {
    Date(toml::value::Datetime),
    Text(String),
}

/// Reads a file, or says what is wrong with it and where.
pub(super) fn parse(text: &str) -> Result<File, String> {
    let file: File = toml::from_str(text).map_err(|error| complaint(text, &error))?;
    file.checked(text)
}

impl File {
    /// Checks what types can't: column names have their table, metric names are unique.
    fn checked(self, text: &str) -> Result<Self, String> {
        for name in self.columns.keys().chain(&self.deny) {
            if column_ref(name.get_ref()).is_none() {
                let place = place(text, name.span().start);
                let name = name.get_ref();
                return Err(format!(
                    "{place}: '{name}' names no column; write \"table.column\" in quotes"
                ));
            }
        }
        let mut names = BTreeSet::new();
        for metric in &self.metrics {
            if !names.insert(metric.name.get_ref()) {
                let place = place(text, metric.name.span().start);
                let name = metric.name.get_ref();
                return Err(format!("{place}: metric '{name}' is defined twice; keep one"));
            }
        }
        Ok(self)
    }

    /// Turns the file into what the rest of the program reads.
    pub(super) fn knowledge(self, source: &str) -> Knowledge {
        let rule = |r: RuleEntry| Rule { text: r.text, about: r.about };
        let deny = |name: Spanned<String>| column_ref(name.get_ref());
        Knowledge {
            source: source.to_owned(),
            domain: self.domain,
            rules: self.rules.into_iter().map(rule).collect(),
            metrics: self.metrics.into_iter().map(MetricEntry::metric).collect(),
            conventions: self.conventions,
            notes: self.notes,
            tables: self.tables.into_iter().map(|(name, t)| (name, t.meaning)).collect(),
            columns: self.columns.into_iter().filter_map(meaning).collect(),
            synonyms: self.synonyms.into_iter().collect(),
            examples: self.examples.into_iter().map(ExampleEntry::example).collect(),
            questions: self.questions,
            deny: self.deny.into_iter().filter_map(deny).collect(),
        }
    }
}

impl MetricEntry {
    fn metric(self) -> Metric {
        Metric {
            name: self.name.into_inner(),
            meaning: self.meaning,
            formula: self.formula.trim().to_owned(),
            tables: self.tables,
            filter: self.filter.map(|filter| filter.trim().to_owned()),
            synonyms: self.synonyms,
            approved: self.approved,
        }
    }
}

impl ExampleEntry {
    fn example(self) -> Example {
        let verified_at = match self.verified_at {
            Some(When::Date(date)) => date.to_string(),
            Some(When::Text(text)) => text,
            None => String::new(),
        };
        Example {
            question: self.question,
            sql: self.sql.trim().to_owned(),
            verified_by: self.verified_by,
            verified_at,
            run: None,
        }
    }
}

fn meaning((name, entry): (Spanned<String>, ColumnEntry)) -> Option<Meaning> {
    Some(Meaning {
        at: column_ref(name.get_ref())?,
        text: entry.meaning,
        format: entry.format,
        values: entry.values.into_iter().collect(),
    })
}

/// Reads `table.column`; the last point divides, as column names hold points less often.
pub(super) fn column_ref(name: &str) -> Option<ColumnRef> {
    let (table, column) = name.rsplit_once('.')?;
    (!table.is_empty() && !column.is_empty()).then(|| ColumnRef::new(table, column))
}

/// Says what TOML or serde refuses, with the place and, for a wrong key, the nearest known one.
fn complaint(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let place = place(text, start);
    let message = error.message();
    let Some(rest) = message.strip_prefix("unknown field ") else {
        return format!("{place}: {}", message.trim_end().replace('\n', "; "));
    };
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let wrong = quoted.next().unwrap_or_default();
    let known: Vec<&str> = quoted.collect();
    let hint = match nearest(wrong, known.iter().copied()).first() {
        Some((close, _)) => format!("did you mean '{close}'?"),
        None => format!("known keys: {}", known.join(", ")),
    };
    format!("{place}: unknown key '{wrong}'{}; {hint}", section(text, start))
}

/// Names the section that a place is in: the nearest header above it.
fn section(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let header = before.lines().rev().find(|line| line.starts_with('['));
    header.map_or_else(String::new, |header| format!(" in {}", header.trim_end()))
}

/// Says where a byte is, counting lines and columns from 1.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}
