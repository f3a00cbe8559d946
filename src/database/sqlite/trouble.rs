//! The engine's error codes as what they mean to a person.

use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::super::DatabaseError;

/// Splits an error into its basic code, extended code and words.
pub(super) fn parts(error: &rusqlite::Error) -> (Option<ErrorCode>, i32, String) {
    if let rusqlite::Error::SqliteFailure(code, words) = error {
        let words = words.clone().unwrap_or_else(|| code.to_string());
        return (Some(code.code), code.extended_code, words);
    }
    if let rusqlite::Error::SqlInputError { error, msg, .. } = error {
        return (Some(error.code), error.extended_code, msg.clone());
    }
    (None, 0, error.to_string())
}

/// Tells whether opening failed because the engine could not keep its locks beside the file,
/// though the file itself may be readable. A journal that must be rolled back is not of this kind.
pub(super) fn is_about_locks(error: &rusqlite::Error) -> bool {
    let (code, extended, _) = parts(error);
    code == Some(ErrorCode::CannotOpen)
        || (code == Some(ErrorCode::ReadOnly) && extended != ffi::SQLITE_READONLY_ROLLBACK)
        || matches!(extended, ffi::SQLITE_IOERR_SHMOPEN | ffi::SQLITE_IOERR_SHMMAP)
        || extended == ffi::SQLITE_IOERR_LOCK
}

/// Says why a file can't be opened.
pub(super) fn opening(error: &rusqlite::Error, path: &Path) -> DatabaseError {
    let (code, extended, words) = parts(error);
    let shown = path.display();
    if code == Some(ErrorCode::NotADatabase) {
        return DatabaseError::Open {
            what: format!("{shown} is no SQLite database"),
            hint: "Name a SQLite file; an encrypted one must be decrypted first.".to_owned(),
        };
    }
    if extended == ffi::SQLITE_READONLY_ROLLBACK {
        return DatabaseError::Open {
            what: format!("{shown} was left in the middle of a change by another program"),
            hint: "Open it once with a program that may write, so that the change is undone."
                .to_owned(),
        };
    }
    environment(error, path).unwrap_or_else(|| DatabaseError::Open {
        what: format!("{shown} can't be opened: {words}"),
        hint: "Check that the file can be read and is a SQLite database.".to_owned(),
    })
}

/// Says what is wrong with the database or its surroundings; none when the query is to blame.
pub(super) fn environment(error: &rusqlite::Error, path: &Path) -> Option<DatabaseError> {
    let (code, _, words) = parts(error);
    let code = code?;
    let shown = path.display();
    let lost = |what: String, hint: &str| DatabaseError::Lost { what, hint: hint.to_owned() };
    if matches!(code, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) {
        return Some(DatabaseError::Locked {
            what: format!("{shown} is locked by another program"),
            hint: "Wait until it has finished writing, or close it, and ask again.".to_owned(),
        });
    }
    if matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) {
        return Some(lost(
            format!("{shown} is damaged: {words}"),
            "Restore a copy, or save what can be read with `sqlite3 FILE .recover`.",
        ));
    }
    if matches!(code, ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::ReadOnly) {
        return Some(lost(
            format!("{shown} can't be read: {words}"),
            "Check the disk, the network drive and the permissions of the file and its folder.",
        ));
    }
    if code == ErrorCode::DiskFull {
        return Some(lost(
            "there is no room for temporary files".to_owned(),
            "Free space in the temporary folder, or set TMPDIR to another.",
        ));
    }
    if code == ErrorCode::PermissionDenied {
        return Some(lost(format!("{shown} can't be read: {words}"), "Check its permissions."));
    }
    None
}
