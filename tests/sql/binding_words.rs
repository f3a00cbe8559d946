//! What is said of names that don't bind, where, and with which suggestions.

use super::diagnostics;

/// Expects one diagnostic: code, the text it points at, and what its message starts with.
fn check(sql: &str, code: &str, at: &str, message: &str) -> Vec<String> {
    let found = diagnostics(sql);
    assert_eq!(found.len(), 1, "{sql}: {found:?}");
    let only = &found[0];
    assert_eq!(only.code, code, "{sql}: {only:?}");
    assert_eq!(only.span.map(|span| span.of(sql)), Some(at), "{sql}: {only:?}");
    assert!(only.message.starts_with(message), "{sql}: {:?}", only.message);
    only.suggestions.clone()
}

fn clean(sql: &str) {
    assert_eq!(diagnostics(sql), vec![], "{sql}");
}

#[test]
fn a_wrong_column_names_its_table_and_the_close_one() {
    let near = check(
        "SELECT SUM(price) FROM bookings WHERE status = 'confirmed'",
        "no_such_column",
        "price",
        "column 'price' doesn't exist in bookings. Did you mean price_cents?",
    );
    assert_eq!(near, ["price_cents"]);
}

#[test]
fn a_wrong_table_lists_the_real_ones() {
    check(
        "SELECT COUNT(*) FROM reservations",
        "no_such_table",
        "reservations",
        "table 'reservations' doesn't exist. Tables: bookings, members, payments, rooms",
    );
    let near = check(
        "SELECT COUNT(*) FROM booking",
        "no_such_table",
        "booking",
        "table 'booking' doesn't exist. Did you mean bookings? Tables: bookings, members",
    );
    assert_eq!(near, ["bookings"]);
}

#[test]
fn names_of_an_unknown_table_are_not_blamed_as_well() {
    check(
        "SELECT r.x, y FROM reservations r WHERE z = 1",
        "no_such_table",
        "reservations",
        "table",
    );
}

#[test]
fn several_tables_are_all_named() {
    check(
        "SELECT colour FROM bookings b JOIN rooms r ON b.room_id = r.id",
        "no_such_column",
        "colour",
        "column 'colour' doesn't exist in bookings or rooms.",
    );
}

#[test]
fn the_owner_of_a_misplaced_column_is_named() {
    check(
        "SELECT b.email FROM bookings b",
        "no_such_column",
        "email",
        "column 'email' doesn't exist in bookings. It exists in members.",
    );
    check(
        "SELECT b.seats FROM bookings b JOIN rooms r ON b.room_id = r.id",
        "no_such_column",
        "seats",
        "column 'seats' doesn't exist in bookings. It exists in r (rooms).",
    );
}

#[test]
fn a_name_in_two_tables_is_ambiguous() {
    let ways = check(
        "SELECT name FROM rooms, members",
        "ambiguous_column",
        "name",
        "column 'name' is ambiguous: it exists in rooms and members",
    );
    assert_eq!(ways, ["rooms.name", "members.name"]);
}

#[test]
fn an_unknown_qualifier_tells_what_is_there() {
    let ways = check(
        "SELECT bookings.status FROM bookings AS b",
        "no_such_column",
        "bookings",
        "'bookings' is no table or alias here. bookings is called b here. In FROM: b (bookings)",
    );
    assert_eq!(ways, ["b"]);
}

#[test]
fn everything_wrong_is_said_at_once_in_order_of_the_text() {
    let sql = "SELECT prise, stattus FROM bookings ORDER BY dya";
    let found = diagnostics(sql);
    let places: Vec<&str> = found.iter().filter_map(|d| Some(d.span?.of(sql))).collect();
    assert_eq!(places, ["prise", "stattus", "dya"]);
}

#[test]
fn spans_are_bytes_also_after_wide_letters() {
    check("SELECT 'čaj 茶', prise FROM bookings", "no_such_column", "prise", "column");
}

