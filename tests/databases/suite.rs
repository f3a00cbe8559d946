//! What every engine must do alike: one database of known content, and checks that run on any of them.
//!
//! A test of an engine makes the database with `setup`, opens it, and calls `all`; what only that
//! engine has is checked beside it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::database::{Database, Limits, Look, LookUp, ResultStore, Wanted};
use querent::domain::schema::{KeyOrigin, TableKind};
use querent::domain::{ColumnKind, ColumnRef, Stage, Value};

use super::network::Network;
use super::{failure, run, text};

/// Writes the statements that make the database; `quote` is the engine's quote of names.
pub(crate) fn setup(quote: char) -> Vec<String> {
    let odd = format!("{quote}Größe 2{quote}");
    let mixed = format!("{quote}Mixed Case{quote}");
    let mut statements: Vec<String> = [
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, \
         email VARCHAR(60) UNIQUE, born DATE)",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, \
         total DECIMAL(10,2), weight DOUBLE PRECISION, status VARCHAR(10) DEFAULT 'open', note TEXT, \
         FOREIGN KEY (customer_id) REFERENCES customers (id))",
        "INSERT INTO customers VALUES (1, 'Ann', 'ann@example.org', '1980-05-17'), \
         (2, 'Bob', NULL, NULL), (3, 'Zoë 売上 📈', 'zoe@example.org', '1999-12-31')",
        "INSERT INTO orders VALUES (10, 1, 19.90, 0.5, 'paid', 'fast'), (11, 1, 5.00, 2, 'open', NULL), \
         (12, 3, 1234567.89, NULL, 'paid', 'it''s late'), (13, 3, NULL, -1.25, 'void', '')",
        "CREATE VIEW paid_orders AS SELECT id, customer_id, total FROM orders WHERE status = 'paid'",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect();
    statements.push(format!("CREATE TABLE {odd} ({mixed} INTEGER PRIMARY KEY, naïve VARCHAR(20))"));
    statements.push(format!("INSERT INTO {odd} VALUES (7, 'é')"));
    statements
}

/// Runs every check that needs nothing but the database.
pub(crate) async fn all(database: &dyn Database) {
    catalog_tells_tables_columns_and_keys(database).await;
    cells_keep_their_values_and_nulls(database).await;
    names_of_any_script_and_case_can_be_asked_for(database).await;
    wrong_names_are_refused_with_their_place(database).await;
    only_one_statement_that_reads_is_run(database).await;
    rows_stop_at_the_limit(database).await;
    figures_samples_and_stored_values_are_read(database).await;
    texts_and_days_are_looked_up(database).await;
    plans_name_the_tables(database).await;
}

pub(crate) async fn catalog_tells_tables_columns_and_keys(database: &dyn Database) {
    let catalog = database.catalog(false).await.expect("a catalog");
    assert_eq!(catalog.unreadable, Vec::<String>::new());
    // a server may keep the names of tables in lower case
    let mut names: Vec<String> = catalog.tables.iter().map(|t| t.name.to_lowercase()).collect();
    names.sort_unstable();
    assert_eq!(names, ["customers", "größe 2", "orders", "paid_orders"]);
    let orders = catalog.table("orders").expect("orders");
    assert_eq!((orders.kind, &orders.primary_key), (TableKind::Table, &vec!["id".to_owned()]));
    let kinds: Vec<(&str, ColumnKind, bool)> =
        orders.columns.iter().map(|c| (c.name.as_str(), c.kind, c.not_null)).collect();
    let expected = [
        ("id", ColumnKind::Integer, true),
        ("customer_id", ColumnKind::Integer, true),
        ("total", ColumnKind::Real, false),
        ("weight", ColumnKind::Real, false),
        ("status", ColumnKind::Text, false),
        ("note", ColumnKind::Text, false),
    ];
    assert_eq!(kinds, expected);
    let status = orders.column("status").expect("status");
    assert!(status.default.as_deref().is_some_and(|d| d.contains("open")), "{:?}", status.default);
    let customers = catalog.table("customers").expect("customers");
    assert_eq!(customers.column("born").map(|c| c.kind), Some(ColumnKind::Date));
    assert_eq!(customers.column("email").map(|c| (c.unique, c.not_null)), Some((true, false)));
    assert!(customers.is_unique(&["email"]) && customers.is_unique(&["id"]));
    let declared: Vec<_> =
        catalog.keys.iter().filter(|key| key.origin == KeyOrigin::Declared).collect();
    let [key] = declared.as_slice() else { panic!("one declared key: {declared:?}") };
    assert_eq!((key.from_table.as_str(), key.to_table.as_str()), ("orders", "customers"));
    assert_eq!(
        (&key.from_columns, &key.to_columns),
        (&vec!["customer_id".into()], &vec!["id".into()])
    );
    assert!(!key.one_to_one);
    let view = catalog.table("paid_orders").expect("the view");
    assert_eq!((view.kind, view.columns.len()), (TableKind::View, 3));
    let ddl = view.ddl.as_deref().unwrap_or("").to_lowercase();
    assert!(ddl.contains("paid") && ddl.contains("select"), "{ddl}");
}

