//! Engines behind ADBC drivers: those whose driver stands in a folder of `QUERENT_ADBC_DRIVERS`.

use std::sync::Arc;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection as _, Database as _, Driver as _, Statement as _};
use adbc_driver_manager::ManagedDriver;
use querent::domain::{Dialect, Stage};

use super::*;

/// Finds a driver; none, with a word on it, where there is none.
pub(crate) fn driver(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("QUERENT_ADBC_DRIVERS").unwrap_or_default();
    let file = format!("libadbc_driver_{name}.so");
    let within = format!("adbc_driver_{name}");
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| [folder.join(&file), folder.join(&within).join(&within).join(&file)])
        .find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: no folder of QUERENT_ADBC_DRIVERS has {file}");
    }
    found
}

/// Executes statements by a driver, without Querent.
pub(crate) fn execute(driver: &Path, uri: &str, statements: &[&str]) {
    let mut driver =
        ManagedDriver::load_dynamic_from_filename(driver, None, AdbcVersion::V110).expect("loaded");
    let options = [(OptionDatabase::Uri, OptionValue::String(uri.to_owned()))];
    let database = driver.new_database_with_opts(options).expect("opened");
    let mut connection = database.new_connection().expect("connected");
    for sql in statements {
        let mut statement = connection.new_statement().expect("a statement");
        statement.set_sql_query(sql).expect("set");
        let rows = statement.execute().unwrap_or_else(|error| panic!("{sql}: {error}"));
        for batch in rows {
            batch.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    }
}

pub(crate) async fn connect(address: &str) -> Result<Arc<dyn Database>, DatabaseError> {
    database::open(address, &OpenOptions::default()).await
}

#[tokio::test]
async fn sqlite_behind_its_driver_passes_what_every_engine_must_do() {
    let Some(_) = driver("sqlite") else { return };
    let statements = suite::setup('"').join(";\n");
    let made = made(&statements);
    let bytes = std::fs::read(&made.path).expect("read");
    let address = format!("adbc:sqlite?uri={}", made.path.display());
    let database = connect(&address).await.expect("opened");
    assert!(database.engine().starts_with("sqlite 3."), "{}", database.engine());
    assert_eq!(database.dialect(), Dialect::Sqlite);
    assert_eq!(database.notices(), Vec::<String>::new());
    suite::cells_keep_their_values_and_nulls(&*database).await;
    suite::names_of_any_script_and_case_can_be_asked_for(&*database).await;
    suite::only_one_statement_that_reads_is_run(&*database).await;
    suite::rows_stop_at_the_limit(&*database).await;
    suite::figures_samples_and_stored_values_are_read(&*database).await;
    suite::plans_name_the_tables(&*database).await;
    let catalog = database.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["Größe 2", "customers", "orders", "paid_orders"]);
    let orders = catalog.table("orders").expect("orders");
    assert_eq!(orders.primary_key, ["id"]);
    assert_eq!(orders.column("total").map(|column| column.data_type.is_empty()), Some(false));
    assert_eq!(catalog.keys.len(), 1, "{:?}", catalog.keys);
    drop(database);
    assert!(std::fs::read(&made.path).expect("read") == bytes, "the file changed");
}

#[tokio::test]
async fn postgresql_behind_its_driver_passes_what_every_engine_must_do() {
    let Some(library) = driver("postgresql") else { return };
    let Some(server) = std::env::var("QUERENT_POSTGRES").ok().filter(|told| !told.is_empty())
    else {
        println!("skipped: QUERENT_POSTGRES names no server");
        return;
    };
    let name = format!("adbc_{}", std::process::id());
    execute(&library, &server, &[&format!("CREATE DATABASE {name}")]);
    let uri = server.rsplit_once('/').map(|(host, _)| format!("{host}/{name}")).expect("a host");
    let statements = suite::setup('"');
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    execute(&library, &uri, &statements);
    let checked = tokio::spawn(async move { postgresql(&uri).await }).await;
    execute(&library, &server, &[&format!("DROP DATABASE {name} WITH (FORCE)")]);
    checked.expect("checked");
}

async fn postgresql(uri: &str) {
    let database = connect(&format!("adbc:postgresql?uri={uri}")).await.expect("opened");
    assert!(database.engine().starts_with("postgresql"), "{}", database.engine());
    assert_eq!(database.dialect(), Dialect::Postgres);
    assert_eq!(database.notices(), Vec::<String>::new());
    let catalog = database.catalog(false).await.expect("a catalog");
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["Größe 2", "customers", "orders", "paid_orders"]);
    assert_eq!(catalog.keys.len(), 1, "{:?}", catalog.keys);
    let orders = catalog.table("orders").expect("orders");
    assert_eq!(orders.primary_key, ["id"]);
    suite::names_of_any_script_and_case_can_be_asked_for(&*database).await;
    suite::wrong_names_are_refused_with_their_place(&*database).await;
    suite::only_one_statement_that_reads_is_run(&*database).await;
    suite::rows_stop_at_the_limit(&*database).await;
    suite::plans_name_the_tables(&*database).await;
    // cells; the driver hands numeric out as text
    let sql = "SELECT total, ARRAY[1, 2], '{\"a\": 1}'::jsonb, NULL::int, true, DATE '2024-02-29', \
               TIMESTAMPTZ '2024-02-29 12:00:00+00' FROM orders WHERE id = 10";
    let rows = run(&*database, sql).await.expect("rows");
    let wanted = [
        text("19.90"),
        text("[1, 2]"),
        text("{\"a\": 1}"),
        Value::Null,
        text("true"),
        text("2024-02-29"),
        text("2024-02-29 12:00:00+00:00"),
    ];
    assert_eq!(rows.rows, [wanted]);
    let slow = "SELECT count(*) FROM generate_series(1, 1000000000000) s(i) WHERE i % 7 = 8";
    let begun = std::time::Instant::now();
    let limits = Limits { timeout: Duration::from_millis(400), max_rows: None };
    let late = failure(database.run(slow, limits, Arc::default()).await);
    assert_eq!((late.stage, late.code()), (Stage::Limit, "timeout"));
    assert!(database.settled(Duration::from_secs(10)).await);
    println!(
        "postgresql by its driver: stopped {:?} after the limit",
        begun.elapsed().saturating_sub(limits.timeout)
    );
    let again = run(&*database, "SELECT count(*) FROM orders").await.expect("rows");
    assert_eq!(again.rows, [[Value::Integer(4)]]);
}

#[tokio::test]
async fn a_missing_driver_says_how_to_get_it() {
    let Err(error) = connect("adbc:no_such_driver?uri=x").await else { panic!("opened") };
    assert!(error.to_string().contains("no_such_driver"), "{error}");
    assert!(error.hint().contains("PyPI"), "{}", error.hint());
}

#[tokio::test]
async fn a_password_is_in_no_error() {
    let Some(_) = driver("postgresql") else { return };
    let address = "adbc:postgresql?uri=postgresql://me:hushhush@127.0.0.1:1/shop";
    let Err(error) = connect(address).await else { panic!("opened") };
    let said = format!("{error} {} {error:?}", error.hint());
    assert!(!said.contains("hushhush"), "{said}");
    assert!(said.contains("me:***@127.0.0.1"), "{said}");
}
