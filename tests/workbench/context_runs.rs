//! Runs whose packages are really put together, on a small database with keys and comments.

use std::sync::Arc;

use querent::context::{Request, assemble};
use querent::domain::knowledge::Rule;

use querent::domain::schema::{KeyOrigin, RowCount};
use querent::domain::{
    Answer, Call, Catalog, Column, ColumnKind, ColumnRef, ColumnStats, ContextPackage, Event,
    Facts, ForeignKey, Happened, Knowledge, Metric, Origin, Question, ResultColumn, Rows, RunId,
    Status, Switches, Table, Trust, Usage, Value, ValueList,
};
use querent::intake;
use querent::joins::Graph;
use querent::pipeline::Told;
use querent::tui::msg::{Msg, Opened};

use super::bench::{Bench, opened};

pub const QUESTION: &str = "What is the total price of confirmed bookings per room?";
pub const FORMER: &str = "SELECT r.name, SUM(b.price_cents) AS total\nFROM bookings b JOIN rooms r \
    ON b.room_id = r.id\nGROUP BY r.name";
pub const LATER: &str = "SELECT r.name, SUM(b.price_cents) AS total\nFROM bookings b JOIN rooms r \
    ON b.room_id = r.id\nWHERE b.status = 'confirmed'\nGROUP BY r.name";

fn column(name: &str, data_type: &str, kind: ColumnKind) -> Column {
    Column {
        name: name.into(),
        data_type: data_type.into(),
        kind,
        primary: name == "id",
        not_null: name.ends_with("_id"),
        ..Column::default()
    }
}

fn table(name: &str, rows: u64, columns: &[&str]) -> Table {
    let made = columns.iter().map(|name| match *name {
        "id" | "room_id" | "member_id" | "booking_id" | "capacity" | "price_cents"
        | "amount_cents" => column(name, "INTEGER", ColumnKind::Integer),
        "starts_on" | "joined_on" => column(name, "DATE", ColumnKind::Date),
        _ => column(name, "TEXT", ColumnKind::Text),
    });
    Table {
        name: name.into(),
        columns: made.collect(),
        primary_key: vec!["id".into()],
        rows: Some(RowCount { count: rows, exact: true }),
        ..Table::default()
    }
}

fn key(from: &str, column: &str, to: &str, origin: KeyOrigin) -> ForeignKey {
    ForeignKey {
        from_table: from.into(),
        from_columns: vec![column.into()],
        to_table: to.into(),
        to_columns: vec!["id".into()],
        origin,
        one_to_one: false,
    }
}

pub fn catalog() -> Catalog {
    let mut tables = vec![
        table(
            "bookings",
            23,
            &["id", "room_id", "member_id", "status", "starts_on", "price_cents"],
        ),
        table("members", 12, &["id", "name", "joined_on"]),
        table("payments", 31, &["id", "booking_id", "amount_cents", "method"]),
        table("rooms", 6, &["id", "name", "capacity"]),
    ];
    tables[0].comment = Some("One row for each time a room is taken.".into());
    tables[0].columns[5].comment = Some("in euro cents, with tax".into());
    Catalog {
        database: "demo:reservo".into(),
        tables,
        keys: vec![
            key("bookings", "room_id", "rooms", KeyOrigin::Declared),
            key("bookings", "member_id", "members", KeyOrigin::Inferred("same name".into())),
            key("payments", "booking_id", "bookings", KeyOrigin::Declared),
        ],
        version: "1".into(),
        ..Catalog::default()
    }
}

pub fn stats(table: &str, column: &str, nulls: u64, top: &[(Value, u64)]) -> ColumnStats {
    ColumnStats {
        at: ColumnRef::new(table, column),
        rows_read: 23,
        complete: true,
        nulls,
        distinct: top.len() as u64,
        min: top.first().map(|(value, _)| value.clone()),
        max: top.last().map(|(value, _)| value.clone()),
        top: top.to_vec(),
        known: true,
    }
}

pub fn booking_stats() -> Vec<ColumnStats> {
    let text = |text: &str| Value::Text(text.into());
    vec![
        stats("bookings", "status", 0, &[(text("confirmed"), 17), (text("cancelled"), 6)]),
        stats("bookings", "member_id", 2, &[(Value::Integer(1), 9), (Value::Integer(4), 12)]),
        stats(
            "bookings",
            "price_cents",
            0,
            &[(Value::Integer(900), 1), (Value::Integer(24_000), 1)],
        ),
    ]
}

fn facts() -> Facts {
    let rule = |text: &str, about: &[&str]| Rule {
        text: text.into(),
        about: about.iter().map(|name| (*name).to_owned()).collect(),
    };
    let knowledge = Knowledge {
        source: "reservo.knowledge.toml".into(),
        domain: "A house that lets rooms".into(),
        rules: vec![
            rule("Only bookings whose status is 'confirmed' bring money.", &["bookings"]),
            rule("A member without bookings is a guest.", &["members"]),
        ],
        metrics: vec![Metric {
            name: "revenue".into(),
            formula: "SUM(price_cents) / 100.0".into(),
            tables: vec!["bookings".into()],
            ..Metric::default()
        }],
        ..Knowledge::default()
    };
    let list = ValueList {
        at: ColumnRef::new("bookings", "status"),
        values: vec!["cancelled".into(), "confirmed".into()].into(),
        complete: true,
        ..ValueList::default()
    };
    Facts {
        catalog: Arc::new(catalog()),
        statistics: booking_stats(),
        values: Arc::new(vec![list]),
        knowledge: Arc::new(knowledge),
        ..Facts::default()
    }
}

