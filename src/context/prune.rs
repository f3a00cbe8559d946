//! What of the schema is told: tables by linking and join tree, columns by relevance, keys always.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::knowledge::Meaning;
use crate::domain::package::{Form, SchemaContent};
use crate::domain::schema::Index;
use crate::domain::{ColumnRef, ComponentKind, Content, Table};
use crate::render;

use super::scene::{Scene, same};
use super::{notes, words};

/// Most tokens of the schema component (P3, S0-066).
pub(super) const LIMIT: u32 = 2_000;

/// After so many tables in a row that don't fit, the rest is not tried.
const MOST_MISSES: usize = 40;

/// Most tables that are listed as cut one by one.
const MOST_LISTED: usize = 200;

/// What is kept of the schema.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Tables in catalog order, columns pruned to those kept.
    pub(super) tables: Vec<Table>,
    /// The content with these tables.
    pub(super) content: SchemaContent,
    /// Something was left out for lack of room.
    pub(super) pruned: bool,
    /// What was left out, in words.
    pub(super) cut: Vec<String>,
}

/// A table on its way: all that may be told of it, and which of its columns are taken so far.
struct Taken {
    /// Where it stands in the catalog.
    position: usize,
    whole: Table,
    /// For each column of `whole`, in order.
    columns: Vec<bool>,
}

/// The room that is left, in bytes of text.
struct Room {
    left: usize,
    /// Meanings and notes, before any table.
    base: SchemaContent,
}

impl Room {
    /// Takes so much room if it is there.
    fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Measures a table with those of its columns that `keep` names. Constraint lines count whole,
    /// so that a column added later costs its own line and no more.
    fn cost(&self, table: &Taken, keep: impl Fn(usize) -> bool) -> usize {
        let kept = table.whole.columns.iter().enumerate().filter(|(n, _)| keep(*n));
        let columns: usize =
            kept.map(|(_, c)| render::column_length(&self.base, &table.whole, c)).sum();
        // One byte for the blank line between tables.
        render::frame_length(&self.base, &table.whole) + columns + 1
    }
}

/// Keeps what fits `limit` tokens: recall before precision, so room that is left goes to tables
/// nobody named.
pub(super) fn keep(scene: &Scene<'_>, limit: u32) -> Kept {
    let base = SchemaContent {
        meanings: scene.knowledge.tables.clone(),
        columns: told_meanings(scene),
        notes: notes::lines(scene),
        ..SchemaContent::default()
    };
    let frame = Content::Schema(base.clone());
    let frame = render::component(ComponentKind::Schema, &frame, Form::Text).len();
    let bytes = usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(36) / 10;
    let mut room = Room { left: bytes.saturating_sub(frame), base };
    let (musts, others) = ranked(scene);
    let mut taken = take_cores(scene, &mut room, &musts);
    for table in &mut taken {
        widen(scene, &mut room, table);
    }
    take_whole(scene, &mut room, &others, &mut taken);
    if taken.is_empty() {
        // Not even one table fits whole: a part of the nearest says more than nothing.
        taken = take_cores(scene, &mut room, others.get(..1).unwrap_or_default());
        for table in &mut taken {
            widen(scene, &mut room, table);
        }
    }
    finish(scene, room, taken)
}

/// Ranks tables: those that must be told, best first, then all others, neighbours first.
fn ranked(scene: &Scene<'_>) -> (Vec<usize>, Vec<usize>) {
    let mut seen = BTreeSet::new();
    let tree = scene.tree().map(|tree| tree.tables.as_slice()).unwrap_or_default();
    let named: Vec<&String> = scene.focus.iter().chain(tree).chain(&scene.linked).collect();
    let musts: Vec<usize> =
        named.iter().filter_map(|t| scene.position(t)).filter(|n| seen.insert(*n)).collect();
    // a set: a wide schema has thousands of keys
    let required: BTreeSet<String> = named.iter().map(|table| table.to_lowercase()).collect();
    let must = |name: &str| required.contains(&name.to_lowercase());
    let mut neighbours = Vec::new();
    for key in &scene.catalog.keys {
        let other = match (must(&key.from_table), must(&key.to_table)) {
            (true, false) => &key.to_table,
            (false, true) => &key.from_table,
            (true, true) | (false, false) => continue,
        };
        neighbours.extend(scene.position(other));
    }
    let all = scene.catalog.tables.iter().enumerate();
    let rest = all.filter(|(_, table)| scene.may_tell(&table.name)).map(|(n, _)| n);
    let others = neighbours.into_iter().chain(rest).filter(|n| seen.insert(*n)).collect();
    (musts, others)
}

/// Takes key and linked columns of the tables that must be told; the first is told in any case.
fn take_cores(scene: &Scene<'_>, room: &mut Room, musts: &[usize]) -> Vec<Taken> {
    let mut taken: Vec<Taken> = Vec::new();
    let keys = key_columns(scene);
    for &position in musts {
        let Some(mut table) = told(scene, position) else { continue };
        let foreign = keys.get(&table.whole.name.to_lowercase()).map_or(&[][..], Vec::as_slice);
        table.columns = core(scene, &table.whole, foreign);
        let cost = room.cost(&table, |n| table.columns.get(n) == Some(&true));
        if room.take(cost) {
            taken.push(table);
        } else if taken.is_empty() {
            room.left = 0;
            taken.push(table);
        }
    }
    taken
}

/// Adds columns to a table, the most relevant first, as far as they fit.
fn widen(scene: &Scene<'_>, room: &mut Room, table: &mut Taken) {
    for n in by_relevance(scene, &table.whole) {
        let Some(column) = table.whole.columns.get(n) else { continue };
        let Some(taken) = table.columns.get_mut(n).filter(|taken| !**taken) else { continue };
        *taken = room.take(render::column_length(&room.base, &table.whole, column));
    }
}

