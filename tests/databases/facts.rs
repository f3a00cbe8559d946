//! What is read of a database: catalog, kinds, values, whatever the names and bytes.

use std::sync::Arc;

use querent::database::{self, OpenOptions, ResultStore};
use querent::domain::ColumnKind::{Date, Integer, Text};
use querent::domain::{ColumnKind, Value};
use rusqlite::Connection;

use super::{LIMITS, made, opened, text};

#[tokio::test]
async fn odd_names_reach_the_catalog_and_can_be_measured() {
    let made = made(
        r#"CREATE TABLE "order ""x"" 📈" ("select" INTEGER, "a b" TEXT, "it's" TEXT);
           INSERT INTO "order ""x"" 📈" VALUES (1, 'one', 'two')"#,
    );
    let database = opened(&made).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let name = catalog.tables[0].name.clone();
    assert_eq!(name, "order \"x\" 📈");
    let columns: Vec<&str> = catalog.tables[0].columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(columns, ["select", "a b", "it's"]);
    let stats = database.statistics(std::slice::from_ref(&name)).await.expect("statistics");
    assert_eq!(stats[2].max, Some(text("two")));
    let samples = database.samples(&[name], 3).await.expect("samples");
    assert_eq!(samples[0].rows, [[Value::Integer(1), text("one"), text("two")]]);
}

#[tokio::test]
async fn odd_values_keep_their_bytes() {
    let made = made(
        "CREATE TABLE t (a TEXT, b BLOB); INSERT INTO t VALUES (CAST(x'610062' AS TEXT), x'00ff'),
         (CAST(x'636166e9' AS TEXT), NULL), ('big', zeroblob(3000000))",
    );
    let database = opened(&made).await;
    let store = Arc::new(ResultStore::new());
    database.run("SELECT a, b FROM t", LIMITS, Arc::clone(&store)).await.expect("rows");
    let rows = store.page(0..3).rows;
    assert_eq!(rows[0], [text("a\0b"), Value::Blob(vec![0, 255])]);
    assert_eq!(rows[1], [Value::Malformed(b"caf\xe9".to_vec()), Value::Null]);
    assert_eq!(rows[2][1], Value::Blob(vec![0; 3_000_000]));
    let values = database.values().await.expect("values");
    assert_eq!(values[0].values, ["a\0b", "big"]);
    assert!(!values[0].complete, "a value that is no text is missing from the list");
}

#[tokio::test]
async fn kinds_follow_what_is_stored() {
    let made = made(
        "CREATE TABLE t (day TEXT, born DATE, name TEXT, n);
         INSERT INTO t VALUES ('2024-03-01', '2001-01-01', 'x', 1), (NULL, NULL, 'y', 2)",
    );
    let catalog = opened(&made).await.catalog(false).await.expect("a catalog");
    let kinds: Vec<ColumnKind> = catalog.tables[0].columns.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Date, Date, Text, Integer]);
}

#[tokio::test]
async fn a_changed_file_is_noticed_and_a_refresh_forgets_the_cache() {
    let made = made("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')");
    let cache = tempfile::tempdir().expect("a folder");
    let options = OpenOptions { cache: Some(cache.path().to_owned()), ..OpenOptions::default() };
    let address = made.path.to_str().expect("a plain path");
    let database = database::open(address, &options).await.expect("opened");
    let first = database.catalog(false).await.expect("a catalog");
    assert_eq!(database.values().await.expect("values")[0].values, ["x"]);
    assert!(Arc::ptr_eq(&first, &database.catalog(false).await.expect("a catalog")));

    let again = database::open(address, &options).await.expect("opened");
    assert_eq!(*again.catalog(false).await.expect("a catalog"), *first, "from the cache");

    let other = Connection::open(&made.path).expect("opened");
    other.execute_batch("CREATE TABLE u (b); INSERT INTO t VALUES ('y')").expect("changed");
    let second = database.catalog(false).await.expect("a catalog");
    assert_eq!(second.tables.len(), 2);
    assert_ne!(second.version, first.version);
    assert_eq!(database.values().await.expect("values")[0].values, ["x", "y"]);
}

#[tokio::test]
async fn another_file_under_the_same_name_is_another_database() {
    let made = made("CREATE TABLE t (a)");
    let database = opened(&made).await;
    assert_eq!(database.catalog(false).await.expect("a catalog").tables[0].name, "t");
    std::fs::remove_file(&made.path).expect("removed");
    let other = Connection::open(&made.path).expect("made");
    other.execute_batch("CREATE TABLE v (a)").expect("filled");
    assert_eq!(database.catalog(false).await.expect("a catalog").tables[0].name, "v");
}

