//! Time travel: the trace as a tree, waiting for a person, playing, marking, finding, copying.

use insta::assert_snapshot;
use querent::domain::{
    Answer, Call, Check, ComponentKind, Event, Finding, Happened, Origin, Paused, Resumed,
    RunPolicy, Severity, Stage, Status, StopAt, Stops, Trust, Usage,
};
use querent::pipeline::Told;
use querent::tui::action::Action;
use querent::tui::effect::Effect;
use querent::tui::layout::Pane;
use querent::tui::moment::RunView;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;
use querent::tui::panes::tree::Filter;
use querent::tui::waits::Waits;

use super::bench::Bench;
use super::runs::{DRAFT, MENDED, case_a};

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

fn run(bench: &Bench) -> &RunView {
    bench.app.run.as_ref().expect("a run")
}

fn event(at_us: u64, happened: Happened) -> Event {
    Event { run: case_a()[0].run.clone(), at_us, happened }
}

/// Two attempts: the first fails at a name, the second runs with a warning.
#[expect(clippy::too_many_lines, reason = "a run is told event by event")]
fn two_attempts() -> Vec<Event> {
    let mut events: Vec<Event> = case_a().drain(..6).collect();
    let Happened::PackageReady(package) = &events[2].happened else { panic!("a package") };
    let mut package = package.clone();
    for part in &mut package.components {
        if part.kind == ComponentKind::Errors {
            (part.included, part.tokens) = (true, 74);
            part.text = "PREVIOUS ERRORS".into();
            part.reason = "one error of this run".into();
        }
    }
    package.tokens += 74;
    let call = Call {
        model: "script:case-a".into(),
        request: "cd34".into(),
        messages: vec![],
        reply: "{}".into(),
        usage: Usage { input_tokens: 1_402, output_tokens: 96, cached_tokens: 1_280 },
        elapsed_us: 2_210_000,
        cost: Some(0.0042),
    };
    let finding = Finding {
        gate: "integer_division".into(),
        severity: Severity::Warning,
        message: "The ratio is cut to a whole number.".into(),
        evidence: "both sides are integers: 7 / 2 = 3".into(),
        retryable: false,
        hint: None,
        span: None,
        rewrite: None,
    };
    let check = |stage| Check { stage, ok: true, elapsed_us: 100 };
    let Happened::Ran { rows, .. } = case_a()[8].happened.clone() else { panic!("rows") };
    let told = vec![
        (1_862_000, Happened::Advised { attempt: 1, version: 0, words: "two close names".into() }),
        (1_863_000, Happened::AttemptClosed { attempt: 1, outcome: "failed at bind".into() }),
        (1_864_000, Happened::PackageReady(package)),
        (
            4_080_000,
            Happened::Drafted {
                attempt: 2,
                origin: Origin::Model,
                sql: MENDED.into(),
                note: "The column is price_cents.".into(),
                calls: vec![call],
                semantic_retry: false,
            },
        ),
        (
            4_082_000,
            Happened::Checked {
                attempt: 2,
                version: 0,
                checks: vec![check(Stage::Parse), check(Stage::Bind), check(Stage::Prepare)],
                analysed: true,
                findings: vec![finding],
                failure: None,
            },
        ),
        (4_083_000, Happened::Ran { attempt: 2, version: 0, rows, elapsed_us: 600 }),
        (4_084_000, Happened::Reviewed { attempt: 2, version: 0, findings: vec![] }),
        (4_085_000, Happened::AttemptClosed { attempt: 2, outcome: "stands".into() }),
        (4_086_000, Happened::Explained { english: "the sum of price_cents".into() }),
        (
            4_090_000,
            Happened::Answered(Box::new(Answer {
                status: Status::Answered,
                stop: None,
                clarify: None,
                trust: Some(Trust::NeedsReview),
                reasons: vec!["The ratio is cut to a whole number.".into()],
                assumptions: vec![],
                summary: "revenue is 211900.".into(),
                chosen: Some((2, 0)),
            })),
        ),
    ];
    events.extend(told.into_iter().map(|(at_us, happened)| event(at_us, happened)));
    events
}

