//! PostgreSQL servers, read only.
//!
//! What belongs here: everything that speaks to PostgreSQL. What must never come: a write, or SQL
//! from outside that runs past `verdict::prove`.
//! To add a fact of the catalog: ask for it in `structure`, put it in its place in `catalog`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::results::ResultStore;
use super::server::Wire;
use super::{DatabaseError, Limits, Trouble};
use crate::domain::{Catalog, ColumnStats, Dialect, EnginePlan, Secret, Table};

mod address;
mod arrays;
mod catalog;
mod cells;
mod columns;
mod effects;
mod kept;
mod plan;
mod pool;
mod role;
mod run;
mod sources;
mod stamp;
mod structure;
mod tls;
mod tokens;
mod trouble;
mod verdict;

use columns::Origins;
use pool::{Pool, Transaction};
use role::Role;
use sources::Target;

/// Time for a question of ours about the structure.
const ASKING: Duration = Duration::from_secs(30);
/// Time for preparing or planning a statement.
const PREPARING: Duration = Duration::from_secs(10);

/// An opened server.
struct Postgres {
    pool: Arc<Pool>,
    role: Role,
    /// Names of stored columns met in results; held to look or to add, never while the server works.
    origins: Mutex<Origins>,
}

/// Connects; returns the connection with its address. Neither holds the password: the address comes
/// without the one that was typed in it.
pub(super) async fn connect(
    address: &str,
    password: Option<&Secret>,
) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    let mut target = Target::find(address, &|name| std::env::var(name).ok())?;
    if let Some(password) = password {
        target.password = Some(password.reveal().to_owned());
    }
    let named = target.address();
    let pool = Pool::new(target)?;
    let on = pool.begin(Some(ASKING)).await?;
    let role = role::read(on.session()).await;
    on.end().await;
    Ok((named, Box::new(Postgres { pool, role: role?, origins: Mutex::default() })))
}

impl Postgres {
    /// Begins a transaction for the verdict on a statement.
    async fn begin(&self) -> Result<Transaction, DatabaseError> {
        self.pool.begin(Some(PREPARING)).await
    }

    /// Begins a transaction for questions of ours about the structure.
    async fn asking(&self) -> Result<Transaction, DatabaseError> {
        let on = self.pool.begin(Some(ASKING)).await?;
        // compiling such questions takes the server longer than answering them
        match on.session().client().batch_execute("SET LOCAL jit = off").await {
            Ok(()) => Ok(on),
            Err(error) => Err(trouble::of_ours(&error, on.session().target())),
        }
    }
}

impl Wire for Postgres {
    fn engine(&self) -> String {
        let version = self.role.version.split(' ').next().unwrap_or_default();
        format!("postgresql {version} · read-only")
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn notices(&self) -> Vec<String> {
        self.role.notices(&self.pool.target)
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        Box::pin(self.pool.stopping.settled(within))
    }

    fn stamp(&self) -> BoxFuture<'_, Result<String, DatabaseError>> {
        Box::pin(async {
            let on = self.asking().await?;
            let stamp = stamp::read(on.session()).await;
            on.end().await;
            stamp
        })
    }

    fn catalog(&self) -> BoxFuture<'_, Result<Catalog, DatabaseError>> {
        Box::pin(async {
            // a renamed column must not keep its old name
            self.forget_origins();
            let on = self.asking().await?;
            let structure = structure::read(on.session()).await;
            on.end().await;
            structure.map(catalog::of)
        })
    }

    fn kept<'a>(
        &'a self,
        tables: &'a [&'a Table],
    ) -> BoxFuture<'a, Result<Vec<ColumnStats>, DatabaseError>> {
        Box::pin(async {
            let on = self.asking().await?;
            let kept = kept::kept(on.session(), tables).await;
            on.end().await;
            kept
        })
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(async {
            let on = self.begin().await?;
            let prepared = verdict::prepare(on.session(), sql).await;
            on.end().await;
            prepared
        })
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        Box::pin(async {
            let on = self.begin().await?;
            let plan = plan::plan(on.session(), sql).await;
            on.end().await;
            plan
        })
    }

    fn stream<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: &'a ResultStore,
    ) -> BoxFuture<'a, Result<Option<String>, Trouble>> {
        Box::pin(self.run(sql, limits, into))
    }
}
