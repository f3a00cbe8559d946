//! Opens the memory file: made when missing, migrated, readable only by its owner.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::MemoryError;

/// All migrations in order. The file's `user_version` counts those that were applied.
const MIGRATIONS: &[&str] =
    &[include_str!("migrations/0001_runs.sql"), include_str!("migrations/0002_rows.sql")];

/// Waits this long for another Querent that is writing. A stored run takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the file and brings its tables up to date.
pub(super) fn open(path: &Path) -> Result<Connection, MemoryError> {
    let trouble = |what: String| MemoryError::File { path: path.display().to_string(), what };
    if path.is_dir() {
        return Err(trouble("it is a folder, not a file".to_owned()));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|e| trouble(format!("folder {} can't be made: {e}", folder.display())))?;
    }
    make_private(path);
    let mut connection = Connection::open(path).map_err(|e| trouble(words(&e)))?;
    prepare(&mut connection).map_err(|e| match e {
        Unready::Newer(version) => trouble(format!(
            "it was written by a newer Querent (tables version {version}, this program knows {})",
            MIGRATIONS.len()
        )),
        Unready::Engine(e) => trouble(words(&e)),
    })?;
    Ok(connection)
}

enum Unready {
    Newer(usize),
    Engine(rusqlite::Error),
}

impl From<rusqlite::Error> for Unready {
    fn from(error: rusqlite::Error) -> Self {
        Unready::Engine(error)
    }
}

fn prepare(connection: &mut Connection) -> Result<(), Unready> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let applied = applied(connection)?;
    if applied > MIGRATIONS.len() {
        return Err(Unready::Newer(applied));
    }
    if applied == MIGRATIONS.len() {
        return Ok(());
    }
    // WAL lets one Querent read while another writes. The file remembers it.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    migrate(connection)?;
    Ok(())
}

fn applied(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(0))
}

/// Applies what is missing. The count is read again under the write lock: another Querent may have
/// migrated in between.
fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in MIGRATIONS.iter().skip(applied(&tx)?) {
        tx.execute_batch(migration)?;
    }
    let version = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    tx.pragma_update(None, "user_version", version)?;
    tx.commit()
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
