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
    /// Keys that the schema doesn't declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<JoinHint>,
    /// Words that stand for a table, a column (`table.column`) or a metric.
    pub synonyms: Vec<(String, String)>,
    /// Question and SQL pairs that a person verified.
    pub examples: Vec<Example>,
    /// Questions to show at an empty start.
    pub questions: Vec<String>,
    /// Columns that never leave the machine at any privacy level.
    pub deny: Vec<ColumnRef>,
    /// What of the source could not be carried over, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
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
    /// What one row is that it is taken over, in words: `one row per booking`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grain: Option<String>,
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
    /// What its numbers count: `cents`, `EUR`, `days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Unit or format, in words.
    pub format: Option<String>,
    /// Stored codes and what each means; empty words where only the code is known.
    pub values: Vec<(String, String)>,
    /// No value stands twice, though the schema doesn't say so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// It is never NULL, though the schema doesn't say so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_null: bool,
}

impl Meaning {
    /// Starts what is known of a column, with nothing known yet.
    pub fn of(at: ColumnRef) -> Self {
        Meaning {
            at,
            text: String::new(),
            unit: None,
            format: None,
            values: Vec::new(),
            unique: false,
            not_null: false,
        }
    }
}

/// A key that people know of and the schema doesn't declare: each row of the *from* side points to
/// at most one row of the *to* side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct JoinHint {
    /// Key columns, all of one table.
    pub from: Vec<ColumnRef>,
    /// Columns pointed to, all of one table, in the same order and number.
    pub to: Vec<ColumnRef>,
    /// How they know, in words; may be empty.
    pub reason: String,
    /// A row of the *to* side is pointed to by at most one row.
    pub one_to_one: bool,
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
