//! Addresses: what a person types to name a database.

use std::path::{Path, PathBuf};

use super::DatabaseError;
use super::demo::{self, Demo};

/// What an address names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Address {
    /// A SQLite file.
    File(PathBuf),
    /// A database that we build ourselves.
    Demo(&'static Demo),
    /// Another engine; its driver reads the address, which is as typed.
    Engine(Engine, String),
}

/// The engines that have a driver besides SQLite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// `postgres://…`, `postgresql://…`.
    Postgres,
    /// `mysql://…`, `mariadb://…`.
    Mysql,
    /// `duckdb:PATH`: its own file, or Parquet, CSV and JSON files.
    Duckdb,
    /// `adbc:DRIVER?…`.
    Adbc,
}

impl Engine {
    /// Returns the engine's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Engine::Postgres => "PostgreSQL",
            Engine::Mysql => "MySQL",
            Engine::Duckdb => "DuckDB",
            Engine::Adbc => "ADBC",
        }
    }
}

/// Schemes of the engines that have a driver.
const ENGINES: &[(&str, Engine)] = &[
    ("postgres", Engine::Postgres),
    ("postgresql", Engine::Postgres),
    ("mysql", Engine::Mysql),
    ("mariadb", Engine::Mysql),
    ("duckdb", Engine::Duckdb),
    ("adbc", Engine::Adbc),
];

/// Schemes that name engines without a driver of their own, with the engine's name.
const OTHER_ENGINES: &[(&str, &str)] = &[
    ("sqlserver", "SQL Server"),
    ("mssql", "SQL Server"),
    ("oracle", "Oracle"),
    ("snowflake", "Snowflake"),
    ("bigquery", "BigQuery"),
    ("redshift", "Redshift"),
    ("clickhouse", "ClickHouse"),
];

const WHAT_WE_OPEN: &str = "Give the path of a SQLite file, sqlite:PATH, \
     postgres://USER@HOST/DATABASE, mysql://USER@HOST/DATABASE, duckdb:PATH, \
     adbc:DRIVER?OPTION=VALUE, or demo:NAME for a built-in example.";

/// Reads an address: `PATH`, `sqlite:PATH`, `demo:NAME`, `demo` for the first demo, or one that
/// names an engine.
pub(super) fn parse(text: &str) -> Result<Address, DatabaseError> {
    if text.trim().is_empty() {
        return Err(wrong("no database is named".to_owned(), WHAT_WE_OPEN.to_owned()));
    }
    if text == "demo" {
        return demo(demo::DEMOS.first().map_or("", |demo| demo.name));
    }
    let Some((scheme, rest)) = scheme(text) else { return file(text) };
    let engine = ENGINES.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    if let Some((_, engine)) = engine {
        return Ok(Address::Engine(*engine, text.to_owned()));
    }
    match scheme.to_ascii_lowercase().as_str() {
        "demo" => demo(rest),
        "sqlite" | "sqlite3" => file(rest.strip_prefix("//").unwrap_or(rest)),
        _ if Path::new(text).exists() => file(text),
        "file" => file(rest.strip_prefix("//").unwrap_or(rest)),
        other => match OTHER_ENGINES.iter().find(|(name, _)| *name == other) {
            Some((_, engine)) => Err(wrong(
                format!("no driver of our own opens {engine} ('{other}:')"),
                format!("If it has an ADBC driver, give adbc:DRIVER?OPTION=VALUE. {WHAT_WE_OPEN}"),
            )),
            None if rest.starts_with("//") => Err(wrong(
                format!("no driver opens addresses that begin with '{other}:'"),
                WHAT_WE_OPEN.to_owned(),
            )),
            None => file(text),
        },
    }
}

/// Splits `scheme:rest`; a single letter is a drive, not a scheme.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let named = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    named.then_some((scheme, rest))
}

fn file(path: &str) -> Result<Address, DatabaseError> {
    if path.is_empty() {
        return Err(wrong("the address has no path".to_owned(), WHAT_WE_OPEN.to_owned()));
    }
    let path = match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) if !Path::new(path).exists() => home.join(rest),
        _ => PathBuf::from(path),
    };
    Ok(Address::File(path))
}

fn demo(name: &str) -> Result<Address, DatabaseError> {
    if let Some(demo) = demo::DEMOS.iter().find(|demo| demo.name == name) {
        return Ok(Address::Demo(demo));
    }
    let names: Vec<&str> = demo::DEMOS.iter().map(|demo| demo.name).collect();
    let near = names.iter().max_by_key(|known| closeness(known, name));
    let meant = match near.filter(|known| closeness(known, name) >= 600) {
        Some(near) => format!("Did you mean demo:{near}? "),
        None => String::new(),
    };
    Err(wrong(
        format!("there is no demo database '{name}'"),
        format!("{meant}Demos: {}.", names.join(", ")),
    ))
}

/// Measures likeness in thousandths, so that it can be ordered.
fn closeness(a: &str, b: &str) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    let thousandths = (strsim::jaro_winkler(a, b) * 1000.0) as u64;
    thousandths
}

fn wrong(what: String, hint: String) -> DatabaseError {
    DatabaseError::Address { what, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> PathBuf {
        match parse(text).expect("an address") {
            Address::File(path) => path,
            other @ (Address::Demo(_) | Address::Engine(..)) => panic!("{text} names {other:?}"),
        }
    }

    #[test]
    fn paths_and_sqlite_addresses_name_files() {
        assert_eq!(path("data/shop.db"), PathBuf::from("data/shop.db"));
        assert_eq!(path("sqlite:shop.db"), PathBuf::from("shop.db"));
        assert_eq!(path("sqlite:///srv/shop.db"), PathBuf::from("/srv/shop.db"));
        assert_eq!(path("C:\\data\\shop.db"), PathBuf::from("C:\\data\\shop.db"));
        assert_eq!(path("odd: name.db"), PathBuf::from("odd: name.db"));
    }

    #[test]
    fn another_engine_is_named_and_what_can_be_opened_is_said() {
        let error = parse("oracle://me@host/shop").expect_err("no such driver");
        assert!(error.to_string().contains("Oracle"), "{error}");
        assert!(error.hint().contains("sqlite:PATH"), "{}", error.hint());
        let typed = "postgres://me@host/shop";
        assert_eq!(parse(typed).ok(), Some(Address::Engine(Engine::Postgres, typed.to_owned())));
        assert!(matches!(parse("gopher://x"), Err(DatabaseError::Address { .. })));
    }

    #[test]
    fn an_unknown_demo_lists_those_there_are() {
        assert!(matches!(parse("demo"), Ok(Address::Demo(_))));
        let error = parse("demo:reservoo").expect_err("no such demo");
        assert!(error.hint().starts_with("Did you mean demo:reservo? Demos: "), "{}", error.hint());
    }
}
