//! The big table that every program is given: the same rows as SQLite file and as CSV.

use std::io::Write;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Twenty columns: keys, names, places, amounts, dates, notes, NULLs.
const MADE: &str = "
    CREATE TABLE big AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    SELECT i AS id, 'first' || i AS first_row, 'name ' || (i * 7919 % 100003) AS name,
           'city ' || (i % 997) AS city, (i * 31 % 1000003) / 7.0 AS amount,
           CASE i % 5 WHEN 0 THEN NULL ELSE i % 90 END AS age,
           date('2020-01-01', '+' || (i % 2000) || ' days') AS day, i % 2 AS active,
           'a note of middling length, number ' || i AS note, NULL AS gone,
           i * 3 AS c11, i * 0.25 AS c12, 'x' || (i % 13) AS c13, '売上 ' || (i % 7) AS c14,
           i % 1000 AS c15, 'north' AS c16, i / 3 AS c17, i * 1.5 AS c18, 'k' || i AS c19,
           'last' || i AS last_column
    FROM n;
    CREATE TABLE small (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO small VALUES (1, 'one'), (2, 'two');";

/// The two files.
pub struct Files {
    /// SQLite.
    pub database: PathBuf,
    /// CSV with a header line.
    pub csv: PathBuf,
    _folder: tempfile::TempDir,
}

/// Writes both files into a temporary folder; it takes some ten seconds.
pub fn write() -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, csv) = (folder.path().join("big.db"), folder.path().join("big.csv"));
    let made = Connection::open(&database).expect("a database");
    made.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;").expect("settings");
    made.execute_batch(MADE).expect("the table");
    write_csv(&made, &csv);
    Files { database, csv, _folder: folder }
}

fn write_csv(from: &Connection, to: &Path) {
    let file = std::fs::File::create(to).expect("a file");
    let mut out = std::io::BufWriter::with_capacity(1 << 20, file);
    let mut statement = from.prepare("SELECT * FROM big").expect("the table");
    let width = statement.column_count();
    let names: Vec<&str> = statement.column_names().collect();
    writeln!(out, "{}", names.join(",")).expect("room");
    let mut rows = statement.query([]).expect("rows");
    while let Some(row) = rows.next().expect("a row") {
        for at in 0..width {
            if at > 0 {
                out.write_all(b",").expect("room");
            }
            // no cell of this table needs quotes but texts, which may hold a comma
            match row.get_ref(at).expect("a cell") {
                ValueRef::Null => {}
                ValueRef::Integer(n) => write!(out, "{n}").expect("room"),
                ValueRef::Real(n) => write!(out, "{n}").expect("room"),
                ValueRef::Text(text) => {
                    write!(out, "\"{}\"", String::from_utf8_lossy(text)).expect("room");
                }
                ValueRef::Blob(_) => unreachable!("the table has no blobs"),
            }
        }
        out.write_all(b"\n").expect("room");
    }
    out.flush().expect("room");
}
