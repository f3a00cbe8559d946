//! Nothing typed is lost, nothing is done twice: kept texts, follow-up questions, leaving.

use insta::assert_snapshot;
use querent::domain::RunId;
use querent::tui::drafts::Draft;
use querent::tui::effect::Effect;
use querent::tui::layout::Pane;
use querent::tui::msg::{Msg, Opened};

use super::bench::{Bench, opened};
use super::runs::{MENDED, case_a};

fn draft(question: &str, sql: &str) -> Draft {
    Draft {
        question: question.into(),
        sql: sql.into(),
        parent: None,
        kept_at: "2026-11-30T10:32:00+00:00".into(),
        when: "10:32".into(),
    }
}

/// What was handed over last to be kept: questions and SQL.
fn kept(bench: &Bench) -> Option<Vec<(String, String)>> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::KeepDrafts(drafts) => {
            Some(drafts.iter().map(|d| (d.question.clone(), d.sql.clone())).collect())
        }
        _ => None,
    })
}

fn asked(bench: &Bench) -> Option<&querent::domain::Question> {
    bench.wanted.iter().rev().find_map(|effect| match effect {
        Effect::Ask(question) => Some(&**question),
        _ => None,
    })
}

#[test]
fn what_is_typed_is_handed_over_and_what_is_asked_is_not() {
    let mut bench = Bench::open(100, 30);
    assert!(bench.wanted.contains(&Effect::ReadDrafts("demo:reservo".into())));
    assert_eq!(kept(&bench), None);
    bench.text("ab");
    assert_eq!(kept(&bench), Some(vec![("ab".into(), String::new())]));
    bench.keys("Alt-3").text("SELECT");
    assert_eq!(kept(&bench), Some(vec![("ab".into(), "SELECT".into())]));
    bench.keys("Alt-1 Enter");
    assert_eq!(kept(&bench), Some(vec![(String::new(), "SELECT".into())]));
    bench.keys("Alt-3 n Ctrl-U");
    assert_eq!(kept(&bench), Some(Vec::new()));
}

#[test]
fn a_kept_text_is_offered_at_three_sizes_and_not_forced() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::open(width, height);
        bench.send(Msg::Drafts(vec![draft("How much did rooms with a view bring in?", "")]));
        assert!(bench.app.question.editor.is_empty());
        assert_snapshot!(format!("care_kept_{width}x{height}"), bench.screen());
        // typing goes on as if nothing was offered, and what was offered stays kept
        bench.text("x");
        assert_eq!(kept(&bench).map(|all| all.len()), Some(2));
        bench.keys("Backspace Enter");
        assert_eq!(bench.app.question.editor.text(), "How much did rooms with a view bring in?");
        assert_eq!(asked(&bench), None);
        bench.misses("was kept");
    }
}

#[test]
fn kept_sql_comes_back_into_its_editor_with_its_run() {
    let mut bench = Bench::open(160, 48);
    let mut sql = draft("", "SELECT 1");
    sql.parent = Some((RunId("0195-a".into()), "one?".into()));
    bench.send(Msg::Drafts(vec![sql]));
    bench.sees("Your unsent SQL of 10:32 was kept: Enter takes it back, Esc lets it");
    bench.keys("Enter");
    assert_eq!((bench.app.focus, bench.app.sql.editor.as_str()), (Pane::Sql, "SELECT 1"));
    assert!(
        bench.wanted.iter().any(|e| matches!(e, Effect::Check { sql, .. } if sql == "SELECT 1"))
    );
    bench.keys("F5");
    assert_eq!(asked(&bench).and_then(|q| q.parent.clone()), Some(RunId("0195-a".into())));
}

#[test]
fn a_kept_text_that_is_let_go_is_gone() {
    let mut bench = Bench::open(100, 30);
    bench.send(Msg::Drafts(vec![draft("one", ""), draft("two", "")]));
    bench.sees("one");
    bench.keys("Esc");
    bench.sees("two").misses(" one");
    assert_eq!(kept(&bench), Some(vec![("two".into(), String::new())]));
    bench.keys("Esc").misses("was kept");
    assert_eq!(kept(&bench), Some(Vec::new()));
}

