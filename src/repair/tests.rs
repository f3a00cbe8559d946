//! Repairs on a small schema: each mends what it can prove and leaves the rest.

use super::*;
use crate::domain::schema::KeyOrigin;
use crate::domain::{Column, ForeignKey, Stage, Table};
use crate::sql::{ReadQuery, bind};

fn table(name: &str, columns: &[&str]) -> Table {
    let column = |name: &&str| Column { name: (*name).to_owned(), ..Column::default() };
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(column).collect(),
        primary_key: vec![columns[0].to_owned()],
        ..Table::default()
    }
}

fn catalog() -> Catalog {
    let key = |from: &str, column: &str, to: &str, target: &str| ForeignKey {
        from_table: from.to_owned(),
        from_columns: vec![column.to_owned()],
        to_table: to.to_owned(),
        to_columns: vec![target.to_owned()],
        origin: KeyOrigin::Declared,
        one_to_one: false,
    };
    Catalog {
        tables: vec![
            table(
                "bookings",
                &["id", "member_id", "room_id", "price_cents", "status", "booked_on"],
            ),
            table("members", &["id", "name", "city", "club_id"]),
            table("clubs", &["id", "title"]),
            table("rooms", &["room_id", "label"]),
            table("Order Details", &["detail_id", "Unit Price"]),
            table("Orders", &["order_id", "member_id"]),
        ],
        keys: vec![
            key("bookings", "member_id", "members", "id"),
            key("bookings", "room_id", "rooms", "room_id"),
            key("members", "club_id", "clubs", "id"),
        ],
        ..Catalog::default()
    }
}

/// Checks a query as far as it goes without an engine, then asks for advice.
fn mended(sql: &str, code: &str) -> Option<(String, Repair)> {
    let catalog = catalog();
    let failure = match ReadQuery::parse(sql, Dialect::Sqlite) {
        Err(failure) => failure,
        Ok(query) => {
            let diagnostics = bind(&query, &catalog).diagnostics;
            if diagnostics.is_empty() {
                Failure::new(Stage::Prepare, code, "refused by the engine")
            } else {
                Failure { stage: Stage::Bind, diagnostics, retryable: true }
            }
        }
    };
    let broken =
        Broken { sql, failure: &failure, catalog: &catalog, values: &[], dialect: Dialect::Sqlite };
    match advise(&broken) {
        Advice::Rewrite { sql, repair } => Some((sql, repair)),
        Advice::Abstain(_) => None,
    }
}

#[track_caller]
fn check(sql: &str, kind: &str, expected: &str) {
    let (text, repair) = mended(sql, "syntax_error").expect("it is mended");
    assert_eq!((text.as_str(), repair.kind.as_str()), (expected, kind));
    assert!(!repair.evidence.is_empty());
}

#[test]
fn a_slip_in_a_table_or_a_function_is_mended() {
    check("SELECT name FROM membrs", "unknown_name", "SELECT name FROM members");
    check(
        "SELECT LENGHT(name) FROM members",
        "unknown_function",
        "SELECT length(name) FROM members",
    );
    // with another number of arguments it was no slip
    assert_eq!(mended("SELECT LENGHT(name, 2) FROM members", "syntax_error"), None);
}

#[test]
fn faults_that_each_alone_are_mended_are_mended_together() {
    check(
        "SELECT SUM(price_cents)::float FROM bookings GROUP BY room_id,",
        "foreign_syntax+stray_text",
        "SELECT CAST(SUM(price_cents) AS REAL) FROM bookings GROUP BY room_id",
    );
    check("Here is the query:\nSELECT name FROM member", "stray_text", "SELECT name FROM member");
}

#[test]
fn an_alias_of_an_aggregate_in_a_condition_on_rows_goes_to_having() {
    check(
        "SELECT city, COUNT(*) AS n FROM members WHERE n > 3 AND city <> 'Brno' GROUP BY city",
        "aggregate_misuse",
        "SELECT city, COUNT(*) AS n FROM members WHERE city <> 'Brno' GROUP BY city HAVING n > 3",
    );
}

#[test]
fn a_close_name_is_taken() {
    check(
        "SELECT SUM(price) FROM bookings WHERE status = 'confirmed'",
        "unknown_name",
        "SELECT SUM(price_cents) FROM bookings WHERE status = 'confirmed'",
    );
    check("SELECT COUNT(*) FROM booking", "unknown_name", "SELECT COUNT(*) FROM bookings");
    check("SELECT member.name FROM member", "unknown_name", "SELECT members.name FROM members");
}

