//! What ranks high, and which tables are found to explain a question.

use crate::domain::schema::KeyOrigin;
use crate::domain::{Catalog, ForeignKey, Knowledge, Table};
use crate::search::{Index, tokenise};

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

/// A shop, and beside it a school that has customers of its own.
fn shop_and_school() -> Catalog {
    Catalog {
        tables: vec![
            Table::bare("school_customers", &["id", "name", "course_id"]),
            Table::bare("course", &["id", "title"]),
            Table::bare("customers", &["id", "name", "address_id"]),
            Table::bare("address", &["id", "street", "city_id"]),
            Table::bare("city", &["id", "name", "country"]),
            Table::bare("orders", &["id", "customer_id", "status", "amount"]),
            Table::bare("payment_kinds", &["code", "label"]),
        ],
        keys: vec![
            key("school_customers", "course_id", "course"),
            key("customers", "address_id", "address"),
            key("address", "city_id", "city"),
            key("orders", "customer_id", "customers"),
        ],
        ..Catalog::default()
    }
}

fn ranked(question: &str) -> crate::domain::links::Related {
    let index = Index::new(&shop_and_school(), &[], &Knowledge::default());
    index.rank(&tokenise(question), &[], &[])
}

fn first(question: &str, most: usize) -> Vec<String> {
    ranked(question).tables.into_iter().take(most).map(|related| related.table).collect()
}

#[test]
fn of_two_tables_of_one_name_the_one_beside_the_other_words_comes_first() {
    let order = first("How many orders has each customer?", 9);
    let place = |name: &str| order.iter().position(|table| table == name);
    assert!(place("customers") < place("school_customers"), "{order:?}");
    let order = first("Which course does each customer take?", 9);
    let place = |name: &str| order.iter().position(|table| table == name);
    assert!(place("school_customers") < place("customers"), "{order:?}");
}

#[test]
fn tables_between_two_that_are_named_rank_before_those_apart() {
    let order = first("customers by city", 4);
    assert!(order.contains(&"address".to_owned()), "{order:?}");
    assert!(!order.contains(&"payment_kinds".to_owned()), "{order:?}");
}

#[test]
fn a_word_of_the_same_meaning_is_enough() {
    assert!(first("What are the clients called?", 2).contains(&"customers".to_owned()));
    assert!(first("Which purchases are there?", 2).contains(&"orders".to_owned()));
}

#[test]
fn a_question_of_one_table_needs_no_other() {
    assert_eq!(ranked("What is the total amount of orders by status?").anchors, ["orders"]);
    assert_eq!(ranked("How many orders are there for each customer id?").anchors, ["orders"]);
    let mut both = ranked("Show the name of each customer and the amount of their orders").anchors;
    both.sort();
    assert_eq!(both, ["customers", "orders"]);
}

#[test]
fn a_table_says_which_words_speak_for_it() {
    let related = ranked("How many orders has each customer?");
    let orders = related.tables.iter().find(|related| related.table == "orders");
    assert_eq!(orders.and_then(|orders| orders.why.first().cloned()), Some("orders".to_owned()));
}

#[test]
fn words_that_one_column_holds_together_ask_for_no_other_table() {
    let rooms = Table::bare("rooms", &["id", "name", "hourly_rate_cents"]);
    let bookings = Table::bare("bookings", &["id", "room_id", "hours"]);
    let catalog = Catalog {
        tables: vec![rooms, bookings],
        keys: vec![key("bookings", "room_id", "rooms")],
        ..Catalog::default()
    };
    let index = Index::new(&catalog, &[], &Knowledge::default());
    let anchors = |question: &str| index.rank(&tokenise(question), &[], &[]).anchors;
    assert_eq!(anchors("What is the hourly rate of each room?"), ["rooms"]);
    let many: Vec<String> = (0..300).map(|n| format!("word{n}")).collect();
    let long = many.join(" ") + " rooms";
    assert_eq!(anchors(&long), ["rooms"], "long questions are read whole");
}

#[test]
fn a_month_of_the_question_finds_the_table_that_is_called_by_it() {
    let month = |n: usize| {
        let name = format!("events_{}_{:02}", 2022 + n / 12, n % 12 + 1);
        Table::bare(&name, &["id", "kind", "device"])
    };
    let mut tables: Vec<Table> = (0..36).map(month).collect();
    tables.push(Table::bare("users", &["id", "name"]));
    let catalog = Catalog { tables, ..Catalog::default() };
    let index = Index::new(&catalog, &[], &Knowledge::default());
    let anchors = |question: &str| index.rank(&tokenise(question), &[], &[]).anchors;
    assert_eq!(anchors("How many events were there in March 2023?"), ["events_2023_03"]);
    assert_eq!(anchors("events of 2024-11 by kind"), ["events_2024_11"]);
    assert_eq!(anchors("How many users are there?"), ["users"]);
}

#[test]
fn forms_of_one_word_count_once() {
    let words = |told: &[(&str, f32)]| -> Vec<(String, f32)> {
        told.iter().map(|(word, best)| ((*word).to_owned(), *best)).collect()
    };
    let share = |told: &[(&str, f32)]| super::share(&words(told));
    assert!((share(&[("name", 0.9), ("directors", 0.0), ("directed", 0.0)]) - 0.45).abs() < 1e-6);
    assert!((share(&[("name", 0.9), ("directors", 0.0), ("ensembles", 0.0)]) - 0.3).abs() < 1e-6);
    assert!((share(&[]) - 1.0).abs() < 1e-6);
}
