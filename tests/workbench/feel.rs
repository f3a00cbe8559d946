//! How it feels: nothing typed is lost, nothing is verified by one key, nothing says what isn't so.

use insta::assert_snapshot;
use querent::domain::{
    Answer, Clarify, ComponentKind, Event, Happened, Paused, Resumed, RunId, Status, StopAt, Trust,
    Value,
};
use querent::pipeline::Told;
use querent::tui::effect::Effect;
use querent::tui::layout::{Layout, Pane};
use querent::tui::linear::Teller;
use querent::tui::moment::RunView;
use querent::tui::msg::{Judged, Mouse, Msg, Verdict};
use querent::tui::overlays::Overlay;

use super::bench::{Bench, opened, page, result};
use super::runs::{DRAFT, MENDED, case_a};

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

fn event(at_us: u64, happened: Happened) -> Event {
    Event { run: case_a()[0].run.clone(), at_us, happened }
}

fn run(bench: &Bench) -> &RunView {
    bench.app.run.as_ref().expect("a run")
}

fn asked(bench: &Bench) -> Vec<&querent::domain::Question> {
    bench
        .wanted
        .iter()
        .filter_map(
            |effect| if let Effect::Ask(question) = effect { Some(&**question) } else { None },
        )
        .collect()
}

/// Case A with another end.
fn ending(answer: Answer) -> Vec<Event> {
    let mut events = case_a();
    events.pop();
    events.push(event(1_880_000, Happened::Answered(Box::new(answer))));
    events
}

fn bare(status: Status) -> Answer {
    Answer {
        status,
        stop: None,
        clarify: None,
        trust: None,
        reasons: Vec::new(),
        assumptions: Vec::new(),
        summary: String::new(),
        chosen: None,
    }
}

/// Case A, answered with something open.
fn doubtful() -> Vec<Event> {
    ending(Answer {
        trust: Some(Trust::NeedsReview),
        reasons: vec!["The literal 'confirmed' was not found in bookings.status.".into()],
        chosen: Some((1, 1)),
        ..bare(Status::Answered)
    })
}

fn asked_back() -> Vec<Event> {
    let choices = vec!["Which rooms earned most?".into(), "Which rooms were booked most?".into()];
    let clarify = Some(Clarify { question: "What is best?".into(), choices });
    let mut events: Vec<Event> = case_a().drain(..2).collect();
    let answer = Answer { clarify, ..bare(Status::Clarify) };
    events.push(event(5_000, Happened::Answered(Box::new(answer))));
    events
}

fn before_call() -> Vec<Event> {
    let mut events: Vec<Event> = case_a().drain(..3).collect();
    events.push(event(13_000, Happened::Paused(Paused::Breakpoint { at: StopAt::BeforeCall })));
    events
}

fn wants_approval() -> Vec<Event> {
    let mut events: Vec<Event> = case_a().drain(..8).collect();
    let reason = "Every statement is shown before it runs.".into();
    let paused = Paused::Approval { sql: MENDED.into(), reason };
    events.push(event(1_865_000, Happened::Paused(paused)));
    events
}

// ---- verifying

#[test]
fn a_pair_is_verified_only_after_it_was_shown_with_what_is_open() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &doubtful());
        bench.keys("Alt-5 v");
        assert_snapshot!(format!("verify_{width}x{height}"), bench.screen());
        bench.sees("question  How much did we bring in with confirmed");
        bench.sees("! The literal 'confirmed' was not found").sees("SUM(price_cents)");
        assert!(!bench.wanted.iter().any(|e| matches!(e, Effect::Verify(..))));
        bench.keys("n");
        assert_eq!(bench.app.overlay, None);
        bench.keys("v Enter");
        assert!(bench.app.overlay.is_some(), "Enter is no yes");
        assert!(!bench.wanted.iter().any(|e| matches!(e, Effect::Verify(..))));
        bench.keys("y");
        assert_eq!(bench.wanted.last(), Some(&Effect::Verify(RunId("0195-a".into()), true)));
    }
}

