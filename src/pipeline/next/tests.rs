//! Runs told as events, and the step that must come next.

use super::*;
use crate::domain::links::Related;
use crate::domain::{
    Call, Check, Complexity, ContextPackage, Event, Finding, Happened, Origin, Question,
    QuestionKind, Resumed, Rows, RunId, Severity, StopAt, Understanding, Usage,
};

/// A run told so far.
pub(super) struct Told(pub(super) Transcript);

impl Told {
    pub(super) fn new() -> Self {
        let question = Question { text: "how many?".into(), ..Question::default() };
        Told(Transcript::default()).and(Happened::Asked {
            question: Box::new(question),
            database: String::new(),
            place: String::new(),
            engine: String::new(),
            model: String::new(),
            scripted: false,
            knowledge: String::new(),
        })
    }

    pub(super) fn and(mut self, happened: Happened) -> Self {
        self.0.apply(&Event { run: RunId("r".into()), at_us: 1, happened });
        self
    }

    /// Everything before the first draft.
    pub(super) fn prepared() -> Self {
        Told::new()
            .and(Happened::Understood(Box::new(understanding(Intent::Read))))
            .and(Happened::Gathered { tables: vec![], notes: vec![], elapsed_us: 0 })
            .packed()
    }

    pub(super) fn packed(self) -> Self {
        self.and(Happened::PackageReady(Box::new(package())))
    }

    pub(super) fn drafted(self, sql: &str, semantic_retry: bool) -> Self {
        let attempt = u32::try_from(self.0.attempts.len()).unwrap() + 1;
        let call = Call {
            model: String::new(),
            request: String::new(),
            messages: vec![],
            reply: String::new(),
            usage: Usage::default(),
            elapsed_us: 0,
            cost: None,
        };
        self.and(Happened::Drafted {
            attempt,
            origin: Origin::Model,
            sql: sql.into(),
            note: String::new(),
            calls: vec![call],
            semantic_retry,
        })
    }

    pub(super) fn checked(self, findings: Vec<Finding>, failure: Option<Failure>) -> Self {
        let (attempt, version) = self.newest();
        let checks = vec![Check { stage: Stage::Parse, ok: failure.is_none(), elapsed_us: 1 }];
        self.and(Happened::Checked { attempt, version, checks, analysed: true, findings, failure })
    }

    pub(super) fn ran(self) -> Self {
        let (attempt, version) = self.newest();
        self.and(Happened::Ran { attempt, version, rows: Rows::default(), elapsed_us: 1 })
            .and(Happened::Reviewed { attempt, version, findings: vec![] })
    }

    pub(super) fn closed(self) -> Self {
        let (attempt, _) = self.newest();
        self.and(Happened::AttemptClosed { attempt, outcome: String::new() })
    }

    fn newest(&self) -> (u32, usize) {
        let attempt = self.0.attempt().unwrap();
        (attempt.n, attempt.versions.len() - 1)
    }

    pub(super) fn paused(self, at: StopAt, decision: Resumed) -> Self {
        self.and(Happened::Paused(Paused::Breakpoint { at })).and(Happened::Resumed(decision))
    }

    pub(super) fn given(self, sql: &str) -> Self {
        let attempt = u32::try_from(self.0.attempts.len()).unwrap() + 1;
        self.and(Happened::Drafted {
            attempt,
            origin: Origin::Person,
            sql: sql.into(),
            note: String::new(),
            calls: vec![],
            semantic_retry: false,
        })
    }

    pub(super) fn at(&self, stops: Stops) -> Step {
        next(&self.0, &Spent::of(&self.0, 1), Writer::Model, stops)
    }

    pub(super) fn next(&self, writer: Writer) -> Step {
        next(&self.0, &Spent::of(&self.0, 1), writer, Stops::default())
    }
}

fn understanding(intent: Intent) -> Understanding {
    Understanding {
        intent,
        intent_words: String::new(),
        kinds: vec![(QuestionKind::Aggregation, String::new())],
        complexity: Complexity::Simple,
        complexity_reason: String::new(),
        links: vec![],
        hints: Vec::new(),
        related: Related::default(),
        unknown: Vec::new(),
        warnings: vec![],
        ambiguity: None,
    }
}