pub(crate) async fn cells_keep_their_values_and_nulls(database: &dyn Database) {
    let sql = "SELECT id, total, weight, status, note FROM orders ORDER BY id";
    let rows = run(database, sql).await.expect("rows");
    let expected = [
        vec![Value::Integer(10), Value::Real(19.9), Value::Real(0.5), text("paid"), text("fast")],
        vec![Value::Integer(11), Value::Real(5.0), Value::Real(2.0), text("open"), Value::Null],
        vec![
            Value::Integer(12),
            Value::Real(1_234_567.89),
            Value::Null,
            text("paid"),
            text("it's late"),
        ],
        vec![Value::Integer(13), Value::Null, Value::Real(-1.25), text("void"), text("")],
    ];
    assert_eq!(rows.rows, expected);
    assert_eq!((rows.row_count, rows.truncated, rows.stopped), (4, false, None));
    let names: Vec<&str> = rows.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id", "total", "weight", "status", "note"]);
    let none = run(database, "SELECT id AS x FROM orders WHERE id < 0").await.expect("no rows");
    assert_eq!((none.columns.len(), none.row_count), (1, 0), "an empty result has its columns");
    let days = run(database, "SELECT born FROM customers ORDER BY id").await.expect("days");
    assert_eq!(days.rows, [[text("1980-05-17")], [Value::Null], [text("1999-12-31")]]);
    let counted = run(database, "SELECT COUNT(*), SUM(id) FROM orders").await.expect("figures");
    assert_eq!(counted.rows, [[Value::Integer(4), Value::Integer(46)]]);
}

pub(crate) async fn names_of_any_script_and_case_can_be_asked_for(database: &dyn Database) {
    let catalog = database.catalog(false).await.expect("a catalog");
    let odd = catalog.table("Größe 2").expect("the odd table");
    let columns: Vec<&str> = odd.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["Mixed Case", "naïve"]);
    let quote = |name: &str| querent::sql::dialect::quote(name, database.dialect());
    let sql = format!(
        "SELECT {}, {} FROM {}",
        quote("Mixed Case"),
        quote("naïve"),
        querent::sql::dialect::quote_table("Größe 2", database.dialect())
    );
    let rows = run(database, &sql).await.expect("rows");
    assert_eq!(rows.rows, [[Value::Integer(7), text("é")]]);
    let found = run(database, "SELECT id FROM customers WHERE name = 'Zoë 売上 📈'").await;
    assert_eq!(found.expect("rows").rows, [[Value::Integer(3)]]);
}

pub(crate) async fn wrong_names_are_refused_with_their_place(database: &dyn Database) {
    let cases = [
        ("SELECT '売上', nam FROM customers", "no_such_column", "nam"),
        ("SELECT name FROM custoomers", "no_such_table", "custoomers"),
        (
            "SELECT id FROM orders JOIN customers ON customer_id = customers.id",
            "ambiguous_column",
            "id",
        ),
    ];
    for (sql, code, at) in cases {
        let failure = failure(database.prepare(sql).await);
        assert_eq!((failure.stage, failure.code()), (Stage::Prepare, code), "{failure:?}");
        let span = failure.span().expect(sql);
        assert_eq!(span.of(sql), at, "{sql}");
        assert!(failure.message().contains(at), "{}", failure.message());
    }
    let sql = "SELECT id FORM orders WHERE";
    let failure = failure(database.prepare(sql).await);
    assert_eq!((failure.stage, failure.code()), (Stage::Prepare, "syntax_error"), "{failure:?}");
}

