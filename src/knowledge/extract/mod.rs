//! Knowledge that a schema already holds without saying so: proposals from views, triggers,
//! constraints, defaults, keys and comments, each with the text it was read from.
//!
//! What belongs here: one file for each kind of object, and how proposals that say the same become
//! one. What must never come: adopting a proposal, or a look at the data.
//! To add a source: a file that gives drafts, and its line in `extract`.

use std::fmt::Write;

use crate::domain::knowledge::{JoinHint, Meaning, Metric, Rule};
use crate::domain::{Catalog, ColumnRef, Dialect};
use crate::search::names::holds_word;

use super::write;

mod checks;
mod columns;
mod keys;
mod merge;
#[cfg(test)]
mod tests;
mod triggers;
mod views;
mod wording;

/// The definition of a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The table it watches.
    pub table: String,
    /// The statement that made it.
    pub sql: String,
}

/// What kind of entry is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A measure with its formula.
    Metric,
    /// A key that the schema doesn't declare.
    Join,
    /// A rule.
    Rule,
    /// What a table means.
    Table,
    /// What a column means, holds, or is called.
    Column,
}

impl Kind {
    /// Returns the kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Metric => "metric",
            Kind::Join => "join",
            Kind::Rule => "rule",
            Kind::Table => "table",
            Kind::Column => "column",
        }
    }
}

/// Where a proposal was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The object: `view sales_by_store`.
    pub object: String,
    /// The exact text.
    pub text: String,
}

/// An entry that a person may take over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Which kind.
    pub kind: Kind,
    /// The entry as text of a knowledge file.
    pub entry: String,
    /// Where it was read, first found first; never empty.
    pub cites: Vec<Citation>,
    /// What to look at before it is taken over; may be empty.
    pub note: String,
}

/// A proposal before it takes its form.
#[derive(Debug, Clone, PartialEq)]
enum Entry {
    Metric(Metric),
    Join(JoinHint),
    Rule(Rule),
    /// The rows that views keep.
    Kept {
        views: Vec<String>,
        condition: String,
        about: Vec<String>,
    },
    Table(String, String),
    /// With further words for the column.
    Column(Meaning, Vec<String>),
}

/// An entry, where it was read, and what to look at.
#[derive(Debug, Clone, PartialEq)]
struct Draft {
    entry: Entry,
    cites: Vec<Citation>,
    note: String,
}

impl Draft {
    fn new(entry: Entry, object: impl Into<String>, text: impl Into<String>) -> Self {
        let cite = Citation { object: object.into(), text: text.into() };
        Draft { entry, cites: vec![cite], note: String::new() }
    }

    fn noted(self, note: impl Into<String>) -> Self {
        Draft { note: note.into(), ..self }
    }

    fn proposal(self) -> Proposal {
        let (kind, entry) = match &self.entry {
            Entry::Metric(metric) => (Kind::Metric, write::metric(metric)),
            Entry::Join(hint) => (Kind::Join, write::join(hint)),
            Entry::Rule(rule) => (Kind::Rule, write::rule(rule)),
            Entry::Kept { views, condition, about } => {
                let rule = Rule { text: kept(views, condition), about: about.clone() };
                (Kind::Rule, write::rule(&rule))
            }
            Entry::Table(name, meaning) => (Kind::Table, write::table(name, meaning)),
            Entry::Column(meaning, words) => (Kind::Column, write::column(meaning, words)),
        };
        Proposal { kind, entry, cites: self.cites, note: self.note }
    }
}

/// Says which rows views keep.
fn kept(views: &[String], condition: &str) -> String {
    let names: Vec<String> = views.iter().map(|name| format!("\"{name}\"")).collect();
    let verb = if views.len() == 1 { "keeps" } else { "keep" };
    format!("{} {verb} only rows where {condition}", names.join(" and "))
}

/// Proposes knowledge from a schema: metrics first, then joins, rules, tables, columns. Nothing that
/// names a withheld column is proposed: what is taken over is told to models.
pub fn extract(
    catalog: &Catalog,
    triggers: &[Definition],
    withheld: &[ColumnRef],
) -> Vec<Proposal> {
    let mut drafts = views::of(catalog);
    drafts.extend(triggers::of(catalog, triggers));
    drafts.extend(checks::of(catalog));
    drafts.extend(columns::of(catalog));
    drafts.extend(keys::of(catalog));
    let mut proposals: Vec<Proposal> =
        merge::merged(drafts).into_iter().map(Draft::proposal).collect();
    proposals.retain(|proposal| !tells_of(proposal, withheld));
    proposals.sort_by_key(|proposal| proposal.kind);
    proposals
}

/// Tells whether a proposal names one of these columns and its table.
fn tells_of(proposal: &Proposal, withheld: &[ColumnRef]) -> bool {
    let named = |name: &str| {
        let cites = proposal.cites.iter().flat_map(|cite| [&cite.object, &cite.text]);
        cites.chain([&proposal.entry, &proposal.note]).any(|text| holds_word(text, name))
    };
    withheld.iter().any(|at| named(&at.column) && named(&at.table))
}

/// Returns the query that lists triggers as name, table and statement, where there is one.
pub fn triggers_query(dialect: Dialect) -> Option<&'static str> {
    match dialect {
        Dialect::Sqlite => Some(
            "SELECT name, tbl_name, sql FROM sqlite_master \
             WHERE type = 'trigger' AND sql IS NOT NULL ORDER BY rowid",
        ),
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb | Dialect::Generic => None,
    }
}

/// Longest text of a citation in the file, in characters.
const CITED: usize = 160;

/// Citations of one proposal in the file.
const CITES: usize = 3;

/// Writes proposals as entries to be pasted, each under its citation.
pub fn text(proposals: &[Proposal]) -> String {
    let mut text = String::new();
    for proposal in proposals {
        for cite in proposal.cites.iter().take(CITES) {
            let (object, cited) = (one_line(&cite.object), one_line(&cite.text));
            let _ = writeln!(text, "# {object}: {cited}");
        }
        if let Some(more) = proposal.cites.len().checked_sub(CITES).filter(|more| *more > 0) {
            let _ = writeln!(text, "# … and {more} more");
        }
        if !proposal.note.is_empty() {
            let _ = writeln!(text, "# Look: {}", one_line(&proposal.note));
        }
        text += &proposal.entry;
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= CITED {
        return line;
    }
    line.chars().take(CITED).chain(['…']).collect()
}
