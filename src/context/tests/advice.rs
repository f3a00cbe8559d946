//! What is told for one wording of a question and not for another.

use super::*;
use QuestionKind::{Aggregation, Growth, SimpleFilter};

fn table_of(name: &str) -> LinkTarget {
    LinkTarget::Table(name.to_owned())
}

fn value(table: &str, column: &str, stored: &str) -> LinkTarget {
    LinkTarget::Value { column: ColumnRef::new(table, column), stored: stored.to_owned() }
}

#[track_caller]
fn check(case: &Case, line: &str, told: bool) {
    let text = case.package().text();
    assert_eq!(text.contains(line), told, "{line} in:\n{text}");
}

#[test]
fn the_day_of_asking_is_told_where_the_question_counts_from_it() {
    let asked = "asked on 2026-11-30";
    check(&on_bookings("bookings of last month"), asked, true);
    check(&on_bookings("bookings of May"), asked, false);
    check(&on_bookings("bookings by processing time in hours"), asked, false);
}

#[test]
fn whole_numbers_that_are_divided_are_warned_of_where_figures_are_divided() {
    let hint = "drops the fraction";
    check(&on_bookings("average price of bookings"), hint, true);
    check(&on_bookings("what % of bookings were cancelled"), hint, true);
    check(&on_bookings("bookings").kinds(&[Growth]), hint, true);
    check(&on_bookings("list bookings"), hint, false);
    let mut hinted = on_bookings("no-shows of bookings");
    hinted.question.evidence = Some("no-shows = cancelled / all".to_owned());
    check(&hinted, hint, true);
}

#[test]
fn rows_without_a_partner_are_kept_where_the_question_asks_for_them() {
    let never = on_bookings("rooms without bookings").link("rooms", table_of("rooms"));
    check(&never, "FROM rooms r\nLEFT JOIN bookings b ON b.room_id = r.id", true);
    check(&never, "asks for rows that lack something", true);
    // the other way round: of a booking that may have no room the row is kept as well
    let other = on_bookings("bookings without rooms").link("rooms", table_of("rooms"));
    check(&other, "FROM bookings b\nLEFT JOIN rooms r ON b.room_id = r.id", true);
    let not = on_bookings("bookings of rooms that are not cancelled")
        .link("rooms", table_of("rooms"))
        .link("cancelled", value("bookings", "status", "cancelled"));
    check(&not, "LEFT JOIN", false);
    check(&not, "asks for rows that lack something", false);
}

#[test]
fn what_the_join_repeats_of_a_measured_table_is_said() {
    let line = "The join pattern repeats a row of rooms for each of its rows in bookings";
    let mut seats = on_bookings("total seats of rooms with bookings")
        .kinds(&[Aggregation])
        .link("rooms", table_of("rooms"))
        .link("seats", LinkTarget::Column(ColumnRef::new("rooms", "seats")));
    let mut catalog = (*seats.facts.catalog).clone();
    let number =
        Column { name: "seats".to_owned(), kind: ColumnKind::Integer, ..Column::default() };
    catalog.tables[1].columns.push(number);
    seats.facts.catalog = Arc::new(catalog);
    check(&seats, line, true);
    // nothing is added up
    check(&seats.kinds(&[SimpleFilter]), line, false);
    // of bookings each comes once, as each has one room
    let price = on_bookings("total price of bookings by rooms")
        .kinds(&[Aggregation])
        .link("rooms", table_of("rooms"))
        .link("price", LinkTarget::Column(ColumnRef::new("bookings", "price_cents")));
    check(&price, "The join pattern repeats", false);
}

#[test]
fn tables_that_only_share_a_parent_are_said_unless_a_value_keeps_one_row_of_one() {
    let line = "pairs rows that only share a parent (bookings with tags by rooms)";
    let mut tagged = on_bookings("total price of bookings by rooms with tags quiet")
        .kinds(&[Aggregation])
        .link("rooms", table_of("rooms"))
        .link("tags", table_of("tags"));
    let mut catalog = (*tagged.facts.catalog).clone();
    let mut tags = table("tags", &[("room_id", "INTEGER"), ("tag", "TEXT")]);
    tags.primary_key = vec!["room_id".to_owned(), "tag".to_owned()];
    catalog.tables.push(tags);
    catalog.keys.push(key("tags", "room_id", "rooms"));
    tagged.facts.catalog = Arc::new(catalog);
    check(&tagged, line, true);
    // a room has a tag once
    check(&tagged.link("quiet", value("tags", "tag", "quiet")), line, false);
}

