//! One session over a database that others change: each package is of the database as it is.

use std::fmt::Write;
use std::sync::Arc;

use querent::config::Config;
use querent::domain::{ComponentKind, ContextPackage, Privacy, Question};
use querent::pipeline::{Session, Setup};
use rusqlite::Connection;

use super::{Made, made};

const SHOP: &str = "
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
      status TEXT, amount REAL);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
    INSERT INTO customers VALUES (1, 'Ada', 'Berlin'), (2, 'Bob', 'Paris');
    INSERT INTO orders VALUES (1, 1, 'open', 10), (2, 2, 'paid', 20);
    INSERT INTO notes VALUES (1, 'nothing of note')";

struct Shop {
    session: Session,
    other: Connection,
    made: Made,
}

/// Opens the shop, with so many tables of no interest beside it.
async fn shop(others: usize) -> Shop {
    let mut sql = SHOP.to_owned();
    for n in 0..others {
        let _ = write!(sql, "; CREATE TABLE archive_{n} (id INTEGER PRIMARY KEY, label TEXT)");
    }
    let made = made(&sql);
    let setup = Setup {
        database: Some(made.path.to_str().expect("a plain path").to_owned()),
        model: Some("rules".to_owned()),
        privacy: Some(Privacy::Rows),
        config: Arc::new(Config::default()),
        ..Setup::default()
    };
    let session = Session::open(setup).await.expect("opened");
    let other = Connection::open(&made.path).expect("opened");
    Shop { session, other, made }
}

impl Shop {
    async fn package(&self, text: &str) -> ContextPackage {
        let question = Question {
            text: text.to_owned(),
            asked_at: "2026-01-01T00:00:00Z".to_owned(),
            ..Question::default()
        };
        self.session.package(&question).await.expect("a package")
    }

    async fn text(&self, kind: ComponentKind, question: &str) -> String {
        let package = self.package(question).await;
        package.component(kind).map(|component| component.text.clone()).unwrap_or_default()
    }

    fn change(&self, sql: &str) {
        self.other.execute_batch(sql).expect("changed");
    }
}

/// Changes the schema between questions.
async fn follows_the_schema(shop: &Shop) {
    let schema = || shop.text(ComponentKind::Schema, "How many customers are there in Berlin?");
    assert!(schema().await.contains("city"));
    shop.change("ALTER TABLE customers ADD COLUMN nickname TEXT");
    assert!(schema().await.contains("nickname"));
    let package = shop.package("nickname of customers").await;
    assert!(package.columns.contains(&"customers.nickname".to_owned()), "{:?}", package.columns);

    shop.change("ALTER TABLE customers RENAME COLUMN city TO town");
    let told = schema().await;
    assert!(told.contains("town") && !told.contains("city"), "{told}");
    let values = shop.package("customers in Berlin").await.values;
    assert!(values.iter().all(|value| !value.contains("customers.city")), "{values:?}");
    shop.session.settled_facts().await;
    let values = shop.package("customers in Berlin").await.values;
    assert_eq!(values, ["'Berlin' → customers.town (exact, list complete)"]);

    shop.change("DROP TABLE notes");
    let package = shop.package("How many notes are there?").await;
    assert!(!package.tables.contains(&"notes".to_owned()), "{:?}", package.tables);
    shop.change("CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), total REAL)");
    let package = shop.package("total of refunds per customer town").await;
    assert!(package.tables.contains(&"refunds".to_owned()), "{:?}", package.tables);
    assert!(!package.join_path.is_empty(), "its declared key is known");
}

