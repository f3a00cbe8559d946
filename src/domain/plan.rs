//! What a query shall do, before it is SQL. One type, whoever wrote it: model, rules or a person.

use serde::{Deserialize, Serialize};

use super::rows::Value;
use super::schema::ColumnRef;

/// A plan: grain, measures, dimensions, filters, join path, order, limit, assumptions (S1-004).
///
/// Output columns are the dimensions, then the measures, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Plan {
    /// `one row per …`.
    pub grain: String,
    /// Tables, the base first; every table of `joins` is here.
    pub tables: Vec<String>,
    /// Joins in order; each adds one table to those before.
    pub joins: Vec<Join>,
    /// Plain output columns; grouped by when there are measures or `grouped` is set.
    pub dimensions: Vec<Term>,
    /// Aggregated outputs.
    pub measures: Vec<Measure>,
    /// Terms grouped by without being put out, besides the dimensions.
    pub group_by: Vec<Term>,
    /// Conditions on rows, all of which must hold.
    pub filters: Vec<Condition>,
    /// Conditions on groups, all of which must hold.
    pub having: Vec<Condition>,
    /// Order of the result.
    pub order: Vec<Order>,
    /// Rows at most.
    pub limit: Option<u64>,
    /// Repeated rows are left out.
    pub distinct: bool,
    /// A second plan of the same output, combined by a set operation.
    pub combined: Option<(SetOperation, Box<Plan>)>,
    /// What was taken for granted, in words.
    pub assumptions: Vec<String>,
    /// Parts of a divided question; empty for a single draft.
    pub islands: Vec<Island>,
}

impl Plan {
    /// Tells whether any output is aggregated or rows are grouped.
    pub fn aggregates(&self) -> bool {
        !self.measures.is_empty() || !self.group_by.is_empty() || !self.having.is_empty()
    }
}

/// A question as rules alone read it, compiled: what SQL from elsewhere is held against.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The plan in words.
    pub words: String,
    /// The plan as SQL.
    pub sql: String,
    /// Rows of the result when the plan keeps the first of an order.
    pub first: Option<u64>,
    /// What the order compares, for one row more than `first`: when its last two rows are equal,
    /// which rows come first is left open.
    pub ties: Option<String>,
}

/// One step of the join path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// Column pairs that are equal: of a table already there, and of the table added.
    pub on: Vec<(ColumnRef, ColumnRef)>,
    /// True keeps rows without a partner.
    pub outer: bool,
}

/// A value-giving expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A column.
    Column(ColumnRef),
    /// All columns, or all rows in `COUNT(*)`.
    Star,
    /// An aggregate.
    Aggregate {
        /// Which.
        function: Aggregate,
        /// Of what.
        of: Box<Term>,
        /// Each value once.
        distinct: bool,
    },
    /// An expression in SQL, as a model or a metric wrote it.
    Sql(String),
}

/// Aggregate functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// COUNT.
    Count,
    /// SUM.
    Sum,
    /// AVG.
    Avg,
    /// MIN.
    Min,
    /// MAX.
    Max,
}

impl Aggregate {
    /// Returns the function's SQL name.
    pub fn sql(self) -> &'static str {
        match self {
            Aggregate::Count => "COUNT",
            Aggregate::Sum => "SUM",
            Aggregate::Avg => "AVG",
            Aggregate::Min => "MIN",
            Aggregate::Max => "MAX",
        }
    }
}

/// An aggregated output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// What is computed.
    pub term: Term,
    /// Name of the output column; empty lets the engine name it.
    pub alias: String,
    /// The metric it follows, if any.
    pub metric: Option<String>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// A comparison.
    Compare {
        /// Left side.
        left: Term,
        /// How.
        by: Comparison,
        /// Right side.
        right: Operand,
    },
    /// `IS NULL`, or `IS NOT NULL` when `not` is set.
    Null {
        /// What is tested.
        left: Term,
        /// Negated.
        not: bool,
    },
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// A condition in SQL.
    Sql(String),
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `LIKE`
    Like,
    /// `NOT LIKE`
    NotLike,
    /// `IN`
    In,
    /// `NOT IN`
    NotIn,
    /// `BETWEEN`, both ends included.
    Between,
}

/// The right side of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// One value.
    Value(Value),
    /// Several values, for `IN`.
    Values(Vec<Value>),
    /// Both ends, for `BETWEEN`.
    Range(Value, Value),
    /// Another term of the same row.
    Term(Term),
    /// The result of another plan: one cell, or one column for `IN`.
    Plan(Box<Plan>),
}

/// A sort key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// What is sorted by.
    pub term: Term,
    /// Largest first.
    pub descending: bool,
}

/// Set operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetOperation {
    /// Rows of either.
    Union,
    /// Rows of both.
    Intersect,
    /// Rows of the first that aren't in the second.
    Except,
}

/// One part of a divided question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Island {
    /// Short name, `t1`, `t2`, …
    pub name: String,
    /// What it finds, in words.
    pub task: String,
    /// Tables it may use.
    pub tables: Vec<String>,
    /// Columns it must put out.
    pub columns: Vec<String>,
}
