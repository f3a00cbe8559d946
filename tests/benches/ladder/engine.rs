//! The engine itself: what runs, what comes out, and what its own errors say. The baseline.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// Rows as texts of cells, or the error.
pub(crate) type Outcome = Rc<Result<Vec<Vec<String>>, String>>;

/// Opened databases, and what their queries gave.
pub(crate) struct Engine {
    folder: PathBuf,
    opened: BTreeMap<String, Connection>,
    known: BTreeMap<(String, String), Outcome>,
}

impl Engine {
    pub(crate) fn new(data: &Path) -> Self {
        Engine { folder: data.join("db"), opened: BTreeMap::new(), known: BTreeMap::new() }
    }

    pub(crate) fn file(&self, db: &str) -> PathBuf {
        self.folder.join(format!("{db}.sqlite"))
    }

    fn connection(&mut self, db: &str) -> &mut Connection {
        let file = self.file(db);
        self.opened.entry(db.to_owned()).or_insert_with(|| {
            Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
        })
    }

    /// Runs a query once; the same again is remembered.
    pub(crate) fn run(&mut self, db: &str, sql: &str) -> Outcome {
        let key = (db.to_owned(), sql.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let outcome = Rc::new(rows(self.connection(db), sql));
        self.known.insert(key, outcome.clone());
        outcome
    }

    /// Tells whether two queries give the same rows, columns in the same order.
    pub(crate) fn same(&mut self, db: &str, a: &str, b: &str) -> bool {
        let (a, b) = (self.sorted(db, a, false), self.sorted(db, b, false));
        a.is_some() && a == b
    }

    /// Tells whether two queries give the same rows but for the order of the columns.
    pub(crate) fn alike(&mut self, db: &str, a: &str, b: &str) -> bool {
        let (a, b) = (self.sorted(db, a, true), self.sorted(db, b, true));
        a.is_some() && a == b
    }

    /// Rows in order; with `cells`, columns too, by what they hold.
    fn sorted(&mut self, db: &str, sql: &str, cells: bool) -> Option<Vec<Vec<String>>> {
        let mut rows = self.run(db, sql).as_ref().as_ref().ok()?.clone();
        let width = rows.first().map_or(0, Vec::len);
        let column = |n: usize| {
            let mut column: Vec<String> = rows.iter().map(|row| row[n].clone()).collect();
            column.sort();
            column
        };
        let mut order: Vec<usize> = (0..width).collect();
        if cells {
            order.sort_by_cached_key(|n| column(*n));
        }
        for row in &mut rows {
            *row = order.iter().map(|n| row[*n].clone()).collect();
        }
        rows.sort();
        Some(rows)
    }
}

fn rows(connection: &mut Connection, sql: &str) -> Result<Vec<Vec<String>>, String> {
    let started = Instant::now();
    let late = move || started.elapsed() > Duration::from_secs(10);
    connection.progress_handler(10_000, Some(late)).map_err(|e| e.to_string())?;
    let mut statement = connection.prepare(sql).map_err(|e| e.to_string())?;
    let width = statement.column_count();
    let mut rows = statement.query([]).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    while let Some(row) = rows.next().map_err(|e| e.to_string())? {
        all.push((0..width).map(|n| cell(row.get_ref_unwrap(n))).collect());
        if all.len() > 200_000 {
            return Err("too many rows".to_owned());
        }
    }
    Ok(all)
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "∅".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(n) if n.fract() == 0.0 && n.abs() < 1e15 => format!("{n:.0}"),
        ValueRef::Real(n) => format!("{n:.8e}"),
        ValueRef::Text(t) => format!("'{}", String::from_utf8_lossy(t)),
        ValueRef::Blob(b) => format!("'{}", String::from_utf8_lossy(b)),
    }
}

/// The class that the engine's own words show, as far as a person would read it from them.
pub(crate) fn class(error: &str) -> &'static str {
    const SIGNS: [(&str, &str); 8] = [
        ("no such column", "no_such_column"),
        ("no such table", "no_such_table"),
        ("no such function", "no_such_function"),
        ("ambiguous column", "ambiguous_column"),
        ("misuse of aggregate", "misuse_of_aggregate"),
        ("do not have the same number of result columns", "setop_column_mismatch"),
        ("syntax error", "syntax_error"),
        ("unrecognized token", "syntax_error"),
    ];
    SIGNS.iter().find(|(sign, _)| error.contains(sign)).map_or("other_error", |(_, class)| class)
}
