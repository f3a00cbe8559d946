//! Foreign syntax and the text that it becomes on each engine.

use querent::domain::schema::TableKind;
use querent::domain::{Catalog, Column, ColumnKind, Dialect, Failure, Stage, Table};
use querent::repair::{Advice, Broken, advise};
use querent::sql::{ReadQuery, bind};

const POSTGRES: Dialect = Dialect::Postgres;
const MYSQL: Dialect = Dialect::Mysql;
const DUCKDB: Dialect = Dialect::Duckdb;

fn catalog(dialect: Dialect) -> Catalog {
    let column = |(name, data_type, kind): &(&str, &str, ColumnKind)| Column {
        name: (*name).to_owned(),
        data_type: (*data_type).to_owned(),
        kind: *kind,
        ..Column::default()
    };
    let people = [
        ("id", "integer", ColumnKind::Integer),
        ("name", "text", ColumnKind::Text),
        ("city", "text", ColumnKind::Text),
        ("born", "date", ColumnKind::Date),
        ("seen", "timestamp", ColumnKind::Date),
        ("score", "double precision", ColumnKind::Real),
        ("active", "boolean", ColumnKind::Boolean),
    ];
    let table = Table {
        name: "people".to_owned(),
        kind: TableKind::Table,
        columns: people.iter().map(column).collect(),
        primary_key: vec!["id".to_owned()],
        ..Table::default()
    };
    Catalog { dialect, tables: vec![table], ..Catalog::default() }
}

/// Checks a query and mends it until nothing more is found; none when it isn't flagged.
fn turned(sql: &str, dialect: Dialect) -> Result<String, Vec<String>> {
    let catalog = catalog(dialect);
    let mut text = sql.to_owned();
    for _ in 0..4 {
        let failure = match ReadQuery::parse(&text, dialect) {
            Err(failure) => failure,
            Ok(query) => {
                let diagnostics = bind(&query, &catalog).diagnostics;
                if diagnostics.is_empty() {
                    return Ok(text);
                }
                Failure { stage: Stage::Bind, diagnostics, retryable: true }
            }
        };
        let broken =
            Broken { sql: &text, failure: &failure, catalog: &catalog, values: &[], dialect };
        match advise(&broken) {
            Advice::Rewrite { sql, .. } => text = sql,
            Advice::Abstain(_) => {
                let said = failure.diagnostics.iter().map(|d| d.message.clone());
                return Err(said.collect());
            }
        }
    }
    Ok(text)
}

/// Expects the same output column on each engine: `SELECT … FROM people`.
#[track_caller]
fn check(foreign: &str, becomes: &[(Dialect, &str)]) {
    for (dialect, own) in becomes {
        let sql = format!("SELECT {foreign} FROM people");
        let expected = format!("SELECT {own} FROM people");
        assert_eq!(turned(&sql, *dialect), Ok(expected), "{}", dialect.name());
    }
}

/// Expects a whole text.
#[track_caller]
fn whole(foreign: &str, dialect: Dialect, own: &str) {
    assert_eq!(turned(foreign, dialect), Ok(own.to_owned()), "{}", dialect.name());
}

/// Expects that nothing is guessed, and what is said.
#[track_caller]
fn said(foreign: &str, dialect: Dialect, words: &str) {
    let told = turned(foreign, dialect).expect_err("nothing is guessed");
    assert!(told.iter().any(|message| message.contains(words)), "{told:?}");
}

#[test]
fn missing_values() {
    check("IFNULL(name, 'x')", &[(POSTGRES, "COALESCE(name, 'x')"), (MYSQL, "IFNULL(name, 'x')")]);
    check("NVL(name, 'x')", &[(POSTGRES, "COALESCE(name, 'x')"), (DUCKDB, "COALESCE(name, 'x')")]);
    check("ISNULL(name, 'x')", &[(POSTGRES, "COALESCE(name, 'x')"), (MYSQL, "IFNULL(name, 'x')")]);
    check("ISNULL(name)", &[(POSTGRES, "(name IS NULL)"), (DUCKDB, "(name IS NULL)")]);
}

