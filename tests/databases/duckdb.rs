//! DuckDB files, and files that DuckDB reads: structure, cells, errors, plans.

use std::sync::Arc;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection as _, Database as _, Driver as _, Statement as _};
use adbc_driver_manager::ManagedDriver;
use querent::domain::schema::TableKind;
use querent::domain::{Dialect, Stage};

use super::*;

/// Returns where the DuckDB library is; none, with a word on it, where there is none.
fn library() -> Option<std::ffi::OsString> {
    let told = std::env::var_os("QUERENT_DUCKDB").filter(|told| !told.is_empty());
    if told.is_none() {
        println!("skipped: QUERENT_DUCKDB names no DuckDB library");
    }
    told
}

/// Makes a DuckDB file by statements, if there is a library.
pub(crate) fn duck(statements: &[&str]) -> Option<Made> {
    library()?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.duckdb");
    let at = folder.path().to_str().expect("a plain path").to_owned();
    execute(&path, "SELECT 1").expect("made");
    for sql in statements {
        execute(&path, &sql.replace("{folder}", &at)).unwrap_or_else(|why| panic!("{sql}: {why}"));
    }
    Some(Made { folder, path })
}

/// Executes SQL on a DuckDB file by an engine that may write.
pub(crate) fn execute(path: &Path, sql: &str) -> Result<(), adbc_core::error::Error> {
    let library = library().expect("a library");
    let entry = Some(b"duckdb_adbc_init".as_slice());
    let mut driver = ManagedDriver::load_dynamic_from_filename(library, entry, AdbcVersion::V110)?;
    let at = OptionValue::String(path.to_str().expect("a plain path").to_owned());
    let options = [(OptionDatabase::Other("path".to_owned()), at)];
    let mut connection = driver.new_database_with_opts(options)?.new_connection()?;
    let mut statement = connection.new_statement()?;
    statement.set_sql_query(sql)?;
    for batch in statement.execute()? {
        batch?;
    }
    Ok(())
}

/// Opens what stands in the folder of a made file.
pub(crate) async fn open_duck(made: &Made, what: &str) -> Result<Arc<dyn Database>, DatabaseError> {
    let folder = made.folder.path().to_str().expect("a plain path").to_owned();
    let address = format!("duckdb:{}", what.replace("{folder}", &folder));
    database::open(&address, &OpenOptions::default()).await
}

pub(crate) async fn opened_duck(made: &Made) -> Arc<dyn Database> {
    open_duck(made, "{folder}/shop.duckdb").await.expect("opened")
}

const SHOP: &[&str] = &[
    "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE, \
     price DECIMAL(8, 2) DEFAULT 10, kind ENUM ('single', 'double'), CHECK (price > 0))",
    "COMMENT ON TABLE rooms IS 'Rooms to let.'",
    "COMMENT ON COLUMN rooms.price IS 'Euros a night.'",
    "INSERT INTO rooms VALUES (1, 'Oak', 80.5, 'double'), (2, 'Elm', 45, 'single')",
    "CREATE SCHEMA sales",
    "CREATE TABLE sales.guests (id INTEGER PRIMARY KEY, email VARCHAR)",
    "CREATE TABLE sales.stays (guest INTEGER REFERENCES sales.guests (id), nights INTEGER)",
    "CREATE INDEX by_nights ON sales.stays (nights)",
    "CREATE VIEW cheap AS SELECT * FROM rooms WHERE price < 50",
    "CREATE SEQUENCE numbers",
    "CREATE MACRO night_price(n) AS n * 2",
    "CREATE MACRO of_kind(k) AS TABLE SELECT * FROM rooms WHERE kind = k",
];

