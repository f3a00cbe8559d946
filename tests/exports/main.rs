//! Results written into files and read back, and results arranged, beside what the engine says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]
#![allow(clippy::wildcard_enum_match_arm, reason = "what a test does not expect ends it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use querent::config::Config;
use querent::domain::{Happened, Question, ResultId, Value};
use querent::pipeline::{Export, ExportFormat, ExportTrouble, Session, Setup, Told, Written};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tempfile::TempDir;

mod arranged;
#[cfg(feature = "parquet")]
mod parquet_files;
mod texts;
mod whole;
mod workbooks;

/// Every kind of value, each awkward in its way.
const AWKWARD: &str = "
    CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL, s TEXT, b BLOB, d DATE, ts TIMESTAMP,
                    flag BOOLEAN, mix, gone TEXT);
    INSERT INTO t VALUES
      (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (2, 0, 0.1, '', x'', '2024-02-29', '2024-02-29 13:05:07', 1, 1, NULL),
      (3, 9007199254740993, 1e300, 'NULL', x'00ff', '1899-12-31', '2024-02-29T13:05', 0, 2.5, NULL),
      (4, -9223372036854775808, -2.0, 'a,b;\t\"c\" |d\\', x'0a', 'yesterday', '2024-02-29 13:05:07.25', 1,
       'text', NULL),
      (5, 9223372036854775807, 9e999, 'one' || char(10) || 'two' || char(13, 10) || 'three', x'27', '2023-02-29',
       '', 1, x'07', NULL),
      (6, 9007199254740992, 1.5, 'Ünï çødé 日本 👩‍🚀 ' || char(0x202e) || ' _x0041_ <&>', x'e9', '', 'soon', 0,
       9007199254740993, NULL),
      (7, -1, -0.5, '=1+1' || char(1, 27) || '[31m', x'3d', '2024-12-31', '1970-01-01 00:00:00', 0, NULL, NULL);";

/// A database of its own with the rows of one statement.
struct Made {
    folder: TempDir,
    session: Arc<Session>,
    id: ResultId,
    /// What the engine says the rows are.
    rows: Vec<Vec<Value>>,
}

async fn made(script: &str, sql: &str) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(script).unwrap();
    let rows = rows(&connection, sql);
    drop(connection);
    let session = session(&path).await;
    let id = run(&session, sql, None).await;
    Made { folder, session, id, rows }
}

async fn session(path: &Path) -> Arc<Session> {
    let setup = Setup {
        database: Some(path.display().to_string()),
        model: Some("rules".into()),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    Arc::new(Session::open(setup).await.unwrap())
}

async fn run(session: &Arc<Session>, sql: &str, max_rows: Option<u64>) -> ResultId {
    let mut question = Question { sql: Some(sql.to_owned()), ..Question::default() };
    question.options.max_rows = max_rows;
    let mut run = session.start(question);
    let mut id = None;
    while let Some(told) = run.told.recv().await {
        let Told::Event(event) = told else { continue };
        if let Happened::Ran { attempt, version, .. } = event.happened {
            id = Some(ResultId { run: run.id.clone(), attempt, version, view: 0 });
        }
    }
    id.unwrap_or_else(|| panic!("didn't run: {sql}"))
}

fn rows(connection: &Connection, sql: &str) -> Vec<Vec<Value>> {
    let mut statement = connection.prepare(sql).unwrap();
    let width = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cell = |at| match row.get_ref(at).unwrap() {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(n) => Value::Integer(n),
            ValueRef::Real(n) => Value::Real(n),
            ValueRef::Text(text) => match String::from_utf8(text.to_vec()) {
                Ok(text) => Value::Text(text),
                Err(bad) => Value::Malformed(bad.into_bytes()),
            },
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        };
        all.push((0..width).map(cell).collect());
    }
    all
}

impl Made {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes all rows into a file of the form that its name says.
    async fn written(&self, name: &str) -> (PathBuf, Written) {
        let path = self.file(name);
        let format = ExportFormat::of_path(&path).unwrap();
        let export = Export { format, path: path.clone(), ..Export::default() };
        let written = self.session.export(&self.id, export).ended().await.unwrap();
        assert_eq!(std::fs::canonicalize(&path).unwrap(), written.path);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), written.bytes);
        assert_eq!(written.rows, self.rows.len() as u64);
        (path, written)
    }

    async fn refused(&self, export: Export) -> ExportTrouble {
        self.session.export(&self.id, export).ended().await.unwrap_err()
    }

    /// Names of the files beside the database.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with("shop.db")).collect();
        names.sort();
        names
    }
}

/// Many plain rows: numbers, reals, texts, NULLs.
const MANY: &str = "
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100000)
    SELECT i, i * 0.5 AS half, 'row ' || i AS name, CASE WHEN i % 3 THEN i * 1000003 END AS n FROM c";
