//! Servers that end, start again and cut connections: what is said, and that the next use works.

use std::sync::Arc;
use std::time::{Duration, Instant};

use querent::database::{Database, DatabaseError, Limits, ResultStore, Trouble};
use querent::domain::Value;

use super::super::network::Network;
use super::super::{run, suite};
use super::own::OwnServer;
use super::{open_at, served};

/// A statement that gives rows for minutes.
const LONG: &str = "SELECT generate_series(1, 100000000) AS n";

/// Runs it until rows arrive, then does something to the server; returns what the run says.
async fn broken_by(database: &dyn Database, fault: impl AsyncFnOnce()) -> Trouble {
    let store = Arc::new(ResultStore::new());
    let limits = Limits { timeout: Duration::from_mins(5), max_rows: None };
    let run = database.run(LONG, limits, Arc::clone(&store));
    let breaking = async {
        while store.count() < 1000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        fault().await;
    };
    let (ran, ()) = tokio::join!(run, breaking);
    let trouble = ran.expect_err("it can't have come to its end");
    assert!(store.finished() && store.count() >= 1000, "what arrived stays");
    trouble
}

fn lost(trouble: Trouble) -> DatabaseError {
    match trouble {
        Trouble::Database(error @ DatabaseError::Lost { .. }) => error,
        other @ (Trouble::Query(_) | Trouble::Database(_)) => panic!("not lost: {other:?}"),
    }
}

#[tokio::test]
async fn a_server_that_ends_and_starts_again_is_found_again() {
    let Some(mut server) = OwnServer::start().await else { return };
    let database = open_at(&server.address()).await;
    let error = lost(broken_by(&*database, async || server.end()).await);
    assert!(error.to_string().contains("was lost"), "{error}");
    assert!(error.hint().contains("connects anew"), "{}", error.hint());
    let begin = Instant::now();
    let still = lost(run(&*database, "SELECT 1").await.expect_err("nobody answers"));
    println!("gave up after {:?}: {still}", begin.elapsed());
    assert!(begin.elapsed() < Duration::from_secs(10), "tries are bounded");
    // a use that begins while the server starts waits for it
    let (rows, ()) = tokio::join!(run(&*database, "SELECT 7"), server.run());
    let rows = match rows {
        Ok(rows) => rows,
        Err(_) => run(&*database, "SELECT 7").await.expect("rows"),
    };
    assert_eq!(rows.rows, [[Value::Integer(7)]]);
}

#[tokio::test]
async fn a_connection_that_is_cut_is_lost_and_the_next_one_works() {
    let Some(served) = served("cut").await else { return };
    let database = served.open().await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let trouble = broken_by(&*database, async || {
        served.number(cut).await;
    })
    .await;
    let error = lost(trouble);
    assert!(error.to_string().contains("was lost"), "{error}");
    let rows = run(&*database, "SELECT 1").await.expect("a new connection");
    assert_eq!(rows.rows, [[Value::Integer(1)]]);
    // idle connections that the server closed are not used
    served.number(cut).await;
    let rows = run(&*database, "SELECT 2").await.expect("a new connection");
    assert_eq!(rows.rows, [[Value::Integer(2)]]);
}

#[tokio::test]
async fn no_session_is_left_in_a_transaction() {
    let Some(served) = served("idle").await else { return };
    let database = served.open().await;
    database.catalog(false).await.expect("a catalog");
    run(&*database, "SELECT 1").await.expect("a row");
    run(&*database, "SELECT nothing").await.expect_err("no such column");
    let dropped = database.run(LONG, super::super::LIMITS, Arc::default());
    assert!(tokio::time::timeout(Duration::from_millis(200), dropped).await.is_err());
    assert!(database.settled(Duration::from_secs(5)).await);
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                AND pid <> pg_backend_pid() AND state <> 'idle'";
    assert_eq!(served.number(open).await, 0);
    let many = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                AND pid <> pg_backend_pid()";
    let eight = (0..8).map(|_| run(&*database, "SELECT count(*) FROM generate_series(1, 100000)"));
    for rows in futures_util::future::join_all(eight).await {
        rows.expect("a row");
    }
    assert!(served.number(many).await <= 4, "statements share a few connections");
}

#[tokio::test]
async fn a_row_that_is_locked_by_another_ends_at_the_limit() {
    let Some(served) = served("locked").await else { return };
    served.fill("CREATE TABLE shelf (id int)").await;
    let database = served.open().await;
    let mut owner = super::connected(&served.address()).await;
    let changing = owner.transaction().await.expect("begun");
    changing.batch_execute("LOCK TABLE shelf IN ACCESS EXCLUSIVE MODE").await.expect("locked");
    let limits = Limits { timeout: Duration::from_millis(300), max_rows: None };
    let waited = database.run("SELECT * FROM shelf", limits, Arc::default()).await;
    let failure = super::super::failure(waited);
    assert_eq!(failure.code(), "timeout", "{failure:?}");
    changing.rollback().await.expect("unlocked");
    assert_eq!(run(&*database, "SELECT * FROM shelf").await.expect("rows").row_count, 0);
}

#[tokio::test]
async fn tls_is_as_strict_as_the_address_asks() {
    let Some(mut server) = OwnServer::start().await else { return };
    let Some(certificate) = server.certify() else { return };
    server.end();
    server.run().await;
    let options = querent::database::OpenOptions::default();
    let open = |host: &'static str, asked: String| {
        let address = server.address().replace("127.0.0.1", host);
        let options = options.clone();
        async move { querent::database::open(&format!("{address}?{asked}"), &options).await }
    };
    let encrypted = "SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let root = format!("sslrootcert={}", certificate.display());
    for (host, asked, tls) in [
        ("127.0.0.1", "sslmode=disable".to_owned(), 0),
        ("127.0.0.1", "sslmode=prefer".to_owned(), 1),
        ("127.0.0.1", "sslmode=require".to_owned(), 1),
        ("127.0.0.1", format!("sslmode=verify-ca&{root}"), 1),
        ("localhost", format!("sslmode=verify-full&{root}"), 1),
    ] {
        let database = open(host, asked.clone()).await.expect(&asked);
        let rows = run(&*database, encrypted).await.expect("a row");
        assert_eq!(rows.rows, [[Value::Integer(tls)]], "{asked}");
        let dropped = database.run(LONG, super::super::LIMITS, Arc::default());
        assert!(tokio::time::timeout(Duration::from_millis(200), dropped).await.is_err());
        assert!(database.settled(Duration::from_secs(5)).await, "cancelled over {asked}");
    }
    let other_name = open("127.0.0.1", format!("sslmode=verify-full&{root}")).await;
    assert!(other_name.is_err(), "the certificate names localhost only");
    let unknown = open("localhost", "sslmode=verify-full".to_owned()).await;
    let error = unknown.err().expect("nobody knows that authority");
    assert!(error.hint().contains("sslrootcert"), "{error} {}", error.hint());
}

#[tokio::test]
async fn a_network_that_carries_nothing_ends_a_statement_at_its_limit() {
    let Some(served) = served("network").await else { return };
    let (network, through) = Network::before(&served.address()).await;
    let database = open_at(&through).await;
    suite::a_silent_network_ends_a_statement_at_its_limit(&*database, &network, LONG).await;
    assert_eq!(served.running("generate_series").await, 0);
}
