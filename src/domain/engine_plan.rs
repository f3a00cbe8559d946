//! How an engine means to run a statement: its own plan, as a tree.

use serde::{Deserialize, Serialize};

use super::schema::RowCount;

/// An engine's plan for one statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct EnginePlan {
    /// Its steps in the order the engine lists them.
    pub steps: Vec<EngineStep>,
    /// What it expects of the whole, where it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
}

/// What an engine expects of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// Rows that come back.
    pub rows: u64,
    /// Its own measure of the work, where it has one.
    pub cost: Option<u64>,
}

/// One step, with the steps it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineStep {
    /// The engine's own words.
    pub words: String,
    /// What it does, as far as we know the engine's words.
    pub access: Access,
    /// Steps inside it.
    pub inside: Vec<EngineStep>,
}

/// How a step reaches rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It reads every row.
    Scan {
        /// The relation, as it is called in the statement.
        relation: String,
        /// The table behind it, where it is one.
        table: Option<String>,
        /// How many rows that table has.
        rows: Option<RowCount>,
        /// The index that is read in place of the table, if one is.
        index: Option<String>,
    },
    /// It goes to the rows that fit.
    Search {
        /// The relation, as it is called in the statement.
        relation: String,
        /// The table behind it, where it is one.
        table: Option<String>,
        /// The index that leads there; none for the table's own key.
        index: Option<String>,
        /// What the index is asked for, in the engine's words: `status=? AND id>?`.
        by: String,
        /// The index is made for this statement and thrown away.
        made: bool,
    },
    /// It puts rows in order, or together, in a place of its own; what for, in the engine's words.
    Sort(String),
    /// Anything else.
    #[default]
    Other,
}

impl EnginePlan {
    /// Calls `see` for every step, the inner ones after the outer.
    pub fn each(&mut self, see: &mut impl FnMut(&mut EngineStep)) {
        fn walk(steps: &mut [EngineStep], see: &mut impl FnMut(&mut EngineStep)) {
            for step in steps {
                see(step);
                walk(&mut step.inside, see);
            }
        }
        walk(&mut self.steps, see);
    }
}