#[test]
fn leaving_on_purpose_keeps_nothing_unless_it_is_asked_for() {
    for (key, left) in [("y", Vec::new()), ("k", vec![("a thought".to_owned(), String::new())])] {
        let mut bench = Bench::open(100, 30);
        bench.text("a thought").keys("Ctrl-Q").sees("A text was typed and not asked or run.");
        bench.keys(key);
        assert_eq!(bench.app.leave, Some(0));
        assert_eq!(kept(&bench), Some(left));
    }
}

#[test]
fn a_text_goes_with_the_person_to_another_database() {
    let mut bench = Bench::open(100, 30);
    bench.text("half");
    let mut other: Opened = opened();
    other.header.database = "demo:sales".into();
    bench.send(Msg::Opened(Box::new(other)));
    let last: Vec<&Effect> = bench
        .wanted
        .iter()
        .filter(|e| matches!(e, Effect::KeepDrafts(_) | Effect::ReadDrafts(_)))
        .collect();
    let [.., former, read, now] = last.as_slice() else { panic!("three wishes: {last:?}") };
    assert_eq!(**former, Effect::KeepDrafts(Vec::new()));
    assert_eq!(**read, Effect::ReadDrafts("demo:sales".into()));
    assert!(matches!(now, Effect::KeepDrafts(drafts) if drafts.len() == 1));
}

#[test]
fn leaving_while_a_question_runs_asks_once() {
    let mut bench = Bench::told(100, 30, &case_a()[..3]);
    bench.keys("Ctrl-Q").sees("A question is running: leaving cancels it.");
    assert_snapshot!("care_leaving_100x30", bench.screen());
    bench.keys("Ctrl-Q");
    assert_eq!(bench.app.leave, Some(0));
    // one that is being cancelled already is not asked about
    let mut bench = Bench::told(100, 30, &case_a()[..3]);
    bench.keys("Ctrl-C Ctrl-C");
    assert_eq!((bench.app.leave, &bench.app.overlay), (Some(0), &None));
}

#[test]
fn ctrl_z_suspends_from_everywhere() {
    let mut bench = Bench::open(100, 30);
    for keys in ["Ctrl-Z", "Alt-5 Ctrl-Z", "Ctrl-P Ctrl-Z", "Esc Alt-3 Ctrl-Z"] {
        bench.keys(keys);
        assert_eq!(bench.wanted.last(), Some(&Effect::Suspend), "{keys}");
    }
}

#[test]
fn a_follow_up_carries_question_and_sql_until_it_is_switched_off() {
    for (width, height) in [(160, 48), (100, 30), (60, 20)] {
        let mut bench = Bench::told(width, height, &case_a());
        bench.keys("Alt-1 Ctrl-F").sees("follows: How much did we bring in");
        assert_snapshot!(format!("care_follows_{width}x{height}"), bench.screen());
        bench.keys("Ctrl-U").text("and by room?").keys("Enter");
        let question = asked(&bench).expect("asked");
        assert_eq!(question.parent, Some(RunId("0195-a".into())));
        let former = "How much did we bring in with confirmed bookings?";
        assert_eq!(question.follows, Some((former.into(), MENDED.into())));
        assert!(bench.app.question.follow);
        bench.keys("Alt-1 Ctrl-F").sees("Questions stand by themselves again.");
        assert!(!bench.app.question.follow);
    }
}

#[test]
fn without_an_answer_there_is_nothing_to_follow() {
    let mut bench = Bench::open(100, 30);
    bench.keys("Ctrl-F").sees("There is no answered question to follow up yet.");
    assert!(!bench.app.question.follow);
    bench.text("How many?").keys("Enter");
    assert_eq!(asked(&bench).map(|q| q.follows.clone()), Some(None));
}

#[test]
fn rules_say_that_they_carry_nothing() {
    let mut bench = Bench::told(100, 30, &case_a());
    bench.app.header.model = "rules".into();
    bench.keys("Alt-1 Ctrl-F").sees("only a model does").sees("! not carried by rules");
}
