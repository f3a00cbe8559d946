//! Offers at a cursor written as `|`.

use std::sync::LazyLock;

use super::{Offers, Typed, compared, complete};
use crate::domain::schema::{ForeignKey, KeyOrigin, RowCount, TableKind};
use crate::domain::{Catalog, Column, ColumnRef, Table, ValueList};

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let table = |name: &str, columns: &[&str]| Table {
        name: name.to_owned(),
        columns: columns
            .iter()
            .map(|name| Column {
                name: (*name).to_owned(),
                data_type: "TEXT".into(),
                ..Column::default()
            })
            .collect(),
        ..Table::default()
    };
    let key = |from: &str, column: &str, to: &str| ForeignKey {
        from_table: from.into(),
        from_columns: vec![column.into()],
        to_table: to.into(),
        to_columns: vec!["id".into()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    };
    Catalog {
        tables: vec![
            table("bookings", &["id", "room_id", "member_id", "status", "price_cents"]),
            table("members", &["id", "name", "joined on"]),
            table("payments", &["id", "booking_id", "amount_cents"]),
            table("rooms", &["id", "name", "capacity"]),
        ],
        keys: vec![
            key("bookings", "room_id", "rooms"),
            key("bookings", "member_id", "members"),
            key("payments", "booking_id", "bookings"),
        ],
        ..Catalog::default()
    }
});

fn at(marked: &str, asked: bool) -> Offers {
    let cursor = marked.find('|').expect("a cursor");
    let sql = marked.replace('|', "");
    let values = [ValueList {
        at: ColumnRef::new("bookings", "status"),
        values: vec!["cancelled".into(), "confirmed".into(), "it's".into(), "pending".into()]
            .into(),
        complete: true,
        ..ValueList::default()
    }];
    complete(&Typed { sql: &sql, cursor, asked, catalog: &CATALOG, values: &values })
}

fn offered(marked: &str) -> Vec<String> {
    at(marked, false).offers.into_iter().map(|offer| offer.text).collect()
}

#[track_caller]
fn first(marked: &str, wanted: &[&str]) {
    let all = offered(marked);
    assert_eq!(
        all.iter().map(String::as_str).take(wanted.len()).collect::<Vec<_>>(),
        wanted,
        "{marked}"
    );
}

#[test]
fn a_qualifier_offers_the_columns_of_what_it_stands_for() {
    let all = ["id", "room_id", "member_id", "status", "price_cents"];
    assert_eq!(offered("SELECT b.| FROM bookings b"), all);
    assert_eq!(offered("SELECT * FROM bookings AS b WHERE b.|"), all);
    assert_eq!(offered("SELECT rooms.| "), ["id", "name", "capacity"]);
    assert_eq!(offered("SELECT b.pri| FROM bookings b"), ["price_cents"]);
    assert_eq!(offered("SELECT m.| FROM members m"), ["id", "name", "\"joined on\""]);
    assert_eq!(offered("SELECT x.| FROM bookings b"), Vec::<String>::new());
}

#[test]
fn columns_in_sight_go_before_functions_and_keywords() {
    first("SELECT s| FROM bookings", &["status"]);
    first("SELECT sum(p| FROM bookings", &["price_cents"]);
    assert!(!offered("SELECT cap| FROM bookings").contains(&"capacity".to_owned()));
    // before FROM is written, any column may be meant
    first("SELECT cap|", &["capacity"]);
    // a keyword that begins so goes before a column that only holds the letters
    first("SELECT id FROM bookings wh|", &["WHERE"]);
    first("sel|", &["SELECT"]);
}

#[test]
fn a_name_of_two_relations_is_qualified() {
    let all = offered("SELECT i| FROM bookings b JOIN rooms r ON b.room_id = r.id");
    assert_eq!(all.iter().take(2).collect::<Vec<_>>(), ["b.id", "r.id"]);
    first("SELECT * FROM bookings b JOIN rooms r ON b.room_id = r.id WHERE cap|", &["capacity"]);
}

#[test]
fn from_offers_tables_and_join_those_a_key_ties_first() {
    assert_eq!(offered("SELECT * FROM |"), ["bookings", "members", "payments", "rooms"]);
    first("SELECT * FROM bookings b JOIN |", &["members", "payments", "rooms", "bookings"]);
    first("SELECT * FROM rooms, b|", &["bookings"]);
    first("WITH busy AS (SELECT 1 AS n) SELECT * FROM bu|", &["busy"]);
}