fn paused(at_us: u64, at: StopAt) -> Event {
    event(at_us, Happened::Paused(Paused::Breakpoint { at }))
}

/// A run that waits for approval of the SQL that was mended.
fn wants_approval() -> Vec<Event> {
    let mut events: Vec<Event> = case_a().drain(..8).collect();
    let reason = "Every statement is shown before it runs.".into();
    events
        .push(event(1_865_000, Happened::Paused(Paused::Approval { sql: MENDED.into(), reason })));
    events
}

/// A run that waits before the model is asked.
fn before_call() -> Vec<Event> {
    let mut events: Vec<Event> = case_a().drain(..3).collect();
    events.push(paused(13_000, StopAt::BeforeCall));
    events
}

#[test]
fn the_tree_is_drawn_unfolded_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &two_attempts());
        bench.keys("Alt-5 o");
        assert_snapshot!(format!("tree_{width}x{height}"), bench.screen());
    }
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 o F10");
    assert_snapshot!("tree_alone_160x48", bench.screen());
}

#[test]
fn space_unfolds_what_a_step_found_and_folds_it_from_inside() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 Up Up Up Up Up Space");
    bench.sees("! integer_division").sees("both sides are integers: 7 / 2 = 3");
    bench.keys("Down Down");
    assert_eq!(run(&bench).child, 2, "stages, then the finding");
    bench.keys("Space").misses("both sides are integers");
    assert_eq!(run(&bench).child, 0);
}

#[test]
fn a_child_is_the_same_moment_as_its_event() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 o Home");
    let before = run(&bench).moment().clone();
    bench.keys("Down");
    assert!(run(&bench).child > 0);
    assert_eq!(*run(&bench).moment(), before);
}

#[test]
fn an_attempt_is_folded_and_stands_for_its_end() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 Home Down Down Down Down Down Down Down Space");
    bench.misses("two close names").sees("▸ 1 ✗");
    bench.keys("Space").sees("two close names").sees("▾ 1 ✗");
}

#[test]
fn each_line_says_what_it_took_and_what_is_left() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 F10");
    // three attempts and twelve calls are allowed, two of each were spent
    bench.sees("1 attempt left").sees("10 calls left").sees("$0.0042").sees("1,498 tok");
}

#[test]
fn changes_of_the_package_are_marked_under_the_second_package() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 o");
    bench.sees("+ errors").sees("+74 tok");
}

#[test]
fn what_changed_in_the_sql_stands_under_the_second_draft() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 o").sees("~ SQL").sees("price → price_cents");
}

#[test]
fn esc_leaves_the_editor_and_the_past_before_it_cancels_a_run_that_waits() {
    let mut bench = Bench::told(160, 48, &wants_approval());
    let stopped = |bench: &Bench| bench.wanted.contains(&Effect::Stop);
    bench.keys("Alt-5 Home e Esc");
    assert!(!bench.app.sql.editing && !stopped(&bench));
    bench.keys("Alt-5 Home Esc");
    assert!(run(&bench).cursor.is_none() && !stopped(&bench));
    bench.keys("Esc");
    assert!(stopped(&bench));
}

#[test]
fn sql_that_wants_approval_is_in_front_where_one_pane_is_shown() {
    let bench = Bench::told(60, 20, &wants_approval());
    assert_eq!(bench.app.focus, Pane::Sql);
    bench.sees("price_cents").sees("‖ paused  F5 runs it  x stops");
}

#[test]
fn a_breakpoint_is_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &before_call());
        bench.keys("Alt-5");
        assert_snapshot!(format!("paused_{width}x{height}"), bench.screen());
        bench.sees("before the model is asked").sees("‖ paused").sees("x stops");
        let mut bench = Bench::told(width, height, &wants_approval());
        bench.keys("Alt-3");
        assert_snapshot!(format!("approval_{width}x{height}"), bench.screen());
        bench.sees("SELECT SUM(price_cents) AS revenue").sees("‖ paused").sees("x stops");
    }
}

