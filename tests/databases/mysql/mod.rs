//! MySQL and MariaDB: what every engine must do alike, and what only these have.
//!
//! The servers are those that `QUERENT_MYSQL` and `QUERENT_MYSQL_READER` name; without them the
//! tests say that they check nothing.

#![expect(clippy::print_stdout, reason = "tests say what they skip and measure")]

use std::sync::Arc;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts};
use querent::database::{self, Database, OpenOptions};

mod attacks;
mod catalogs;
mod connections;
mod faults;
mod own;
mod statements;

/// A database of its own on the server, dropped at the end of the test.
pub(crate) struct Base {
    server: String,
    name: String,
    runtime: tokio::runtime::Handle,
}

impl Base {
    /// Makes a database; none where no server is named.
    pub(crate) async fn made(name: &str, statements: &[String]) -> Option<Base> {
        let Ok(server) = std::env::var("QUERENT_MYSQL") else {
            println!("skipped: QUERENT_MYSQL names no server");
            return None;
        };
        Some(Base::on(&server, name, statements).await)
    }

    pub(crate) async fn on(server: &str, name: &str, statements: &[String]) -> Base {
        let name = format!("querent_test_{name}_{}", std::process::id());
        let runtime = tokio::runtime::Handle::current();
        let base = Base { server: server.to_owned(), name, runtime };
        let mut root = conn(server).await;
        let name = &base.name;
        for sql in [
            format!("DROP DATABASE IF EXISTS {name}"),
            format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"),
            format!("USE {name}"),
        ] {
            root.query_drop(sql).await.expect("made");
        }
        for sql in statements {
            root.query_drop(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        base
    }

    /// Returns the address of the database for the account that `server` names.
    pub(crate) fn address_at(&self, server: &str) -> String {
        let (place, _) = server.rsplit_once('/').expect("an address with a database");
        format!("{place}/{}", self.name)
    }

    pub(crate) fn address(&self) -> String {
        self.address_at(&self.server)
    }

    pub(crate) async fn opened(&self) -> Arc<dyn Database> {
        open(&self.address()).await
    }

    /// Runs a statement of the test's own.
    pub(crate) async fn does(&self, sql: &str) {
        let mut conn = conn(&self.address()).await;
        conn.query_drop(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        conn.disconnect().await.expect("closed");
    }

    /// Counts the statements at work whose text holds a mark.
    pub(crate) async fn running(&self, mark: &str) -> u64 {
        running(&self.server, mark).await
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let runtime = self.runtime.clone();
        // a test's own runtime may be of one thread, which is here
        let _ = std::thread::spawn(move || {
            let own = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(own) = own else { return };
            own.block_on(async {
                let opts = Opts::from_url(&server).expect("an address");
                if let Ok(mut conn) = Conn::new(opts).await {
                    let _ = conn.query_drop(format!("DROP DATABASE IF EXISTS {name}")).await;
                }
            });
            drop(runtime);
        })
        .join();
    }
}

pub(crate) async fn running(server: &str, mark: &str) -> u64 {
    let mut conn = conn(server).await;
    let sql = format!(
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%{mark}%' \
         AND ID <> CONNECTION_ID()"
    );
    let count = conn.query_first(sql).await.expect("a list").unwrap_or(0);
    conn.disconnect().await.expect("closed");
    count
}

pub(crate) async fn conn(server: &str) -> Conn {
    Conn::new(Opts::from_url(server).expect("an address")).await.expect("a server")
}

pub(crate) async fn open(address: &str) -> Arc<dyn Database> {
    database::open(address, &OpenOptions::default()).await.expect("opened")
}

/// Returns statements of a text, one a line or more, each ended by `;` at the end of a line.
pub(crate) fn statements(text: &str) -> Vec<String> {
    text.split(";\n").map(str::trim).filter(|sql| !sql.is_empty()).map(str::to_owned).collect()
}
