//! What the file system says of a database file, without ever opening it.
//!
//! **Invariant:** nothing here opens the file: closing it again would drop the engine's locks.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::super::DatabaseError;
use super::super::cache::Stamp;

/// Ends of file names that usually hold SQLite databases.
const ENDS: &[&str] = &["sqlite", "sqlite3", "db", "db3"];

/// Makes sure that there is a file, and says what to do if not.
pub(super) fn check(path: &Path) -> Result<(), DatabaseError> {
    let refuse = |what, hint| Err(DatabaseError::Open { what, hint });
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            refuse(format!("{shown} is a folder, not a database file"), name_one_of(path))
        }
        Ok(found) if !found.is_file() => {
            refuse(format!("{shown} is no regular file"), "Name a SQLite database file.".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => refuse(
            format!("there is no file {shown}"),
            format!(
                "Check the path; Querent never creates a database. {}",
                name_one_of(path.parent().unwrap_or(path))
            ),
        ),
        Err(error) => refuse(
            format!("{shown} can't be reached: {}", reason(&error)),
            "Check the path and its permissions.".to_owned(),
        ),
    }
}

fn reason(error: &std::io::Error) -> String {
    let kind = error.kind();
    if kind == ErrorKind::PermissionDenied {
        "permission denied".to_owned()
    } else if kind == ErrorKind::NotADirectory {
        "a part of the path is a file, not a folder".to_owned()
    } else {
        error.to_string()
    }
}

/// Lists databases of a folder, for a hint.
fn name_one_of(folder: &Path) -> String {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .take(2000)
        .filter_map(Result::ok)
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| name.extension().is_some_and(|e| ENDS.iter().any(|end| e == *end)))
        .map(|name| name.display().to_string())
        .collect();
    names.sort();
    names.truncate(5);
    if names.is_empty() {
        return "Name a SQLite database file.".to_owned();
    }
    format!("In {} there is: {}.", folder.display(), names.join(", "))
}

/// Tells files apart that had the same name at different times.
#[cfg(unix)]
fn identity_of(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn identity_of(_found: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// Returns device and number of a file; zeros when it is gone.
pub(super) fn identity(path: &Path) -> (u64, u64) {
    std::fs::metadata(path).map_or((0, 0), |found| identity_of(&found))
}

/// Returns what tells that a file has not changed.
pub(super) fn stamp(path: &Path, schema_version: i64) -> Stamp {
    // an empty log comes and goes with the programs that open the file
    let files = [path.to_path_buf(), beside(path, "-wal")]
        .iter()
        .filter_map(|file| std::fs::metadata(file).ok().filter(|found| found.len() > 0))
        .map(|found| (found.len(), changed(&found)))
        .collect();
    Stamp {
        schema_version,
        changes: changes(path),
        files,
        identity: identity(path),
        server: String::new(),
    }
}

/// Reads the file's count of changes: four bytes at 24 of its header (SQLite's file format).
fn changes(path: &Path) -> u32 {
    use std::io::{Read, Seek, SeekFrom};
    let mut count = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(24))?;
        file.read_exact(&mut count)
    });
    read.map_or(0, |()| u32::from_be_bytes(count))
}

/// Tells whether a file was written over by something that is no engine: it changed, but not its
/// count, so that open connections take their old pages for good.
pub(super) fn written_over(before: &Stamp, now: &Stamp) -> bool {
    before.identity == now.identity
        && before.changes == now.changes
        && before.files.first() != now.files.first()
}

fn changed(found: &Metadata) -> u128 {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// Tells whether a write-ahead log with changes lies beside the file.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|found| found.len() > 0)
}

/// Says that the log beside the file can't be read where it is.
pub(super) fn unread_log(path: &Path) -> DatabaseError {
    let folder = path.parent().unwrap_or(path).display();
    DatabaseError::Open {
        what: format!(
            "{} has changes in {}, which can't be read in a folder that can't be written",
            path.display(),
            beside(path, "-wal").display()
        ),
        hint: format!(
            "Make {folder} writable, copy the file with its -wal elsewhere, or have the program \
             that writes it close it first."
        ),
    }
}

/// Names a file that the engine keeps beside the database.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