pub(crate) async fn only_one_statement_that_reads_is_run(database: &dyn Database) {
    let before = run(database, "SELECT COUNT(*) FROM orders").await.expect("a count").rows;
    for sql in [
        "DELETE FROM orders",
        "INSERT INTO customers VALUES (9, 'Eve', NULL, NULL)",
        "UPDATE orders SET total = 0",
        "DROP TABLE orders",
        "CREATE TABLE stolen AS SELECT * FROM customers",
        "SELECT 1; DELETE FROM orders",
        "",
        "-- nothing",
    ] {
        let prepared = failure(database.prepare(sql).await);
        let ran = failure(run(database, sql).await);
        for failure in [prepared, ran] {
            let policy = failure.stage == Stage::Policy && failure.code() == "write";
            let refused =
                ["multiple_statements", "empty", "syntax_error"].contains(&failure.code());
            assert!(policy || refused, "{sql}: {failure:?}");
        }
    }
    assert_eq!(run(database, "SELECT COUNT(*) FROM orders").await.expect("a count").rows, before);
}

pub(crate) async fn rows_stop_at_the_limit(database: &dyn Database) {
    let limits = |most| Limits { timeout: Duration::from_secs(20), max_rows: Some(most) };
    let sql = "SELECT a.id FROM orders a, orders b, orders c";
    let rows = database.run(sql, limits(10), Arc::new(ResultStore::new())).await.expect("rows");
    assert_eq!((rows.row_count, rows.truncated), (10, true));
    assert_eq!(rows.stopped.as_deref(), Some("stopped after 10 rows, the limit given"));
    let whole = database.run(sql, limits(64), Arc::new(ResultStore::new())).await.expect("rows");
    assert_eq!((whole.row_count, whole.stopped), (64, None), "as many as there are is no stop");
    let probed =
        database.probe("SELECT a.id FROM orders a, orders b, orders c, orders d", limits(1000));
    assert_eq!(probed.await.expect("rows").row_count, 200);
}

pub(crate) async fn figures_samples_and_stored_values_are_read(database: &dyn Database) {
    let tables = ["orders".to_owned()];
    let statistics = database.statistics(&tables).await.expect("statistics");
    let of = |column: &str| {
        let found = statistics.iter().find(|stats| stats.at == ColumnRef::new("orders", column));
        found.unwrap_or_else(|| panic!("statistics of {column}: {statistics:?}"))
    };
    assert!(of("id").known && of("note").known);
    assert_eq!(
        (of("id").min.clone(), of("id").max.clone()),
        (Some(Value::Integer(10)), Some(Value::Integer(13)))
    );
    assert_eq!((of("total").nulls, of("total").distinct), (1, 3));
    assert_eq!(of("status").top.first(), Some(&(text("paid"), 2)));
    let samples = database.samples(&tables, 2).await.expect("samples");
    assert_eq!(samples.iter().map(|sample| sample.rows.len()).sum::<usize>(), 2);
    let values = database.values().await.expect("values");
    let status = values.iter().find(|list| list.at == ColumnRef::new("orders", "status"));
    let status = status.expect("values of status");
    assert_eq!(
        (&status.values, status.complete),
        (&vec!["open".into(), "paid".into(), "void".into()].into(), true)
    );
}

pub(crate) async fn texts_and_days_are_looked_up(database: &dyn Database) {
    let text = |column, text: &str| LookUp {
        at: ColumnRef::new("customers", column),
        what: Wanted::Text(text.to_owned()),
    };
    let day = LookUp {
        at: ColumnRef::new("customers", "born"),
        what: Wanted::Day { from: "1980-05-17".into(), before: "1980-05-18".into() },
    };
    let wanted =
        [text("name", "ANN"), text("name", "o'hara"), text("email", "zoe@example.org"), day];
    let looked = database.look_up(&wanted, Duration::from_secs(5)).await.expect("looked up");
    let found: Vec<Look> = looked.into_iter().map(|looked| looked.found).collect();
    let stored = |text: &str| Look::Stored(text.to_owned());
    let expected = [stored("Ann"), Look::Lacking, stored("zoe@example.org"), stored("1980-05-17")];
    assert_eq!(found, expected);
}

