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
fn windows_say_which_rows_they_look_at_and_how_far() {
    check(
        "SELECT name, rank() OVER (ORDER BY seats DESC) FROM rooms",
        "the name and (the rank over all rows in order of seats from highest to lowest) of the rooms",
    );
    check(
        "SELECT sum(price_cents) OVER (PARTITION BY room_id ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM bookings",
        "(the sum of price_cents over the rows of the same room_id in order of day from lowest to highest, taking the rows from 2 before to this one) of the bookings",
    );
    check(
        "SELECT lag(seats, 1) OVER w FROM rooms WINDOW w AS (PARTITION BY name ORDER BY id)",
        "(lag(seats, 1) over the rows of the same name in order of id from lowest to highest) of the rooms",
    );
    check(
        "SELECT count(*) FILTER (WHERE seats > 3) FROM rooms",
        "(the number of rows, only where seats is over 3) over the rooms",
    );
}

#[test]
fn choices_and_special_forms_have_words() {
    check(
        "SELECT CASE status WHEN 'new' THEN 1 WHEN NULL THEN 2 ELSE 0 END FROM bookings",
        "(1 if status is 'new', 2 if status = NULL (which is never true), else 0) of the bookings",
    );
    check(
        "SELECT name COLLATE NOCASE, CAST(seats AS REAL) / 2 FROM rooms",
        "name (by collation NOCASE) and (seats as REAL) / 2 of the rooms",
    );
    check(
        "SELECT count(*) FROM bookings WHERE strftime('%Y', day) = '2024'",
        "the number of bookings where the year of day is '2024'",
    );
    check(
        "SELECT id FROM rooms WHERE name GLOB 'A*' AND name IN (NULL)",
        "the id of the rooms whose name is like the glob 'A*' and name is one of NULL",
    );
    check(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
        "the i of the n rows; where n with the columns i, built up from itself, stands for (just 1, followed by i + 1 of the n rows whose i is under 9)",
    );
}

#[test]
fn conditions_that_could_run_into_each_other_are_kept_apart() {
    check(
        "SELECT id FROM rooms WHERE EXISTS (SELECT 1 FROM bookings WHERE status = 'a') AND name = 'b'",
        "the id of the rooms where (there is at least one of the bookings whose status is 'a') and name is 'b'",
    );
    check(
        "SELECT id FROM rooms WHERE name = NULL",
        "the id of the rooms whose name = NULL (which is never true)",
    );
    check(
        "SELECT name FROM rooms UNION SELECT name FROM members ORDER BY 1 DESC LIMIT 2 OFFSET 1",
        "(the name of the rooms, together with the name of the members, each row once), sorted by column 1 of the result from highest to lowest, only 2 after the first 1",
    );
}

#[test]
fn what_has_no_words_is_quoted() {
    check(
        "SELECT sum(seats) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) FROM rooms",
        "`sum(seats) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW)` of the rooms",
    );
}
