//! SQLite's order of values, as bytes that compare the same.
//!
//! NULL comes before numbers, numbers before text, text before blobs; integers and reals compare by
//! their exact value, text and blobs byte by byte. Source: "Datatypes in SQLite", section 4.1.

use std::cmp::Ordering;

use crate::domain::Cell;

const NULL: u8 = 0;
const NUMBER: u8 = 1;
const TEXT: u8 = 2;
const BLOB: u8 = 3;

/// What a cell is compared as: cells of different kinds never tie.
pub(super) fn kind(cell: Cell<'_>) -> u8 {
    match cell {
        Cell::Null => NULL,
        Cell::Integer(_) | Cell::Real(_) => NUMBER,
        Cell::Text(_) | Cell::Malformed(_) => TEXT,
        Cell::Blob(_) => BLOB,
    }
}

/// Compares two cells.
pub(super) fn compare(a: Cell<'_>, b: Cell<'_>) -> Ordering {
    kind(a)
        .cmp(&kind(b))
        .then_with(|| number(a).cmp(&number(b)))
        .then_with(|| bytes(a).cmp(bytes(b)))
}

/// Adds a cell to a key. Keys made of the same columns compare as their cells do.
pub(super) fn push_key(cell: Cell<'_>, descending: bool, key: &mut Vec<u8>) {
    let start = key.len();
    key.push(kind(cell));
    if let Some((rough, rest)) = number(cell) {
        key.extend_from_slice(&rough.to_be_bytes());
        key.extend_from_slice(&rest.to_be_bytes());
    }
    if kind(cell) >= TEXT {
        // 0 is written as 0 255, so that the end, 0 0, comes before anything that goes on
        for byte in bytes(cell) {
            key.push(*byte);
            if *byte == 0 {
                key.push(255);
            }
        }
        key.extend_from_slice(&[0, 0]);
    }
    if descending {
        key.iter_mut().skip(start).for_each(|byte| *byte = !*byte);
    }
}

/// A number as the nearest real, and what an integer is more than that.
///
/// Rounding never changes an order, it can only make a tie, which the second part breaks.
fn number(cell: Cell<'_>) -> Option<(u64, u16)> {
    match cell {
        #[expect(clippy::cast_precision_loss, reason = "the second part holds what is lost")]
        Cell::Integer(n) => {
            let near = n as f64;
            #[expect(clippy::cast_possible_truncation, reason = "a rounded i64 fits an i128")]
            let rest = i128::from(n) - near as i128;
            // reals of this size are at most 1,024 apart
            Some((real(near), u16::try_from(rest + 1024).unwrap_or(1024)))
        }
        Cell::Real(n) => Some((real(n), 1024)),
        Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Malformed(_) => None,
    }
}

/// A real as an integer of the same order; both zeros are one, and all that are no number are one
/// beyond infinity.
fn real(n: f64) -> u64 {
    let n = if n.is_nan() { f64::NAN.abs() } else { n + 0.0 };
    let bits = n.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn bytes(cell: Cell<'_>) -> &[u8] {
    match cell {
        Cell::Text(text) => text.as_bytes(),
        Cell::Malformed(bytes) | Cell::Blob(bytes) => bytes,
        Cell::Null | Cell::Integer(_) | Cell::Real(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values in SQLite's order, each less than the next.
    fn ascending() -> Vec<Cell<'static>> {
        let big = 1i64 << 53;
        vec![
            Cell::Null,
            Cell::Real(f64::NEG_INFINITY),
            Cell::Integer(i64::MIN),
            Cell::Integer(i64::MIN + 1),
            Cell::Real(-1.5),
            Cell::Integer(-1),
            Cell::Integer(0),
            Cell::Real(5e-324),
            Cell::Real(0.5),
            Cell::Integer(1),
            #[expect(clippy::cast_precision_loss, reason = "2^53 is exact")]
            Cell::Real(big as f64),
            Cell::Integer(big + 1),
            Cell::Real(9_007_199_254_740_994.0),
            Cell::Integer(i64::MAX - 1),
            Cell::Integer(i64::MAX),
            Cell::Real(9_223_372_036_854_775_808.0),
            Cell::Real(f64::INFINITY),
            Cell::Text(""),
            Cell::Text("\0"),
            Cell::Text("\0a"),
            Cell::Text("A"),
            Cell::Text("AB"),
            Cell::Text("a"),
            Cell::Text("a\0"),
            Cell::Text("a\u{1}"),
            Cell::Text("é"),
            Cell::Malformed(&[0xff]),
            Cell::Blob(&[]),
            Cell::Blob(&[0]),
            Cell::Blob(&[0, 0]),
            Cell::Blob(&[255]),
        ]
    }

    #[test]
    fn cells_and_their_keys_compare_in_the_engines_order() {
        let cells = ascending();
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells.iter().enumerate() {
                assert_eq!(compare(*a, *b), i.cmp(&j), "{a:?} with {b:?}");
                for descending in [false, true] {
                    // a second column decides ties of the first only
                    let key = |cell, second| {
                        let mut key = Vec::new();
                        push_key(cell, descending, &mut key);
                        push_key(Cell::Integer(second), false, &mut key);
                        key
                    };
                    let right = if descending { j.cmp(&i) } else { i.cmp(&j) };
                    assert_eq!(key(*a, 1).cmp(&key(*b, 2)), right.then(Ordering::Less));
                }
            }
        }
    }

    #[test]
    fn equal_numbers_tie_whatever_their_type() {
        for (a, b) in [(Cell::Integer(1), Cell::Real(1.0)), (Cell::Real(0.0), Cell::Real(-0.0))] {
            assert_eq!(compare(a, b), Ordering::Equal);
        }
    }
}
