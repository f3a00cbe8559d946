//! The schema as a graph of keys: cheapest join trees, and what a join multiplies.
//!
//! What belongs here: graph questions over a catalog. What must never come: questions in words,
//! SQL text, data.
//! To add a question: a file with the search, and its method on `Graph` or a function below.

use crate::domain::{Catalog, ForeignKey};

mod fan_out;
mod graph;
mod steiner;
#[cfg(test)]
mod tests;

pub use fan_out::{fan_out, multiplies};
pub use graph::Graph;

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

impl JoinTree {
    /// Counts the joins that pair rows which only share a parent: tables that several keys of the
    /// tree point to, one time less than keys do. In the modelling of reports this is called a
    /// chasm trap: payments and rentals joined by their customer pair each with each.
    pub fn chasms(&self) -> usize {
        let many = self.keys.iter().filter(|key| !key.one_to_one);
        let parents: Vec<String> = many.map(|key| self.whole(&key.to_table)).collect();
        let again = |n: usize| parents.iter().take(n).any(|before| Some(before) == parents.get(n));
        (0..parents.len()).filter(|n| again(*n)).count()
    }

    /// Names the first of the tables that share their rows with one: those that keys of one row to
    /// one lead to are parts of the same thing.
    fn whole(&self, table: &str) -> String {
        let mut parts = vec![table.to_lowercase()];
        let mut at = 0;
        while let Some(part) = parts.get(at).cloned() {
            for key in self.keys.iter().filter(|key| key.one_to_one) {
                let ends = [key.from_table.to_lowercase(), key.to_table.to_lowercase()];
                if ends.contains(&part) {
                    parts.extend(
                        ends.into_iter().filter(|end| !parts.contains(end)).collect::<Vec<_>>(),
                    );
                }
            }
            at += 1;
        }
        parts.into_iter().min().unwrap_or_default()
    }
}

/// Finds the cheapest trees that connect all `anchors`, all ties, those that pair the fewest
/// rows by a common parent first; empty when the
/// anchors aren't connected.
///
/// Who asks often keeps a `Graph` and asks that.
pub fn cheapest(catalog: &Catalog, anchors: &[String]) -> Vec<JoinTree> {
    Graph::new(catalog).cheapest(anchors)
}
