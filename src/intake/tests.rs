//! Intent, kinds and links on a small catalog of our own.

use std::sync::Arc;

use super::*;
use crate::domain::schema::KeyOrigin;
use crate::domain::{
    Catalog, Column, ColumnKind, ColumnRef, ForeignKey, Intent, LinkTarget, QuestionKind, Table,
    ValueList,
};

fn table(name: &str, columns: &[&str]) -> Table {
    let column = |name: &&str| Column {
        name: (*name).to_owned(),
        kind: ColumnKind::Text,
        ..Column::default()
    };
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(column).collect(),
        primary_key: vec![columns[0].to_owned()],
        ..Table::default()
    }
}

fn facts() -> Facts {
    let catalog = Catalog {
        tables: vec![
            table("film", &["film_id", "title", "last_updated", "country"]),
            table("booking", &["booking_id", "film_id", "status", "administrator"]),
        ],
        keys: vec![ForeignKey {
            from_table: "booking".into(),
            from_columns: vec!["film_id".into()],
            to_table: "film".into(),
            to_columns: vec!["film_id".into()],
            origin: KeyOrigin::Declared,
            one_to_one: false,
        }],
        ..Catalog::default()
    };
    let list = ValueList {
        at: ColumnRef::new("booking", "status"),
        values: vec!["cancelled".into(), "confirmed".into()].into(),
        complete: true,
        ..ValueList::default()
    };
    Facts { catalog: Arc::new(catalog), values: Arc::new(vec![list]), ..Facts::default() }
}

fn of(text: &str) -> Understanding {
    understand(&Question { text: text.to_owned(), ..Question::default() }, &facts())
}

#[test]
fn orders_to_change_data_are_writes_and_questions_about_changes_are_not() {
    for text in [
        "Delete all bookings",
        "please update the film titles to upper case",
        "drop table film",
        "I want you to remove every cancelled booking.",
        "Insert a new film",
    ] {
        assert_eq!(of(text).intent, Intent::Write, "{text}");
    }
    for text in ["Which film was updated last?", "list deleted bookings", "Add up the bookings"] {
        assert_eq!(of(text).intent, Intent::Read, "{text}");
    }
}

#[test]
fn off_topic_needs_evidence_and_no_link() {
    assert_eq!(of("What is the weather like today?").intent, Intent::OffTopic);
    assert_eq!(of("Who are you?").intent, Intent::OffTopic);
    assert_eq!(of("Combien y a-t-il de réservations ?").intent, Intent::Read);
    assert_eq!(of("recommend a film title").intent, Intent::Read);
    for text in [
        "What is the average wing span of a bald eagle?",
        "How can the use of a gratitude journal impact the well-being of people?",
        "What are the steps of the check-in process at an airport?",
    ] {
        assert_eq!(of(text).intent, Intent::OffTopic, "{text}");
    }
    // two words are enough where they are the thing asked about; one is not, nor two beside a name
    assert_eq!(of("What is the cost of this swimming pool?").intent, Intent::OffTopic);
    assert_eq!(of("Where is the pool?").intent, Intent::Read);
    assert_eq!(of("What is the title of the swimming pool?").intent, Intent::Read);
    assert_eq!(of("Was ist der Titel des Films mit der ID 3?").intent, Intent::Read);
}

#[test]
fn saying_nothing_is_vague() {
    for text in ["", "   ", "show me something", "help", "??", "\u{0}\u{7}"] {
        assert_eq!(of(text).intent, Intent::Vague, "{text:?}");
    }
}

#[test]
fn kinds_come_from_whole_words() {
    let kinds = |text: &str| of(text).kinds.into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
    assert!(!kinds("film country and administrator").contains(&QuestionKind::Aggregation));
    assert!(kinds("count the films").contains(&QuestionKind::Aggregation));
    assert!(kinds("films with more than ten bookings").contains(&QuestionKind::Aggregation));
    assert!(kinds("films with at least 3 different bookings").contains(&QuestionKind::Aggregation));
    assert!(!kinds("films of more than ten minutes").contains(&QuestionKind::Aggregation));
    assert!(kinds("films with bookings").contains(&QuestionKind::MultiTableJoin));
    assert!(kinds("the most bookings").contains(&QuestionKind::Ranking));
}

#[test]
fn values_are_found_in_their_stored_spelling() {
    let found = of("How many bookings are Cancelled?");
    assert!(found.links.iter().any(|link| matches!(&link.target,
        LinkTarget::Value { stored, .. } if stored == "cancelled")));
}

#[test]
fn a_huge_question_of_odd_bytes_is_read_in_bounded_time() {
    let text = "film \u{1b}[2J ' \" title ".repeat(5_000);
    assert!(!of(&text).warnings.is_empty());
}
