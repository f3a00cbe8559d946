//! `knowledge check`: what disagrees with the schema, and how each entry stood the test.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::domain::Knowledge;
use crate::domain::counts::{count, grouped};
use crate::pipeline::{Outcome, Proof, ProveRequest, Proved};

use super::super::args::Edges;
use super::super::output::{print_json, print_safe, say, say_hint};
use super::super::{exit, open, report, without_model};

/// Rows read of each statement: enough to see that there are some.
const ROWS: u64 = 1_000;

/// How the check is wanted.
pub(super) struct Wish {
    pub(super) run: bool,
    /// Seconds for each statement.
    pub(super) timeout: Option<f64>,
    pub(super) json: bool,
}

/// Proves the knowledge of a database.
pub(super) async fn check(wish: Wish, edges: Edges, config: Arc<Config>) -> u8 {
    let timeout = wish
        .timeout
        .map_or_else(|| Duration::from_millis(config.options.timeout_ms), Duration::from_secs_f64);
    let session = match open(without_model(edges), config).await {
        Ok(session) => session,
        Err(code) => return code,
    };
    let known = session.knowledge();
    let request = ProveRequest { run: wish.run, timeout, max_rows: ROWS };
    let proof = match session.prove(&request).await {
        Ok(proof) => proof,
        Err(e) => return report(&e),
    };
    if wish.json {
        print_json(&json(&known, &proof));
    } else if known.source.is_empty() {
        say("no knowledge file belongs to this database");
        say_hint("Write a first one with: querent knowledge init --db …");
    } else {
        show(&known, &proof);
    }
    if proof.wrong() == 0 { exit::OK } else { exit::OPEN }
}

fn show(known: &Knowledge, proof: &Proof) {
    for entry in &proof.drift {
        print_safe(&format!("✗ {}: {}", entry.entry, entry.message));
    }
    for proved in &proof.proved {
        print_safe(&line(proved));
    }
    for lost in &known.lost {
        print_safe(&format!("! {lost}"));
    }
    let said = [
        count(known.rules.len(), "rule"),
        count(known.metrics.len(), "metric"),
        count(known.joins.len(), "join"),
        count(known.examples.len(), "example"),
    ];
    let wrong = match (proof.drift.len(), proof.wrong()) {
        (_, 0) => "all agree".to_owned(),
        (drift, wrong) if drift == wrong => disagree(drift),
        (0, wrong) => format!("{} failed", grouped(wrong)),
        (drift, wrong) => format!("{}, {} failed", disagree(drift), grouped(wrong - drift)),
    };
    let doubts = proof.proved.iter().filter(|proved| sign(&proved.outcome) == "!").count();
    let doubts = match doubts {
        0 => String::new(),
        n => format!("; {} worth a look", grouped(n)),
    };
    say(&format!("{}: {}; {wrong}{doubts}", known.source, said.join(", ")));
}

fn disagree(n: usize) -> String {
    if n == 1 {
        "1 disagrees with the schema".to_owned()
    } else {
        format!("{} disagree with the schema", grouped(n))
    }
}

fn sign(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Rows { .. } | Outcome::Holds(_) => "✓",
        Outcome::Empty | Outcome::Doubt(_) => "!",
        Outcome::Failed(_) => "✗",
    }
}

fn line(proved: &Proved) -> String {
    let what = proved.what.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = told(&proved.outcome);
    format!("{} {}: {told} · {what}", sign(&proved.outcome), proved.entry)
}

fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Rows { value: Some(value), .. } => value.clone(),
        Outcome::Rows { count: rows, more: true, .. } => format!("{}+ rows", grouped(*rows)),
        Outcome::Rows { count: rows, .. } => count(*rows, "row"),
        Outcome::Empty => "runs, and gives nothing".to_owned(),
        Outcome::Holds(words) | Outcome::Doubt(words) => words.clone(),
        Outcome::Failed(why) => format!("failed: {why}"),
    }
}

fn json(known: &Knowledge, proof: &Proof) -> Json {
    let drift: Vec<Json> =
        proof.drift.iter().map(|d| json!({ "entry": d.entry, "message": d.message })).collect();
    let proved: Vec<Json> = proof.proved.iter().map(proved).collect();
    json!({
        "source": known.source,
        "rules": known.rules.len(),
        "metrics": known.metrics.len(),
        "joins": known.joins.len(),
        "examples": known.examples.len(),
        "drift": drift,
        "proved": proved,
        "lost": known.lost,
    })
}

fn proved(proved: &Proved) -> Json {
    let (outcome, rows, value, message) = match &proved.outcome {
        Outcome::Rows { count, value, .. } => ("rows", Some(*count), value.clone(), None),
        Outcome::Empty => ("empty", Some(0), None, None),
        Outcome::Holds(words) => ("holds", None, None, Some(words.clone())),
        Outcome::Doubt(words) => ("doubt", None, None, Some(words.clone())),
        Outcome::Failed(why) => ("failed", None, None, Some(why.clone())),
    };
    let more = matches!(proved.outcome, Outcome::Rows { more: true, .. });
    json!({
        "entry": proved.entry,
        "what": proved.what,
        "outcome": outcome,
        "rows": rows,
        "more": more,
        "value": value,
        "message": message,
    })
}
