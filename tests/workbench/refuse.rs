//! What is said of SQL with its evidence one key away, and a repair that a person refuses.

use insta::assert_snapshot;
use querent::domain::{Event, Finding, Happened, Origin, Question, Severity, Span};
use querent::tui::effect::Effect;
use querent::tui::layout::Pane;

use super::bench::Bench;
use super::runs::{DRAFT, MENDED, case_a};

const SIZES: [(u16, u16); 3] = [(160, 48), (100, 30), (60, 20)];

/// The repaired run, with a finding of a gate at its sum.
fn doubted() -> Vec<Event> {
    let mut events = case_a();
    let span = MENDED.find("SUM(price_cents)").map(|at| Span::new(at, at + 16));
    for event in &mut events {
        if let Happened::Checked { findings, failure: None, .. } = &mut event.happened {
            findings.push(Finding {
                gate: "fan_out".into(),
                severity: Severity::Warning,
                message: "SUM(price_cents) counts rows of bookings more than once: the join with \
                          payments repeats them"
                    .into(),
                evidence: "on this data each row of bookings is counted 1.35 times".into(),
                retryable: true,
                hint: Some("Aggregate payments to one row for each booking first.".into()),
                span,
                rewrite: Some("SELECT SUM(price_cents) AS revenue\nFROM bookings".into()),
            });
        }
    }
    events
}

fn asked(bench: &Bench) -> Option<&Question> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => Some(&**question),
        _ => None,
    })
}

#[test]
fn evidence_is_one_key_away_at_three_sizes() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &doubted());
        bench.keys("Alt-3 Enter");
        assert_snapshot!(format!("evidence_{width}x{height}"), bench.screen());
        bench.keys("Esc");
        assert!(bench.app.overlay.is_none());
    }
}

#[test]
fn the_evidence_of_a_draft_names_the_place_and_what_it_could_be() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 Left Enter");
    bench.sees("✗ column 'price' doesn't exist in bookings. Did you mean price_cents?");
    bench.sees("no_such_column at bind · 1:12  price");
    bench.sees("could be  price_cents");
}

#[test]
fn the_evidence_of_a_mended_version_holds_the_proof_the_finding_and_the_rewritten_query() {
    let mut bench = Bench::told(160, 48, &doubted());
    bench.keys("Alt-3 Enter");
    bench.sees("~ mended: price → price_cents");
    bench.sees("! SUM(price_cents) counts rows of bookings more than once");
    bench.sees("shown by  on this data each row of bookings is counted 1.35 times");
    bench.sees("advice    Aggregate payments to one row");
    bench.sees("would be  SELECT SUM(price_cents) AS revenue");
}

#[test]
fn a_finding_is_seen_at_its_place() {
    let mut bench = Bench::told(160, 48, &doubted());
    bench.keys("Alt-3");
    bench.sees("~~~~~~~~~~~~~~~~ ! SUM(price_cents) counts rows");
}

#[test]
fn a_repair_is_shown_as_a_difference_with_its_evidence() {
    for (width, height) in SIZES {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-3 d");
        assert_snapshot!(format!("repair_{width}x{height}"), bench.screen());
        bench.sees("mended:");
    }
}

#[test]
fn a_refused_repair_is_undone_and_the_model_goes_on_in_a_child_run() {
    let mut bench = Bench::told(160, 48, &case_a());
    let parent = bench.app.run.as_ref().map(|run| run.id().clone());
    bench.keys("Alt-3 u");
    let question = asked(&bench).expect("it is asked");
    assert_eq!(question.parent, parent);
    assert!(question.sql.is_none(), "nobody typed it: the model goes on");
    assert!(question.options.max_attempts >= 2 && question.options.repair.model());
    let [refusal] = question.refused.as_slice() else { panic!("{:?}", question.refused) };
    assert_eq!(refusal.sql, DRAFT);
    assert_eq!((refusal.attempt, refusal.version), (1, 1));
    assert_eq!((&*refusal.repair.from, &*refusal.repair.to), ("price", "price_cents"));
    bench.sees("Refused price → price_cents: the model is asked instead.");
}

#[test]
fn it_can_be_refused_from_the_draft_it_was_made_of_and_from_the_trace() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3 Left u");
    assert_eq!(asked(&bench).map(|q| q.refused.len()), Some(1));
    let mut bench = Bench::told(160, 48, &case_a());
    let at = case_a().iter().position(|e| matches!(e.happened, Happened::Rewritten { .. }));
    bench.keys("Alt-5 Home");
    for _ in 0..at.unwrap_or(0) {
        bench.keys("Down");
    }
    bench.sees("u refuse");
    bench.keys("u");
    assert_eq!(asked(&bench).map(|q| q.refused.len()), Some(1));
}

