//! Which rows two results have in common, by a key where one is found, else as bags of rows.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::domain::{Rows, Value};

/// Columns at most that a key is made of.
const LONGEST_KEY: usize = 3;

/// A row of the columns that both results have.
pub type Row = Vec<Value>;

/// A row that both results have by its key, with other cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The row of the former.
    pub was: Row,
    /// The row of the later.
    pub now: Row,
    /// The columns whose cells differ.
    pub cells: Vec<usize>,
}

/// What differs between two results.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowChange {
    /// Columns that both have, in the later one's order.
    pub columns: Vec<String>,
    /// Columns that only the former has.
    pub columns_gone: Vec<String>,
    /// Columns that only the later has.
    pub columns_new: Vec<String>,
    /// Columns by which rows were matched; empty when they were matched whole.
    pub key: Vec<String>,
    /// Rows that both have with other cells.
    pub changed: Vec<Changed>,
    /// Rows that only the former has.
    pub removed: Vec<Row>,
    /// Rows that only the later has.
    pub added: Vec<Row>,
    /// Rows that are the same in both.
    pub same: usize,
    /// They are the same rows in another order.
    pub reordered: bool,
    /// Rows that were compared and rows there are, of the former and the later.
    pub compared: [(u64, u64); 2],
}

impl RowChange {
    /// Tells whether only the first rows of one of them were compared.
    pub fn cut(&self) -> bool {
        self.compared.iter().any(|(some, all)| some < all)
    }

    /// Tells whether nothing differs.
    pub fn nothing(&self) -> bool {
        let rows = self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty();
        rows && self.columns_gone.is_empty() && self.columns_new.is_empty()
    }
}

/// Compares two results on the rows that were kept of them.
pub fn compare(was: &Rows, now: &Rows) -> RowChange {
    let both = shared(was, now);
    let (a, b) = (picked(was, &both, |pair| pair.0), picked(now, &both, |pair| pair.1));
    let name = |n: usize| now.columns.get(n).map(|c| c.name.clone()).unwrap_or_default();
    let alone = |rows: &Rows, in_both: Vec<usize>| -> Vec<String> {
        let columns = rows.columns.iter().enumerate();
        columns.filter(|(n, _)| !in_both.contains(n)).map(|(_, c)| c.name.clone()).collect()
    };
    let mut change = RowChange {
        columns: both.iter().map(|pair| name(pair.1)).collect(),
        columns_gone: alone(was, both.iter().map(|pair| pair.0).collect()),
        columns_new: alone(now, both.iter().map(|pair| pair.1).collect()),
        compared: [was, now].map(|rows| {
            let kept = rows.rows.len() as u64;
            (kept, rows.row_count.max(kept))
        }),
        ..RowChange::default()
    };
    if both.is_empty() {
        change.removed = a;
        change.added = b;
        return change;
    }
    match key(&a, &b, both.len()) {
        Some(key) => by_key(&mut change, a, b, &key),
        None => as_bags(&mut change, a, b),
    }
    change
}

/// Pairs columns of the same name, whatever the letter case; of the same place where one column
/// of each is left, as an alias is a name that a draft invents.
fn shared(was: &Rows, now: &Rows) -> Vec<(usize, usize)> {
    let mut free: Vec<usize> = (0..was.columns.len()).collect();
    let mut pairs = Vec::new();
    for (n, column) in now.columns.iter().enumerate() {
        let same = |at: &usize| {
            was.columns
                .get(*at)
                .is_some_and(|c| c.name.to_lowercase() == column.name.to_lowercase())
        };
        if let Some(at) = free.iter().position(same) {
            pairs.push((free.remove(at), n));
        }
    }
    let left: Vec<usize> =
        (0..now.columns.len()).filter(|n| !pairs.iter().any(|pair| pair.1 == *n)).collect();
    if let ([one], [other]) = (free.as_slice(), left.as_slice())
        && was.columns.len() == now.columns.len()
        && one == other
    {
        pairs.push((*one, *other));
    }
    pairs.sort_by_key(|pair| pair.1);
    pairs
}

