//! Type keys, look at the state and at what is wanted outside.

use querent::domain::{ComponentKind, Pulse, ResultId, Value};
use querent::pipeline::{Completion, Told};
use querent::tui::effect::Effect;
use querent::tui::keymap::Found;
use querent::tui::layout::Pane;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;

use super::bench::{Bench, page, result};
use super::runs::{MENDED, case_a};

fn asked(bench: &Bench) -> Option<&querent::domain::Question> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => Some(&**question),
        _ => None,
    })
}

#[test]
fn a_typed_question_is_asked_by_f5_and_by_enter() {
    for key in ["F5", "Enter"] {
        let mut bench = Bench::open(100, 30);
        bench.text("How many rooms?").keys(key);
        assert_eq!(asked(&bench).map(|q| q.text.as_str()), Some("How many rooms?"));
        assert!(bench.app.running());
    }
}

#[test]
fn digits_take_examples_only_while_the_editor_is_empty() {
    let mut bench = Bench::open(100, 30);
    bench.keys("3");
    assert_eq!(asked(&bench), None);
    bench.keys("F5");
    assert_eq!(asked(&bench).map(|q| q.text.as_str()), Some("Which room was booked most often?"));
    let mut bench = Bench::open(100, 30);
    bench.text("top 3");
    assert_eq!(asked(&bench), None);
    assert_eq!(bench.app.question.editor.text(), "top 3");
}

#[test]
fn esc_cancels_and_ctrl_c_twice_leaves() {
    let mut bench = Bench::told(100, 30, &case_a()[..3]);
    bench.keys("Esc");
    assert_eq!(bench.wanted.last(), Some(&Effect::Stop));
    bench.sees("cancelling");
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Ctrl-C");
    assert_eq!(bench.app.leave, None);
    bench.keys("Ctrl-C");
    assert_eq!(bench.app.leave, Some(0));
}

#[test]
fn leaving_with_an_unsent_text_asks_first() {
    let mut bench = Bench::open(100, 30);
    bench.text("half a thought").keys("Ctrl-Q");
    assert_eq!(bench.app.overlay, Some(Overlay::Confirm));
    assert_eq!(bench.app.leave, None);
    bench.keys("n");
    assert_eq!(bench.app.overlay, None);
    bench.keys("Ctrl-Q y");
    assert_eq!(bench.app.leave, Some(0));
}

#[test]
fn the_trace_cursor_is_time_and_end_follows_again() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Home");
    let run = bench.app.run.as_ref().expect("a run");
    assert_eq!(run.cursor, Some(0));
    assert!(run.moment().package().is_none());
    bench.keys("Down Down");
    let run = bench.app.run.as_ref().expect("a run");
    assert!(run.moment().package().is_some());
    assert!(run.moment().attempts.is_empty());
    bench.keys("End");
    let run = bench.app.run.as_ref().expect("a run");
    assert_eq!((run.cursor, run.moment()), (None, &run.live));
}

#[test]
fn a_live_run_does_not_move_a_cursor_that_was_set() {
    let events = case_a();
    let mut bench = Bench::told(160, 48, &events[..6]);
    bench.keys("Alt-5 Up Up");
    let before = bench.app.run.as_ref().and_then(|run| run.cursor);
    bench.send(Msg::Told(Told::Event(Box::new(events[6].clone()))));
    assert_eq!(bench.app.run.as_ref().and_then(|run| run.cursor), before);
}

#[test]
fn versions_are_stepped_with_the_arrows() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 Left");
    let place = bench.app.run.as_ref().and_then(querent::tui::moment::RunView::place);
    assert_eq!(place, Some((1, 0)));
    bench.sees("SELECT SUM(price) AS revenue");
    bench.misses("SELECT SUM(price_cents)");
    bench.keys("Right").sees("SELECT SUM(price_cents) AS revenue");
}

#[test]
fn a_switched_component_is_asked_again_as_a_child() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-2 Down Down Space");
    assert!(bench.app.context.switches.without.contains(&ComponentKind::Business));
    bench.sees("1 switched, r asks again");
    bench.keys("r");
    let question = asked(&bench).expect("asked again");
    assert_eq!(question.parent.as_ref().map(|id| id.0.as_str()), Some("0195-a"));
    assert!(question.switches.without.contains(&ComponentKind::Business));
    assert_eq!(question.text, "How much did we bring in with confirmed bookings?");
}

#[test]
fn a_table_is_previewed_with_its_name_quoted_where_needed() {
    let mut bench = Bench::open(160, 48);
    bench.keys("Alt-2 Down Enter");
    let question = asked(&bench).expect("a preview");
    assert_eq!(question.sql.as_deref(), Some("SELECT * FROM members"));
    assert_eq!(question.parent, None);
}

#[test]
fn own_sql_is_typed_from_an_empty_start_checked_and_run() {
    let mut bench = Bench::open(160, 48);
    bench.keys("Alt-3").text("SELECT 1");
    let checks = |e: &Effect| matches!(e, Effect::Check { sql, .. } if sql.starts_with("SELECT"));
    assert!(bench.wanted.iter().any(checks));
    bench.keys("F5");
    assert_eq!(asked(&bench).and_then(|q| q.sql.as_deref()), Some("SELECT 1"));
}

