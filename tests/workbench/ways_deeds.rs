//! No key without a deed: from a state where it makes sense, every row of the key table changes the
//! screen, the state, or wants something outside.

use querent::domain::Value;
use querent::pipeline::{Completion, StoredRun};
use querent::tui::action::Action;
use querent::tui::keymap::{Bound, Place};
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;
use querent::tui::overlays::text::Whole;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::bench::{Bench, page, result};
use super::runs::case_a;

/// A run that has ended, with a result of some rows and columns.
fn ended() -> Bench {
    let mut bench = Bench::told(160, 48, &case_a());
    let row = |n| vec![Value::Integer(n), Value::Text(format!("row {n}")), Value::Null];
    let columns = [("n", "integer"), ("note", "text"), ("rest", "text")];
    bench.page(&result(1, 1), page(&columns, (0..80).map(row).collect(), true));
    bench.app.question.past = vec!["second one".into(), "first one".into()];
    bench
}

fn overlay(keys: &str) -> Bench {
    let mut bench = ended();
    bench.keys("Alt-5").keys(keys);
    bench
}

/// A workbench in which the keys of a place work; none for places that other tests prepare.
fn prepared(place: Place) -> Option<Bench> {
    let mut bench = ended();
    match place {
        Place::Trace | Place::List => bench.keys("Alt-5 Up"),
        Place::Anywhere => bench.keys("Alt-4"),
        Place::Question => bench.keys("Alt-1 Up Ctrl-Left"),
        Place::Suggest => {
            bench = Bench::open(160, 48);
            &mut bench
        }
        Place::Completion => {
            bench.keys("Alt-1 Ctrl-U").text("pri");
            let offer = |text: &str| Completion { text: text.into(), what: "column".into() };
            let offers = vec![offer("price"), offer("price_cents"), offer("prices")];
            bench.send(Msg::Completions(offers));
            bench.keys("Down")
        }
        Place::Context => bench.keys("Alt-2 Down"),
        Place::Sql => bench.keys("Alt-3"),
        Place::SqlEditor => bench.keys("Alt-3 e Ctrl-Left"),
        Place::Result => bench.keys("Alt-4 Down Right"),
        Place::Help => bench.keys("F1"),
        Place::Palette => bench.keys("Ctrl-P"),
        Place::Runs | Place::Search => {
            bench.keys("Ctrl-R");
            let run = |n: u8| StoredRun {
                run: querent::domain::RunId(format!("{n}")),
                question: format!("question {n}"),
                sql: format!("SELECT {n}"),
                status: "answered".into(),
                ..StoredRun::default()
            };
            bench.send(Msg::Runs(vec![run(3), run(2), run(1)]));
            if place == Place::Search { bench.keys("/").text("q") } else { bench.keys("Down") }
        }
        Place::Queue => {
            bench = Bench::told(160, 48, &case_a()[..6]);
            for text in ["one", "two", "three"] {
                bench.keys("Alt-1 Ctrl-U").text(text).keys("F5");
            }
            bench.keys("Alt-q Down")
        }
        Place::Notices => {
            bench.app.say("One.", querent::tui::app::Tone::Done);
            bench.app.say("Two.", querent::tui::app::Tone::Done);
            bench.app.say("Three.", querent::tui::app::Tone::Done);
            bench.keys("Alt-n Down")
        }
        Place::Text | Place::Overlay => {
            let lines: Vec<String> = (0..200).map(|n| format!("line {n}")).collect();
            bench.app.overlay = Some(Overlay::Text(Whole::of("text", lines.join("\n"))));
            bench.keys("PageDown")
        }
        Place::Confirm => {
            bench.keys("Alt-1").text(" more");
            bench.keys("Ctrl-Q")
        }
        _ => return None,
    };
    Some(bench)
}

/// What a state looks like from outside.
fn seen(bench: &Bench) -> (Buffer, Option<Position>, String) {
    let app = &bench.app;
    let mut cells = Buffer::empty(Rect::new(0, 0, app.size.0, app.size.1));
    let cursor = querent::tui::view::draw(app, &mut cells);
    let (wanted, leave) = (bench.wanted.len(), app.leave);
    let rest =
        format!("{wanted} {leave:?} {:?} {:?} {}", app.interrupted, app.overlay, app.writing);
    (cells, cursor, rest)
}

/// Rows that may change nothing in the state prepared here, with the reason.
#[expect(clippy::match_same_arms, reason = "each arm has a reason of its own")]
fn excused(bound: &Bound) -> bool {
    match (bound.place, bound.action) {
        // the state prepared is at that end already
        (Place::Anywhere, Action::Evenly | Action::GoResult | Action::Cancel) => true,
        // no column is hidden, none is cut, and there is no filter
        (Place::Result, Action::Unfilter | Action::ShowColumns | Action::FitColumn) => true,
        // no version follows the last one
        (Place::Sql | Place::Trace, Action::NextVersion) => true,
        // the SQL of the run fits its pane: there is nothing to scroll
        (Place::Sql, action) if querent::tui::sense::moves(action) => true,
        // readings are on offer only where a question is asked back, speeds while a run is played
        (Place::Result, action) if action.suggestion().is_some() => true,
        (Place::Trace, Action::Slower | Action::Faster) => true,
        // nothing was taken back yet
        (Place::Question | Place::SqlEditor, Action::Redo | Action::Undo) => true,
        _ => false,
    }
}

#[test]
fn every_key_does_something_where_it_makes_sense() {
    let keys = Bench::open(160, 48).app.keys.rows().to_vec();
    let mut silent = Vec::new();
    let mut pressed = 0;
    for bound in keys.iter().filter(|bound| !excused(bound)) {
        let Some(key) = bound.keys.first() else { continue };
        let Some(mut bench) = prepared(bound.place) else { continue };
        let before = seen(&bench);
        for press in key.presses() {
            bench.send(Msg::Key(*press));
        }
        pressed += 1;
        if seen(&bench) == before {
            silent.push(format!("{:?}: {} does not {:?}", bound.place, key.words(), bound.action));
        }
    }
    assert!(pressed > 100, "{pressed}");
    assert!(silent.is_empty(), "keys that do nothing:\n{}", silent.join("\n"));
}

#[test]
fn lists_in_front_close_with_esc() {
    for key in ["F1", "Ctrl-P", "Ctrl-R", "Alt-n", "Alt-t", "Alt-m", "Alt-o", "Alt-y", "Alt-k"] {
        let mut bench = overlay(key);
        assert!(bench.app.overlay.is_some() || key == "Alt-n", "{key}");
        bench.keys("Esc");
        assert!(bench.app.overlay.is_none(), "{key}");
    }
}
