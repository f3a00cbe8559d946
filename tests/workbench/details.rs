//! What a close look finds: what moves, what is cut, what has a sign, which words stand where.

use querent::domain::{ResultColumn, ResultId, Value};
use querent::pipeline::Completion;
use querent::sql::complete::{Offer, Offered, Offers};
use querent::tui::effect::Effect;
use querent::tui::keymap::Press;
use querent::tui::layout::Pane;
use querent::tui::msg::Msg;
use querent::tui::theme::Depth;

use super::bench::{Bench, page, result};
use super::runs::case_a;

fn text(words: &str) -> Value {
    Value::Text(words.into())
}

/// Rows that are wide beyond the first hundred.
fn rows(from: u64, to: u64) -> Vec<Vec<Value>> {
    let row = |n: u64| {
        let long = if n < 100 { 5 } else { 30 };
        vec![Value::Integer(i64::try_from(n).expect("few")), text(&"x".repeat(long)), text("end")]
    };
    (from..to).map(row).collect()
}

const COLUMNS: [(&str, &str); 3] = [("id", "INTEGER"), ("note", "TEXT"), ("last", "TEXT")];

fn paged(bench: &mut Bench, id: &ResultId, from: u64, to: u64) {
    let mut some = page(&COLUMNS, rows(from, to), true);
    (some.first, some.total) = (from, 1_000);
    bench.page(id, some);
}

/// A thousand rows, the focus on them, alone on the screen.
fn thousand() -> Bench {
    let mut bench = Bench::told(100, 30, &case_a());
    paged(&mut bench, &result(1, 1), 0, 200);
    bench.keys("Alt-4 F10");
    bench
}

/// Types a key whose wish for rows isn't answered: the session would page them.
fn quietly(bench: &mut Bench, key: &str) {
    let effects = bench.app.apply(Msg::Key(Press::named(key).expect("a key")));
    bench.wanted.extend(effects);
}

fn column_of(bench: &Bench, word: &str) -> Option<usize> {
    let screen = bench.screen();
    screen.lines().find_map(|line| line.find(word).map(|at| line[..at].chars().count()))
}

#[test]
fn no_column_moves_while_rows_go_by_and_a_key_fits_it() {
    let mut bench = thousand();
    let before = column_of(&bench, "last").expect("a column");
    bench.misses("fits the column");
    quietly(&mut bench, "G");
    paged(&mut bench, &result(1, 1), 800, 1_000);
    quietly(&mut bench, "Right");
    assert_eq!(column_of(&bench, "last"), Some(before), "wider rows move nothing");
    bench.sees("xxxx…").sees("w fits the column");
    quietly(&mut bench, "w");
    assert!(column_of(&bench, "last") > Some(before), "the person's own key does");
    bench.sees(&"x".repeat(30)).misses("fits the column");
}

#[test]
fn a_result_is_found_again_as_it_was_left() {
    let mut bench = Bench::told(160, 48, &case_a());
    paged(&mut bench, &result(1, 1), 0, 200);
    bench.keys("Alt-4 Right - s");
    let wanted = bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Arrange(of, view) => Some((of.clone(), view.clone())),
        _ => None,
    });
    let (of, view) = wanted.expect("an order");
    let sorted = ResultId { view: 7, ..result(1, 1) };
    bench.send(Msg::Arranged(of, view.clone(), Ok(sorted.clone())));
    paged(&mut bench, &sorted, 0, 200);
    bench.keys("Down Down Down").sees("1 hidden").sees("▲");
    // another moment, where nothing ran, and back
    bench.keys("Alt-3 Left").misses("1 hidden");
    bench.keys("Right");
    assert_eq!(bench.app.looking.view, view);
    assert_eq!(bench.app.looking.shown(), Some(&sorted));
    assert_eq!((bench.app.grid.row, bench.app.grid.columns.hidden()), (3, &[1][..]));
    let asked = |e: &Effect| matches!(e, Effect::Page(id, _) if *id == sorted);
    assert!(bench.wanted.iter().rev().take(3).any(asked), "its rows are read again");
    paged(&mut bench, &sorted, 0, 200);
    bench.sees("1 hidden").sees("▲");
}