#[test]
fn double_quoted_words_that_bind_to_nothing_are_strings() {
    clean("SELECT * FROM bookings WHERE status = \"confirmed\"");
    let strings = super::bound("SELECT * FROM bookings WHERE status = \"confirmed\"");
    let use_ = strings.columns.iter().find(|used| used.name == "confirmed").unwrap();
    assert!(use_.string);
    clean("SELECT \"status\" FROM bookings");
}

#[test]
fn substr_of_one_argument_is_told_by_its_count_of_arguments() {
    check(
        "SELECT SUBSTR(name) FROM rooms",
        "wrong_argument_count",
        "SUBSTR(name)",
        "substr takes 2 to 3 arguments, not 1",
    );
    clean("SELECT SUBSTR(name, 2), substring(name, 1, 2) FROM rooms");
}

#[test]
fn a_slip_in_using_or_in_a_short_name_has_its_suggestion() {
    let near = check(
        "SELECT COUNT(*) FROM bookings JOIN rooms USING (idd)",
        "no_such_column",
        "idd",
        "column 'idd' of USING doesn't exist in bookings. Did you mean id?",
    );
    assert_eq!(near, ["id"]);
    let cte = "WITH h AS (SELECT id FROM rooms) SELECT h.idd FROM h";
    assert_eq!(check(cte, "no_such_column", "idd", "column 'idd' doesn't exist in h."), ["id"]);
}

#[test]
fn what_sqlite_takes_is_taken() {
    clean("SELECT room_id AS r FROM bookings WHERE r = 1 GROUP BY r HAVING r > 0 ORDER BY r");
    clean("SELECT status, MAX(price_cents) FROM bookings");
    clean("SELECT rowid, _rowid_, oid FROM bookings");
    clean("SELECT main.bookings.id FROM main.bookings");
    clean("SELECT * FROM sqlite_master");
    clean("SELECT value FROM json_each('[1, 2]')");
    clean("SELECT id FROM rooms WHERE EXISTS (SELECT 1 FROM bookings WHERE room_id = rooms.id)");
    clean("SELECT name FROM rooms UNION SELECT name FROM members ORDER BY name LIMIT 3");
    clean("SELECT id FROM bookings JOIN payments USING (id)");
    clean("SELECT name FROM rooms NATURAL JOIN members");
    clean("SELECT count(*), * FROM rooms ORDER BY 2");
    clean("VALUES (1, 2), (3, 4)");
    clean("SELECT * FROM rooms WHERE (id, name) IN (SELECT id, name FROM members)");
    clean("SELECT sum(x.c) FROM (SELECT count(*) AS c FROM bookings GROUP BY room_id) AS x");
    clean("SELECT \"count(*)\" FROM (SELECT count(*) FROM rooms)");
    clean("SELECT max(seats, 3) FROM rooms WHERE max(seats, 3) > 4");
    clean("SELECT sum(count(*)) OVER () FROM rooms GROUP BY name");
    clean("SELECT id FROM rooms r WHERE 2 < (SELECT count(*) FROM bookings WHERE room_id = r.id)");
}

#[test]
fn common_table_expressions_show_their_columns() {
    clean("WITH t(a, b) AS (SELECT id, name FROM rooms) SELECT a, b FROM t");
    clean(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
    );
    clean("WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n");
    check(
        "WITH t AS (SELECT id, name AS title FROM rooms) SELECT t.titel FROM t",
        "no_such_column",
        "titel",
        "column 'titel' doesn't exist in t. Did you mean title?",
    );
}

#[test]
fn a_sort_key_names_an_output_first_but_not_inside_an_expression() {
    clean("SELECT status, COUNT(id) AS id FROM bookings GROUP BY status ORDER BY COUNT(id)");
    clean("SELECT status, COUNT(id) AS id FROM bookings GROUP BY status ORDER BY id");
}

#[test]
fn using_merges_the_two_sides_and_no_third() {
    clean("SELECT id FROM rooms JOIN bookings USING (id) JOIN payments USING (id)");
    check(
        "SELECT id FROM rooms JOIN bookings USING (id) JOIN payments ON booking_id = 1",
        "ambiguous_column",
        "id",
        "column 'id' is ambiguous: it exists in rooms, bookings and payments",
    );
}

