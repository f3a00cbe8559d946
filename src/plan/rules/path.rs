//! Connects the tables of a sketch along keys; declines where two ways are equally short.

use crate::domain::plan::Join;
use crate::domain::{ColumnRef, ForeignKey};
use crate::joins::{JoinTree, cheapest};

use super::schema::{Schema, same};

/// A join tree: tables in order, the first is the base, and a key for each further one.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    pub(super) tables: Vec<String>,
    pub(super) keys: Vec<ForeignKey>,
}

impl Path {
    /// The joins of the plan, in order.
    pub(super) fn joins(&self) -> Vec<Join> {
        let step = |(n, key): (usize, &ForeignKey)| {
            let added = self.tables.get(n + 1).cloned().unwrap_or_default();
            Join { on: pairs(key, &added), outer: false }
        };
        self.keys.iter().enumerate().map(step).collect()
    }

    /// Tells whether joining all this to a table gives several rows for one of its rows.
    pub(super) fn multiplies(&self, table: &str) -> bool {
        // Walk away from the table; a step against a key's direction multiplies.
        let mut reached = vec![table.to_lowercase()];
        let mut again = true;
        while again {
            again = false;
            for key in &self.keys {
                let (from, to) = (key.from_table.to_lowercase(), key.to_table.to_lowercase());
                if reached.contains(&to) && !reached.contains(&from) {
                    if !key.one_to_one {
                        return true;
                    }
                    reached.push(from);
                    again = true;
                } else if reached.contains(&from) && !reached.contains(&to) {
                    reached.push(to);
                    again = true;
                }
            }
        }
        false
    }

    /// Takes a leaf table away: the rest, and the key that held it.
    pub(super) fn without(&self, table: &str) -> Option<(Path, ForeignKey)> {
        let touches = |key: &&ForeignKey| {
            key.from_table.eq_ignore_ascii_case(table) || key.to_table.eq_ignore_ascii_case(table)
        };
        let mut holding = self.keys.iter().filter(touches);
        let (one, None) = (holding.next()?, holding.next()) else { return None };
        let rest: Vec<ForeignKey> = self.keys.iter().filter(|k| !touches(k)).cloned().collect();
        let base = if one.from_table.eq_ignore_ascii_case(table) {
            &one.to_table
        } else {
            &one.from_table
        };
        Some((grow(base, rest), one.clone()))
    }
}

/// Orders keys into a path from a base on.
fn grow(base: &str, mut left: Vec<ForeignKey>) -> Path {
    let mut path = Path { tables: vec![base.to_owned()], keys: Vec::new() };
    while let Some(n) = left.iter().position(|key| new_table(&path.tables, key).is_some()) {
        let key = left.remove(n);
        if let Some(table) = new_table(&path.tables, &key) {
            path.tables.push(table);
            path.keys.push(key);
        }
    }
    path
}

fn holds(tables: &[String], table: &str) -> bool {
    tables.iter().any(|t| t.eq_ignore_ascii_case(table))
}

/// The table that a key adds to those there.
fn new_table(tables: &[String], key: &ForeignKey) -> Option<String> {
    match (holds(tables, &key.from_table), holds(tables, &key.to_table)) {
        (true, false) => Some(key.to_table.clone()),
        (false, true) => Some(key.from_table.clone()),
        (true, true) | (false, false) => None,
    }
}

fn pairs(key: &ForeignKey, added: &str) -> Vec<(ColumnRef, ColumnRef)> {
    let both = key.from_columns.iter().zip(&key.to_columns);
    both.map(|(from, to)| {
        let from = ColumnRef::new(&key.from_table, from);
        let to = ColumnRef::new(&key.to_table, to);
        if from.table.eq_ignore_ascii_case(added) { (to, from) } else { (from, to) }
    })
    .collect()
}

/// Connects tables, the first being the base; an error when there is no way, or two.
pub(super) fn connect(schema: &Schema<'_>, tables: &[String]) -> Result<Path, String> {
    let Some(base) = tables.first() else { return Err("no table is named".to_owned()) };
    let trees = cheapest(schema.catalog, tables);
    if trees.is_empty() {
        return Err(format!("no key connects {}", tables.join(", ")));
    }
    let named = |tree: &JoinTree| tree.keys.iter().filter(|key| is_named(schema, key)).count();
    let most = trees.iter().map(named).max().unwrap_or(0);
    let lowest = trees.iter().map(|tree| tree.cost).fold(f64::INFINITY, f64::min);
    let mut best = trees.iter().filter(|t| named(t) == most && t.cost < lowest + 0.01);
    match (best.next(), best.next()) {
        (Some(tree), None) => Ok(grow(base, tree.keys.clone())),
        _ => Err(format!("there are several equally short ways between {}", tables.join(", "))),
    }
}

/// Tells whether the question names a column of a key: "president votes" chooses between keys.
fn is_named(schema: &Schema<'_>, key: &ForeignKey) -> bool {
    key.from_columns.iter().any(|column| {
        let at = ColumnRef::new(&key.from_table, column);
        schema.named.iter().any(|named| same(named, &at))
    })
}
