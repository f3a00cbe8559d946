//! What the server says of statements: errors with their place and its hint, reads of every form.

use querent::domain::{Stage, Value};

use super::super::{failure, run};
use super::served;

const TABLES: &str = "\
    CREATE TABLE customers (id int PRIMARY KEY, name text, born date); \
    CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total numeric(8,2)); \
    INSERT INTO customers VALUES (1, 'Ann', '1980-01-01'), (2, 'Bob', NULL); \
    INSERT INTO orders VALUES (1, 1, 5.5), (2, 1, 7);";

#[tokio::test]
async fn every_error_has_its_code_and_its_place() {
    let Some(served) = served("verdicts").await else { return };
    served.fill(TABLES).await;
    let database = served.open().await;
    let cases = [
        ("SELECT nmae FROM customers", "no_such_column", "nmae"),
        ("SELECT 'é売', c.nmae FROM customers c", "no_such_column", "c.nmae"),
        ("SELECT 1 FROM nowhere.customers", "no_such_table", "nowhere.customers"),
        ("SELECT nowhere(1)", "no_such_function", "nowhere"),
        ("SELECT name + 1 FROM customers", "type_mismatch", "+"),
        ("SELECT 'abc'::int", "type_mismatch", "'abc'"),
        ("SELECT id FROM customers c JOIN orders o ON true", "ambiguous_column", "id"),
        ("SELECT name, count(*) FROM customers", "ungrouped_column", "name"),
        ("SELECT 1 FROM customers WHERE count(*) > 1", "misuse_of_aggregate", "count"),
        ("SELECT 1 WHERE row_number() OVER () = 1", "misuse_of_window", "row_number"),
        (
            "SELECT id FROM customers UNION SELECT id, name FROM customers",
            "setop_column_mismatch",
            "id",
        ),
        ("SELECT (SELECT id, name FROM customers)", "subquery_columns", "("),
        ("SELEC 1", "syntax_error", "SELEC"),
        ("SELECT * FROM customers WHERE id = $1", "unbound_parameter", "$1"),
        ("SELECT 1::nothing", "no_such_type", "nothing"),
        ("SELECT 1; SELECT 2", "multiple_statements", "SELECT"),
    ];
    for (sql, code, at) in cases {
        let failure = failure(database.prepare(sql).await);
        assert_eq!((failure.stage, failure.code()), (Stage::Prepare, code), "{sql}: {failure:?}");
        assert_eq!(failure.span().map(|span| span.of(sql)), Some(at), "{sql}: {failure:?}");
    }
    let hinted = failure(database.prepare("SELECT customers.nam FROM customers").await);
    assert_eq!(hinted.diagnostics[0].suggestions, ["customers.name"]);
    assert!(hinted.message().contains("Perhaps you meant"), "{}", hinted.message());
    let divided = failure(run(&*database, "SELECT 1 / (id - 1) FROM customers").await);
    assert_eq!((divided.stage, divided.code()), (Stage::Run, "division_by_zero"));
}

#[tokio::test]
async fn reads_of_every_form_are_run() {
    let Some(served) = served("reads").await else { return };
    served.fill(TABLES).await;
    served
        .fill("CREATE FUNCTION doubled(n int) RETURNS int STABLE LANGUAGE sql AS 'SELECT n * 2'")
        .await;
    let database = served.open().await;
    let number = |n| vec![Value::Integer(n)];
    let cases = [
        ("TABLE orders", 2),
        ("VALUES (1), (2), (3)", 3),
        ("(SELECT 1) UNION ALL (SELECT 2)", 2),
        ("  ; -- first\n SELECT 1 ;  ", 1),
        (
            "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 9) TABLE n",
            9,
        ),
        ("SELECT * FROM customers TABLESAMPLE bernoulli (100)", 2),
        ("SELECT doubled(id) FROM customers", 2),
        (
            "SELECT random(), clock_timestamp(), gen_random_uuid(), pg_total_relation_size('orders')",
            1,
        ),
        ("SELECT replace(name, 'INTO', 'FOR UPDATE'), 'DELETE; pg_sleep(1)' FROM customers", 2),
        ("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'", 2),
        ("SELECT name, sum(total) OVER (PARTITION BY customer_id) FROM customers, orders", 4),
        ("SELECT jsonb_agg(c), array_agg(name ORDER BY id) FROM customers c", 1),
    ];
    for (sql, count) in cases {
        database.prepare(sql).await.expect(sql);
        assert_eq!(run(&*database, sql).await.expect(sql).row_count, count, "{sql}");
    }
    let doubled = run(&*database, "SELECT doubled(21)").await.expect("a row");
    assert_eq!(doubled.rows, [number(42)]);
    assert!(run(&*database, "EXPLAIN SELECT * FROM orders").await.expect("a plan").row_count > 0);
}

#[tokio::test]
async fn a_superuser_is_advised_and_the_address_holds_no_password() {
    let Some(served) = served("advice").await else { return };
    let database = served.open().await;
    assert!(database.engine().starts_with("postgresql "), "{}", database.engine());
    assert!(database.engine().ends_with(" · read-only"), "{}", database.engine());
    let notices = database.notices();
    assert!(
        notices.iter().any(|n| n.contains("superuser") && n.contains("pg_read_all_data")),
        "{notices:?}"
    );
    let secret = served.address().replacen('@', ":secret@", 1);
    let catalog = super::open_at(&secret).await.catalog(false).await.expect("a catalog");
    assert!(!catalog.database.contains("secret"), "{}", catalog.database);
    assert!(catalog.database.ends_with(&served.name), "{}", catalog.database);
}

#[tokio::test]
async fn what_cannot_be_opened_says_why() {
    let Some(served) = served("opening").await else { return };
    let missing = super::at(&served.address(), "no_such_database");
    let options = querent::database::OpenOptions::default();
    let refused = |address: String| {
        let options = options.clone();
        async move { querent::database::open(&address, &options).await.err().expect("refused") }
    };
    let error = refused(missing).await;
    assert!(error.to_string().contains("no_such_database"), "{error}");
    assert!(error.hint().contains("psql -l"), "{}", error.hint());
    let nobody = refused("postgres://ann:secret@127.0.0.1:1/shop".to_owned()).await;
    assert!(nobody.to_string().contains("127.0.0.1:1"), "{nobody}");
    assert!(!format!("{nobody} {}", nobody.hint()).contains("secret"));
}

#[tokio::test]
async fn expected_rows_and_cost_are_told_without_running() {
    let Some(served) = served("plans").await else { return };
    served.fill(TABLES).await;
    served
        .fill("INSERT INTO orders SELECT n, 1, n FROM generate_series(10, 5009) n; ANALYZE")
        .await;
    let database = served.open().await;
    let plan = database.plan("SELECT * FROM orders").await.expect("a plan");
    let expected = plan.expected.expect("what the server expects");
    assert_eq!(expected.rows, 5002);
    assert!(expected.cost.is_some_and(|cost| cost > 50), "{expected:?}");
    let by_key = database.plan("SELECT * FROM orders WHERE id = 77").await.expect("a plan");
    assert_eq!(by_key.expected.map(|expected| expected.rows), Some(1));
    assert!(format!("{by_key:?}").contains("orders_pkey"), "{by_key:?}");
}
