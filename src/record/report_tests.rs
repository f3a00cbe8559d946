//! Tests of the report, on transcripts made by hand.

use serde_json::json;

use super::*;
use crate::domain::package::Source;
use crate::domain::{
    Answer, Call, Check, ComponentKind, Content, Diagnostic, Event, Happened, Origin, Question,
    Repair, ResultColumn, RunId, Severity, Span, Stage, Status, Stop, StopCode, Tier, Trust, Usage,
};

fn event(at_us: u64, happened: Happened) -> Event {
    Event { run: RunId("r1".to_owned()), at_us, happened }
}

fn asked(text: &str, sql: Option<&str>) -> Event {
    let question = Question {
        text: text.to_owned(),
        sql: sql.map(str::to_owned),
        parent: Some(RunId("r0".to_owned())),
        ..Question::default()
    };
    let happened = Happened::Asked {
        question: Box::new(question),
        database: "demo:reservo".to_owned(),
        place: String::new(),
        engine: "sqlite".to_owned(),
        model: "script:case-a".to_owned(),
        scripted: true,
        knowledge: String::new(),
    };
    event(0, happened)
}

fn package() -> ContextPackage {
    let schema = Component {
        kind: ComponentKind::Schema,
        tier: Tier::Always,
        origin: Source::Schema,
        included: true,
        reason: "always told".to_owned(),
        content: Content::Empty,
        text: "DATABASE".to_owned(),
        tokens: 3,
        cut: Vec::new(),
    };
    let errors = Component {
        kind: ComponentKind::Errors,
        tier: Tier::High,
        origin: Source::Memory,
        included: false,
        reason: "no error in this run".to_owned(),
        text: String::new(),
        tokens: 0,
        ..schema.clone()
    };
    ContextPackage {
        version: "abc".to_owned(),
        generated_at: "2026-11-30T10:00:00Z".to_owned(),
        components: vec![schema, errors],
        tokens: 3,
        budget: 6_000,
        form: crate::domain::package::Form::Text,
        tables: vec!["bookings".to_owned()],
        columns: vec!["bookings.id".to_owned()],
        values: vec!["'a' → t.c (exact, list complete)".to_owned()],
        join_path: vec!["a.x = b.y".to_owned()],
        warnings: Vec::new(),
    }
}

fn checked(version: usize, failure: Option<Failure>, findings: Vec<Finding>) -> Happened {
    let check = |stage, ok| Check { stage, ok, elapsed_us: 5 };
    Happened::Checked {
        attempt: 1,
        version,
        checks: vec![check(Stage::Parse, true), check(Stage::Bind, failure.is_none())],
        analysed: true,
        findings,
        failure,
    }
}

fn drafted() -> Happened {
    let usage = Usage { input_tokens: 900, output_tokens: 40, cached_tokens: 100 };
    Happened::Drafted {
        attempt: 1,
        origin: Origin::Model,
        sql: "SELECT SUM(price) FROM bookings".to_owned(),
        note: "prose that must not be told".to_owned(),
        calls: vec![Call {
            model: "script:case-a".to_owned(),
            request: String::new(),
            messages: vec![("user".to_owned(), "x".repeat(36))],
            reply: String::new(),
            usage,
            elapsed_us: 4_000,
            cost: None,
        }],
        semantic_retry: false,
    }
}

fn bind_failure() -> Failure {
    let diagnostic = Diagnostic {
        code: "no_such_column".to_owned(),
        message: "column 'price' doesn't exist in bookings. Did you mean price_cents?".to_owned(),
        span: Some(Span::new(11, 16)),
        suggestions: vec!["price_cents".to_owned()],
    };
    Failure { stage: Stage::Bind, diagnostics: vec![diagnostic], retryable: true }
}

