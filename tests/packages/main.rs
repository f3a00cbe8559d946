//! Packages of thirty questions as they are told, to be read by eye: six on each demo and on
//! Chinook. What a careful analyst would call noise, or miss, shows here first.
//!
//! The packages of Chinook need `QUERENT_DATA` and are skipped without it.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![expect(clippy::print_stderr, reason = "says what it skips")]

use std::fmt::Write;
use std::path::Path;

use querent::domain::{ContextPackage, Question};
use querent::pipeline::{Session, Setup};

const INSURANCE: [&str; 6] = [
    "What is the quote to bind ratio per agent channel? Use float numbers.",
    "What is the loss ratio of each line of business?",
    "How many claims are open?",
    "Which agency wrote the most premium?",
    "What is the average processing time of claims where fraud is suspected?",
    "List the customers with more than two policies",
];
const RENTALS: [&str; 6] = [
    "Which three actors brought in the most from Sci-Fi films in cities that start with A?",
    "Which action films did Mary Smith rent?",
    "What are the top action films in Canada?",
    "How many copies are out at the moment?",
    "Which customers have never rented a film?",
    "What is the average length of films by rating?",
];
const RESERVO: [&str; 6] = [
    "How much did we bring in with confirmed bookings?",
    "How many bookings are there for each status?",
    "Which room has the most confirmed hours?",
    "Which members have never booked?",
    "Which confirmed bookings are not paid in full?",
    "What is the hourly rate of the Atlas room?",
];
const SALES: [&str; 6] = [
    "Which region grew the most in Q3?",
    "What is total revenue by region?",
    "Which product sold the most units in Europe?",
    "What is the revenue per unit of each product?",
    "How did revenue change from quarter to quarter?",
    "How many customers are there in each region?",
];
const CHINOOK: [&str; 6] = [
    "How many tracks are there in each genre?",
    "Which artists have more than ten albums?",
    "What is the total of invoices by billing country?",
    "Who is the support agent of customers from Brazil?",
    "Which playlists hold songs of AC/DC?",
    "Who reports to Andrew Adams?",
];

/// Writes what of a package a person would look at: verdicts, findings, and the text as sent.
fn page(question: &str, package: &ContextPackage) -> String {
    let mut page = format!("{question}\n\n");
    for component in &package.components {
        let kind = component.kind.name();
        let sign = if component.included { "in " } else { "out" };
        let _ = writeln!(page, "{sign} {kind} ~{}: {}", component.tokens, component.reason);
        for cut in &component.cut {
            let _ = writeln!(page, "      cut {cut}");
        }
    }
    for line in package.values.iter().chain(&package.join_path).chain(&package.warnings) {
        let _ = writeln!(page, "  * {line}");
    }
    page + "\n" + &package.text() + "\n"
}

async fn pages(address: &str, name: &str, questions: &[&str]) {
    let setup = Setup {
        database: Some(address.to_owned()),
        model: Some("rules".to_owned()),
        ..Setup::default()
    };
    let session = Session::open(setup).await.unwrap();
    for (n, text) in questions.iter().enumerate() {
        let question = Question {
            text: (*text).to_owned(),
            asked_at: "2026-11-30T11:00:00+01:00".to_owned(),
            ..Question::default()
        };
        let package = session.package(&question).await.unwrap();
        insta::assert_snapshot!(format!("{name}_{}", n + 1), page(text, &package));
    }
}

#[tokio::test]
async fn insurance() {
    pages("demo:insurance", "insurance", &INSURANCE).await;
}

#[tokio::test]
async fn rentals() {
    pages("demo:rentals", "rentals", &RENTALS).await;
}

#[tokio::test]
async fn reservo() {
    pages("demo:reservo", "reservo", &RESERVO).await;
}

#[tokio::test]
async fn sales() {
    pages("demo:sales", "sales", &SALES).await;
}

#[tokio::test]
async fn chinook() {
    let Some(data) = std::env::var_os("QUERENT_DATA") else {
        eprintln!("chinook: QUERENT_DATA is not set; its packages are skipped");
        return;
    };
    let file = Path::new(&data).join("db/chinook.sqlite");
    pages(&file.display().to_string(), "chinook", &CHINOOK).await;
}