#[test]
fn what_can_not_be_refused_says_why() {
    // another event
    let mut bench = Bench::told(160, 48, &case_a());
    let before = bench.wanted.len();
    bench.keys("Alt-5 Home u");
    bench.sees("The event looked at is no repair.");
    // nothing was mended
    let mut whole = Bench::told(160, 48, &case_a()[..5]);
    whole.keys("Alt-3 u");
    whole.sees("No repair was made here.");
    // the run goes on
    let mended = case_a().iter().position(|e| matches!(e.happened, Happened::Rewritten { .. }));
    let mut going = Bench::told(160, 48, &case_a()[..=mended.unwrap_or(0)]);
    going.keys("Alt-3 u");
    going.sees("The run goes on: a repair can be refused once it has ended.");
    // nobody could write it
    let mut rules = Bench::told(160, 48, &case_a());
    rules.app.header.model = "rules".into();
    rules.keys("Alt-3 u");
    rules.sees("No model is set that could write it instead: edit the SQL by hand.");
    let mut by_rules = case_a();
    for event in &mut by_rules {
        if let Happened::Drafted { origin, .. } = &mut event.happened {
            *origin = Origin::Rules;
        }
    }
    let mut drafted = Bench::told(160, 48, &by_rules);
    drafted.keys("Alt-3 u");
    drafted.sees("No model is set that could write it instead");
    for bench in [&whole, &going, &rules, &drafted] {
        assert!(asked(bench).is_none_or(|question| question.refused.is_empty()));
    }
    assert_eq!(bench.wanted.len(), before);
}

#[test]
fn a_run_that_waits_is_stopped_and_the_child_follows_it() {
    use querent::domain::{Paused, StopAt};
    let mut events = case_a();
    let ran = events.iter().position(|e| matches!(e.happened, Happened::Ran { .. })).unwrap_or(0);
    events.truncate(ran);
    let mut last = events[ran - 1].clone();
    last.happened = Happened::Paused(Paused::Breakpoint { at: StopAt::BeforeRun });
    events.push(last);
    let mut bench = Bench::told(160, 48, &events);
    bench.app.go(Pane::Sql);
    bench.keys("u");
    let stop = Effect::Resume(querent::domain::Resumed::Stop);
    assert!(bench.wanted.contains(&stop), "{:?}", bench.wanted);
    assert_eq!(bench.app.queue.len(), 1, "it starts once the run has ended");
    assert_eq!(bench.app.queue[0].refused.len(), 1);
}

#[test]
fn a_child_that_refuses_says_so_in_its_trace() {
    let mut events = case_a();
    let mut bench = Bench::told(160, 48, &events);
    bench.keys("Alt-3 u");
    let question = asked(&bench).expect("it is asked").clone();
    if let Happened::Asked { question: told, .. } = &mut events[0].happened {
        **told = question;
    }
    let mut bench = Bench::told(160, 48, &events);
    bench.keys("Alt-5 Home");
    bench.sees("without the repair price → price_cents");
    bench.keys("Space");
    bench.sees("✗ refused");
}

#[test]
fn the_keys_stand_where_they_work_only() {
    let mut bench = Bench::told(160, 48, &case_a());
    bench.keys("Alt-3");
    bench.sees("Enter why").sees("u refuse");
    let mut plain = Bench::told(160, 48, &case_a()[..5]);
    plain.keys("Alt-3");
    assert!(!plain.screen().contains("u refuse") && !plain.screen().contains("Enter why"));
    bench.keys("F1").text("refuse");
    bench.sees("Refuse the repair, and let the model write it instead");
}

#[test]
fn a_question_is_wrapped_behind_words() {
    let words = "Which rooms that have a screen were booked by members of the team tier in \
                 November, and how much did those bookings bring in altogether, cancelled ones left out?";
    for (width, height) in SIZES {
        let mut bench = Bench::open(width, height);
        bench.text(words);
        let screen = bench.screen();
        let cut =
            |line: &str| line.trim_matches(|c: char| c == '│' || c.is_whitespace()).to_owned();
        let shown: Vec<String> =
            screen.lines().map(|line| cut(line.split("││").next().unwrap_or(""))).collect();
        let all = shown.join(" ");
        for word in words.split(' ') {
            assert!(all.split(' ').any(|shown| shown == word), "{word} at {width}\n{screen}");
        }
    }
}
