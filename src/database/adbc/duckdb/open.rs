//! Opens DuckDB so that it can't write: read only, with all other files, extensions and settings
//! locked away.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use adbc_core::error::Error;
use adbc_core::options::{OptionDatabase, OptionValue};
use adbc_core::{Database as _, Driver};
use adbc_driver_manager::ManagedDatabase;

use super::super::super::{DatabaseError, Trouble};
use super::super::library;
use super::super::line::{Ended, Line, Seat, broken};
use super::super::reading::{ask, command};
use super::files::{self, FileTable, Named};
use super::trouble;
use crate::domain::counts::count;
use crate::domain::{Dialect, Stage, Value};
use crate::sql::dialect::literal;

/// Time for opening, with a look into each file for its columns.
const OPENING: Duration = Duration::from_mins(1);

/// Settings under which nothing but what was opened can be reached.
const LOCKED: &[(&str, &str)] = &[
    ("autoinstall_known_extensions", "false"),
    ("autoload_known_extensions", "false"),
    ("allow_community_extensions", "false"),
    ("allow_unsigned_extensions", "false"),
    ("allow_persistent_secrets", "false"),
    ("errors_as_json", "true"),
    // types that Arrow has no word for come as bytes with a name, instead of wrong numbers
    ("arrow_lossless_conversion", "true"),
];

/// What was opened.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// A file of its own.
    File(PathBuf),
    /// Files of other kinds, as tables.
    Tables(Vec<FileTable>),
}

impl Source {
    /// Returns sizes and times of the files: what tells that they changed.
    pub(super) fn stamp(&self) -> String {
        let files: Vec<&Path> = match self {
            Source::File(path) => vec![path],
            Source::Tables(tables) => tables.iter().flat_map(FileTable::paths).collect(),
        };
        let one = |path: &Path| match std::fs::metadata(path) {
            Ok(found) => {
                let time = found.modified().ok();
                let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
                format!("{} {} {:?}", path.display(), found.len(), since)
            }
            Err(_) => format!("{} missing", path.display()),
        };
        files.into_iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// Says what a person should know.
    pub(super) fn notices(&self, shown: &str) -> Vec<String> {
        match self {
            Source::File(_) => vec![format!(
                "While {shown} is open here, other programs can read it but not write to it."
            )],
            Source::Tables(tables) => {
                let several = tables.iter().filter(|table| table.files.len() > 1);
                let parts = |table: &FileTable| {
                    format!(
                        "{} is read from {}.",
                        table.name,
                        count(table.files.len() as u64, "file")
                    )
                };
                several.map(parts).collect()
            }
        }
    }
}

/// Opens what an address names; returns the version too.
pub(super) async fn open(address: &str) -> Result<(Line, Source, String), DatabaseError> {
    let shown = address.to_owned();
    let named = files::named(address)?;
    let opening = shown.clone();
    let file = match &named {
        Named::Database(path) => Some(path.clone()),
        Named::Files(_) => None,
    };
    let opened = tokio::task::spawn_blocking(move || {
        database(file.as_deref()).map_err(|failed| failed.told(&opening))
    });
    let database = opened.await.unwrap_or_else(|_| Err(broken("DuckDB")))?;
    // a connection costs nothing, so that each statement has one of its own
    let line = Line::new(database, 0, Arc::new(ManagedDatabase::new_connection));
    let set_up = line.work(OPENING, move |seat| set_up(seat, named)).await;
    let (source, version) = set_up.map_err(|ended| not_set_up(ended, &shown))?;
    Ok((line, source, version))
}

/// Why the library gave no database.
enum Failed {
    Library(DatabaseError),
    Opening(Error),
}

impl Failed {
    fn told(self, shown: &str) -> DatabaseError {
        match self {
            Failed::Library(error) => error,
            Failed::Opening(error) => trouble::opening(&error, shown),
        }
    }
}

fn database(file: Option<&Path>) -> Result<ManagedDatabase, Failed> {
    let mut driver = library::duckdb().map_err(Failed::Library)?;
    let spill = std::env::temp_dir().join(format!("querent-{}", uuid::Uuid::now_v7().simple()));
    let mut settings: Vec<(&str, String)> =
        LOCKED.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    // large sorts go there, not beside the file that was opened
    settings.push(("temp_directory", spill.display().to_string()));
    match file {
        Some(path) => settings.extend([
            ("path", path.display().to_string()),
            ("access_mode", "READ_ONLY".to_owned()),
            ("enable_external_access", "false".to_owned()),
            ("lock_configuration", "true".to_owned()),
        ]),
        // `set_up` locks what is left, after it has looked into the files
        None => settings.push(("path", ":memory:".to_owned())),
    }
    let options = settings
        .into_iter()
        .map(|(name, value)| (OptionDatabase::Other(name.to_owned()), OptionValue::String(value)));
    driver.new_database_with_opts(options).map_err(Failed::Opening)
}

/// Makes tables of files and locks everything else away; returns what was opened and the version.
fn set_up(seat: &mut Seat, named: Named) -> Result<(Source, String), Trouble> {
    let source = match named {
        Named::Database(path) => Source::File(path),
        Named::Files(patterns) => {
            let tables = files::tables(seat, patterns)?;
            for table in &tables {
                run(seat, &table.view())?;
            }
            let paths = tables.iter().flat_map(|table| &table.files);
            let paths: Vec<String> = paths.map(|path| literal(path, Dialect::Duckdb)).collect();
            run(seat, &format!("SET allowed_paths = [{}]", paths.join(", ")))?;
            run(seat, "SET enable_external_access = false")?;
            run(seat, "SET lock_configuration = true")?;
            Source::Tables(tables)
        }
    };
    let rows = ask(seat, "SELECT version()")
        .map_err(|error| trouble::say(&error, Stage::Connection, ""))?;
    let version = match rows.into_iter().next().and_then(|row| row.into_iter().next()) {
        Some(Value::Text(version)) => version.trim_start_matches('v').to_owned(),
        Some(_) | None => String::new(),
    };
    Ok((source, version))
}

fn run(seat: &mut Seat, sql: &str) -> Result<(), Trouble> {
    command(seat, sql).map_err(|error| trouble::say(&error, Stage::Connection, sql))
}

fn not_set_up(ended: Ended, shown: &str) -> DatabaseError {
    let what = match ended {
        Ended::Trouble(Trouble::Database(error)) => return error,
        Ended::Trouble(Trouble::Query(failure)) => failure.message(),
        Ended::Unopened(error) => return trouble::opening(&error, shown),
        Ended::Late => format!("looking into its files took longer than {} s", OPENING.as_secs()),
        Ended::Broken => return broken("DuckDB"),
    };
    DatabaseError::Open {
        what: format!("{shown} can't be opened: {what}"),
        hint: "Check that the files can be read and are of the kind that their names say."
            .to_owned(),
    }
}
