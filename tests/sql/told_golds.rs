//! Every right query of the public sets in English: how much has words, that each fact can be read
//! back, and that a changed query is told otherwise.
//!
//! Needs the folder of the sets in `QUERENT_DATA`; says so and passes without it. The queries of the
//! shipped databases are told always.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use querent::domain::{Catalog, Column, ColumnKind, Dialect, Table};
use querent::sql::english::{English, tell};
use querent::sql::{ReadQuery, bind};
use serde_json::Value;

use super::read_back::{self, Piece};

const SETS: [&str; 8] = [
    "spider_dev",
    "spider_syn",
    "spider_realistic",
    "spider_dk",
    "spider_train_gold",
    "samples_gold",
    "bird_train_gold",
    "defog_sqlite",
];

/// Reads names and types; keys and comments don't matter here.
fn catalog_of(db: &rusqlite::Connection) -> Catalog {
    let mut names =
        db.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").unwrap();
    let names: Vec<String> =
        names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let table = |name: String| {
        let mut info = db.prepare("SELECT name, type FROM pragma_table_info(?1)").unwrap();
        let columns = info
            .query_map([&name], |row| {
                let (name, data_type): (String, String) = (row.get(0)?, row.get(1)?);
                Ok(Column { name, data_type, kind: ColumnKind::Unknown, ..Column::default() })
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        Table { name, columns, ..Table::default() }
    };
    Catalog { tables: names.into_iter().map(table).collect(), ..Catalog::default() }
}

fn told(sql: &str, catalog: &Catalog) -> Option<English> {
    let query = ReadQuery::parse(sql, Dialect::Sqlite).ok()?;
    let binding = bind(&query, catalog);
    binding.diagnostics.is_empty().then(|| tell(&query, &binding))
}

/// Right queries, each once, with the catalog of their database.
struct Golds {
    catalogs: BTreeMap<String, Catalog>,
    queries: Vec<(String, String)>,
}

impl Golds {
    fn public() -> Option<Self> {
        let Some(folder) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else {
            println!("skipped: QUERENT_DATA names no folder with the query sets");
            return None;
        };
        let mut golds = Golds { catalogs: BTreeMap::new(), queries: Vec::new() };
        let mut seen = std::collections::BTreeSet::new();
        for set in SETS {
            let text = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
            for line in text.lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
                let mut all = vec![text("gold_sql")];
                let others = line["gold_alternatives"].as_array().cloned().unwrap_or_default();
                all.extend(others.iter().filter_map(Value::as_str).map(str::to_owned));
                for sql in all {
                    if seen.insert((text("db"), sql.clone())) {
                        golds.queries.push((text("db"), sql));
                    }
                }
            }
        }
        for (db, _) in &golds.queries {
            let path = folder.join(format!("db/{db}.sqlite"));
            golds.catalogs.entry(db.clone()).or_insert_with(|| catalog_in(&path));
        }
        Some(golds)
    }

    fn told(&self) -> impl Iterator<Item = (&str, &str, &Catalog, English)> {
        self.queries.iter().filter_map(|(db, sql)| {
            let catalog = &self.catalogs[db];
            Some((db.as_str(), sql.as_str(), catalog, told(sql, catalog)?))
        })
    }
}

fn catalog_in(path: &Path) -> Catalog {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    catalog_of(&rusqlite::Connection::open_with_flags(path, flags).unwrap())
}

#[test]
fn nearly_every_right_query_has_words_and_gives_its_facts_back() {
    let Some(golds) = Golds::public() else { return };
    let (mut read, mut quoted, mut wrong) = (0, Vec::new(), Vec::new());
    for (db, sql, catalog, english) in golds.told() {
        read += 1;
        if english.quoted > 0 {
            quoted.push(format!("{db}: {sql}\n    {}", english.words));
        }
        let missed = read_back::differences(sql, &english.words, catalog);
        if !missed.is_empty() {
            wrong.push(format!("{db}: {sql}\n    {}\n    {}", english.words, missed.join("; ")));
        }
    }
    let all = golds.queries.len();
    println!("{all} queries, {read} read, {} with a quoted piece", quoted.len());
    println!("{}", quoted.join("\n"));
    assert!(wrong.is_empty(), "{} give other facts:\n{}", wrong.len(), wrong.join("\n"));
    assert!((all - read + quoted.len()) * 100 <= all, "less than 99 % have words");
}

#[test]
fn a_changed_query_is_told_otherwise() {
    let Some(golds) = Golds::public() else { return };
    let (mut changed, mut alike) = (0, Vec::new());
    for (db, sql, catalog, english) in golds.told() {
        // a third of them is enough to meet every kind of change many times
        if !sql.len().is_multiple_of(3) {
            continue;
        }
        for other in changes(sql, catalog) {
            let Some(told) = told(&other, catalog) else { continue };
            changed += 1;
            if told.words == english.words {
                alike.push(format!("{db}: {sql}\n  → {other}\n    {}", told.words));
            }
        }
    }
    println!("{changed} changed queries");
    assert!(changed > 4_000);
    assert!(alike.is_empty(), "{} told alike:\n{}", alike.len(), alike.join("\n"));
}

/// Words and signs, each with one that means something else.
const SWAPS: [(&str, &str); 30] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    (">", "<"),
    ("=", "<>"),
    ("=", "<"),
    ("!=", "="),
    ("<>", "="),
    ("AND", "OR"),
    ("OR", "AND"),
    ("JOIN", "LEFT JOIN"),
    ("LEFT", "INNER"),
    ("LEFT", "FULL"),
    ("LEFT", "RIGHT"),
    ("DESC", "ASC"),
    ("ASC", "DESC"),
    ("MIN", "MAX"),
    ("MAX", "MIN"),
    ("SUM", "AVG"),
    ("AVG", "SUM"),
    ("COUNT", "SUM"),
    ("DISTINCT", ""),
    ("UNION", "UNION ALL"),
    ("INTERSECT", "EXCEPT"),
    ("EXCEPT", "INTERSECT"),
    ("NOT", ""),
    ("IN", "NOT IN"),
    ("LIKE", "NOT LIKE"),
    ("BETWEEN", "NOT BETWEEN"),
];