/// Changes rows between questions.
async fn follows_the_rows(shop: &Shop) {
    let values = shop.package("orders of customers in \"Tromsø\"").await.values;
    assert!(values.iter().all(|value| !value.contains("'Tromsø'")), "{values:?}");
    shop.change("INSERT INTO customers (id, name, city) VALUES (3, 'Cleo', 'Tromsø')");
    let values = shop.package("orders of customers in \"Tromsø\"").await.values;
    assert!(
        values.iter().any(|value| value.starts_with("'Tromsø' → customers.city")),
        "{values:?}"
    );
    let statistics = || shop.text(ComponentKind::Statistics, "highest amount of orders");
    assert!(statistics().await.contains("20"));
    shop.change("UPDATE orders SET amount = 777 WHERE id = 2");
    let told = statistics().await;
    assert!(told.contains("777"), "{told}");
    shop.change("UPDATE customers SET city = 'Bodø' WHERE id = 3");
    shop.session.settled_facts().await;
    let package = shop.package("orders of customers in \"Tromsø\"").await;
    assert!(package.values.iter().all(|v| !v.contains("'Tromsø' →")), "{:?}", package.values);
    let samples = shop.text(ComponentKind::Samples, "customers in Bodø").await;
    assert!(samples.contains("Bodø"), "{samples}");
}

#[tokio::test]
async fn a_small_schema_is_followed() {
    let shop = shop(0).await;
    follows_the_schema(&shop).await;
}

#[tokio::test]
async fn the_rows_of_a_small_database_are_followed() {
    let shop = shop(0).await;
    follows_the_rows(&shop).await;
}

#[tokio::test]
async fn a_wide_schema_is_followed_by_reading_what_changed() {
    let shop = shop(320).await;
    follows_the_schema(&shop).await;
}

#[tokio::test]
async fn the_rows_of_a_wide_database_are_followed() {
    let shop = shop(320).await;
    follows_the_rows(&shop).await;
}

#[tokio::test]
async fn a_renewed_catalog_is_the_one_that_is_read_anew() {
    let made = made(&format!(
        "{SHOP}; CREATE UNIQUE INDEX one_name ON customers (name); CREATE VIEW berliners AS \
         SELECT * FROM customers WHERE city = 'Berlin'; {}",
        (0..300).fold(String::new(), |sql, n| sql + &format!("CREATE TABLE a{n} (id INTEGER);"))
    ));
    let database = super::opened(&made).await;
    database.catalog(false).await.expect("a catalog");
    let other = Connection::open(&made.path).expect("opened");
    for change in [
        "ALTER TABLE customers ADD COLUMN since DATE DEFAULT '2020-01-01'",
        "ALTER TABLE customers RENAME COLUMN city TO town",
        "DROP INDEX one_name",
        "CREATE INDEX by_status ON orders (status)",
        "CREATE TABLE visits (customer_id INTEGER REFERENCES customers(id), day DATE)",
        "DROP TABLE a7",
        "ALTER TABLE a8 RENAME TO b8",
        "CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid'",
    ] {
        other.execute_batch(change).expect("changed");
        let renewed = database.catalog(false).await.expect("a catalog");
        let whole = super::opened(&made).await.catalog(false).await.expect("a catalog");
        assert_eq!(renewed.tables, whole.tables, "{change}");
        assert_eq!(renewed.keys, whole.keys, "{change}");
        assert_eq!(renewed.version, whole.version, "{change}");
    }
}

#[tokio::test]
async fn what_a_cut_off_list_lacks_is_looked_up() {
    let made = made(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, town TEXT, born DATE);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
         INSERT INTO people SELECT i, CASE i WHEN 7000 THEN 'Zoë Quill' ELSE 'Person ' || i END,
           'Town ' || (i % 9), date('2000-01-01', i || ' days') FROM n",
    );
    let setup = Setup {
        database: Some(made.path.to_str().expect("a plain path").to_owned()),
        model: Some("rules".to_owned()),
        privacy: Some(Privacy::Rows),
        ..Setup::default()
    };
    let session = Session::open(setup).await.expect("opened");
    let ask = async |text: &str| {
        let question = Question { text: text.to_owned(), ..Question::default() };
        session.package(&question).await.expect("a package")
    };
    let found = ask("What is the town of people named \"zoë quill\"?").await;
    assert_eq!(found.values, ["'Zoë Quill' → people.name (case, looked up)"]);
    let lacking = ask("What is the town of people named \"Nobody Atall\"?").await;
    assert_eq!(lacking.values, ["\"Nobody Atall\" → not found in people.name (looked up)"]);
    let said = "\"Nobody Atall\" was looked up: not stored in people.name.";
    assert!(lacking.warnings.contains(&said.to_owned()), "{:?}", lacking.warnings);
    let schema = lacking.component(ComponentKind::Schema).expect("a schema");
    assert!(schema.text.contains(said), "the model is told as well");
    let dated = ask("Which people were born on May 1st 2001?").await;
    assert_eq!(dated.values, ["'2001-05-01' → people.born (date, looked up)"]);
    let cut = ask("people named \"Person 12\"").await;
    assert_eq!(
        cut.values,
        ["'Person 12' → people.name (exact, list not complete: 5,000 values kept, all rows read)"]
    );
}

