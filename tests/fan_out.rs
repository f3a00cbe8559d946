//! Joins that repeat what is measured, on a shop of three customers: each case states the right
//! value by arithmetic, and the query offered must give it.

#![allow(clippy::unwrap_used, reason = "a test stops where it must")]

use querent::domain::{Finding, Severity};
use querent::pipeline::{CheckRequest, Session, Setup};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Ann ordered for 10 and 20 and came for 7, 8 and 9 minutes; Bob for 5, and came for 4; Cid
/// neither ordered nor came. Their credits are 100, 50 and 50.
const SHOP: &str = "
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, town TEXT, credit INTEGER);
    INSERT INTO customers VALUES (1, 'Ann', 'Ulm', 100), (2, 'Bob', 'Ulm', 50), (3, 'Cid', 'Jena', 50);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount INTEGER);
    INSERT INTO orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), minutes INTEGER);
    INSERT INTO visits VALUES (1, 1, 7), (2, 1, 8), (3, 1, 9), (4, 2, 4);
    CREATE TABLE labels (id INTEGER PRIMARY KEY, word TEXT);
    INSERT INTO labels VALUES (1, 'urgent'), (2, 'gift');
    CREATE TABLE order_labels (order_id INTEGER REFERENCES orders (id), label_id INTEGER REFERENCES labels (id), PRIMARY KEY (order_id, label_id));
    INSERT INTO order_labels VALUES (1, 1), (1, 2), (2, 1), (3, 2);
";

