//! What an address names: a DuckDB file, or Parquet, CSV and JSON files that become tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::super::{DatabaseError, Trouble};
use super::super::line::Seat;
use super::super::reading::ask;
use super::trouble;
use crate::domain::{Dialect, Stage, Value};
use crate::sql::dialect::literal;

/// Endings of names, and what reads such files; each may be followed by one for a compressed file.
const KINDS: &[(&str, &str)] = &[
    ("parquet", "read_parquet"),
    ("csv", "read_csv"),
    ("tsv", "read_csv"),
    ("json", "read_json"),
    ("jsonl", "read_json"),
    ("ndjson", "read_json"),
];
/// Endings of compressed files.
const COMPRESSED: &[&str] = &["gz", "zst"];
/// Names of parts that say nothing of what is in them; their folder does.
const NAMELESS: &[&str] = &["", "part", "data", "file", "chunk"];
/// Files of a table whose columns are compared before they are taken for parts of one table.
const COMPARED: usize = 100;

/// What an address names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Named {
    /// A DuckDB file.
    Database(PathBuf),
    /// Files or patterns of files, absolute.
    Files(Vec<String>),
}

/// A table made of files.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FileTable {
    /// Its name.
    pub(super) name: String,
    /// The function that reads them.
    pub(super) reader: &'static str,
    /// Their absolute paths.
    pub(super) files: Vec<String>,
}

impl FileTable {
    /// Lists the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(Path::new)
    }

    /// Writes the call that reads them.
    pub(super) fn call(&self) -> String {
        let files: Vec<String> =
            self.files.iter().map(|file| literal(file, Dialect::Duckdb)).collect();
        let several = if files.len() > 1 { ", union_by_name = true" } else { "" };
        format!("{}([{}]{several})", self.reader, files.join(", "))
    }

    /// Writes the statement that makes it a table of ours.
    pub(super) fn view(&self) -> String {
        let name = self.name.replace('"', "\"\"");
        format!("CREATE VIEW \"{name}\" AS SELECT * FROM {}", self.call())
    }
}

/// Reads an address: `duckdb:PATH`, or several with commas between them.
pub(super) fn named(address: &str) -> Result<Named, DatabaseError> {
    let rest = address.split_once(':').map_or("", |(_, rest)| rest);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let parts: Vec<&str> = if Path::new(rest).exists() {
        vec![rest]
    } else {
        rest.split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
    };
    if let Some(far) = parts.iter().find(|part| part.contains("://")) {
        return Err(wrong(
            format!("{far} is not a file of this machine"),
            "Bring the files here first: only local files are read.",
        ));
    }
    match parts.as_slice() {
        [] => Err(wrong(
            "the address has no path".to_owned(),
            "Give duckdb:PATH of a DuckDB file, or of Parquet, CSV or JSON files.",
        )),
        parts if parts.iter().all(|part| kind(part).is_some()) => {
            parts.iter().map(|part| absolute(part)).collect::<Result<_, _>>().map(Named::Files)
        }
        [one] => database(one),
        _ => Err(wrong(
            format!("{rest} names files of different kinds"),
            "Give one DuckDB file, or only files that end with .parquet, .csv, .tsv, .json, .jsonl \
             or .ndjson.",
        )),
    }
}

fn database(path: &str) -> Result<Named, DatabaseError> {
    let path = PathBuf::from(absolute(path)?);
    let open = |what: String, hint: &str| Err(DatabaseError::Open { what, hint: hint.to_owned() });
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => open(
            format!("{} is a folder", path.display()),
            "Name its files, for example duckdb:FOLDER/*.parquet.",
        ),
        Ok(_) => Ok(Named::Database(path)),
        Err(error) => open(
            format!("{} can't be read: {error}", path.display()),
            "Check the path; files of other kinds are known by .parquet, .csv or .json.",
        ),
    }
}

fn absolute(path: &str) -> Result<String, DatabaseError> {
    let path = match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    };
    let absolute =
        std::path::absolute(&path).ok().and_then(|path| path.to_str().map(str::to_owned));
    absolute.ok_or_else(|| wrong(format!("{} is no path", path.display()), "Check the address."))
}

fn wrong(what: String, hint: &str) -> DatabaseError {
    DatabaseError::Address { what, hint: hint.to_owned() }
}

/// Returns the stem of a file's name, and what reads the file.
fn kind(path: &str) -> Option<(&str, &'static str)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let plain = COMPRESSED.iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.'));
    let (stem, ending) = plain.unwrap_or(name).rsplit_once('.')?;
    let known = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
    known.map(|(_, reader)| (stem, *reader))
}

