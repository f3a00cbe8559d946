//! Times folding a long run's events into its transcript, beside cloning the events.
//!
//! Time travel folds a prefix for each cursor move: the fold of the whole run bounds a key press.

use divan::{Bencher, black_box};
use querent::domain::package::{Form, SchemaContent, Source};
use querent::domain::{
    Check, Column, Component, ComponentKind, Content, ContextPackage, Event, Happened, Origin,
    ResultColumn, Rows, RunId, Stage, Table, Tier, Transcript, Value,
};

/// Attempts of a run: the default, and the most that can be asked for.
const ATTEMPTS: [u32; 2] = [3, 10];

fn main() {
    divan::main();
}

fn column() -> ResultColumn {
    ResultColumn { name: "column".into(), data_type: "text".into(), origin: None, unit: None }
}

fn event(happened: Happened) -> Event {
    Event { run: RunId("1".into()), at_us: 1, happened }
}

fn package() -> ContextPackage {
    let component = |kind: ComponentKind| Component {
        kind,
        tier: Tier::Always,
        origin: Source::Schema,
        included: true,
        reason: "always told".into(),
        content: Content::Schema(SchemaContent {
            tables: vec![Table { columns: vec![Column::default(); 12], ..Table::default() }; 10],
            ..SchemaContent::default()
        }),
        text: "a line of the package\n".repeat(40),
        tokens: 240,
        cut: Vec::new(),
    };
    ContextPackage {
        version: "1".into(),
        generated_at: "2026-01-01T00:00:00Z".into(),
        components: ComponentKind::ALL.into_iter().map(component).collect(),
        tokens: 2000,
        budget: 6000,
        form: Form::Text,
        tables: vec!["orders".into(); 10],
        columns: vec!["orders.amount".into(); 120],
        values: Vec::new(),
        join_path: Vec::new(),
        warnings: Vec::new(),
    }
}

/// All rows that a run may keep.
fn rows() -> Rows {
    let cell =
        |n: i64| if n % 2 == 0 { Value::Integer(n) } else { Value::Text(format!("text {n}")) };
    Rows {
        columns: vec![column(); 8],
        rows: (0..1000).map(|row| (0..8).map(|column| cell(row + column)).collect()).collect(),
        row_count: 1000,
        ..Rows::default()
    }
}

fn attempt(n: u32) -> [Happened; 5] {
    let check = |stage| Check { stage, ok: true, elapsed_us: 100 };
    [
        Happened::Drafted {
            attempt: n,
            origin: Origin::Model,
            sql: "SELECT name, sum(amount) FROM orders GROUP BY name ORDER BY 2 DESC".into(),
            note: String::new(),
            calls: Vec::new(),
            semantic_retry: false,
        },
        Happened::Checked {
            attempt: n,
            version: 0,
            checks: [Stage::Parse, Stage::Bind, Stage::Prepare].map(check).to_vec(),
            analysed: true,
            findings: Vec::new(),
            failure: None,
        },
        Happened::Ran { attempt: n, version: 0, rows: rows(), elapsed_us: 500 },
        Happened::Reviewed { attempt: n, version: 0, findings: Vec::new() },
        Happened::AttemptClosed { attempt: n, outcome: "stands".into() },
    ]
}

fn events(attempts: u32) -> Vec<Event> {
    let of = |n| std::iter::once(Happened::PackageReady(Box::new(package()))).chain(attempt(n));
    (1..=attempts).flat_map(of).map(event).collect()
}

#[divan::bench(args = ATTEMPTS)]
fn a_run_is_folded(bencher: Bencher<'_, '_>, attempts: u32) {
    let events = events(attempts);
    bencher.bench(|| Transcript::of(black_box(&events)));
}

/// The baseline: what owning the same values costs at least.
#[divan::bench(args = ATTEMPTS)]
fn its_events_are_cloned(bencher: Bencher<'_, '_>, attempts: u32) {
    let events = events(attempts);
    bencher.bench(|| black_box(&events).clone());
}
