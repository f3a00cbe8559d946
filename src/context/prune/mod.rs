//! What of the schema is told: tables by linking and join tree, columns by relevance, keys always.

use crate::domain::counts::count;
use crate::domain::knowledge::Meaning;
use crate::domain::package::{Form, SchemaContent};
use crate::domain::{ColumnRef, ComponentKind, Content, Table};
use crate::render;

use super::notes;
use super::scene::{Scene, same};

mod alike;
mod columns;
mod taking;

use columns::with_its_columns;
use taking::{Room, Taken, Terms, take_cores, take_others, widen};

/// Most tokens of the schema component (P3, S0-066).
pub(super) const LIMIT: u32 = 2_000;

/// A table gets at most one of so many parts of the room before all others had their turn.
const SHARES: usize = 4;

/// Most tables that are listed as cut one by one.
const MOST_LISTED: usize = 200;

/// Bytes of `; ` or ` -- ` before a note, at most.
const MARK: usize = 4;

/// Bytes of text that ten tokens are taken for, before there is a text to count.
const TEN_TOKENS: usize = 36;

/// Tells for how many tokens so many bytes are taken.
pub(super) fn tokens_of(bytes: usize) -> u32 {
    u32::try_from(bytes * 10 / TEN_TOKENS).unwrap_or(u32::MAX)
}

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

/// How the warning of a pruned schema begins.
pub(super) const PRUNED: &str = "schema pruned: ";

impl Kept {
    /// Counts the tables that are told, those named beside a like one too.
    pub(super) fn count(&self) -> usize {
        let alike = self.content.alike.iter().map(|alike| alike.others.len());
        self.tables.len() + alike.sum::<usize>()
    }

