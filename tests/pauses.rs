//! Runs that wait for a person: breakpoints, run policies, and what can be decided there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]

mod program;

use std::sync::Arc;
use std::time::Duration;

use program::Home;
use querent::config::Config;
use querent::domain::{
    ComponentKind, Event, Happened, Origin, Paused, Question, Resumed, RunPolicy, Status, StopAt,
    StopCode, Stops, Switches, Transcript,
};
use querent::pipeline::{Command, Run, Session, Setup, Told};
use querent::record::{lines, report};
use serde_json::json;

const CONFIRMED: &str = "How much did we bring in with confirmed bookings?";

/// A run of a scripted case, with everything it told so far.
struct Asked {
    run: Run,
    events: Vec<Event>,
}

async fn session(model: &str) -> Arc<Session> {
    let setup = Setup {
        database: Some("demo:reservo".into()),
        model: Some(model.into()),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    Arc::new(Session::open(setup).await.unwrap())
}

async fn asked(model: &str, stops: Stops) -> Asked {
    let mut question = Question { text: CONFIRMED.into(), ..Question::default() };
    question.options.stops = stops;
    Asked { run: session(model).await.start(question), events: Vec::new() }
}

impl Asked {
    /// Listens until the run waits or has ended.
    async fn listen(&mut self) -> Option<Paused> {
        while let Some(told) = self.run.told.recv().await {
            let Told::Event(event) = told else { continue };
            self.events.push(*event);
            if let Some(Event { happened: Happened::Paused(paused), .. }) = self.events.last() {
                return Some(paused.clone());
            }
        }
        None
    }

    /// Listens until the run waits at a breakpoint.
    #[track_caller]
    fn waits(paused: Option<&Paused>, at: StopAt) {
        assert_eq!(paused, Some(&Paused::Breakpoint { at }));
    }

    async fn command(&mut self, command: Command) -> Option<Paused> {
        self.run.commands.send(command).await.unwrap();
        self.listen().await
    }

    async fn go(&mut self) -> Option<Paused> {
        self.command(Command::Resume(Resumed::Go)).await
    }

    /// The fold of all that was told. Written as lines and read again it is the same.
    fn transcript(&self) -> Transcript {
        let told = Transcript::of(&self.events);
        let read: Vec<Event> = self
            .events
            .iter()
            .map(|event| lines::read(&lines::write(event).unwrap()).unwrap())
            .collect();
        let replayed = Transcript::of(&read);
        assert_eq!(report::report(&replayed).to_string(), report::report(&told).to_string());
        told
    }
}

fn stops(before_call: bool, before_run: bool, at_failure: bool) -> Stops {
    Stops { before_call, before_run, at_failure, policy: RunPolicy::Auto }
}

#[tokio::test]
async fn every_breakpoint_waits_where_it_was_set_and_the_answer_stays_the_same() {
    let mut asked = asked("script:case-a", stops(true, true, true)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeCall);
    assert!(Transcript::of(&asked.events).packages.len() == 1, "the package is there to look at");
    Asked::waits(asked.go().await.as_ref(), StopAt::AtFailure);
    assert!(Transcript::of(&asked.events).attempts[0].last().failure.is_some());
    Asked::waits(asked.go().await.as_ref(), StopAt::BeforeRun);
    assert!(asked.go().await.is_none());
    let run = asked.transcript();
    assert_eq!(run.answer.as_ref().unwrap().status, Status::Answered);
    assert_eq!(run.chosen().unwrap().1.rows.as_ref().unwrap().rows[0][0].plain(), "211900");
    assert!(run.paused.is_none());
}

#[tokio::test]
async fn nothing_waits_where_no_breakpoint_is_set() {
    let mut asked = asked("script:case-a", Stops::default()).await;
    assert!(asked.listen().await.is_none());
    assert_eq!(asked.transcript().answer.unwrap().status, Status::Answered);
}

#[tokio::test]
async fn sql_given_at_a_failure_becomes_an_attempt_of_the_persons_in_the_same_run() {
    let mut asked = asked("script:case-a", stops(false, true, true)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::AtFailure);
    let sql = "SELECT COUNT(*) AS n FROM bookings".to_owned();
    assert!(asked.command(Command::Resume(Resumed::WithSql { sql: sql.clone() })).await.is_none());
    let run = asked.transcript();
    let (attempt, version) = run.chosen().unwrap();
    assert_eq!((attempt.n, attempt.origin), (2, Origin::Person));
    assert_eq!(version.sql, sql);
    assert!(!version.checks.is_empty(), "checked like any other");
    assert_eq!(version.rows.as_ref().unwrap().rows[0][0].plain(), "23");
    assert_eq!(run.calls().count(), 1);
}

#[tokio::test]
async fn sql_given_before_the_call_saves_the_call() {
    let mut asked = asked("script:case-a", stops(true, false, false)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeCall);
    let sql = "SELECT 1 AS one".to_owned();
    assert!(asked.command(Command::Resume(Resumed::WithSql { sql })).await.is_none());
    let run = asked.transcript();
    assert_eq!(run.answer.unwrap().status, Status::Answered);
    assert_eq!(run.attempts.iter().map(|a| a.calls.len()).sum::<usize>(), 0);
}

#[tokio::test]
async fn switches_given_at_a_pause_put_the_package_together_again_in_the_same_run() {
    let mut asked = asked("script:case-a", stops(true, false, false)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeCall);
    let switches = Switches {
        without: [ComponentKind::Business].into_iter().collect(),
        ..Switches::default()
    };
    let end = asked.command(Command::Resume(Resumed::WithSwitches { switches })).await;
    assert!(end.is_none());
    let run = asked.transcript();
    assert_eq!(run.packages.len(), 2);
    let business = |n: usize| {
        let found = run.packages[n].components.iter().find(|c| c.kind == ComponentKind::Business);
        found.unwrap().included
    };
    assert_eq!((business(0), business(1)), (true, false));
    assert_eq!(run.answer.as_ref().unwrap().status, Status::Answered);
}

#[tokio::test]
async fn switches_given_before_the_run_have_the_model_draft_again() {
    let mut asked = asked("script:case-a", stops(false, true, false)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeRun);
    let switches = Resumed::WithSwitches { switches: Switches::default() };
    Asked::waits(asked.command(Command::Resume(switches)).await.as_ref(), StopAt::BeforeRun);
    assert!(asked.go().await.is_none());
    let run = asked.transcript();
    assert_eq!(run.calls().count(), 2);
    assert_eq!(run.chosen().unwrap().0.n, 2);
    assert_eq!(run.packages.len(), 2);
}

#[tokio::test]
async fn stopping_and_cancelling_at_a_breakpoint_end_the_run_at_once() {
    for command in [Command::Resume(Resumed::Stop), Command::Cancel] {
        let mut asked = asked("script:case-a", stops(true, false, false)).await;
        Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeCall);
        let stopped = command != Command::Cancel;
        assert!(asked.command(command).await.is_none());
        let answer = asked.transcript().answer.unwrap();
        assert_eq!(answer.status, Status::Cancelled);
        assert_eq!(answer.stop, None);
        let said = "Stopped by you before the model is asked.";
        assert_eq!(answer.reasons.first().map(String::as_str), stopped.then_some(said));
    }
}