#[tokio::test]
async fn a_catalog_tells_keys_constraints_and_comments() {
    let made = made(
        "CREATE TABLE rooms ( -- what can be booked
           id INTEGER PRIMARY KEY, -- number on the door
           name TEXT NOT NULL UNIQUE,
           size REAL DEFAULT 1.5 CHECK (size > 0)
         );
         CREATE TABLE stays (room INTEGER, day TEXT, guest_id INTEGER, note,
           PRIMARY KEY (room, day), UNIQUE (day, guest_id),
           FOREIGN KEY (Room) REFERENCES ROOMS);
         CREATE TABLE bills (room INTEGER, day TEXT, FOREIGN KEY (room, day) REFERENCES stays (room, day));
         CREATE UNIQUE INDEX one_bill ON bills (room, day);
         CREATE INDEX by_note ON stays (lower(note), guest_id);
         CREATE UNIQUE INDEX some ON stays (guest_id) WHERE note IS NOT NULL;
         CREATE VIEW busy AS SELECT room, count(*) AS n FROM stays GROUP BY room;
         CREATE VIRTUAL TABLE notes USING fts5(body);
         INSERT INTO rooms VALUES (1, 'a', 2)",
    );
    let catalog = opened(&made).await.catalog(false).await.expect("a catalog");
    assert_eq!(catalog.unreadable, Vec::<String>::new());
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["rooms", "stays", "bills", "busy", "notes"], "no shadow tables");

    let rooms = catalog.table("rooms").expect("rooms");
    assert_eq!(rooms.comment.as_deref(), Some("what can be booked"));
    assert_eq!(rooms.columns[0].comment.as_deref(), Some("number on the door"));
    assert!(rooms.columns[1].unique && rooms.columns[1].not_null);
    assert_eq!(rooms.columns[2].default.as_deref(), Some("1.5"));
    assert_eq!(rooms.checks, ["size > 0"]);
    assert_eq!(rooms.rows.map(|rows| (rows.count, rows.exact)), Some((1, true)));

    let stays = catalog.table("stays").expect("stays");
    assert_eq!(stays.primary_key, ["room", "day"]);
    assert_eq!(stays.uniques, [["day", "guest_id"]]);
    assert_eq!(stays.indexes[0].columns, ["lower(note)", "guest_id"]);
    assert!(!stays.indexes[1].unique, "unique among some rows is not unique");
    assert!(!stays.column("guest_id").expect("a column").unique);

    let keys: Vec<String> = catalog
        .keys
        .iter()
        .map(|k| {
            let (from, to) = (k.from_columns.join(","), k.to_columns.join(","));
            format!("{}({from})>{}({to}) {}", k.from_table, k.to_table, k.one_to_one)
        })
        .collect();
    assert_eq!(
        keys,
        ["stays(room)>rooms(id) false", "bills(room,day)>stays(room,day) true"],
        "names as the tables spell them"
    );
}

#[tokio::test]
async fn a_key_to_nowhere_is_said_and_left_out() {
    let made =
        made("CREATE TABLE a (x INTEGER REFERENCES gone (id), y INTEGER REFERENCES a (lost))");
    let catalog = opened(&made).await.catalog(false).await.expect("a catalog");
    assert!(catalog.keys.is_empty());
    let said = &catalog.unreadable;
    assert!(said.iter().any(|why| why.contains("gone doesn't exist")), "{said:?}");
    assert!(said.iter().any(|why| why.contains("a.lost doesn't exist")), "{said:?}");
}

#[tokio::test]
async fn a_sample_of_a_large_table_is_fixed_and_says_so() {
    let made = made(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, day TEXT, word TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
         INSERT INTO t SELECT i, date('2000-01-01', i || ' days'), 'w' || (i % 7) FROM n",
    );
    let database = opened(&made).await;
    let tables = ["t".to_owned()];
    let stats = database.statistics(&tables).await.expect("statistics");
    assert!(stats.iter().all(|column| column.known && !column.complete));
    assert_eq!(stats[0].rows_read, 20_000);
    assert_eq!(stats[0].max, Some(Value::Integer(50_000)), "the engine knows the end of a key");
    assert_eq!(stats[1].max, Some(text("2136-11-23")), "the last rows are in the sample");
    assert_eq!(stats[2].distinct, 7);
    assert_eq!(opened(&made).await.statistics(&tables).await.expect("statistics"), stats);
}
