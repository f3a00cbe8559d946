//! MySQL and MariaDB servers, read only.
//!
//! What belongs here: addresses and option files of their clients, connections, the wall against
//! writes, the server's verdicts, its catalog, statistics and plans. What must never come: a
//! statement from outside that `wall` has not proved, or anything that other engines have too; that
//! is in `server`.
//! To add something the server lists: a query in `structure`, and its place in `catalog`.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mysql_async::Error;

use super::results::ResultStore;
use super::server::Wire;
use super::{DatabaseError, Limits, Trouble};
use crate::domain::{Catalog, ColumnStats, Dialect, EnginePlan, Secret, Table};

mod address;
mod catalog;
mod effects;
mod greeting;
mod kept;
mod option_file;
mod plan;
mod pool;
mod run;
mod structure;
mod tokens;
mod trouble;
mod values;
mod verdict;
mod wall;

use address::Target;
use catalog::Names;
use greeting::Greeting;
use option_file::OptionFile;
use pool::{Lease, Pool};

/// Time for reading the structure; a server with many thousand tables needs some.
const READING: Duration = Duration::from_mins(1);
/// Time for preparing or planning a statement.
const PREPARING: Duration = Duration::from_secs(20);

/// A server that was connected to.
struct Mysql {
    pool: Arc<Pool>,
    greeting: Greeting,
    notices: Vec<String>,
}

/// Connects; returns the connection with its address. Neither holds the password: the address comes
/// without the one that was typed in it.
pub(super) async fn connect(
    address: &str,
    password: Option<&Secret>,
) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    let mut target = Target::read(address)?;
    let file = OptionFile::of_home();
    let password = password.map(|secret| secret.reveal().to_owned());
    target.complete(password.or_else(|| std::env::var("MYSQL_PWD").ok()), &file);
    let named = target.named.clone();
    let pool = Pool::new(target);
    let mut lease = pool.first().await.map_err(|error| also(error, file.notice.as_deref()))?;
    let greeting = Greeting::ask(&mut lease).await;
    let greeting = greeting.map_err(|error| trouble::connecting(&error, &pool.target))?;
    lease.give_back().await;
    pool.is_mariadb(greeting.mariadb);
    let notices = file.notice.into_iter().chain(notices(&pool, &greeting)).collect();
    Ok((named, Box::new(Mysql { pool, greeting, notices })))
}

/// Adds to a hint why the option file was of no use.
fn also(error: DatabaseError, notice: Option<&str>) -> DatabaseError {
    match (error, notice) {
        (DatabaseError::Open { what, hint }, Some(notice)) => {
            DatabaseError::Open { what, hint: format!("{hint} {notice}") }
        }
        (error, _) => error,
    }
}

/// Says what a person should know of the connection.
fn notices(pool: &Pool, greeting: &Greeting) -> Vec<String> {
    let target = &pool.target;
    let mut said = Vec::new();
    if !pool.is_encrypted() && !target.is_here() {
        let place = target.place();
        said.push(format!(
            "The connection to {place} is not encrypted; ask for it with ?ssl-mode=REQUIRED."
        ));
    }
    if greeting.may_write {
        let user = target.user.as_deref().unwrap_or_default();
        let on = target.database.as_deref().map_or("*.*".to_owned(), |db| format!("`{db}`.*"));
        said.push(format!(
            "User '{user}' may do more than read; Querent only reads, but an account with \
             GRANT SELECT, SHOW VIEW ON {on} is safer."
        ));
    }
    said
}

impl Mysql {
    fn names(&self) -> Names {
        Names { one: self.pool.target.database.is_some(), any_case: self.greeting.any_case }
    }

    /// Gives a connection back, and says what went wrong on it as trouble with the database.
    async fn ended<T>(&self, mut lease: Lease, read: Result<T, Error>) -> Result<T, DatabaseError> {
        match read {
            Ok(read) => {
                lease.give_back().await;
                Ok(read)
            }
            Err(error) => {
                lease.throw_away().await;
                Err(trouble::reading(&error, &self.pool.target))
            }
        }
    }
}

impl Wire for Mysql {
    fn engine(&self) -> String {
        self.greeting.engine()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }

    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        Box::pin(self.pool.stopping.settled(within))
    }

    fn stamp(&self) -> BoxFuture<'_, Result<String, DatabaseError>> {
        Box::pin(async move {
            let mut lease = self.pool.aside(READING).await?;
            let read = structure::stamp(&mut lease, self.names().one).await;
            self.ended(lease, read).await
        })
    }

    fn catalog(&self) -> BoxFuture<'_, Result<Catalog, DatabaseError>> {
        Box::pin(async move {
            let mut lease = self.pool.aside(READING).await?;
            let names = self.names();
            let listed = structure::read(&mut lease, names.one, self.greeting.mariadb).await;
            let listed = self.ended(lease, listed).await?;
            Ok(catalog::assemble(&listed, names))
        })
    }

    fn kept<'a>(
        &'a self,
        tables: &'a [&'a Table],
    ) -> BoxFuture<'a, Result<Vec<ColumnStats>, DatabaseError>> {
        Box::pin(async move {
            let mut lease = self.pool.aside(PREPARING).await?;
            let one = self.names().one;
            let kept = kept::kept(&mut lease, tables, self.greeting.mariadb, one).await;
            lease.give_back().await;
            Ok(kept)
        })
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async move {
            let mut lease = self.pool.aside(PREPARING).await?;
            let proved = wall::prove(&mut lease, sql, &self.pool.target).await;
            lease.after(&proved).await;
            proved.map(drop)
        })
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        Box::pin(async move {
            let mut lease = self.pool.aside(PREPARING).await?;
            let plan = plan::read(&mut lease, sql, &self.pool.target).await;
            lease.after(&plan).await;
            plan
        })
    }

    fn stream<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: &'a ResultStore,
    ) -> BoxFuture<'a, Result<Option<String>, Trouble>> {
        Box::pin(run::stream(&self.pool, sql, limits, into))
    }
}
