//! What is let through as a query, and what is said of the rest.

use querent::domain::{Dialect, Failure, Stage};
use querent::sql::ReadQuery;

fn refused(sql: &str) -> Failure {
    ReadQuery::parse(sql, Dialect::Sqlite).expect_err(sql)
}

#[test]
fn one_query_with_semicolons_and_comments_is_read() {
    for sql in [
        "SELECT 1",
        "select 1;",
        "  -- what\n SELECT 1 /* x */ ; -- done",
        ";SELECT 1;;",
        "(SELECT 1)",
        "VALUES (1), (2)",
        "WITH t AS (SELECT 1) SELECT * FROM t",
        "EXPLAIN QUERY PLAN SELECT 1",
        "SELECT 'DELETE FROM t; DROP TABLE t'",
        "SELECT \"update\", [drop] FROM t",
        "SELECT replace(a, 'x', 'y') FROM t",
    ] {
        assert!(ReadQuery::parse(sql, Dialect::Sqlite).is_ok(), "{sql}");
    }
}

#[test]
fn writes_are_refused_wherever_they_hide() {
    for sql in [
        "INSERT INTO t VALUES (1)",
        "REPLACE INTO t VALUES (1)",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "DROP TABLE t",
        "CREATE TABLE t (a)",
        "CREATE TABLE t AS SELECT 1",
        "ALTER TABLE t ADD COLUMN b",
        "PRAGMA writable_schema = 1",
        "ATTACH 'x.db' AS x",
        "DETACH x",
        "VACUUM",
        "VACUUM INTO 'copy.db'",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "WITH t AS (SELECT 1) DELETE FROM u",
        "WITH t AS (SELECT 1) INSERT INTO u SELECT * FROM t",
        "WITH t AS (DELETE FROM u RETURNING *) SELECT * FROM t",
        "WITH t AS (UPDATE u SET a = 1 RETURNING *) SELECT * FROM t",
        "SELECT 1; DROP TABLE t",
        "DROP TABLE t; SELECT 1",
        "SELECT a INTO b FROM t",
        "SELECT * FROM t FOR UPDATE",
        "SELECT load_extension('x')",
        "SELECT * FROM pragma_table_info('t')",
        "EXPLAIN DELETE FROM t",
        "EXPLAIN QUERY PLAN UPDATE t SET a = 1",
        "SELECT 1 FROM t WHERE x = (DELETE FROM u)",
        "DELETE FROM t WHERE a = 'no end",
        "/* nice */ delete/**/from t",
    ] {
        let failure = refused(sql);
        assert_eq!((failure.code(), failure.stage), ("write", Stage::Policy), "{sql}: {failure:?}");
        assert!(!failure.retryable, "{sql}");
    }
}

#[test]
fn several_statements_are_told_apart_from_writes() {
    let sql = "SELECT 1; SELECT 2";
    let failure = refused(sql);
    assert_eq!(failure.code(), "multiple_statements");
    assert_eq!(failure.span().map(|span| span.of(sql)), Some("SELECT 2"));
    assert!(failure.retryable);
    assert_eq!(refused("SELECT 1; That counts \"one").code(), "multiple_statements");
}

#[test]
fn nothing_is_said_to_be_empty() {
    assert_eq!(refused("").code(), "empty");
    assert_eq!(refused(" ;; -- nothing\n").code(), "empty");
}

#[test]
fn a_syntax_error_names_the_word_the_line_and_what_was_expected() {
    let sql = "SELECT name\nFROM rooms WHERE (id = 3 GROUP BY name";
    let failure = refused(sql);
    assert_eq!((failure.code(), failure.stage), ("syntax_error", Stage::Parse));
    assert_eq!(failure.span().map(|span| span.of(sql)), Some("GROUP"));
    assert_eq!(failure.message(), "syntax error near 'GROUP' at line 2: expected )");
}

#[test]
fn a_comma_with_nothing_after_it_can_be_left_out() {
    let sql = "SELECT id,\n  name,\nFROM rooms";
    let failure = refused(sql);
    assert_eq!(failure.span().map(|span| (span.start, span.of(sql))), Some((17, ",")));
    let message = "syntax error near ',' at line 2: nothing is listed before 'FROM'";
    assert_eq!(failure.message(), message);
    assert_eq!(failure.diagnostics[0].suggestions, [""]);
}

#[test]
fn the_end_of_the_text_is_a_place_too() {
    let failure = refused("SELECT (1 + 2");
    assert!(failure.message().starts_with("syntax error at the end of the SQL"), "{failure:?}");
}

#[test]
fn prose_after_the_query_is_a_syntax_error_at_the_prose() {
    let sql = "SELECT a FROM t WHERE b = 1 which counts them";
    assert_eq!(refused(sql).span().map(|span| span.of(sql)), Some("which"));
}

#[test]
fn deep_and_long_texts_end_in_a_verdict() {
    let chain = format!("SELECT {}1", "1 + ".repeat(2_900));
    assert!(ReadQuery::parse(&chain, Dialect::Sqlite).is_ok());
    for sql in [
        format!("SELECT {}1{}", "(".repeat(20_000), ")".repeat(20_000)),
        format!("SELECT {}1", "(".repeat(50_000)),
        format!("SELECT {}1", "1 + ".repeat(100_000)),
        format!("SELECT {}1", "- ".repeat(100_000)),
        format!("SELECT {}1", "NOT ".repeat(50_000)),
        format!("SELECT {}", "a(".repeat(20_000)),
        format!("SELECT {}", "CASE WHEN ".repeat(20_000)),
        format!("SELECT 1 {}", "UNION SELECT 1 ".repeat(20_000)),
        format!("{}SELECT 1", "SELECT * FROM (".repeat(5_000)),
        format!("SELECT x{}", "::int".repeat(50_000)),
        format!("SELECT a{} FROM t", ".a".repeat(50_000)),
        "x".repeat(3 << 20),
    ] {
        assert_eq!(refused(&sql).code(), "syntax_error", "{}", &sql[..30]);
    }
}

#[test]
fn a_long_list_is_no_trouble() {
    let sql = format!("SELECT a FROM t WHERE a IN ({}1)", "1, ".repeat(50_000));
    assert!(ReadQuery::parse(&sql, Dialect::Sqlite).is_ok());
}
