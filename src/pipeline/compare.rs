//! Whether two results hold the same rows: as multisets, numbers within a tolerance. Pure.
//!
//! Rows are the same when each row of one has its equal in the other, however they are ordered. A
//! whole number equals a fraction of the same value; text equals only the same text; NULL equals NULL.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::domain::Value;

/// How a result compares with a gold result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// The same rows.
    Same,
    /// The same rows once the columns are put in another order.
    OtherColumnOrder,
    /// Other rows.
    Different,
}

/// Numbers closer than this part of the larger one are equal.
const TOLERANCE: f64 = 1e-9;

/// Rows that are looked at most in the search for an order of columns, and columns chosen in it.
const WORK: usize = 1_000_000;

/// A cell made comparable.
#[derive(Debug, Clone)]
enum Key {
    Null,
    Whole(i64),
    /// As it is, and rounded to nine digits: sums of the same numbers in another order agree there.
    Real {
        exact: f64,
        rounded: f64,
    },
    Text(Arc<str>),
}

type Row = Vec<Key>;

/// Compares a result with a gold result.
pub fn compare(got: &[Vec<Value>], gold: &[Vec<Value>]) -> Likeness {
    if got.len() != gold.len() {
        return Likeness::Different;
    }
    let (got, gold) = (keys(got), keys(gold));
    if same(&got, &gold) {
        Likeness::Same
    } else if same_in_some_order(&got, &gold) {
        Likeness::OtherColumnOrder
    } else {
        Likeness::Different
    }
}

/// Tells whether two results hold the same rows in the same order.
pub fn same_order(got: &[Vec<Value>], gold: &[Vec<Value>]) -> bool {
    let (got, gold) = (keys(got), keys(gold));
    got.len() == gold.len() && got.iter().zip(&gold).all(|(a, b)| close_rows(a, b))
}

fn keys(rows: &[Vec<Value>]) -> Vec<Row> {
    rows.iter().map(|row| row.iter().map(key).collect()).collect()
}

fn key(value: &Value) -> Key {
    match value {
        Value::Null => Key::Null,
        Value::Integer(n) => Key::Whole(*n),
        Value::Real(n) => real(*n),
        Value::Text(text) => Key::Text(text.as_str().into()),
        // the same bytes are the same, whether the engine calls them text or not
        Value::Blob(bytes) | Value::Malformed(bytes) => {
            Key::Text(String::from_utf8_lossy(bytes).into())
        }
    }
}

fn real(exact: f64) -> Key {
    whole(exact).map_or_else(|| Key::Real { exact, rounded: nine_digits(exact) }, Key::Whole)
}

fn nine_digits(number: f64) -> f64 {
    // writing and reading rounds to the nearest, as people do
    format!("{number:.8e}").parse().unwrap_or(number)
}

fn whole(number: f64) -> Option<i64> {
    /// 2⁶³: what lies beyond is no 64-bit number.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let fits = number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number);
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
    fits.then_some(number as i64)
}

/// Compares as multisets: by rounded keys first, which is quick, then within the tolerance.
fn same(got: &[Row], gold: &[Row]) -> bool {
    let (mut a, mut b): (Vec<&Row>, Vec<&Row>) = (got.iter().collect(), gold.iter().collect());
    a.sort_by(|x, y| order_rows(x, y, order));
    b.sort_by(|x, y| order_rows(x, y, order));
    let equal = |x: &&Row, y: &&Row| order_rows(x, y, order) == Ordering::Equal;
    if a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| equal(x, y)) {
        return true;
    }
    let has_real = |rows: &[&Row]| rows.iter().any(|r| r.iter().any(is_real));
    if a.len() != b.len() || !(has_real(&a) || has_real(&b)) {
        return false;
    }
    // all that is not a number orders first, so that rounding can't part a pair
    let parted = |x: &&Row, y: &&Row| {
        order_rows(x, y, order_but_numbers).then_with(|| order_rows(x, y, order_exact))
    };
    a.sort_by(parted);
    b.sort_by(parted);
    a.iter().zip(&b).all(|(x, y)| close_rows(x, y))
}

fn is_real(key: &Key) -> bool {
    matches!(key, Key::Real { .. })
}

fn order_rows(a: &[Key], b: &[Key], each: impl Fn(&Key, &Key) -> Ordering) -> Ordering {
    let cells = a.iter().zip(b).map(|(x, y)| each(x, y));
    cells.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
}

fn rank(key: &Key) -> u8 {
    match key {
        Key::Null => 0,
        Key::Whole(_) | Key::Real { .. } => 1,
        Key::Text(_) => 2,
    }
}

