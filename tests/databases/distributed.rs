//! A distributed engine behind its Flight SQL server: `distributed.sh` starts one and names it in
//! `QUERENT_FLIGHT`.

use std::sync::Arc;
use std::time::Instant;

use super::adbc::{connect, driver, execute};
use super::*;

/// Rows of each of the four files that the script writes.
const ROWS: i64 = 100_000;

/// Finds server and driver, and the folder of the files.
fn server() -> Option<(String, PathBuf, String)> {
    let told = |name: &str| std::env::var(name).ok().filter(|told| !told.is_empty());
    let (Some(uri), Some(folder)) = (told("QUERENT_FLIGHT"), told("QUERENT_FLIGHT_FILES")) else {
        println!("skipped: QUERENT_FLIGHT names no server");
        return None;
    };
    Some((uri, driver("flightsql")?, folder))
}

#[tokio::test]
async fn a_question_is_asked_run_and_cancelled_on_a_distributed_engine() {
    let Some((uri, library, folder)) = server() else { return };
    let table =
        format!("CREATE TABLE IF NOT EXISTS orders USING parquet LOCATION 'file://{folder}'");
    execute(&library, &uri, &[&table]);
    let database = connect(&format!("adbc:flightsql?uri={uri}")).await.expect("opened");
    println!("engine: {}", database.engine());
    println!("notices: {:?}", database.notices());
    let catalog = database.catalog(false).await.expect("a catalog");
    let orders = catalog.table("orders").expect("orders");
    let columns: Vec<String> = orders
        .columns
        .iter()
        .map(|column| format!("{} {}", column.name, column.data_type))
        .collect();
    println!("orders: {}", columns.join(", "));
    assert_eq!(columns, ["id integer", "customer integer", "total real"]);

    let wrong = failure(database.prepare("SELECT nope FROM orders").await);
    println!("refused: {} ({})", wrong.message(), wrong.code());
    assert_eq!(wrong.code(), "no_such_column");
    failure(run(&*database, "DROP TABLE orders").await);

    let sql = "SELECT count(*) AS n, count(DISTINCT customer) AS customers FROM orders";
    let begun = Instant::now();
    let rows = run(&*database, sql).await.expect("rows");
    println!("{sql}\n  {:?} in {:?}", rows.rows, begun.elapsed());
    assert_eq!(rows.rows, [[Value::Integer(4 * ROWS), Value::Integer(1000)]]);
    let plan = database.plan(sql).await.expect("a plan");
    assert!(format!("{plan:?}").contains("Exec"), "{plan:?}");

    let endless = "SELECT count(*) FROM range(1000000000000) WHERE hash(id) = 5";
    let store = Arc::new(ResultStore::new());
    let asked = database.run(endless, LIMITS, Arc::clone(&store));
    assert!(tokio::time::timeout(Duration::from_secs(2), asked).await.is_err());
    let dropped = Instant::now();
    assert!(database.settled(Duration::from_secs(10)).await);
    println!("cancelled after {:?}: {endless}", dropped.elapsed());
    assert!(store.finished());
    assert_eq!(run(&*database, sql).await.expect("rows").row_count, 1);
}
