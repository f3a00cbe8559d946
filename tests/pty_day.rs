//! A whole day at the workbench on a real pty, once with the shipped keys and once with vim's.

mod program;

use portable_pty::PtySize;

use program::terminal::Terminal;

/// A terminal as wide as a desk, and its emulator.
fn desk(env: &[(&str, &str)]) -> Terminal {
    let size = PtySize { rows: 48, cols: 160, pixel_width: 0, pixel_height: 0 };
    let args = ["--db", "demo:reservo", "--model", "script:case-a"];
    let mut terminal = Terminal::start_sized(size, &args, env);
    terminal.screen.screen_mut().set_size(
        std::num::NonZero::new(48).expect("a height"),
        std::num::NonZero::new(160).expect("a width"),
    );
    terminal.wait("ready");
    terminal
}

const F3: &str = "\x1bOR";
const F5: &str = "\x1b[15~";
const ESC: &str = "\x1b";
const END: &str = "\x1b[F";
const LEFT: &str = "\x1b[D";
const DOWN: &str = "\x1b[B";
const CONTEXT: &str = "\x1b2";
const SQL: &str = "\x1b3";
const RESULT: &str = "\x1b4";
const TRACE: &str = "\x1b5";

/// Ends writing, where a key map has modes.
fn to_commands(terminal: &mut Terminal, rest: &str) {
    if !rest.is_empty() {
        terminal.send(rest);
        terminal.wait("NORMAL");
    }
}

/// Presses Esc, and waits until what stood in front is gone: with the next key it would read as Alt.
fn leave(terminal: &mut Terminal, front: &str) {
    terminal.send(ESC);
    terminal.until("the panes", |t| !t.screen.screen().contents().contains(front));
}

/// From the first question to the last key. Where a key map has modes, it starts in writing; `write`
/// begins it again and `rest` ends it.
fn day(terminal: &mut Terminal, write: &str, rest: &str) {
    let folder = terminal.home().to_owned();
    // ask
    terminal.send("How much did we bring in with confirmed bookings?");
    terminal.send(F5);
    terminal.wait("run 1  ✓ grounded");
    terminal.wait("211900");
    // step back through the retries, and return to now
    to_commands(terminal, rest);
    terminal.send(TRACE);
    terminal.send(LEFT);
    terminal.wait("◀ time");
    terminal.wait("column 'price' doesn't exist in bookings");
    terminal.send(END);
    terminal.until("the present", |t| !t.screen.screen().contents().contains("◀ time"));
    // switch a component, ask again, compare
    terminal.send(CONTEXT);
    terminal.send(" ");
    terminal.wait("◧");
    terminal.send("r");
    terminal.wait("run 2  ✓ grounded");
    terminal.send(F3);
    terminal.wait("╭ Compare");
    leave(terminal, "╭ Compare");
    // edit the SQL, and run it as a child
    terminal.send(SQL);
    terminal.send("n");
    terminal.send(write);
    terminal.send("SELECT id, status, hours FROM bookings");
    terminal.send(F5);
    terminal.wait("run 3  ✓ grounded");
    terminal.wait("23 rows");
    // sort, filter, copy
    terminal.send(RESULT);
    terminal.send("s");
    terminal.wait("▲");
    terminal.send("f");
    terminal.send("\x15> 20\r");
    terminal.wait("3 of 23 rows");
    terminal.send("F");
    terminal.until("all rows", |t| !t.screen.screen().contents().contains("3 of 23 rows"));
    terminal.send("y");
    terminal.wait("Copied");
    // export
    let file = folder.join("bookings.csv");
    terminal.send("E");
    terminal.wait("Export");
    terminal.send("\x15");
    terminal.send(&file.display().to_string());
    terminal.send("\r");
    terminal.until("the file", |_| file.exists());
    let lines = std::fs::read_to_string(&file).expect("an export").lines().count();
    assert_eq!(lines, 24, "a header and 23 rows");
    terminal.wait("✓ 23 rows");
    leave(terminal, "Export as CSV");
    // chart, and back
    terminal.send("c");
    terminal.wait("why:");
    terminal.send("c");
    terminal.until("the table", |t| !t.screen.screen().contents().contains("why:"));
    // change the looks
    terminal.send("\x10");
    terminal.send("paper\r");
    terminal.until("another ground", |t| t.sent(b"48;2;247;241;227"));
    // browse what was asked before
    terminal.send("\x12");
    terminal.wait("Past runs");
    terminal.until("the runs", |t| {
        let shown = t.screen.screen().contents();
        shown.contains("outcome") && !shown.contains("Reading past runs")
    });
    terminal.send(DOWN);
    terminal.send("\r");
    terminal.wait("replay");
    // leave
    terminal.send("\x11");
}

#[test]
fn a_day_with_the_shipped_keys() {
    let mut terminal = desk(&[("COLORTERM", "truecolor")]);
    day(&mut terminal, "", "");
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}

#[test]
fn a_day_with_the_keys_of_vim() {
    let mut terminal = desk(&[("COLORTERM", "truecolor"), ("QUERENT_KEYMAP", "vim")]);
    day(&mut terminal, "i", ESC);
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}
