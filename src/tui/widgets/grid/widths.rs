//! How wide columns are: what was measured so far, which only grows, or what was set by hand.

use std::ops::Range;

use crate::domain::Value;

use super::cells::{cell, point};

/// A column is never wider by itself; the whole cell opens on Enter.
pub(super) const WIDEST: usize = 40;

/// A column is never wider by hand.
const WIDEST_BY_HAND: usize = 200;

/// A column is never narrower by hand.
const NARROWEST: usize = 3;

/// The width of one column.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Width {
    /// Name and type, with the sort sign where there is one.
    head: usize,
    /// The widest cell seen.
    body: usize,
    /// The most seen before a point and from the point on.
    whole: usize,
    tail: usize,
    /// Whether the first value seen was a number.
    number: Option<bool>,
    by_hand: Option<usize>,
    /// Rows that were measured.
    measured: Range<u64>,
}

impl Width {
    /// Returns the width in columns of the screen.
    pub(super) fn get(&self) -> usize {
        self.by_hand.unwrap_or_else(|| self.own().min(WIDEST))
    }

    fn own(&self) -> usize {
        self.head.max(self.body).max(self.whole + self.tail).max(1)
    }

    /// Tells whether the column's name stands right: its first value was a number.
    pub(super) fn is_number(&self) -> bool {
        self.number == Some(true)
    }

    /// Tells whether the first value seen was a number.
    pub(super) fn number(&self) -> Option<bool> {
        self.number
    }

    /// Returns the room from the point on.
    pub(super) fn tail(&self) -> usize {
        self.tail
    }

    /// Takes the width of the head.
    pub(super) fn head(&mut self, width: usize) {
        self.head = self.head.max(width.min(WIDEST));
    }

    /// Takes cells of rows that weren't measured before.
    pub(super) fn measure<'a>(
        &mut self,
        rows: Range<u64>,
        value: impl Fn(u64) -> Option<&'a Value>,
    ) {
        let known = self.measured.clone();
        for row in rows.clone().filter(|row| !known.contains(row)) {
            if let Some(value) = value(row) {
                self.see(value, WIDEST);
            }
        }
        let joined = known.start <= rows.end && rows.start <= known.end && !known.is_empty();
        self.measured =
            if joined { known.start.min(rows.start)..known.end.max(rows.end) } else { rows };
    }

    fn see(&mut self, value: &Value, most: usize) {
        if self.number.is_none() && !value.is_null() {
            self.number = Some(value.number().is_some());
        }
        let full = self.body >= most;
        if full && value.number().is_none() {
            return;
        }
        let shown = cell(value, most);
        self.body = self.body.max(shown.width());
        if let Some((whole, tail)) = point(value, &shown) {
            self.whole = self.whole.max(whole);
            self.tail = self.tail.max(tail);
        }
    }

    /// Forgets which rows were measured, because other rows stand there now.
    pub(super) fn forget(&mut self) {
        self.measured = 0..0;
    }

    /// Makes the column wider or narrower by hand.
    pub(super) fn by_hand(&mut self, by: isize) {
        self.set(self.get().saturating_add_signed(by));
    }

    /// Sets the width by hand.
    pub(super) fn set(&mut self, width: usize) {
        self.by_hand = Some(width.clamp(NARROWEST, WIDEST_BY_HAND));
    }

    /// Fits the column to these cells and its head, however wide; fitted again, goes back to the
    /// width of its own.
    pub(super) fn fit<'a>(&mut self, values: impl Iterator<Item = &'a Value>) {
        let mut fitted = Width { head: self.head, ..Width::default() };
        for value in values {
            fitted.see(value, WIDEST_BY_HAND);
        }
        let wanted = fitted.own().clamp(NARROWEST, WIDEST_BY_HAND);
        self.by_hand = if self.by_hand == Some(wanted) { None } else { Some(wanted) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_to_what_was_seen_and_never_shrink() {
        let mut width = Width::default();
        let cells = [Value::Text("twelve chars".into()), Value::Text("x".into())];
        let get = |row: u64| cells.get(usize::try_from(row).ok()?);
        width.measure(0..1, get);
        assert_eq!(width.get(), 12);
        width.measure(1..2, get);
        assert_eq!((width.get(), width.measured.clone()), (12, 0..2));
        width.by_hand(-100);
        assert_eq!(width.get(), 3);
    }

    #[test]
    fn points_of_different_numbers_find_room_together() {
        let mut width = Width::default();
        let cells = [Value::Real(1000.5), Value::Real(0.125)];
        width.measure(0..2, |row| cells.get(usize::try_from(row).ok()?));
        assert_eq!((width.get(), width.tail()), (8, 4));
    }
}