#[test]
fn a_grounded_pair_is_asked_about_once_and_names_the_person() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench
        .keys("Alt-5 v")
        .sees("in the name of  someone")
        .sees("✓ every name and literal is proved");
    bench.keys("y").misses("✓ verified");
    let run = RunId("0195-a".into());
    // nothing is called verified before it was written down
    let judged = Judged { run: run.clone(), how: Verdict::Verified(true) };
    bench.send(Msg::Judged(judged));
    bench.sees("✓ verified").sees("Verified in the name of someone; v withdraws it.");
    bench.keys("v");
    assert_eq!(bench.wanted.last(), Some(&Effect::Verify(run, false)));
    assert_eq!(bench.app.overlay, None, "withdrawing loses nothing that can't be had again");
}

#[test]
fn a_run_without_an_answer_has_no_pair() {
    for status in [Status::GaveUp, Status::Cancelled, Status::Declined] {
        let mut bench = Bench::told(160, 48, &ending(bare(status)));
        bench.keys("Alt-5 v").sees("! Only an answered question can be verified.");
        assert_eq!(bench.app.overlay, None);
        assert!(!bench.wanted.iter().any(|e| matches!(e, Effect::Verify(..))));
        bench.misses("v verify");
    }
}

// ---- examples

#[test]
fn a_digit_takes_an_example_and_one_key_asks_it() {
    for (width, height) in SIZES {
        let mut bench = Bench::open(width, height);
        bench.keys("3");
        assert_snapshot!(format!("taken_{width}x{height}"), bench.screen());
        assert_eq!(bench.app.question.editor.text(), "Which room was booked most often?");
        assert!(asked(&bench).is_empty());
        bench.sees("F5 asks it");
        bench.keys("F5");
        assert_eq!(asked(&bench)[0].text, "Which room was booked most often?");
    }
}

#[test]
fn a_question_may_begin_with_a_digit() {
    let mut bench = Bench::open(100, 30);
    bench.text("2014 revenue");
    assert_eq!(bench.app.question.editor.text(), "2014 revenue");
    let mut bench = Bench::open(100, 30);
    bench.text("3 rooms");
    assert_eq!(bench.app.question.editor.text(), "3 rooms");
    assert!(asked(&bench).is_empty());
}

#[test]
fn what_was_taken_is_edited_emptied_or_given_back_like_a_selection() {
    let taken = "Which room was booked most often?";
    let mut bench = Bench::open(100, 30);
    bench.keys("3 Backspace");
    assert_eq!(bench.app.question.editor.text(), "");
    bench.keys("3 Esc");
    assert_eq!(bench.app.question.editor.text(), "");
    // after any other key it is a text like any other
    bench.keys("3 End").text("!");
    assert_eq!(bench.app.question.editor.text(), format!("{taken}!"));
    let mut bench = Bench::open(100, 30);
    bench.keys("3 Tab Shift-Tab").text("!");
    assert_eq!(bench.app.question.editor.text(), format!("{taken}!"));
}

#[test]
fn a_click_on_an_example_does_what_its_digit_does() {
    let mut bench = Bench::open(100, 30);
    let screen = bench.screen();
    let row = screen.lines().position(|line| line.contains("Which room was")).expect("a line");
    bench.send(Msg::Mouse(Mouse::Press, 20, u16::try_from(row).expect("a row")));
    assert_eq!(bench.app.question.editor.text(), "Which room was booked most often?");
    assert!(asked(&bench).is_empty());
    bench.text(" rooms");
    assert_eq!(bench.app.question.editor.text(), "3 rooms");
}

#[test]
fn a_reading_that_is_taken_belongs_to_the_run_that_asked() {
    let mut bench = Bench::told(160, 48, &asked_back());
    bench.keys("Alt-1 2 F5");
    let asked = asked(&bench);
    let question = asked.last().expect("asked");
    assert_eq!(question.text, "Which rooms were booked most?");
    assert_eq!(question.parent, Some(RunId("0195-a".into())));
    // in the result the number asks at once, and the footer says so
    let mut bench = Bench::told(160, 48, &asked_back());
    bench.keys("Alt-4").sees("a number asks it").misses("s sort");
    bench.keys("1");
    let asked = self::asked(&bench);
    assert_eq!(asked.last().expect("asked").text, "Which rooms earned most?");
}

