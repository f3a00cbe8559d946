//! Opens a SQLite file so that nothing can write through the connection: five walls, each tested
//! without the others.
//!
//! | wall | stops |
//! |---|---|
//! | `SQLITE_OPEN_READ_ONLY` | every write to the file, at the first write |
//! | `query_only`, `DEFENSIVE` | writes, at the first write; damage to the schema |
//! | authorizer | everything but SELECT, reading columns and harmless functions, at prepare |
//! | no attached databases | `ATTACH` and `VACUUM INTO` another file |
//! | `Statement::readonly` | what is left, before the first step (in `run`) |

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::super::DatabaseError;
use super::super::session::Lane;
use super::files;
use super::trouble;

/// How long a statement waits for another program's lock.
const BUSY: Duration = Duration::from_millis(1500);
/// Bytes of one cell at most; beyond, the engine says that it is too big.
const CELL_BYTES: i32 = 256 << 20;

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// With the locks that let other programs write meanwhile.
    Live,
    /// As a picture that doesn't change: for folders in which the engine can't keep its locks.
    Still,
}

/// Opens a file, falling back to a still picture where its folder allows no locks.
pub(super) fn first(path: &Path) -> Result<(Lane, Mode), DatabaseError> {
    files::check(path)?;
    let live = connect(path, Mode::Live);
    match live {
        // a still picture would leave out what the log holds: numbers that are silently old
        Err(refused) if refused.still_may_work && files::has_log(path) => {
            Err(files::unread_log(path))
        }
        Err(refused) if refused.still_may_work => match connect(path, Mode::Still) {
            Ok(lane) => Ok((lane, Mode::Still)),
            Err(_) => Err(refused.error),
        },
        Err(refused) => Err(refused.error),
        Ok(lane) => Ok((lane, Mode::Live)),
    }
}

/// Opens one more connection in the mode found first.
pub(super) fn again(path: &Path, mode: Mode) -> Result<Lane, DatabaseError> {
    files::check(path)?;
    connect(path, mode).map_err(|refused| refused.error)
}

/// Why a connection was refused.
struct Refused {
    error: DatabaseError,
    still_may_work: bool,
}

fn connect(path: &Path, mode: Mode) -> Result<Lane, Refused> {
    let identity = files::identity(path);
    let refused = |error: rusqlite::Error| Refused {
        still_may_work: trouble::is_about_locks(&error),
        error: trouble::opening(&error, path),
    };
    let mut connection = raw(path, mode).map_err(refused)?;
    let ours = Arc::new(AtomicBool::new(true));
    wall_off(&mut connection, &ours).map_err(refused)?;
    touch(&connection).map_err(refused)?;
    ours.store(false, Ordering::Relaxed);
    Ok(Lane { connection, ours, identity })
}

/// The first wall.
fn raw(path: &Path, mode: Mode) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match mode {
        Mode::Live => Connection::open_with_flags(path, flags),
        Mode::Still => {
            Connection::open_with_flags(still_uri(path), flags | OpenFlags::SQLITE_OPEN_URI)
        }
    }
}

/// The other walls.
fn wall_off(connection: &mut Connection, ours: &Arc<AtomicBool>) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, CELL_BYTES)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // pages are read again from the system's cache, which does not count as ours
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -512")?;
    authorize(connection, ours)
}

/// The wall that works at prepare. While `ours` is set, our own reading of the catalog passes.
pub(super) fn authorize(
    connection: &mut Connection,
    ours: &Arc<AtomicBool>,
) -> rusqlite::Result<()> {
    let ours = Arc::clone(ours);
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        if ours.load(Ordering::Relaxed) || reads(&context.action) {
            Authorization::Allow
        } else {
            Authorization::Deny
        }
    }))
}

fn reads(action: &AuthAction<'_>) -> bool {
    if let AuthAction::Function { function_name } = action {
        let refused = ["load_extension", "fts3_tokenizer"];
        return !refused.iter().any(|name| function_name.eq_ignore_ascii_case(name));
    }
    // full-text tables ask for the version of the data while they are read
    if let AuthAction::Pragma { pragma_name, pragma_value: None } = action {
        return pragma_name.eq_ignore_ascii_case("data_version");
    }
    matches!(action, AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive)
}

/// Reads the schema, so that trouble shows now; and connects virtual tables, because some of
/// their modules prepare statements of their own that the authorizer would refuse later.
fn touch(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual%'",
    )?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        let Ok(name) = row.get::<_, String>(0) else { continue };
        // a module that this engine lacks is told by the catalog
        let _ = connection.prepare(&format!("SELECT 1 FROM {}", super::quoted(&name)));
    }
    Ok(())
}

