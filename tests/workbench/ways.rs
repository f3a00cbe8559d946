//! Finding one's way: palette, help, past runs, themes, sizes, waiting questions, lines that are told.

use std::sync::Arc;

use insta::assert_snapshot;
use querent::config::Config;
use querent::domain::{Privacy, RunId};
use querent::pipeline::{Listed, StoredRun};
use querent::tui::effect::Effect;
use querent::tui::kept::{Found, Kept};
use querent::tui::layout::{Layout, Pane};
use querent::tui::linear::Teller;
use querent::tui::msg::{Mouse, Msg};
use querent::tui::overlays::Overlay;
use querent::tui::theme::{Role, Themes};

use super::bench::{Bench, opened};
use super::runs::case_a;

fn stored(run: &str, question: &str, status: &str, trust: &str, rows: Option<u64>) -> StoredRun {
    StoredRun {
        run: RunId(run.into()),
        asked_at: "2026-11-30T09:15:00+00:00".into(),
        database: "demo:reservo".into(),
        model: "script:case-a".into(),
        question: question.into(),
        status: status.into(),
        trust: trust.into(),
        rows,
        ..StoredRun::default()
    }
}

fn past() -> Vec<StoredRun> {
    let revenue = StoredRun {
        rating: "+".into(),
        verified_by: "ada".into(),
        sql: "SELECT SUM(price_cents) AS revenue\nFROM bookings\nWHERE status = 'confirmed'".into(),
        ..stored("05", "How much did we bring in?", "answered", "grounded", Some(1))
    };
    vec![
        revenue,
        stored(
            "04",
            "Which rooms are free on the second Monday of the month after next?",
            "clarify",
            "",
            None,
        ),
        stored("03", "Drop all bookings", "declined", "", None),
        stored("02", "How many bookings are there?", "answered", "needs_review", Some(12_345)),
        stored("01", "Which member never booked?", "cancelled", "", None),
    ]
}

fn history(width: u16, height: u16) -> Bench {
    let mut bench = Bench::open(width, height);
    bench.keys("Ctrl-R");
    bench.send(Msg::Runs(past()));
    bench
}

#[test]
fn lists_in_front_are_drawn_at_three_sizes() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Ctrl-P");
        assert_snapshot!(format!("ways_palette_{width}x{height}"), bench.screen());
        bench.keys("Esc Alt-5 F1");
        assert_snapshot!(format!("ways_help_{width}x{height}"), bench.screen());
        let bench = history(width, height);
        assert_snapshot!(format!("ways_history_{width}x{height}"), bench.screen());
        let mut bench = Bench::told(width, height, &case_a()[..6]);
        bench.keys("Alt-1 Ctrl-U").text("How many rooms?").keys("F5");
        bench.keys("Alt-1 Ctrl-U").text("And members?").keys("F5 Alt-q");
        assert_snapshot!(format!("ways_queue_{width}x{height}"), bench.screen());
        bench.keys("Esc Alt-n");
        assert_snapshot!(format!("ways_notices_{width}x{height}"), bench.screen());
    }
}

#[test]
fn a_command_of_another_pane_focuses_it_and_stands_first_next_time() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Ctrl-P").text("edit this sql").keys("Enter");
    assert_eq!(bench.app.focus, Pane::Sql);
    assert!(bench.app.sql.editing);
    assert!(bench.wanted.iter().any(|e| matches!(e, Effect::Remember(_))));
    bench.keys("Esc Ctrl-P").sees("Done last");
    let screen = bench.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let head = lines.iter().position(|line| line.contains("Done last")).expect("a heading");
    assert!(lines[head + 1].contains("Edit this SQL"), "{screen}");
}

#[test]
fn a_command_that_makes_no_sense_now_says_why_and_the_list_stays() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Ctrl-P").text("rate the run as good").keys("Enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::Palette(_))));
    bench.sees("! Nothing happened yet: ask a question.");
}

#[test]
fn a_theme_is_shown_while_it_is_chosen_and_esc_brings_the_former_back() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Alt-t Down");
    assert_eq!(bench.app.theme.name, "querent-light");
    bench.keys("Down");
    assert_eq!(bench.app.theme.name, "midnight");
    bench.keys("Esc");
    assert_eq!(bench.app.theme.name, "querent-dark");
    bench.keys("Alt-t Down Enter");
    assert_eq!(bench.app.theme.name, "querent-light");
    assert!(matches!(bench.wanted.last(), Some(Effect::Remember(_) | Effect::Colour { .. })));
}

