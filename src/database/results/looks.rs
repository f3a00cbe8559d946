//! Results arranged, searched and summed up, beside the plain way to do it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::order::compare;
use super::*;
use crate::domain::{Cell, Condition, Find, SortKey, Test, View};

fn column(name: usize) -> ResultColumn {
    ResultColumn { name: format!("c{name}"), data_type: String::new(), origin: None, unit: None }
}

/// A store of these rows in small blocks, most of them in a file.
fn store(rows: &[Vec<Value>]) -> ResultStore {
    let bounds =
        Bounds { block_rows: 4, block_bytes: 100, memory: 200, memory_only: 400, file: 1 << 30 };
    let store = ResultStore::bounded(std::env::temp_dir(), bounds);
    store.begin((0..rows.first().map_or(0, Vec::len)).map(column).collect());
    for row in rows {
        assert_eq!(store.push_values(row), Room::More);
    }
    store.finish(None);
    store
}

fn rows_of(store: &ResultStore) -> Vec<Vec<Value>> {
    store.page(0..u64::MAX).rows
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (-3i64..3).prop_map(Value::Integer),
        any::<i64>().prop_map(Value::Integer),
        (-6i8..6).prop_map(|n| Value::Real(f64::from(n) / 2.0)),
        "[aAäÄß1.\u{0}]{0,3}".prop_map(Value::Text),
        proptest::collection::vec(0u8..3, 0..3).prop_map(Value::Blob),
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<Value>>> {
    proptest::collection::vec(proptest::collection::vec(value(), 3), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sorting_in_runs_gives_what_a_stable_sort_gives(
        rows in table(),
        keys in proptest::collection::vec((0usize..3, any::<bool>()), 1..3),
        chunk in prop_oneof![Just(1usize), Just(500), Just(1 << 20)],
    ) {
        let sort: Vec<SortKey> =
            keys.iter().map(|&(column, descending)| SortKey { column, descending }).collect();
        let mut expected = rows.clone();
        expected.sort_by(|a, b| {
            let by = |key: &SortKey| {
                let order = compare(Cell::from(&a[key.column]), Cell::from(&b[key.column]));
                if key.descending { order.reverse() } else { order }
            };
            sort.iter().map(by).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        let view = View { sort, filter: Vec::new() };
        let sorted = arranged::within(chunk, &store(&rows), &view, &Stop::default()).expect("room");
        prop_assert_eq!(rows_of(&sorted), expected);
    }

    #[test]
    fn finding_steps_through_every_cell_that_holds_the_text(
        rows in table(),
        backwards in any::<bool>(),
        from in (0u64..60, 0usize..3),
    ) {
        let needle = "a";
        let holds = |value: &Value| !value.is_null() && value.plain().to_lowercase().contains(needle);
        let all: BTreeSet<(u64, usize)> = (0u64..)
            .zip(&rows)
            .flat_map(|(n, row)| row.iter().enumerate().map(move |(c, v)| ((n, c), v)))
            .filter(|(_, value)| holds(value))
            .map(|(place, _)| place)
            .collect();
        let next = if backwards {
            all.range(..=from).next_back().or(all.last())
        } else {
            all.range(from..).next().or(all.first())
        };
        let look = Find {
            text: needle.to_uppercase(),
            from_row: from.0,
            from_col: from.1,
            backwards,
            column: None,
        };
        prop_assert_eq!(find(&store(&rows), &look, &Stop::default()), next.copied());
    }

    #[test]
    fn a_summary_counts_what_is_there(rows in table()) {
        let store = store(&rows);
        prop_assume!(!rows.is_empty());
        let summary = summarize(&store, 1, &Stop::default()).expect("a column");
        let cells: Vec<&Value> = rows.iter().map(|row| &row[1]).collect();
        let there: Vec<Cell<'_>> =
            cells.iter().filter(|v| !v.is_null()).map(|v| Cell::from(*v)).collect();
        prop_assert_eq!(summary.rows, rows.len() as u64);
        prop_assert_eq!(summary.nulls, (cells.len() - there.len()) as u64);
        let kinds = summary.integers + summary.reals + summary.texts + summary.blobs;
        prop_assert_eq!(kinds, there.len() as u64);
        let mut sorted = there.clone();
        sorted.sort_by(|a, b| compare(*a, *b));
        let same = |a: Option<&Value>, b: Option<&Cell<'_>>| match (a, b) {
            (Some(a), Some(b)) => compare(Cell::from(a), *b).is_eq(),
            (a, b) => a.is_none() && b.is_none(),
        };
        prop_assert!(same(summary.least.as_ref(), sorted.first()));
        prop_assert!(same(summary.greatest.as_ref(), sorted.last()));
        sorted.dedup_by(|a, b| compare(*a, *b).is_eq());
        prop_assert_eq!((summary.distinct, summary.distinct_exact), (sorted.len() as u64, true));
        let numbers = there.iter().filter_map(|cell| cell.number()).count() as u64;
        let counted: u64 = summary.histogram.iter().flat_map(|h| &h.counts).sum();
        prop_assert_eq!(counted, numbers);
    }
}

fn int(n: i64) -> Value {
    Value::Integer(n)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Rows of one column that pass a test.
fn passing(column: Option<usize>, test: Test, cells: &[Value]) -> Vec<Value> {
    let rows: Vec<Vec<Value>> = cells.iter().map(|cell| vec![cell.clone()]).collect();
    let view = View { sort: Vec::new(), filter: vec![Condition { column, test }] };
    let made = arranged::arranged(&store(&rows), &view, &Stop::default()).expect("room");
    rows_of(&made).into_iter().flatten().collect()
}

#[test]
fn each_test_lets_through_what_it_says() {
    let cells = [
        Value::Null,
        int(1),
        Value::Real(1.5),
        int(2),
        text("2"),
        text("Aa"),
        Value::Blob(vec![2]),
    ];
    let check = |test: Test, places: &[usize]| {
        let expected: Vec<Value> = places.iter().map(|at| cells[*at].clone()).collect();
        assert_eq!(passing(Some(0), test.clone(), &cells), expected, "{test:?}");
    };
    check(Test::Contains("A".into()), &[5]);
    check(Test::Contains("2".into()), &[3, 4, 6]);
    check(Test::Lacks("2".into()), &[0, 1, 2, 5]);
    check(Test::Equal(Value::Real(2.0)), &[3]);
    check(Test::NotEqual(int(2)), &[1, 2, 4, 5, 6]);
    check(Test::Less(int(2)), &[1, 2]);
    check(Test::AtMost(int(2)), &[1, 2, 3]);
    check(Test::More(int(1)), &[2, 3]);
    check(Test::AtLeast(text("2")), &[4, 5]);
    check(Test::Null, &[0]);
    check(Test::NotNull, &[1, 2, 3, 4, 5, 6]);
    check(Test::Equal(Value::Null), &[]);
}

#[test]
fn any_column_may_hold_a_text_but_every_one_must_lack_it() {
    let rows = vec![vec![text("a"), text("b")], vec![text("c"), text("d")]];
    for (test, kept) in [(Test::Contains("A".into()), 0), (Test::Lacks("a".into()), 1)] {
        let view = View { sort: Vec::new(), filter: vec![Condition { column: None, test }] };
        let made = arranged::arranged(&store(&rows), &view, &Stop::default()).expect("room");
        assert_eq!(rows_of(&made), [rows[kept].clone()]);
    }
}

#[test]
fn an_arrangement_says_what_its_result_says() {
    let from = ResultStore::new();
    from.begin(vec![column(0)]);
    from.push_values(&[int(2)]);
    from.push_values(&[int(1)]);
    from.finish(Some("stopped after 2 rows, the limit given".to_owned()));
    let view = View { sort: vec![SortKey { column: 0, descending: false }], filter: Vec::new() };
    let made = arranged::arranged(&from, &view, &Stop::default()).expect("room");
    assert_eq!(
        (made.finished(), made.stopped(), made.columns()),
        (true, from.stopped(), from.columns())
    );
    assert_eq!(rows_of(&made), [[int(1)], [int(2)]]);
}

#[test]
fn work_that_nobody_waits_for_stops() {
    let rows: Vec<Vec<Value>> = (0..5_000).map(|n| vec![int(n)]).collect();
    let store = store(&rows);
    let stop = Stop::default();
    stop.ask();
    let view = View { sort: vec![SortKey { column: 0, descending: true }], filter: Vec::new() };
    assert!(matches!(arranged::arranged(&store, &view, &stop), Err(Unarranged::Stopped)));
    assert_eq!(summarize(&store, 0, &stop), None);
    let look = Find { text: "4999".into(), ..Find::default() };
    assert_eq!(find(&store, &look, &stop), None);
    assert_eq!(find(&store, &look, &Stop::default()), Some((4_999, 0)));
}

#[test]
fn figures_are_those_of_arithmetic() {
    let mut cells: Vec<Value> = (1..=100).map(int).collect();
    cells.extend([Value::Real(0.5), Value::Null, text(""), text("äb"), text("äb")]);
    let rows: Vec<Vec<Value>> = cells.into_iter().map(|cell| vec![cell]).collect();
    let summary = summarize(&store(&rows), 0, &Stop::default()).expect("a column");
    assert_eq!((summary.rows, summary.nulls, summary.empty), (105, 1, 1));
    assert_eq!((summary.integers, summary.reals, summary.texts), (100, 1, 3));
    assert_eq!((summary.distinct, summary.distinct_exact), (103, true));
    assert_eq!((summary.least, summary.greatest), (Some(Value::Real(0.5)), Some(text("äb"))));
    assert_eq!(summary.sum, Some(Value::Real(5050.5)));
    assert_eq!((summary.mean, summary.median), (Some(5050.5 / 101.0), Some(50.0)));
    assert_eq!((summary.top, summary.top_exact), (vec![(text("äb"), 2)], true));
    let lengths = summary.lengths.expect("texts");
    assert_eq!((lengths.least, lengths.greatest), (0, 2));
    let histogram = summary.histogram.expect("numbers");
    assert_eq!(
        (histogram.from.to_bits(), histogram.to.to_bits()),
        (0.5f64.to_bits(), 100f64.to_bits())
    );
    // 20 ranges of 4.975: the first holds 0.5 and 1 to 5, the last 96 to 100
    assert_eq!((histogram.counts.len(), histogram.counts[0], histogram.counts[19]), (20, 6, 5));
}

#[test]
fn whole_numbers_are_counted_in_ranges_that_hold_as_many() {
    let spread = |cells: &[i64]| {
        let rows: Vec<Vec<Value>> = cells.iter().map(|cell| vec![int(*cell)]).collect();
        let summary = summarize(&store(&rows), 0, &Stop::default()).expect("a column");
        let histogram = summary.histogram.expect("numbers");
        assert!(histogram.whole);
        (histogram.from.to_bits(), histogram.to.to_bits(), histogram.counts)
    };
    let ends = |from: f64, to: f64| (from.to_bits(), to.to_bits());
    let (from, to, counts) = spread(&[0, 1, 1, 0, 1]);
    assert_eq!(((from, to), counts), (ends(-0.5, 1.5), vec![2, 3]));
    // 1 to 5: one range each, also where nothing is counted
    let (from, to, counts) = spread(&[1, 5, 5, 2]);
    assert_eq!(((from, to), counts), (ends(0.5, 5.5), vec![1, 1, 0, 0, 2]));
    // 100 numbers in 20 ranges of 5
    let all: Vec<i64> = (1..=100).collect();
    let (from, to, counts) = spread(&all);
    assert_eq!(((from, to), counts), (ends(0.5, 100.5), vec![5; 20]));
}

#[test]
fn large_whole_numbers_are_summed_exactly_while_they_fit() {
    let sum = |cells: &[Value]| {
        let rows: Vec<Vec<Value>> = cells.iter().map(|cell| vec![cell.clone()]).collect();
        summarize(&store(&rows), 0, &Stop::default()).and_then(|summary| summary.sum)
    };
    let big = (1i64 << 53) + 1;
    assert_eq!(sum(&[int(big), int(big)]), Some(int(big * 2)));
    assert_eq!(sum(&[int(i64::MAX), int(i64::MAX), int(i64::MIN), int(i64::MIN)]), Some(int(-2)));
    assert_eq!(sum(&[int(i64::MAX), int(1)]), Some(Value::Real(9_223_372_036_854_775_808.0)));
    assert_eq!(sum(&[text("1")]), None);
}