/// Writes a path as the URI of a file that doesn't change.
fn still_uri(path: &Path) -> PathBuf {
    use std::fmt::Write;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(*byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri.push_str("?immutable=1");
    PathBuf::from(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(folder: &Path) -> PathBuf {
        let path = folder.join("a b?c%#é.db");
        let made = Connection::open(&path).expect("made");
        made.execute_batch(
            "CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2)",
        )
        .expect("filled");
        path
    }

    const WRITES: &[&str] = &[
        "DELETE FROM t",
        "INSERT INTO t VALUES (3)",
        "UPDATE t SET a = 0",
        "WITH x AS (SELECT 9 AS a) INSERT INTO t SELECT a FROM x",
        "CREATE TABLE u (a)",
        "DROP TABLE t",
        "ALTER TABLE t RENAME TO u",
        "REINDEX",
        "VACUUM",
    ];

    const ESCAPES: &[&str] = &[
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "PRAGMA user_version = 7",
        "PRAGMA table_info(t)",
        "CREATE TEMP TABLE u (a)",
        "BEGIN",
        "SAVEPOINT s",
        "SELECT load_extension('x')",
        "SELECT * FROM pragma_table_info('t')",
    ];

    /// Tells whether a statement gets past the walls of a connection.
    fn passes(connection: &Connection, sql: &str) -> bool {
        connection.prepare(sql).and_then(|mut statement| statement.raw_execute_any()).is_ok()
    }

    trait RunAll {
        fn raw_execute_any(&mut self) -> rusqlite::Result<()>;
    }

    impl RunAll for rusqlite::Statement<'_> {
        fn raw_execute_any(&mut self) -> rusqlite::Result<()> {
            let mut rows = self.raw_query();
            while rows.next()?.is_some() {}
            Ok(())
        }
    }

    fn vacuum_into(folder: &Path) -> (String, PathBuf) {
        let target = folder.join("copy.db");
        (format!("VACUUM INTO '{}'", target.display()), target)
    }

    #[test]
    fn all_walls_together_refuse_every_write_and_every_way_around() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = database(folder.path());
        let (lane, mode) = first(&path).expect("opened");
        assert_eq!(mode, Mode::Live);
        let (vacuum, target) = vacuum_into(folder.path());
        let attach = format!("ATTACH '{}' AS other", folder.path().join("new.db").display());
        for sql in WRITES.iter().chain(ESCAPES).copied().chain([vacuum.as_str(), &attach]) {
            assert!(!passes(&lane.connection, sql), "{sql}");
        }
        assert!(!target.exists());
        assert!(passes(&lane.connection, "SELECT count(*), upper('x') FROM t"));
        assert!(passes(
            &lane.connection,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n"
        ));
    }

    #[test]
    fn the_read_only_open_alone_refuses_every_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = raw(&database(folder.path()), Mode::Live).expect("opened");
        for sql in WRITES {
            assert!(!passes(&connection, sql), "{sql}");
        }
    }

    #[test]
    fn query_only_alone_refuses_every_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(database(folder.path())).expect("opened");
        connection.execute_batch("PRAGMA query_only = ON").expect("set");
        for sql in WRITES.iter().filter(|sql| **sql != "VACUUM") {
            assert!(!passes(&connection, sql), "{sql}");
        }
    }

    #[test]
    fn the_authorizer_alone_refuses_writes_and_ways_around_at_prepare() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = Connection::open(database(folder.path())).expect("opened");
        authorize(&mut connection, &Arc::default()).expect("set");
        // a PRAGMA used as a table is refused when its rows are asked for
        let later = |sql: &&&str| sql.starts_with("VACUUM") || sql.contains("pragma_");
        for sql in WRITES.iter().chain(ESCAPES).filter(|sql| !later(sql)) {
            assert!(connection.prepare(sql).is_err(), "{sql}");
        }
        assert!(!passes(&connection, "SELECT * FROM pragma_table_info('t')"));
        let (vacuum, target) = vacuum_into(folder.path());
        assert!(!passes(&connection, &vacuum) && !target.exists());
        let attach = format!("ATTACH '{}' AS other", folder.path().join("new.db").display());
        assert!(!passes(&connection, &attach));
    }

    #[test]
    fn no_attached_databases_alone_refuses_attach_and_vacuum_into() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(database(folder.path())).expect("opened");
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0).expect("set");
        let (vacuum, target) = vacuum_into(folder.path());
        let attach = format!("ATTACH '{}' AS other", folder.path().join("new.db").display());
        assert!(!passes(&connection, &vacuum) && !target.exists());
        assert!(!passes(&connection, &attach));
    }

    #[test]
    fn readonly_alone_tells_writes_from_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(database(folder.path())).expect("opened");
        let (vacuum, _) = vacuum_into(folder.path());
        for sql in WRITES.iter().copied().chain([vacuum.as_str()]) {
            assert!(!connection.prepare(sql).expect("prepared").readonly(), "{sql}");
        }
        assert!(connection.prepare("SELECT a FROM t").expect("prepared").readonly());
    }

    #[test]
    fn a_still_picture_is_read_whatever_the_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let lane = again(&database(folder.path()), Mode::Still).expect("opened");
        let count: i64 = lane
            .connection
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .expect("counted");
        assert_eq!(count, 2);
    }
}