#[test]
fn every_theme_draws_a_run_without_a_change_of_text() {
    let mut bench = Bench::told(160, 48, &case_a());
    let before = bench.screen();
    for listed in Themes::default().list() {
        bench.app.dress(&listed.name);
        assert_eq!(bench.app.theme.name, listed.name);
        assert_eq!(bench.screen(), before, "{}", listed.name);
        assert_ne!(bench.app.theme.style(Role::Cursor), bench.app.theme.style(Role::Text));
    }
}

#[test]
fn privacy_says_what_changes_and_to_whom() {
    let mut bench = Bench::open(160, 48);
    bench.app.header.remote = true;
    bench.app.header.model = "anthropic:claude".into();
    bench.keys("Alt-y Home Enter");
    assert_eq!(bench.app.terms.privacy, Some(Privacy::Names));
    bench.sees("Privacy names: only names, types, comments and your words may leave this machine, to anthropic:claude.");
}

#[test]
fn a_model_that_is_not_ready_says_what_stands_in_its_way() {
    let mut bench = Bench::open(100, 30);
    bench.app.models = vec![Listed {
        spec: "openai:gpt".into(),
        state: "OPENAI_API_KEY isn't set".into(),
        ready: false,
    }];
    bench.keys("Alt-m").sees("OPENAI_API_KEY isn't set");
    bench.keys("Enter");
    assert!(
        bench.wanted.iter().any(
            |e| matches!(e, Effect::Open(terms) if terms.model.as_deref() == Some("openai:gpt"))
        )
    );
}

#[test]
fn help_presses_the_chosen_key_in_its_pane() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("F1").text("show the whole event").keys("Enter");
    assert_eq!(bench.app.focus, Pane::Trace);
    assert!(matches!(bench.app.overlay, Some(Overlay::Text(_))));
}

#[test]
fn a_question_asked_while_one_runs_waits_and_starts_after_it() {
    let events = case_a();
    let mut bench = Bench::told(160, 48, &events[..6]);
    bench.keys("Alt-1 Ctrl-U").text("How many rooms?").keys("F5");
    let asked = |bench: &Bench| bench.wanted.iter().filter(|e| matches!(e, Effect::Ask(_))).count();
    assert_eq!((asked(&bench), bench.app.queue.len()), (1, 1));
    bench.sees("1 queued");
    for event in &events[6..] {
        bench.send(Msg::Told(querent::pipeline::Told::Event(Box::new(event.clone()))));
    }
    assert_eq!(asked(&bench), 1, "the run is still being stored");
    bench.send(Msg::Ended(events[0].run.clone()));
    assert_eq!((asked(&bench), bench.app.queue.len()), (2, 0));
    bench.misses("queued");
}

#[test]
fn a_waiting_question_is_taken_out_or_asked_now() {
    let mut bench = Bench::told(160, 48, &case_a()[..6]);
    for text in ["first", "second", "third"] {
        bench.keys("Alt-1 Ctrl-U").text(text).keys("F5");
    }
    bench.keys("Alt-q x");
    let texts: Vec<&str> = bench.app.queue.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(texts, ["second", "third"]);
    bench.keys("Down Enter");
    let texts: Vec<&str> = bench.app.queue.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(texts, ["third", "second"]);
    assert_eq!(bench.wanted.last(), Some(&Effect::Stop));
}

#[test]
fn another_database_lets_waiting_questions_go_and_says_so() {
    let mut bench = Bench::told(160, 48, &case_a()[..6]);
    bench.keys("Alt-1 Ctrl-U").text("first").keys("F5");
    let mut other = opened();
    other.header.database = "demo:sales".into();
    bench.send(Msg::Opened(Box::new(other)));
    assert!(bench.app.queue.is_empty());
    assert!(bench.app.notices.iter().any(|(words, ..)| words.contains("let go")));
}