fn package() -> ContextPackage {
    ContextPackage {
        version: String::new(),
        generated_at: String::new(),
        components: vec![],
        tokens: 0,
        budget: 0,
        form: crate::domain::package::Form::Text,
        tables: vec![],
        columns: vec![],
        values: vec![],
        join_path: vec![],
        warnings: vec![],
    }
}

pub(super) fn retryable() -> Finding {
    Finding {
        gate: "integer_division".into(),
        severity: Severity::Warning,
        message: String::new(),
        evidence: String::new(),
        retryable: true,
        hint: None,
        span: None,
        rewrite: None,
    }
}

pub(super) fn unknown_name() -> Failure {
    Failure::new(Stage::Bind, "no_such_column", "column 'x' doesn't exist")
}

#[test]
fn a_question_is_understood_then_facts_are_read_then_the_package_is_made() {
    let told = Told::new();
    assert_eq!(told.next(Writer::Model), Step::Understand);
    let told = told.and(Happened::Understood(Box::new(understanding(Intent::Read))));
    assert_eq!(told.next(Writer::Model), Step::Gather);
    let told = told.and(Happened::Gathered { tables: vec![], notes: vec![], elapsed_us: 0 });
    assert_eq!(told.next(Writer::Model), Step::Package);
    assert_eq!(told.packed().next(Writer::Model), Step::Draft { semantic_retry: false });
}

#[test]
fn a_request_to_write_is_declined_before_anything_is_read() {
    let told = Told::new().and(Happened::Understood(Box::new(understanding(Intent::Write))));
    assert_eq!(told.next(Writer::Model), Step::Answer(Ending::stopped(StopCode::WriteRequest)));
}

#[test]
fn a_failed_version_is_mended_here_first_then_the_model_is_told() {
    let told = Told::prepared().drafted("SELECT x", false).checked(vec![], Some(unknown_name()));
    assert_eq!(told.next(Writer::Model), Step::Mend);
    let told = told.and(Happened::Advised { attempt: 1, version: 0, words: "not sure".to_owned() });
    assert!(matches!(told.next(Writer::Model), Step::Close { .. }));
    let told = told.closed();
    assert_eq!(told.next(Writer::Model), Step::Package);
    assert_eq!(told.packed().next(Writer::Model), Step::Draft { semantic_retry: false });
}

#[test]
fn nobody_rewrites_the_sql_of_a_person() {
    let told = Told::prepared().drafted("SELECT x", false).checked(vec![], Some(unknown_name()));
    assert!(matches!(told.next(Writer::Person), Step::Close { .. }));
    assert_eq!(told.closed().next(Writer::Person), Step::Answer(Ending::stopped(StopCode::Budget)));
}

#[test]
fn the_same_sql_again_ends_the_lane() {
    let told = Told::prepared()
        .drafted("SELECT x FROM t", false)
        .checked(vec![], Some(unknown_name()))
        .and(Happened::Advised { attempt: 1, version: 0, words: String::new() })
        .closed()
        .packed()
        .drafted("select  x  from t;", false)
        .checked(vec![], Some(unknown_name()))
        .and(Happened::Advised { attempt: 2, version: 0, words: String::new() })
        .closed();
    assert_eq!(told.next(Writer::Model), Step::Answer(Ending::stopped(StopCode::NoProgress)));
}

#[test]
fn a_retryable_finding_grants_one_retry_and_the_better_attempt_stays() {
    let told =
        Told::prepared().drafted("SELECT 1", false).checked(vec![retryable()], None).ran().closed();
    assert_eq!(told.next(Writer::Model), Step::Package);
    let told = told.packed();
    assert_eq!(told.next(Writer::Model), Step::Draft { semantic_retry: true });
    let told = told.drafted("SELECT 2", true).checked(vec![retryable()], None).ran().closed();
    assert_eq!(told.next(Writer::Model), Step::Explain);
    assert_eq!(standing(&told.0).unwrap().0.n, 1, "one finding is not fewer than one");
    let better = Told::prepared()
        .drafted("SELECT 1", false)
        .checked(vec![retryable()], None)
        .ran()
        .closed()
        .packed()
        .drafted("SELECT 2", true)
        .checked(vec![], None)
        .ran()
        .closed();
    assert_eq!(standing(&better.0).unwrap().0.n, 2);
}

