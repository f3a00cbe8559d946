//! Screens as people see them, at three sizes.

use insta::assert_snapshot;
use querent::domain::Value;

use super::bench::{Bench, page, result};
use super::runs::case_a;

#[test]
fn first_start_is_drawn_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        assert_snapshot!(format!("start_{width}x{height}"), Bench::open(width, height).screen());
    }
}

#[test]
fn a_repaired_run_is_drawn_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let bench = Bench::told(width, height, &case_a());
        assert_snapshot!(format!("answered_{width}x{height}"), bench.screen());
    }
}

#[test]
fn the_draft_is_looked_at_when_the_cursor_is_on_it() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 Left");
    assert_snapshot!("as_drafted_160x48", bench.screen());
    bench.sees("~~~~~ ✗ column 'price' doesn't exist in bookings.");
    bench.sees("Did you mean price_cents?");
    bench.sees("Stopped before running: 1 name unknown.");
    bench.sees("◀ time: attempt 1, as drafted");
}

#[test]
fn hostile_cells_stand_as_marks() {
    let mut bench = Bench::told(100, 30, &case_a());
    let cells = vec![
        vec![Value::Text("\u{1b}]0;x\u{7}".into()), Value::Null],
        vec![Value::Text("\u{1b}[2J".into()), Value::Integer(-3)],
        vec![Value::Text("two\nlines".into()), Value::Real(12.4)],
        vec![Value::Malformed(vec![0xff, b'a']), Value::Blob(vec![0, 1, 2])],
        vec![Value::Text("a\u{202e}b".into()), Value::Integer(350_000)],
        vec![Value::Text("x".repeat(200)), Value::Integer(1)],
    ];
    bench.page(&result(1, 1), page(&[("note", "TEXT"), ("n", "INTEGER")], cells, true));
    bench.keys("Alt-4 F10");
    assert_snapshot!("hostile_100x30", bench.screen());
}

#[test]
fn help_and_commands_stand_in_front() {
    let mut bench = Bench::open(100, 30);
    bench.keys("F1");
    assert_snapshot!("help_100x30", bench.screen());
    bench.keys("Esc Ctrl-P").text("theme");
    assert_snapshot!("palette_100x30", bench.screen());
}

#[test]
fn a_database_that_is_not_there_says_what_and_what_to_do() {
    let mut bench = Bench::closed(100, 30);
    let what = "There is no file no.db.".to_owned();
    let hint = "Name an existing SQLite file, or demo:reservo.".to_owned();
    bench.send(querent::tui::msg::Msg::NotOpened(what, hint));
    bench.sees("There is no file no.db.").sees("Name an existing SQLite file, or demo:reservo.");
}
