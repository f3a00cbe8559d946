//! The figures of one column of a result.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::domain::{Cell, ColumnSummary, Histogram, ResultColumn, Value};

use super::order::compare;
use super::tally::{Letters, Numbers, Values};
use super::{ResultStore, Stop};

/// Rows between two looks at the flag.
const STRIDE: u64 = 1024;
/// Ranges of a histogram.
const RANGES: usize = 20;
/// Whole numbers beyond this are counted as reals are: their halves are no longer exact.
const WHOLE: f64 = 1e15;
/// Bytes of a value that is shown among the figures.
const SHOWN: usize = 1024;

/// Sums up a column of the rows that have arrived; none when there is no such column, the rows can't
/// be read back, or when stopped.
pub fn summarize(result: &ResultStore, column: usize, stop: &Stop) -> Option<ColumnSummary> {
    let of = result.columns().into_iter().nth(column)?;
    // rows that arrive meanwhile are left out of every figure
    let (rows, complete) = (result.count(), result.finished() && result.stopped().is_none());
    let mut tally = Tally::default();
    each(result, rows, column, stop, |row, cell| tally.add(row, cell))?;
    let histogram = match tally.numbers.range {
        Some(range) => Some(tally.histogram(range, |take| each(result, rows, column, stop, take))?),
        None => None,
    };
    let mut top = Vec::new();
    for (row, count) in tally.values.top() {
        let value = result.page(row..row + 1).rows.into_iter().next()?.into_iter().nth(column)?;
        top.push((cut(Cell::from(&value)), count));
    }
    Some(tally.summary(of, rows, complete, top, histogram))
}

/// Hands over the cells of a column; none when stopped or unreadable.
fn each(
    result: &ResultStore,
    rows: u64,
    column: usize,
    stop: &Stop,
    mut take: impl FnMut(u64, Cell<'_>),
) -> Option<()> {
    let scanned = result.scan(0..rows, |number, row| {
        if number.is_multiple_of(STRIDE) && stop.asked() {
            return ControlFlow::Break(());
        }
        take(number, row.cell(column));
        ControlFlow::Continue(())
    });
    scanned.ok()?.continue_value()
}

/// All that is counted in the first pass.
#[derive(Default)]
struct Tally {
    nulls: u64,
    empty: u64,
    integers: u64,
    reals: u64,
    texts: u64,
    blobs: u64,
    least: Option<Value>,
    greatest: Option<Value>,
    values: Values,
    numbers: Numbers,
    letters: Letters,
}

impl Tally {
    fn add(&mut self, row: u64, cell: Cell<'_>) {
        match cell {
            Cell::Null => {
                self.nulls += 1;
                return;
            }
            Cell::Integer(_) => self.integers += 1,
            Cell::Real(_) => self.reals += 1,
            Cell::Text(text) => {
                self.texts += 1;
                self.empty += u64::from(text.is_empty());
                self.letters.add(text.chars().count() as u64);
            }
            Cell::Malformed(bytes) => {
                self.texts += 1;
                self.letters.add(String::from_utf8_lossy(bytes).chars().count() as u64);
            }
            Cell::Blob(_) => self.blobs += 1,
        }
        self.numbers.add(cell);
        self.values.count(row, cell);
        keep(&mut self.least, cell, Ordering::Less);
        keep(&mut self.greatest, cell, Ordering::Greater);
    }

    /// Counts the numbers in ranges: from memory, or in a second pass; none when that was stopped.
    fn histogram(
        &self,
        (from, to): (f64, f64),
        again: impl FnOnce(&mut dyn FnMut(u64, Cell<'_>)) -> Option<()>,
    ) -> Option<Histogram> {
        let whole = self.reals == 0 && from < to && from.abs().max(to.abs()) < WHOLE;
        let (from, to, ranges) = match (whole, from < to) {
            (true, _) => whole_ranges(from, to),
            (false, true) => (from, to, RANGES),
            (false, false) => (from, to, 1),
        };
        let mut counts = vec![0; ranges];
        let mut add = |number: f64| {
            if number.is_finite()
                && let Some(count) = counts.get_mut(range_of(number, from, to, ranges))
            {
                *count += 1;
            }
        };
        if let Some(held) = self.numbers.held() {
            held.iter().copied().for_each(add);
        } else {
            again(&mut |_, cell| cell.number().into_iter().for_each(&mut add))?;
        }
        Some(Histogram { from, to, counts, whole })
    }

    fn summary(
        mut self,
        column: ResultColumn,
        rows: u64,
        complete: bool,
        top: Vec<(Value, u64)>,
        histogram: Option<Histogram>,
    ) -> ColumnSummary {
        let cut = |value: Option<Value>| value.map(|value| cut(Cell::from(&value)));
        ColumnSummary {
            column,
            rows,
            complete,
            nulls: self.nulls,
            empty: self.empty,
            integers: self.integers,
            reals: self.reals,
            texts: self.texts,
            blobs: self.blobs,
            distinct: self.values.distinct(),
            distinct_exact: !self.values.overflowed,
            least: cut(self.least),
            greatest: cut(self.greatest),
            sum: self.numbers.sum(),
            mean: self.numbers.mean(),
            median: self.numbers.median(),
            top,
            top_exact: !self.values.overflowed,
            lengths: self.letters.lengths(),
            histogram,
        }
    }
}

/// Keeps a cell that comes before, or after, the one kept so far.
fn keep(kept: &mut Option<Value>, cell: Cell<'_>, when: Ordering) {
    if kept.as_ref().is_none_or(|kept| compare(cell, Cell::from(kept)) == when) {
        *kept = Some(cell.value());
    }
}

/// Divides whole numbers into ranges that each hold as many of them: both ends, and how many.
#[expect(clippy::cast_precision_loss, reason = "a count of ranges")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few ranges")]
fn whole_ranges(least: f64, greatest: f64) -> (f64, f64, usize) {
    let numbers = greatest - least + 1.0;
    let width = (numbers / RANGES as f64).ceil();
    let ranges = (numbers / width).ceil();
    let from = least - 0.5;
    (from, from + ranges * width, ranges as usize)
}

/// Finds the range that a number between two others falls into.
#[expect(clippy::cast_precision_loss, reason = "a count of ranges")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of ranges")]
fn range_of(number: f64, from: f64, to: f64, ranges: usize) -> usize {
    // halves, because the whole width may be beyond the greatest real
    let share = (number / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0);
    let at = (share * ranges as f64) as usize;
    at.min(ranges - 1)
}

/// Copies a value for showing; a long one ends early.
fn cut(cell: Cell<'_>) -> Value {
    match cell {
        Cell::Text(text) if text.len() > SHOWN => {
            let text = text.get(..text.floor_char_boundary(SHOWN)).unwrap_or_default();
            Value::Text(format!("{text}…"))
        }
        Cell::Blob(bytes) => Value::Blob(bytes.get(..SHOWN).unwrap_or(bytes).to_vec()),
        Cell::Malformed(bytes) => Value::Malformed(bytes.get(..SHOWN).unwrap_or(bytes).to_vec()),
        Cell::Null | Cell::Integer(_) | Cell::Real(_) | Cell::Text(_) => cell.value(),
    }
}
