//! What the words of a question are tied to, each tie with the words that show it.

use serde::{Deserialize, Serialize};

use super::failure::Span;
use super::schema::ColumnRef;

/// What the person wants done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Read data.
    Read,
    /// Change data: declined.
    Write,
    /// Something this database is not about, by positive evidence.
    OffTopic,
    /// Too little to go on.
    Vague,
}

/// The kinds of question that steer the selection of components (table of S0-050).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Rows by a condition.
    SimpleFilter,
    /// Totals, counts, averages.
    Aggregation,
    /// More than one table.
    MultiTableJoin,
    /// Change over time.
    Growth,
    /// Order, top-N, superlatives.
    Ranking,
}

impl QuestionKind {
    /// Returns the kind in words.
    pub fn name(self) -> &'static str {
        match self {
            QuestionKind::SimpleFilter => "simple filter",
            QuestionKind::Aggregation => "aggregation",
            QuestionKind::MultiTableJoin => "multi-table join",
            QuestionKind::Growth => "growth",
            QuestionKind::Ranking => "ranking",
        }
    }
}

/// How hard a question looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// One draft will do.
    Simple,
    /// Many tables, several measures, or several steps.
    Complex,
}

/// How words were recognised, from the surest down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// The same text.
    Exact,
    /// The same but for letter case.
    Case,
    /// The same stem.
    Stem,
    /// A synonym, from knowledge or general English.
    Synonym,
    /// Part of a longer name or value.
    Part,
    /// A word of its description or comment.
    Description,
    /// One or two letters off.
    Typo,
}

/// What words are tied to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTarget {
    /// A table.
    Table(String),
    /// A column.
    Column(ColumnRef),
    /// A stored value of a column, in its stored spelling.
    Value {
        /// The column that holds it.
        column: ColumnRef,
        /// The value as stored.
        stored: String,
    },
    /// A metric of the knowledge file.
    Metric(String),
}

/// One tie from words to a thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Bytes of the question.
    pub span: Span,
    /// The words there.
    pub words: String,
    /// What they are tied to.
    pub target: LinkTarget,
    /// How they were recognised.
    pub how: Match,
    /// 0 to 1, comparable within one question.
    pub score: f32,
}

/// A catalog ranked by a question, best first; what nothing speaks for is left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Related {
    /// Tables.
    pub tables: Vec<RelatedTable>,
    /// Columns that words speak for, of these tables.
    pub columns: Vec<RelatedColumn>,
    /// The few tables that together explain the question, in the order in which they were found.
    pub anchors: Vec<String>,
    /// How much of the question's words anything in the catalog explains, 0 to 1; 1 without words.
    #[serde(default)]
    pub explained: f32,
    /// Words that nothing explains.
    #[serde(default)]
    pub unexplained: Vec<String>,
}

/// A table and how much of the question it explains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelatedTable {
    /// The table.
    pub table: String,
    /// Above 0, comparable within one question.
    pub score: f32,
    /// The words that speak for it by itself, the strongest first; none when only its neighbours do.
    pub why: Vec<String>,
}

/// A column that words of the question speak for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelatedColumn {
    /// The column.
    pub at: ColumnRef,
    /// 0 to 1, comparable within one question.
    pub score: f32,
}

/// Everything intake found in a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Understanding {
    /// What is wanted.
    pub intent: Intent,
    /// The words that show the intent; empty for a plain read.
    pub intent_words: String,
    /// Kinds, each with the words that show it; never empty.
    pub kinds: Vec<(QuestionKind, String)>,
    /// How hard it looks.
    pub complexity: Complexity,
    /// Why, in words.
    pub complexity_reason: String,
    /// Ties, in order of the question, best first at one place.
    pub links: Vec<Link>,
    /// Further ties to stored values, for what is told: of the hint given with the question, by how
    /// a value is written, by what it means. Spans of the hint are bytes of the hint.
    #[serde(default)]
    pub hints: Vec<Link>,
    /// Tables and columns ranked by how much of the question they explain.
    #[serde(default)]
    pub related: Related,
    /// Words that should name something and name nothing, in order of the question.
    #[serde(default)]
    pub unknown: Vec<Span>,
    /// What the person should know: nothing linked, words nobody knows, …
    pub warnings: Vec<String>,
    /// A question back with concrete choices, when look-alike readings may differ.
    pub ambiguity: Option<Ambiguity>,
}

impl Understanding {
    /// Lists linked tables without repetition: named ones first, then owners of columns and values.
    pub fn tables(&self) -> Vec<String> {
        let mut tables: Vec<String> = Vec::new();
        let named = |link: &Link| match &link.target {
            LinkTarget::Table(table) => Some(table.clone()),
            LinkTarget::Column(_) | LinkTarget::Value { .. } | LinkTarget::Metric(_) => None,
        };
        let owner = |link: &Link| match &link.target {
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => Some(at.table.clone()),
            LinkTarget::Table(_) | LinkTarget::Metric(_) => None,
        };
        let all = self.links.iter().filter_map(named).chain(self.links.iter().filter_map(owner));
        for table in all {
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        tables
    }
}

/// Words that could mean several things with different results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ambiguity {
    /// The words.
    pub words: String,
    /// The question to ask back.
    pub question: String,
    /// Concrete choices: the question reworded for each reading.
    pub choices: Vec<String>,
}