#[test]
fn rules_are_not_asked_again() {
    let told =
        Told::prepared().drafted("SELECT 1", false).checked(vec![retryable()], None).ran().closed();
    assert_eq!(told.next(Writer::Rules), Step::Explain);
}

#[test]
fn time_that_is_up_ends_the_run_wherever_it_is() {
    let told = Told::prepared();
    let late = Spent::of(&told.0, 120_000_000);
    let step = next(&told.0, &late, Writer::Model, Stops::default());
    assert_eq!(step, Step::Answer(Ending::stopped(StopCode::Deadline)));
}

/// A run whose first attempt stands, with the optional lanes on.
fn thorough() -> Told {
    let mut told = Told::prepared();
    told.0.question.options.thorough = true;
    told.drafted("select 1", false).checked(vec![], None).ran().closed()
}

fn step_of(told: &Told, elapsed_us: u64) -> Step {
    next(&told.0, &Spent::of(&told.0, elapsed_us), Writer::Model, Stops::default())
}

#[test]
fn further_candidates_are_drafted_compared_and_only_then_said() {
    let told = thorough();
    assert_eq!(step_of(&told, 1), Step::Sample { candidate: 2, of: 3 });
    let told = told.and(Happened::Sampled { candidate: 2, of: 3 });
    assert_eq!(step_of(&told, 1), Step::Draft { semantic_retry: false });
    let told = told.drafted("select 2", false).checked(vec![], None).ran().closed();
    assert_eq!(told.0.attempts[1].candidate, Some(2));
    assert_eq!(Spent::of(&told.0, 1).attempts, 1, "a candidate is no attempt");
    assert_eq!(step_of(&told, 1), Step::Sample { candidate: 3, of: 3 });
    let told = told.and(Happened::Sampled { candidate: 3, of: 3 });
    let told = told.drafted("select 3", false).checked(vec![], None).ran().closed();
    assert_eq!(step_of(&told, 1), Step::Compare);
    assert_eq!(standing(&told.0).map(|(attempt, _)| attempt.n), Some(1), "not before comparing");
    let mut told = told.and(Happened::Compared { groups: vec![vec![2, 3], vec![1]] });
    let standing = |told: &Told| standing(&told.0).map(|(attempt, _)| attempt.n);
    assert_eq!(standing(&told), Some(1), "it passes every gate, and one more is no proof");
    assert_eq!(step_of(&told, 1), Step::Explain);
    let mut doubt = Finding {
        gate: "fan_out".into(),
        severity: Severity::Warning,
        message: String::new(),
        evidence: String::new(),
        retryable: false,
        hint: None,
        span: None,
        rewrite: None,
    };
    told.0.attempts[0].versions[0].findings.push(doubt.clone());
    assert_eq!(standing(&told), Some(2), "more agree, and no gate warns of them");
    doubt.severity = Severity::Info;
    told.0.attempts[0].versions[0].findings = vec![doubt];
    assert_eq!(standing(&told), Some(1));
}

#[test]
fn a_candidate_that_comes_to_nothing_is_the_last() {
    let failure = Failure::new(Stage::Model, "model", "no more replies");
    let told = thorough().and(Happened::Sampled { candidate: 2, of: 3 }).and(Happened::Failed {
        attempt: None,
        calls: vec![],
        failure,
    });
    assert!(told.0.failures.is_empty());
    assert_eq!(step_of(&told, 1), Step::Explain);
}

#[test]
fn time_that_is_up_in_the_optional_lanes_takes_no_answer_away() {
    let late = 1_000_000_000_000;
    let before = step_of(&thorough(), late);
    assert_eq!(before, Step::Answer(Ending::stopped(StopCode::Deadline)));
    let told = thorough().and(Happened::Sampled { candidate: 2, of: 3 });
    assert_eq!(step_of(&told, late), Step::Explain);
    let told = told.and(Happened::Explained { english: "one".into() });
    assert_eq!(step_of(&told, late), Step::Answer(Ending::Answered));
}

#[test]
fn nobody_but_a_model_is_sampled() {
    let told = thorough();
    let spent = Spent::of(&told.0, 1);
    assert_eq!(next(&told.0, &spent, Writer::Rules, Stops::default()), Step::Explain);
}