#[test]
fn the_unit_of_a_measure_stands_under_its_name() {
    let mut bench = Bench::told(100, 30, &case_a());
    let mut some = page(&[("revenue", "integer")], vec![vec![Value::Integer(211_900)]], true);
    let unit = Some("cents".to_owned());
    some.columns = vec![ResultColumn { unit, ..some.columns[0].clone() }];
    bench.page(&result(1, 1), some);
    bench.sees("integer · cents").sees("211900");
}

#[test]
fn six_rows_of_a_short_query_are_seen_at_100x30_and_more_are_marked() {
    let mut bench = Bench::told(100, 30, &case_a());
    paged(&mut bench, &result(1, 1), 0, 200);
    // the trace has the focus of nobody, and still says that it goes on
    let screen = bench.screen();
    let rows = screen.lines().filter(|line| line.contains("xxxxx")).count();
    assert_eq!(rows, 6, "{screen}");
    bench.sees("↓ 994");
}

#[test]
fn offers_are_framed_and_never_cover_the_line_typed() {
    let mut bench = Bench::open(60, 20);
    bench.keys("Alt-3").text("SELECT * FROM b");
    let offer = |text: &str, what: &str| Offer {
        text: text.into(),
        what: what.into(),
        kind: Offered::Relation,
    };
    let long = "a_name_that_is_much_longer_than_all_of_this_narrow_screen_can_hold";
    let offers = vec![offer("bookings", "view, ~1,200 rows"), offer(long, "table")];
    let (from, to) = (14, 15);
    let revision = bench.app.sql.editor.revision();
    bench.send(Msg::SqlOffers(revision, Offers { from, to, offers }));
    bench.sees("SELECT * FROM b").sees("view, ~1,200 rows").sees("╭──").sees("…");
    let screen = bench.screen();
    assert!(screen.lines().all(|line| line.chars().count() <= 60), "{screen}");
    bench.keys("Down Tab");
    assert!(bench.app.sql.editor.as_str().ends_with(long));
}

#[test]
fn offers_in_a_question_at_the_foot_stand_above_it() {
    let mut bench = Bench::open(60, 20);
    bench.keys("Alt-Enter Alt-Enter Alt-Enter Alt-Enter Alt-Enter Alt-Enter Alt-Enter Alt-Enter");
    bench.keys("Alt-Enter Alt-Enter Alt-Enter Alt-Enter").text("pri");
    let one = |n| Completion { text: format!("price_{n}"), what: "column of bookings".into() };
    bench.send(Msg::Completions((0..7).map(one).collect()));
    let screen = bench.screen();
    let line = |word: &str| screen.lines().position(|line| line.contains(word));
    let typed = screen.lines().position(|line| line.trim_matches(['│', ' ']) == "pri");
    assert!(typed.is_some(), "{screen}");
    assert!(line("price_6") < typed, "{screen}");
}

#[test]
fn a_long_line_says_at_both_ends_that_it_goes_on() {
    let mut bench = Bench::open(60, 20);
    let columns = (0..20).map(|n| format!("column_{n}")).collect::<Vec<_>>().join(", ");
    bench.keys("Alt-3").text(&format!("SELECT {columns} FROM t"));
    let line = |bench: &Bench| {
        let screen = bench.screen();
        screen.lines().find(|line| line.contains("column_")).unwrap_or_default().to_owned()
    };
    assert!(line(&bench).contains("1 …"), "scrolled to the end: {}", line(&bench));
    bench.keys("Home");
    assert!(line(&bench).contains("SELECT column_0"), "{}", line(&bench));
    assert!(line(&bench).contains('…'), "{}", line(&bench));
    for _ in 0..12 {
        bench.keys("Ctrl-Right");
    }
    assert_eq!(line(&bench).matches('…').count(), 2, "in the middle: {}", line(&bench));
}