#[test]
fn sizes_follow_keys_and_mouse_and_are_remembered_by_database() {
    let mut bench = Bench::told(160, 48, &case_a());
    let wide = |bench: &Bench| Layout::of(&bench.app).pane(Pane::Sql).width;
    let before = wide(&bench);
    bench.keys("Alt-3 Alt-Right");
    assert_eq!(wide(&bench), before + 2);
    bench.keys("Alt-Left Alt-Left");
    assert_eq!(wide(&bench), before - 2);
    let sql = Layout::of(&bench.app).pane(Pane::Sql);
    bench.send(Msg::Mouse(Mouse::Press, sql.x + 40, sql.bottom()));
    bench.send(Msg::Mouse(Mouse::Drag, sql.x + 40, sql.bottom() + 5));
    assert!(!bench.wanted.iter().any(|e| matches!(e, Effect::Remember(kept) if !kept.splits("demo:reservo").is_default() && kept.splits("demo:reservo") == bench.app.splits)), "not while it is drawn");
    bench.send(Msg::Mouse(Mouse::Release, sql.x + 40, sql.bottom() + 5));
    assert_eq!(Layout::of(&bench.app).pane(Pane::Sql).bottom(), sql.bottom() + 5);
    let Some(Effect::Remember(kept)) = bench.wanted.last() else { panic!("it is remembered") };
    assert_eq!(kept.splits("demo:reservo"), bench.app.splits);
    let mut other = opened();
    other.header.database = "demo:sales".into();
    bench.send(Msg::Opened(Box::new(other)));
    assert!(bench.app.splits.is_default());
    bench.send(Msg::Opened(Box::new(opened())));
    assert_eq!(Layout::of(&bench.app).pane(Pane::Sql).bottom(), sql.bottom() + 5);
    bench.keys("Alt-0");
    assert!(bench.app.splits.is_default());
}

#[test]
fn no_size_takes_a_pane_away() {
    for (width, height) in [(160, 48), (120, 24), (100, 30), (80, 20), (400, 100)] {
        for key in ["Alt-Right", "Alt-Left", "Alt-Down", "Alt-Up"] {
            for pane in ["Alt-1", "Alt-2", "Alt-3", "Alt-4", "Alt-5"] {
                let mut bench = Bench::told(width, height, &case_a());
                bench.keys(pane);
                for _ in 0..120 {
                    bench.keys(key);
                }
                let lay = Layout::of(&bench.app);
                for shown in [bench.app.focus, Pane::Question, Pane::Sql, Pane::Result] {
                    let area = lay.pane(shown);
                    assert!(
                        area.width >= 30 && area.height >= 3,
                        "{shown:?} {area:?} {key} {pane}"
                    );
                }
                bench.screen();
            }
        }
    }
}

#[test]
fn keys_that_are_shown_can_be_clicked() {
    let mut bench = Bench::told(160, 48, &case_a());
    let lay = Layout::of(&bench.app);
    let foot = |screen: &str, y: u16, word: &str| {
        let line: String = screen.lines().nth(usize::from(y)).expect("a line").into();
        let at = line.find(word).expect("the word is there");
        u16::try_from(line[..at].chars().count()).expect("a column")
    };
    let y = lay.pane(Pane::Sql).bottom() - 1;
    let x = foot(&bench.screen(), y, "e edit");
    bench.send(Msg::Mouse(Mouse::Press, x, y));
    assert!(bench.app.sql.editing);
    let x = foot(&bench.screen(), 47, "Ctrl-P commands");
    bench.send(Msg::Mouse(Mouse::Press, x, 47));
    assert!(matches!(bench.app.overlay, Some(Overlay::Palette(_))));
}

#[test]
fn a_click_in_a_list_chooses_and_one_more_is_enter() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Alt-t");
    let line = |bench: &Bench, word: &str| {
        let at = bench.screen().lines().position(|line| line.contains(word)).expect(word);
        u16::try_from(at).expect("a row")
    };
    let y = line(&bench, "paper:");
    bench.send(Msg::Mouse(Mouse::Press, 30, y));
    assert_eq!(bench.app.theme.name, "paper");
    assert!(bench.app.overlay.is_some());
    bench.send(Msg::Mouse(Mouse::Press, 30, y));
    assert!(bench.app.overlay.is_none());
    // beside the list nothing is chosen
    bench.keys("Alt-t");
    bench.send(Msg::Mouse(Mouse::Press, 0, y - 1));
    assert_eq!(bench.app.theme.name, "paper");
}

#[test]
fn a_double_click_opens_what_it_is_on() {
    let mut bench = Bench::told(160, 48, &case_a());
    let inside = Layout::of(&bench.app).inside(Pane::Trace);
    for _ in 0..2 {
        bench.send(Msg::Mouse(Mouse::Press, inside.x + 5, inside.y + 1));
    }
    assert!(matches!(bench.app.overlay, Some(Overlay::Text(_))));
}

