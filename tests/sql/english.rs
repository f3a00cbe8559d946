//! Queries in plain English.

use querent::domain::Dialect;
use querent::sql::english::english;
use querent::sql::{ReadQuery, bind};

fn check(sql: &str, expected: &str) {
    let catalog = super::catalog();
    let query = ReadQuery::parse(sql, Dialect::Sqlite).unwrap();
    let binding = bind(&query, &catalog);
    assert_eq!(binding.diagnostics, vec![], "{sql}");
    assert_eq!(english(&query, &binding, &catalog), expected, "{sql}");
}

#[test]
fn one_figure_over_filtered_rows() {
    check(
        "SELECT SUM(price_cents) FROM bookings WHERE status = 'confirmed'",
        "the sum of price_cents over the bookings whose status is 'confirmed'",
    );
    check("SELECT count(*) FROM bookings", "the number of bookings");
    check(
        "SELECT avg(b.price_cents) AS a FROM bookings b WHERE b.status IN ('new', 'paid') AND day IS NOT NULL",
        "the average price_cents over the bookings whose status is one of 'new' and 'paid' and day is not NULL",
    );
}

#[test]
fn plain_rows_in_an_order() {
    check(
        "SELECT name, seats FROM rooms WHERE seats >= 4 ORDER BY seats DESC, name",
        "the name and the seats of the rooms whose seats is at least 4, sorted by seats from highest to lowest, then by name from lowest to highest",
    );
    check(
        "SELECT name FROM rooms ORDER BY seats DESC LIMIT 3",
        "the name of the rooms, only the 3 with the highest seats",
    );
    check(
        "SELECT DISTINCT status FROM bookings",
        "the distinct values of status among the bookings",
    );
    check(
        "SELECT * FROM rooms LIMIT 5 OFFSET 10",
        "every column of the rooms, only 5 after the first 10",
    );
}

#[test]
fn groups_and_conditions_on_them() {
    check(
        "SELECT status, count(*) AS n FROM bookings GROUP BY status HAVING n > 3 ORDER BY n DESC LIMIT 1",
        "for each status among the bookings: the status and the number of rows, only for groups where the number of rows is over 3, only the one with the highest number of rows",
    );
    check(
        "SELECT count(*) FROM bookings GROUP BY 1 + room_id",
        "for each 1 + room_id among the bookings: the number of rows",
    );
}

#[test]
fn joined_rows_name_their_tables() {
    check(
        "SELECT r.name, count(*) FROM bookings AS b JOIN rooms AS r ON b.room_id = r.id WHERE b.status = 'paid' GROUP BY r.name",
        "for each rooms.name among the bookings, each with the rooms where bookings.room_id is rooms.id; of these only where bookings.status is 'paid': the rooms.name and the number of rows",
    );
    check(
        "SELECT m.name FROM members m LEFT JOIN bookings b ON b.member_id = m.id WHERE b.id IS NULL",
        "the members.name of the members, each with the bookings where bookings.member_id is members.id, or with none; of these only where bookings.id is NULL",
    );
    check(
        "SELECT a.name, b.name FROM rooms a JOIN rooms b ON a.seats = b.seats",
        "the a.name and the b.name of the rooms (called a), each with the rooms (called b) where a.seats is b.seats",
    );
}

#[test]
fn queries_inside_queries() {
    check(
        "SELECT name FROM rooms WHERE seats > (SELECT avg(seats) FROM rooms)",
        "the name of the rooms whose seats is over (the average seats over the rooms)",
    );
    check(
        "SELECT name FROM members WHERE id NOT IN (SELECT member_id FROM bookings)",
        "the name of the members whose id is not among (the member_id of the bookings)",
    );
    check(
        "SELECT name FROM members m WHERE NOT EXISTS (SELECT 1 FROM bookings b WHERE b.member_id = m.id)",
        "the name of the members where there is none of the bookings whose member_id is members.id outside",
    );
    check(
        "WITH big AS (SELECT id FROM rooms WHERE seats > 9) SELECT count(*) FROM big",
        "the number of big rows; where big stands for (the id of the rooms whose seats is over 9)",
    );
    check(
        "SELECT name FROM rooms UNION SELECT name FROM members",
        "the name of the rooms, together with the name of the members, each row once",
    );
}

#[test]
fn a_mix_of_and_and_or_keeps_its_grouping() {
    check(
        "SELECT id FROM rooms WHERE (name = 'A' OR name = 'B') AND seats < 3",
        "the id of the rooms where (name is 'A' or name is 'B') and seats is under 3",
    );
    check(
        "SELECT id FROM rooms WHERE name = 'A' OR name = 'B' AND seats < 3",
        "the id of the rooms where name is 'A' or (name is 'B' and seats is under 3)",
    );
}

#[test]
fn what_has_no_words_is_quoted() {
    check(
        "SELECT rank() OVER (ORDER BY seats) FROM rooms",
        "`rank() OVER (ORDER BY seats)` of the rooms",
    );
}