/// What the gate says of a query, and how it can be run.
struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Connection::open(folder.path().join("shop.sqlite")).unwrap().execute_batch(SHOP).unwrap();
        Shop { folder }
    }

    fn file(&self) -> String {
        self.folder.path().join("shop.sqlite").display().to_string()
    }

    fn found(&self, sql: &str, question: Option<&str>) -> Option<Finding> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let setup = Setup {
            database: Some(self.file()),
            model: Some("rules".to_owned()),
            ..Setup::default()
        };
        let request = CheckRequest {
            sql: sql.to_owned(),
            question: question.map(str::to_owned),
            probe: true,
            repair: false,
        };
        let report = runtime.block_on(async {
            let session = Session::open(setup).await.unwrap();
            session.check(&request).await.unwrap()
        });
        assert_eq!(report.status, "ok", "{:?}", report.diagnostics);
        let warns = |f: &Finding| f.gate == "fan_out" && f.severity == Severity::Warning;
        report.findings.into_iter().find(warns)
    }

    /// Runs a query; rows as texts.
    fn rows(&self, sql: &str) -> Vec<String> {
        let connection = Connection::open(self.file()).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let width = statement.column_count();
        let cell = |value: Value| match value {
            Value::Null => "–".to_owned(),
            Value::Integer(n) => n.to_string(),
            Value::Real(n) => n.to_string(),
            Value::Text(text) => text,
            Value::Blob(_) => unreachable!("the shop has no blobs"),
        };
        let rows = statement.query_map([], |row| {
            let cells: Result<Vec<String>, _> =
                (0..width).map(|n| row.get::<_, Value>(n).map(cell)).collect();
            cells.map(|cells| cells.join(" "))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }
}

/// Holds a query against what it gives, and the offered one against what is right.
#[track_caller]
fn check(sql: &str, question: Option<&str>, wrong: &[&str], right: &[&str]) -> Finding {
    let shop = Shop::open();
    assert_eq!(shop.rows(sql), wrong, "the fault isn't there");
    let found = shop.found(sql, question).expect("a finding");
    let rewrite = found.rewrite.clone().expect("a rewritten query");
    assert_eq!(shop.rows(&rewrite), right, "{rewrite}");
    assert!(shop.found(&rewrite, question).is_none(), "still found in {rewrite}");
    found
}

#[track_caller]
fn silent(sql: &str, question: Option<&str>) {
    assert_eq!(Shop::open().found(sql, question), None, "{sql}");
}

#[test]
fn a_sum_over_a_child_says_who_repeats_what_how_often() {
    // credits 100 + 50 + 50; Ann comes twice
    let sql = "SELECT SUM(c.credit) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id";
    let found = check(sql, None, &["300"], &["200"]);
    assert_eq!(
        found.message,
        "SUM(c.credit) counts rows of customers more than once: the join with orders repeats them"
    );
    assert_eq!(
        found.evidence,
        "on this data each row of customers is counted 1.3 times (4 joined rows for 3): several rows of orders have the same customer_id; in the rewritten query each row counts once"
    );
    assert_eq!(found.rewrite.as_deref(), Some("SELECT SUM(c.credit) FROM customers c"));
    assert!(found.hint.expect("a hint").ends_with("SELECT SUM(c.credit) FROM customers c"));
}

#[test]
fn an_average_over_a_child_weighs_by_it() {
    // (100 + 50 + 50) / 3, not (100 + 100 + 50 + 50) / 4
    let sql = "SELECT ROUND(AVG(c.credit), 2) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id";
    check(sql, None, &["75"], &["66.67"]);
}

#[test]
fn two_children_in_a_chasm_are_aggregated_first() {
    // Ann: 10 + 20 and 7 + 8 + 9; two orders by three visits make six rows
    let sql = "SELECT c.name, SUM(o.amount), SUM(v.minutes) FROM customers c \
               LEFT JOIN orders o ON o.customer_id = c.id \
               LEFT JOIN visits v ON v.customer_id = c.id GROUP BY c.id";
    check(sql, None, &["Ann 90 48", "Bob 5 4", "Cid – –"], &["Ann 30 24", "Bob 5 4", "Cid – –"]);
}

#[test]
fn a_table_and_its_child_measured_together() {
    // credits 100 + 50 + 50; orders 10 + 20 + 5, three of them
    let sql = "SELECT SUM(c.credit), SUM(o.amount), COUNT(o.id) FROM customers c \
               LEFT JOIN orders o ON o.customer_id = c.id";
    check(sql, None, &["300 35 3"], &["200 35 3"]);
}

#[test]
fn a_count_through_a_bridge_counts_the_bridge() {
    let sql = "SELECT COUNT(*) FROM orders o JOIN order_labels b ON b.order_id = o.id \
               JOIN labels l ON l.id = b.label_id";
    check(sql, Some("How many orders are there?"), &["4"], &["3"]);
}

#[test]
fn a_child_joined_twice_repeats_by_its_square() {
    // Ann 2 × 2, Bob 1, Cid 1
    let sql = "SELECT SUM(c.credit) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id \
               LEFT JOIN orders again ON again.customer_id = c.id";
    check(sql, None, &["500"], &["200"]);
}

#[test]
fn a_table_joined_to_itself_by_what_rows_share_repeats() {
    // Ulm has two customers: 2 × (100 + 50) + 50
    let sql = "SELECT SUM(c.credit) FROM customers c JOIN customers d ON d.town = c.town";
    check(sql, None, &["350"], &["200"]);
}

#[test]
fn distinct_hides_the_repetition_and_drops_equal_amounts() {
    // 100 + 50: the credit of Cid is left out, since Bob has the same
    let sql =
        "SELECT SUM(DISTINCT c.credit) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id";
    let found = check(sql, None, &["150"], &["200"]);
    assert!(found.evidence.starts_with("3 rows of customers have 2 different amounts"));
}

#[test]
fn joins_inside_derived_tables_and_ctes_are_seen() {
    let inner =
        "SELECT c.credit AS credit FROM customers c LEFT JOIN orders o ON o.customer_id = c.id";
    check(&format!("SELECT SUM(credit) FROM ({inner}) AS j"), None, &["300"], &["200"]);
    check(&format!("WITH j AS ({inner}) SELECT SUM(credit) FROM j"), None, &["300"], &["200"]);
    let derived = "SELECT SUM(c.credit) FROM customers c \
                   LEFT JOIN (SELECT customer_id FROM orders) o ON o.customer_id = c.id";
    check(derived, None, &["300"], &["200"]);
}

#[test]
fn a_child_after_a_comma_and_one_by_using_are_seen() {
    let shop = "SELECT SUM(o.amount) FROM orders o, order_labels b WHERE b.order_id = o.id";
    // order 1 has two labels: 10 + 10 + 20 + 5
    check(shop, None, &["45"], &["35"]);
    let using = "SELECT SUM(minutes) FROM visits v JOIN orders o USING (customer_id)";
    // each visit of Ann once for each of her two orders: 2 × 24 + 4
    check(using, None, &["52"], &["28"]);
}

#[test]
fn a_join_that_may_be_meant_as_a_filter_stays_one() {
    let sql = "SELECT SUM(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.id";
    // those who ordered are Ann and Bob: 100 + 50
    check(sql, None, &["250"], &["150"]);
    check(sql, Some("What is the credit of customers with orders?"), &["250"], &["150"]);
    // the question has no word for it, and without the join Cid comes in: which is meant is open
    let found = Shop::open().found(sql, Some("What is the total credit of all customers?"));
    assert_eq!(found.expect("a finding").rewrite, None);
}

#[test]
fn what_counts_each_row_once_is_left_alone() {
    let joined = "FROM customers c LEFT JOIN orders o ON o.customer_id = c.id";
    silent(&format!("SELECT COUNT(DISTINCT c.id) {joined}"), Some("How many customers are there?"));
    silent(&format!("SELECT c.name, COUNT(o.id) {joined} GROUP BY c.id"), None);
    silent(&format!("SELECT SUM(o.amount) {joined}"), None);
    silent(&format!("SELECT MAX(c.credit) {joined}"), None);
    silent(
        "SELECT SUM(c.credit) FROM customers c LEFT JOIN (SELECT customer_id, SUM(amount) AS spent \
         FROM orders GROUP BY customer_id) o ON o.customer_id = c.id",
        None,
    );
    silent(
        "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.town = 'Ulm'",
        Some("How many orders come from Ulm?"),
    );
}
