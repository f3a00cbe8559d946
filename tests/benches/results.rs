//! Times filling and reading a result of a million rows, beside plain stepping through them.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on stops")]

use std::sync::OnceLock;

use divan::{Bencher, black_box};
use querent::database::ResultStore;
use querent::database::results::RowBytes;
use querent::domain::ResultColumn;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

const ROWS: u64 = 1_000_000;
const COLUMNS: usize = 20;
/// Rows of a screen.
const SCREEN: u64 = 40;

/// A million rows of numbers, text and NULL that no disk has to give.
const QUERY: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    SELECT i, i * 7, i / 3.0, 'name ' || i, NULL, i % 2, 'a text of middling length', i, i, i,
           i * 0.5, 'x', NULL, i, i, 'city', 'country', i, i, i FROM n";

fn main() {
    divan::main();
}

fn column() -> ResultColumn {
    ResultColumn { name: "column".into(), data_type: "text".into(), origin: None, unit: None }
}

/// Steps through all rows and hands each to `take`.
fn step(mut take: impl FnMut(&rusqlite::Row<'_>)) {
    let db = Connection::open_in_memory().unwrap();
    let mut statement = db.prepare(QUERY).unwrap();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        take(row);
    }
}

fn filled() -> ResultStore {
    let store = ResultStore::new();
    store.begin(vec![column(); COLUMNS]);
    let mut bytes = RowBytes::new();
    step(|row| {
        bytes.clear();
        for at in 0..COLUMNS {
            match row.get_ref(at).unwrap() {
                ValueRef::Null => bytes.null(),
                ValueRef::Integer(n) => bytes.integer(n),
                ValueRef::Real(n) => bytes.real(n),
                ValueRef::Text(text) => bytes.text(text),
                ValueRef::Blob(blob) => bytes.blob(blob),
            }
        }
        store.push(&bytes);
    });
    store.finish(None);
    assert_eq!(store.count(), ROWS, "all rows are kept");
    store
}

fn store() -> &'static ResultStore {
    static STORE: OnceLock<ResultStore> = OnceLock::new();
    STORE.get_or_init(filled)
}

/// The baseline: the engine's own work, each cell looked at and let go.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn the_engine_steps_through_all_rows() {
    step(|row| {
        for at in 0..COLUMNS {
            black_box(row.get_ref(at).unwrap());
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn all_rows_are_kept() -> ResultStore {
    filled()
}

#[divan::bench(args = [0, ROWS / 2, ROWS - SCREEN], sample_count = 500, sample_size = 1)]
fn a_page_is_read(bencher: Bencher<'_, '_>, first: u64) {
    let store = store();
    bencher.bench(|| store.page(first..first + SCREEN));
}
