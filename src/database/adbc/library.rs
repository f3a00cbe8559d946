//! Finds and loads the libraries of drivers: DuckDB's own, and any ADBC driver by path or name.

use std::path::{Path, PathBuf};

use adbc_core::LOAD_FLAG_DEFAULT;
use adbc_core::error::Error;
use adbc_core::options::AdbcVersion;
use adbc_driver_manager::ManagedDriver;

use super::super::DatabaseError;

/// Where a person says which DuckDB library is used: its path, or its folder.
const DUCKDB: &str = "QUERENT_DUCKDB";
/// Folders in which drivers are looked for by name, as in `PATH`.
const DRIVERS: &str = "QUERENT_ADBC_DRIVERS";
/// The function by which DuckDB's library gives its ADBC driver.
const DUCKDB_ENTRY: &[u8] = b"duckdb_adbc_init";
/// Folders in which systems and package managers put libraries.
const FOLDERS: &[&str] = &[
    "/usr/local/lib",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
    "/opt/duckdb/lib",
];
/// How deep a folder of drivers is looked through: a wheel unpacked there has its library two
/// folders down.
const DEPTH: usize = 2;

/// Loads DuckDB.
pub(super) fn duckdb() -> Result<ManagedDriver, DatabaseError> {
    let name = format!("{}duckdb{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    if let Some(told) = std::env::var_os(DUCKDB).filter(|told| !told.is_empty()) {
        let told = PathBuf::from(told);
        let path = if told.is_dir() { told.join(&name) } else { told };
        return load(path.as_os_str(), Some(DUCKDB_ENTRY)).map_err(|error| DatabaseError::Open {
            what: format!(
                "the DuckDB library {} can't be loaded: {}",
                path.display(),
                error.message
            ),
            hint: format!("{DUCKDB} shall name {name}. {}", how_to_get(&name)),
        });
    }
    let beside = std::env::current_exe().ok().and_then(|path| path.parent().map(Path::to_owned));
    let home = std::env::home_dir().map(|home| home.join(".local/lib"));
    let folders = beside.into_iter().chain(home).chain(FOLDERS.iter().map(PathBuf::from));
    let found = folders.map(|folder| folder.join(&name)).find(|path| path.is_file());
    // last by its bare name, which the system's loader looks up in its own folders
    let path = found.unwrap_or_else(|| PathBuf::from(&name));
    load(path.as_os_str(), Some(DUCKDB_ENTRY)).map_err(|_| DatabaseError::Open {
        what: format!("no DuckDB library ({name}) was found"),
        hint: how_to_get(&name),
    })
}

fn how_to_get(name: &str) -> String {
    format!(
        "Get it from duckdb.org (C/C++ library), or by `npm pack @duckdb/node-bindings-linux-x64`, \
         put {name} into ~/.local/lib or say where it is by {DUCKDB}."
    )
}

/// Loads a driver by its path or name.
pub(super) fn driver(named: &str, entry: Option<&str>) -> Result<ManagedDriver, DatabaseError> {
    let entry = entry.map(str::as_bytes);
    let path = Path::new(named);
    let loaded = if path.is_absolute() {
        load(path.as_os_str(), entry)
    } else if let Some(path) = in_folders(named) {
        load(path.as_os_str(), entry)
    } else {
        ManagedDriver::load_from_name(named, entry, AdbcVersion::V110, LOAD_FLAG_DEFAULT, None)
    };
    loaded.map_err(|error| DatabaseError::Open {
        what: format!("the ADBC driver {named} can't be loaded: {}", error.message),
        hint: format!(
            "Give the absolute path of its library, or put it into a folder that {DRIVERS} names; \
             drivers are on PyPI (adbc-driver-postgresql, adbc-driver-flightsql, …): unpack the \
             wheel there."
        ),
    })
}

/// Loads by a path; an older driver is asked in its own version.
fn load(path: &std::ffi::OsStr, entry: Option<&[u8]>) -> Result<ManagedDriver, Error> {
    ManagedDriver::load_dynamic_from_filename(path, entry, AdbcVersion::V110).or_else(|error| {
        ManagedDriver::load_dynamic_from_filename(path, entry, AdbcVersion::V100).map_err(|_| error)
    })
}

/// Looks for a driver in the folders that a person named.
fn in_folders(named: &str) -> Option<PathBuf> {
    let folders = std::env::var_os(DRIVERS)?;
    let (before, after) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let spelled = [
        named.to_owned(),
        format!("{before}{named}{after}"),
        format!("{before}adbc_driver_{named}{after}"),
    ];
    std::env::split_paths(&folders).find_map(|folder| within(&folder, &spelled, DEPTH))
}

fn within(folder: &Path, names: &[String], depth: usize) -> Option<PathBuf> {
    let here = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    if here.is_some() || depth == 0 {
        return here;
    }
    let mut inside: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inside.sort();
    inside.iter().filter(|path| path.is_dir()).find_map(|path| within(path, names, depth - 1))
}