#[test]
fn nothing_moves_while_a_run_waits() {
    let mut bench = Bench::told(100, 30, &before_call());
    bench.app.waits = Waits::default();
    assert!(bench.app.running());
    assert!(!bench.app.moving());
}

#[test]
fn f5_goes_on_from_every_pane_and_enter_on_the_line_that_waits() {
    for keys in ["Alt-1 F5", "Alt-2 F5", "Alt-3 F5", "Alt-4 F5", "Alt-5 F5", "Alt-5 Enter"] {
        let mut bench = Bench::told(160, 48, &before_call());
        bench.keys(keys);
        assert_eq!(bench.wanted.last(), Some(&Effect::Resume(Resumed::Go)), "{keys}");
    }
}

#[test]
fn a_new_question_does_not_resume_the_run_that_waits_but_is_asked_after_it() {
    let mut bench = Bench::told(160, 48, &before_call());
    bench.keys("Alt-1 Ctrl-U").text("How many rooms?").keys("F5");
    assert_eq!(bench.app.queue.first().map(|q| q.text.as_str()), Some("How many rooms?"));
    assert!(!bench.wanted.iter().any(|effect| matches!(effect, Effect::Resume(_))));
}

#[test]
fn x_stops_and_esc_cancels_where_a_run_waits() {
    let mut bench = Bench::told(160, 48, &before_call());
    bench.keys("Alt-5 x");
    assert_eq!(bench.wanted.last(), Some(&Effect::Resume(Resumed::Stop)));
    bench.keys("Esc");
    assert_eq!(bench.wanted.last(), Some(&Effect::Stop));
}

#[test]
fn edited_sql_goes_on_in_the_same_run() {
    let mut bench = Bench::told(160, 48, &wants_approval());
    bench.keys("Alt-5 e");
    assert_eq!(bench.app.focus, Pane::Sql);
    assert_eq!(bench.app.sql.editor.text(), MENDED);
    bench.text(" LIMIT 1").sees("goes on with this SQL");
    bench.keys("F5");
    let sql = format!("{MENDED} LIMIT 1");
    assert!(bench.wanted.contains(&Effect::Resume(Resumed::WithSql { sql })));
    assert!(!bench.app.unsaved());
}

#[test]
fn sql_left_as_it_was_is_approved() {
    let mut bench = Bench::told(160, 48, &wants_approval());
    bench.keys("Alt-3 e F5");
    assert_eq!(bench.wanted.last(), Some(&Effect::Resume(Resumed::Go)));
}

#[test]
fn sql_is_written_where_no_draft_is_there_yet() {
    let mut bench = Bench::told(160, 48, &before_call());
    bench.keys("Alt-5 e").text("SELECT 1").keys("F5");
    let sql = "SELECT 1".to_owned();
    assert!(bench.wanted.contains(&Effect::Resume(Resumed::WithSql { sql })));
}

#[test]
fn switches_turned_at_a_pause_go_on_in_the_same_run() {
    for go in ["F5", "r"] {
        let mut bench = Bench::told(160, 48, &before_call());
        bench.keys("Alt-2 Down Down Space").sees("goes on with these switches");
        bench.keys(go);
        let Some(Effect::Resume(Resumed::WithSwitches { switches })) = bench.wanted.last() else {
            panic!("{:?}", bench.wanted.last());
        };
        assert!(switches.without.contains(&ComponentKind::Business));
    }
}

#[test]
fn where_runs_wait_is_chosen_in_a_list_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-5 b Space Down Down Space");
        assert_snapshot!(format!("stops_{width}x{height}"), bench.screen());
    }
}

