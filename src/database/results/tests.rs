//! Results of many shapes, read back at any place while and after they arrive.

use super::*;

fn columns(n: usize) -> Vec<ResultColumn> {
    (0..n)
        .map(|i| ResultColumn {
            name: format!("c{i}"),
            data_type: String::new(),
            origin: None,
            unit: None,
        })
        .collect()
}

fn row(n: i64) -> Vec<Value> {
    vec![Value::Integer(n), Value::Text(format!("row {n}"))]
}

fn small() -> Bounds {
    Bounds { block_rows: 4, block_bytes: 100, memory: 200, memory_only: 400, file: 4096 }
}

fn filled(store: &ResultStore, rows: i64) -> Room {
    store.begin(columns(2));
    (0..rows).map(|n| store.push_values(&row(n))).find(|r| *r == Room::Stop).unwrap_or(Room::More)
}

#[test]
fn any_page_of_a_spilled_result_reads_back_what_was_pushed() {
    let store = ResultStore::bounded(std::env::temp_dir(), small());
    filled(&store, 150);
    for first in 0..150u64 {
        let page = store.page(first..first + 7);
        let end = (first + 7).min(150);
        let expected: Vec<_> = (first..end).map(|n| row(n.cast_signed())).collect();
        assert_eq!(page.rows, expected, "page at {first}");
        assert_eq!((page.first, page.total, page.finished), (first, 150, false));
    }
    store.finish(None);
    assert!(store.page(0..1).finished);
    assert!(store.page(150..160).rows.is_empty());
}

#[test]
fn a_page_can_be_read_after_every_single_row() {
    let store = ResultStore::bounded(std::env::temp_dir(), small());
    store.begin(columns(2));
    for n in 0..60 {
        store.push_values(&row(n));
        assert_eq!(store.page(n.cast_unsigned()..n.cast_unsigned() + 1).rows, [row(n)]);
        assert_eq!(store.page(0..1).rows, [row(0)]);
    }
}

#[test]
fn without_a_temporary_folder_some_rows_stay_in_memory_and_the_reason_is_said() {
    let store = ResultStore::bounded("/nonexistent/folder".into(), small());
    assert_eq!(filled(&store, 150), Room::Stop);
    let held = store.count();
    assert!(held >= 20, "held {held}");
    assert_eq!(store.page(held - 1..held).rows, [row(held.cast_signed() - 1)]);
    let why = store.stopped().expect("a reason");
    assert!(why.contains("/nonexistent/folder") && why.contains("TMPDIR"), "{why}");
    assert!(store.head().truncated);
}

#[test]
fn a_result_beyond_the_file_bound_stops_with_a_reason() {
    let store = ResultStore::bounded(std::env::temp_dir(), small());
    assert_eq!(filled(&store, 10_000), Room::Stop);
    let held = store.count();
    assert_eq!(store.page(held - 1..held).rows, [row(held.cast_signed() - 1)]);
    assert!(store.stopped().expect("a reason").contains("narrow the query"));
}

#[test]
fn the_head_is_the_first_thousand_rows() {
    let store = ResultStore::new();
    filled(&store, 1001);
    store.finish(None);
    let head = store.head();
    assert_eq!((head.rows.len(), head.row_count, head.truncated), (1000, 1001, true));
    assert_eq!(head.rows.last(), Some(&row(999)));
}

#[test]
fn a_row_beyond_a_mebibyte_ends_the_head_but_not_the_result() {
    let store = ResultStore::new();
    store.begin(columns(1));
    store.push_values(&[Value::Integer(1)]);
    store.push_values(&[Value::Blob(vec![7; 2 << 20])]);
    store.push_values(&[Value::Integer(2)]);
    store.finish(None);
    let head = store.head();
    assert_eq!((head.rows.len(), head.row_count, head.truncated), (1, 3, true));
    assert_eq!(store.page(1..3).rows[0], [Value::Blob(vec![7; 2 << 20])]);
    assert_eq!(store.page(1..3).rows[1], [Value::Integer(2)]);
}

#[test]
fn a_kept_part_is_a_finished_result_that_says_what_it_lacks() {
    let rows = Rows {
        columns: columns(2),
        rows: vec![row(0)],
        row_count: 5,
        truncated: true,
        stopped: None,
    };
    let store = ResultStore::kept(&rows);
    assert_eq!((store.count(), store.read(), store.finished()), (1, 5, true));
    assert_eq!(store.page(0..10).rows, [row(0)]);
    let why = Some("the run kept the first row".to_owned());
    assert_eq!(store.stopped(), why);
    // what is kept of it in turn says so, too
    assert_eq!(store.head(), Rows { stopped: why, ..rows });
}

#[test]
fn rows_without_columns_are_counted() {
    let store = ResultStore::new();
    store.begin(Vec::new());
    for _ in 0..500 {
        assert_eq!(store.push(&RowBytes::new()), Room::More);
    }
    assert_eq!(store.page(0..2).rows, [Vec::new(), Vec::new()]);
}