fn picked(
    rows: &Rows,
    both: &[(usize, usize)],
    side: impl Fn(&(usize, usize)) -> usize,
) -> Vec<Row> {
    let cell = |row: &Row, n: usize| row.get(n).cloned().unwrap_or_default();
    rows.rows.iter().map(|row| both.iter().map(|pair| cell(row, side(pair))).collect()).collect()
}

/// Finds the fewest leading columns that name each row once in both results: first among those
/// that hold no fractions, as a measure names nothing. One row in each needs no key.
fn key(a: &[Row], b: &[Row], width: usize) -> Option<Vec<usize>> {
    if a.len() <= 1 && b.len() <= 1 {
        return Some(Vec::new());
    }
    let real = |n: &usize| a.iter().chain(b).any(|row| matches!(row.get(*n), Some(Value::Real(_))));
    let whole: Vec<usize> = (0..width).filter(|n| !real(n)).collect();
    let names: Vec<usize> = whole
        .iter()
        .copied()
        .filter(|n| a.iter().chain(b).all(|row| row.get(*n).is_some_and(|v| v.number().is_none())))
        .collect();
    [names, whole].into_iter().find_map(|columns| {
        let most = columns.len().min(LONGEST_KEY);
        let tried = (1..=most).filter_map(|n| columns.get(..n));
        tried
            .filter(|key| key.len() < width)
            .find(|key| names_each(a, key) && names_each(b, key))
            .map(<[usize]>::to_vec)
    })
}

fn names_each(rows: &[Row], key: &[usize]) -> bool {
    let mut keys: Vec<String> = rows.iter().map(|row| written(row, key)).collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| matches!(pair, [x, y] if x != y))
}

/// Writes cells so that equal ones are written alike: a number that is whole as a whole number.
fn written(row: &Row, columns: &[usize]) -> String {
    let mut text = String::new();
    for value in columns.iter().filter_map(|n| row.get(*n)) {
        let whole = value.number().filter(|n| n.fract() == 0.0 && n.abs() < 9e15);
        match whole.filter(|_| matches!(value, Value::Real(_))) {
            Some(n) => {
                // writing to a text never fails
                let _ = write!(text, "{n:.0}");
            }
            None => text.push_str(&value.literal()),
        }
        text.push('\u{0}');
    }
    text
}

fn by_key(change: &mut RowChange, a: Vec<Row>, b: Vec<Row>, key: &[usize]) {
    let name = |n: &usize| change.columns.get(*n).cloned();
    change.key = key.iter().filter_map(name).collect();
    let mut later: BTreeMap<String, (usize, Row)> =
        b.into_iter().enumerate().map(|(n, row)| (written(&row, key), (n, row))).collect();
    let mut places = Vec::new();
    for row in a {
        let Some((place, now)) = later.remove(&written(&row, key)) else {
            change.removed.push(row);
            continue;
        };
        places.push(place);
        let differs = |n: &usize| written(&row, &[*n]) != written(&now, &[*n]);
        let cells: Vec<usize> = (0..change.columns.len()).filter(differs).collect();
        if cells.is_empty() {
            change.same += 1;
        } else {
            change.changed.push(Changed { was: row, now, cells });
        }
    }
    let mut added: Vec<(usize, Row)> = later.into_values().collect();
    added.sort_by_key(|(place, _)| *place);
    change.added = added.into_iter().map(|(_, row)| row).collect();
    change.reordered = !places.is_sorted();
}