#[test]
fn breakpoints_hold_for_the_next_run_and_the_one_that_goes_on() {
    let mut bench = Bench::told(160, 48, &case_a()[..3]);
    bench.keys("Alt-5 b Space");
    let stops = Stops { before_call: true, ..Stops::default() };
    assert_eq!(bench.wanted.last(), Some(&Effect::Stops(stops)));
    bench.keys("Down Down Down Down Down Enter Esc");
    let stops = Stops { policy: RunPolicy::Ask, ..stops };
    assert_eq!(bench.wanted.last(), Some(&Effect::Stops(stops)));
    assert_eq!(bench.app.made("any", None, None).options.stops, stops);
    bench.sees("‖ waits: call, ask");
    // from anywhere, and nothing is told to a run that has ended
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-1 Alt-s");
    assert!(matches!(bench.app.overlay, Some(Overlay::Stops(_))));
    let before = bench.wanted.len();
    bench.keys("Space");
    assert!(!bench.wanted[before..].iter().any(|e| matches!(e, Effect::Stops(_))));
}

#[test]
fn a_run_is_played_in_its_own_time_from_the_start() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 p");
    assert_eq!(run(&bench).cursor, Some(0));
    bench.sees("▶ 1x · 1 of 16");
    assert!(bench.app.moving());
    // the first events come within 12 ms of the run: each is looked at for 400 ms
    bench.send(Msg::Clock(399));
    assert_eq!(run(&bench).cursor, Some(0));
    bench.send(Msg::Clock(400));
    assert_eq!(run(&bench).cursor, Some(1));
    bench.send(Msg::Clock(800));
    assert_eq!(run(&bench).cursor, Some(2));
    // the plan came 1.848 s after the package
    bench.send(Msg::Clock(2_647));
    assert_eq!(run(&bench).cursor, Some(2));
    bench.send(Msg::Clock(2_648));
    assert_eq!(run(&bench).cursor, Some(3));
    // five more come within 4 ms
    bench.send(Msg::Clock(2_648 + 5 * 400));
    assert_eq!(run(&bench).cursor, Some(8));
    // the second model call took 2.2 s: no wait is longer than 2 s
    bench.send(Msg::Clock(4_648 + 1_999));
    assert_eq!(run(&bench).cursor, Some(8));
    bench.send(Msg::Clock(4_648 + 2_000));
    assert_eq!(run(&bench).cursor, Some(9));
    // five more, and the last one is now
    bench.send(Msg::Clock(6_648 + 6 * 400));
    assert_eq!(run(&bench).cursor, None, "at the end, now is followed");
    assert_eq!(run(&bench).playing, None);
}

#[test]
fn speeds_are_changed_while_it_plays_and_drawn() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &two_attempts());
        bench.keys("Alt-5 p ] ]");
        assert_snapshot!(format!("playing_{width}x{height}"), bench.screen());
    }
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 p [ [ [").sees("▶ 0.25x");
    bench.keys("] ] ] ] ] ] ] ] ]").sees("as fast as drawn");
    for clock in 1..=15 {
        bench.send(Msg::Clock(clock * 16));
    }
    assert_eq!(run(&bench).cursor, None, "an event a frame");
}

#[test]
fn any_movement_stops_playing_and_p_holds_still() {
    for key in ["Up", "Down", "PageUp", "Left", "Home", "p"] {
        let mut bench = Bench::told(160, 48, &two_attempts());
        bench.keys("Alt-5 Home Down Down p");
        bench.keys(key);
        assert_eq!(run(&bench).playing, None, "{key}");
    }
}

#[test]
fn a_run_that_goes_on_is_played_up_to_now_and_then_followed() {
    let mut bench = Bench::told(160, 48, &case_a()[..6]);
    bench.keys("Alt-5 p").sees("The run is followed as it goes.");
    bench.keys("Home p");
    bench.send(Msg::Clock(10_000));
    assert_eq!(run(&bench).cursor, None);
    bench.send(Msg::Told(Told::Event(Box::new(case_a()[6].clone()))));
    assert_eq!(run(&bench).at(), Some(6));
}

#[test]
fn events_are_marked_listed_and_gone_to() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 Home m Down Down m").sees("◆");
    bench.keys("End '");
    assert_snapshot!("marks_160x48", bench.screen());
    bench.keys("Down Enter");
    assert_eq!(run(&bench).cursor, Some(2));
    bench.keys("' m Esc");
    assert_eq!(run(&bench).marks.iter().copied().collect::<Vec<_>>(), [2]);
    bench.keys("m");
    assert!(run(&bench).marks.is_empty());
}

#[test]
fn kinds_of_events_are_listed_alone_and_the_title_says_so() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 F").sees("only attempts").misses("understood");
    bench.keys("F").sees("only problems").sees("column 'price' doesn't exist").misses("understood");
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &two_attempts());
        bench.keys("Alt-5 F F");
        assert_snapshot!(format!("filtered_{width}x{height}"), bench.screen());
    }
    bench.keys("F10 F").sees("only model calls").sees("1,402 read (1,280 from cache), 96 written");
    bench.keys("F").sees("only marked").sees("Nothing here is listed");
    bench.keys("F");
    assert_eq!(bench.app.trace.filter, Filter::All);
}