fn answer(status: Status) -> Answer {
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

/// A draft with a wrong name, mended here, run and answered.
fn mended() -> Vec<Event> {
    let finding = Finding {
        gate: "answer_shape".to_owned(),
        severity: Severity::Warning,
        message: "one value was asked for".to_owned(),
        evidence: "2 rows".to_owned(),
        retryable: false,
        hint: None,
        span: None,
        rewrite: None,
    };
    let repair = Repair {
        kind: "unknown_name".to_owned(),
        from: "price".to_owned(),
        to: "price_cents".to_owned(),
        evidence: "the one close name".to_owned(),
    };
    let sql = "SELECT SUM(price_cents) FROM bookings".to_owned();
    let columns = vec![ResultColumn {
        name: "SUM(price_cents)".to_owned(),
        data_type: "integer".to_owned(),
        origin: None,
        unit: None,
    }];
    let cells = [
        Value::Integer(211_900),
        Value::Null,
        Value::Real(0.5),
        Value::Real(f64::INFINITY),
        Value::Blob(vec![1, 255]),
        Value::Text("é\n".to_owned()),
    ];
    let rows = Rows {
        columns,
        rows: cells.into_iter().map(|cell| vec![cell]).collect(),
        row_count: 6,
        ..Rows::default()
    };
    let answered = Answer {
        trust: Some(Trust::Grounded),
        reasons: vec!["every check passed".to_owned()],
        assumptions: vec!["all time".to_owned()],
        summary: "211900".to_owned(),
        chosen: Some((1, 1)),
        ..answer(Status::Answered)
    };
    vec![
        asked("How much?", None),
        event(100, Happened::PackageReady(Box::new(package()))),
        event(5_000, drafted()),
        event(6_000, checked(0, Some(bind_failure()), Vec::new())),
        event(6_100, Happened::Rewritten { attempt: 1, version: 1, sql, repair }),
        event(6_200, checked(1, None, vec![finding])),
        event(8_000, Happened::Ran { attempt: 1, version: 1, rows, elapsed_us: 900 }),
        event(8_100, Happened::Explained { english: "the sum of price_cents".to_owned() }),
        event(9_500, Happened::Answered(Box::new(answered))),
    ]
}

fn told(events: &[Event]) -> Json {
    report(&Transcript::of(events))
}

const FIELDS: [&str; 24] = [
    "run",
    "parent",
    "question",
    "database",
    "model",
    "status",
    "stop",
    "clarify",
    "trust",
    "reasons",
    "assumptions",
    "kinds",
    "plan",
    "sql",
    "english",
    "columns",
    "rows",
    "row_count",
    "truncated",
    "summary",
    "findings",
    "attempts",
    "context",
    "usage",
];

#[test]
fn any_run_has_the_fields_of_the_contract_in_its_order() {
    let declined = [asked("q", None)];
    for report in [told(&mended()), told(&declined), told(&[])] {
        let names: Vec<&str> =
            report.as_object().unwrap().keys().map(std::string::String::as_str).collect();
        assert_eq!(names[..24], FIELDS);
        assert_eq!(names[24..], ["elapsed_ms"]);
    }
}

#[test]
fn an_answer_tells_its_sql_rows_and_trust() {
    let report = told(&mended());
    assert_eq!(report["parent"], json!("r0"));
    assert_eq!(report["status"], json!("answered"));
    assert_eq!(report["trust"], json!("grounded"));
    assert_eq!(report["sql"], json!("SELECT SUM(price_cents) FROM bookings"));
    assert_eq!(report["columns"], json!([{"name": "SUM(price_cents)", "type": "integer"}]));
    let rows = json!([[211_900], [null], [0.5], ["inf"], ["x'01ff'"], ["é\n"]]);
    assert_eq!(report["rows"], rows);
    assert_eq!((&report["row_count"], &report["truncated"]), (&json!(6), &json!(false)));
    assert_eq!(report["summary"], json!("211900"));
    assert_eq!(report["findings"][0]["gate"], json!("answer_shape"));
    assert_eq!(report["findings"][0]["severity"], json!("warning"));
    let usage = json!({
        "model_calls": 1, "input_tokens": 900, "output_tokens": 40, "cached_tokens": 100,
        "estimated_input_tokens": 10
    });
    assert_eq!(report["usage"], usage);
    assert_eq!(report["elapsed_ms"], json!(9));
    assert!(!report.to_string().contains("prose that must not be told"));
}

#[test]
fn a_mended_attempt_shows_all_checks_its_repair_and_no_error() {
    let report = told(&mended());
    let finding = json!({
        "gate": "answer_shape", "severity": "warning",
        "message": "one value was asked for", "evidence": "2 rows"
    });
    let right = json!([{
        "n": 1,
        "origin": "model",
        "drafted_sql": "SELECT SUM(price) FROM bookings",
        "sql": "SELECT SUM(price_cents) FROM bookings",
        "checks": [
            {"stage": "parse", "ok": true, "elapsed_us": 5},
            {"stage": "bind", "ok": false, "elapsed_us": 5},
            {"stage": "parse", "ok": true, "elapsed_us": 5},
            {"stage": "bind", "ok": true, "elapsed_us": 5},
        ],
        "findings": [finding],
        "repairs": [{"kind": "unknown_name", "from": "price", "to": "price_cents"}],
        "error": null,
        "elapsed_ms": 7,
    }]);
    assert_eq!(report["attempts"].to_string(), right.to_string());
}

#[test]
fn a_run_that_gave_up_keeps_its_sql_in_the_attempt_with_the_exact_error() {
    let stop = Stop {
        code: StopCode::NoProgress,
        message: "the same SQL came again".to_owned(),
        hint: "Ask in other words.".to_owned(),
    };
    let gave_up = Answer { stop: Some(stop), ..answer(Status::GaveUp) };
    let report = told(&[
        asked("How much?", None),
        event(5_000, drafted()),
        event(6_000, checked(0, Some(bind_failure()), Vec::new())),
        event(9_500, Happened::Answered(Box::new(gave_up))),
    ]);
    let error = json!({
        "stage": "bind",
        "code": "no_such_column",
        "message": "column 'price' doesn't exist in bookings. Did you mean price_cents?",
        "span": {"start": 11, "end": 16},
    });
    assert_eq!(report["attempts"][0]["error"], error);
    assert_eq!(report["stop"]["code"], json!("no_progress"));
    for absent in ["sql", "trust", "summary", "english", "context", "row_count", "plan"] {
        assert_eq!(report[absent], Json::Null, "{absent}");
    }
    for empty in ["rows", "columns", "findings", "kinds", "reasons"] {
        assert_eq!(report[empty], json!([]), "{empty}");
    }
}

#[test]
fn sql_of_ones_own_has_no_question() {
    assert_eq!(told(&[asked("", Some("SELECT 1"))])["question"], Json::Null);
}

#[test]
fn the_context_of_a_run_and_of_the_command_differ_by_texts_and_lists() {
    let of_run = json!({
        "version": "abc",
        "generated_at": "2026-11-30T10:00:00Z",
        "components_included": ["schema"],
        "tokens": 3,
        "components": [
            {"kind": "schema", "included": true, "reason": "always told", "tier": "always",
             "tokens": 3},
            {"kind": "errors", "included": false, "reason": "no error in this run",
             "tier": "high", "tokens": 0},
        ],
    });
    assert_eq!(told(&mended())["context"].to_string(), of_run.to_string());
    let mut of_command = of_run;
    of_command["components"][0]["text"] = json!("DATABASE");
    of_command["components"][0]["cut"] = json!([]);
    of_command["components"][1]["text"] = json!("");
    of_command["components"][1]["cut"] = json!([]);
    of_command["tables"] = json!(["bookings"]);
    of_command["columns"] = json!(["bookings.id"]);
    of_command["values"] = json!(["'a' → t.c (exact, list complete)"]);
    of_command["join_path"] = json!(["a.x = b.y"]);
    of_command["warnings"] = json!([]);
    of_command["budget"] = json!(6_000);
    of_command["form"] = json!("text");
    assert_eq!(context_report(&package()).to_string(), of_command.to_string());
}

#[test]
fn a_stored_run_gives_the_same_bytes_after_its_lines_are_read_again() {
    let events = mended();
    let read: Vec<Event> = events
        .iter()
        .map(|event| crate::record::lines::read(&crate::record::lines::write(event).unwrap()))
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(read, events);
    assert_eq!(told(&read).to_string(), told(&events).to_string());
}

#[test]
fn every_real_is_read_back_from_a_line_bit_for_bit() {
    let hard =
        [0.1 + 0.2, 2.225_073_858_507_201e-308, 9_007_199_254_740_993.0, 1.0 / 3.0, 1e300 / 7.0];
    let spread = (1..2_000_u64).map(|n| f64::from_bits(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let whole = [f64::INFINITY, f64::NEG_INFINITY, -0.0];
    for n in hard.into_iter().chain(spread).chain(whole).filter(|n| !n.is_nan()) {
        let rows = Rows { rows: vec![vec![Value::Real(n)]], ..Rows::default() };
        let ran = event(1, Happened::Ran { attempt: 1, version: 0, rows, elapsed_us: 1 });
        let line = crate::record::lines::write(&ran).unwrap();
        let read = crate::record::lines::read(&line).unwrap();
        assert_eq!(read, ran, "{line}");
    }
}

#[test]
fn a_rewritten_query_is_told_with_its_finding_and_else_left_out() {
    let mut found = Finding {
        gate: "fan_out".to_owned(),
        severity: Severity::Warning,
        message: "counted twice".to_owned(),
        evidence: "2.0 times".to_owned(),
        retryable: true,
        hint: None,
        span: None,
        rewrite: None,
    };
    assert!(finding(&found).get("rewrite").is_none());
    found.rewrite = Some("SELECT 1".to_owned());
    assert_eq!(finding(&found)["rewrite"], "SELECT 1");
}
