//! PostgreSQL: the suite of all engines, and what only this one has. Without a server nothing is
//! checked, and that is said.

use std::sync::Arc;

use querent::database::{self, Database, OpenOptions};
use tokio_postgres::{Client, NoTls};

use super::suite;

mod attacks;
mod catalog;
mod faults;
mod own;
mod sizes;
mod statements;

/// A database of its own on the server that `QUERENT_POSTGRES` names; dropped at the end of the test.
struct Served {
    server: String,
    name: String,
    /// The connection of one who may write.
    owner: Client,
}

/// Makes a database, or says that there is no server to make it on.
async fn served(name: &str) -> Option<Served> {
    let Ok(server) = std::env::var("QUERENT_POSTGRES") else {
        println!("skipped, as QUERENT_POSTGRES names no server");
        return None;
    };
    Some(served_by(&server, name).await)
}

async fn served_by(server: &str, name: &str) -> Served {
    let name = format!("querent_{name}_{}", std::process::id());
    let admin = connected(server).await;
    admin.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await.expect("dropped");
    admin.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("made");
    let owner = connected(&at(server, &name)).await;
    Served { server: server.to_owned(), name, owner }
}

/// Names another database of a server.
fn at(server: &str, name: &str) -> String {
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{server}/{name}")
}

async fn connected(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.expect("connected");
    tokio::spawn(connection);
    client
}

async fn open_at(address: &str) -> Arc<dyn Database> {
    database::open(address, &OpenOptions::default()).await.expect("opened")
}

impl Served {
    fn address(&self) -> String {
        at(&self.server, &self.name)
    }

    async fn open(&self) -> Arc<dyn Database> {
        open_at(&self.address()).await
    }

    async fn fill(&self, sql: &str) {
        self.owner.batch_execute(sql).await.expect(sql);
    }

    /// Reads one number as the owner.
    async fn number(&self, sql: &str) -> i64 {
        self.owner.query_one(sql, &[]).await.expect(sql).get(0)
    }

    /// Counts the statements of others at work that hold a mark.
    async fn running(&self, mark: &str) -> u64 {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' \
                   AND pid <> pg_backend_pid() AND strpos(query, $1) > 0";
        let count: i64 = self.owner.query_one(sql, &[&mark]).await.expect("counted").get(0);
        u64::try_from(count).expect("a count")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // a test that fails drops its database too
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let Ok((client, connection)) = tokio_postgres::connect(&server, NoTls).await else {
                    return;
                };
                tokio::spawn(connection);
                let _ = client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
            });
        });
        let _ = dropping.join();
    }
}

#[tokio::test]
async fn everything_that_all_engines_do_alike() {
    let Some(served) = served("suite").await else { return };
    for statement in suite::setup('"') {
        served.fill(&statement).await;
    }
    let database = served.open().await;
    suite::all(&*database).await;
    let slow = "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b";
    suite::slow_statements_end_in_time(&*database, slow, async |mark| served.running(mark).await)
        .await;
    suite::changes_are_seen(&*database, async || {
        served.fill("ALTER TABLE orders ADD COLUMN colour text").await;
    })
    .await;
    suite::changes_are_seen(&*database, async || {
        served.fill("ALTER TABLE orders RENAME COLUMN colour TO shade").await;
    })
    .await;
}