#[test]
fn words_that_spell_a_stored_table_are_not_taken_for_another_with_an_alias() {
    check(
        "SELECT COUNT(*) AS n FROM Order Details",
        "spaced_name",
        "SELECT COUNT(*) AS n FROM \"Order Details\"",
    );
    check(
        "SELECT Details.detail_id FROM order details",
        "spaced_name",
        "SELECT Details.detail_id FROM \"Order Details\" AS details",
    );
    check(
        "SELECT od.detail_id FROM Order Details od",
        "spaced_name",
        "SELECT od.detail_id FROM \"Order Details\" od",
    );
    check(
        "SELECT Unit Price FROM \"Order Details\"",
        "spaced_name",
        "SELECT \"Unit Price\" FROM \"Order Details\"",
    );
}

#[test]
fn several_names_are_mended_at_once() {
    check(
        "SELECT PriceCents, Booked_At FROM bookings WHERE bookedOn > '2025'",
        "unknown_name",
        "SELECT price_cents, booked_on FROM bookings WHERE booked_on > '2025'",
    );
}

#[test]
fn a_name_that_nothing_is_close_to_is_left() {
    assert_eq!(mended("SELECT COUNT(*) FROM reservations", ""), None);
    assert_eq!(mended("SELECT colour FROM rooms", ""), None);
}

#[test]
fn the_owner_in_scope_gets_its_column() {
    check(
        "SELECT b.name FROM bookings b JOIN members m ON b.member_id = m.id",
        "wrong_table",
        "SELECT m.name FROM bookings b JOIN members m ON b.member_id = m.id",
    );
}

#[test]
fn no_table_is_left_without_a_condition() {
    // under the owner's name the condition would say nothing of rooms, which only bookings has a
    // key to
    check(
        "SELECT COUNT(*) FROM bookings b JOIN members m ON b.member_id = m.id JOIN rooms r ON m.id = r.member_id",
        "bridge",
        "SELECT COUNT(*) FROM bookings b JOIN members m ON b.member_id = m.id JOIN rooms r ON b.room_id = r.room_id",
    );
}

#[test]
fn a_table_is_joined_when_one_key_leads_to_it() {
    check(
        "SELECT COUNT(*) FROM bookings WHERE city = 'Rome' AND id > 3",
        "join_key",
        "SELECT COUNT(*) FROM bookings JOIN members ON bookings.member_id = members.id WHERE members.city = 'Rome' AND bookings.id > 3",
    );
    // The other way a join would repeat rows, so nothing is proved.
    assert_eq!(mended("SELECT name FROM members WHERE price_cents > 3", ""), None);
}

#[test]
fn no_table_is_joined_for_a_title_where_rows_have_a_name_of_their_own() {
    let mended_by = |sql| mended(sql, "no_such_column").map(|(now, _)| now);
    assert_eq!(mended_by("SELECT members.title FROM members"), None);
    assert_eq!(mended_by("SELECT title FROM members"), None);
}

#[test]
fn an_ambiguous_name_is_qualified_when_the_join_makes_it_equal() {
    check(
        "SELECT room_id, label FROM bookings JOIN rooms ON bookings.room_id = rooms.room_id",
        "ambiguous_name",
        "SELECT bookings.room_id, label FROM bookings JOIN rooms ON bookings.room_id = rooms.room_id",
    );
    assert_eq!(mended("SELECT id FROM bookings JOIN members ON member_id = members.id", ""), None);
}

#[test]
fn a_sort_key_that_means_the_only_aggregate_becomes_it() {
    check(
        "SELECT city, COUNT(*) FROM members GROUP BY city ORDER BY num_members DESC",
        "output_name",
        "SELECT city, COUNT(*) FROM members GROUP BY city ORDER BY COUNT(*) DESC",
    );
}

#[test]
fn casts_of_another_engine_are_written_out() {
    check(
        "SELECT (COUNT(*) / COUNT(city) * 100)::float AS share FROM members",
        "foreign_syntax",
        "SELECT CAST((COUNT(*) / COUNT(city) * 100) AS REAL) AS share FROM members",
    );
    check(
        "SELECT b.price_cents::double precision / 100, '1'::int FROM bookings b",
        "foreign_syntax",
        "SELECT CAST(b.price_cents AS REAL) / 100, CAST('1' AS INTEGER) FROM bookings b",
    );
}

#[test]
fn date_functions_of_other_engines_become_strftime() {
    check(
        "SELECT COUNT(*) FROM bookings WHERE EXTRACT(YEAR FROM booked_on) = 2025",
        "foreign_syntax",
        "SELECT COUNT(*) FROM bookings WHERE CAST(strftime('%Y', booked_on) AS INTEGER) = 2025",
    );
    check(
        "SELECT DATE_TRUNC('month', booked_on), COUNT(*) FROM bookings GROUP BY 1",
        "foreign_syntax",
        "SELECT strftime('%Y-%m-01', booked_on), COUNT(*) FROM bookings GROUP BY 1",
    );
}

