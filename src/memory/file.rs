//! The memory file: made when missing, migrated, readable only by its owner.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql, TransactionBehavior, params_from_iter};

use super::MemoryError;
use super::tables::{Cell, Change, Row, Tables, newer};

/// All migrations in order. The file's `user_version` counts those that were applied.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_runs.sql"),
    include_str!("migrations/0002_rows.sql"),
    include_str!("migrations/0003_asked_by.sql"),
];

/// Waits this long for another Querent that is writing. A stored run takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// An opened file.
pub(super) struct File {
    path: PathBuf,
    connection: Connection,
}

impl File {
    /// Opens the file and brings its tables up to date.
    pub(super) fn open(path: &Path) -> Result<Self, MemoryError> {
        if path.is_dir() {
            return Err(unusable(path, "it is a folder, not a file".to_owned()));
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| {
                unusable(path, format!("folder {} can't be made: {e}", folder.display()))
            })?;
        }
        make_private(path);
        let opened = Connection::open(path).map_err(Trouble::from).and_then(|mut connection| {
            prepare(&mut connection)?;
            Ok(connection)
        });
        let connection = opened.map_err(|trouble| unusable(path, trouble.words()))?;
        Ok(File { path: path.to_owned(), connection })
    }
}

impl Tables for File {
    fn read(&mut self, sql: &str, cells: &[Cell]) -> Result<Vec<Row>, MemoryError> {
        rows(&self.connection, sql, cells)
            .map_err(|e| unusable(&self.path, Trouble::Engine(e).words()))
    }

    fn write(&mut self, changes: &[Change]) -> Result<(), MemoryError> {
        write(&mut self.connection, changes).map_err(|e| unusable(&self.path, e.words()))
    }
}

fn rows(connection: &Connection, sql: &str, cells: &[Cell]) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(sql)?;
    let columns = statement.column_count();
    let rows = statement.query_map(params_from_iter(cells), |row| {
        let cells = (0..columns).map(|column| row.get_ref(column).map(cell));
        cells.collect::<Result<Vec<_>, _>>().map(Row::new)
    })?;
    rows.collect()
}

/// Takes the write lock first, so that a second Querent waits instead of failing half-way.
fn write(connection: &mut Connection, changes: &[Change]) -> Result<(), Trouble> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    applied(&tx)?;
    for change in changes {
        tx.prepare_cached(&change.sql)?.execute(params_from_iter(&change.cells))?;
    }
    Ok(tx.commit()?)
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Cell::Text(text) => text.to_sql(),
            Cell::Number(number) => number.to_sql(),
        }
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Integer(number) => Cell::Number(Some(number)),
        ValueRef::Text(bytes) => Cell::Text(Some(String::from_utf8_lossy(bytes).into_owned())),
        // the tables are strict: what is neither text nor a whole number is missing
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Cell::Text(None),
    }
}

fn unusable(path: &Path, what: String) -> MemoryError {
    MemoryError::Unusable { place: path.display().to_string(), what }
}

enum Trouble {
    Newer(usize),
    Engine(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Engine(error)
    }
}

impl Trouble {
    fn words(&self) -> String {
        match self {
            Trouble::Newer(version) => newer(*version, MIGRATIONS.len()),
            Trouble::Engine(error) => words(error),
        }
    }
}

fn prepare(connection: &mut Connection) -> Result<(), Trouble> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if applied(connection)? == MIGRATIONS.len() {
        return Ok(());
    }
    // WAL lets one Querent read while another writes. The file remembers it.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    migrate(connection)
}

/// Counts the migrations that were applied; more than we know are refused.
fn applied(connection: &Connection) -> Result<usize, Trouble> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let version = usize::try_from(version).unwrap_or(0);
    if version > MIGRATIONS.len() { Err(Trouble::Newer(version)) } else { Ok(version) }
}

/// Applies what is missing. The count is read again under the write lock: another Querent may have
/// migrated in between.
fn migrate(connection: &mut Connection) -> Result<(), Trouble> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in MIGRATIONS.iter().skip(applied(&tx)?) {
        tx.execute_batch(migration)?;
    }
    let version = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    tx.pragma_update(None, "user_version", version)?;
    Ok(tx.commit()?)
}

/// Says what is wrong in words a person can act on.
fn words(error: &rusqlite::Error) -> String {
    let code = error.sqlite_error_code();
    match code {
        Some(ErrorCode::NotADatabase) => {
            format!("it is no Querent memory file ({error}); move it away to begin a new one")
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            format!("it is damaged ({error}); move it away to begin a new one")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("it can't be written there ({error})")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("another program holds it ({error})")
        }
        Some(_) | None => error.to_string(),
    }
}

/// Makes a missing file so that only its owner can read it: it holds rows of the person's data.
///
/// Trouble is left for SQLite to find and name.
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}