#[test]
fn on_offers_the_condition_along_the_key() {
    first("SELECT * FROM bookings b JOIN rooms r ON |", &["b.room_id = r.id"]);
    first("SELECT * FROM rooms JOIN bookings ON | WHERE 1", &["rooms.id = bookings.room_id"]);
    first(
        "SELECT * FROM payments p JOIN bookings b ON p.booking_id = b.id JOIN members m ON |",
        &["b.member_id = m.id"],
    );
    first("SELECT * FROM bookings b JOIN rooms r ON r|", &["room_id"]);
}

#[test]
fn names_of_with_and_subqueries_are_in_sight() {
    first(
        "WITH t AS (SELECT id, price_cents * 2 AS twice FROM bookings) SELECT tw| FROM t",
        &["twice"],
    );
    assert_eq!(offered("WITH t(a, b) AS (SELECT 1, 2) SELECT t.| FROM t"), ["a", "b"]);
    assert_eq!(offered("SELECT d.| FROM (SELECT * FROM rooms) d"), ["id", "name", "capacity"]);
    // a correlated subquery sees what is around it, qualified
    let sql =
        "SELECT * FROM rooms r WHERE EXISTS (SELECT 1 FROM bookings b WHERE b.room_id = cap|)";
    first(sql, &["r.capacity"]);
    // an arm of a union sees its own FROM alone
    assert!(
        !offered("SELECT id FROM bookings UNION SELECT stat| FROM rooms")
            .contains(&"status".into())
    );
}

#[test]
fn stored_values_are_offered_where_a_text_is_compared() {
    let offers = at("SELECT * FROM bookings WHERE status = 'con|", false);
    assert_eq!(offers.offers.first().map(|o| o.text.as_str()), Some("confirmed'"));
    assert_eq!((offers.from, offers.to), (39, 42));
    let closed = at("SELECT * FROM bookings WHERE status = 'con|x' AND 1", false);
    assert_eq!((closed.from, closed.to), (39, 44));
    first("SELECT * FROM bookings b WHERE b.status IN ('pending', '|", &["cancelled'"]);
    first("SELECT * FROM bookings WHERE status NOT LIKE 'it|", &["it''s'"]);
    assert_eq!(offered("SELECT 'con|"), Vec::<String>::new());
    let sql = "SELECT * FROM bookings WHERE status <> '";
    assert_eq!(compared(sql, sql.len(), &CATALOG), Some(ColumnRef::new("bookings", "status")));
}

#[test]
fn nothing_is_offered_in_comments_numbers_and_behind_as() {
    for marked in ["SELECT 1 -- sel|", "/* b.| */", "SELECT 12|", "SELECT id AS n|", "SELECT id |"]
    {
        assert_eq!(offered(marked), Vec::<String>::new(), "{marked}");
    }
    assert!(!at("SELECT id FROM bookings |", true).offers.is_empty());
}

#[test]
fn each_statement_is_completed_by_itself() {
    assert_eq!(
        offered("SELECT * FROM bookings b; SELECT r.| FROM rooms r; x"),
        ["id", "name", "capacity"]
    );
    assert!(offered("SELECT 1; SELECT b.|; SELECT * FROM bookings b").is_empty());
}

#[test]
fn no_text_and_no_cursor_makes_it_fail() {
    let text = "WITH t AS (SELECT b.é, 'x' FROM (bookings b JOIN rooms r ON ) , UNION SELECT ((( WHERE s IN ('a', ";
    for cursor in 0..=text.len() + 2 {
        for asked in [false, true] {
            let typed = Typed { sql: text, cursor, asked, catalog: &CATALOG, values: &[] };
            let offers = complete(&typed);
            assert!(offers.from <= offers.to && offers.to <= text.len());
        }
    }
}

#[test]
fn texts_nested_as_deep_as_they_are_long_are_completed_too() {
    for part in ["(", "(SELECT ", "SELECT * FROM (", "f(x, ", "FROM (a JOIN ", "WITH t AS ("] {
        let text = part.repeat(40_000 / part.len());
        let typed =
            Typed { sql: &text, cursor: text.len(), asked: true, catalog: &CATALOG, values: &[] };
        let offers = complete(&typed);
        assert!(offers.to <= text.len());
    }
}

#[test]
fn a_view_is_called_one_and_an_estimate_has_a_sign() {
    let mut catalog = CATALOG.clone();
    let rows = |count, exact| Some(RowCount { count, exact });
    (catalog.tables[0].kind, catalog.tables[0].rows) = (TableKind::View, None);
    catalog.tables[1].rows = rows(12_000, false);
    catalog.tables[2].rows = rows(1, true);
    let sql = "SELECT * FROM ";
    let typed = Typed { sql, cursor: sql.len(), asked: true, catalog: &catalog, values: &[] };
    let what: Vec<String> = complete(&typed).offers.into_iter().map(|offer| offer.what).collect();
    assert_eq!(what, ["view", "table, ~12,000 rows", "table, 1 row", "table"]);
}