// ---- nothing typed is lost

#[test]
fn a_preview_leaves_both_texts_where_they_are() {
    let mut bench = Bench::open(160, 48);
    bench.text("half a question").keys("Alt-3").text("SELECT half");
    bench.keys("Ctrl-T Enter").sees("Your unsent SQL is kept: n in its pane goes on with it.");
    assert_eq!(
        asked(&bench).last().expect("a preview").sql.as_deref(),
        Some("SELECT * FROM bookings")
    );
    assert_eq!(bench.app.question.editor.text(), "half a question");
    assert_eq!(bench.app.sql.editor.text(), "SELECT half");
    bench.keys("Alt-3 n");
    assert!(bench.app.sql.editing);
    assert_eq!(bench.app.sql.editor.text(), "SELECT half");
}

#[test]
fn sql_loaded_over_unsent_sql_is_one_undo_away() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 n").text("SELECT mine").keys("Esc e");
    assert_eq!(bench.app.sql.editor.text(), MENDED);
    bench.sees("· Your unsent SQL is kept: Alt-u brings it back.");
    bench.keys("Alt-u");
    assert_eq!(bench.app.sql.editor.text(), "SELECT mine");
    assert_eq!(bench.app.sql.parent, None, "it was made from no run");
}

#[test]
fn a_replayed_run_leaves_the_unsent_question_one_key_away() {
    let mut bench = Bench::open(160, 48);
    bench.text("half a thought");
    bench.send(Msg::Replayed(case_a()));
    bench.sees("Your unsent question is kept: ↑ brings it back.");
    bench.send(Msg::Runs(Vec::new()));
    bench.keys("Alt-1 Up");
    assert_eq!(bench.app.question.editor.text(), "half a thought");
    // and an emptied editor can be undone
    bench.keys("Ctrl-U Alt-u");
    assert_eq!(bench.app.question.editor.text(), "half a thought");
}

// ---- F5 and Esc

#[test]
fn f5_runs_ones_own_statement_again_after_it_was_cancelled() {
    let mut bench = Bench::open(160, 48);
    bench.keys("Alt-3").text("SELECT 1").keys("F5");
    let id = RunId("0195-own".into());
    bench.send(Msg::Started(id.clone()));
    let end = Happened::Answered(Box::new(bare(Status::Cancelled)));
    let event = Event { run: id.clone(), at_us: 1, happened: end };
    bench.send(Msg::Told(Told::Event(Box::new(event))));
    bench.send(Msg::Ended(id));
    for (n, pane) in ["Alt-3", "Alt-4", "Alt-5", "Alt-2"].into_iter().enumerate() {
        bench.keys(pane).keys("F5").misses("Type a question first");
        let asked = asked(&bench);
        assert_eq!((asked.len(), asked[n + 1].sql.as_deref()), (n + 2, Some("SELECT 1")), "{pane}");
        bench.app.run.as_mut().expect("a run").ended();
    }
}

#[test]
fn esc_closes_the_diff() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 d").sees("─ diff from the former");
    bench.keys("Esc").misses("─ diff from the former");
}

// ---- notices

#[test]
fn the_sign_of_a_notice_says_how_it_went() {
    let mut bench = Bench::told(160, 48, &case_a()[..5]);
    bench.keys("Alt-3 d").sees("· There is no other version to compare with.");
    bench.misses("✓ There is no other");
    let mut bench = Bench::open(160, 48);
    bench.keys("Ctrl-C").sees("· Press Ctrl-C again to leave.");
}

