//! Makes the files that facts are read of: a very wide one, and one with a very long table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

const ADJECTIVES: [&str; 10] = [
    "daily", "regional", "open", "closed", "monthly", "legacy", "partner", "retail", "online",
    "internal",
];
const NOUNS: [&str; 25] = [
    "order",
    "invoice",
    "payment",
    "shipment",
    "customer",
    "supplier",
    "product",
    "warehouse",
    "employee",
    "contract",
    "claim",
    "policy",
    "ticket",
    "campaign",
    "budget",
    "account",
    "ledger",
    "vehicle",
    "route",
    "visit",
    "course",
    "student",
    "flight",
    "booking",
    "hotel",
];
const TEXTS: [&str; 9] =
    ["name", "status", "city", "country", "email", "phone", "category", "priority", "comment"];
const DATES: [&str; 3] = ["created_at", "updated_at", "due_date"];
const NUMBERS: [&str; 6] = ["amount", "quantity", "price", "discount", "tax", "weight"];
const CITIES: [&str; 8] =
    ["Berlin", "Paris", "Rome", "Oslo", "Vienna", "Lisbon", "Dublin", "Prague"];
const STATES: [&str; 4] = ["open", "paid", "cancelled", "refunded"];

/// Names the table at a place: `daily_order`, …, `daily_order_2`, …
pub(super) fn table_name(n: usize) -> String {
    let (noun, adjective) = (n % NOUNS.len(), n / NOUNS.len() % ADJECTIVES.len());
    let round = n / (NOUNS.len() * ADJECTIVES.len());
    let mut name = format!("{}_{}", ADJECTIVES[adjective], NOUNS[noun]);
    if round > 0 {
        let _ = write!(name, "_{}", round + 1);
    }
    name
}

/// Writes the statement of a table of 20 columns; each points to the one that has half its number.
fn table(n: usize) -> String {
    let mut sql = format!(
        "CREATE TABLE {} (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES {}(id)",
        table_name(n),
        table_name(n / 2)
    );
    for (columns, kind) in [(&TEXTS[..], "TEXT"), (&DATES, "DATE"), (&NUMBERS, "REAL")] {
        for column in columns {
            let _ = write!(sql, ", {column} {kind}");
        }
    }
    sql + ")"
}

/// Makes a file of so many tables of 20 columns, with so many rows each.
pub(super) fn wide(folder: &Path, tables: usize, rows: u32) -> PathBuf {
    let path = folder.join(format!("wide_{tables}.db"));
    let mut connection = Connection::open(&path).expect("made");
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF").expect("set");
    let transaction = connection.transaction().expect("begun");
    for n in 0..tables {
        transaction.execute(&table(n), []).expect("a table");
        let holes = ["?"; 20].join(", ");
        let sql = format!("INSERT INTO {} VALUES ({holes})", table_name(n));
        let mut insert = transaction.prepare(&sql).expect("prepared");
        for row in 1..=rows {
            let mark = n * rows as usize + row as usize;
            insert.raw_bind_parameter(1, row).expect("bound");
            insert.raw_bind_parameter(2, (row / 2).max(1)).expect("bound");
            let texts = [
                format!("{} {mark}", CITIES[mark % 7]),
                STATES[mark % 4].to_owned(),
                CITIES[mark % 8].to_owned(),
                format!("Land {}", mark % 30),
                format!("p{mark}@example.org"),
                format!("+49 {mark}"),
                format!("kind {}", (n + row as usize % 5) % 40),
                ["high", "low"][mark % 2].to_owned(),
                format!("remark {mark} of nobody"),
            ];
            for (at, text) in texts.iter().enumerate() {
                insert.raw_bind_parameter(3 + at, text).expect("bound");
            }
            for at in 0..3 {
                let day = format!("2024-{:02}-{:02}", mark % 12 + 1, (mark + at) % 28 + 1);
                insert.raw_bind_parameter(12 + at, day).expect("bound");
            }
            for at in 0..6 {
                insert.raw_bind_parameter(15 + at, (mark % (97 + at)) as f64 / 4.0).expect("bound");
            }
            insert.raw_execute().expect("inserted");
        }
    }
    transaction.commit().expect("kept");
    path
}

/// Makes a file with one table of so many rows, and a small one beside it.
pub(super) fn long(folder: &Path, rows: u64) -> PathBuf {
    let path = folder.join(format!("long_{rows}.db"));
    let connection = Connection::open(&path).expect("made");
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
             CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);
             INSERT INTO regions VALUES (1, 'North'), (2, 'South');
             CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, city TEXT, status TEXT,
               amount REAL, placed_on DATE, region_id INTEGER REFERENCES regions(id));
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
             INSERT INTO orders SELECT i, 'Customer ' || (i * 7919 % 3000000),
               CASE i WHEN {} THEN 'Zanzibar' ELSE 'City ' || (i % 500) END,
               CASE i % 4 WHEN 0 THEN 'open' WHEN 1 THEN 'paid' WHEN 2 THEN 'sent' ELSE 'void' END,
               (i % 10007) / 4.0, date('2015-01-01', (i % 3650) || ' days'), 1 + i % 2 FROM n;",
            rows / 3 + 17
        ))
        .expect("filled");
    path
}
