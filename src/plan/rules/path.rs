//! Connects the tables of a sketch along keys; declines where two ways are equally short.

use crate::domain::plan::Join;
use crate::domain::{ColumnRef, ForeignKey};

use super::schema::Schema;

/// A join tree: tables in order, the first is the base, and a key for each further one.
#[derive(Debug, Clone, Default)]
pub(super) struct Path<'a> {
    pub(super) tables: Vec<String>,
    pub(super) keys: Vec<&'a ForeignKey>,
}

impl<'a> Path<'a> {
    /// The joins of the plan, in order.
    pub(super) fn joins(&self) -> Vec<Join> {
        let step = |(n, key): (usize, &&ForeignKey)| {
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
    pub(super) fn without(&self, table: &str) -> Option<(Path<'a>, &'a ForeignKey)> {
        let touches = |key: &&&ForeignKey| {
            key.from_table.eq_ignore_ascii_case(table) || key.to_table.eq_ignore_ascii_case(table)
        };
        let mut holding = self.keys.iter().filter(touches);
        let (one, None) = (holding.next()?, holding.next()) else { return None };
        let rest: Vec<&ForeignKey> = self.keys.iter().filter(|k| !touches(k)).copied().collect();
        let base = if one.from_table.eq_ignore_ascii_case(table) {
            &one.to_table
        } else {
            &one.from_table
        };
        Some((grow(base, &rest), *one))
    }
}

/// Orders keys into a path from a base on.
fn grow<'a>(base: &str, keys: &[&'a ForeignKey]) -> Path<'a> {
    let mut path = Path { tables: vec![base.to_owned()], keys: Vec::new() };
    let mut left: Vec<&ForeignKey> = keys.to_vec();
    while let Some(n) = left.iter().position(|key| new_table(&path.tables, key).is_some()) {
        let key = left.remove(n);
        if let Some(table) = new_table(&path.tables, key) {
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

/// Connects tables, the first being the base.
pub(super) fn connect<'a>(schema: &Schema<'a>, tables: &[String]) -> Result<Path<'a>, String> {
    let Some(base) = tables.first() else { return Err("no table is named".to_owned()) };
    let mut path = Path { tables: vec![base.clone()], keys: Vec::new() };
    let mut left: Vec<&String> = tables.iter().skip(1).collect();
    left.retain(|t| !t.eq_ignore_ascii_case(base));
    while !left.is_empty() {
        left.retain(|t| !holds(&path.tables, t));
        let mut best: Option<Vec<&'a ForeignKey>> = None;
        for target in &left {
            let way = shortest(schema, &path.tables, target)?;
            if best.as_ref().is_none_or(|known| way.len() < known.len()) {
                best = Some(way);
            }
        }
        for key in best.unwrap_or_default() {
            if let Some(table) = new_table(&path.tables, key) {
                path.tables.push(table);
                path.keys.push(key);
            }
        }
    }
    Ok(path)
}

/// Steps at most between two tables that a question names.
const FARTHEST: usize = 4;

/// The shortest way from a set of tables to another table; an error when there is none or two.
fn shortest<'a>(
    schema: &Schema<'a>,
    from: &[String],
    to: &str,
) -> Result<Vec<&'a ForeignKey>, String> {
    let mut ways: Vec<(String, Vec<&'a ForeignKey>)> =
        from.iter().map(|table| (table.clone(), Vec::new())).collect();
    for _ in 0..FARTHEST {
        let mut longer: Vec<(String, Vec<&'a ForeignKey>)> = Vec::new();
        for (table, way) in &ways {
            let catalog: &'a crate::domain::Catalog = schema.catalog;
            for key in &catalog.keys {
                let forth = key.from_table.eq_ignore_ascii_case(table);
                if !forth && !key.to_table.eq_ignore_ascii_case(table) {
                    continue;
                }
                let next = if forth { &key.to_table } else { &key.from_table };
                let seen = holds(from, next)
                    || way.iter().any(|k| {
                        k.from_table.eq_ignore_ascii_case(next)
                            || k.to_table.eq_ignore_ascii_case(next)
                    });
                if !seen && longer.len() < 2_000 {
                    let mut way = way.clone();
                    way.push(key);
                    longer.push((next.clone(), way));
                }
            }
        }
        let found: Vec<&Vec<&ForeignKey>> =
            longer.iter().filter(|(t, _)| t.eq_ignore_ascii_case(to)).map(|(_, w)| w).collect();
        if !found.is_empty() {
            return choose(schema, &found, to);
        }
        ways = longer;
    }
    Err(format!("no key connects {} with {to}", from.join(", ")))
}

fn choose<'a>(
    schema: &Schema<'a>,
    found: &[&Vec<&'a ForeignKey>],
    to: &str,
) -> Result<Vec<&'a ForeignKey>, String> {
    let named = |way: &[&ForeignKey]| {
        let holds = |key: &&ForeignKey| {
            key.from_columns.iter().any(|c| {
                let at = ColumnRef::new(&key.from_table, c);
                schema.named.iter().any(|n| super::schema::same(n, &at))
            })
        };
        way.iter().filter(|key| holds(key)).count()
    };
    let most = found.iter().map(|way| named(way)).max().unwrap_or(0);
    let found: Vec<&Vec<&ForeignKey>> =
        found.iter().filter(|way| named(way) == most).copied().collect();
    let declared: Vec<&&Vec<&ForeignKey>> =
        found.iter().filter(|way| way.iter().all(|k| k.declared())).collect();
    match (found.as_slice(), declared.as_slice()) {
        ([one], _) => Ok((*one).clone()),
        (_, [one]) => Ok((**one).clone()),
        _ => Err(format!("there are {} equally short ways to {to}", found.len())),
    }
}