#[test]
fn conditions() {
    check(
        "IF(score > 3, 'a', 'b')",
        &[
            (POSTGRES, "CASE WHEN score > 3 THEN 'a' ELSE 'b' END"),
            (MYSQL, "IF(score > 3, 'a', 'b')"),
        ],
    );
    check(
        "IIF(score > 3, 'a', 'b')",
        &[
            (POSTGRES, "CASE WHEN score > 3 THEN 'a' ELSE 'b' END"),
            (MYSQL, "IF(score > 3, 'a', 'b')"),
            (DUCKDB, "IF(score > 3, 'a', 'b')"),
        ],
    );
    whole(
        "SELECT id FROM people WHERE active = 1",
        POSTGRES,
        "SELECT id FROM people WHERE active = TRUE",
    );
    whole(
        "SELECT id FROM people WHERE active = 1",
        MYSQL,
        "SELECT id FROM people WHERE active = 1",
    );
}

#[test]
fn texts() {
    check("LEN(name)", &[(POSTGRES, "LENGTH(name)"), (MYSQL, "CHAR_LENGTH(name)")]);
    check(
        "CHARINDEX('a', name)",
        &[
            (POSTGRES, "STRPOS(name, 'a')"),
            (MYSQL, "LOCATE('a', name)"),
            (DUCKDB, "STRPOS(name, 'a')"),
        ],
    );
    check("INSTR(name, 'a')", &[(POSTGRES, "STRPOS(name, 'a')"), (MYSQL, "INSTR(name, 'a')")]);
    check("STRPOS(name, 'a')", &[(MYSQL, "LOCATE('a', name)")]);
    check(
        "name || ' of ' || city",
        &[(MYSQL, "CONCAT(name, ' of ', city)"), (POSTGRES, "name || ' of ' || city")],
    );
    check(
        "name + ', ' + city",
        &[(POSTGRES, "name || ', ' || city"), (MYSQL, "CONCAT(name, ', ', city)")],
    );
    check(
        "GROUP_CONCAT(name)",
        &[(POSTGRES, "STRING_AGG(name, ',')"), (MYSQL, "GROUP_CONCAT(name)")],
    );
    check(
        "STRING_AGG(name, '; ' ORDER BY born DESC)",
        &[(MYSQL, "GROUP_CONCAT(name ORDER BY born DESC SEPARATOR '; ')")],
    );
    whole(
        "SELECT GROUP_CONCAT(DISTINCT id ORDER BY id SEPARATOR '-') FROM people",
        MYSQL,
        "SELECT GROUP_CONCAT(DISTINCT id ORDER BY id SEPARATOR '-') FROM people",
    );
    whole(
        "SELECT GROUP_CONCAT(name ORDER BY born SEPARATOR '-') FROM people",
        POSTGRES,
        "SELECT STRING_AGG(CAST(name AS TEXT), '-' ORDER BY born) FROM people",
    );
}

#[test]
fn patterns() {
    whole(
        "SELECT id FROM people WHERE name ILIKE 'a%'",
        MYSQL,
        "SELECT id FROM people WHERE name LIKE 'a%'",
    );
    whole(
        "SELECT id FROM people WHERE name REGEXP '^a'",
        POSTGRES,
        "SELECT id FROM people WHERE name ~* '^a'",
    );
    whole(
        "SELECT id FROM people WHERE name REGEXP '^a'",
        DUCKDB,
        "SELECT id FROM people WHERE regexp_matches(name, '^a', 'i')",
    );
    said("SELECT id FROM people WHERE name ~ '^a'", MYSQL, "REGEXP");
    said("SELECT id FROM people WHERE name SIMILAR TO '(a|b)%'", MYSQL, "SIMILAR TO");
}

#[test]
fn casts() {
    check("score::int", &[(MYSQL, "CAST(score AS SIGNED)"), (POSTGRES, "score::int")]);
    check("id::text", &[(MYSQL, "CAST(id AS CHAR)")]);
    check("(id + 1)::numeric(10, 2)", &[(MYSQL, "CAST((id + 1) AS DECIMAL(10,2))")]);
    check("CAST(score AS SIGNED)", &[(POSTGRES, "CAST(score AS BIGINT)")]);
    check(
        "CAST(id AS DOUBLE)",
        &[(POSTGRES, "CAST(id AS DOUBLE PRECISION)"), (DUCKDB, "CAST(id AS DOUBLE)")],
    );
    check(
        "CONVERT(seen, DATE)",
        &[(POSTGRES, "CAST(seen AS DATE)"), (MYSQL, "CONVERT(seen, DATE)")],
    );
    said("SELECT TRY_CAST(name AS INTEGER) FROM people", POSTGRES, "TRY_CAST");
}

