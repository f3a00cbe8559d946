//! What a batch does in a second: the program itself, fed with lines.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Bound, figure, files};

/// Runs `context --jsonl` on a file of lines; returns the lines answered and the time.
fn run(lines: &Path, cache: &Path, arguments: &[&str]) -> (usize, Duration) {
    let started = Instant::now();
    let out = Command::new(env!("CARGO_BIN_EXE_querent"))
        .args(["context", "--jsonl"])
        .arg(lines)
        .args(arguments)
        .env("QUERENT_CACHE_HOME", cache)
        .env("QUERENT_DATA_HOME", cache)
        .env("QUERENT_CONFIG_HOME", cache)
        .stderr(Stdio::inherit())
        .output()
        .expect("run");
    (String::from_utf8_lossy(&out.stdout).lines().count(), started.elapsed())
}

fn told(what: &str, (lines, took): (usize, Duration)) {
    figure(what, lines as f64 / took.as_secs_f64(), "lines/s", Bound::Told);
}

/// Feeds the public set, where its folder is named, and one very wide file.
pub(super) fn measure(folder: &Path) {
    let cache = tempfile::tempdir().expect("a folder");
    if let Some(data) = std::env::var_os("QUERENT_DATA").map(std::path::PathBuf::from) {
        let (set, databases) = (data.join("spider_dev.jsonl"), data.join("db"));
        let databases = databases.to_str().expect("a plain path");
        told("batch: spider dev, cold", run(&set, cache.path(), &["--db-dir", databases]));
        told("batch: spider dev, known files", run(&set, cache.path(), &["--db-dir", databases]));
    } else {
        println!("batch: QUERENT_DATA names no folder with the public sets");
    }
    let path = folder.join("wide_5000.db");
    let path = if path.exists() { path } else { files::wide(folder, 5_000, 30) };
    let mut lines = String::new();
    for n in 0..400 {
        let table = files::table_name(n * 12).replace('_', " ");
        let _ =
            writeln!(lines, r#"{{"id": {n}, "question": "How many {table}s are open in Paris?"}}"#);
    }
    let set = folder.join("lines.jsonl");
    std::fs::write(&set, lines).expect("written");
    let path = path.to_str().expect("a plain path");
    told("batch: 400 lines on 5,000 tables, cold", run(&set, cache.path(), &["--db", path]));
    told("batch: 400 lines on 5,000 tables, known file", run(&set, cache.path(), &["--db", path]));
}
