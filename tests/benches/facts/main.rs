//! Times what is known of a database: opened cold, asked warm, changed between two questions.
//!
//! Run with names of scenes to choose some: `wide`, `long`, `demo`, `batch`. Files are made in the
//! temporary folder and removed. Each line is one figure beside the bound that it must keep.

#![expect(clippy::print_stdout, reason = "the figures are the output")]
#![expect(clippy::cast_precision_loss, reason = "figures for reading")]

mod batch;
mod files;
mod scenes;

use std::time::{Duration, Instant};

/// What a figure must be below.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Ms(f64),
    Mb(f64),
    Ratio(f64),
    /// Told only.
    Told,
}

/// Prints a figure beside its bound.
fn figure(what: &str, value: f64, unit: &str, bound: Bound) {
    let (bound, kept) = match bound {
        Bound::Ms(most) | Bound::Mb(most) | Bound::Ratio(most) => {
            (format!("< {most}"), if value < most { "ok" } else { "MISSED" })
        }
        Bound::Told => (String::new(), ""),
    };
    println!("{what:<64} {value:>11.2} {unit:<8} {bound:>9} {kept}");
}

fn ms(what: &str, took: Duration, bound: Bound) {
    figure(what, took.as_secs_f64() * 1e3, "ms", bound);
}

fn mb(what: &str, bytes: u64, bound: Bound) {
    figure(what, bytes as f64 / 1e6, "MB", bound);
}

/// Bytes of this process in memory.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Processor time of this process so far; figures of it hold on a busy machine, too.
fn processor() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// The value below which so many hundredths of the samples lie.
fn percentile(samples: &mut [Duration], hundredths: usize) -> Duration {
    samples.sort();
    let at = (samples.len() * hundredths / 100).min(samples.len().saturating_sub(1));
    samples.get(at).copied().unwrap_or_default()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed())
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|a| a == name);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    if wanted("demo") {
        runtime.block_on(scenes::demo());
    }
    if wanted("wide") {
        runtime.block_on(scenes::wide(folder.path()));
    }
    if wanted("long") {
        runtime.block_on(scenes::long(folder.path()));
    }
    if wanted("batch") {
        batch::measure(folder.path());
    }
}