/// Changes a query in one place each.
fn changes(sql: &str, catalog: &Catalog) -> Vec<String> {
    let pieces = read_back::pieces(sql);
    let mut changed = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let after_as = at > 0 && pieces[at - 1].is("AS");
        if after_as || read_back::says_nothing(&pieces, at) {
            continue;
        }
        let mut put = |words: String| {
            let (start, end) = piece.span;
            changed.push(format!("{}{words}{}", &sql[..start], &sql[end..]));
        };
        match &piece.kind {
            Piece::Text(_) => put("'another text'".to_owned()),
            Piece::Number(number) => put(format!("{number}7")),
            Piece::Word(word) => {
                for (from, to) in SWAPS {
                    if word.eq_ignore_ascii_case(from) {
                        put(to.to_owned());
                    }
                }
                let owners = catalog.tables.iter().map(|table| &table.columns);
                for columns in owners {
                    let mut names = columns.iter().map(|column| &column.name);
                    if names.any(|name| name.eq_ignore_ascii_case(word)) {
                        let other = columns.iter().find(|c| !c.name.eq_ignore_ascii_case(word));
                        put(other.map(|c| format!("\"{}\"", c.name)).unwrap_or_default());
                        break;
                    }
                }
            }
            Piece::Sign(sign) => {
                for (from, to) in SWAPS {
                    if sign == from {
                        put(to.to_owned());
                    }
                }
            }
            Piece::Name(_) => {}
        }
    }
    changed
}

#[test]
fn queries_of_the_shipped_databases_have_words_and_give_their_facts_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    let mut read = 0;
    for demo in ["insurance", "rentals", "reservo", "sales"] {
        let schema = std::fs::read_to_string(folder.join(demo).join("schema.sql")).unwrap();
        let db = rusqlite::Connection::open_in_memory().unwrap();
        db.execute_batch(&schema).unwrap();
        let catalog = catalog_of(&db);
        let knowledge = std::fs::read_to_string(folder.join(demo).join("knowledge.toml")).unwrap();
        let knowledge: toml::Value = toml::from_str(&knowledge).unwrap();
        let examples = knowledge.get("examples").and_then(|e| e.as_array());
        for example in examples.into_iter().flatten() {
            let sql = example.get("sql").and_then(|sql| sql.as_str()).unwrap();
            let english = told(sql, &catalog).unwrap();
            assert_eq!(english.quoted, 0, "{sql}\n{}", english.words);
            let missed = read_back::differences(sql, &english.words, &catalog);
            assert!(missed.is_empty(), "{sql}\n{}\n{missed:?}", english.words);
            read += 1;
        }
    }
    assert!(read > 0);
}

#[test]
fn queries_of_other_dialects_have_words_too() {
    let Some(folder) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else { return };
    let (mut read, mut quoted) = (0, Vec::new());
    for set in ["defog_postgres", "defog_mysql", "dialects", "llm_sql_parse_only"] {
        let text = std::fs::read_to_string(folder.join(format!("{set}.jsonl"))).unwrap();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let dialect = match line["dialect"].as_str().unwrap_or_default() {
                "postgres" | "postgresql" => Dialect::Postgres,
                "mysql" | "mariadb" => Dialect::Mysql,
                "duckdb" => Dialect::Duckdb,
                "sqlite" => Dialect::Sqlite,
                _ => continue,
            };
            let sql = line["gold_sql"].as_str().or_else(|| line["sql"].as_str()).unwrap();
            let Ok(query) = ReadQuery::parse(sql, dialect) else { continue };
            read += 1;
            let english = tell(&query, &bind(&query, &Catalog::default()));
            if english.quoted > 0 {
                quoted.push(format!("{set}: {sql}\n    {}", english.words));
            }
        }
    }
    println!("{read} queries of other dialects, {} with a quoted piece", quoted.len());
    println!("{}", quoted.join("\n"));
    assert!(quoted.len() * 100 <= read * 3, "less than 97 % have words");
}