#[test]
fn what_is_in_front_has_a_sign_where_there_are_no_colours() {
    let mut bench = Bench::told(60, 20, &case_a());
    bench.app.depth = Depth::Mono;
    bench.keys("Alt-3").sees(" Question  Context ▸SQL  Result  Trace");
    bench.keys("Alt-5").sees(" Question  Context  SQL  Result ▸Trace");
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Alt-3").sees("as drafted ✗ ·▸mended ✓").sees("▸Context · Trace");
    bench.keys("Left").sees("▸as drafted ✗ · mended ✓");
    bench.keys("Alt-5").sees(" Context ·▸Trace");
}

#[test]
fn a_screen_down_in_the_help_moves_it_at_once() {
    let mut bench = Bench::open(100, 30);
    bench.keys("F1");
    let first = |bench: &Bench| {
        let screen = bench.screen();
        screen.lines().skip(3).take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    let start = first(&bench);
    bench.keys("PageDown");
    assert_ne!(first(&bench), start, "the first screen down shows what follows");
    bench.keys("PageUp");
    assert_eq!(first(&bench), start, "and the way back ends where it began");
}

#[test]
fn the_theme_in_use_stays_marked_while_others_are_looked_at() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Alt-t");
    let marked = |bench: &Bench| {
        let screen = bench.screen();
        let line = screen.lines().find(|line| line.contains("in use")).unwrap_or_default();
        line.trim_matches(['│', ' ']).split(':').next().unwrap_or_default().to_owned()
    };
    let in_use = marked(&bench);
    assert_eq!(in_use.rsplit(' ').next(), Some("querent-dark"));
    bench.keys("Down Down");
    assert_ne!(bench.app.theme.name, "querent-dark", "another one is looked at");
    assert_eq!(marked(&bench), in_use);
    bench.keys("Esc");
    assert_eq!(bench.app.theme.name, "querent-dark");
    bench.keys("Alt-t Down Enter Alt-t");
    assert_ne!(marked(&bench), in_use, "once chosen, the mark is there");
}

#[test]
fn infinity_can_be_filtered_for_as_the_grid_shows_it() {
    let mut bench = Bench::told(100, 30, &case_a());
    let cells = vec![vec![Value::Real(f64::INFINITY)], vec![Value::Real(1.5)]];
    bench.page(&result(1, 1), page(&[("ratio", "REAL")], cells, true));
    bench.keys("Alt-4 f").text("= inf").keys("Enter");
    let filtered = bench.wanted.iter().any(|effect| match effect {
        Effect::Arrange(_, view) => view.filter.len() == 1,
        _ => false,
    });
    assert!(filtered, "{}", bench.screen());
}

#[test]
fn one_is_never_told_in_the_plural() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.page(&result(1, 1), page(&[("n", "INTEGER")], vec![vec![Value::Integer(7)]], true));
    bench.keys("Alt-4 y").sees("Copied n, row 1: 1 byte.");
    bench.keys("Y").sees("Copied row 1: 1 cell, tabs between them.");
}

#[test]
fn words_of_all_keys_are_short_commands() {
    let bench = Bench::open(100, 30);
    for bound in bench.app.keys.rows().iter().filter(|bound| !bound.words.is_empty()) {
        let words = &bound.words;
        let first = words.split(' ').next().unwrap_or_default();
        let capital = words.starts_with(|c: char| c.is_ascii_uppercase());
        assert!(capital && !words.ends_with('.'), "{words}");
        assert!(words.chars().count() <= 70, "{words} is long");
        let noun = ["The", "A", "One", "Where", "Up", "Down", "Left", "Right", "Two", "In"];
        assert!(!noun.contains(&first), "'{words}' is no command");
    }
    assert_eq!(bench.app.focus, Pane::Question);
}
