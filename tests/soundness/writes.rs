//! No write passes as a query that reads, held against the engine's own word for each statement.

use proptest::prelude::*;
use querent::domain::Dialect;
use querent::sql::ReadQuery;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Connection};

use super::corpus::{change, changed, golds, scaled};

/// Statements and pieces that change something. `@` stands for a right query.
const WRITES: &[&str] = &[
    "DELETE FROM rooms",
    "DELETE FROM rooms WHERE id IN (@)",
    "UPDATE rooms SET name = (@)",
    "UPDATE rooms SET name = 'x' RETURNING *",
    "INSERT INTO rooms @",
    "INSERT OR REPLACE INTO rooms @",
    "REPLACE INTO rooms VALUES (1)",
    "CREATE TABLE y AS @",
    "CREATE VIEW y AS @",
    "CREATE TEMP TABLE y (a)",
    "DROP TABLE rooms",
    "ALTER TABLE rooms RENAME TO y",
    "PRAGMA user_version = 3",
    "PRAGMA journal_mode = DELETE",
    "ATTACH 'x' AS y",
    "DETACH main",
    "VACUUM INTO 'x'",
    "REINDEX",
    "ANALYZE",
    "BEGIN IMMEDIATE",
    "SAVEPOINT s",
];

/// Places where a write may hide: `!` stands for the write, `@` for a right query.
const HIDES: &[&str] = &[
    "!",
    "!;",
    "@; !",
    "!; @",
    "@ ! ",
    "WITH y AS (!) @",
    "WITH y AS (@) !",
    "WITH y AS (! RETURNING *) SELECT * FROM y",
    "SELECT * FROM (!)",
    "SELECT (!) FROM (@)",
    "@ UNION !",
    "EXPLAIN !",
    "EXPLAIN QUERY PLAN !",
    "/* @ */ !",
    "-- @\n!",
    "SELECT '@', !",
    "(!)",
];

/// An empty database of the demo's structure.
fn engine() -> Connection {
    let engine = Connection::open_in_memory().unwrap();
    engine.execute_batch(include_str!("../../assets/demo/reservo/schema.sql")).unwrap();
    engine
}

/// Tells why the engine says that a text does more than read, if it does; a text that it can't
/// prepare does nothing.
fn writes(engine: &Connection, sql: &str) -> Option<String> {
    let mut batch = Batch::new(engine, sql);
    let mut statements = 0;
    while let Ok(Some(statement)) = batch.next() {
        statements += 1;
        if !statement.readonly() {
            return Some("a statement that is not read-only".to_owned());
        }
        if statement.column_count() == 0 {
            return Some("a statement that gives no rows".to_owned());
        }
        if statements > 1 {
            return Some("a second statement".to_owned());
        }
    }
    None
}

fn reservo() -> Vec<String> {
    golds().into_iter().filter(|gold| gold.demo == "reservo").map(|gold| gold.sql).collect()
}

/// Holds what passes as a reading query against the engine.
fn held(engine: &Connection, sql: &str) -> Result<(), TestCaseError> {
    for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::Mysql, Dialect::Duckdb] {
        if let Ok(query) = ReadQuery::parse(sql, dialect) {
            let why = writes(engine, query.text());
            prop_assert!(why.is_none(), "{:?} passes as {}: {:?}", sql, dialect.name(), why);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: scaled(1_500),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_right_query_with_pieces_changed_never_writes(
        gold in prop::sample::select(reservo()),
        changes in proptest::collection::vec(change(), 1..6),
    ) {
        thread_local!(static ENGINE: Connection = engine());
        ENGINE.with(|engine| held(engine, &changed(&gold, &changes)))?;
    }

    #[test]
    fn a_write_hidden_in_a_right_query_never_passes(
        gold in prop::sample::select(reservo()),
        write in prop::sample::select(WRITES),
        hide in prop::sample::select(HIDES),
        changes in proptest::collection::vec(change(), 0..3),
        lower in any::<bool>(),
    ) {
        thread_local!(static ENGINE: Connection = engine());
        let write = if lower { write.to_lowercase() } else { (*write).to_owned() };
        let sql = hide.replace('!', &write).replace('@', &gold);
        ENGINE.with(|engine| held(engine, &sql))?;
        ENGINE.with(|engine| held(engine, &changed(&sql, &changes)))?;
    }
}