#[test]
fn keywords_are_no_names() {
    check(
        "SELECT count(*) AS group FROM rooms",
        "syntax_error",
        "group",
        "syntax error near 'group'",
    );
    check("SELECT id FROM rooms LIMIT seats", "no_such_column", "seats", "column 'seats' can't be");
}

#[test]
fn aggregates_stay_out_of_where_and_of_each_other() {
    check(
        "SELECT room_id FROM bookings WHERE COUNT(*) > 3 GROUP BY room_id",
        "misuse_of_aggregate",
        "COUNT(*)",
        "the aggregate COUNT(*) can't be used in WHERE; conditions on groups go to HAVING",
    );
    check(
        "SELECT AVG(COUNT(*)) FROM bookings GROUP BY room_id",
        "misuse_of_aggregate",
        "COUNT(*)",
        "the aggregate COUNT(*) stands inside another aggregate",
    );
    check(
        "SELECT room_id, COUNT(*) AS n FROM bookings WHERE n > 3 GROUP BY room_id",
        "misuse_of_aggregate",
        "n",
        "n stands for the aggregate COUNT(*)",
    );
    check(
        "SELECT name FROM rooms ORDER BY COUNT(*)",
        "misuse_of_aggregate",
        "COUNT(*)",
        "the aggregate COUNT(*) in ORDER BY needs a GROUP BY",
    );
}

#[test]
fn sides_of_a_set_operation_need_the_same_width() {
    check(
        "SELECT id FROM rooms UNION SELECT id, name FROM members",
        "setop_column_mismatch",
        "id, name",
        "the two sides of UNION have 1 and 2 columns",
    );
}

#[test]
fn unknown_functions_come_with_the_engines_own_way() {
    check(
        "SELECT YEAR(day) FROM bookings",
        "no_such_function",
        "YEAR",
        "SQLite has no function 'year': write CAST(strftime('%Y', x) AS INTEGER)",
    );
    let near = check("SELECT uper(name) FROM rooms", "no_such_function", "uper", "SQLite has no");
    assert_eq!(near.first().map(String::as_str), Some("upper"));
    check("SELECT round() FROM rooms", "wrong_argument_count", "round", "round takes 1 to 2");
}

#[test]
fn foreign_syntax_comes_with_its_replacement() {
    let way = check(
        "SELECT price_cents::float / 100 FROM bookings",
        "foreign_syntax",
        "price_cents::float",
        "SQLite has no '::' casts: write CAST(price_cents AS REAL)",
    );
    assert_eq!(way, ["CAST(price_cents AS REAL)"]);
    let way = check(
        "SELECT COUNT(*)::float FROM bookings",
        "foreign_syntax",
        "COUNT(*)::float",
        "SQLite has no '::' casts",
    );
    assert_eq!(way, ["CAST(COUNT(*) AS REAL)"]);
    let way = check(
        "SELECT id FROM bookings WHERE EXTRACT(YEAR FROM day) = 2024",
        "foreign_syntax",
        "EXTRACT(YEAR FROM day)",
        "SQLite has no EXTRACT",
    );
    assert_eq!(way, ["CAST(strftime('%Y', day) AS INTEGER)"]);
    let way = check(
        "SELECT id FROM rooms WHERE name ILIKE '%a%'",
        "foreign_syntax",
        "name ILIKE '%a%'",
        "SQLite has no ILIKE",
    );
    assert_eq!(way, ["name LIKE '%a%'"]);
    let way = check(
        "SELECT id FROM bookings WHERE day > CURRENT_DATE - INTERVAL '7 days'",
        "foreign_syntax",
        "CURRENT_DATE - INTERVAL '7 days'",
        "SQLite has no INTERVAL",
    );
    assert_eq!(way, ["date('now', '-7 day')"]);
    check("SELECT TOP 3 name FROM rooms", "foreign_syntax", "TOP", "SQLite has no TOP");
}