#[test]
fn a_notice_goes_with_what_it_is_about() {
    let mut bench = Bench::open(160, 48);
    bench.keys("F5").sees("! Type a question first.");
    bench.text("a").misses("Type a question first.");
    let mut bench = Bench::told(160, 48, &case_a());
    bench.send(Msg::Trouble("The check failed.".into()));
    bench.sees("! The check failed.");
    bench.text("x").sees("! The check failed.");
    bench.send(Msg::Replayed(
        case_a().into_iter().map(|e| Event { run: RunId("b".into()), ..e }).collect(),
    ));
    bench.misses("The check failed.");
    // what opening says stands for its time
    let mut bench = Bench::closed(160, 48);
    let mut told = opened();
    told.header.notices = vec!["The knowledge file names no table.".into()];
    bench.send(Msg::Opened(Box::new(told)));
    bench.text("a").sees("! The knowledge file names no table.");
    bench.send(Msg::Clock(4_000));
    bench.misses("The knowledge file names no table.");
}

// ---- states

/// Every key that a footer or the status line shows for the focused pane does something.
#[track_caller]
fn works(bench: &Bench, keys: &[&str]) {
    for key in keys {
        bench.sees(key);
    }
}

#[test]
fn the_footers_of_each_state_show_keys_that_work() {
    // idle: there is nothing to sort, play or compare
    let mut bench = Bench::open(160, 48);
    bench.misses("s sort").misses("p play").misses("d compare").misses("F5 ask ·");
    works(&bench, &["Tab next pane", "ready", "Enter rows"]);
    bench.text("a");
    works(&bench, &["F5 ask"]);
    // running
    let bench = Bench::told(160, 48, &case_a()[..5]);
    works(&bench, &["Esc cancels"]);
    bench.misses("v verify").misses("+ - rate").misses("p play");
    // a breakpoint: x stops, and is not said to explain
    let mut bench = Bench::told(160, 48, &before_call());
    bench.keys("Alt-5");
    works(&bench, &["F5 goes on", "x stops", "e edits the SQL", "x stop · e edit the SQL"]);
    // from the question letters are typed: only keys that are no letters are shown
    bench.keys("Alt-1").misses("x stops").misses("e edits the SQL");
    works(&bench, &["F5 goes on", "Esc cancels"]);
    bench.misses("F5 ask");
    let mut bench = Bench::told(160, 48, &wants_approval());
    bench.keys("Alt-3");
    works(&bench, &["F5 runs it", "x stops", "Alt-x explain"]);
    // the past: the key that returns is that of the pane
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Home");
    works(&bench, &["End returns to now", "End now"]);
    bench.keys("Alt-3");
    works(&bench, &["Esc returns to now"]);
    bench.keys("Esc").misses("returns to now").misses("End now");
    // played
    bench.keys("Alt-5 p");
    works(&bench, &["p holds still", "[ slower", "] faster", "p hold still"]);
    bench.keys("Alt-1").misses("p holds still");
    works(&bench, &["Esc returns to now"]);
    // gave up, cancelled, declined: no rows to sort
    for status in [Status::GaveUp, Status::Cancelled, Status::Declined] {
        let mut events: Vec<Event> = case_a().drain(..2).collect();
        events.push(event(5_000, Happened::Answered(Box::new(bare(status)))));
        let mut bench = Bench::told(160, 48, &events);
        bench.misses("s sort").misses("e edit").misses("v verify");
        bench.keys("Alt-5 F10").sees("+ - rate").misses("v verify");
    }
}

#[test]
fn the_status_line_of_a_paused_run_is_whole_at_every_width() {
    for events in [before_call(), wants_approval()] {
        for width in (20..=90).chain([100, 120, 160]) {
            let mut bench = Bench::told(width, 20, &events);
            bench.keys("Alt-5");
            let screen = bench.screen();
            let line = screen.lines().last().expect("a status line");
            assert!(line.contains('‖'), "{width}: {line}");
            let words = [
                "F5", "go", "goes", "on", "run", "runs", "it", "x", "stop", "stops", "e", "edit",
                "edits", "the", "SQL", "‖", "paused", "before", "model", "is", "asked", "for",
                "approval", "of", "?", "help", "Ctrl-P", "commands", "…",
            ];
            let budgets = line.split("att").next().expect("a head");
            for word in budgets.split_whitespace() {
                assert!(words.contains(&word), "{width}: '{word}' in '{line}'");
            }
            assert!(width < 30 || line.contains("x stop"), "{width}: {line}");
        }
    }
    let mut bench = Bench::told(60, 20, &before_call());
    bench.keys("Alt-5").sees("‖ paused  F5 goes on  x stops  e edits the SQL");
}

