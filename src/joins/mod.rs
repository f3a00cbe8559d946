//! The schema as a graph of keys: cheapest join trees, and what a join multiplies.
//!
//! What belongs here: graph questions over a catalog. What must never come: questions in words,
//! SQL text, data.

use crate::domain::{Catalog, ForeignKey};

/// A join tree over a set of tables.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JoinTree {
    /// Tables in join order, anchors and bridges; the first is the base.
    pub tables: Vec<String>,
    /// For each table after the first, the key that connects it to one before.
    pub keys: Vec<ForeignKey>,
    /// Sum of the keys' costs: declared keys are cheaper than inferred ones.
    pub cost: f64,
}

/// Finds the cheapest trees that connect all `anchors`, all ties, best first; empty when the
/// anchors aren't connected.
pub fn cheapest(_catalog: &Catalog, _anchors: &[String]) -> Vec<JoinTree> {
    Vec::new()
}