#[tokio::test]
async fn a_refresh_reads_anew_what_the_file_does_not_tell_to_have_changed() {
    let shop = shop(0).await;
    let statistics = || shop.text(ComponentKind::Statistics, "highest amount of orders");
    assert!(statistics().await.contains("20"));
    let file = std::fs::File::options().write(true).open(&shop.made.path).expect("opened");
    let before = file.metadata().and_then(|found| found.modified()).expect("a time");
    shop.change("UPDATE orders SET amount = 77 WHERE id = 2; UPDATE customers SET city = 'Perth' WHERE id = 2");
    file.set_modified(before).expect("set back");
    shop.session.refresh().await.expect("a catalog");
    let told = statistics().await;
    assert!(told.contains("77"), "{told}");
    let values = shop.package("customers in Perth").await.values;
    assert_eq!(values, ["'Perth' → customers.city (exact, list complete)"]);
    assert_eq!(shop.session.known_values().await, (4, 0), "columns known whole, and in part");
}

#[tokio::test]
async fn a_file_written_over_by_a_copy_of_another_is_read_anew() {
    let shop = shop(0).await;
    let other = shop.made.path.with_extension("other");
    std::fs::copy(&shop.made.path, &other).expect("copied");
    // both are made by the same number of changes, so that the engine's own count tells nothing
    let change = |path: &std::path::Path, city: &str| {
        let db = rusqlite::Connection::open(path).expect("opened");
        db.execute("UPDATE customers SET city = ?1 WHERE id = 2", [city]).expect("changed");
    };
    change(&shop.made.path, "Oslo");
    change(&other, "Perth");
    let values = shop.package("customers in Oslo").await.values;
    assert_eq!(values, ["'Oslo' → customers.city (exact, list complete)"]);
    std::fs::copy(&other, &shop.made.path).expect("written over");
    let values = shop.package("customers in Perth").await.values;
    assert_eq!(values, ["'Perth' → customers.city (exact, list complete)"]);
    let samples = shop.text(ComponentKind::Samples, "customers in Perth").await;
    assert!(samples.contains("Perth") && !samples.contains("Oslo"), "{samples}");
}

/// Bytes of this process in memory.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// Set where a test runs in a process of its own.
const ALONE: &str = "QUERENT_TEST_ALONE";

#[test]
fn two_hundred_questions_and_changes_do_not_grow_the_memory() {
    let name = "changes::two_hundred_questions_and_changes_do_not_grow_the_memory";
    if std::env::var_os(ALONE).is_none() {
        // what is measured is the process, so that no other test may stand in it
        let this = std::env::current_exe().expect("this program");
        let ran = std::process::Command::new(this).args(["--exact", name]).env(ALONE, "1").output();
        let ran = ran.expect("it runs");
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(ask_and_change());
}

async fn ask_and_change() {
    let shop = shop(0).await;
    let mut early = 0;
    for n in 0..200 {
        if n % 10 == 0 {
            shop.change(&format!("UPDATE customers SET city = 'City {n}' WHERE id = 1"));
        }
        if n % 50 == 0 {
            shop.change(&format!("ALTER TABLE customers ADD COLUMN extra_{n} TEXT"));
        }
        let question = format!("amount of orders of customers in \"City {}\"", n / 10 * 10);
        let package = shop.package(&question).await;
        let city = format!("'City {}' → customers.city", n / 10 * 10);
        assert!(package.values.iter().any(|v| v.starts_with(&city)), "{n}: {:?}", package.values);
        if n == 20 {
            early = resident();
        }
    }
    // on systems without this figure there is nothing to compare
    assert!(resident() <= early.max(1) * 3 / 2 || early == 0, "{early} {}", resident());
}