#[test]
fn no_footer_is_cut_within_a_key_at_any_width() {
    let keys = Bench::open(100, 30).app.keys;
    let known: Vec<String> = keys
        .rows()
        .iter()
        .filter_map(|b| Some(format!("{} {}", b.shown()?, b.foot.as_ref()?)))
        .collect();
    let others = ["Alt-x explain", "…"];
    for width in (24..=160).step_by(4) {
        for pane in ["Alt-1", "Alt-2", "Alt-3", "Alt-4", "Alt-5"] {
            let mut bench = Bench::told(width, 30, &case_a());
            let cells = vec![vec![Value::Integer(211_900)]];
            bench.page(&result(1, 1), page(&[("revenue", "integer")], cells, true));
            bench.keys(pane);
            for line in bench.screen().lines().filter(|line| line.contains('╰')) {
                for border in line.split('╰').skip(1).filter_map(|rest| rest.split('╯').next())
                {
                    let text = border.rsplit("──").find(|part| part.contains(' ')).unwrap_or("");
                    for hint in text.trim_matches(['─', ' ']).split(" · ").filter(|h| !h.is_empty())
                    {
                        let whole = known.iter().any(|k| k == hint) || others.contains(&hint);
                        assert!(
                            whole || hint.starts_with("row 1"),
                            "{width}: '{hint}' in '{border}'"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_screen_that_is_too_small_says_what_it_needs() {
    for (size, words) in [
        ((20, 5), "needs 60x20,\nhas 20x5"),
        ((40, 5), "too small: needs 60x20, has 40x5"),
        ((24, 3), "needs 60x20, has 24x3"),
        ((12, 1), "needs 60x20"),
        ((6, 2), "60x20"),
        ((3, 1), "…"),
    ] {
        let bench = Bench::open(size.0, size.1);
        assert_eq!(bench.screen().trim(), words, "{size:?}");
    }
}

#[test]
fn a_script_is_always_called_one() {
    for width in (20..=70).chain([80, 100, 120, 160]) {
        for events in [Vec::new(), case_a(), before_call()] {
            let bench = Bench::told(width, 30, &events);
            let screen = bench.screen();
            let header = screen.lines().next().expect("a header");
            assert!(header.contains("scripted"), "{width}: {header}");
        }
    }
    let bench = Bench::told(100, 30, &case_a());
    bench.sees("script:case-a (scripted)");
}

// ---- context

#[test]
fn what_the_run_was_told_with_is_not_called_switched() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-2 Down Down Space").sees("1 switched, r asks again");
    bench.sees("by hand: out next t");
    let switches = bench.app.context.switches.clone();
    bench.keys("r");
    let mut events = case_a();
    for event in &mut events {
        event.run = RunId("0195-b".into());
        if let Happened::Asked { question, .. } = &mut event.happened {
            question.switches = switches.clone();
        }
    }
    bench.send(Msg::Ended(RunId("0195-a".into())));
    bench.send(Msg::Started(RunId("0195-b".into())));
    for event in events {
        bench.send(Msg::Told(Told::Event(Box::new(event))));
    }
    bench.misses("switched, r asks again").misses("by hand: out").sees("· 1 by hand");
    // switched back, it is something new to ask for
    bench.keys("Alt-2 Home Down Down Space").sees("1 switched, r asks again");
    bench.sees("no longer by hand");
    assert!(!bench.app.context.switches.without.contains(&ComponentKind::Business));
}

// ---- trace

#[test]
fn a_filter_counts_what_it_shows_of_all() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5").sees("Trace ─ 13 events");
    // the check that failed is the only problem
    bench.keys("F F").sees("only problems · 1 of 13 events");
    bench.keys("F").sees("only model calls · 1 of 13 events");
    bench.keys("F").sees("only marked · 0 of 13 events");
}

#[test]
fn find_goes_to_the_line_that_shows_the_words() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 /").text("mend").keys("Enter");
    assert_eq!(run(&bench).at(), Some(6));
    let screen = bench.screen();
    let line = screen.lines().find(|line| line.contains('▶')).expect("a cursor");
    assert!(line.contains("mended"), "{line}");
    // folded attempts and what steps found are lines too
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Left Space /").text("mend").keys("Enter").sees("mended");
    assert_eq!(run(&bench).at(), Some(6));
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Home /").text("where status").keys("Enter");
    assert!(run(&bench).child > 0, "the line of the SQL");
    let screen = bench.screen();
    let line = screen.lines().find(|line| line.contains('▶')).expect("a cursor");
    assert!(line.contains("WHERE status"), "{line}");
    // what no line says isn't found
    bench.keys("Esc /").text("cd34ef").sees("nothing");
}

#[test]
fn line_ends_of_sql_are_spaces_in_what_is_told() {
    let mut events = case_a();
    if let Happened::Rewritten { repair, .. } = &mut events[6].happened {
        repair.from = DRAFT.into();
        repair.to = MENDED.into();
        repair.evidence = "one\ntwo".into();
    }
    for (width, height) in SIZES {
        for keys in ["Alt-5", "Alt-5 o", "Alt-3", "Alt-4", "Alt-2", "Alt-5 F10 o"] {
            let mut bench = Bench::told(width, height, &events);
            bench.keys(keys).misses("␊");
        }
    }
    // what is data keeps its mark
    let mut bench = Bench::told(160, 48, &case_a());
    let cells = vec![vec![Value::Text("two\nlines".into())]];
    bench.page(&result(1, 1), page(&[("note", "text")], cells, true));
    bench.sees("two␊lines");
}

#[test]
fn enter_on_a_step_tells_it_in_words() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Home");
    for n in 0..case_a().len() {
        bench.keys("Enter");
        let Some(Overlay::Text(whole)) = &bench.app.overlay else { panic!("a text of event {n}") };
        assert!(!whole.text.contains("\": "), "JSON of event {n}: {}", whole.text);
        assert!(!whole.text.trim().is_empty(), "nothing of event {n}");
        bench.keys("Esc Down");
    }
    bench.keys("Home Down Down Down Down Down Down Down Down Enter");
    bench.sees("ran ✓ · 1.87 s").sees("1 row of 1 column in 0.6 ms.").sees("revenue  integer");
    bench.sees("It is kept with the run.").sees("Limits: 30 s a statement, no limit of rows.");
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-5 Home Down Down Down Down Down Down Down Down Enter");
        assert_snapshot!(format!("ran_{width}x{height}"), bench.screen());
    }
}

#[test]
fn a_run_stopped_at_an_approval_is_cancelled_by_the_person() {
    let mut bench = Bench::told(160, 48, &wants_approval());
    bench.keys("Alt-3 x");
    assert_eq!(bench.wanted.last(), Some(&Effect::Resume(Resumed::Stop)));
    bench
        .send(Msg::Told(Told::Event(Box::new(event(1_866_000, Happened::Resumed(Resumed::Stop))))));
    let words = "Stopped by you: the SQL was not approved, and was not run.";
    let answer = Answer { reasons: vec![words.into()], ..bare(Status::Cancelled) };
    bench.send(Msg::Told(Told::Event(Box::new(event(
        1_867_000,
        Happened::Answered(Box::new(answer)),
    )))));
    bench.sees("· cancelled").sees(words).misses("gave up").misses("--yes");
    bench.misses("The database has stopped working on it");
}

// ---- lines for screen readers

#[test]
fn a_pane_that_is_told_is_not_told_again_at_another_size_of_the_terminal() {
    let mut bench = Bench::closed(80, 24);
    bench.app.linear = true;
    bench.send(Msg::Size(80, 24));
    let mut teller = Teller::default();
    assert!(teller.tell(&bench.app).is_some());
    bench.send(Msg::Size(132, 50));
    assert_eq!(teller.tell(&bench.app), None);
    assert_eq!(Layout::of(&bench.app).pane(Pane::Question).width, 160);
}