    /// Says that something of so many tables was left out.
    pub(super) fn warning(&self, all: usize) -> Option<String> {
        self.pruned.then(|| format!("{PRUNED}{} of {all} tables are told", self.count()))
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
    let bytes = usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(TEN_TOKENS) / 10;
    let mut room = Room { left: bytes.saturating_sub(frame), base };
    let (mut ranked, needed) = ranked(scene);
    room.base.alike = alike::split(scene, &mut ranked, needed.len());
    let (musts, others) = ranked.split_at(ranked.partition_point(|place| needed.contains(place)));
    let share = room.left / SHARES;
    let half = room.left / 2;
    if let Some(taken) = room.take_all(scene, &ranked, || remarks_length(scene, musts)) {
        return finish(scene, room, taken);
    }
    let mut taken = take_cores(scene, &mut room, musts);
    for table in &mut taken {
        widen(scene, &mut room, table, share);
    }
    // the values of what is needed matter more than tables that are not
    let needed: Vec<Table> = taken.iter().map(with_its_columns).collect();
    take_remarks(scene, &mut room, &needed);
    room.take(render::BRIEF_HEAD.len() + 1);
    let terms = Terms { share, brief_below: half };
    take_others(scene, &mut room, others, terms, &mut taken);
    for table in &mut taken {
        widen(scene, &mut room, table, usize::MAX);
    }
    if taken.is_empty() {
        // Not even one table fits whole: a part of the nearest says more than nothing.
        taken = take_cores(scene, &mut room, others.get(..1).unwrap_or_default());
        for table in &mut taken {
            widen(scene, &mut room, table, usize::MAX);
        }
    }
    finish(scene, room, taken)
}

/// Ranks tables: those that must be told, best first, then all others: by how much of the question
/// they explain, then neighbours, then as declared. Returns all, and those that must be told.
fn ranked(scene: &Scene<'_>) -> (Vec<usize>, Vec<usize>) {
    let mut seen = vec![false; scene.catalog.tables.len()];
    let mut first = |n: &usize| seen.get_mut(*n).is_some_and(|seen| !std::mem::replace(seen, true));
    let tree = scene.tree().map(|tree| tree.tables.as_slice()).unwrap_or_default();
    let named = scene.focus.iter().chain(tree);
    let musts: Vec<usize> = named.filter_map(|t| scene.position(t)).filter(&mut first).collect();
    let related = scene.request.understanding.related.tables.iter().map(|related| &related.table);
    let related = related.chain(&scene.linked);
    let ends = |n: &usize| {
        let table = scene.catalog.tables.get(*n).map_or("", |table| table.name.as_str());
        scene.request.graph.keys_of(table).flat_map(|key| [&key.from_table, &key.to_table])
    };
    let neighbours = musts.iter().flat_map(ends);
    let by_name = related.chain(neighbours).filter_map(|table| scene.position(table));
    let all = scene.catalog.tables.iter().enumerate();
    let rest = all.filter(|(_, table)| scene.may_tell(&table.name)).map(|(n, _)| n);
    let others = by_name.chain(rest).filter(&mut first);
    (musts.iter().copied().chain(others.collect::<Vec<_>>()).collect(), musts)
}

/// Puts what was taken into catalog order, adds value lists while they fit, and says what is cut.
fn finish(scene: &Scene<'_>, mut room: Room, mut taken: Vec<Taken>) -> Kept {
    taken.sort_by_key(|table| table.position);
    let mut cut: Vec<String> = taken.iter().filter_map(missing_columns).collect();
    room.base.alike.retain(|alike| taken.iter().any(|t| t.whole.name == alike.table));
    cut.extend(left_out(scene, &taken, &room.base));
    let brief = taken.iter().filter(|table| table.brief).count();
    cut.extend((brief > 0).then(|| format!("types of {}", count(brief, "further table"))));
    let about = scene.told_about();
    let as_told = |taken: &Taken| {
        let mut table = with_its_columns(taken);
        if !about.is_empty() && !about.iter().any(|t| same(t, &table.name)) {
            // how a table that is not in question is kept sound and fast changes no query
            table.checks.clear();
            table.indexes.clear();
        }
        table
    };
    let tables: Vec<Table> = taken.iter().map(as_told).collect();
    let told = |t: &str| tables.iter().find(|table| same(&table.name, t));
    let column_told =
        |at: &ColumnRef| told(&at.table).is_some_and(|table| table.column(&at.column).is_some());
    room.base.meanings.retain(|(table, _)| told(table).is_some());
    room.base.columns.retain(|meaning| column_told(&meaning.at));
    let part = |brief: bool| -> Vec<Table> {
        let of_part = taken.iter().zip(&tables).filter(|(taken, _)| taken.brief == brief);
        of_part.map(|(_, table)| table.clone()).collect()
    };
    let (full, others) = (part(false), part(true));
    take_remarks(scene, &mut room, &full);
    let content = SchemaContent { tables: full, others, ..room.base };
    Kept { tables, content, pruned: !cut.is_empty(), cut }
}

/// Lists the tables that are not told though nobody switched them off.
fn left_out(scene: &Scene<'_>, taken: &[Taken], told: &SchemaContent) -> Vec<String> {
    let alike = told.alike.iter().flat_map(|alike| &alike.others);
    let alike = alike.filter_map(|table| scene.position(table));
    let mut told = vec![false; scene.catalog.tables.len()];
    for place in taken.iter().map(|table| table.position).chain(alike) {
        told.get_mut(place).into_iter().for_each(|told| *told = true);
    }
    let all = scene.catalog.tables.iter().zip(told);
    let left = all.filter(|(table, told)| !told && scene.may_tell(&table.name));
    let mut lines: Vec<String> =
        left.clone().take(MOST_LISTED).map(|(table, _)| format!("table {}", table.name)).collect();
    let more = left.count().saturating_sub(MOST_LISTED);
    lines.extend((more > 0).then(|| format!("{more} more tables")));
    lines
}

/// Measures the value lists and format notes of tables, given by place.
fn remarks_length(scene: &Scene<'_>, tables: &[usize]) -> usize {
    let tables = tables.iter().filter_map(|position| scene.catalog.tables.get(*position));
    let tables: Vec<Table> = tables.cloned().collect();
    notes::remarks(scene, &tables).iter().map(|remark| remark.2.len() + MARK).sum()
}

/// Takes value lists and format notes of tables, as far as they fit; each once.
fn take_remarks(scene: &Scene<'_>, room: &mut Room, tables: &[Table]) {
    for remark in notes::remarks(scene, tables) {
        let known = room.base.remarks.iter().any(|r| r.0 == remark.0 && r.1 == remark.1);
        if !known && room.take(remark.2.len() + MARK) {
            room.base.remarks.push(remark);
        }
    }
}

fn missing_columns(table: &Taken) -> Option<String> {
    let columns = table.whole.columns.iter().zip(&table.columns);
    let missing: Vec<&str> =
        columns.filter(|(_, taken)| !**taken).map(|(column, _)| column.name.as_str()).collect();
    let name = &table.whole.name;
    (!missing.is_empty()).then(|| format!("columns of {name}: {}", missing.join(", ")))
}

/// Copies the meanings of columns that may be told.
fn told_meanings(scene: &Scene<'_>) -> Vec<Meaning> {
    let meanings = scene.knowledge.columns.iter();
    let told = |at: &ColumnRef| !scene.withheld.hides_name(&at.table, &at.column);
    meanings.filter(|meaning| told(&meaning.at)).cloned().collect()
}