pub(crate) async fn plans_name_the_tables(database: &dyn Database) {
    let sql = "SELECT name FROM customers JOIN orders ON customer_id = customers.id";
    let plan = database.plan(sql).await.expect("a plan");
    let said = format!("{plan:?}");
    assert!(said.contains("customers") && said.contains("orders"), "{said}");
    failure(database.plan("DELETE FROM orders").await);
}

/// Checks that `slow`, which runs for minutes, ends at its limit and when nobody waits for it.
/// `running` counts in the engine the statements that hold the given mark.
pub(crate) async fn slow_statements_end_in_time(
    database: &dyn Database,
    slow: &str,
    mut running: impl AsyncFnMut(&str) -> u64,
) {
    let limits = |timeout| Limits { timeout, max_rows: None };
    let begin = Instant::now();
    let short = limits(Duration::from_millis(300));
    let ended = failure(database.run(slow, short, Arc::new(ResultStore::new())).await);
    assert_eq!(
        (ended.stage, ended.code(), ended.retryable),
        (Stage::Limit, "timeout", false),
        "{ended:?}"
    );
    println!("a statement of 300 ms ended after {:?}", begin.elapsed());
    let mark = format!("mark {}", std::process::id());
    let slow = format!("/* {mark} */ {slow}");
    let long = limits(Duration::from_mins(5));
    let store = Arc::new(ResultStore::new());
    let running_now = async {
        while running(&mark).await == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        ran = database.run(&slow, long, Arc::clone(&store)) => panic!("it ended by itself: {ran:?}"),
        () = running_now => {}
    }
    let dropped = Instant::now();
    assert!(database.settled(Duration::from_secs(5)).await);
    let settled = dropped.elapsed();
    assert_eq!(running(&mark).await, 0, "it still runs in the engine");
    println!("cancelled and let go of within {settled:?}");
    assert!(store.finished(), "a reader waits for rows that won't come");
    let again =
        run(database, "SELECT COUNT(*) FROM orders").await.expect("the next statement runs");
    assert_eq!(again.rows, [[Value::Integer(4)]]);
}

/// Checks that a change of the structure, made by `change`, is seen by the next look.
pub(crate) async fn changes_are_seen(database: &dyn Database, change: impl AsyncFnOnce()) {
    let before = database.catalog(false).await.expect("a catalog");
    let generation = database.generation();
    let same = database.catalog(false).await.expect("a catalog");
    assert!(Arc::ptr_eq(&before, &same), "what did not change is not read again");
    change().await;
    let after = database.catalog(false).await.expect("a catalog");
    assert!(database.generation() > generation);
    assert_ne!(before.version, after.version);
}

/// A statement under way when the network stops carrying ends at its limit; when it carries again,
/// the next statement runs, and nothing of the first is left in the server.
pub(crate) async fn a_silent_network_ends_a_statement_at_its_limit(
    database: &dyn Database,
    network: &Network,
    long: &str,
) {
    let store = Arc::new(ResultStore::new());
    let limits = Limits { timeout: Duration::from_secs(2), max_rows: None };
    let run = database.run(long, limits, Arc::clone(&store));
    let cutting = async {
        while store.count() < 1000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        network.cut();
    };
    let (ran, ()) =
        tokio::time::timeout(Duration::from_mins(1), async { tokio::join!(run, cutting) })
            .await
            .expect("it ends");
    assert_eq!(failure(ran).code(), "timeout");
    assert!(store.finished() && store.count() >= 1000, "what arrived stays");
    network.mend();
    assert!(database.settled(Duration::from_secs(30)).await, "the server has let go of it");
    let again = self::run(database, "SELECT 7").await.expect("the next statement runs");
    assert_eq!(again.rows, [[Value::Integer(7)]]);
}
