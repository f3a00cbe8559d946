//! What is timed of one session: first package, warm ones, ones after a change.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::config::Config;
use querent::domain::{ContextPackage, Privacy, Question};
use querent::pipeline::{Session, Setup};
use rusqlite::Connection;

use super::{Bound, figure, files, mb, ms, percentile, processor, resident, timed};

const WIDE: [&str; 8] = [
    "What is the total amount of monthly invoices per customer country?",
    "How many open orders are there for each city?",
    "List the name and email of partner suppliers in Berlin",
    "Which retail product has the highest price?",
    "average discount of online bookings by category",
    "Show daily shipments with status cancelled and weight above 10",
    "count regional employees per country and priority",
    "What is the newest due date of legacy contracts?",
];

async fn opened(address: &str) -> Session {
    let setup = Setup {
        database: Some(address.to_owned()),
        model: Some("rules".to_owned()),
        privacy: Some(Privacy::Rows),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    Session::open(setup).await.expect("opened")
}

async fn package(session: &Session, text: &str) -> ContextPackage {
    let question = Question {
        text: text.to_owned(),
        asked_at: "2026-01-01T00:00:00Z".to_owned(),
        ..Question::default()
    };
    session.package(&question).await.expect("a package")
}

/// Asks questions in turn and returns what each took.
async fn asked(session: &Session, questions: &[&str], times: usize) -> Vec<Duration> {
    let mut samples = Vec::new();
    for n in 0..times {
        let Some(question) = questions.get(n % questions.len()) else { break };
        let started = Instant::now();
        package(session, question).await;
        samples.push(started.elapsed());
    }
    samples
}

/// The demo that comes with the program.
pub(super) async fn demo() {
    let session = opened("demo:reservo").await;
    let questions = ["How many confirmed bookings are there?", "total revenue per room"];
    package(&session, questions[0]).await;
    let before = processor();
    let mut warm = asked(&session, &questions, 500).await;
    ms("demo: package, warm, median", percentile(&mut warm, 50), Bound::Ms(1.0));
    ms("demo: package, warm, processor", processor().saturating_sub(before) / 500, Bound::Ms(1.0));
    let few = resident();
    asked(&session, &questions, 2_000).await;
    figure(
        "demo: memory after 2,200 over after 200",
        resident() as f64 / few as f64,
        "",
        Bound::Ratio(1.3),
    );
}

/// 5,000 tables with 100,000 columns.
pub(super) async fn wide(folder: &Path) {
    let (path, made) = timed(|| files::wide(folder, 5_000, 30));
    ms("wide: file made", made, Bound::Told);
    let before = resident();
    let started = Instant::now();
    let session = opened(path.to_str().expect("a plain path")).await;
    ms("wide: opened, catalog read", started.elapsed(), Bound::Told);
    mb("wide: memory of the catalog", resident() - before, Bound::Told);
    let held = resident();
    let started = Instant::now();
    package(&session, WIDE[0]).await;
    ms("wide: first package", started.elapsed(), Bound::Told);
    session.settled_facts().await;
    ms("wide: values read and indexed", started.elapsed(), Bound::Ms(10_000.0));
    mb("wide: memory of the index and values", resident() - held, Bound::Mb(200.0));
    asked(&session, &WIDE, 8).await;
    let before = processor();
    let mut warm = asked(&session, &WIDE, 200).await;
    ms("wide: package, warm, processor", processor().saturating_sub(before) / 200, Bound::Ms(20.0));
    let (half, most) = (percentile(&mut warm, 50), percentile(&mut warm, 99));
    ms("wide: package, warm, median", half, Bound::Told);
    ms("wide: package, warm, p99", most, Bound::Ms(20.0));
    let other = Connection::open(&path).expect("opened");
    changes(&session, &path, &other, half).await;
    let few = resident();
    asked(&session, &WIDE, 400).await;
    figure(
        "wide: memory after 600 over after 200",
        resident() as f64 / few as f64,
        "",
        Bound::Ratio(1.3),
    );
}

/// Changes the file between two questions, and tells how much longer the second took.
///
/// The engine alone parses all statements of a schema again after each change of it, whoever asks;
/// what is ours is the rest.
async fn changes(session: &Session, path: &Path, other: &Connection, warm: Duration) {
    let plain = Connection::open(path).expect("opened");
    let engine = || {
        let count = "SELECT count(*) FROM sqlite_schema";
        timed(|| plain.query_row(count, [], |row| row.get::<_, i64>(0)).expect("counted")).1
    };
    engine();
    let table = files::table_name(1_234);
    let sentences = [
        ("a column added", format!("ALTER TABLE {table} ADD COLUMN nickname TEXT"), 50.0),
        ("a column renamed", format!("ALTER TABLE {table} RENAME COLUMN nickname TO alias"), 50.0),
        ("a column dropped", format!("ALTER TABLE {table} DROP COLUMN alias"), 50.0),
        ("a row inserted", format!("INSERT INTO {table} (name) VALUES ('Ludmilla')"), 50.0),
        ("a row changed", format!("UPDATE {table} SET city = 'Tromsø' WHERE id = 3"), 50.0),
    ];
    for (what, sql, most) in sentences {
        let (mut samples, mut alone, mut worked) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..3 {
            let undo = matches!(what, "a row inserted" | "a row changed");
            other.execute_batch(&sql).expect("changed");
            let (started, before) = (Instant::now(), processor());
            package(session, WIDE[1]).await;
            samples.push(started.elapsed().saturating_sub(warm));
            worked.push(processor().saturating_sub(before));
            alone.push(engine());
            session.settled_facts().await;
            if !undo {
                break;
            }
        }
        ms(
            &format!("wide: {what}, processor of the package"),
            percentile(&mut worked, 50),
            Bound::Told,
        );
        let (all, alone) = (percentile(&mut samples, 50), percentile(&mut alone, 50));
        ms(&format!("wide: {what}, the engine alone"), alone, Bound::Told);
        ms(
            &format!("wide: {what}, absorbed beside it in"),
            all.saturating_sub(alone),
            Bound::Ms(most),
        );
    }
}

/// 10,000,000 rows in one table.
pub(super) async fn long(folder: &Path) {
    let (path, made) = timed(|| files::long(folder, 10_000_000));
    ms("long: file made", made, Bound::Told);
    let before = resident();
    let started = Instant::now();
    let session = opened(path.to_str().expect("a plain path")).await;
    ms("long: opened, catalog read", started.elapsed(), Bound::Told);
    let started = Instant::now();
    let first = package(&session, "How many orders are paid in City 17?").await;
    ms("long: first package", started.elapsed(), Bound::Ms(2_500.0));
    println!("  {}", first.values.join(" · "));
    session.settled_facts().await;
    ms("long: values read and indexed", started.elapsed(), Bound::Told);
    let mut warm = asked(&session, &["How many orders are paid in City 17?"], 100).await;
    ms("long: package, warm, median", percentile(&mut warm, 50), Bound::Told);
    for question in
        ["How many orders are there from \"Zanzibar\"?", "orders of \"Customer 123457\""]
    {
        let started = Instant::now();
        let found = package(&session, question).await;
        ms(&format!("long: {question}"), started.elapsed(), Bound::Ms(1_000.0));
        println!("  {}", found.values.join(" · "));
    }
    mb("long: memory", resident() - before, Bound::Mb(100.0));
}