#[tokio::test]
async fn a_duckdb_file_tells_tables_columns_and_keys() {
    let Some(made) = duck(SHOP) else { return };
    let database = opened_duck(&made).await;
    assert!(database.engine().starts_with("duckdb 1."), "{}", database.engine());
    assert!(database.engine().ends_with("read-only"), "{}", database.engine());
    assert_eq!(database.dialect(), Dialect::Duckdb);
    let catalog = database.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["cheap", "rooms", "sales.guests", "sales.stays"]);
    let rooms = catalog.table("rooms").expect("rooms");
    assert_eq!(rooms.comment.as_deref(), Some("Rooms to let."));
    assert_eq!(rooms.primary_key, ["id"]);
    assert_eq!(rooms.uniques, [["name"]]);
    assert_eq!(rooms.rows.map(|rows| rows.count), Some(2));
    assert_eq!(rooms.checks.len(), 1, "{:?}", rooms.checks);
    let price = rooms.column("price").expect("price");
    assert_eq!(price.data_type, "DECIMAL(8,2)");
    assert_eq!(price.comment.as_deref(), Some("Euros a night."));
    assert_eq!(price.default.as_deref(), Some("10"));
    assert!(!price.not_null && rooms.column("name").is_some_and(|column| column.not_null));
    assert_eq!(catalog.table("cheap").map(|view| view.kind), Some(TableKind::View));
    let keys: Vec<String> = catalog
        .keys
        .iter()
        .map(|key| {
            format!("{}{:?} {}{:?}", key.from_table, key.from_columns, key.to_table, key.to_columns)
        })
        .collect();
    assert_eq!(keys, ["sales.stays[\"guest\"] sales.guests[\"id\"]"]);
    let indexes = &catalog.table("sales.stays").expect("stays").indexes;
    assert_eq!(indexes.first().map(|index| index.columns.clone()), Some(vec!["nights".to_owned()]));
}

#[tokio::test]
async fn cells_of_every_type_are_read_as_sql_writes_them() {
    let Some(made) = duck(&[]) else { return };
    let database = opened_duck(&made).await;
    let cases = [
        ("NULL", Value::Null),
        ("true", text("true")),
        ("255::UTINYINT", Value::Integer(255)),
        ("-9223372036854775808", Value::Integer(i64::MIN)),
        ("18446744073709551615::UBIGINT", text("18446744073709551615")),
        ("42::HUGEINT", Value::Integer(42)),
        ("sum(x) FROM range(10) t(x)", Value::Integer(45)),
        (
            "170141183460469231731687303715884105727::HUGEINT",
            text("170141183460469231731687303715884105727"),
        ),
        (
            "340282366920938463463374607431768211455::UHUGEINT",
            text("340282366920938463463374607431768211455"),
        ),
        ("12345678901234567890123::BIGNUM", text("12345678901234567890123")),
        ("0.1::FLOAT", Value::Real(0.1)),
        ("1.5::DOUBLE", Value::Real(1.5)),
        ("1.50::DECIMAL(8, 2)", Value::Real(1.5)),
        ("1234567890123456789.12345::DECIMAL(30, 5)", text("1234567890123456789.12345")),
        ("'déjà vu'", text("déjà vu")),
        ("DATE '2024-02-29'", text("2024-02-29")),
        ("TIME '12:13:14.5'", text("12:13:14.5")),
        ("'12:13:14+02'::TIMETZ", text("12:13:14+02")),
        ("TIMESTAMP '2024-02-29 12:00:00'", text("2024-02-29 12:00:00")),
        ("TIMESTAMP '2024-02-29 12:00:00.25'", text("2024-02-29 12:00:00.25")),
        ("INTERVAL '1 year 2 months 3 days 04:05:06.5'", text("1 year 2 months 3 days 04:05:06.5")),
        ("INTERVAL '0 days'", text("00:00:00")),
        (
            "UUID 'b509ab22-220d-4263-970d-51433953d98b'",
            text("b509ab22-220d-4263-970d-51433953d98b"),
        ),
        ("'\\xAA\\x00'::BLOB", Value::Blob(vec![0xAA, 0])),
        ("'10110'::BIT", text("10110")),
        ("'{\"a\": 1}'::JSON", text("{\"a\": 1}")),
        ("'b'::ENUM ('a', 'b')", text("b")),
        ("[1, 2, NULL]", text("[1, 2, NULL]")),
        ("[]", text("[]")),
        ("[1::HUGEINT, 2]", text("[1, 2]")),
        ("[[1], [2, 3]]", text("[[1], [2, 3]]")),
        ("['a', 'b']::VARCHAR[2]", text("[a, b]")),
        ("{'a': 1, 'b': DATE '2024-01-01'}", text("{'a': 1, 'b': 2024-01-01}")),
        ("MAP {'k': 1, 'l': NULL}", text("{k=1, l=NULL}")),
        ("union_value(n := 7)", Value::Integer(7)),
    ];
    for (expression, wanted) in cases {
        let rows = run(&*database, &format!("SELECT {expression}")).await;
        let rows = rows.unwrap_or_else(|trouble| panic!("{expression}: {trouble:?}"));
        assert_eq!(rows.rows, [[wanted]], "{expression}");
    }
}

