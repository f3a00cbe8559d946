//! Taking tables into the room that the schema has: whole, in part, or by their names only.

use crate::domain::Table;
use crate::domain::package::SchemaContent;
use crate::render;

use super::super::scene::Scene;
use super::columns::{by_relevance, core, told};

/// After so many tables in a row that don't fit, the rest is not tried.
const MOST_MISSES: usize = 40;

/// A table on its way: all that may be told of it, and which of its columns are taken so far.
pub(super) struct Taken {
    /// Where it stands in the catalog.
    pub(super) position: usize,
    pub(super) whole: Table,
    /// For each column of `whole`, in order.
    pub(super) columns: Vec<bool>,
    /// Told by its names only.
    pub(super) brief: bool,
}

/// On which terms tables are taken that nobody has to have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// Bytes of one table at most.
    pub(super) share: usize,
    /// Bytes left from which on down only names are told.
    pub(super) brief_below: usize,
}

/// The room that is left, in bytes of text.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) left: usize,
    /// Meanings and notes, before any table.
    pub(super) base: SchemaContent,
}

impl Room {
    /// Takes so much room if it is there.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Takes tables, given by place, if they all fit whole, with so many bytes to spare.
    pub(super) fn take_all(
        &mut self,
        scene: &Scene<'_>,
        tables: &[usize],
        spare: impl FnOnce() -> usize,
    ) -> Option<Vec<Taken>> {
        let mut left = self.left;
        let mut taken = Vec::new();
        for table in tables.iter().filter_map(|position| told(scene, *position)) {
            left = left.checked_sub(self.cost(&table, |_| true))?;
            taken.push(table);
        }
        if left < spare() {
            return None;
        }
        self.left = left;
        Some(taken)
    }

    /// Measures a table with those of its columns that `keep` names. Constraint lines count whole,
    /// so that a column added later costs its own line and no more.
    fn cost(&self, table: &Taken, keep: impl Fn(usize) -> bool) -> usize {
        let kept = table.whole.columns.iter().enumerate().filter(|(n, _)| keep(*n));
        if table.brief {
            let names = kept.map(|(_, column)| column.name.as_str());
            return render::brief_line(&self.base, &table.whole.name, names).len();
        }
        let columns: usize =
            kept.map(|(_, c)| render::column_length(&self.base, &table.whole, c)).sum();
        // One byte for the blank line between tables.
        render::frame_length(&self.base, &table.whole) + columns + 1
    }
}

/// Takes key and linked columns of the tables that must be told; the first is told in any case.
pub(super) fn take_cores(scene: &Scene<'_>, room: &mut Room, musts: &[usize]) -> Vec<Taken> {
    let mut taken: Vec<Taken> = Vec::new();
    for &position in musts {
        let Some(mut table) = told(scene, position) else { continue };
        table.columns = core(scene, &table.whole);
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

/// Adds columns to a table, the most relevant first, as far as they fit, within so many bytes.
pub(super) fn widen(scene: &Scene<'_>, room: &mut Room, table: &mut Taken, most: usize) {
    if table.columns.iter().all(|taken| *taken) {
        return;
    }
    let mut left = most;
    for n in by_relevance(scene, &table.whole) {
        let Some(column) = table.whole.columns.get(n) else { continue };
        let Some(taken) = table.columns.get_mut(n).filter(|taken| !**taken) else { continue };
        let cost = if table.brief {
            column.name.len() + 2
        } else {
            render::column_length(&room.base, &table.whole, column)
        };
        if cost <= left && room.take(cost) {
            *taken = true;
            left -= cost;
        }
    }
}

/// Takes other tables in their order: whole, or what is tied to the question of one too wide.
pub(super) fn take_others(
    scene: &Scene<'_>,
    room: &mut Room,
    others: &[usize],
    terms: Terms,
    taken: &mut Vec<Taken>,
) {
    let mut misses = 0;
    for &position in others {
        if misses == MOST_MISSES {
            return;
        }
        let Some(mut table) = told(scene, position) else { continue };
        table.brief = room.left < terms.brief_below;
        let whole = room.cost(&table, |_| true);
        if whole <= terms.share && room.take(whole) {
            misses = 0;
            taken.push(table);
            continue;
        }
        table.columns = core(scene, &table.whole);
        let cost = room.cost(&table, |n| table.columns.get(n) == Some(&true));
        if whole > terms.share && room.take(cost) {
            misses = 0;
            widen(scene, room, &mut table, terms.share.saturating_sub(cost));
            taken.push(table);
        } else {
            misses += 1;
        }
    }
}
