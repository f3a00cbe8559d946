//! What a question wants, resolved to columns but not yet joined: between words and plan.

use crate::domain::plan::{Aggregate, Condition};
use crate::domain::{ColumnRef, Metric};

/// One output.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Output {
    /// A column.
    Column(ColumnRef),
    /// All columns of a table.
    Everything(String),
    /// An aggregate of a column.
    Aggregate(Aggregate, ColumnRef),
    /// Rows of a table, each once.
    Rows(String),
    /// Different values of a column.
    Different(ColumnRef),
    /// A metric that the organisation agreed on.
    Metric(Box<Metric>),
}

/// What is compared or sorted by on groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Size {
    /// Rows of a table in each group.
    Rows(String),
    /// An aggregate of a column in each group.
    Aggregate(Aggregate, ColumnRef),
    /// A column of each row.
    Column(ColumnRef),
    /// A metric of each group.
    Metric(Box<Metric>),
}

/// What groups are made by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Group {
    /// One group for each row of a table.
    Rows(String),
    /// One group for each value.
    Column(ColumnRef),
}

/// A condition on rows, with the words for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filter {
    /// A condition on a column of a row.
    Is(ColumnRef, Condition),
    /// No row of a table belongs to it, under conditions of its own.
    Missing {
        /// Rows of this table are kept.
        of: String,
        /// Rows of this table must not belong to them.
        table: String,
        /// What those rows must fulfil to count.
        with: Vec<(ColumnRef, Condition)>,
    },
}

/// Everything wanted.
#[derive(Debug, Clone, Default)]
pub(super) struct Sketch {
    pub(super) outputs: Vec<Output>,
    /// The table that the question is about.
    pub(super) about: Option<String>,
    /// Other tables that must have a partner row.
    pub(super) related: Vec<String>,
    pub(super) filters: Vec<Filter>,
    /// Pairs of filters of which a row needs one: positions in `filters`, chained by OR.
    pub(super) either: Vec<Vec<usize>>,
    /// Two filters that different rows fulfil, both needed.
    pub(super) both: Option<(usize, usize)>,
    pub(super) groups: Vec<Group>,
    /// Conditions on groups: size and comparison with a number.
    pub(super) having: Vec<(Size, crate::domain::plan::Comparison, String)>,
    pub(super) order: Vec<(Size, bool)>,
    pub(super) limit: Option<u64>,
    pub(super) distinct: bool,
    /// What was taken for granted.
    pub(super) assumptions: Vec<String>,
    /// Verbs that were passed over: positions of items. Each must be tied to something.
    pub(super) verbs: Vec<usize>,
    /// What stays unexplained; the rules then decline.
    pub(super) open: Vec<String>,
}