#[tokio::test]
async fn a_time_with_a_zone_is_shown_with_its_offset() {
    let Some(made) = duck(&[]) else { return };
    let database = opened_duck(&made).await;
    let rows = run(&*database, "SELECT TIMESTAMPTZ '2024-02-29 12:00:00+02'").await.expect("rows");
    let Some([Value::Text(shown)]) = rows.rows.first().map(Vec::as_slice) else {
        panic!("one text: {:?}", rows.rows)
    };
    let offset = shown.get(19..).expect("an offset");
    assert!(offset.starts_with(['+', '-']) && offset.len() == 6, "{shown}");
    let column = rows.columns.first().expect("a column");
    assert_eq!(column.data_type, "timestamp with time zone");
}

#[tokio::test]
async fn errors_of_duckdb_have_a_code_and_a_place() {
    let Some(made) = duck(SHOP) else { return };
    let database = opened_duck(&made).await;
    let cases = [
        ("SELECT nam FROM rooms", Stage::Prepare, "no_such_column", "nam"),
        ("SELECT r.nam FROM rooms r", Stage::Prepare, "no_such_column", "r.nam"),
        ("SELECT name FROM roms", Stage::Prepare, "no_such_table", "roms"),
        ("SELEC 1", Stage::Prepare, "syntax_error", "SELEC"),
        ("SELECT 1; SELECT 2", Stage::Prepare, "multiple_statements", "SELECT"),
        ("SELECT nope(1)", Stage::Prepare, "no_such_function", "nope"),
        ("SELECT name, count(*) FROM rooms", Stage::Prepare, "ungrouped_column", "name"),
        ("SELECT id = $1 FROM rooms", Stage::Prepare, "unbound_parameter", ""),
        ("DROP TABLE rooms", Stage::Policy, "write", "DROP"),
        ("EXPLAIN SELECT nam FROM rooms", Stage::Prepare, "no_such_column", "nam"),
        ("", Stage::Prepare, "empty", ""),
    ];
    for (sql, stage, code, place) in cases {
        let failure = failure(database.prepare(sql).await);
        let found = failure.span().map_or("", |span| span.of(sql)).to_owned();
        assert_eq!((failure.stage, failure.code(), found.as_str()), (stage, code, place), "{sql}");
    }
    let failure = failure(run(&*database, "SELECT name::INTEGER FROM rooms").await);
    assert_eq!((failure.stage, failure.code()), (Stage::Run, "conversion"));
}

#[tokio::test]
async fn every_way_to_read_is_let_through() {
    let Some(made) = duck(SHOP) else { return };
    let database = opened_duck(&made).await;
    let reading = [
        "FROM rooms",
        "FROM rooms SELECT name WHERE price > 50",
        "TABLE rooms",
        "VALUES (1), (2)",
        "DESCRIBE rooms",
        "SHOW TABLES",
        "SHOW ALL TABLES",
        "SUMMARIZE rooms",
        "EXPLAIN SELECT * FROM rooms",
        "EXPLAIN ANALYZE FROM rooms",
        "EXPLAIN (FORMAT json) FROM rooms",
        "PIVOT rooms ON kind USING sum(price)",
        "PIVOT rooms ON kind IN ('single', 'double') USING sum(price)",
        "UNPIVOT (SELECT id, price FROM rooms) ON id, price",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) FROM n",
        "SELECT * FROM of_kind('single')",
        "SELECT night_price(3)",
        "SELECT * EXCLUDE (kind) FROM rooms QUALIFY row_number() OVER (ORDER BY id) = 1",
        "SELECT unnest([1, 2]), list_transform([1, 2], lambda x: x + 1)",
        "SELECT * FROM range(5) UNION ALL SELECT * FROM generate_series(1, 3)",
        "-- a note\n SELECT 1 /* ; DROP TABLE rooms */ ;",
        "SELECT 'a; drop table rooms'",
        "SELECT * FROM rooms AS OF_rooms ASOF JOIN rooms b ON OF_rooms.id >= b.id",
    ];
    for sql in reading {
        if let Err(trouble) = database.prepare(sql).await {
            panic!("{sql}: {trouble:?}");
        }
        if let Err(trouble) = run(&*database, sql).await {
            panic!("{sql}: {trouble:?}");
        }
        if let Err(trouble) = database.plan(sql).await {
            panic!("{sql}: {trouble:?}");
        }
    }
}

