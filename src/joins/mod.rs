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
    /// Lists the tables that are joined by a common parent only, each group with its parent: tables
    /// whose keys point to the same one. In the modelling of reports this is called a chasm trap:
    /// payments and rentals joined by their customer pair each with each.
    pub fn paired(&self) -> Vec<(&str, Vec<&str>)> {
        let mut groups: Vec<(String, &str, Vec<&str>)> = Vec::new();
        for key in self.keys.iter().filter(|key| !key.one_to_one) {
            let whole = self.whole(&key.to_table);
            match groups.iter_mut().find(|(known, ..)| *known == whole) {
                Some((.., children)) => children.push(&key.from_table),
                None => groups.push((whole, &key.to_table, vec![&key.from_table])),
            }
        }
        groups.retain(|(.., children)| children.len() > 1);
        groups.into_iter().map(|(_, parent, children)| (parent, children)).collect()
    }

    /// Counts the joins that pair rows which only share a parent.
    pub fn chasms(&self) -> usize {
        self.paired().iter().map(|(_, children)| children.len() - 1).sum()
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

/// Finds the cheapest trees that connect all `anchors`, all ties, those that pair the fewest rows by
/// a common parent first; empty when the anchors aren't connected.
///
/// Who asks often keeps a `Graph` and asks that.
pub fn cheapest(catalog: &Catalog, anchors: &[String]) -> Vec<JoinTree> {
    Graph::new(catalog).cheapest(anchors)
}
