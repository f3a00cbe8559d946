//! Measures what the package holds of what the right query needs, beside two baselines.
//!
//! With `QUERENT_DATA` set it reads the public question sets of that folder and prints one table:
//! shares of gold tables and columns told, of questions with relationships, of stored literals
//! found, and mean tokens. `cargo bench --bench linking -- SET…` narrows it to sets whose name
//! holds one of the words; `--misses` lists what is not told, `--alone` leaves the baselines out, `--every=N` asks one
//! question of N.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on stops")]
#![expect(clippy::print_stdout, reason = "its result is a table")]
#![expect(clippy::cast_precision_loss, reason = "counts are small")]

mod baselines;
mod combined;
mod gold;
mod intent;
mod score;

use std::path::PathBuf;

use gold::Set;
use score::{Score, Way};

/// Package budget of every row, in tokens.
const BUDGET: u32 = 2_000;

/// Sets whose questions are asked of their own databases: file, whether its `evidence` is a hint.
const SETS: [(&str, bool); 9] = [
    ("spider_dev", false),
    ("spider_syn", false),
    ("spider_realistic", false),
    ("bird_train_gold", true),
    ("defog_sqlite", true),
    ("spider_train_gold", false),
    ("samples_gold", false),
    ("spider_dk", false),
    ("beaver_wide_schema", false),
];

/// Sets asked of one file that holds the tables of all databases.
const TOGETHER: [&str; 5] =
    ["spider_dev", "spider_syn", "spider_realistic", "bird_train_gold", "defog_sqlite"];

/// What was asked for on the command line.
struct Wanted {
    words: Vec<String>,
    misses: bool,
    baselines: bool,
    /// Of so many questions one is asked.
    every: usize,
}

impl Wanted {
    fn read() -> Self {
        let given: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
        let misses = given.iter().any(|a| a == "--misses");
        let baselines = !given.iter().any(|a| a == "--alone");
        let every =
            given.iter().find_map(|a| a.strip_prefix("--every=")?.parse().ok()).unwrap_or(1);
        let words = given.into_iter().filter(|a| !a.starts_with("--")).collect();
        Wanted { words, misses, baselines, every }
    }

    fn has(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}

fn main() {
    let Some(data) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else {
        println!("linking: QUERENT_DATA is not set; all rows are skipped");
        return;
    };
    let wanted = Wanted::read();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    println!("{}", Score::HEAD);
    for (name, evidence) in SETS {
        if !wanted.has(name) {
            continue;
        }
        let set = Set::read(&data, name);
        measure(&runtime, &wanted, &set, name, false);
        if evidence {
            measure(&runtime, &wanted, &set, name, true);
        }
    }
    if wanted.has("intent") {
        intents(&runtime, &wanted, &data);
    }
    if wanted.words.is_empty() || wanted.words.iter().any(|word| word.starts_with("together")) {
        together(&runtime, &wanted, &data);
    }
}

fn measure(
    runtime: &tokio::runtime::Runtime,
    wanted: &Wanted,
    set: &Set,
    name: &str,
    evidence: bool,
) {
    let label = if evidence { format!("{name}, evidence") } else { name.to_owned() };
    for way in Way::ALL.into_iter().filter(|way| wanted.baselines || *way == Way::Querent) {
        let score = runtime.block_on(score::of(set, way, BUDGET, evidence, wanted.every));
        println!("{}", score.row(&label, way));
        if wanted.misses && way == Way::Querent {
            score.misses.iter().for_each(|miss| println!("  {miss}"));
        }
    }
}

/// Questions that the database can't answer, and questions that it can: how many intake declines or
/// asks back by itself.
fn intents(runtime: &tokio::runtime::Runtime, wanted: &Wanted, data: &std::path::Path) {
    println!("| declined or asked back by intake | questions | of them | share |");
    for (name, off) in [
        ("unanswerable_questions", true),
        ("spider_dev", false),
        ("spider_syn", false),
        ("spider_realistic", false),
        ("spider_train_gold", false),
        ("bird_train_gold", false),
        ("defog_sqlite", false),
    ] {
        let verdicts = runtime.block_on(intent::of(&Set::read(data, name), off, wanted.every));
        println!("{}", verdicts.row(name));
        if wanted.misses {
            verdicts.odd.iter().for_each(|odd| println!("  {odd}"));
        }
    }
}

/// All databases in one file, each question asked of that.
fn together(runtime: &tokio::runtime::Runtime, wanted: &Wanted, data: &std::path::Path) {
    let folder = tempfile::tempdir().unwrap();
    let whole = combined::build(&data.join("db"), folder.path());
    println!("| together: {} tables, {} columns |", whole.tables, whole.columns);
    for name in TOGETHER {
        let named = format!("together: {name}");
        if !wanted.has(&named) {
            continue;
        }
        let set = whole.ask(Set::read(data, name));
        measure(runtime, wanted, &set, &named, name.contains("bird") || name.contains("defog"));
    }
}
