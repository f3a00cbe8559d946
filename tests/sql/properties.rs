//! Whatever comes in: no panic, no write let through, spans that fit the text.

use proptest::prelude::*;
use querent::domain::Dialect;
use querent::sql::{ReadQuery, bind, english, layout, sameness};

const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "UNION",
    "EXCEPT ALL",
    "WITH",
    "AS",
    "IN",
    "EXISTS",
    "NOT",
    "AND",
    "OR",
    "BETWEEN",
    "LIKE",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CAST",
    "count",
    "sum",
    "max",
    "*",
    "(",
    ")",
    ",",
    ".",
    "=",
    "<",
    "/",
    "-",
    "+",
    "::",
    ";",
    "'x'",
    "\"y\"",
    "1",
    "2.5",
    "NULL",
    "rooms",
    "bookings",
    "b",
    "id",
    "room_id",
    "status",
    "name",
    "nope",
    "DISTINCT",
    "OVER",
    "VALUES",
    "é",
    "'茶",
    "--",
    "/*",
];

/// Statements and pieces that change something.
const WRITES: &[&str] = &[
    "DELETE FROM rooms",
    "UPDATE rooms SET name = 'x'",
    "INSERT INTO rooms VALUES (1)",
    "REPLACE INTO rooms VALUES (1)",
    "DROP TABLE rooms",
    "CREATE TABLE x (a)",
    "ALTER TABLE rooms RENAME TO x",
    "PRAGMA user_version = 3",
    "ATTACH 'x' AS y",
    "VACUUM INTO 'x'",
];

/// Places where a write could hide; `@` stands for it.
const HIDES: &[&str] = &[
    "@",
    "@;",
    "; @",
    "SELECT 1; @",
    "@; SELECT 1",
    "WITH t AS (@) SELECT * FROM t",
    "WITH t AS (@ RETURNING *) SELECT * FROM t",
    "WITH t AS (SELECT 1) @",
    "SELECT * FROM (@)",
    "SELECT (@)",
    "SELECT 1 WHERE 1 IN (@)",
    "SELECT 1 WHERE EXISTS (@)",
    "EXPLAIN @",
    "EXPLAIN QUERY PLAN @",
    "-- x\n@",
    "/* x */ @ /* y */",
    "(@)",
    "SELECT 1 UNION @",
    "SELECT 'a' /* ; */; @ --",
];

fn look_at_everything(sql: &str) {
    for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::Mysql, Dialect::Duckdb] {
        let _ = sameness::fingerprint(sql, dialect);
        let laid = layout::layout(sql, dialect);
        match ReadQuery::parse(sql, dialect) {
            Ok(query) => {
                let catalog = super::catalog();
                let binding = bind(&query, &catalog);
                for diagnostic in &binding.diagnostics {
                    let span = diagnostic.span.unwrap_or_default();
                    assert!(sql.get(span.start..span.end).is_some(), "{sql}: {diagnostic:?}");
                }
                for used in &binding.columns {
                    assert!(sql.get(used.span.start..used.span.end).is_some(), "{sql}: {used:?}");
                }
                let _ = english::english(&query, &binding, &catalog);
                let same = sameness::fingerprint(&laid, dialect);
                assert_eq!(same, sameness::fingerprint(sql, dialect), "{sql}\n{laid}");
            }
            Err(failure) => {
                let span = failure.span().unwrap_or_default();
                assert!(sql.get(span.start..span.end).is_some(), "{sql}: {failure:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        look_at_everything(&format!("SELECT {}", words.join(" ")));
        look_at_everything(&words.join(" "));
    }

    #[test]
    fn letters_in_any_order_never_panic(text in "\\PC{0,80}") {
        look_at_everything(&text);
        look_at_everything(&format!("SELECT a FROM rooms WHERE {text}"));
    }

    #[test]
    fn no_write_passes(
        write in prop::sample::select(WRITES),
        hide in prop::sample::select(HIDES),
        lower in any::<bool>(),
        space in prop::sample::select(vec![" ", "\n", "\t", "/**/", " -- c\n"]),
    ) {
        let write = write.replace(' ', space);
        let write = if lower { write.to_lowercase() } else { write };
        let sql = hide.replace('@', &write);
        let failure = ReadQuery::parse(&sql, Dialect::Sqlite).err();
        prop_assert!(failure.is_some(), "{sql} passed");
        let code = failure.map(|f| f.code().to_owned()).unwrap_or_default();
        prop_assert!(code == "write" || code == "syntax_error", "{sql}: {code}");
    }
}