#[test]
fn an_edit_by_hand_runs_as_a_child_with_the_question() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 e").text(" LIMIT 1").keys("F5");
    let question = asked(&bench).expect("asked");
    assert_eq!(question.sql.as_deref(), Some(format!("{MENDED} LIMIT 1").as_str()));
    assert_eq!(question.parent.as_ref().map(|id| id.0.as_str()), Some("0195-a"));
    assert_eq!(question.text, "How much did we bring in with confirmed bookings?");
}

#[test]
fn copied_cells_are_the_exact_bytes() {
    let mut bench = Bench::told(160, 48, &case_a());
    let cells = vec![vec![Value::Text("\u{1b}[2J\n".into()), Value::Real(0.5)]];
    bench.page(&result(1, 1), page(&[("note", "text"), ("x", "real")], cells, true));
    bench.keys("Alt-4 y");
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy("\u{1b}[2J\n".into())));
    bench.keys("Y");
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy("\u{1b}[2J\n\t0.5".into())));
}

#[test]
fn rows_are_shown_and_counted_with_a_plus_while_they_arrive() {
    let events = case_a();
    let mut bench = Bench::told(160, 48, &events[..8]);
    let id = result(1, 1);
    bench.send(Msg::Told(Told::Pulse(Pulse::Rows { result: id.clone(), count: 10_000 })));
    assert!(bench.wanted.iter().any(|e| matches!(e, Effect::Page(of, _) if *of == id)));
    let rows = (0..40).map(|n| vec![Value::Integer(n)]).collect();
    let mut some = page(&[("n", "integer")], rows, false);
    some.total = 10_000;
    bench.page(&id, some);
    bench.sees("10,000+ rows (arriving)");
}

#[test]
fn names_are_completed_with_tab_while_they_are_on_offer() {
    let mut bench = Bench::open(100, 30);
    bench.text("sum of pri");
    assert!(bench.wanted.contains(&Effect::Complete("pri".into())));
    let offer = Completion { text: "price_cents".into(), what: "column of bookings".into() };
    bench.send(Msg::Completions(vec![offer]));
    bench.sees("column of bookings");
    bench.keys("Tab");
    assert_eq!(bench.app.question.editor.text(), "sum of price_cents");
    assert_eq!(bench.app.focus, Pane::Question);
}

#[test]
fn earlier_questions_come_back_and_the_draft_is_kept() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.app.question.past = vec!["second".into(), "first".into()];
    bench.keys("Alt-1 Ctrl-U").text("draft").keys("Up");
    assert_eq!(bench.app.question.editor.text(), "second");
    bench.keys("Up");
    assert_eq!(bench.app.question.editor.text(), "first");
    bench.keys("Down Down");
    assert_eq!(bench.app.question.editor.text(), "draft");
}

#[test]
fn runs_are_rated_and_verified_from_the_trace() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 +");
    assert!(matches!(bench.wanted.last(), Some(Effect::Rate(_, true))));
    bench.keys("v y");
    assert!(matches!(bench.wanted.last(), Some(Effect::Verify(_, true))));
}

#[test]
fn the_palette_finds_a_theme_and_a_typed_database() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Ctrl-P").text("light").keys("Enter");
    assert_eq!(bench.app.theme.name, "querent-light");
    bench.keys("Ctrl-P").text("/tmp/my.db").keys("Enter");
    let opens = |e: &&Effect| matches!(e, Effect::Open(terms) if terms.database.as_deref() == Some("/tmp/my.db"));
    assert!(bench.wanted.iter().any(|e| opens(&e)));
}

#[test]
fn a_foreign_run_changes_nothing() {
    let mut bench = Bench::told(100, 30, &case_a());
    let before = bench.screen();
    let mut event = case_a()[4].clone();
    event.run.0 = "other".into();
    bench.send(Msg::Told(Told::Event(Box::new(event))));
    assert_eq!(bench.screen(), before);
}

#[test]
fn every_key_of_every_footer_is_bound_where_it_is_shown() {
    let bench = Bench::open(160, 48);
    for bound in bench.app.keys.rows().iter().filter(|b| b.foot.is_some()) {
        let Some(key) = bound.keys.first() else { continue };
        let found = bench.app.keys.look(&[bound.place], key.presses());
        assert_eq!(found, Found::Does(bound.action));
    }
}

#[test]
fn a_digit_is_a_letter_where_nothing_is_on_offer() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.keys("Alt-1 Ctrl-U").text("2 rooms");
    assert_eq!(bench.app.question.editor.text(), "2 rooms");
}

#[test]
fn what_was_said_of_all_rows_is_not_said_of_some() {
    let mut bench = Bench::told(160, 48, &case_a());
    let some = |view| ResultId { view, ..result(1, 1) };
    bench
        .page(&some(0), page(&[("revenue", "integer")], vec![vec![Value::Integer(211_900)]], true));
    bench.sees("revenue is 211900.");
    bench.app.grid.show(Some(some(1)));
    bench.app.grid.take(page(&[("revenue", "integer")], Vec::new(), true));
    bench.sees("No row passes the filter.").misses("revenue is 211900.");
}