#[tokio::test]
async fn a_plan_tells_which_tables_are_read_whole() {
    let Some(made) = duck(SHOP) else { return };
    let database = opened_duck(&made).await;
    let sql = "SELECT kind, sum(price) FROM rooms GROUP BY kind ORDER BY 2";
    let mut plan = database.plan(sql).await.expect("a plan");
    let mut words = Vec::new();
    plan.each(&mut |step| words.push(step.words.clone()));
    assert!(words.iter().any(|words| words.contains("rooms")), "{words:?}");
    assert!(words.iter().any(|words| words.starts_with("ORDER BY")), "{words:?}");
}

#[tokio::test]
async fn files_are_tables_of_a_database_in_memory() {
    let Some(made) = duck(&[
        "COPY (SELECT i AS id, 'n' || i AS name FROM range(1000) t(i)) TO '{folder}/guests.parquet'",
        "COPY (SELECT i AS guest_id, i * 2 AS nights FROM range(10) t(i)) TO '{folder}/stays.csv' (HEADER)",
        "COPY (SELECT 1 AS a, 'x' AS b) TO '{folder}/notes.json'",
        "COPY (SELECT 1 AS a) TO '{folder}/part-1.parquet'",
        "COPY (SELECT 2 AS a) TO '{folder}/part-2.parquet'",
    ]) else {
        return;
    };
    let address = "{folder}/guests.parquet,{folder}/*.csv,{folder}/*.json,{folder}/part-*.parquet";
    let database = open_duck(&made, address).await.expect("opened");
    let catalog = database.catalog(false).await.expect("a catalog");
    let mut names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    let parts = names.pop();
    assert_eq!(names, ["guests", "notes", "stays"]);
    assert!(parts.is_some());
    let guests = catalog.table("guests").expect("guests");
    assert_eq!(guests.kind, TableKind::Table);
    assert_eq!(guests.rows.map(|rows| (rows.count, rows.exact)), Some((1000, true)));
    let keys: Vec<(&str, &str)> =
        catalog.keys.iter().map(|key| (key.from_table.as_str(), key.to_table.as_str())).collect();
    assert_eq!(keys, [("stays", "guests")], "told by names, confirmed by data");
    let sql =
        "SELECT g.name, s.nights FROM guests g JOIN stays s ON s.guest_id = g.id WHERE g.id = 7";
    let rows = run(&*database, sql).await.expect("rows");
    assert_eq!(rows.rows, [[text("n7"), Value::Integer(14)]]);
    let sql = format!("SELECT sum(a) FROM {}", parts.unwrap_or_default());
    assert_eq!(run(&*database, &sql).await.expect("rows").rows, [[Value::Integer(3)]]);
    // what was not opened can't be reached
    let sql = format!("SELECT * FROM '{}/part-1.parquet'", made.folder.path().display());
    assert!(run(&*database, &sql).await.is_ok());
    assert!(run(&*database, "SELECT * FROM read_text('/etc/passwd')").await.is_err());
    assert!(run(&*database, "SELECT * FROM '/etc/passwd'").await.is_err());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_in_words() {
    let Some(made) = duck(&[]) else { return };
    std::fs::write(made.folder.path().join("odd.duckdb"), "not a database at all, but text")
        .expect("written");
    for (what, said) in [
        ("{folder}/odd.duckdb", "no DuckDB database"),
        ("{folder}/missing.duckdb", "can't be read"),
        ("{folder}", "is a folder"),
        ("{folder}/missing*.parquet", "there is no file"),
    ] {
        let Err(error) = open_duck(&made, what).await else { panic!("{what} was opened") };
        assert!(error.to_string().contains(said), "{what}: {error}");
        assert!(!error.hint().is_empty(), "{what}");
    }
}

#[tokio::test]
async fn samples_statistics_and_values_are_read() {
    let Some(made) = duck(SHOP) else { return };
    let database = opened_duck(&made).await;
    let tables = ["rooms".to_owned(), "sales.guests".to_owned()];
    let samples = database.samples(&tables, 5).await.expect("samples");
    assert_eq!(samples.first().map(|sample| sample.rows.len()), Some(2));
    let statistics = database.statistics(&tables).await.expect("statistics");
    let id = statistics.iter().find(|stats| stats.at.table == "rooms" && stats.at.column == "id");
    assert!(id.is_some_and(|stats| stats.known), "{id:?}");
    let values = database.values().await.expect("values");
    let names = values.iter().find(|list| list.at.table == "rooms" && list.at.column == "name");
    assert_eq!(names.map(|list| list.values.len()), Some(2));
}

#[tokio::test]
async fn duckdb_passes_what_every_engine_must_do() {
    let statements = suite::setup('"');
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    let Some(made) = duck(&statements) else { return };
    let database = opened_duck(&made).await;
    suite::all(&*database).await;
}
