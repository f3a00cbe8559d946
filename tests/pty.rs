//! The real program on a real pty: first frame, typing, hostile cells, leaving, signals, colours.

mod program;

use portable_pty::PtySize;

use program::terminal::{Terminal, nz};

#[test]
fn a_question_is_typed_and_answered_and_the_terminal_comes_back() {
    // without a database named, the first demo opens
    let mut terminal = Terminal::start(&["--model", "rules"], &[]);
    terminal.wait("demo:reservo");
    terminal.wait("Ask in your own words");
    terminal.wait("ready");
    terminal.send("How many bookings are there?");
    terminal.wait("How many bookings are there?");
    terminal.send("\x1b[15~");
    terminal.wait("23");
    // leaving while it still runs would ask first
    terminal.wait("✓ grounded");
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
    terminal.signal("-TERM");
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
    terminal.send("\x1bs");
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

/// What keys send: those of editors, lists and overlays, letters, a paste, the mouse; not those that
/// stop or leave the program, which other tests press. Ctrl-C above all: pressed when the program has
/// just left, it makes the system throw away what nobody has read yet of the restored terminal.
const SENT: [&str; 43] = [
    "\t",
    "\x1b[Z",
    "\r",
    " ",
    "\x1b",
    "\x7f",
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[H",
    "\x1b[F",
    "\x1b[5~",
    "\x1b[6~",
    "\x1bOP",
    "\x1bOQ",
    "\x1bOR",
    "\x1bOS",
    "\x1b[15~",
    "\x1b[17~",
    "\x1b[18~",
    "\x1b[19~",
    "\x1b[20~",
    "\x1b[21~",
    "\x1b1",
    "\x1b2",
    "\x1b3",
    "\x1b4",
    "\x1b5",
    "\x10",
    "\x0e",
    "\x17",
    "a",
    "e",
    "s",
    "f",
    "c",
    "/",
    "1",
    "売",
    "\x1b[200~two\rlines\x1b[201~",
    "\x1b[<0;9;9M\x1b[<0;9;9m",
    "\x1b[<65;40;12M",
];

#[test]
fn a_thousand_random_keys_and_sizes_leave_a_terminal_that_comes_back() {
    for seed in 1_u64..=6 {
        let mut roll = seed;
        let mut below = |n: u16| {
            roll = roll
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u16::try_from(roll >> 48).unwrap() % n
        };
        let db = ["--db", "demo:reservo", "--model", "script:case-a", "--repair", "model"];
        let mut terminal = Terminal::start(&db, &[]);
        terminal.wait("ready");
        for n in 0..1_000 {
            terminal.send(SENT[usize::from(below(43))]);
            if n % 40 == 0 {
                terminal.resize(1 + below(200), 1 + below(60));
            }
            if !terminal.take() {
                break;
            }
        }
        // the palette may have left it by itself; else a signal finds its way through what is open
        if terminal.take() {
            terminal.signal("-TERM");
        }
        let code = terminal.end();
        assert!([0, 143].contains(&code), "seed {seed}: it ended with {code}");
        terminal.is_restored();
    }
}
