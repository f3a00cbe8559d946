//! A result sorted and filtered into another one, in bounded memory.
//!
//! The rows that were read are sorted here, not asked for again: the engine may have other rows by
//! now, takes its time anew, and promises no order among rows that tie. What doesn't fit into memory
//! is sorted in runs that go to a temporary file and are merged from there.

use std::io;
use std::ops::ControlFlow;

use crate::domain::View;

use super::encoding::RowRef;
use super::order::push_key;
use super::runs::{Chunk, Runs};
use super::sieve::Sieve;
use super::{ResultStore, Room, Stop};

/// Bytes of rows and keys that are sorted at once in memory.
const CHUNK: usize = 24 << 20;
/// Rows between two looks at the flag.
const STRIDE: u64 = 1024;

/// Why there is no arrangement.
#[derive(Debug)]
pub enum Unarranged {
    /// Nobody waits for it any more.
    Stopped,
    /// The temporary folder can't be read or hold more; a sentence part that says so.
    Space(String),
}

/// Sorts and filters the rows that have arrived into a finished result of their own.
///
/// Rows that tie stay as they came. What stopped the original early is what the arrangement says too.
pub fn arranged(from: &ResultStore, view: &View, stop: &Stop) -> Result<ResultStore, Unarranged> {
    within(CHUNK, from, view, stop)
}

pub(super) fn within(
    chunk: usize,
    from: &ResultStore,
    view: &View,
    stop: &Stop,
) -> Result<ResultStore, Unarranged> {
    let folder = from.lock().blocks.folder().to_owned();
    let into = ResultStore::spilling_into(folder.clone());
    into.begin(from.columns());
    let sieve = Sieve::new(&view.filter);
    if view.sort.is_empty() {
        filter(from, &sieve, stop, |row| add(&into, row.as_bytes()))?;
    } else {
        let mut runs = Runs::new(folder);
        let mut sorting = Chunk::new(chunk);
        filter(from, &sieve, stop, |row| {
            if sorting.is_full() {
                runs.write(&mut sorting).map_err(|e| unreadable(&e))?;
            }
            sorting.push(row, |key| {
                for by in &view.sort {
                    push_key(row.cell(by.column), by.descending, key);
                }
            });
            Ok(())
        })?;
        merge(runs, sorting, view, &into, stop)?;
    }
    into.finish(from.stopped());
    Ok(into)
}

/// Hands over the rows that pass.
fn filter(
    from: &ResultStore,
    sieve: &Sieve,
    stop: &Stop,
    mut take: impl FnMut(RowRef<'_>) -> Result<(), Unarranged>,
) -> Result<(), Unarranged> {
    let mut room = String::new();
    // the flag is looked at for each block: their rows may be passed over
    let wanted = |bytes: &[u8]| stop.asked() || sieve.may_pass(bytes);
    let scanned = from.scan_where(0..u64::MAX, wanted, |_, row| {
        if stop.asked() {
            return ControlFlow::Break(Unarranged::Stopped);
        }
        if !sieve.passes(row, &mut room) {
            return ControlFlow::Continue(());
        }
        take(row).map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    match scanned.map_err(|e| unreadable(&e))? {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Writes the sorted rows: of memory alone, or of all runs together.
fn merge(
    mut runs: Runs,
    mut last: Chunk,
    view: &View,
    into: &ResultStore,
    stop: &Stop,
) -> Result<(), Unarranged> {
    let mut written = 0u64;
    let mut take = |row: &[u8]| {
        written += 1;
        if written.is_multiple_of(STRIDE) && stop.asked() {
            return Err(Unarranged::Stopped);
        }
        add(into, row)
    };
    if runs.is_empty() {
        last.sort();
        return last.rows().try_for_each(take);
    }
    runs.write(&mut last).map_err(|e| unreadable(&e))?;
    drop(last);
    let width = into.columns().len();
    let key = |row: &[u8], key: &mut Vec<u8>| {
        for by in &view.sort {
            push_key(RowRef::new(row, width).cell(by.column), by.descending, key);
        }
    };
    let mut merged = runs.merged(key).map_err(|e| unreadable(&e))?;
    while let Some(row) = merged.row() {
        take(row)?;
        merged.next().map_err(|e| unreadable(&e))?;
    }
    Ok(())
}

fn add(into: &ResultStore, row: &[u8]) -> Result<(), Unarranged> {
    match into.push_row(row) {
        Room::More => Ok(()),
        Room::Stop => Err(Unarranged::Space(into.stopped().unwrap_or_default())),
    }
}

fn unreadable(error: &io::Error) -> Unarranged {
    Unarranged::Space(format!("the temporary folder can't be used ({error})"))
}