#[test]
fn numbers() {
    check(
        "ROUND(score, 2)",
        &[(POSTGRES, "ROUND(CAST(score AS NUMERIC), 2)"), (MYSQL, "ROUND(score, 2)")],
    );
    check("ROUND(AVG(id), 2)", &[(POSTGRES, "ROUND(AVG(id), 2)")]);
    check("7 DIV 2", &[(POSTGRES, "DIV(7, 2)"), (DUCKDB, "(7 // 2)"), (MYSQL, "7 DIV 2")]);
    check("7 // 2", &[(MYSQL, "(7 DIV 2)")]);
    check("RAND()", &[(POSTGRES, "RANDOM()"), (DUCKDB, "RANDOM()")]);
    check("TRUNC(score, 1)", &[(MYSQL, "TRUNCATE(score, 1)")]);
}

#[test]
fn parts_of_dates() {
    check(
        "YEAR(born)",
        &[(POSTGRES, "EXTRACT(YEAR FROM born)"), (MYSQL, "YEAR(born)"), (DUCKDB, "YEAR(born)")],
    );
    check("DATE_PART('year', born)", &[(MYSQL, "EXTRACT(YEAR FROM born)")]);
    check("EXTRACT(DOW FROM born)", &[(MYSQL, "(DAYOFWEEK(born) - 1)")]);
    check("EXTRACT(EPOCH FROM seen - born)", &[(MYSQL, "TIMESTAMPDIFF(SECOND, born, seen)")]);
    check(
        "DATE_TRUNC('month', seen)",
        &[
            (MYSQL, "CAST(DATE_FORMAT(seen, '%Y-%m-01') AS DATE)"),
            (POSTGRES, "DATE_TRUNC('month', seen)"),
        ],
    );
    check("DATE_TRUNC(seen, MONTH)", &[(POSTGRES, "DATE_TRUNC('month', seen)")]);
}

#[test]
fn formats_of_dates() {
    check(
        "STRFTIME('%Y-%m', seen)",
        &[
            (POSTGRES, "TO_CHAR(seen, 'YYYY-MM')"),
            (MYSQL, "DATE_FORMAT(seen, '%Y-%m')"),
            (DUCKDB, "STRFTIME('%Y-%m', seen)"),
        ],
    );
    check(
        "DATE_FORMAT(seen, '%Y-%m-%d %H:%i')",
        &[
            (POSTGRES, "TO_CHAR(seen, 'YYYY-MM-DD HH24:MI')"),
            (DUCKDB, "strftime(seen, '%Y-%m-%d %H:%M')"),
        ],
    );
    check("TO_CHAR(seen, 'YYYY-MM')", &[(DUCKDB, "strftime(seen, '%Y-%m')")]);
    check(
        "STR_TO_DATE(name, '%d.%m.%Y')",
        &[
            (POSTGRES, "TO_DATE(name, 'DD.MM.YYYY')"),
            (DUCKDB, "CAST(strptime(name, '%d.%m.%Y') AS DATE)"),
        ],
    );
    said("SELECT STRFTIME('%w', seen) FROM people", MYSQL, "DATE_FORMAT");
}

#[test]
fn days_between_and_days_added() {
    check(
        "DATEDIFF(seen, born)",
        &[
            (POSTGRES, "(CAST(seen AS DATE) - CAST(born AS DATE))"),
            (DUCKDB, "date_diff('day', CAST(born AS DATE), CAST(seen AS DATE))"),
            (MYSQL, "DATEDIFF(seen, born)"),
        ],
    );
    check(
        "DATEDIFF(day, born, seen)",
        &[
            (POSTGRES, "(CAST(seen AS DATE) - CAST(born AS DATE))"),
            (MYSQL, "DATEDIFF(seen, born)"),
            (DUCKDB, "date_diff('day', born, seen)"),
        ],
    );
    check(
        "TIMESTAMPDIFF(HOUR, born, seen)",
        &[
            (
                POSTGRES,
                "TRUNC(EXTRACT(EPOCH FROM CAST(seen AS TIMESTAMP) - CAST(born AS TIMESTAMP)) / 3600)",
            ),
            (DUCKDB, "date_sub('hour', born, seen)"),
        ],
    );
    check(
        "DATE_ADD(born, INTERVAL 7 DAY)",
        &[(POSTGRES, "(born + INTERVAL '7 day')"), (MYSQL, "DATE_ADD(born, INTERVAL 7 DAY)")],
    );
    check(
        "DATEADD(month, 2, born)",
        &[
            (POSTGRES, "(born + INTERVAL '2 month')"),
            (MYSQL, "DATE_ADD(born, INTERVAL 2 MONTH)"),
            (DUCKDB, "(born + INTERVAL 2 MONTH)"),
        ],
    );
    check("born + INTERVAL '3 days'", &[(MYSQL, "born + INTERVAL 3 DAY")]);
    said("SELECT AGE(seen, born) FROM people", MYSQL, "TIMESTAMPDIFF");
}

