//! What goes wrong with servers: killed in the middle, started again, connections closed by others.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mysql_async::prelude::Queryable;
use querent::database::{DatabaseError, ResultStore, Trouble};
use querent::domain::Value;

use super::super::network::Network;
use super::super::{LIMITS, run, suite};
use super::own::Own;
use super::{Base, conn};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_mid_stream_is_lost_and_found_again() {
    let Some(mut own) = Own::started().await else { return };
    let base = Base::on(&own.address(), "killed", &[]).await;
    let database = base.opened().await;
    let store = Arc::new(ResultStore::new());
    let sql = "SELECT seq, REPEAT('x', 200) FROM seq_1_to_500000000";
    let running = database.run(sql, LIMITS, Arc::clone(&store));
    let mut running = std::pin::pin!(running);
    while store.page(0..1).total < 1000 {
        tokio::select! {
            ended = &mut running => panic!("it ended: {ended:?}"),
            () = tokio::time::sleep(Duration::from_millis(5)) => {}
        }
    }
    own.kill();
    let ended = running.await;
    assert!(matches!(ended, Err(Trouble::Database(DatabaseError::Lost { .. }))), "{ended:?}");
    assert!(store.finished());
    let begin = Instant::now();
    let gone = run(&*database, "SELECT 1").await;
    assert!(matches!(gone, Err(Trouble::Database(_))), "{gone:?}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    own.start().await;
    let again = run(&*database, "SELECT 1").await.expect("the same database works again");
    assert_eq!(again.rows, [[Value::Integer(1)]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_closed_while_idle_is_made_anew() {
    let Some(own) = Own::started().await else { return };
    let base = Base::on(&own.address(), "idle", &[]).await;
    let database = base.opened().await;
    run(&*database, "SELECT 1").await.expect("rows");
    let mut root = conn(&own.address()).await;
    let ids: Vec<u32> = root
        .query("SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND COMMAND = 'Sleep'")
        .await
        .expect("a list");
    assert!(!ids.is_empty());
    for id in ids {
        // one that made the database may have gone by itself meanwhile
        let killed = root.query_drop(format!("KILL {id}")).await;
        let gone = matches!(&killed, Err(mysql_async::Error::Server(error)) if error.code == 1094);
        assert!(killed.is_ok() || gone, "{killed:?}");
    }
    run(&*database, "SELECT 1").await.expect("rows again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_carries_nothing_ends_a_statement_at_its_limit() {
    let Some(base) = Base::made("network", &[]).await else { return };
    let (network, through) = Network::before(&base.address()).await;
    let database = super::open(&through).await;
    let long = "SELECT seq, REPEAT('x', 200) FROM seq_1_to_500000000";
    suite::a_silent_network_ends_a_statement_at_its_limit(&*database, &network, long).await;
    assert_eq!(base.running("seq_1_to_500000000").await, 0);
}
