//! The thorough lanes and the ledger on the screen: candidates, comparison, judge, and what repairs did.

use insta::assert_snapshot;
use querent::domain::event::Judgement;
use querent::domain::ledger::{Entry, Ledger};
use querent::domain::{
    Answer, Call, Check, Event, Happened, Origin, ResultColumn, Rows, Stage, Status, Trust, Usage,
    Value,
};
use querent::tui::effect::Effect;
use querent::tui::linear::Teller;
use querent::tui::msg::Msg;
use querent::tui::overlays::Overlay;

use super::bench::Bench;
use super::runs::case_a;

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];
const OTHER: &str = "SELECT SUM(price_cents) AS revenue FROM bookings";

fn call(reply: &str) -> Call {
    Call {
        model: "script:case-a".into(),
        request: "cd34".into(),
        messages: vec![("user".into(), "…".into())],
        reply: reply.into(),
        usage: Usage { input_tokens: 900, output_tokens: 20, cached_tokens: 0 },
        elapsed_us: 400_000,
        cost: None,
    }
}

fn rows(sum: i64) -> Rows {
    let column = ResultColumn {
        name: "revenue".into(),
        data_type: "INTEGER".into(),
        origin: None,
        unit: None,
    };
    Rows {
        columns: vec![column],
        rows: vec![vec![Value::Integer(sum)]],
        row_count: 1,
        ..Rows::default()
    }
}

/// Case A with a candidate that gives other rows, and a judge that finds a difference.
fn thorough() -> Vec<Event> {
    let mut events = case_a();
    let explained = events.iter().position(|e| matches!(e.happened, Happened::Explained { .. }));
    let end = events.split_off(explained.expect("case A is put into words"));
    let check = |stage| Check { stage, ok: true, elapsed_us: 100 };
    let checks = vec![check(Stage::Parse), check(Stage::Bind), check(Stage::Prepare)];
    let told = vec![
        Happened::Sampled { candidate: 2, of: 3 },
        Happened::Drafted {
            attempt: 2,
            origin: Origin::Model,
            sql: OTHER.into(),
            note: String::new(),
            calls: vec![call(OTHER)],
            semantic_retry: false,
        },
        Happened::Checked {
            attempt: 2,
            version: 0,
            checks,
            analysed: true,
            findings: Vec::new(),
            failure: None,
        },
        Happened::Ran { attempt: 2, version: 0, rows: rows(240_000), elapsed_us: 500 },
        Happened::Reviewed { attempt: 2, version: 0, findings: Vec::new() },
        Happened::AttemptClosed { attempt: 2, outcome: "stands".into() },
        Happened::Compared { groups: vec![vec![1], vec![2]] },
        end[0].happened.clone(),
        Happened::Judged(Box::new(Judgement {
            agrees: Some(false),
            words: "it leaves out bookings that are pending".into(),
            calls: vec![call("{\"agrees\": false}")],
        })),
        Happened::Answered(Box::new(Answer {
            status: Status::Answered,
            stop: None,
            clarify: None,
            trust: Some(Trust::NeedsReview),
            reasons: vec![
                "The candidates disagree: 1 of 2 gave these rows, attempt 2 gave others.".into(),
            ],
            assumptions: Vec::new(),
            summary: "revenue is 211900 cents.".into(),
            chosen: Some((1, 1)),
        })),
    ];
    let start = events.last().map_or(0, |event| event.at_us);
    let run = events[0].run.clone();
    let at = |n: u64| start + (n + 1) * 400_000;
    events.extend((0..).zip(told).map(|(n, happened)| Event {
        run: run.clone(),
        at_us: at(n),
        happened,
    }));
    events
}

#[test]
fn candidates_and_verdict_stand_in_the_trace_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &thorough());
        bench.keys("Alt-5");
        assert_snapshot!(format!("thorough_{width}x{height}"), bench.screen());
    }
}

#[test]
fn the_trace_says_which_attempts_agree_and_what_the_judge_finds() {
    let mut bench = Bench::told(160, 48, &thorough());
    bench.keys("Alt-5 F10");
    bench.sees("2 of 3, written apart");
    bench.sees("candidate 2 of 3");
    bench.sees("rows differ: attempt 1 ≠ attempt 2");
    bench.sees("it leaves out bookings that are pending");
    bench.sees("attempts 1/3");
}

#[test]
fn the_linear_view_tells_them_too() {
    let events = thorough();
    let mut bench = Bench::told(100, 30, &events);
    bench.keys("Alt-5");
    let told = Teller::default().tell(&bench.app).map(|told| told.lines.join("\n"));
    let told = told.expect("the trace is told");
    assert!(told.contains("judged !") && told.contains("compared !"), "{told}");
}

fn entry(name: &str, [fired, runs, kept, undone, right, wrong]: [u64; 6]) -> Entry {
    Entry { name: name.into(), fired, runs, kept, undone, right, wrong }
}

fn ledger() -> Ledger {
    Ledger {
        runs: 214,
        judged: 31,
        unread: 1,
        repairs: vec![
            entry("unknown_name", [38, 35, 33, 2, 9, 1]),
            entry("wrong_table", [12, 12, 11, 1, 4, 0]),
        ],
        gates: vec![
            entry("ungrounded_literal", [19, 17, 12, 5, 1, 6]),
            entry("fan_out", [7, 7, 2, 5, 0, 2]),
        ],
        notes: vec![entry("ties", [5, 5, 5, 0, 2, 0])],
    }
}

#[test]
fn the_ledger_is_drawn_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::open(width, height);
        bench.keys("Alt-g");
        bench.sees("Past runs are read.");
        assert_eq!(bench.wanted.last(), Some(&Effect::Ledger));
        bench.send(Msg::Ledger(Ok(ledger())));
        assert_snapshot!(format!("ledger_{width}x{height}"), bench.screen());
    }
}

#[test]
fn the_ledger_scrolls_is_copied_and_closes() {
    let mut bench = Bench::open(60, 20);
    bench.keys("Alt-g");
    bench.send(Msg::Ledger(Ok(ledger())));
    bench.sees("214 runs remembered").misses("rated + or verified");
    bench.keys("End");
    bench.sees("rated + or verified");
    bench.keys("k y");
    let copied = bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert!(
        copied.is_some_and(|text| text.contains("ungrounded_literal") && text.contains("ties"))
    );
    bench.keys("q");
    assert_eq!(bench.app.overlay, None);
    bench.keys("Alt-g Alt-g");
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn the_ledger_is_a_command_and_trouble_is_said_in_it() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Ctrl-P").text("repairs and gates");
    bench.sees("Show what repairs and gates did in past runs");
    bench.keys("Enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::Ledger(_))));
    bench.send(Msg::Ledger(Err("Runs are not remembered: there is no home folder.".into())));
    bench.sees("✗ Runs are not remembered: there is no home folder.");
    // an answer that comes after it was closed opens nothing
    bench.keys("Esc");
    bench.send(Msg::Ledger(Ok(ledger())));
    assert_eq!(bench.app.overlay, None);
}
