//! What people know about a database: rules, metrics, meanings, verified examples.

use serde::{Deserialize, Serialize};

use super::run::RunId;
use super::schema::ColumnRef;

/// Everything a knowledge file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Knowledge {
    /// Where it was read from; empty when there is none.
    pub source: String,
    /// What the database is about, in a few words.
    pub domain: String,
    /// Business rules, in order.
    pub rules: Vec<Rule>,
    /// Metrics with formulas.
    pub metrics: Vec<Metric>,
    /// Naming conventions, in order.
    pub conventions: Vec<String>,
    /// Notes on units, formats, dialect: the `SCHEMA NOTES`.
    pub notes: Vec<String>,
    /// Meanings of tables: name and words.
    pub tables: Vec<(String, String)>,
    /// Meanings of columns.
    pub columns: Vec<Meaning>,
    /// Words that stand for a table, a column (`table.column`) or a metric.
    pub synonyms: Vec<(String, String)>,
    /// Question and SQL pairs that a person verified.
    pub examples: Vec<Example>,
    /// Questions to show at an empty start.
    pub questions: Vec<String>,
    /// Columns that never leave the machine at any privacy level.
    pub deny: Vec<ColumnRef>,
}

/// A business rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The rule in words.
    pub text: String,
    /// Tables or `table.column` it is about; empty means it always applies.
    pub about: Vec<String>,
}

/// A measure with the formula that the organisation agreed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Metric {
    /// Name in snake case.
    pub name: String,
    /// What it means, in words.
    pub meaning: String,
    /// A SQL expression over the tables' columns, unqualified or `table.column`.
    pub formula: String,
    /// Tables the formula needs.
    pub tables: Vec<String>,
    /// A SQL condition that always goes with it.
    pub filter: Option<String>,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// True when a person approved it for compiling.
    pub approved: bool,
}

/// What a column means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meaning {
    /// The column.
    pub at: ColumnRef,
    /// Business meaning in words.
    pub text: String,
    /// Unit or format, in words.
    pub format: Option<String>,
    /// Stored codes and what each means.
    pub values: Vec<(String, String)>,
}

/// A question with SQL that a person verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Its SQL.
    pub sql: String,
    /// Who verified it.
    pub verified_by: String,
    /// When, as an ISO date; empty when the file doesn't say.
    pub verified_at: String,
    /// The run it came from, if it came from one.
    pub run: Option<RunId>,
}
