//! Where a run waits for a person, and the step that must come after each decision.

use super::tests::{Told, retryable, unknown_name};
use super::*;
use crate::domain::{
    ComponentKind, Estimate, Event, Finding, Happened, Resumed, RunId, RunPolicy, Severity, StopAt,
    Switches,
};

fn breakpoint(at: StopAt) -> Step {
    Step::Await(Paused::Breakpoint { at })
}

fn go() -> Resumed {
    Resumed::Go
}

#[test]
fn a_breakpoint_waits_before_the_model_is_asked_and_only_once() {
    let stops = Stops { before_call: true, ..Stops::default() };
    let told = Told::prepared();
    assert_eq!(told.at(stops), breakpoint(StopAt::BeforeCall));
    assert_eq!(told.next(Writer::Model), Step::Draft { semantic_retry: false });
    let told = told.paused(StopAt::BeforeCall, go());
    assert_eq!(told.at(stops), Step::Draft { semantic_retry: false });
}

#[test]
fn rules_ask_no_model_so_nothing_waits_before_a_call() {
    let stops = Stops { before_call: true, ..Stops::default() };
    let told = Told::prepared();
    let step = next(&told.0, &Spent::of(&told.0, 1), Writer::Rules, stops);
    assert_eq!(step, Step::Draft { semantic_retry: false });
}

#[test]
fn a_breakpoint_waits_before_each_run_of_sql() {
    let stops = Stops { before_run: true, ..Stops::default() };
    let told = Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
    assert_eq!(told.at(stops), breakpoint(StopAt::BeforeRun));
    assert_eq!(told.paused(StopAt::BeforeRun, go()).at(stops), Step::Run);
}

#[test]
fn a_breakpoint_waits_at_a_failure_before_it_is_mended() {
    let stops = Stops { at_failure: true, ..Stops::default() };
    let told = Told::prepared().drafted("SELECT x", false).checked(vec![], Some(unknown_name()));
    assert_eq!(told.at(stops), breakpoint(StopAt::AtFailure));
    let told = told.paused(StopAt::AtFailure, go());
    assert_eq!(told.at(stops), Step::Mend);
    let told = told.and(Happened::Advised { attempt: 1, version: 0, words: String::new() });
    assert!(matches!(told.at(stops), Step::Close { .. }));
}

#[test]
fn a_decision_at_a_failure_does_not_wave_the_next_call_through() {
    let stops = Stops { at_failure: true, before_call: true, ..Stops::default() };
    let told = Told::prepared()
        .drafted("SELECT x", false)
        .checked(vec![], Some(unknown_name()))
        .paused(StopAt::AtFailure, go())
        .and(Happened::Advised { attempt: 1, version: 0, words: String::new() })
        .closed()
        .packed();
    assert_eq!(told.at(stops), breakpoint(StopAt::BeforeCall));
}

#[test]
fn a_finding_that_blocks_is_a_failure_too() {
    let stops = Stops { at_failure: true, ..Stops::default() };
    let blocking = Finding { severity: Severity::Blocking, ..retryable() };
    let told = Told::prepared().drafted("SELECT 1", false).checked(vec![blocking], None);
    assert_eq!(told.at(stops), breakpoint(StopAt::AtFailure));
}

#[test]
fn sql_given_at_a_pause_sets_the_open_attempt_aside_and_is_checked_and_run() {
    let stops = Stops { before_run: true, before_call: true, ..Stops::default() };
    let sql = Resumed::WithSql { sql: "SELECT 2".into() };
    let told = Told::prepared()
        .drafted("SELECT 1", false)
        .checked(vec![], None)
        .paused(StopAt::BeforeRun, sql);
    assert!(matches!(told.at(stops), Step::Close { .. }));
    let told = told.closed();
    assert_eq!(told.at(stops), Step::Adopt { sql: "SELECT 2".into(), origin: Origin::Person });
    let told = told.given("SELECT 2");
    assert_eq!(told.at(stops), Step::Check);
    let told = told.checked(vec![], None);
    assert_eq!(told.at(stops), Step::Run, "who gave it has said that it shall run");
    let told = told.ran().closed();
    assert_eq!(told.at(stops), Step::Explain);
    assert_eq!(standing(&told.0).unwrap().0.n, 2);
}

#[test]
fn sql_given_before_the_first_draft_needs_no_model() {
    let sql = Resumed::WithSql { sql: "SELECT 2".into() };
    let told = Told::prepared().paused(StopAt::BeforeCall, sql);
    assert_eq!(
        told.next(Writer::Model),
        Step::Adopt { sql: "SELECT 2".into(), origin: Origin::Person }
    );
    let told = told.given("SELECT 2").checked(vec![retryable()], None).ran().closed();
    assert_eq!(told.next(Writer::Model), Step::Explain, "no model writes over a person's SQL");
}

