//! Tests of the package as a whole, on a small database of rooms, members and bookings.

mod advice;
mod budget;
mod knowledge;
mod privacy;
mod selection;

use std::sync::Arc;

use super::*;
use crate::domain::knowledge::{Knowledge, Meaning, Rule};
use crate::domain::links::Related;
use crate::domain::schema::KeyOrigin;
use crate::domain::{
    Catalog, Column, ColumnKind, ColumnRef, ColumnStats, Complexity, Example, ForeignKey, Intent,
    Link, LinkTarget, Match, Metric, QuestionKind, Sample, Span, Table, Value, ValueList,
};
use crate::joins::Graph;

/// A request whose parts a test may change before it is assembled.
struct Case {
    question: Question,
    understanding: Understanding,
    facts: Facts,
    errors: Vec<ErrorNote>,
}

impl Case {
    fn package(&self) -> ContextPackage {
        self.package_as(Form::Text)
    }

    fn package_as(&self, form: Form) -> ContextPackage {
        assemble(&Request {
            question: &self.question,
            understanding: &self.understanding,
            facts: &self.facts,
            graph: &Graph::new(self.facts.catalog.clone()),
            errors: &self.errors,
            form,
            generated_at: "2026-11-30T10:00:00Z",
        })
    }

    fn kinds(mut self, kinds: &[QuestionKind]) -> Self {
        self.understanding.kinds = kinds.iter().map(|kind| (*kind, String::new())).collect();
        self
    }

    fn link(mut self, words: &str, target: LinkTarget) -> Self {
        let start = self.question.text.find(words).expect("the words stand in the question");
        let span = Span::new(start, start + words.len());
        let how = Match::Exact;
        let words = words.to_owned();
        if let LinkTarget::Table(table)
        | LinkTarget::Column(ColumnRef { table, .. })
        | LinkTarget::Value { column: ColumnRef { table, .. }, .. } = &target
            && !self.understanding.related.anchors.contains(table)
        {
            self.understanding.related.anchors.push(table.clone());
        }
        self.understanding.links.push(Link { span, words, target, how, score: 0.9 });
        self
    }

    fn knowledge(&mut self) -> &mut Knowledge {
        Arc::make_mut(&mut self.facts.knowledge)
    }
}

fn ask(text: &str) -> Case {
    let question = Question {
        text: text.to_owned(),
        asked_at: "2026-11-30T11:00:00+01:00".to_owned(),
        ..Question::default()
    };
    let understanding = Understanding {
        intent: Intent::Read,
        intent_words: String::new(),
        kinds: vec![(QuestionKind::SimpleFilter, String::new())],
        complexity: Complexity::Simple,
        complexity_reason: String::new(),
        links: Vec::new(),
        hints: Vec::new(),
        related: Related::default(),
        unknown: Vec::new(),
        warnings: Vec::new(),
        ambiguity: None,
    };
    Case { question, understanding, facts: reservo(), errors: Vec::new() }
}

fn on_bookings(text: &str) -> Case {
    ask(text).link("bookings", LinkTarget::Table("bookings".to_owned()))
}

fn of(package: &ContextPackage, kind: ComponentKind) -> &Component {
    package.component(kind).expect("every package has all eight")
}

fn verdict(package: &ContextPackage, kind: ComponentKind) -> (bool, &str) {
    let component = of(package, kind);
    (component.included, component.reason.as_str())
}

fn table(name: &str, columns: &[(&str, &str)]) -> Table {
    let column = |&(name, data_type): &(&str, &str)| Column {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
        kind: match data_type {
            "INTEGER" => ColumnKind::Integer,
            "DATE" => ColumnKind::Date,
            _ => ColumnKind::Text,
        },
        primary: name == "id",
        ..Column::default()
    };
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(column).collect(),
        primary_key: vec!["id".to_owned()],
        ..Table::default()
    }
}

fn key(from: &str, column: &str, to: &str) -> ForeignKey {
    ForeignKey {
        from_table: from.to_owned(),
        from_columns: vec![column.to_owned()],
        to_table: to.to_owned(),
        to_columns: vec!["id".to_owned()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    }
}

fn stats(column: &str, min: Value, max: Value, distinct: u64) -> ColumnStats {
    ColumnStats {
        at: ColumnRef::new("bookings", column),
        rows_read: 23,
        complete: true,
        nulls: 0,
        distinct,
        min: Some(min),
        max: Some(max),
        top: Vec::new(),
        known: true,
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn pair(question: &str, sql: &str) -> Example {
    Example {
        question: question.to_owned(),
        sql: sql.to_owned(),
        verified_by: "Ada".to_owned(),
        verified_at: String::new(),
        run: None,
    }
}

fn reservo() -> Facts {
    let bookings = table(
        "bookings",
        &[
            ("id", "INTEGER"),
            ("room_id", "INTEGER"),
            ("status", "TEXT"),
            ("starts_on", "DATE"),
            ("price_cents", "INTEGER"),
        ],
    );
    let rooms = table("rooms", &[("id", "INTEGER"), ("name", "TEXT")]);
    let members = table("members", &[("id", "INTEGER"), ("email", "TEXT"), ("password", "TEXT")]);
    let catalog = Catalog {
        database: "demo:reservo".to_owned(),
        tables: vec![bookings, rooms, members],
        keys: vec![key("bookings", "room_id", "rooms")],
        version: "v1".to_owned(),
        ..Catalog::default()
    };
    let sample = Sample {
        table: "bookings".to_owned(),
        columns: vec!["id".to_owned(), "status".to_owned()],
        rows: (1..=4).map(|n| vec![Value::Integer(n), text("confirmed")]).collect(),
    };
    let statuses = ValueList {
        at: ColumnRef::new("bookings", "status"),
        values: vec!["cancelled".to_owned(), "confirmed".to_owned()].into(),
        complete: true,
        ..ValueList::default()
    };
    Facts {
        catalog: Arc::new(catalog),
        statistics: vec![
            stats("status", text("cancelled"), text("confirmed"), 2),
            stats("starts_on", text("2026-01-05"), text("2026-06-30"), 20),
            stats("price_cents", Value::Integer(4_500), Value::Integer(250_000), 15),
        ],
        values: Arc::new(vec![statuses]),
        samples: vec![sample],
        knowledge: Arc::new(knowledge()),
        ..Facts::default()
    }
}

fn knowledge() -> Knowledge {
    let rule = |text: &str, about: &[&str]| Rule {
        text: text.to_owned(),
        about: about.iter().map(|&t| t.to_owned()).collect(),
    };
    Knowledge {
        source: "reservo.knowledge.toml".to_owned(),
        domain: "Room bookings".to_owned(),
        rules: vec![
            rule("Money is in cents", &[]),
            rule("Only confirmed bookings are income", &["bookings.status"]),
            rule("Members log in by email", &["members"]),
        ],
        metrics: vec![Metric {
            name: "income".to_owned(),
            meaning: "money of confirmed bookings".to_owned(),
            formula: "SUM(price_cents)".to_owned(),
            tables: vec!["bookings".to_owned()],
            synonyms: vec!["brought in".to_owned()],
            ..Metric::default()
        }],
        columns: vec![Meaning {
            text: "state of the booking".to_owned(),
            values: vec![("confirmed".to_owned(), "paid for".to_owned())],
            ..Meaning::of(ColumnRef::new("bookings", "status"))
        }],
        ..Knowledge::default()
    }
}
