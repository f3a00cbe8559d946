//! A run told event by event: case A, where a column's name is close and is mended here.

use querent::domain::links::{Related, Understanding};
use querent::domain::package::{Content, Form, Source};
use querent::domain::plan::{Aggregate, Comparison, Condition, Measure, Operand, Term};
use querent::domain::{
    Answer, Call, Check, ColumnRef, Complexity, Component, ComponentKind, ContextPackage,
    Diagnostic, Event, Failure, Happened, Intent, Options, Origin, Plan, Question, QuestionKind,
    Repair, ResultColumn, Rows, RunId, Span, Stage, Status, Switches, Tier, Trust, Usage, Value,
};

pub const DRAFT: &str = "SELECT SUM(price) AS revenue\nFROM bookings\nWHERE status = 'confirmed'";
pub const MENDED: &str =
    "SELECT SUM(price_cents) AS revenue\nFROM bookings\nWHERE status = 'confirmed'";

fn component(kind: ComponentKind, tier: Tier, tokens: u32, reason: &str) -> Component {
    Component {
        kind,
        tier,
        origin: Source::Schema,
        included: tokens > 0,
        reason: reason.to_owned(),
        content: Content::Empty,
        text: if tokens > 0 {
            format!("{} TEXT", kind.name().to_uppercase())
        } else {
            String::new()
        },
        tokens,
        cut: Vec::new(),
    }
}

fn package() -> ContextPackage {
    use ComponentKind::{
        Business, Errors, Examples, History, Relationships, Samples, Schema, Statistics,
    };
    let components = vec![
        component(Schema, Tier::Always, 412, "bookings, rooms"),
        component(Relationships, Tier::High, 0, "one table"),
        component(Business, Tier::Always, 188, "3 of 12 rules, 1 metric"),
        component(Examples, Tier::High, 310, "2 similar"),
        component(Samples, Tier::Medium, 240, "bookings"),
        component(Statistics, Tier::Medium, 96, "asks for a total"),
        component(History, Tier::Low, 0, "none promoted"),
        component(Errors, Tier::High, 0, "first attempt"),
    ];
    ContextPackage {
        version: "3f9c21aa".into(),
        generated_at: "2026-11-30T10:00:00+00:00".into(),
        tokens: components.iter().map(|c| c.tokens).sum(),
        components,
        budget: 6_000,
        form: Form::Text,
        tables: vec!["bookings".into(), "rooms".into()],
        columns: Vec::new(),
        values: vec!["'confirmed' → bookings.status (exact, list complete)".into()],
        join_path: Vec::new(),
        warnings: Vec::new(),
    }
}

fn plan() -> Plan {
    let price = ColumnRef::new("bookings", "price_cents");
    Plan {
        grain: "one row".into(),
        tables: vec!["bookings".into()],
        measures: vec![Measure {
            term: Term::Aggregate {
                function: Aggregate::Sum,
                of: Box::new(Term::Column(price)),
                distinct: false,
            },
            alias: "revenue".into(),
            metric: None,
        }],
        filters: vec![Condition::Compare {
            left: Term::Column(ColumnRef::new("bookings", "status")),
            by: Comparison::Equal,
            right: Operand::Value(Value::Text("confirmed".into())),
        }],
        ..Plan::default()
    }
}

fn asked() -> Happened {
    Happened::Asked {
        question: Box::new(Question {
            text: "How much did we bring in with confirmed bookings?".into(),
            switches: Switches::default(),
            options: Options::default(),
            ..Question::default()
        }),
        database: "demo:reservo".into(),
        place: String::new(),
        engine: "sqlite 3.54 · read-only".into(),
        model: "script:case-a".into(),
        scripted: true,
        knowledge: "reservo.knowledge.toml".into(),
    }
}

