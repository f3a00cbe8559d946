//! Attacks on a DuckDB file, against each wall alone: nothing changes, inside or beside the file.

use std::collections::BTreeMap;
use std::path::Path;

use querent::domain::Dialect;
use querent::sql::ReadQuery;

use super::duckdb::{duck, execute, opened_duck};
use super::*;

/// One attack in a line; lines that begin with `--#` are headings.
const ATTACKS: &str = include_str!("attacks/duckdb.sql");

const SHOP: &[&str] = &[
    "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR, price INTEGER)",
    "INSERT INTO rooms VALUES (1, 'Oak', 80), (2, 'Elm', 45)",
    "CREATE VIEW cheap AS FROM rooms WHERE price < 50",
    "CREATE SEQUENCE numbers",
    "CREATE MACRO twice(n) AS n * 2",
    "CREATE INDEX by_price ON rooms (price)",
    "COPY rooms TO '{folder}/rooms.csv' (HEADER)",
    "CHECKPOINT",
];

fn attacks() -> impl Iterator<Item = &'static str> {
    ATTACKS.lines().filter(|line| !line.is_empty() && !line.starts_with("--#"))
}

/// Reads all files of a folder.
fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let bytes =
            if path.is_dir() { b"folder".to_vec() } else { std::fs::read(&path).expect("read") };
        found.insert(path.display().to_string(), bytes);
    }
    found
}

fn aimed(attack: &str, made: &Made) -> String {
    attack.replace("{folder}", made.folder.path().to_str().expect("a plain path"))
}

#[test]
fn there_are_at_least_300_attacks_and_each_is_another() {
    let all: Vec<&str> = attacks().collect();
    let different: std::collections::BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(all.len(), different.len());
    assert!(all.len() >= 300, "{}", all.len());
}

/// The first wall alone: what our parse lets through is run by an engine that may write.
#[test]
fn what_our_parse_lets_through_changes_nothing() {
    let Some(made) = duck(SHOP) else { return };
    let before = snapshot(made.folder.path());
    let (mut through, mut effects) = (Vec::new(), Vec::new());
    for attack in attacks() {
        let sql = aimed(attack, &made);
        if ReadQuery::parse(&sql, Dialect::Duckdb).is_err() {
            continue;
        }
        through.push(attack);
        // a wrong one may fail: only what it leaves behind counts
        let _ = execute(&made.path, &sql);
        if snapshot(made.folder.path()) != before {
            effects.push(attack);
            break;
        }
    }
    println!(
        "{} of {} attacks are parsed as reading: {through:#?}",
        through.len(),
        attacks().count()
    );
    assert!(effects.is_empty(), "{effects:#?}");
}

/// The second wall alone: each attack goes straight to the driver.
#[tokio::test]
async fn what_the_driver_is_given_changes_nothing_and_is_refused() {
    let Some(made) = duck(SHOP) else { return };
    let before = snapshot(made.folder.path());
    let database = opened_duck(&made).await;
    let (mut ran, mut effects) = (Vec::new(), Vec::new());
    for attack in attacks() {
        let sql = aimed(attack, &made);
        let prepared = database.prepare(&sql).await;
        let planned = database.plan(&sql).await;
        let rows = run(&*database, &sql).await;
        if rows.is_ok() || (prepared.is_ok() && planned.is_ok()) {
            ran.push(attack);
        }
        if snapshot(made.folder.path()) != before {
            effects.push(attack);
        }
    }
    println!("{} attacks, {} ran, {} effects", attacks().count(), ran.len(), effects.len());
    assert!(effects.is_empty(), "{effects:#?}");
    assert!(ran.is_empty(), "{ran:#?}");
    assert_eq!(
        run(&*database, "SELECT count(*) FROM rooms").await.expect("rows").rows,
        [[Value::Integer(2)]]
    );
}

/// The second wall alone, on files read by a database in memory.
#[tokio::test]
async fn files_read_as_tables_stay_as_they_are() {
    let Some(made) = duck(SHOP) else { return };
    let folder = made.folder.path();
    let database = super::duckdb::open_duck(&made, "{folder}/rooms.csv").await.expect("opened");
    let before = snapshot(folder);
    let csv = folder.join("rooms.csv");
    let own = format!("COPY (SELECT 1) TO '{}' (USE_TMP_FILE false)", csv.display());
    let mut ran = Vec::new();
    for attack in attacks().map(|attack| aimed(attack, &made)).chain([own]) {
        if run(&*database, &attack).await.is_ok() {
            ran.push(attack);
        }
    }
    assert!(snapshot(folder) == before);
    assert!(ran.is_empty(), "{ran:#?}");
}
