//! How wide columns are: measured once from a sample of rows, or set by hand.
//!
//! A width never changes while rows go by: what doesn't fit is cut, and a key fits the column.

use std::ops::Range;

use crate::domain::Value;

use super::cells::{cell, point};

/// A column is never wider by itself; the whole cell opens on Enter.
pub(super) const WIDEST: usize = 40;

/// A column is never wider by hand.
const WIDEST_BY_HAND: usize = 200;

/// A column is never narrower by hand.
const NARROWEST: usize = 3;

/// A column of numbers is at least this wide: they grow on the way down, and a cut number says
/// nothing.
const NUMBERS: usize = 7;

/// Rows that a column is measured by, from the first one that was in view with it.
const SAMPLE: u64 = 64;

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
    /// Rows of the sample that weren't measured yet; none before the column was in view.
    left: Option<Range<u64>>,
}

impl Width {
    /// Returns the width in columns of the screen.
    pub(super) fn get(&self) -> usize {
        self.by_hand.unwrap_or_else(|| self.own().min(WIDEST))
    }

    fn own(&self) -> usize {
        let numbers = if self.is_number() { NUMBERS } else { 1 };
        self.head.max(self.body).max(self.whole + self.tail).max(numbers)
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

    /// Measures the rows of the sample that have arrived; it begins with the first row in view when
    /// the column is first seen. Rows beyond it change nothing.
    pub(super) fn measure<'a>(&mut self, first: u64, value: impl Fn(u64) -> Option<&'a Value>) {
        let mut left = self.left.take().unwrap_or(first..first.saturating_add(SAMPLE));
        while let Some(value) = (!left.is_empty()).then(|| value(left.start)).flatten() {
            self.see(value, WIDEST);
            left.start += 1;
        }
        self.left = Some(left);
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

    /// Closes the sample, because other rows stand there now.
    pub(super) fn close(&mut self) {
        self.left = self.left.take().map(|left| left.end..left.end);
    }

    /// Returns the room that a cell wants, as far as a column can be wide.
    pub(super) fn wanted(value: &Value) -> usize {
        cell(value, WIDEST_BY_HAND).width()
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

    fn texts(lengths: &[usize]) -> Vec<Value> {
        lengths.iter().map(|n| Value::Text("x".repeat(*n))).collect()
    }

    fn measured(width: &mut Width, first: u64, cells: &[Value]) -> usize {
        width.measure(first, |row| cells.get(usize::try_from(row).ok()?));
        width.get()
    }

    #[test]
    fn a_width_follows_its_sample_as_it_arrives_and_nothing_behind_it() {
        let mut width = Width::default();
        assert_eq!(measured(&mut width, 0, &texts(&[12])), 12);
        assert_eq!(measured(&mut width, 0, &texts(&[12, 1, 15])), 15, "the first rows arrive");
        let mut all = vec![1; 64];
        all.extend([30; 100]);
        assert_eq!(measured(&mut width, 0, &texts(&all)), 15, "row 65 is no part of the sample");
        assert_eq!(measured(&mut width, 90, &texts(&all)), 15, "and scrolling brings no other");
        width.by_hand(-100);
        assert_eq!(width.get(), 3);
    }

    #[test]
    fn a_column_seen_first_further_down_is_measured_there() {
        let mut lengths = vec![2; 500];
        lengths.extend([9; 64]);
        assert_eq!(measured(&mut Width::default(), 500, &texts(&lengths)), 9);
    }

    #[test]
    fn a_sample_that_other_rows_replace_stays_as_far_as_it_came() {
        let mut width = Width::default();
        measured(&mut width, 0, &texts(&[4, 4]));
        width.close();
        assert_eq!(measured(&mut width, 0, &texts(&[4, 4, 20])), 4);
    }

    #[test]
    fn numbers_have_room_to_grow() {
        let mut width = Width::default();
        assert_eq!(measured(&mut width, 0, &[Value::Integer(1)]), 7);
    }

    #[test]
    fn points_of_different_numbers_find_room_together() {
        let mut width = Width::default();
        let cells = [Value::Real(1000.5), Value::Real(0.125)];
        assert_eq!((measured(&mut width, 0, &cells), width.tail()), (8, 4));
    }
}