fn drafted() -> Happened {
    let usage = Usage { input_tokens: 1_312, output_tokens: 228, cached_tokens: 0 };
    Happened::Drafted {
        attempt: 1,
        origin: Origin::Model,
        sql: DRAFT.into(),
        note: String::new(),
        calls: vec![Call {
            model: "script:case-a".into(),
            request: "ab12".into(),
            messages: vec![("user".into(), "…".into())],
            reply: "{}".into(),
            usage,
            elapsed_us: 1_840_000,
            cost: None,
        }],
        semantic_retry: false,
    }
}

fn rejected() -> Happened {
    let message = "column 'price' doesn't exist in bookings. Did you mean price_cents?";
    let diagnostic = Diagnostic {
        code: "no_such_column".into(),
        message: message.into(),
        span: Some(Span::new(11, 16)),
        suggestions: vec!["price_cents".into()],
    };
    Happened::Checked {
        attempt: 1,
        version: 0,
        checks: vec![
            Check { stage: Stage::Parse, ok: true, elapsed_us: 60 },
            Check { stage: Stage::Bind, ok: false, elapsed_us: 40 },
        ],
        analysed: true,
        findings: Vec::new(),
        failure: Some(Failure {
            stage: Stage::Bind,
            diagnostics: vec![diagnostic],
            retryable: true,
        }),
    }
}

fn passed() -> Happened {
    let check = |stage| Check { stage, ok: true, elapsed_us: 100 };
    Happened::Checked {
        attempt: 1,
        version: 1,
        checks: vec![check(Stage::Parse), check(Stage::Bind), check(Stage::Prepare)],
        analysed: true,
        findings: Vec::new(),
        failure: None,
    }
}

fn ran() -> Happened {
    Happened::Ran {
        attempt: 1,
        version: 1,
        rows: Rows {
            columns: vec![ResultColumn {
                name: "revenue".into(),
                data_type: "integer".into(),
                origin: None,
                unit: None,
            }],
            rows: vec![vec![Value::Integer(211_900)]],
            row_count: 1,
            ..Rows::default()
        },
        elapsed_us: 600,
    }
}

fn answered() -> Happened {
    Happened::Answered(Box::new(Answer {
        status: Status::Answered,
        stop: None,
        clarify: None,
        trust: Some(Trust::Grounded),
        reasons: vec!["every name and literal is proved".into()],
        assumptions: Vec::new(),
        summary: "The revenue is 211900.".into(),
        chosen: Some((1, 1)),
    }))
}

/// The events of case A with local repair, as they would be told.
pub fn case_a() -> Vec<Event> {
    let understood = Understanding {
        intent: Intent::Read,
        intent_words: String::new(),
        kinds: vec![(QuestionKind::Aggregation, "how much".into())],
        complexity: Complexity::Simple,
        complexity_reason: "one table".into(),
        links: Vec::new(),
        hints: Vec::new(),
        related: Related::default(),
        unknown: Vec::new(),
        warnings: Vec::new(),
        ambiguity: None,
    };
    let repair = Repair {
        kind: "unknown_name".into(),
        from: "price".into(),
        to: "price_cents".into(),
        evidence: "one close name, 0.82".into(),
    };
    let told = vec![
        (0, asked()),
        (3_000, Happened::Understood(Box::new(understood))),
        (12_000, Happened::PackageReady(Box::new(package()))),
        (1_860_000, Happened::Planned { origin: Origin::Model, plan: Box::new(plan()) }),
        (1_860_000, drafted()),
        (1_861_000, rejected()),
        (1_862_000, Happened::Rewritten { attempt: 1, version: 1, sql: MENDED.into(), repair }),
        (1_864_000, passed()),
        (1_870_000, ran()),
        (1_871_000, Happened::Reviewed { attempt: 1, version: 1, findings: Vec::new() }),
        (1_872_000, Happened::AttemptClosed { attempt: 1, outcome: "answers".into() }),
        (
            1_875_000,
            Happened::Explained {
                english: "the sum of price_cents over the bookings whose status is 'confirmed'"
                    .into(),
            },
        ),
        (1_880_000, answered()),
    ];
    let run = RunId("0195-a".into());
    told.into_iter().map(|(at_us, happened)| Event { run: run.clone(), at_us, happened }).collect()
}
