//! The real program on a real pty: first frame, typing, hostile cells, leaving, signals, colours.

#![expect(clippy::panic, reason = "a test stops where it fails")]

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Longest wait for something to appear; a loaded machine is slow, a hang is longer.
const PATIENCE: Duration = Duration::from_mins(1);

struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    _home: tempfile::TempDir,
}

impl Terminal {
    fn start(args: &[&str], env: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
        Terminal::start_sized(size, args, env)
    }

    fn start_sized(size: PtySize, args: &[&str], env: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size).expect("a pty");
        let home = tempfile::tempdir().expect("a folder");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_querent"));
        command.args(args);
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin")] {
            command.env(name, value);
        }
        command.env("HOME", home.path());
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 8192];
            while let Ok(n) = reader.read(&mut bytes) {
                if n == 0 || sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().expect("a writer");
        let screen = vt100::Parser::new(nz(30), nz(100), 0);
        Terminal { child, master: pair.master, keys, output, screen, raw: Vec::new(), _home: home }
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys are taken");
        self.keys.flush().expect("keys are taken");
    }

    #[track_caller]
    fn wait(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(e) => {
                    let shown = self.screen.screen().contents();
                    panic!("'{text}' didn't appear ({e:?}):\n{shown}");
                }
            }
        }
    }

    /// Waits for the program's end; returns its exit code.
    fn end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    panic!("it didn't end:\n{}", self.screen.screen().contents());
                }
            }
        }
        self.child.wait().expect("an end").exit_code()
    }

    fn sent(&self, bytes: &[u8]) -> bool {
        self.raw.windows(bytes.len()).any(|window| window == bytes)
    }

    #[track_caller]
    fn is_restored(&self) {
        assert!(self.sent(b"\x1b[?1049l"), "the alternate screen wasn't left");
        assert!(self.sent(b"\x1b[?25h"), "the cursor stayed hidden");
        assert!(!self.screen.screen().alternate_screen());
        assert!(!self.screen.screen().hide_cursor());
    }
}

#[test]
fn a_question_is_typed_and_answered_and_the_terminal_comes_back() {
    let mut terminal = Terminal::start(&["--db", "demo:reservo", "--model", "rules"], &[]);
    terminal.wait("Ask in your own words");
    terminal.wait("ready");
    terminal.send("How many bookings are there?");
    terminal.wait("How many bookings are there?");
    terminal.send("\x1b[15~");
    terminal.wait("23");
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}

#[test]
fn hostile_cells_reach_the_terminal_only_as_marks() {
    let sql = "SELECT char(27) || ']0;x' || char(7) AS title, char(27) || '[2J' AS wipe";
    let args = ["--db", "demo:reservo", "--model", "rules", "--sql", sql];
    let mut terminal = Terminal::start(&args, &[]);
    terminal.wait("␛]0;x␇");
    terminal.wait("␛[2J");
    assert!(!terminal.sent(b"\x1b]0;x"));
    assert!(!terminal.sent(b"\x07"));
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn sigterm_gives_the_terminal_back_and_ends_with_143() {
    let mut terminal = Terminal::start(&["--db", "demo:reservo", "--model", "rules"], &[]);
    terminal.wait("ready");
    let pid = terminal.child.process_id().expect("a process").to_string();
    let killed = Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
    assert!(killed.success());
    assert_eq!(terminal.end(), 143);
    terminal.is_restored();
}

#[test]
fn without_colours_no_colour_code_is_sent_and_resizing_draws_anew() {
    let args = ["--db", "demo:reservo", "--model", "rules"];
    let mut terminal = Terminal::start(&args, &[("NO_COLOR", "1")]);
    terminal.wait("ready");
    let size = PtySize { rows: 20, cols: 60, pixel_width: 0, pixel_height: 0 };
    terminal.master.resize(size).expect("a new size");
    terminal.screen.screen_mut().set_size(nz(20), nz(60));
    terminal.wait("Question  Context  SQL  Result  Trace");
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
    let text = String::from_utf8_lossy(&terminal.raw).into_owned();
    for code in text.split("\x1b[").skip(1) {
        let Some((numbers, _)) = code.split_once('m') else { continue };
        if numbers.chars().all(|c| c.is_ascii_digit() || c == ';') {
            let coloured =
                numbers.split(';').filter_map(|n| n.parse::<u32>().ok()).any(|n| n >= 30);
            assert!(!coloured, "a colour code was sent: {numbers}");
        }
    }
}

#[test]
fn a_terminal_that_tells_no_size_at_first_is_drawn_on_and_its_size_is_taken_later() {
    let args = ["--db", "demo:reservo", "--model", "rules"];
    let mut terminal =
        Terminal::start_sized(PtySize { rows: 0, cols: 0, ..PtySize::default() }, &args, &[]);
    terminal.wait("ready");
    let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
    terminal.master.resize(size).expect("a new size");
    terminal.wait("Ctrl-P commands");
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}

#[test]
fn keys_that_come_together_with_a_new_size_are_taken() {
    let mut terminal = Terminal::start(&["--db", "demo:reservo", "--model", "rules"], &[]);
    terminal.wait("ready");
    let word = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(2);
    for (i, letter) in word.char_indices() {
        let cols = if i % 2 == 0 { 99 } else { 100 };
        let size = PtySize { rows: 30, cols, pixel_width: 0, pixel_height: 0 };
        terminal.master.resize(size).expect("a new size");
        terminal.send(&letter.to_string());
        terminal.wait(&word[..=i]);
    }
    // leaving with an unsent text asks first
    terminal.send("\x11");
    terminal.wait("Leave?");
    terminal.send("y");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_run_waits_at_a_breakpoint_and_goes_on_with_the_persons_sql() {
    let args = ["--db", "demo:reservo", "--model", "script:case-a"];
    let mut terminal = Terminal::start(&args, &[]);
    terminal.wait("ready");
    // the list of stops, its first row: before the model is asked
    terminal.send("\x1bp");
    terminal.wait("Where runs wait for you");
    terminal.send(" ");
    terminal.wait("■ before the model is asked");
    terminal.wait("‖ waits: call");
    // Esc and a letter in one go would read as Alt and the letter
    terminal.send("q");
    terminal.send("How much did we bring in with confirmed bookings?");
    terminal.send("\x1b[15~");
    terminal.wait("paused before the model is asked");
    terminal.send("\x1b5e");
    terminal.wait("goes on with this SQL");
    terminal.send("SELECT COUNT(*) * 1000 AS thousands FROM bookings");
    terminal.send("\x1b[15~");
    terminal.wait("23000");
    terminal.send("\x11");
    assert_eq!(terminal.end(), 0);
    terminal.is_restored();
}

/// A size that is not zero, as the emulator wants it.
fn nz(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("no size is zero")
}