/// Finds the files and sorts them into tables.
pub(super) fn tables(seat: &mut Seat, patterns: Vec<String>) -> Result<Vec<FileTable>, Trouble> {
    let mut tables: Vec<FileTable> = Vec::new();
    for pattern in patterns {
        let found = matching(seat, &pattern)?;
        for table in grouped(&found) {
            if table.files.len() < 2 || alike(seat, &table)? {
                tables.push(table);
            } else {
                tables.extend(
                    table.files.iter().flat_map(|file| grouped(std::slice::from_ref(file))),
                );
            }
        }
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for table in &mut tables {
        let times = seen.entry(table.name.to_lowercase()).or_default();
        *times += 1;
        if *times > 1 {
            table.name = format!("{}_{times}", table.name);
        }
    }
    Ok(tables)
}

fn matching(seat: &mut Seat, pattern: &str) -> Result<Vec<String>, Trouble> {
    let sql = format!("SELECT file FROM glob({}) ORDER BY file", literal(pattern, Dialect::Duckdb));
    let rows = ask(seat, &sql).map_err(|error| trouble::say(&error, Stage::Connection, &sql))?;
    let text = |row: Vec<Value>| match row.into_iter().next() {
        Some(Value::Text(text)) => Some(text),
        Some(_) | None => None,
    };
    let found: Vec<String> = rows.into_iter().filter_map(text).collect();
    if found.is_empty() {
        return Err(Trouble::Database(DatabaseError::Open {
            what: format!("there is no file {pattern}"),
            hint: "Check the path; * stands for any name and ** for any folders.".to_owned(),
        }));
    }
    Ok(found)
}

/// Tells whether files have the same columns.
fn alike(seat: &mut Seat, table: &FileTable) -> Result<bool, Trouble> {
    let mut first: Option<Vec<Vec<Value>>> = None;
    for file in table.files.iter().take(COMPARED) {
        let one = FileTable { files: vec![file.clone()], ..table.clone() };
        let sql = format!("SELECT column_name FROM (DESCRIBE SELECT * FROM {})", one.call());
        let columns =
            ask(seat, &sql).map_err(|error| trouble::say(&error, Stage::Connection, &sql))?;
        if *first.get_or_insert_with(|| columns.clone()) != columns {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Puts files together whose paths differ only in digits and in folders like `year=2024`.
fn grouped(files: &[String]) -> Vec<FileTable> {
    let mut groups: BTreeMap<(String, &'static str), Vec<&String>> = BTreeMap::new();
    for file in files {
        let Some((stem, reader)) = kind(file) else { continue };
        let folder = folder(file);
        groups.entry((format!("{folder}/{}", lettered(stem)), reader)).or_default().push(file);
    }
    let table = |((_, reader), files): ((String, &'static str), Vec<&String>)| {
        let first = files.first().map_or("", |file| file.as_str());
        let stem = kind(first).map_or("", |(stem, _)| stem);
        let name =
            if files.len() > 1 { common(&lettered(stem), &folder(first)) } else { stem.to_owned() };
        FileTable { name: clean(&name), reader, files: files.into_iter().cloned().collect() }
    };
    groups.into_iter().map(table).collect()
}

/// Returns the folder without its parts like `year=2024`.
fn folder(file: &str) -> String {
    let parts = file.rsplit_once('/').map_or("", |(folder, _)| folder).split('/');
    parts.filter(|part| !part.contains('=')).collect::<Vec<_>>().join("/")
}

/// Replaces each number by one sign.
fn lettered(stem: &str) -> String {
    let mut text = String::new();
    for sign in stem.chars() {
        let sign = if sign.is_ascii_digit() { '#' } else { sign };
        if sign != '#' || !text.ends_with('#') {
            text.push(sign);
        }
    }
    text
}

/// Names the table of several files: what their names have in common, else their folder.
fn common(lettered: &str, folder: &str) -> String {
    let name = lettered.trim_matches(|c: char| !c.is_alphabetic());
    if NAMELESS.contains(&name) {
        folder.rsplit('/').next().unwrap_or(name).to_owned()
    } else {
        name.to_owned()
    }
}

/// Makes a name that needs no quotes where letters allow it.
fn clean(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "data".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("t_{name}"),
        Some(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str]) -> Vec<(String, usize)> {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        grouped(&files).into_iter().map(|table| (table.name, table.files.len())).collect()
    }

    #[test]
    fn files_are_tables_named_by_their_stems() {
        let found = names(&["/d/orders.csv", "/d/order lines.csv", "/d/2024-q1.parquet"]);
        let wanted = [("t_2024_q1", 1), ("order_lines", 1), ("orders", 1)];
        assert_eq!(found, wanted.map(|(name, files)| (name.to_owned(), files)));
    }

    #[test]
    fn files_that_differ_in_digits_only_are_parts_of_one_table() {
        let parts = names(&["/d/sales/part-0.parquet", "/d/sales/part-1.parquet"]);
        assert_eq!(parts, [("sales".to_owned(), 2)]);
        let months = names(&["/d/sales_2024_01.csv.gz", "/d/sales_2024_02.csv.gz"]);
        assert_eq!(months, [("sales".to_owned(), 2)]);
        let split = names(&["/d/trips/city=a/0.parquet", "/d/trips/city=b/0.parquet"]);
        assert_eq!(split, [("trips".to_owned(), 2)]);
    }

    #[test]
    fn an_address_names_a_database_or_files() {
        let files = named("duckdb:/d/a.parquet, /d/*.csv").expect("files");
        assert_eq!(files, Named::Files(vec!["/d/a.parquet".to_owned(), "/d/*.csv".to_owned()]));
        let mixed = named("duckdb:/d/a.parquet,/d/b.duckdb").expect_err("mixed");
        assert!(mixed.to_string().contains("different kinds"), "{mixed}");
        let missing = named("duckdb:/nowhere/shop.duckdb").expect_err("missing");
        assert!(matches!(missing, DatabaseError::Open { .. }), "{missing}");
        assert!(named("duckdb:").is_err());
        assert!(named("duckdb:s3://bucket/a.parquet").is_err());
    }
}