#[test]
fn a_word_that_nothing_is_called_is_told_with_what_follows_from_it() {
    let mut guests = on_bookings("bookings per guest");
    guests.understanding.unknown = vec![Span::new(13, 18)];
    check(
        &guests,
        "No table and no column is called \"guest\": if nothing told here means it",
        true,
    );
    let mut atlas = on_bookings("bookings of Atlas");
    atlas.understanding.unknown = vec![Span::new(12, 17)];
    check(&atlas, "No name and no listed value is called \"Atlas\".", true);
}

#[test]
fn a_convention_is_told_where_it_can_be_followed() {
    let of = |text: &str, convention: &str| {
        let mut case = on_bookings(text);
        case.knowledge().conventions = vec![convention.to_owned()];
        case
    };
    let money = "Columns of money end in _cents";
    let price = LinkTarget::Column(ColumnRef::new("bookings", "price_cents"));
    check(&of("price of bookings", money).link("price", price), money, true);
    check(&of("bookings", money), money, false);
    let ratios = "Ratios are in percent";
    check(&of("share of cancelled bookings", ratios), ratios, true);
    check(&of("bookings", ratios), ratios, false);
    let joins = "A JOIN names both aliases";
    check(&of("bookings of rooms", joins).link("rooms", table_of("rooms")), joins, true);
    check(&of("bookings", joins), joins, false);
    let names = "joined_at is a moment in UTC";
    check(&of("bookings", names), names, true);
}

#[test]
fn figures_are_told_of_what_is_in_question() {
    let price = LinkTarget::Column(ColumnRef::new("bookings", "price_cents"));
    let total = on_bookings("total price of bookings").kinds(&[Aggregation]).link("price", price);
    check(&total, "price_cents (INTEGER): range [4,500 - 250,000]", true);
    check(&total, "starts_on (DATE): range", false);
    check(&total, "Table: bookings (23 rows)\n", true);
    let mut when = total;
    when.question.text = "total price of bookings by month".to_owned();
    check(&when, "starts_on (DATE): range", true);
}

#[test]
fn equally_frequent_values_are_told_all_or_none() {
    let mut case = on_bookings("count of bookings by status")
        .kinds(&[Aggregation])
        .link("status", LinkTarget::Column(ColumnRef::new("bookings", "status")));
    case.facts.values = Arc::default();
    case.question.options.privacy = crate::domain::Privacy::Rows;
    let statuses = &mut case.facts.statistics[0];
    statuses.distinct = 40;
    statuses.top = [("open", 9), ("new", 4), ("old", 4)].map(|(v, n)| (text(v), n)).to_vec();
    check(&case, "most frequent 'open' (9)", true);
    check(&case, "'new' (4)", false);
}

#[test]
fn an_example_of_the_same_tables_and_kind_comes_first_and_none_that_is_unlike() {
    let mut case = on_bookings("How many bookings have no rooms?").link("rooms", table_of("rooms"));
    let lacking = "SELECT COUNT(*) FROM bookings WHERE NOT EXISTS (SELECT 1 FROM rooms \
                   WHERE rooms.id = bookings.room_id)";
    case.knowledge().examples = vec![
        pair("Which members log in by day?", "SELECT email FROM members"),
        pair("How many bookings have rooms?", "SELECT COUNT(*) FROM bookings JOIN rooms ON 1"),
        pair("How many bookings have no room yet?", lacking),
    ];
    let package = case.kinds(&[Aggregation]).package();
    let told = &of(&package, ComponentKind::Examples).text;
    assert!(told.contains("Example 1:\nQuestion: How many bookings have no room yet?"), "{told}");
    assert!(!told.contains("members"), "{told}");
}