#[test]
fn a_persons_sql_that_fails_is_not_rewritten_and_costs_no_attempt() {
    let sql = Resumed::WithSql { sql: "SELECT x".into() };
    let told = Told::prepared().paused(StopAt::BeforeCall, sql);
    let told = told.given("SELECT x").checked(vec![], Some(unknown_name()));
    assert!(matches!(told.next(Writer::Model), Step::Close { .. }));
    assert_eq!(Spent::of(&told.0, 1).attempts, 0);
    assert_eq!(told.closed().next(Writer::Model), Step::Package, "the model is told of it");
}

#[test]
fn switches_changed_at_a_pause_put_the_package_together_again_and_go_on() {
    let stops = Stops { before_call: true, ..Stops::default() };
    let switches =
        Switches { without: [ComponentKind::Samples].into_iter().collect(), ..Switches::default() };
    let told = Told::prepared()
        .paused(StopAt::BeforeCall, Resumed::WithSwitches { switches: switches.clone() });
    assert_eq!(told.0.question.switches, switches);
    assert_eq!(told.at(stops), Step::Package);
    assert_eq!(told.packed().at(stops), Step::Draft { semantic_retry: false });
}

#[test]
fn switches_changed_before_a_run_have_the_model_draft_anew_whatever_the_attempts() {
    let stops = Stops { before_run: true, before_call: true, ..Stops::default() };
    let mut told = Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
    told.0.question.options.max_attempts = 1;
    let told =
        told.paused(StopAt::BeforeRun, Resumed::WithSwitches { switches: Switches::default() });
    assert!(matches!(told.at(stops), Step::Close { .. }));
    let told = told.closed();
    assert_eq!(told.at(stops), Step::Package);
    let told = told.packed();
    assert_eq!(told.at(stops), Step::Draft { semantic_retry: false });
    let told = told.drafted("SELECT 2", false).checked(vec![], None);
    assert_eq!(told.at(stops), breakpoint(StopAt::BeforeRun));
}

#[test]
fn switches_show_the_rules_package_anew_and_keep_the_draft() {
    let told = Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
    let told =
        told.paused(StopAt::BeforeRun, Resumed::WithSwitches { switches: Switches::default() });
    assert_eq!(told.next(Writer::Rules), Step::Package);
    assert_eq!(told.packed().next(Writer::Rules), Step::Run);
}

#[test]
fn stopping_at_a_pause_ends_the_run_whatever_was_next() {
    let told = Told::prepared().paused(StopAt::BeforeCall, Resumed::Stop);
    let stopped = Ending::StoppedAt(Paused::Breakpoint { at: StopAt::BeforeCall });
    assert_eq!(told.next(Writer::Model), Step::Answer(stopped));
}

#[test]
fn the_policy_ask_shows_every_statement_but_what_a_person_typed() {
    let stops = Stops { policy: RunPolicy::Ask, ..Stops::default() };
    let told = Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
    let Step::Await(Paused::Approval { sql, .. }) = told.at(stops) else { panic!("no approval") };
    assert_eq!(sql, "SELECT 1");
    let told = Told::prepared().given("SELECT 1").checked(vec![], None);
    assert_eq!(told.at(stops), Step::Run);
}

#[test]
fn the_policy_ask_costly_asks_by_the_estimate() {
    let stops = Stops { policy: RunPolicy::AskCostly, ..Stops::default() };
    let told = || Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
    assert_eq!(told().at(stops), Step::Estimate);
    let estimated = |rows| {
        let estimate = Estimate { rows, words: "about many rows".into() };
        told().and(Happened::Estimated { attempt: 1, version: 0, estimate }).at(stops)
    };
    assert_eq!(estimated(None), Step::Run, "without an estimate it goes on");
    assert_eq!(estimated(Some(1_000)), Step::Run);
    assert!(matches!(estimated(Some(1 << 40)), Step::Await(Paused::Approval { .. })));
}

#[test]
fn what_counts_as_costly_is_set_whatever_the_engine() {
    let stops = Stops { policy: RunPolicy::AskCostly, ..Stops::default() };
    let estimated = |rows| {
        let mut told = Told::prepared().drafted("SELECT 1", false).checked(vec![], None);
        told.0.question.options.costly_rows = 1_000;
        let estimate = Estimate { rows: Some(rows), words: "reads a lot".into() };
        told.and(Happened::Estimated { attempt: 1, version: 0, estimate }).at(stops)
    };
    assert_eq!(estimated(1_000), Step::Run);
    let Step::Await(Paused::Approval { sql, reason }) = estimated(1_001) else {
        panic!("no pause")
    };
    assert_eq!(sql, "SELECT 1");
    assert_eq!(reason, "It is costly: reads a lot, more than 1,000 rows (budgets.costly_rows).");
}

#[test]
fn time_paused_is_not_counted() {
    let mut t = Told::prepared().0;
    let mut tell = |at_us, happened| t.apply(&Event { run: RunId("r".into()), at_us, happened });
    tell(2_000, Happened::Paused(Paused::Breakpoint { at: StopAt::BeforeCall }));
    tell(90_002_000, Happened::Resumed(Resumed::Go));
    assert_eq!(t.paused_us, 90_000_000);
    assert_eq!(Spent::of(&t, 90_003_000).elapsed_us, 3_000);
}