#[test]
fn the_present() {
    check("GETDATE()", &[(POSTGRES, "NOW()"), (MYSQL, "NOW()"), (DUCKDB, "NOW()")]);
    check("CURDATE()", &[(POSTGRES, "CURRENT_DATE"), (DUCKDB, "CURRENT_DATE")]);
    check(
        "DATE('now')",
        &[(POSTGRES, "CURRENT_DATE"), (MYSQL, "CURRENT_DATE"), (DUCKDB, "CURRENT_DATE")],
    );
    check(
        "DATE('now', '-7 days')",
        &[
            (POSTGRES, "CAST(CURRENT_DATE - INTERVAL '7 day' AS DATE)"),
            (MYSQL, "CAST(CURRENT_DATE - INTERVAL 7 DAY AS DATE)"),
        ],
    );
}

#[test]
fn nested_constructs_are_turned_together() {
    check(
        "IFNULL(LEN(name), YEAR(born))",
        &[(POSTGRES, "COALESCE(LENGTH(name), EXTRACT(YEAR FROM born))")],
    );
    check("NVL(score::int, 0)", &[(DUCKDB, "COALESCE(score::int, 0)")]);
}

#[test]
fn limits() {
    whole(
        "SELECT TOP 3 name FROM people ORDER BY id;",
        POSTGRES,
        "SELECT name FROM people ORDER BY id LIMIT 3;",
    );
    whole(
        "SELECT TOP 3 name FROM people ORDER BY id",
        MYSQL,
        "SELECT name FROM people ORDER BY id LIMIT 3",
    );
    whole("SELECT id FROM people LIMIT 5, 10", POSTGRES, "SELECT id FROM people LIMIT 10 OFFSET 5");
    whole("SELECT id FROM people LIMIT 5, 10", MYSQL, "SELECT id FROM people LIMIT 5, 10");
}

#[test]
fn quotes_of_names() {
    whole("SELECT `name` FROM `people`", POSTGRES, "SELECT \"name\" FROM \"people\"");
    whole("SELECT [name] FROM people", POSTGRES, "SELECT \"name\" FROM people");
    whole("SELECT [name] FROM [people]", MYSQL, "SELECT `name` FROM `people`");
    whole("SELECT \"name\" FROM \"people\"", MYSQL, "SELECT `name` FROM `people`");
    whole(
        "SELECT id FROM people WHERE city = \"Oslo\"",
        POSTGRES,
        "SELECT id FROM people WHERE city = 'Oslo'",
    );
}

#[test]
fn joins_sets_and_order() {
    said("SELECT a.id FROM people a FULL JOIN people b ON a.id = b.id", MYSQL, "FULL JOIN");
    said("SELECT id FROM people QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1", POSTGRES, "QUALIFY");
    whole(
        "SELECT id FROM people MINUS SELECT id FROM people",
        POSTGRES,
        "SELECT id FROM people EXCEPT SELECT id FROM people",
    );
    whole(
        "SELECT id FROM people ORDER BY born NULLS LAST",
        MYSQL,
        "SELECT id FROM people ORDER BY born IS NULL, born",
    );
    whole(
        "SELECT id FROM people ORDER BY born DESC NULLS LAST",
        MYSQL,
        "SELECT id FROM people ORDER BY born DESC",
    );
    whole(
        "SELECT city, COUNT(*) FROM people GROUP BY city WITH ROLLUP",
        POSTGRES,
        "SELECT city, COUNT(*) FROM people GROUP BY ROLLUP (city)",
    );
}

#[test]
fn aggregates_with_a_filter() {
    check("COUNT(*) FILTER (WHERE score > 3)", &[(MYSQL, "COUNT(CASE WHEN score > 3 THEN 1 END)")]);
    check(
        "SUM(score) FILTER (WHERE score > 3)",
        &[(MYSQL, "SUM(CASE WHEN score > 3 THEN score END)")],
    );
}

#[test]
fn equality_with_null_and_logic() {
    whole(
        "SELECT id FROM people WHERE name <=> city",
        POSTGRES,
        "SELECT id FROM people WHERE name IS NOT DISTINCT FROM city",
    );
    whole(
        "SELECT id FROM people WHERE name IS NOT DISTINCT FROM city",
        MYSQL,
        "SELECT id FROM people WHERE name <=> city",
    );
}
