//! The form of a knowledge file: what may stand in it, and what that becomes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use toml::Spanned;

use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};
use crate::domain::{ColumnRef, Example, Knowledge};

use super::complaint::{self, place};

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
    joins: Vec<JoinEntry>,
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
    filters: Vec<String>,
    grain: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    #[serde(default)]
    approved: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JoinEntry {
    from: Spanned<Names>,
    to: Spanned<Names>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    one_to_one: bool,
}

/// One `table.column`, or several of one table.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected \"table.column\", or a list of such")]
enum Names {
    One(String),
    Many(Vec<String>),
}

impl Names {
    fn list(&self) -> &[String] {
        match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::Many(names) => names,
        }
    }

    fn columns(&self) -> Vec<ColumnRef> {
        self.list().iter().filter_map(|name| column_ref(name)).collect()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableEntry {
    #[serde(default)]
    meaning: String,
    #[serde(default)]
    synonyms: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnEntry {
    #[serde(default)]
    meaning: String,
    unit: Option<String>,
    format: Option<String>,
    values: Option<Codes>,
    #[serde(default)]
    unique: bool,
    #[serde(default)]
    not_null: bool,
    #[serde(default)]
    synonyms: Vec<String>,
}

/// Stored codes: with what each means, or alone.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected codes with their meanings, or a list of codes")]
enum Codes {
    Explained(BTreeMap<String, String>),
    Alone(Vec<String>),
}

impl Codes {
    /// A code whose meaning is still to be filled in says nothing yet; one that stands alone names
    /// what may be stored.
    fn list(self) -> Vec<(String, String)> {
        match self {
            Codes::Explained(codes) => {
                codes.into_iter().filter(|(_, words)| !words.trim().is_empty()).collect()
            }
            Codes::Alone(codes) => codes.into_iter().map(|code| (code, String::new())).collect(),
        }
    }
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
#[serde(untagged, expecting = "expected a date such as 2026-06-15")]
enum When {
    Date(toml::value::Datetime),
    Text(String),
}

/// Reads a file, or says what is wrong with it and where.
pub(super) fn parse(text: &str) -> Result<File, String> {
    let file: File = toml::from_str(text).map_err(|error| complaint::of(text, &error))?;
    file.checked(text)
}

impl File {
    /// Checks what types can't: column names have their table, metric names are unique, the sides
    /// of a join fit each other.
    fn checked(self, text: &str) -> Result<Self, String> {
        let at = |start: usize, words: String| Err(format!("{}: {words}", place(text, start)));
        for name in self.columns.keys().chain(&self.deny) {
            if column_ref(name.get_ref()).is_none() {
                return at(name.span().start, no_column(name.get_ref()));
            }
        }
        for side in self.joins.iter().flat_map(|join| [&join.from, &join.to]) {
            let names = side.get_ref().list();
            if let Some(name) = names.iter().find(|name| column_ref(name).is_none()) {
                return at(side.span().start, no_column(name));
            }
            let columns = side.get_ref().columns();
            let one_table = columns.windows(2).all(|pair| match pair {
                [a, b] => a.table.eq_ignore_ascii_case(&b.table),
                _ => true,
            });
            if columns.is_empty() || !one_table {
                let words = "one side of a join names columns of one table, at least one";
                return at(side.span().start, words.to_owned());
            }
        }
        for join in &self.joins {
            let (from, to) = (join.from.get_ref().list().len(), join.to.get_ref().list().len());
            if from != to {
                let words = format!("a join needs as many columns on both sides: {from} and {to}");
                return at(join.to.span().start, words);
            }
        }
        let mut names = BTreeSet::new();
        for metric in &self.metrics {
            if !names.insert(metric.name.get_ref()) {
                let name = metric.name.get_ref();
                let words = format!("metric '{name}' is defined twice; keep one");
                return at(metric.name.span().start, words);
            }
        }
        Ok(self)
    }

    /// Turns the file into what the rest of the program reads.
    pub(super) fn knowledge(self, source: &str) -> Knowledge {
        let rule = |r: RuleEntry| Rule { text: r.text, about: r.about };
        let deny = |name: Spanned<String>| column_ref(name.get_ref());
        let mut synonyms: Vec<(String, String)> = self.synonyms.into_iter().collect();
        let mut also = |name: &str, words: Vec<String>| {
            synonyms.extend(words.into_iter().map(|word| (word, name.to_owned())));
        };
        let mut tables = Vec::new();
        for (name, entry) in self.tables {
            also(&name, entry.synonyms);
            if !entry.meaning.trim().is_empty() {
                tables.push((name, entry.meaning));
            }
        }
        let mut columns = Vec::new();
        for (name, mut entry) in self.columns {
            also(name.get_ref(), std::mem::take(&mut entry.synonyms));
            columns.extend(entry.meaning(name.get_ref()));
        }
        // wherever they stand in the file
        synonyms.sort();
        Knowledge {
            source: source.to_owned(),
            domain: self.domain,
            rules: self.rules.into_iter().map(rule).collect(),
            metrics: self.metrics.into_iter().map(MetricEntry::metric).collect(),
            conventions: self.conventions,
            notes: self.notes,
            tables,
            columns,
            joins: self.joins.into_iter().map(JoinEntry::hint).collect(),
            synonyms,
            examples: self.examples.into_iter().map(ExampleEntry::example).collect(),
            questions: self.questions,
            deny: self.deny.into_iter().filter_map(deny).collect(),
            lost: Vec::new(),
        }
    }
}

impl MetricEntry {
    fn metric(self) -> Metric {
        let filters: Vec<String> = self.filter.into_iter().chain(self.filters).collect();
        Metric {
            name: self.name.into_inner(),
            meaning: self.meaning,
            formula: self.formula.trim().to_owned(),
            tables: self.tables,
            filter: all_of(&filters),
            grain: said(self.grain),
            synonyms: self.synonyms,
            approved: self.approved,
        }
    }
}

/// Joins conditions to one that asks for all of them; each keeps to itself.
pub(super) fn all_of(conditions: &[String]) -> Option<String> {
    let conditions = conditions.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    match conditions.collect::<Vec<_>>().as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        many => Some(format!("({})", many.join(") AND ("))),
    }
}

impl JoinEntry {
    fn hint(self) -> JoinHint {
        JoinHint {
            from: self.from.get_ref().columns(),
            to: self.to.get_ref().columns(),
            reason: self.reason,
            one_to_one: self.one_to_one,
        }
    }
}

impl ColumnEntry {
    /// Returns what it says; none while all of it waits to be filled in.
    fn meaning(self, name: &str) -> Option<Meaning> {
        let at = column_ref(name)?;
        let meaning = Meaning {
            text: self.meaning.trim().to_owned(),
            unit: said(self.unit),
            format: said(self.format),
            values: self.values.map(Codes::list).unwrap_or_default(),
            unique: self.unique,
            not_null: self.not_null,
            ..Meaning::of(at.clone())
        };
        (meaning != Meaning::of(at)).then_some(meaning)
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

/// Drops a text that is still to be filled in.
fn said(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

fn no_column(name: &str) -> String {
    format!("'{name}' names no column; write \"table.column\" in quotes")
}

/// Reads `table.column`; the last point divides, as column names hold points less often.
pub(super) fn column_ref(name: &str) -> Option<ColumnRef> {
    let (table, column) = name.rsplit_once('.')?;
    (!table.is_empty() && !column.is_empty()).then(|| ColumnRef::new(table, column))
}