fn order(a: &Key, b: &Key) -> Ordering {
    match (a, b) {
        (Key::Whole(x), Key::Whole(y)) => x.cmp(y),
        (Key::Real { rounded: x, .. }, Key::Real { rounded: y, .. }) => x.total_cmp(y),
        // what is nearly whole is compared within the tolerance
        (Key::Whole(_), Key::Real { .. }) => Ordering::Less,
        (Key::Real { .. }, Key::Whole(_)) => Ordering::Greater,
        _ => order_but_numbers(a, b),
    }
}

fn order_but_numbers(a: &Key, b: &Key) -> Ordering {
    match (a, b) {
        (Key::Text(x), Key::Text(y)) => x.cmp(y),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn order_exact(a: &Key, b: &Key) -> Ordering {
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        _ => Ordering::Equal,
    }
}

#[expect(clippy::cast_precision_loss, reason = "only compared within a tolerance")]
fn number(key: &Key) -> Option<f64> {
    match key {
        Key::Whole(n) => Some(*n as f64),
        Key::Real { exact, .. } => Some(*exact),
        Key::Null | Key::Text(_) => None,
    }
}

fn close_rows(a: &[Key], b: &[Key]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| close(x, y))
}

fn close(a: &Key, b: &Key) -> bool {
    if order(a, b) == Ordering::Equal {
        return true;
    }
    match (a, b) {
        // whole numbers are exact
        (Key::Whole(_), Key::Whole(_)) => false,
        _ => match (number(a), number(b)) {
            (Some(x), Some(y)) => close_numbers(x, y),
            (Some(_) | None, _) => false,
        },
    }
}

fn close_numbers(x: f64, y: f64) -> bool {
    /// From here on nine digits may not reach the ones.
    const ROUGH: f64 = 1e9;
    let size = x.abs().max(y.abs());
    let same_digits = || size < ROUGH && nine_digits(x).total_cmp(&nine_digits(y)).is_eq();
    size.is_finite() && ((x - y).abs() <= TOLERANCE * size || same_digits())
}

/// Tells whether some order of the columns makes the rows the same.
fn same_in_some_order(got: &[Row], gold: &[Row]) -> bool {
    let Some(width) = gold.first().map(Vec::len) else { return true };
    if width < 2 || got.iter().chain(gold).any(|row| row.len() != width) {
        return false;
    }
    let column =
        |rows: &[Row], n: usize| rows.iter().map(|row| pick(row, &[n])).collect::<Vec<Row>>();
    let theirs: Vec<Vec<Row>> = (0..width).map(|n| column(got, n)).collect();
    let mut fitting = Vec::new();
    for n in 0..width {
        let wanted = column(gold, n);
        let fits = theirs.iter().enumerate().filter(|(_, column)| same(column, &wanted));
        fitting.push(fits.map(|(at, _)| at).collect::<Vec<usize>>());
    }
    let alike = |a: &[Row], b: &[Row]| {
        a.iter().zip(b).all(|(x, y)| order_rows(x, y, order) == Ordering::Equal)
    };
    let first = |column: &Vec<Row>| theirs.iter().position(|other| alike(other, column));
    let twins = theirs.iter().map(|column| first(column).unwrap_or(0)).collect();
    let mut search = Search { got, gold, fitting, twins, left: WORK };
    search.from(&mut Vec::new())
}

fn pick(row: &[Key], order: &[usize]) -> Row {
    order.iter().filter_map(|n| row.get(*n).cloned()).collect()
}

/// A search for the order of columns that fits, each column once.
struct Search<'a> {
    got: &'a [Row],
    gold: &'a [Row],
    /// For each column of the gold those that hold the same values.
    fitting: Vec<Vec<usize>>,
    /// For each column the first that is the same in every row: one is as good as the other.
    twins: Vec<usize>,
    /// Work that may still be done.
    left: usize,
}

impl Search<'_> {
    fn from(&mut self, chosen: &mut Vec<usize>) -> bool {
        let whole = chosen.len() == self.fitting.len();
        let cost = if whole { self.got.len() } else { 1 };
        let Some(left) = self.left.checked_sub(cost) else { return false };
        self.left = left;
        if whole {
            let turned: Vec<Row> = self.got.iter().map(|row| pick(row, chosen)).collect();
            return same(&turned, self.gold);
        }
        let here = self.fitting.get(chosen.len()).cloned().unwrap_or_default();
        let mut tried: Vec<usize> = Vec::new();
        for n in here {
            let twin = self.twins.get(n).copied().unwrap_or(n);
            if chosen.contains(&n) || tried.contains(&twin) {
                continue;
            }
            tried.push(twin);
            chosen.push(n);
            if self.from(chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
