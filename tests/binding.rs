//! Holds parser and binder against SQLite's own verdict on public query sets.
//!
//! Needs the folder of the sets in `QUERENT_DATA`; says so and passes without it.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![expect(clippy::print_stdout, reason = "figures and what is skipped are stated")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use querent::domain::schema::TableKind;
use querent::domain::{Catalog, Column, ColumnKind, Dialect, Table};
use querent::sql::{ReadQuery, bind};
use serde_json::Value;

/// Reads names and types; keys and comments don't matter here.
pub(crate) fn catalog(path: &Path) -> Catalog {
    let db =
        rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
            .unwrap();
    let mut names = db
        .prepare("SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type IN ('table', 'view')")
        .unwrap();
    let rows: Vec<(String, bool)> = names
        .query_map([], |row| Ok((row.get(0)?, row.get(1).unwrap_or(false))))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let table = |(name, is_virtual): (String, bool)| {
        let mut info = db.prepare("SELECT name, type FROM pragma_table_info(?1)").unwrap();
        let columns = info
            .query_map([&name], |row| {
                let (name, data_type): (String, String) = (row.get(0)?, row.get(1)?);
                let is_whole = data_type.to_uppercase().contains("INT");
                let kind = if is_whole { ColumnKind::Integer } else { ColumnKind::Unknown };
                Ok(Column { name, data_type, kind, ..Column::default() })
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let kind = if is_virtual { TableKind::Virtual } else { TableKind::Table };
        Table { name, kind, columns, ..Table::default() }
    };
    Catalog { tables: rows.into_iter().map(table).collect(), ..Catalog::default() }
}

struct Data {
    folder: PathBuf,
    catalogs: BTreeMap<String, Catalog>,
}

impl Data {
    fn open() -> Option<Self> {
        let folder = std::env::var_os("QUERENT_DATA").map(PathBuf::from);
        if folder.is_none() {
            println!("skipped: QUERENT_DATA names no folder with the query sets");
        }
        Some(Data { folder: folder?, catalogs: BTreeMap::new() })
    }

    fn lines(&self, set: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join(format!("{set}.jsonl"))).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn catalog(&mut self, db: &str) -> &Catalog {
        let path = self.folder.join(format!("db/{db}.sqlite"));
        self.catalogs.entry(db.to_owned()).or_insert_with(|| catalog(&path))
    }

    /// Returns the codes of everything that is wrong; none is a pass.
    fn verdict(&mut self, db: &str, sql: &str) -> Vec<(String, String)> {
        let catalog = self.catalog(db);
        let diagnostics = match ReadQuery::parse(sql, Dialect::Sqlite) {
            Ok(query) => bind(&query, catalog).diagnostics,
            Err(failure) => failure.diagnostics,
        };
        diagnostics.into_iter().map(|d| (d.code, d.message)).collect()
    }
}

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn every_gold_query_of_the_public_sets_binds() {
    let Some(mut data) = Data::open() else { return };
    let sets =
        ["spider_dev", "spider_train_gold", "samples_gold", "bird_train_gold", "defog_sqlite"];
    let (mut rejected, mut unread, mut all) = (Vec::new(), Vec::new(), 0);
    for set in sets {
        for line in data.lines(set) {
            all += 1;
            let (db, sql) = (text(&line, "db"), text(&line, "gold_sql"));
            let found = data.verdict(db, sql);
            match found.first() {
                None => {}
                Some((code, message)) if code == "syntax_error" => {
                    unread.push(format!("{set} {}: {message}\n    {sql}", text(&line, "id")));
                }
                Some(_) => {
                    rejected.push(format!("{set} {}: {found:?}\n    {sql}", text(&line, "id")));
                }
            }
        }
    }
    println!("{all} gold queries, {} not read by the parser", unread.len());
    println!("{}", unread.join("\n"));
    assert!(rejected.is_empty(), "{} rejected:\n{}", rejected.len(), rejected.join("\n"));
    assert!(unread.len() * 200 <= all, "more than 0.5 % can't be read");
}

#[test]
fn mutated_queries_get_the_verdict_that_sqlite_gives() {
    let Some(mut data) = Data::open() else { return };
    let (mut wrong, mut all) = (Vec::new(), 0);
    for line in data.lines("resolver_cases") {
        all += 1;
        let (db, sql) = (text(&line, "db"), text(&line, "sql"));
        let accepted = line.get("accepted").and_then(Value::as_bool).unwrap();
        let found = data.verdict(db, sql);
        let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        let error = text(&line, "error");
        let expected = if error.starts_with("no such column") {
            "no_such_column"
        } else if error.starts_with("no such table") {
            "no_such_table"
        } else if error.starts_with("ambiguous") {
            "ambiguous_column"
        } else if error.starts_with("unrecognized token") {
            "syntax_error"
        } else {
            ""
        };
        let right = if accepted { found.is_empty() } else { codes.contains(&expected) };
        if !right {
            wrong.push(format!("{}: {error:?} {found:?}\n    {sql}", text(&line, "id")));
        }
    }
    println!("{all} cases, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

const SPIDER: [&str; 4] = ["spider_dev", "spider_syn", "spider_realistic", "spider_dk"];

/// Calls `look` with database, SQL and class of every recorded first prediction, each once.
fn predictions(data: &mut Data, mut look: impl FnMut(&mut Data, &str, &str, &str, &str)) {
    for set in SPIDER {
        let mut seen = std::collections::BTreeSet::new();
        for line in data.lines(set) {
            let db = text(&line, "db").to_owned();
            for prediction in
                line.get("predictions").and_then(Value::as_array).into_iter().flatten()
            {
                let (sql, class) = (text(prediction, "sql"), text(prediction, "class"));
                if seen.insert((db.clone(), sql.to_owned())) {
                    look(data, &db, sql, class, text(prediction, "error"));
                }
            }
        }
    }
}

#[test]
fn recorded_queries_that_run_are_not_rejected() {
    let Some(mut data) = Data::open() else { return };
    let (mut rejected, mut unread, mut all) = (Vec::new(), Vec::new(), 0);
    predictions(&mut data, |data, db, sql, class, _| {
        if !matches!(class, "ok_correct" | "ok_wrong" | "empty") {
            return;
        }
        all += 1;
        let found = data.verdict(db, sql);
        match found.first() {
            None => {}
            Some((code, _)) if code == "syntax_error" => unread.push(format!("{found:?} {sql}")),
            Some(_) if sql.trim().is_empty() => {}
            Some(_) => rejected.push(format!("{db} {class}: {found:?}\n    {sql}")),
        }
    });
    println!("{all} distinct queries run, {} not read by the parser", unread.len());
    println!("{}", unread.join("\n"));
    assert!(rejected.is_empty(), "{} rejected:\n{}", rejected.len(), rejected.join("\n"));
}

#[test]
fn recorded_queries_that_fail_are_flagged_with_the_right_code() {
    let Some(mut data) = Data::open() else { return };
    let mut counts: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    predictions(&mut data, |data, db, sql, class, error| {
        let right: &[&str] = match class {
            "no_such_column" => &["no_such_column"],
            "no_such_table" => &["no_such_table"],
            "ambiguous_column" => &["ambiguous_column"],
            "misuse_of_aggregate" => &["misuse_of_aggregate"],
            "no_such_function" => &["no_such_function"],
            "syntax_error" => &["syntax_error", "foreign_syntax"],
            "setop_column_mismatch" => &["setop_column_mismatch"],
            "multiple_statements" => &["multiple_statements"],
            "write_attempt" => &["write"],
            _ => return,
        };
        let found = data.verdict(db, sql);
        let count = counts.entry(class.to_owned()).or_default();
        count.0 += 1;
        count.1 += usize::from(!found.is_empty());
        let hit = found.iter().any(|(code, _)| right.contains(&code.as_str()));
        count.2 += usize::from(hit);
        if !hit {
            missed.push(format!("{db} {class} {error:?}: {found:?}\n    {sql}"));
        }
    });
    for (class, (all, flagged, right)) in &counts {
        println!("{class}: {all}, flagged {flagged}, right code {right}");
    }
    let all: usize = counts.values().map(|count| count.0).sum();
    let right: usize = counts.values().map(|count| count.2).sum();
    println!("{right} of {all} with the right code; missed:\n{}", missed.join("\n"));
    assert!(right * 100 >= all * 95, "{right} of {all}");
}

#[test]
fn parsing_and_binding_takes_little_time() {
    let Some(mut data) = Data::open() else { return };
    let mut times: Vec<u128> = Vec::new();
    for line in data.lines("spider_dev") {
        let (db, sql) = (text(&line, "db"), text(&line, "gold_sql"));
        let catalog = data.catalog(db);
        let start = Instant::now();
        if let Ok(query) = ReadQuery::parse(sql, Dialect::Sqlite) {
            let _ = bind(&query, catalog);
        }
        times.push(start.elapsed().as_micros());
    }
    times.sort_unstable();
    // stated, not asserted: it depends on the machine
    println!("parse and bind, median {} us, worst {:?} us", times[times.len() / 2], times.last());
}
