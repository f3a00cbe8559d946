//! The catalog: what only these servers list, and how long many tables take.

use std::time::Instant;

use querent::domain::ColumnKind;

use super::super::run;
use super::own::Own;
use super::{Base, open, statements};

#[tokio::test]
async fn comments_generated_columns_enums_checks_and_indexes_are_told() {
    let sql = "CREATE TABLE parents (a INT, b INT, PRIMARY KEY (a, b)) COMMENT 'two-part key';
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT COMMENT 'number', e ENUM('small','it''s') DEFAULT 'small',
         flag TINYINT(1) NOT NULL DEFAULT 0, doubled INT AS (id * 2) VIRTUAL, a INT, b INT,
         CHECK (a > 0), KEY by_flag (flag, e), UNIQUE KEY both_parts (a, b),
         CONSTRAINT parent FOREIGN KEY (a, b) REFERENCES parents (a, b));
CREATE SEQUENCE numbers;
";
    let Some(base) = Base::made("catalog", &statements(sql)).await else { return };
    let catalog = base.opened().await.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["parents", "t"]);
    let table = catalog.table("t").expect("t");
    let e = table.column("e").expect("e");
    assert_eq!((e.data_type.as_str(), e.kind), ("enum('small','it''s')", ColumnKind::Text));
    assert_eq!(table.column("id").and_then(|c| c.comment.as_deref()), Some("number"));
    assert_eq!(table.column("flag").map(|c| c.kind), Some(ColumnKind::Boolean));
    let doubled = table.column("doubled").and_then(|c| c.generated.clone()).expect("generated");
    assert!(doubled.contains("* 2"), "{doubled}");
    assert!(table.checks.iter().any(|check| check.contains("> 0")), "{:?}", table.checks);
    assert_eq!(table.indexes.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["by_flag"]);
    assert_eq!(table.uniques, [["a", "b"]]);
    let parents = catalog.table("parents").expect("parents");
    assert_eq!(parents.comment.as_deref(), Some("two-part key"));
    assert!(parents.rows.is_some_and(|rows| !rows.exact));
    let [key] = catalog.keys.as_slice() else { panic!("one key: {:?}", catalog.keys) };
    assert_eq!(
        (&key.from_columns, &key.to_columns),
        (&vec!["a".into(), "b".into()], &vec!["a".into(), "b".into()])
    );
    assert!(key.one_to_one);
}

#[tokio::test]
async fn without_a_database_tables_are_called_with_their_schema() {
    let setup = ["CREATE TABLE t (a INT)".to_owned()];
    let Some(base) = Base::made("schemas", &setup).await else { return };
    let address = base.address();
    let (server, name) = address.rsplit_once('/').expect("a name");
    let database = open(server).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let called = format!("{name}.t");
    assert!(catalog.table(&called).is_some());
    assert!(catalog.tables.iter().all(|table| !table.name.starts_with("mysql.")));
    run(&*database, &format!("SELECT a FROM {called}")).await.expect("rows");
}

#[tokio::test]
async fn a_change_of_an_index_or_key_is_seen() {
    let setup =
        ["CREATE TABLE p (a INT PRIMARY KEY)".to_owned(), "CREATE TABLE t (a INT)".to_owned()];
    let Some(base) = Base::made("stamps", &setup).await else { return };
    let database = base.opened().await;
    database.catalog(false).await.expect("a catalog");
    for change in [
        "CREATE INDEX by_a ON t (a)",
        "ALTER TABLE t ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES p (a)",
        "ALTER TABLE t MODIFY a INT COMMENT 'said'",
        "CREATE VIEW v AS SELECT a FROM t",
        "DROP VIEW v",
    ] {
        let before = database.generation();
        base.does(change).await;
        database.catalog(false).await.expect("a catalog");
        assert!(database.generation() > before, "{change}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_columns_and_five_thousand_tables_are_read() {
    let Some(own) = Own::started().await else { return };
    let columns: Vec<String> = (0..1000).map(|n| format!("c{n} INT")).collect();
    let mut setup = vec![format!("CREATE TABLE wide ({})", columns.join(", "))];
    setup.extend((0..5000).map(|n| {
        format!("CREATE TABLE t{n} (id INT PRIMARY KEY, name VARCHAR(40), of_day DATE, KEY by_name (name))")
    }));
    let base = Base::on(&own.address(), "many", &setup).await;
    let database = base.opened().await;
    let begin = Instant::now();
    let catalog = database.catalog(false).await.expect("a catalog");
    let first = begin.elapsed();
    assert_eq!(catalog.tables.len(), 5001);
    assert_eq!(catalog.table("wide").map(|table| table.columns.len()), Some(1000));
    let begin = Instant::now();
    database.catalog(false).await.expect("a catalog");
    println!("5,001 tables: {first:?} first, {:?} when unchanged", begin.elapsed());
    let rows = run(&*database, "SELECT * FROM wide").await.expect("rows");
    assert_eq!(rows.columns.len(), 1000);
}
