//! What of the schema is told: tables by linking and join tree, columns by relevance, keys always.

use std::collections::BTreeSet;

use crate::domain::package::SchemaContent;
use crate::domain::schema::Index;
use crate::domain::{ColumnRef, ForeignKey, Table};
use crate::render;

use super::notes;
use super::scene::{Scene, same};

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

/// One table on its way: where it stands in the catalog and what of it is taken so far.
struct Taken<'a> {
    position: usize,
    /// The table as far as it may be told.
    whole: Table,
    /// The columns taken.
    now: Table,
    source: &'a Table,
}

/// The room that is left, in bytes of text.
struct Room {
    left: usize,
    base: SchemaContent,
}

impl Room {
    fn cost(&self, table: &Table) -> usize {
        render::table_text(&self.base, table).len() + 1
    }

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
}

/// Keeps what fits `limit` tokens: recall before precision, so room that is left goes to tables
/// nobody named.
pub(super) fn keep(scene: &Scene<'_>, limit: u32) -> Kept {
    let mut base = SchemaContent {
        meanings: scene.knowledge.tables.clone(),
        columns: told_meanings(scene),
        ..SchemaContent::default()
    };
    base.notes = notes::lines(scene);
    let header = render::component(
        crate::domain::ComponentKind::Schema,
        &crate::domain::Content::Schema(base.clone()),
        crate::domain::package::Form::Text,
    );
    let bytes = usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(36) / 10;
    let mut room = Room { left: bytes.saturating_sub(header.len()), base };
    let (musts, others) = ranked(scene);
    let mut taken = take_cores(scene, &mut room, &musts);
    for table in &mut taken {
        widen(scene, &mut room, table);
    }
    take_whole(scene, &mut room, &others, &mut taken);
    finish(scene, room, taken)
}

/// Ranks tables: those that must be told, best first, then all others, neighbours first.
fn ranked(scene: &Scene<'_>) -> (Vec<usize>, Vec<usize>) {
    let mut seen = BTreeSet::new();
    let tree = scene.tree().map(|tree| tree.tables.as_slice()).unwrap_or_default();
    let named = scene.focus.iter().chain(tree).chain(&scene.linked);
    let musts: Vec<usize> =
        named.filter_map(|t| scene.position(t)).filter(|n| seen.insert(*n)).collect();
    let must = |name: &str| scene.position(name).is_some_and(|n| musts.contains(&n));
    let mut neighbours = Vec::new();
    for key in &scene.catalog.keys {
        let other = match (must(&key.from_table), must(&key.to_table)) {
            (true, false) => &key.to_table,
            (false, true) => &key.from_table,
            (true, true) | (false, false) => continue,
        };
        neighbours.extend(scene.position(other));
    }
    let rest = scene.catalog.tables.iter().filter_map(|table| scene.position(&table.name));
    let others = neighbours.into_iter().chain(rest).filter(|n| seen.insert(*n)).collect();
    (musts, others)
}

/// Takes key and linked columns of the tables that must be told; the first is told in any case.
fn take_cores<'a>(scene: &Scene<'a>, room: &mut Room, musts: &[usize]) -> Vec<Taken<'a>> {
    let mut taken: Vec<Taken<'a>> = Vec::new();
    for &position in musts {
        let Some(table) = told(scene, position) else { continue };
        let core = with_columns(&table.whole, |name| is_core(scene, &table.whole, name));
        let cost = room.cost(&core);
        if room.take(cost) {
            taken.push(Taken { now: core, ..table });
        } else if taken.is_empty() {
            room.left = 0;
            taken.push(Taken { now: core, ..table });
        }
    }
    taken
}

/// Adds columns to a table: all of them if they fit, else one after the other.
fn widen(scene: &Scene<'_>, room: &mut Room, table: &mut Taken<'_>) {
    let spent = room.cost(&table.now);
    let more = room.cost(&table.whole).saturating_sub(spent);
    if room.take(more) {
        table.now = table.whole.clone();
        return;
    }
    for name in by_relevance(scene, &table.whole) {
        if table.now.column(&name).is_some() {
            continue;
        }
        let wider = with_columns(&table.whole, |c| c == name || table.now.column(c).is_some());
        let more = room.cost(&wider).saturating_sub(room.cost(&table.now));
        if room.take(more) {
            table.now = wider;
        }
    }
}

/// Takes other tables, whole or not at all.
fn take_whole<'a>(
    scene: &Scene<'a>,
    room: &mut Room,
    others: &[usize],
    taken: &mut Vec<Taken<'a>>,
) {
    let mut misses = 0;
    for &position in others {
        if misses == MOST_MISSES {
            return;
        }
        let Some(table) = told(scene, position) else { continue };
        let cost = room.cost(&table.whole);
        if room.take(cost) {
            misses = 0;
            taken.push(Taken { now: table.whole.clone(), ..table });
        } else {
            misses += 1;
        }
    }
}