#[tokio::test]
async fn breakpoints_can_be_set_and_taken_back_while_the_run_goes_on() {
    let mut asked = asked("script:case-a", stops(true, true, true)).await;
    Asked::waits(asked.listen().await.as_ref(), StopAt::BeforeCall);
    asked.run.commands.send(Command::Stops(Stops::default())).await.unwrap();
    assert!(asked.go().await.is_none(), "no further breakpoint");
}

#[tokio::test]
async fn a_run_that_is_dropped_while_it_waits_ends_and_leaves_its_session_usable() {
    let session = session("script:case-a").await;
    let mut question = Question { text: CONFIRMED.into(), ..Question::default() };
    question.options.stops = stops(true, false, false);
    let mut asked = Asked { run: session.start(question), events: Vec::new() };
    assert!(asked.listen().await.is_some());
    drop(asked);
    let question = Question { text: CONFIRMED.into(), ..Question::default() };
    let mut again = Asked { run: session.start(question), events: Vec::new() };
    assert!(again.listen().await.is_none());
    assert_eq!(again.transcript().answer.unwrap().status, Status::Answered);
}

#[tokio::test]
async fn a_run_that_nobody_can_resume_ends() {
    let Asked { run, .. } = asked("script:case-a", stops(true, false, false)).await;
    // a run can't be taken apart; its commands can be closed by replacing them
    let mut run = run;
    let (closed, _) = tokio::sync::mpsc::channel(1);
    run.commands = closed;
    let mut asked = Asked { run, events: Vec::new() };
    assert!(asked.listen().await.is_some());
    assert!(asked.listen().await.is_none());
    assert_eq!(asked.transcript().answer.unwrap().status, Status::Cancelled);
}