#[test]
fn past_runs_are_searched_narrowed_and_used() {
    let mut bench = history(160, 48);
    bench.sees("5 ").sees("needs review").sees("12,345").sees("✓ pair");
    bench.keys("/").text("price_cents");
    bench.sees("1 of 5").sees("How much did we bring in?").misses("Drop all bookings");
    bench.keys("Enter y");
    assert!(
        matches!(bench.wanted.last(), Some(Effect::Copy(sql)) if sql.starts_with("SELECT SUM"))
    );
    bench.keys("Esc").sees("Drop all bookings");
    bench.keys("o").sees("answered · 1 of 5").misses("Drop all bookings");
    bench.keys("o o o").sees("failed · 1 of 5").sees("Drop all bookings");
    bench.keys("Esc + + +").sees("verified · 1 of 5");
    bench.keys("Esc r");
    assert!(
        matches!(bench.wanted.last(), Some(Effect::Ask(q)) if q.text == "How much did we bring in?")
    );
}

#[test]
fn two_marked_runs_are_compared_the_older_at_the_left() {
    let mut bench = history(100, 30);
    bench.keys("c").sees("Mark two runs with Space first.");
    // marking goes on to the next run; a third mark takes the place of the first
    bench.keys("Space Space Space");
    let Some(Overlay::Runs(runs)) = &bench.app.overlay else { panic!("the list stays") };
    assert_eq!(runs.marked, [RunId("04".into()), RunId("03".into())]);
    bench.keys("c");
    let Some(Overlay::Compare(compare)) = &bench.app.overlay else { panic!("they are compared") };
    assert_eq!(compare.runs, (RunId("03".into()), RunId("04".into())));
}

#[test]
fn a_long_wait_is_said_with_its_seconds() {
    let mut bench = Bench::open(100, 30);
    bench.send(Msg::Clock(1_000));
    bench.keys("F9");
    bench.send(Msg::Clock(1_150));
    bench.misses("reading the structure");
    bench.send(Msg::Clock(2_300));
    bench.sees("reading the structure  1.3 s");
    bench.send(Msg::Refreshed(Arc::default()));
    bench.misses("reading the structure");
}

#[test]
fn what_was_remembered_is_taken_at_the_start_and_troubles_are_said() {
    let mut bench = Bench::closed(100, 30);
    let mut kept = Kept::default();
    kept.did("refresh");
    bench.app.config =
        Arc::new(Config { theme: "paper".into(), keymap: "vim".into(), ..Config::default() });
    let troubles = vec!["One thing is wrong.".to_owned()];
    bench.app.furnish(Found { kept, troubles, ..Found::default() });
    assert_eq!((bench.app.theme.name.as_str(), bench.app.keys.name.as_str()), ("paper", "vim"));
    bench.sees("! One thing is wrong.");
    assert!(bench.wanted.is_empty());
}

#[test]
fn the_workbench_is_told_as_plain_lines() {
    let mut bench = Bench::closed(80, 24);
    bench.app.linear = true;
    bench.app.dress("monochrome");
    bench.send(Msg::Size(80, 24));
    let mut teller = Teller::default();
    let mut told = String::new();
    let mut tell = |bench: &Bench, keys: &str| {
        told.extend(["[", keys, "]\n"]);
        if let Some(telling) = teller.tell(&bench.app) {
            for line in &telling.lines {
                told.extend([line.as_str(), "\n"]);
            }
            told.extend(["> ", telling.prompt.as_str(), "\n"]);
        }
    };
    tell(&bench, "start");
    bench.send(Msg::Opened(Box::new(opened())));
    tell(&bench, "opened");
    for keys in ["Alt-2", "Down", "Alt-1", "H i", "Backspace Backspace 2", "F5"] {
        bench.keys(keys);
        tell(&bench, keys);
    }
    let events = case_a();
    bench.send(Msg::Started(events[0].run.clone()));
    for event in &events {
        bench.send(Msg::Told(querent::pipeline::Told::Event(Box::new(event.clone()))));
    }
    tell(&bench, "answered");
    for keys in ["Alt-3", "Left", "Alt-5", "Up", "F1", "Down", "Esc"] {
        bench.keys(keys);
        tell(&bench, keys);
    }
    assert!(!told.chars().any(|c| ('\u{2500}'..='\u{259f}').contains(&c)), "{told}");
    assert_snapshot!("ways_linear", told);
}