/// Puts what was taken into catalog order, adds value lists while they fit, and says what is cut.
fn finish(scene: &Scene<'_>, mut room: Room, mut taken: Vec<Taken<'_>>) -> Kept {
    taken.sort_by_key(|table| table.position);
    let mut cut = Vec::new();
    for table in &taken {
        let missing = |c: &&crate::domain::Column| table.now.column(&c.name).is_none();
        let left: Vec<&str> =
            table.whole.columns.iter().filter(missing).map(|c| c.name.as_str()).collect();
        if !left.is_empty() {
            cut.push(format!("columns of {}: {}", table.source.name, left.join(", ")));
        }
    }
    cut.extend(left_out(scene, &taken));
    let tables: Vec<Table> = taken.into_iter().map(|table| table.now).collect();
    let told = |t: &str| tables.iter().find(|table| same(&table.name, t));
    room.base.meanings.retain(|(t, _)| told(t).is_some());
    room.base
        .columns
        .retain(|m| told(&m.at.table).is_some_and(|t| t.column(&m.at.column).is_some()));
    for remark in notes::remarks(scene, &tables) {
        // `; ` or ` -- ` stands before the note.
        if room.take(remark.2.len() + 4) {
            room.base.remarks.push(remark);
        }
    }
    let content = SchemaContent { tables: tables.clone(), ..room.base };
    Kept { tables, content, pruned: !cut.is_empty(), cut }
}

/// Lists the tables that are not told though nobody switched them off.
fn left_out(scene: &Scene<'_>, taken: &[Taken<'_>]) -> Vec<String> {
    let taken: BTreeSet<usize> = taken.iter().map(|table| table.position).collect();
    let left = scene
        .catalog
        .tables
        .iter()
        .filter(|table| scene.position(&table.name).is_some_and(|n| !taken.contains(&n)));
    let mut lines: Vec<String> =
        left.clone().take(MOST_LISTED).map(|table| format!("table {}", table.name)).collect();
    let more = left.count().saturating_sub(MOST_LISTED);
    lines.extend((more > 0).then(|| format!("{more} more tables")));
    lines
}

/// Reads a table as far as it may be told.
fn told<'a>(scene: &Scene<'a>, position: usize) -> Option<Taken<'a>> {
    let source = scene.catalog.tables.get(position)?;
    let mut whole = with_columns(source, |column| !scene.withheld.hides_name(&source.name, column));
    for column in &mut whole.columns {
        if scene.withheld.hides_data(&ColumnRef::new(&source.name, &column.name)) {
            column.default = None;
        }
    }
    Some(Taken { position, now: Table::default(), whole, source })
}

/// Copies a table with only some of its columns, and only the constraints that name no other.
fn with_columns(table: &Table, keep: impl Fn(&str) -> bool) -> Table {
    let columns: Vec<_> = table.columns.iter().filter(|c| keep(&c.name)).cloned().collect();
    let whole = columns.len() == table.columns.len();
    let has = |name: &String| columns.iter().any(|c| same(&c.name, name));
    let lost = |name: &String| table.column(name).is_some() && !has(name);
    let index_stays = |index: &&Index| !index.columns.iter().any(lost);
    Table {
        name: table.name.clone(),
        kind: table.kind,
        comment: table.comment.clone(),
        primary_key: table.primary_key.clone(),
        uniques: table.uniques.iter().filter(|u| u.iter().all(has)).cloned().collect(),
        indexes: table.indexes.iter().filter(index_stays).cloned().collect(),
        checks: if whole { table.checks.clone() } else { Vec::new() },
        rows: None,
        ddl: None,
        columns,
    }
}

/// Tells whether a column stays whatever the room: keys, and what the question is tied to.
fn is_core(scene: &Scene<'_>, table: &Table, column: &str) -> bool {
    let primary = table.primary_key.iter().any(|key| same(key, column));
    let in_key = |key: &ForeignKey| {
        (same(&key.from_table, &table.name) && key.from_columns.iter().any(|c| same(c, column)))
            || (same(&key.to_table, &table.name) && key.to_columns.iter().any(|c| same(c, column)))
    };
    primary
        || scene.columns.contains_key(&ColumnRef::new(&table.name, column))
        || scene.catalog.keys_of(&table.name).any(in_key)
}

/// Orders a table's columns: named in formulas and rules first, then as declared.
fn by_relevance(scene: &Scene<'_>, table: &Table) -> Vec<String> {
    let known: Vec<Vec<String>> = scene
        .knowledge
        .metrics
        .iter()
        .map(|metric| super::words::of_name(&metric.formula))
        .collect();
    let in_formula = |name: &str| {
        let words = super::words::of_name(name);
        known.iter().any(|formula| super::words::holds(formula, &words))
    };
    let mut names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    names.sort_by_cached_key(|name| !in_formula(name));
    names
}

/// Copies the meanings of columns that may be told.
fn told_meanings(scene: &Scene<'_>) -> Vec<crate::domain::knowledge::Meaning> {
    let meanings = scene.knowledge.columns.iter();
    let told = |at: &ColumnRef| !scene.withheld.hides_name(&at.table, &at.column);
    meanings.filter(|meaning| told(&meaning.at)).cloned().collect()
}
