//! Measures what checking, local repair and gates catch, beside the engine's bare errors.
//!
//! With `QUERENT_DATA` set it reads the public question sets of that folder and prints one table.
//! Answers are the first ones of each model, copies counted once; databases are halved by name:
//! thresholds are chosen on one half and reported on the other.
//! `cargo bench --bench ladder -- ROW…` narrows it to `golds`, `answers`, `failures`, `names`,
//! `fan-out`, `parse`; `--misses` lists what is missed, `--every=N` takes one question of N,
//! `--blind` checks without looks at the data, `--dump=FILE` writes a line for each answer that runs.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on stops")]
#![expect(clippy::print_stdout, reason = "its result is a table")]
#![expect(clippy::cast_precision_loss, reason = "counts are small")]

mod engine;
mod golds;
mod mutants;
mod names;
mod parsing;
mod places;
mod sets;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::Engine;
use golds::Bench;
use places::Places;
use table::Row;

/// What was asked for on the command line.
struct Wanted {
    words: Vec<String>,
    misses: bool,
    /// Answers and golds are checked without looks at the data.
    blind: bool,
    /// Of so many questions one is taken.
    every: usize,
    dump: Option<PathBuf>,
}

impl Wanted {
    fn read() -> Self {
        let given: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
        let misses = given.iter().any(|a| a == "--misses");
        let blind = given.iter().any(|a| a == "--blind");
        let every =
            given.iter().find_map(|a| a.strip_prefix("--every=")?.parse().ok()).unwrap_or(1);
        let dump = given.iter().find_map(|a| a.strip_prefix("--dump=")).map(PathBuf::from);
        let words = given.into_iter().filter(|a| !a.starts_with("--")).collect();
        Wanted { words, misses, blind, every, dump }
    }

    fn has(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| word == name)
    }
}

/// Measures some rows.
type Measure = fn(&mut Bench, &Path, &Wanted) -> Vec<Row>;

fn main() {
    let Some(data) = std::env::var_os("QUERENT_DATA").map(PathBuf::from) else {
        println!("ladder: QUERENT_DATA is not set; all rows are skipped");
        return;
    };
    let wanted = Wanted::read();
    let mut bench = Bench {
        engine: Engine::new(&data),
        places: Places::new(),
        probe: !wanted.blind,
        gates: BTreeMap::new(),
        dump: String::new(),
    };
    println!("{}", Row::HEAD);
    let parts: [(&str, Measure); 6] = [
        ("parse", |_, data, _| parsing::rows(data)),
        ("names", names::rows),
        ("failures", golds::of_failures),
        ("golds", golds::of_golds),
        ("answers", golds::of_answers),
        ("fan-out", mutants::rows),
    ];
    for (_, measure) in parts.into_iter().filter(|(name, _)| wanted.has(name)) {
        for row in measure(&mut bench, &data, &wanted) {
            println!("{}", row.shown());
            if wanted.misses {
                row.misses.iter().for_each(|miss| println!("  - {miss}"));
            }
        }
    }
    tell_gates(&bench);
    tell_times(&mut bench.places.times);
    if let Some(file) = &wanted.dump {
        std::fs::write(file, &bench.dump).unwrap();
    }
}

/// Which gate warned how often, so that each is kept only as long as it is rarely wrong.
fn tell_gates(bench: &Bench) {
    if bench.gates.is_empty() {
        return;
    }
    println!("\n| gate | half chosen on: right, wrong | half reported: right, wrong |");
    println!("|---|---|---|");
    for (gate, [chosen, reported]) in &bench.gates {
        println!("| {gate} | {}, {} | {}, {} |", chosen[0], chosen[1], reported[0], reported[1]);
    }
}

fn tell_times(times: &mut [std::time::Duration]) {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100).copied();
    if let (Some(median), Some(slow)) = (at(50), at(99)) {
        println!("\ncheck with question and looks at the data: p50 {median:?}, p99 {slow:?}");
    }
}