#[tokio::test]
async fn waiting_for_a_person_takes_no_time_from_the_deadline() {
    let mut question = Question { text: CONFIRMED.into(), ..Question::default() };
    question.options.stops = stops(true, false, false);
    question.options.deadline_ms = 5_000;
    let session = session("script:case-a").await;
    let mut asked = Asked { run: session.start(question), events: Vec::new() };
    assert!(asked.listen().await.is_some());
    assert!(asked.go().await.is_none());
    // the pause is moved ten minutes apart: the fold must not count it
    let mut shifted = asked.events.clone();
    let at = shifted.iter().position(|e| matches!(e.happened, Happened::Resumed(_))).unwrap();
    let pause = u64::try_from(Duration::from_mins(10).as_micros()).unwrap();
    for event in &mut shifted[at..] {
        event.at_us += pause;
    }
    let (told, late) = (Transcript::of(&asked.events), Transcript::of(&shifted));
    assert_eq!(late.paused_us, told.paused_us + pause);
    assert_eq!(late.elapsed_us - late.paused_us, told.elapsed_us - told.paused_us);
}

#[tokio::test]
async fn the_policy_ask_shows_the_exact_sql_and_runs_it_once_approved() {
    let policy = Stops { policy: RunPolicy::Ask, ..Stops::default() };
    let mut asked = asked("script:case-a", policy).await;
    let Some(Paused::Approval { sql, reason }) = asked.listen().await else { panic!("no pause") };
    assert_eq!(
        sql, "SELECT SUM(price_cents) AS revenue FROM bookings WHERE status = 'confirmed'",
        "the mended text, as it will run"
    );
    assert_eq!(reason, "Every statement is shown before it runs.");
    assert!(asked.go().await.is_none());
    assert_eq!(asked.transcript().answer.unwrap().status, Status::Answered);
}

#[tokio::test]
async fn sql_that_is_not_approved_is_not_run() {
    let policy = Stops { policy: RunPolicy::Ask, ..Stops::default() };
    let mut asked = asked("script:case-a", policy).await;
    assert!(asked.listen().await.is_some());
    assert!(asked.command(Command::Resume(Resumed::Refuse)).await.is_none());
    let run = asked.transcript();
    let stop = run.answer.as_ref().unwrap().stop.clone().unwrap();
    assert_eq!(stop.code, StopCode::Policy);
    assert!(stop.message.starts_with("The SQL was not approved, so it was not run."));
    assert!(run.attempts.iter().all(|a| a.versions.iter().all(|v| v.rows.is_none())));
}

#[tokio::test]
async fn a_run_that_a_person_stops_at_an_approval_is_cancelled_and_advises_nothing() {
    let policy = Stops { policy: RunPolicy::Ask, ..Stops::default() };
    let mut asked = asked("script:case-a", policy).await;
    assert!(asked.listen().await.is_some());
    assert!(asked.command(Command::Resume(Resumed::Stop)).await.is_none());
    let run = asked.transcript();
    let answer = run.answer.as_ref().unwrap();
    assert_eq!((answer.status, &answer.stop), (Status::Cancelled, &None));
    assert_eq!(answer.reasons, ["Stopped by you: the SQL was not approved, and was not run."]);
    assert!(run.attempts.iter().all(|a| a.versions.iter().all(|v| v.rows.is_none())));
}

