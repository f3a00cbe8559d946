//! The real program on a real pty: nothing typed is lost, the shell is a key away, leaving asks once.

mod program;

use std::path::{Path, PathBuf};

use portable_pty::PtySize;

use program::terminal::Terminal;

const DEMO: [&str; 4] = ["--db", "demo:reservo", "--model", "rules"];

/// The file that keeps unsent texts, once there is one.
fn kept(home: &Path) -> Option<PathBuf> {
    let folder = home.join(".local/state/querent/drafts");
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|e| e == "json"))
}

/// The unsent question that is kept.
fn kept_question(home: &Path) -> String {
    let text = kept(home).and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json["drafts"][0]["question"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_text_survives_being_killed_and_is_taken_back() {
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::start_in(home.path(), &DEMO);
    terminal.wait("ready");
    terminal.send("half a thought");
    terminal.until("the text in its file", |t| kept_question(t.home()) == "half a thought");
    terminal.signal("-KILL");
    terminal.end();

    let mut terminal = Terminal::start_in(home.path(), &DEMO);
    terminal.wait("Your unsent question of ");
    terminal.wait("half a thought");
    terminal.send("\r");
    terminal.until("the offer's end", |t| !t.screen.screen().contents().contains("Your unsent"));
    terminal.send(" more");
    terminal.wait("half a thought more");
    // left on purpose, it is kept no longer
    terminal.send("\x11");
    terminal.wait("Leave?");
    terminal.send("y");
    assert_eq!(terminal.end(), 0);
    assert_eq!(kept(home.path()), None);
}

#[test]
fn a_text_is_written_before_a_signal_ends_the_program() {
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::start_in(home.path(), &DEMO);
    terminal.wait("ready");
    terminal.send("just typed");
    terminal.wait("just typed");
    terminal.signal("-HUP");
    assert_eq!(terminal.end(), 129);
    terminal.is_restored();
    assert_eq!(kept_question(home.path()), "just typed");

    // and the next start can be told to keep it once more
    let mut terminal = Terminal::start_in(home.path(), &DEMO);
    terminal.wait("Your unsent question of ");
    terminal.send("\r\x11");
    terminal.wait("Leave?");
    terminal.send("k");
    assert_eq!(terminal.end(), 0);
    assert_eq!(kept_question(home.path()), "just typed");
}

#[test]
fn a_text_that_was_asked_is_kept_no_longer() {
    let home = tempfile::tempdir().expect("a folder");
    let mut terminal = Terminal::start_in(home.path(), &DEMO);
    terminal.wait("ready");
    terminal.send("How many bookings are there?");
    terminal.until("the text in its file", |t| kept(t.home()).is_some());
    terminal.send("\r");
    // leaving while it still runs would ask first
    terminal.wait("✓ grounded");
    terminal.until("the file's end", |t| kept(t.home()).is_none());
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_megabyte_is_pasted_and_nothing_of_it_is_lost() {
    let mut terminal = Terminal::start(&DEMO, &[]);
    terminal.wait("ready");
    let text = "how many rööms have a 売上 of more than 1?\n".repeat(24_000) + "the end";
    assert!(text.len() > 1 << 20);
    // terminals send \r for line ends
    terminal.send(&format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")));
    terminal.wait("the end");
    terminal.send(", really");
    terminal.wait("the end, really");
    let whole = format!("{text}, really");
    terminal.until("all of it in its file", |t| kept_question(t.home()) == whole);
    // and into the SQL editor
    terminal.send("\x1b3\x1b[200~SELECT 1");
    terminal.send(&", 'ä'".repeat(175_000));
    terminal.send(" AS last_one\x1b[201~");
    terminal.wait("AS last_one");
    terminal.send("\x11");
    terminal.wait("Leave?");
    terminal.send("y");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_comes_back() {
    let home = tempfile::tempdir().expect("a folder");
    let program = env!("CARGO_BIN_EXE_querent");
    let script = format!(
        "'{program}' --db demo:reservo --model rules; echo in the shell; read line; fg; echo ended $?"
    );
    let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
    let mut terminal = Terminal::run(size, "/bin/sh", &["-m", "-c", &script], &[], home.path());
    terminal.wait("ready");
    terminal.send("typed before");
    terminal.wait("typed before");
    terminal.send("\x1a");
    terminal.wait("in the shell");
    terminal.is_restored();
    terminal.send("\n");
    terminal.wait("typed before");
    assert!(terminal.screen.screen().alternate_screen());
    terminal.send(" and after");
    terminal.wait("typed before and after");
    terminal.send("\x11");
    terminal.wait("Leave?");
    terminal.send("y");
    terminal.wait("ended 0");
    terminal.end();
}

#[test]
fn ctrl_z_without_a_shell_to_go_to_comes_back_by_itself() {
    let mut terminal = Terminal::start(&DEMO, &[]);
    terminal.wait("ready");
    terminal.send("\x1a");
    terminal.until("the terminal given back", |t| t.sent(b"\x1b[?1049l"));
    terminal.until("the terminal taken again", |t| t.screen.screen().alternate_screen());
    terminal.send("still here");
    terminal.wait("still here");
    terminal.signal("-TERM");
    assert_eq!(terminal.end(), 143);
    terminal.is_restored();
}

#[test]
fn leaving_while_a_question_runs_asks_once() {
    let sql =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    let mut args = DEMO.to_vec();
    args.extend(["--sql", sql]);
    let mut terminal = Terminal::start(&args, &[]);
    terminal.wait("running");
    terminal.send("\x11");
    terminal.wait("A question is running: leaving cancels it.");
    terminal.send("n");
    terminal.until("the question's end", |t| !t.screen.screen().contents().contains("Leave?"));
    terminal.send("\x11");
    terminal.wait("Leave?");
    terminal.send("y");
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}

#[test]
fn told_as_lines_the_first_pane_is_told_once() {
    let mut args = DEMO.to_vec();
    args.push("--linear");
    let mut terminal = Terminal::start(&args, &[]);
    terminal.wait("ready");
    terminal.send("typed");
    terminal.wait("question: typed");
    let told = String::from_utf8_lossy(&terminal.raw).into_owned();
    assert_eq!(told.matches("Pane Question").count(), 1, "{told}");
    terminal.send("\x15\x11");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn terminals_of_many_names_that_answer_nothing_are_drawn_on() {
    for term in ["dumb", "screen", "screen-256color", "tmux-256color", "vt100", "linux", ""] {
        let mut terminal = Terminal::start(&DEMO, &[("TERM", term)]);
        terminal.wait("ready");
        terminal.send("typed");
        terminal.wait("typed");
        terminal.send("\x15\x11");
        assert_eq!(terminal.end(), 0, "TERM={term}");
        terminal.is_restored();
    }
}