/// Takes other tables, whole or not at all.
fn take_whole(scene: &Scene<'_>, room: &mut Room, others: &[usize], taken: &mut Vec<Taken>) {
    let mut misses = 0;
    for &position in others {
        if misses == MOST_MISSES {
            return;
        }
        let Some(table) = told(scene, position) else { continue };
        let cost = room.cost(&table, |_| true);
        if room.take(cost) {
            misses = 0;
            taken.push(table);
        } else {
            misses += 1;
        }
    }
}

/// Puts what was taken into catalog order, adds value lists while they fit, and says what is cut.
fn finish(scene: &Scene<'_>, mut room: Room, mut taken: Vec<Taken>) -> Kept {
    taken.sort_by_key(|table| table.position);
    let mut cut: Vec<String> = taken.iter().filter_map(missing_columns).collect();
    cut.extend(left_out(scene, &taken));
    let tables: Vec<Table> = taken.iter().map(with_its_columns).collect();
    let told = |t: &str| tables.iter().find(|table| same(&table.name, t));
    let column_told =
        |at: &ColumnRef| told(&at.table).is_some_and(|table| table.column(&at.column).is_some());
    room.base.meanings.retain(|(table, _)| told(table).is_some());
    room.base.columns.retain(|meaning| column_told(&meaning.at));
    for remark in notes::remarks(scene, &tables) {
        // `; ` or ` -- ` stands before the note.
        if room.take(remark.2.len() + 4) {
            room.base.remarks.push(remark);
        }
    }
    let content = SchemaContent { tables: tables.clone(), ..room.base };
    Kept { tables, content, pruned: !cut.is_empty(), cut }
}

fn missing_columns(table: &Taken) -> Option<String> {
    let columns = table.whole.columns.iter().zip(&table.columns);
    let missing: Vec<&str> =
        columns.filter(|(_, taken)| !**taken).map(|(column, _)| column.name.as_str()).collect();
    let name = &table.whole.name;
    (!missing.is_empty()).then(|| format!("columns of {name}: {}", missing.join(", ")))
}

/// Lists the tables that are not told though nobody switched them off.
fn left_out(scene: &Scene<'_>, taken: &[Taken]) -> Vec<String> {
    let taken: BTreeSet<usize> = taken.iter().map(|table| table.position).collect();
    let all = scene.catalog.tables.iter().enumerate();
    let left = all.filter(|(n, table)| !taken.contains(n) && scene.may_tell(&table.name));
    let mut lines: Vec<String> =
        left.clone().take(MOST_LISTED).map(|(_, table)| format!("table {}", table.name)).collect();
    let more = left.count().saturating_sub(MOST_LISTED);
    lines.extend((more > 0).then(|| format!("{more} more tables")));
    lines
}

/// Reads a table as far as it may be told, all its columns taken.
fn told(scene: &Scene<'_>, position: usize) -> Option<Taken> {
    let source = scene.catalog.tables.get(position)?;
    let mut whole =
        with_columns(source, |_, column| !scene.withheld.hides_name(&source.name, column));
    for column in whole.columns.iter_mut().filter(|column| column.default.is_some()) {
        if scene.withheld.hides_data(&ColumnRef::new(&source.name, &column.name)) {
            column.default = None;
        }
    }
    Some(Taken { position, columns: vec![true; whole.columns.len()], whole })
}

fn with_its_columns(table: &Taken) -> Table {
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

/// Lists the columns of foreign keys on either side, by table in lower case.
fn key_columns<'a>(scene: &Scene<'a>) -> BTreeMap<String, Vec<&'a String>> {
    let mut columns: BTreeMap<String, Vec<&'a String>> = BTreeMap::new();
    for key in &scene.catalog.keys {
        columns.entry(key.from_table.to_lowercase()).or_default().extend(&key.from_columns);
        columns.entry(key.to_table.to_lowercase()).or_default().extend(&key.to_columns);
    }
    columns
}

/// Marks the columns that stay whatever the room: keys, and what the question is tied to.
fn core(scene: &Scene<'_>, table: &Table, foreign: &[&String]) -> Vec<bool> {
    let keys = table.primary_key.iter().chain(foreign.iter().copied());
    let stays = |name: &String| {
        keys.clone().any(|key| same(key, name))
            || scene.columns.contains_key(&ColumnRef::new(&table.name, name))
    };
    table.columns.iter().map(|column| stays(&column.name)).collect()
}

/// Orders a table's columns: named in formulas first, then as declared.
fn by_relevance(scene: &Scene<'_>, table: &Table) -> Vec<usize> {
    let metrics = scene.knowledge.metrics.iter();
    let formulas: Vec<Vec<String>> = metrics.map(|m| words::of_name(&m.formula)).collect();
    let in_formula = |n: &usize| {
        let name = table.columns.get(*n).map(|column| words::of_name(&column.name));
        name.is_some_and(|name| formulas.iter().any(|formula| words::holds(formula, &name)))
    };
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    order.sort_by_cached_key(|n| !in_formula(n));
    order
}

/// Copies the meanings of columns that may be told.
fn told_meanings(scene: &Scene<'_>) -> Vec<Meaning> {
    let meanings = scene.knowledge.columns.iter();
    let told = |at: &ColumnRef| !scene.withheld.hides_name(&at.table, &at.column);
    meanings.filter(|meaning| told(&meaning.at)).cloned().collect()
}
