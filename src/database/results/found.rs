//! The next cell of a result that holds a text.

use std::ops::{ControlFlow, Range};

use crate::domain::Find;

use super::encoding::RowRef;
use super::needle::Needle;
use super::{ResultStore, Stop};

/// Rows that are searched at once on the way back.
const STRIDE: u64 = 4096;

/// A cell: row and column.
type Place = (u64, usize);

/// Finds the next cell that holds the text, from the given one on, then from the other end; none
/// when no cell does, or when stopped.
pub fn find(result: &ResultStore, look: &Find, stop: &Stop) -> Option<Place> {
    if look.text.is_empty() {
        return None;
    }
    let search = Search { result, needle: Needle::new(&look.text), column: look.column, stop };
    let count = result.count();
    let from = (look.from_row, look.from_col);
    if look.backwards {
        let here = search.last(0..count, |at| at <= from);
        here.or_else(|| search.last(look.from_row..count, |at| at > from))
    } else {
        let here = search.first(look.from_row..count, |at| at >= from);
        here.or_else(|| search.first(0..count.min(look.from_row.saturating_add(1)), |at| at < from))
    }
}

struct Search<'a> {
    result: &'a ResultStore,
    needle: Needle,
    column: Option<usize>,
    stop: &'a Stop,
}

impl Search<'_> {
    fn first(&self, rows: Range<u64>, allowed: impl Fn(Place) -> bool) -> Option<Place> {
        let mut room = String::new();
        // the flag is looked at for each block: their rows may be passed over
        let wanted = |bytes: &[u8]| self.stop.asked() || self.needle.may_be_in(bytes);
        let scanned = self.result.scan_where(rows, wanted, |number, row| {
            if self.stop.asked() {
                return ControlFlow::Break(None);
            }
            match self.in_row(number, row, &allowed, &mut room).next() {
                Some(place) => ControlFlow::Break(Some(place)),
                None => ControlFlow::Continue(()),
            }
        });
        scanned.ok()?.break_value().flatten()
    }

    fn last(&self, rows: Range<u64>, allowed: impl Fn(Place) -> bool) -> Option<Place> {
        let mut room = String::new();
        let mut end = rows.end;
        while end > rows.start && !self.stop.asked() {
            let start = end.saturating_sub(STRIDE).max(rows.start);
            let mut last = None;
            let wanted = |bytes: &[u8]| self.needle.may_be_in(bytes);
            let scanned = self.result.scan_where(start..end, wanted, |number, row| {
                last = self.in_row(number, row, &allowed, &mut room).last().or(last);
                ControlFlow::<()>::Continue(())
            });
            if scanned.is_err() {
                return None;
            }
            if last.is_some() {
                return last;
            }
            end = start;
        }
        None
    }

    /// Lists the cells of a row that hold the text.
    fn in_row(
        &self,
        number: u64,
        row: RowRef<'_>,
        allowed: &impl Fn(Place) -> bool,
        room: &mut String,
    ) -> impl Iterator<Item = Place> {
        let cells = row.cells().enumerate();
        let wanted = cells.filter(|(at, _)| self.column.is_none_or(|column| column == *at));
        wanted
            .map(move |(at, cell)| ((number, at), cell))
            .filter(|(place, _)| allowed(*place))
            .filter(|(_, cell)| self.needle.is_in(*cell, room))
            .map(|(place, _)| place)
    }
}