/// Takes equal rows away from both, each as often as both have it.
fn as_bags(change: &mut RowChange, a: Vec<Row>, b: Vec<Row>) {
    let all: Vec<usize> = (0..change.columns.len()).collect();
    let mut later: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (n, row) in b.iter().enumerate().rev() {
        later.entry(written(row, &all)).or_default().push(n);
    }
    let mut taken = vec![false; b.len()];
    let mut places = Vec::new();
    for row in a {
        match later.get_mut(&written(&row, &all)).and_then(Vec::pop) {
            Some(n) => {
                if let Some(slot) = taken.get_mut(n) {
                    *slot = true;
                }
                places.push(n);
                change.same += 1;
            }
            None => change.removed.push(row),
        }
    }
    change.added =
        b.into_iter().zip(taken).filter(|(_, taken)| !taken).map(|(row, _)| row).collect();
    change.reordered = !places.is_sorted();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ResultColumn;

    fn rows(columns: &[&str], rows: &[&[Value]]) -> Rows {
        let column = |name: &&str| ResultColumn {
            name: (*name).to_owned(),
            data_type: String::new(),
            origin: None,
            unit: None,
        };
        Rows {
            columns: columns.iter().map(column).collect(),
            rows: rows.iter().map(|row| row.to_vec()).collect(),
            row_count: rows.len() as u64,
            ..Rows::default()
        }
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn rows_are_matched_by_their_leading_name() {
        let was = rows(
            &["region", "n"],
            &[&[text("Asia"), Value::Integer(3)], &[text("Europe"), Value::Integer(5)]],
        );
        let now = rows(
            &["Region", "n"],
            &[&[text("Europe"), Value::Integer(6)], &[text("Africa"), Value::Integer(1)]],
        );
        let change = compare(&was, &now);
        assert_eq!(change.key, ["Region"]);
        assert_eq!(change.removed, [[text("Asia"), Value::Integer(3)]]);
        assert_eq!(change.added, [[text("Africa"), Value::Integer(1)]]);
        assert_eq!(change.changed.len(), 1);
        assert_eq!(change.changed[0].cells, [1]);
        assert_eq!(change.same, 0);
    }

    #[test]
    fn a_single_figure_is_changed_and_not_exchanged() {
        let was = rows(&["revenue"], &[&[Value::Integer(10)]]);
        let now = rows(&["total"], &[&[Value::Real(12.5)]]);
        let change = compare(&was, &now);
        assert_eq!(change.columns, ["total"]);
        assert_eq!(change.changed.len(), 1);
        assert!(change.key.is_empty() && change.added.is_empty());
    }

    #[test]
    fn repeated_rows_count_as_often_as_they_come() {
        let one = [text("a"), Value::Integer(1)];
        let two = [text("b"), Value::Integer(1)];
        let was = rows(&["x", "y"], &[&one, &one, &two]);
        let now = rows(&["x", "y"], &[&two, &one]);
        let change = compare(&was, &now);
        assert_eq!(change.removed, [one.to_vec()]);
        assert!(change.added.is_empty());
        assert_eq!(change.same, 2);
    }

    #[test]
    fn order_alone_and_whole_reals_are_told_apart_from_other_rows() {
        let was = rows(&["x"], &[&[Value::Integer(1)], &[Value::Integer(2)]]);
        let now = rows(&["x"], &[&[Value::Real(2.0)], &[Value::Integer(1)]]);
        let change = compare(&was, &now);
        assert!(change.nothing());
        assert!(change.reordered);
        assert_eq!(change.same, 2);
    }

    #[test]
    fn columns_of_one_side_are_named_and_do_not_make_rows_differ() {
        let was = rows(&["id", "a"], &[&[text("k"), text("x")], &[text("l"), text("y")]]);
        let now = rows(&["id", "b", "c"], &[&[text("k"), text("x"), text("x")]]);
        let change = compare(&was, &now);
        assert_eq!(change.columns_gone, ["a"]);
        assert_eq!(change.columns_new, ["b", "c"]);
        assert_eq!((change.same, change.removed.len()), (1, 1));
    }

    #[test]
    fn it_is_known_when_only_the_first_rows_were_compared() {
        let mut was = rows(&["x"], &[&[Value::Integer(1)]]);
        let now = was.clone();
        assert!(!compare(&was, &now).cut());
        was.row_count = 23_450;
        assert_eq!(compare(&was, &now).compared, [(1, 23_450), (1, 1)]);
        assert!(compare(&was, &now).cut());
    }
}