pub fn question(switches: Switches, parent: Option<&str>) -> Question {
    Question {
        text: QUESTION.into(),
        asked_at: "2026-11-30T10:00:00+00:00".into(),
        parent: parent.map(|id| RunId(id.into())),
        switches,
        ..Question::default()
    }
}

/// Puts the package of a question together.
pub fn package(question: &Question) -> ContextPackage {
    let facts = facts();
    let understanding = intake::understand(question, &facts);
    assemble(&Request {
        question,
        understanding: &understanding,
        facts: &facts,
        graph: &Graph::new(facts.catalog.clone()),
        errors: &[],
        form: question.form(),
        generated_at: "2026-11-30T10:00:00+00:00",
    })
}

fn call(output_tokens: u64, elapsed_us: u64) -> Call {
    Call {
        model: "script:case-a".into(),
        request: "ab12".into(),
        messages: Vec::new(),
        reply: "{}".into(),
        usage: Usage { input_tokens: 1_312, output_tokens, cached_tokens: 0 },
        elapsed_us,
        cost: Some(0.0042),
    }
}

pub fn rows(rows: &[(&str, i64)]) -> Rows {
    let column = |name: &str, data_type: &str| ResultColumn {
        name: name.into(),
        data_type: data_type.into(),
        origin: None,
        unit: None,
    };
    Rows {
        columns: vec![column("name", "text"), column("total", "integer")],
        rows: rows
            .iter()
            .map(|(name, n)| vec![Value::Text((*name).into()), Value::Integer(*n)])
            .collect(),
        row_count: rows.len() as u64,
        ..Rows::default()
    }
}

/// The events of a run that was answered at once.
pub fn run(id: &str, question: &Question, sql: &str, rows: Rows) -> Vec<Event> {
    let asked = Happened::Asked {
        question: Box::new(question.clone()),
        database: "demo:reservo".into(),
        place: String::new(),
        engine: "sqlite 3.54 · read-only".into(),
        model: "script:case-a".into(),
        scripted: true,
        knowledge: "reservo.knowledge.toml".into(),
    };
    let short = sql.len() < 130;
    let (tokens, took) = if short { (180, 1_200_000) } else { (228, 1_840_000) };
    let answer = Answer {
        status: Status::Answered,
        stop: None,
        clarify: None,
        trust: Some(if short { Trust::NeedsReview } else { Trust::Grounded }),
        reasons: vec![if short { "a word was not used" } else { "every name is proved" }.into()],
        assumptions: Vec::new(),
        summary: String::new(),
        chosen: Some((1, 0)),
    };
    let drafted = Happened::Drafted {
        attempt: 1,
        origin: Origin::Model,
        sql: sql.into(),
        note: String::new(),
        calls: vec![call(tokens, took)],
        semantic_retry: false,
    };
    let told = [
        (0, asked),
        (3_000, Happened::PackageReady(Box::new(package(question)))),
        (took, drafted),
        (took + 1_000, Happened::Ran { attempt: 1, version: 0, rows, elapsed_us: 700 }),
        (took + 2_000, Happened::Answered(Box::new(answer))),
    ];
    let run = RunId(id.into());
    told.into_iter().map(|(at_us, happened)| Event { run: run.clone(), at_us, happened }).collect()
}

pub fn first_run() -> Vec<Event> {
    let rows = rows(&[("Attic", 62_000), ("Cellar", 18_500), ("Hall", 131_400)]);
    run("0195-a", &question(Switches::default(), None), FORMER, rows)
}

pub fn child_run() -> Vec<Event> {
    let mut switches = Switches::default();
    switches.without.insert(querent::domain::ComponentKind::Statistics);
    switches.without_columns.insert(ColumnRef::new("bookings", "starts_on"));
    let rows = rows(&[("Attic", 58_000), ("Hall", 131_400), ("Studio", 9_000)]);
    run("0195-b", &question(switches, Some("0195-a")), LATER, rows)
}

/// A workbench on this database.
pub fn bench(width: u16, height: u16) -> Bench {
    let mut bench = Bench::closed(width, height);
    let opened = Opened { catalog: Arc::new(catalog()), ..opened() };
    bench.send(Msg::Opened(Box::new(opened)));
    bench
}

/// Asks, and tells the events.
pub fn tell(bench: &mut Bench, events: &[Event]) {
    let Some(Happened::Asked { question, .. }) = events.first().map(|event| &event.happened) else {
        panic!("a run begins with its question")
    };
    bench.app.question.editor.set(&question.text);
    let effects = bench.app.ask((**question).clone());
    bench.wanted.extend(effects);
    bench.send(Msg::Started(events[0].run.clone()));
    for event in events {
        bench.send(Msg::Told(Told::Event(Box::new(event.clone()))));
    }
    bench.send(Msg::Ended(events[0].run.clone()));
}

/// A workbench that shows the first run, and then its child.
pub fn told(width: u16, height: u16, runs: &[Vec<Event>]) -> Bench {
    let mut bench = bench(width, height);
    for events in runs {
        tell(&mut bench, events);
    }
    bench
}