#[tokio::test]
async fn the_policy_ask_costly_reads_the_engines_plan_and_lets_a_small_query_go() {
    let policy = Stops { policy: RunPolicy::AskCostly, ..Stops::default() };
    let mut asked = asked("script:case-a", policy).await;
    assert!(asked.listen().await.is_none());
    let run = asked.transcript();
    let estimate = run.chosen().unwrap().1.estimate.clone().unwrap();
    // 23 bookings, read once
    assert_eq!(estimate.rows, Some(23), "{}", estimate.words);
    assert_eq!(estimate.words, "reads bookings (23 rows) whole, about 23 rows");
}

fn headless(more: &[&str]) -> program::Ended {
    let home = Home::new();
    let mut arguments = vec!["ask", "--db", "demo:reservo", "--model", "script:case-a", "--json"];
    arguments.extend(more);
    arguments.push(CONFIRMED);
    home.run(&arguments)
}

#[test]
fn headless_sql_that_wants_approval_is_not_run_without_yes() {
    let ended = headless(&["--policy", "ask"]);
    assert_eq!(ended.code, 4);
    let run = ended.json();
    assert_eq!((&run["status"], &run["stop"]["code"]), (&json!("gave_up"), &json!("policy")));
    assert!(run["stop"]["hint"].as_str().unwrap().contains("--yes"));
    assert_eq!(run["rows"], json!([]));
}

#[test]
fn headless_yes_approves_and_the_answer_is_that_of_the_policy_auto() {
    for more in [&["--policy", "ask", "--yes"][..], &["--policy", "ask-costly"], &[]] {
        let ended = headless(more);
        assert_eq!(ended.code, 0, "{more:?}: {}", ended.err);
        assert_eq!(ended.json()["rows"][0][0], 211_900);
    }
}

#[test]
fn a_costly_statement_of_ones_own_is_asked_for_too() {
    let home = Home::new();
    // 5,000 × 5,000 = 25 million rows looked at
    let db = home.database(
        "wide.sqlite",
        "CREATE TABLE n (i INTEGER); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL \
         SELECT i + 1 FROM c WHERE i < 5000) INSERT INTO n SELECT i FROM c;",
    );
    let sql = "SELECT COUNT(*) FROM n AS a, n AS b WHERE a.i + b.i = 3";
    let ended = home.run(&["run", "--db", &db, "--policy", "ask-costly", "--json", sql]);
    assert_eq!(ended.code, 4, "{ended:?}");
    let message = ended.json()["stop"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("n (5,000 rows) × n (5,000 rows)"), "{message}");
    assert!(message.ends_with("more than 10,000,000 rows (budgets.costly_rows)."), "{message}");
    assert!(ended.json()["stop"]["hint"].as_str().unwrap().contains("--yes"));
    let small = "SELECT COUNT(*) FROM n";
    let mut strict = home.command(&["run", "--db", &db, "--policy", "ask-costly", "--json", small]);
    let ended = program::Ended::of(strict.env("QUERENT_COSTLY_ROWS", "4999").output().unwrap());
    assert_eq!(ended.code, 4, "{ended:?}");
}

#[test]
fn a_replay_of_a_run_that_waited_prints_the_same_bytes() {
    let home = Home::new();
    let asked = home.run(&[
        "ask",
        "--db",
        "demo:reservo",
        "--model",
        "script:case-a",
        "--policy",
        "ask",
        "--yes",
        "--json",
        CONFIRMED,
    ]);
    let replayed = home.run(&["replay", "last", "--json"]);
    assert_eq!((asked.code, asked.out), (replayed.code, replayed.out));
}
