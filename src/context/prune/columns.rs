//! What may be told of a table, which of its columns stay, and in which order the others follow.

use crate::domain::schema::Index;
use crate::domain::{ColumnRef, ForeignKey, Table};

use super::super::scene::{Scene, same};
use super::super::words;
use super::taking::Taken;

/// Reads a table as far as it may be told, all its columns taken.
pub(super) fn told(scene: &Scene<'_>, position: usize) -> Option<Taken> {
    let source = scene.catalog.tables.get(position)?;
    let mut whole =
        with_columns(source, |_, column| !scene.withheld.hides_name(&source.name, column));
    for column in whole.columns.iter_mut().filter(|column| column.default.is_some()) {
        if scene.withheld.hides_data(&ColumnRef::new(&source.name, &column.name)) {
            column.default = None;
        }
    }
    Some(Taken { position, columns: vec![true; whole.columns.len()], whole, brief: false })
}

pub(super) fn with_its_columns(table: &Taken) -> Table {
    with_columns(&table.whole, |n, _| table.columns.get(n) == Some(&true))
}

/// Copies a table with only some of its columns, and only the constraints that name no other.
fn with_columns(table: &Table, keep: impl Fn(usize, &str) -> bool) -> Table {
    let columns = table.columns.iter().enumerate();
    let mut columns: Vec<_> =
        columns.filter(|(n, c)| keep(*n, &c.name)).map(|(_, c)| c.clone()).collect();
    let whole = columns.len() == table.columns.len();
    let is_there = |name: &String| columns.iter().any(|c| same(&c.name, name));
    let key = whole || table.primary_key.iter().all(is_there);
    if !key {
        // what is left of a key is none
        for column in &mut columns {
            column.primary = false;
        }
    }
    let has = |name: &String| whole || columns.iter().any(|c| same(&c.name, name));
    // An index over an expression names no column, and stays.
    let lost = |name: &String| table.column(name).is_some() && !has(name);
    let index_stays = |index: &&Index| whole || !index.columns.iter().any(lost);
    Table {
        name: table.name.clone(),
        kind: table.kind,
        comment: table.comment.clone(),
        primary_key: if key { table.primary_key.clone() } else { Vec::new() },
        uniques: table.uniques.iter().filter(|u| u.iter().all(has)).cloned().collect(),
        indexes: table.indexes.iter().filter(index_stays).cloned().collect(),
        checks: if whole { table.checks.clone() } else { Vec::new() },
        rows: None,
        ddl: None,
        columns,
    }
}

/// Lists the columns of a table's keys, on either side.
pub(super) fn key_columns<'a>(scene: &Scene<'a>, table: &str) -> Vec<&'a String> {
    let of = |key: &'a ForeignKey| {
        let from = key.from_columns.iter().filter(|_| same(&key.from_table, table));
        from.chain(key.to_columns.iter().filter(|_| same(&key.to_table, table)))
    };
    scene.request.graph.keys_of(table).flat_map(of).collect()
}

/// Marks the columns that stay whatever the room: keys, and what the question is tied to.
pub(super) fn core(scene: &Scene<'_>, table: &Table) -> Vec<bool> {
    let foreign = key_columns(scene, &table.name);
    let keys = table.primary_key.iter().chain(foreign);
    let stays = |name: &String| {
        keys.clone().any(|key| same(key, name))
            || scene.columns.contains_key(&ColumnRef::new(&table.name, name))
            || scene.related.contains_key(&ColumnRef::new(&table.name, name))
    };
    table.columns.iter().map(|column| stays(&column.name)).collect()
}

/// Orders a table's columns: named in formulas first, then what words speak for, then as declared.
pub(super) fn by_relevance(scene: &Scene<'_>, table: &Table) -> Vec<usize> {
    let metrics = scene.knowledge.metrics.iter();
    let formulas: Vec<Vec<String>> = metrics.map(|m| words::of_name(&m.formula)).collect();
    let rank = |n: &usize| {
        let Some(column) = table.columns.get(*n) else { return (true, 0) };
        let name = words::of_name(&column.name);
        let in_formula = formulas.iter().any(|formula| words::holds(formula, &name));
        let at = ColumnRef::new(&table.name, &column.name);
        (!in_formula, scene.related.get(&at).copied().unwrap_or(usize::MAX))
    };
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    order.sort_by_cached_key(rank);
    order
}
