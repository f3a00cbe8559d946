//! The engine's verdict on statements: codes, places, and that nothing writes.

use querent::domain::{Failure, Stage};

use super::{failure, made, opened, run};

async fn verdict(sql: &str) -> Failure {
    let made = made(
        "CREATE TABLE bookings (id INTEGER PRIMARY KEY, price_cents INTEGER, room INTEGER);
         CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT)",
    );
    failure(opened(&made).await.prepare(sql).await)
}

#[tokio::test]
async fn each_error_has_its_code_and_its_place() {
    let cases = [
        ("SELECT price FROM bookings", "no_such_column", Some("price")),
        ("SELECT b.price FROM bookings b", "no_such_column", Some("b.price")),
        ("SELECT 1 FROM reservations", "no_such_table", Some("reservations")),
        ("SELECT id FROM bookings, rooms", "ambiguous_column", Some("id")),
        ("SELECT id FROMM bookings WHERE", "syntax_error", None),
        ("SELECT price_cents::float FROM bookings", "syntax_error", Some(":")),
        ("SELECT date_trunc('month', id) FROM bookings", "no_such_function", Some("date_trunc")),
        ("SELECT id FROM bookings WHERE sum(id) > 1", "misuse_of_aggregate", Some("sum")),
        ("SELECT id, room FROM bookings UNION SELECT id FROM rooms", "setop_column_mismatch", None),
        ("SELECT substr() FROM rooms", "wrong_arguments", Some("substr")),
        ("SELECT (SELECT id, room FROM bookings)", "subquery_columns", None),
        ("SELECT id FROM bookings WHERE room = ?", "unbound_parameter", None),
        ("SELECT 1; SELECT 2", "multiple_statements", Some("SELECT")),
        ("-- nothing", "empty", None),
    ];
    for (sql, code, place) in cases {
        let failure = verdict(sql).await;
        assert_eq!((failure.stage, failure.code()), (Stage::Prepare, code), "{sql}: {failure:?}");
        if let Some(place) = place {
            let span = failure.span().unwrap_or_else(|| panic!("{sql}: no place: {failure:?}"));
            assert_eq!(span.of(sql), place, "{sql}: {failure:?}");
        }
    }
}

#[tokio::test]
async fn whatever_writes_is_policy_and_is_not_retried() {
    for sql in [
        "DELETE FROM rooms",
        "WITH x AS (SELECT 1) INSERT INTO rooms SELECT 1, 'a' FROM x",
        "SELECT 1; DROP TABLE rooms",
        "PRAGMA user_version = 1",
        "PRAGMA table_info(rooms)",
        "ATTACH ':memory:' AS other",
        "VACUUM INTO '/nonexistent/copy.db'",
        "SELECT load_extension('x')",
        "BEGIN",
    ] {
        let failure = verdict(sql).await;
        assert_eq!((failure.stage, failure.code()), (Stage::Policy, "write"), "{sql}: {failure:?}");
        assert!(!failure.retryable, "{sql}");
    }
}

#[tokio::test]
async fn a_pragma_used_as_a_table_is_policy_too() {
    let made = made("CREATE TABLE t (a)");
    let failure = failure(run(&*opened(&made).await, "SELECT * FROM pragma_table_info('t')").await);
    assert_eq!((failure.stage, failure.code()), (Stage::Policy, "write"), "{failure:?}");
}