#[test]
fn words_are_found_as_they_are_typed_also_in_what_is_folded() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 Home /").text("INTEGER");
    assert_eq!(run(&bench).cursor, Some(10));
    bench.sees("! integer_division").sees("2 lines");
    assert_snapshot!("find_160x48", bench.screen());
    bench.keys("Enter");
    assert_eq!((run(&bench).cursor, &bench.app.overlay), (Some(10), &None));
    // SQL counts too: both drafts hold the word
    bench.keys("/").text("from bookings").keys("Enter");
    let at = run(&bench).cursor;
    bench.keys("n");
    assert_ne!(run(&bench).cursor, at);
    bench.keys("N");
    assert_eq!(run(&bench).cursor, at);
}

#[test]
fn a_search_that_is_given_up_goes_back() {
    let mut bench = Bench::told(160, 48, &two_attempts());
    bench.keys("Alt-5 /").text("price").keys("Esc");
    assert_eq!(run(&bench).cursor, None);
    bench.keys("n").sees("Nothing was looked for yet.");
    bench.keys("/").text("no such words anywhere").sees("nothing");
    bench.keys("Enter");
    assert_eq!(run(&bench).cursor, None);
}

#[test]
fn a_line_and_the_whole_run_are_copied() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-5 Home Down y");
    let line = "0.00  understood  aggregation   \"how much\"".to_owned();
    assert_eq!(bench.wanted.last(), Some(&Effect::Copy(line)));
    let copied = |bench: &Bench| match bench.wanted.last() {
        Some(Effect::Copy(text)) => text.clone(),
        other => panic!("{other:?}"),
    };
    bench.keys("Y Enter");
    let report = copied(&bench);
    assert!(report.starts_with("# How much did we bring in with confirmed bookings?"));
    // rows are kept apart from the events, and put back
    assert!(report.contains("| 211900 |"), "{report}");
    assert!(report.contains(DRAFT) && report.contains(MENDED));
    bench.keys("Y Down Enter");
    let json: serde_json::Value = serde_json::from_str(&copied(&bench)).expect("JSON");
    assert_eq!(json["rows"][0][0], 211_900);
    bench.keys("Y Down Down Enter");
    let events = copied(&bench);
    let read: Vec<Event> =
        events.lines().map(|l| querent::record::lines::read(l).expect("an event")).collect();
    assert_eq!(read, case_a());
}

#[test]
fn every_action_of_the_trace_has_a_key_and_words() {
    let bench = Bench::open(160, 48);
    for action in [
        Action::Fold,
        Action::FoldAll,
        Action::Filter,
        Action::Find,
        Action::FindNext,
        Action::FindFormer,
        Action::Play,
        Action::Slower,
        Action::Faster,
        Action::Mark,
        Action::Marks,
        Action::Stops,
        Action::StopHere,
        Action::EditHere,
        Action::CopyAll,
    ] {
        let row = bench.app.keys.rows().iter().find(|row| row.action == action);
        assert!(row.is_some_and(|row| !row.words.is_empty()), "{action:?}");
    }
}

#[test]
fn a_run_that_waits_takes_the_keys_that_decide_away_from_the_question() {
    let bench = Bench::told(160, 48, &before_call());
    assert_eq!(bench.app.focus, Pane::Trace);
    let bench = Bench::told(160, 48, &wants_approval());
    assert_eq!(bench.app.focus, Pane::Sql);
}