#[test]
fn top_and_any_are_written_as_this_engine_reads_them() {
    check(
        "SELECT TOP 3 name FROM members ORDER BY id;",
        "foreign_syntax",
        "SELECT  name FROM members ORDER BY id LIMIT 3;",
    );
    check(
        "SELECT id FROM bookings WHERE price_cents > ANY (SELECT price_cents FROM bookings WHERE status = 'x')",
        "quantifier",
        "SELECT id FROM bookings WHERE price_cents >  (SELECT MIN(price_cents) FROM bookings WHERE status = 'x')",
    );
}

#[test]
fn nested_and_misplaced_aggregates_are_moved() {
    check(
        "SELECT city FROM members GROUP BY city HAVING COUNT(*) = (SELECT MAX(COUNT(*)) FROM members GROUP BY city)",
        "aggregate_misuse",
        "SELECT city FROM members GROUP BY city HAVING COUNT(*) = (SELECT COUNT(*) FROM members GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1)",
    );
    check(
        "SELECT city FROM members WHERE id > 3 AND COUNT(*) > 1 GROUP BY city",
        "aggregate_misuse",
        "SELECT city FROM members WHERE id > 3 GROUP BY city HAVING COUNT(*) > 1",
    );
}

#[test]
fn text_around_a_query_is_cut_off() {
    check("SELECT name FROM members ```;", "stray_text", "SELECT name FROM members");
    check("SELECT SELECT name FROM members", "stray_text", "SELECT name FROM members");
    check(
        "SELECT Sure, here is it: SELECT name FROM members;",
        "stray_text",
        "SELECT name FROM members;",
    );
    check("SELECT name, FROM members", "stray_text", "SELECT name FROM members");
}

#[test]
fn an_inner_query_is_never_taken_for_the_whole() {
    assert_eq!(mended("select name from members wehre id in (select id from rooms", ""), None);
}

#[test]
fn of_several_statements_the_only_one_is_kept() {
    check(
        "SELECT name FROM members; SELECT name FROM members;",
        "several_statements",
        "SELECT name FROM members",
    );
    assert_eq!(mended("SELECT name FROM members; SELECT label FROM rooms", ""), None);
    assert_eq!(mended("SELECT name FROM members; DELETE FROM rooms", ""), None);
}

#[test]
fn notes_say_cause_and_fix_with_the_suggestion() {
    let mut failure = Failure::new(Stage::Bind, "no_such_column", "column 'price' doesn't exist.");
    failure.diagnostics[0].suggestions = vec!["price_cents".to_owned()];
    let note = &notes(&failure)[0];
    assert_eq!(note.error, "column 'price' doesn't exist.");
    assert!(note.fix.contains("price_cents") && !note.cause.is_empty());
}

#[test]
fn tables_that_share_no_key_meet_in_the_one_that_has_a_key_to_each() {
    let sql =
        "SELECT m.name FROM members m JOIN rooms r ON m.room_id = r.room_id WHERE r.label = 'A'";
    let (now, repair) = mended(sql, "no_such_column").expect("it is mended");
    assert_eq!(
        now,
        "SELECT m.name FROM members m JOIN bookings ON bookings.member_id = m.id \
         JOIN rooms r ON bookings.room_id = r.room_id WHERE r.label = 'A'"
    );
    assert_eq!(repair.kind, "bridge");
    assert!(repair.evidence.contains("only bookings has a key to members and one to rooms"));
    // an alias that was never given says the same
    let lost = "SELECT m.name FROM members m LEFT JOIN rooms r ON m.id = b.member_id";
    let (now, _) = mended(lost, "no_such_column").expect("it is mended");
    assert!(now.contains("JOIN bookings ON bookings.member_id = m.id LEFT JOIN rooms r"), "{now}");
}

#[test]
fn a_bridge_that_is_joined_further_on_is_used() {
    let sql = "SELECT m.name FROM members m JOIN rooms r ON m.room_id = r.room_id \
               JOIN bookings b ON b.room_id = r.room_id";
    let (now, _) = mended(sql, "no_such_column").expect("it is mended");
    assert!(now.contains("JOIN rooms r ON b.member_id = m.id JOIN bookings b"), "{now}");
}

#[test]
fn a_join_beside_its_key_is_written_by_the_only_key() {
    let sql = "SELECT m.name FROM members m JOIN bookings b ON m.booking_no = b.id";
    let (now, _) = mended(sql, "no_such_column").expect("it is mended");
    assert_eq!(now, "SELECT m.name FROM members m JOIN bookings b ON b.member_id = m.id");
    // a longer condition may mean something else
    let more =
        "SELECT m.name FROM members m JOIN rooms r ON m.room_id = r.room_id AND r.label = 'A'";
    assert_eq!(mended(more, "no_such_column"), None);
}
