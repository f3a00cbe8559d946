//! The workbench's figures on a real pty, beside the viewers that are found, in one run.
//!
//! `cargo bench --bench workbench`; peers are looked for in the folder of `QUERENT_PEERS` and on the
//! search path. Times are taken when bytes reach the terminal's side; on a busy machine they are
//! upper bounds, and the comparison holds because all programs are measured in the same run.

#![expect(clippy::panic, clippy::print_stdout, reason = "a bench tells what it found, or stops")]
#![expect(unreachable_pub, reason = "a bench of several files: nothing of it is published")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "figures for reading"
)]

mod data;
mod model;
mod programs;
mod terminal;

use programs::Figures;

/// Rows of the table: name in the figures, unit, the goal (at most), and what it is.
const ROWS: [(&str, &str, Option<f64>, &str); 26] = [
    ("start", "ms", Some(20.0), "start to a usable frame"),
    ("start cpu", "ms", Some(15.0), "processor time by then"),
    ("idle %", "%", Some(0.5), "processor while idle"),
    ("idle B/s", "B/s", Some(0.0), "written while idle"),
    ("idle MB", "MB", Some(20.0), "resident while idle"),
    ("first row", "ms", Some(15.0), "first row of 1,000,000 x 20 after the key"),
    ("all rows s", "s", None, "until all rows have come, since the start"),
    ("line p50", "ms", None, "key to frame, a line, median"),
    ("line p95", "ms", None, "the same, 95 of 100"),
    ("line p99", "ms", Some(4.0), "the same, 99 of 100"),
    ("line bytes", "B", Some(200.0), "bytes written for a line"),
    ("page p50", "ms", None, "key to frame, a page, median"),
    ("page p95", "ms", None, "the same, 95 of 100"),
    ("page p99", "ms", Some(6.0), "the same, 99 of 100"),
    ("line p99, rows streaming", "ms", Some(4.0), "a line while rows stream in"),
    ("line p99, model streaming", "ms", Some(4.0), "a line while a model writes 50 words a second"),
    ("token on screen p50", "ms", None, "a word of the model on the screen, median"),
    ("token on screen p99", "ms", Some(16.0), "the same, 99 of 100"),
    ("last row", "ms", Some(50.0), "to the last row, once fetched"),
    ("peak MB", "MB", Some(64.0), "resident at the peak"),
    ("last of 10 M rows", "ms", Some(50.0), "to the last of 10,000,000 rows"),
    ("peak MB, 10 M rows", "MB", Some(64.0), "resident at the peak with them"),
    ("cancel", "ms", Some(16.0), "cancel key to a free face, median of 5"),
    ("cpu % after cancel", "%", Some(1.0), "processor after cancelling, worst of 5"),
    ("control bytes from data", "", Some(0.0), "control bytes of hostile cells that got through"),
    ("restored", "", None, "1: the terminal came back after SIGTERM"),
];

fn main() {
    // `cargo test --benches` asks every bench to do nothing
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    println!("writing 1,000,000 rows ...");
    let files = data::write();
    let mut table: Vec<(&str, Figures)> = vec![("querent", programs::ours(&files))];
    // peers may stop the bench: our own figures are told before
    print(&table);
    for peer in programs::peers(&files) {
        table.push((peer.name, programs::viewer(&peer)));
    }
    print(&table);
}

fn print(table: &[(&str, Figures)]) {
    print!("{:<52}{:>10}", "", "goal");
    for (name, _) in table {
        print!("{name:>12}");
    }
    println!();
    for (row, unit, goal, words) in ROWS {
        let goal = goal.map_or(String::new(), |goal| format!("<= {goal}"));
        print!("{:<52}{goal:>10}", format!("{words}, {unit}").trim_end_matches(", "));
        for (_, figures) in table {
            let figure = figures.iter().find(|(name, _)| *name == row);
            print!("{:>12}", figure.map_or("-".to_owned(), |(_, n)| format!("{n:.1}")));
        }
        println!();
    }
}
