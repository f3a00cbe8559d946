//! Counting the values of a column in bounded memory.

use std::collections::HashMap;

use crate::domain::{Cell, Lengths, Value};

use super::order::push_key;

/// Different values that are told apart.
const VALUES: usize = 200_000;
/// Bytes of their keys.
const BYTES: usize = 16 << 20;
/// Numbers that are held to be ordered.
const NUMBERS: usize = 2_000_000;
/// Most frequent values that are listed.
const LISTED: usize = 10;

/// How often each value came, up to a bound of different ones.
#[derive(Default)]
pub(super) struct Values {
    /// Count and first row, by what the value compares as. Only looked up and sorted, so that its
    /// order reaches nobody.
    seen: HashMap<Box<[u8]>, (u64, u64)>,
    bytes: usize,
    /// A value came that there was no room for.
    pub(super) overflowed: bool,
    key: Vec<u8>,
}

impl Values {
    pub(super) fn count(&mut self, row: u64, cell: Cell<'_>) {
        self.key.clear();
        push_key(cell, false, &mut self.key);
        if let Some((count, _)) = self.seen.get_mut(self.key.as_slice()) {
            *count += 1;
        } else if self.seen.len() < VALUES && self.bytes + self.key.len() <= BYTES {
            self.bytes += self.key.len();
            self.seen.insert(self.key.as_slice().into(), (1, row));
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn distinct(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Lists the first rows and counts of the most frequent values that came twice or more.
    pub(super) fn top(&self) -> Vec<(u64, u64)> {
        let mut often: Vec<_> = self.seen.iter().filter(|(_, (count, _))| *count > 1).collect();
        often.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
        often.into_iter().take(LISTED).map(|(_, (count, row))| (*row, *count)).collect()
    }
}

/// Sum, and the numbers themselves while there aren't too many.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) count: u64,
    whole: i128,
    /// Sum of the reals, and what its rounding has lost so far (Neumaier).
    part: (f64, f64),
    reals: bool,
    /// Least and greatest of the finite ones.
    pub(super) range: Option<(f64, f64)>,
    held: Vec<f64>,
    overflowed: bool,
}

impl Numbers {
    pub(super) fn add(&mut self, cell: Cell<'_>) {
        let Some(number) = cell.number() else { return };
        self.count += 1;
        match cell {
            Cell::Integer(n) => self.whole += i128::from(n),
            Cell::Null | Cell::Real(_) | Cell::Text(_) | Cell::Blob(_) | Cell::Malformed(_) => {
                self.add_real(number);
            }
        }
        if number.is_finite() {
            let (least, greatest) = self.range.unwrap_or((number, number));
            self.range = Some((least.min(number), greatest.max(number)));
        }
        if self.held.len() < NUMBERS {
            self.held.push(number);
        } else {
            self.overflowed = true;
        }
    }

    fn add_real(&mut self, number: f64) {
        self.reals = true;
        let (sum, lost) = self.part;
        let next = sum + number;
        let rounded =
            if sum.abs() >= number.abs() { (sum - next) + number } else { (number - next) + sum };
        // infinities have no rounding
        self.part = (next, if next.is_finite() { lost + rounded } else { 0.0 });
    }

    pub(super) fn sum(&self) -> Option<Value> {
        if self.count == 0 {
            return None;
        }
        match i64::try_from(self.whole) {
            Ok(whole) if !self.reals => Some(Value::Integer(whole)),
            _ => Some(Value::Real(self.total())),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean is rounded anyway")]
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total() / self.count as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "the sum is given as a real")]
    fn total(&self) -> f64 {
        self.whole as f64 + (self.part.0 + self.part.1)
    }

    /// Returns the middle number, or the mean of the two in the middle.
    pub(super) fn median(&mut self) -> Option<f64> {
        let middle = self.held.len().checked_sub(1)? / 2;
        if self.overflowed {
            return None;
        }
        let even = self.held.len().is_multiple_of(2);
        let (_, low, above) = self.held.select_nth_unstable_by(middle, f64::total_cmp);
        let low = *low;
        if !even {
            return Some(low);
        }
        let high = above.iter().copied().min_by(f64::total_cmp)?;
        Some(low + (high - low) / 2.0)
    }

    /// Returns all numbers, unless there were too many to hold.
    pub(super) fn held(&self) -> Option<&[f64]> {
        (!self.overflowed).then_some(&self.held)
    }
}

/// Lengths of texts.
#[derive(Default)]
pub(super) struct Letters {
    texts: u64,
    range: Option<(u64, u64)>,
    sum: u128,
}

impl Letters {
    pub(super) fn add(&mut self, length: u64) {
        self.texts += 1;
        let (least, greatest) = self.range.unwrap_or((length, length));
        self.range = Some((least.min(length), greatest.max(length)));
        self.sum += u128::from(length);
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean is rounded anyway")]
    pub(super) fn lengths(&self) -> Option<Lengths> {
        let (least, greatest) = self.range?;
        Some(Lengths { least, greatest, mean: self.sum as f64 / self.texts as f64 })
    }
}
