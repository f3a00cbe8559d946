//! The programs that are measured, and how each is driven through the same steps.

use std::path::PathBuf;
use std::time::Duration;

use super::data::Files;
use super::model::Model;
use super::terminal::{Cost, Terminal, ms};

const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";
const PAGE_DOWN: &str = "\x1b[6~";
const F4: &str = "\x1bOS";
const F5: &str = "\x1b[15~";
const F6: &str = "\x1b[17~";

/// Longest wait for a peer's jump to the end: one that doesn't get there has no figure.
const JUMP: Duration = Duration::from_secs(20);

/// A query that never ends.
const ENDLESS: &str =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/// Cells that would drive a terminal: title, clear, bell, colours, bidirectional marks.
const HOSTILE: &str = "SELECT char(27) || ']0;pwned' || char(7) AS title, char(27) || '[2J' AS wipe, \
                       char(155) || '31m' AS c1, char(8238) || 'txt' AS bidi";

/// Figures by the name of their row.
pub type Figures = Vec<(&'static str, f64)>;

/// A program beside which Querent is measured.
pub struct Peer {
    /// Its name.
    pub name: &'static str,
    program: PathBuf,
    args: Vec<String>,
    /// Keys to the first row and to the last.
    ends: [&'static str; 2],
}

/// Finds peers in the folder of `QUERENT_PEERS`, else on the search path.
pub fn peers(files: &Files) -> Vec<Peer> {
    let csv = files.csv.display().to_string();
    let database = files.database.display().to_string();
    let known = [
        ("csvlens", vec![csv], ["g", "G"]),
        ("datui", vec!["-t".to_owned(), "big".to_owned(), database], ["\x1b[H", "\x1b[F"]),
    ];
    let found = known.into_iter().filter_map(|(name, args, ends)| {
        let program = on_path(name)?;
        Some(Peer { name, program, args, ends })
    });
    found.collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    let own = std::env::var_os("QUERENT_PEERS");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = own.iter().flat_map(std::env::split_paths).chain(std::env::split_paths(&path));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// A viewer: start with the first row, idle, moving, the last row.
pub fn viewer(peer: &Peer) -> Figures {
    let mut all = Figures::new();
    let mut t = Terminal::start(&peer.program.display().to_string(), &peer.args, &[]);
    let at = t.wait("the first row", |shown| shown.contains("first1"));
    all.push(("start", ms(at - t.started)));
    all.push(("start cpu", Cost::of(t.pid()).cpu * 1000.0));
    all.push(("first row", ms(at - t.started)));
    t.listen(Duration::from_secs(8));
    idle(&mut t, &mut all);
    moving(&mut t, &mut all);
    let [first, last] = peer.ends;
    // the first jump may index; the second is the one that users repeat
    for _ in 0..2 {
        t.send(first);
        t.settle();
        let at = t.send(last);
        let seen = t.waits(JUMP, |shown| shown.contains("first1000000"));
        all.retain(|(row, _)| *row != "last row");
        all.extend(seen.map(|seen| ("last row", ms(seen - at))));
    }
    all.push(("peak MB", Cost::of(t.pid()).peak));
    t.end("-TERM");
    all.push(("restored", f64::from(u8::from(restored(&t.raw)))));
    all
}

fn idle(t: &mut Terminal, all: &mut Figures) {
    let before = Cost::of(t.pid());
    let bytes = t.listen(Duration::from_secs(2));
    let after = Cost::of(t.pid());
    all.push(("idle %", (after.cpu - before.cpu) * 50.0));
    all.push(("idle B/s", bytes as f64 / 2.0));
    all.push(("idle MB", after.resident));
}

fn moving(t: &mut Terminal, all: &mut Figures) {
    let before = t.raw.len();
    let lines = t.frames(DOWN, 200);
    all.push(("line bytes", (t.raw.len() - before) as f64 / 200.0));
    let pages = t.frames(PAGE_DOWN, 200);
    for (p50, p95, p99, times) in
        [("line p50", "line p95", "line p99", lines), ("page p50", "page p95", "page p99", pages)]
    {
        all.push((p50, part(&times, 0.50)));
        all.push((p95, part(&times, 0.95)));
        all.push((p99, part(&times, 0.99)));
    }
}

/// Returns the value below which a share of sorted times lies.
fn part(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

fn restored(raw: &[u8]) -> bool {
    let has = |bytes: &[u8]| raw.windows(bytes.len()).any(|window| window == bytes);
    has(b"\x1b[?1049l") && has(b"\x1b[?25h")
}

fn querent(database: &str, more: &[&str], env: &[(String, String)]) -> Terminal {
    let mut args = vec!["--db".to_owned(), database.to_owned()];
    args.extend(more.iter().map(|&word| word.to_owned()));
    Terminal::start(env!("CARGO_BIN_EXE_querent"), &args, env)
}

fn open(database: &str) -> Terminal {
    let mut t = querent(database, &["--model", "rules"], &[]);
    t.wait("the open database", |shown| shown.contains("ready"));
    t.settle();
    t
}

fn typed_sql(t: &mut Terminal, sql: &str) {
    t.send(F4);
    t.send(sql);
    // checking what was typed is part of typing, not of running
    t.listen(Duration::from_millis(600));
}

/// Querent through all rows.
pub fn ours(files: &Files) -> Figures {
    let database = files.database.display().to_string();
    let mut all = Figures::new();
    start(&database, &mut all);
    million(&database, &mut all);
    ten_million(&database, &mut all);
    cancel(&database, &mut all);
    streaming(&database, &mut all);
    hostile(&database, &mut all);
    all
}

fn start(database: &str, all: &mut Figures) {
    let mut times = Vec::new();
    let mut cpu = Vec::new();
    for _ in 0..5 {
        let mut t = querent(database, &["--model", "rules"], &[]);
        let at = t.wait("a usable frame", |shown| shown.contains("Ask in your own words"));
        times.push(ms(at - t.started));
        cpu.push(Cost::of(t.pid()).cpu * 1000.0);
        t.end("-TERM");
    }
    times.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    all.push(("start", part(&times, 0.5)));
    all.push(("start cpu", part(&cpu, 0.5)));
}

fn million(database: &str, all: &mut Figures) {
    let mut t = open(database);
    t.listen(Duration::from_secs(2));
    idle(&mut t, all);
    typed_sql(&mut t, "select * from big");
    let at = t.send(F5);
    let seen =
        t.wait("the first row", |shown| shown.contains("first1 ") || shown.contains("first1│"));
    all.push(("first row", ms(seen - at)));
    t.send(F6);
    // while rows stream in, a line is still a line
    let times = t.first_frames(&[DOWN], 60, Duration::from_millis(13));
    all.push(("line p99, rows streaming", part(&times, 0.99)));
    t.wait("the end of the result", |shown| shown.contains("1,000,000 rows"));
    t.settle();
    all.push(("all rows s", t.started.elapsed().as_secs_f64()));
    moving(&mut t, all);
    let at = t.send("G");
    let seen = t.wait("the last row", |shown| shown.contains("row 1,000,000 of 1,000,000"));
    all.push(("last row", ms(seen - at)));
    all.push(("peak MB", Cost::of(t.pid()).peak));
    let code = t.end("-TERM");
    all.push(("restored", f64::from(u8::from(restored(&t.raw) && code == 143))));
}

fn ten_million(database: &str, all: &mut Figures) {
    let mut t = open(database);
    typed_sql(
        &mut t,
        "select big.* from (select 1 union all select 2 union all select 3 union all select 4 \
         union all select 5 union all select 6 union all select 7 union all select 8 union all \
         select 9 union all select 10), big",
    );
    t.send(F5);
    t.send(F6);
    t.wait("the end of the result", |shown| shown.contains("10,000,000 rows"));
    let at = t.send("G");
    let seen = t.wait("the last row", |shown| shown.contains("row 10,000,000 of 10,000,000"));
    all.push(("last of 10 M rows", ms(seen - at)));
    all.push(("peak MB, 10 M rows", Cost::of(t.pid()).peak));
    t.end("-TERM");
}

fn cancel(database: &str, all: &mut Figures) {
    let mut t = open(database);
    typed_sql(&mut t, ENDLESS);
    let mut times = Vec::new();
    let mut after = 0.0_f64;
    for _ in 0..5 {
        t.send(F5);
        t.wait("the running query", |shown| shown.contains("running"));
        t.listen(Duration::from_millis(700));
        let at = t.send("\x1b");
        let seen = t.wait("the end", |shown| shown.contains("cancelled"));
        times.push(ms(seen - at));
        let before = Cost::of(t.pid());
        t.listen(Duration::from_secs(1));
        after = after.max((Cost::of(t.pid()).cpu - before.cpu) * 100.0);
        t.send(F4);
        t.send("e");
        t.listen(Duration::from_millis(600));
    }
    times.sort_by(f64::total_cmp);
    all.push(("cancel", part(&times, 0.5)));
    all.push(("cpu % after cancel", after));
    t.end("-TERM");
}

fn streaming(database: &str, all: &mut Figures) {
    let model = Model::start(400);
    let env = [
        ("OPENAI_API_KEY".to_owned(), "none".to_owned()),
        ("OPENAI_BASE_URL".to_owned(), model.address.clone()),
    ];
    let mut t = querent(database, &["--model", "openai:slow"], &env);
    t.wait("the open database", |shown| shown.contains("ready"));
    t.settle();
    t.send("How many cities are there in big?");
    t.send(F5);
    t.wait("the model's words", |shown| shown.contains("w20"));
    let mut delays = Vec::new();
    for n in 30..60 {
        let word = format!("w{n}");
        let seen = t.wait("the model's next word", |shown| shown.contains(&word));
        let sent = model.sent.lock().expect("times").get(n - 1).copied().expect("a time");
        delays.push(ms(seen.saturating_duration_since(sent)));
    }
    delays.sort_by(f64::total_cmp);
    all.push(("token on screen p50", part(&delays, 0.50)));
    all.push(("token on screen p99", part(&delays, 0.99)));
    // the context pane scrolls while the model writes
    t.send("\x1b2");
    let times = t.first_frames(&[DOWN, UP], 60, Duration::from_millis(17));
    all.push(("line p99, model streaming", part(&times, 0.99)));
    t.end("-TERM");
}

fn hostile(database: &str, all: &mut Figures) {
    let mut t = open(database);
    typed_sql(&mut t, HOSTILE);
    t.send(F5);
    t.wait("the marks", |shown| shown.contains("pwned"));
    t.settle();
    let bad: [&[u8]; 5] =
        [b"\x1b]0;pwned", b"\x07", b"pwned\x1b", "\u{9b}31m".as_bytes(), "\u{202e}".as_bytes()];
    let count = |bytes: &[u8]| t.raw.windows(bytes.len()).filter(|w| *w == bytes).count();
    let leaked: usize = bad.iter().map(|bytes| count(bytes)).sum();
    all.push(("control bytes from data", leaked as f64));
    t.end("-TERM");
}
