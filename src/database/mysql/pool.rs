//! A few connections of our own. Each statement has one alone, begins read only, and gives it back
//! as clean as a new one; a statement that nobody waits for is killed in the server first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, DriverError, Error, Opts, OptsBuilder, Row, SslOpts, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::super::server::stopping::Stopping;
use super::super::{DatabaseError, Limits, Trouble};
use super::address::{Target, Tls};
use super::tokens::Quotes;
use super::trouble;

/// Statements whose rows are read at once: facts, a probe and a person's queries, not more.
const MOST: usize = 8;
/// Time for making a connection, and for beginning on it.
const CONNECTING: Duration = Duration::from_secs(10);
/// Waits between the tries to reach a server that was there before; it may be starting again.
const BACKOFF: [u64; 4] = [100, 300, 600, 1000];
/// Time for the server to let go of a killed statement before its connection is killed too.
const LETTING_GO: Duration = Duration::from_secs(2);
/// Time for that in all.
const GIVING_UP: Duration = Duration::from_secs(20);
/// Time for saying goodbye.
const GOODBYE: Duration = Duration::from_millis(200);

/// The connections to one server.
pub(super) struct Pool {
    pub(super) target: Target,
    pub(super) stopping: Stopping,
    mariadb: AtomicBool,
    /// The server offers no TLS, and none was asked for.
    plain: AtomicBool,
    idle: Mutex<Vec<Conn>>,
    slots: Arc<Semaphore>,
}

/// One connection, held for one statement. Dropped before `give_back`, its statement is killed.
pub(super) struct Lease {
    pool: Arc<Pool>,
    conn: Option<Conn>,
    slot: Option<OwnedSemaphorePermit>,
    /// How the server reads quotes in this session.
    pub(super) quotes: Quotes,
}

impl Pool {
    pub(super) fn new(target: Target) -> Arc<Self> {
        Arc::new(Pool {
            target,
            stopping: Stopping::default(),
            mariadb: AtomicBool::new(false),
            plain: AtomicBool::new(false),
            idle: Mutex::default(),
            slots: Arc::new(Semaphore::new(MOST)),
        })
    }

    /// Remembers which of the two engines answered: they call a time limit differently.
    pub(super) fn is_mariadb(&self, yes: bool) {
        self.mariadb.store(yes, Ordering::Relaxed);
    }

    /// Tells whether the connections are encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.target.tls != Tls::Disabled && !self.plain.load(Ordering::Relaxed)
    }

    /// Connects for the first time: one try, which says what is wrong.
    pub(super) async fn first(self: &Arc<Self>) -> Result<Lease, DatabaseError> {
        let conn = self.dial().await.map_err(|error| trouble::connecting(&error, &self.target))?;
        let mut lease = self.lease(None);
        lease.conn = Some(conn);
        Ok(lease)
    }

    /// Takes a connection for a statement whose rows are read; waits while too many are.
    pub(super) async fn begin(self: &Arc<Self>, limits: Limits) -> Result<Lease, DatabaseError> {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        let slot = slot.map_err(|_| trouble::closed(&self.target))?;
        self.started(self.lease(Some(slot)), limits).await
    }

    /// Takes a connection for a question that is answered at once: it never waits behind others.
    pub(super) async fn aside(self: &Arc<Self>, within: Duration) -> Result<Lease, DatabaseError> {
        self.started(self.lease(None), Limits { timeout: within, max_rows: None }).await
    }

    /// Begins a read-only transaction of its own within limits.
    async fn started(&self, mut lease: Lease, limits: Limits) -> Result<Lease, DatabaseError> {
        loop {
            let kept = self.idle().pop();
            let stale = kept.is_some();
            let conn = match kept {
                Some(conn) => conn,
                None => self.redial().await?,
            };
            let begun = within_time(lease.conn.insert(conn).query_first(self.words(limits))).await;
            match begun {
                Ok(mode) => {
                    let mode: String = mode.unwrap_or_default();
                    lease.quotes = Quotes::of_mode(&mode);
                    return Ok(lease);
                }
                // the server closed it while nobody looked: nothing has run on it yet
                Err(_) if stale => lease.throw_away().await,
                Err(error) => {
                    lease.throw_away().await;
                    return Err(trouble::lost(&error, &self.target));
                }
            }
        }
    }

    fn lease(self: &Arc<Self>, slot: Option<OwnedSemaphorePermit>) -> Lease {
        Lease { pool: Arc::clone(self), conn: None, slot, quotes: Quotes::default() }
    }

    /// Writes what each statement begins with; all of it is ours.
    fn words(&self, limits: Limits) -> String {
        let limit = match limits.max_rows {
            // one more tells that there are more
            Some(most) => most.saturating_add(1).to_string(),
            None => "DEFAULT".to_owned(),
        };
        let milliseconds = limits.timeout.as_millis().max(1);
        let time = if self.mariadb.load(Ordering::Relaxed) {
            format!("max_statement_time = {}.{:03}", milliseconds / 1000, milliseconds % 1000)
        } else {
            format!("max_execution_time = {milliseconds}")
        };
        format!(
            "SELECT @@SESSION.sql_mode; SET NAMES utf8mb4; SET SESSION TRANSACTION READ ONLY; \
             SET SESSION {time}, sql_select_limit = {limit}; START TRANSACTION READ ONLY"
        )
    }

    /// Connects to a server that was there before: several tries, in growing distance.
    async fn redial(&self) -> Result<Conn, DatabaseError> {
        for wait in BACKOFF {
            match self.dial().await {
                Ok(conn) => return Ok(conn),
                Err(error) if trouble::may_pass(&error) => {
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                }
                Err(error) => return Err(trouble::connecting(&error, &self.target)),
            }
        }
        self.dial().await.map_err(|error| trouble::connecting(&error, &self.target))
    }

    async fn dial(&self) -> Result<Conn, Error> {
        let open = |encrypted| within_time(Conn::new(self.options(encrypted)));
        match open(self.is_encrypted()).await {
            Err(Error::Driver(DriverError::NoClientSslFlagFromServer))
                if self.target.tls == Tls::Preferred =>
            {
                self.plain.store(true, Ordering::Relaxed);
                open(false).await
            }
            opened => opened,
        }
    }

    fn options(&self, encrypted: bool) -> Opts {
        let target = &self.target;
        let mut tls = SslOpts::default()
            .with_danger_accept_invalid_certs(matches!(target.tls, Tls::Preferred | Tls::Required))
            .with_danger_skip_domain_validation(target.tls != Tls::VerifyIdentity);
        if let Some(path) = &target.authority {
            tls = tls
                .with_disable_built_in_roots(true)
                .with_root_certs(vec![std::path::PathBuf::from(path).into()]);
        }
        OptsBuilder::default()
            .ip_or_hostname(target.host.trim_matches(['[', ']']))
            .tcp_port(target.port)
            .socket(target.socket.clone())
            .user(target.user.clone())
            .pass(target.password.clone())
            .db_name(target.database.clone())
            .ssl_opts(encrypted.then_some(tls))
            // stay with the address that was given
            .prefer_socket(false)
            .tcp_keepalive(Some(Duration::from_secs(30)))
            .stmt_cache_size(0)
            .into()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Conn>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills a statement, and waits until the server has let go of its connection.
    async fn kill(self: Arc<Self>, conn: Conn, slot: Option<OwnedSemaphorePermit>) {
        let id = conn.id();
        let Ok(mut other) = self.dial().await else { return };
        // an unknown number means that it has ended already
        let _ = other.query_drop(format!("KILL QUERY {id}")).await;
        // the rows not read yet are thrown away with the connection
        let _ = tokio::time::timeout(GOODBYE, conn.disconnect()).await;
        let begun = tokio::time::Instant::now();
        let mut pause = Duration::from_millis(2);
        let mut hard = false;
        while begun.elapsed() < GIVING_UP && is_there(&mut other, id).await {
            if begun.elapsed() > LETTING_GO && !hard {
                hard = true;
                let _ = other.query_drop(format!("KILL CONNECTION {id}")).await;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        }
        let _ = tokio::time::timeout(GOODBYE, other.disconnect()).await;
        drop(slot);
    }
}

/// Waits for a server that should answer at once.
async fn within_time<T>(answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(CONNECTING, answer).await.unwrap_or_else(|_| {
        let kind = std::io::ErrorKind::TimedOut;
        Err(Error::from(std::io::Error::new(kind, "it doesn't answer")))
    })
}

async fn is_there(conn: &mut Conn, id: u32) -> bool {
    let sql = format!("SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = {id}");
    matches!(conn.query_first::<u8, _>(sql).await, Ok(Some(_)))
}

/// One row of a small query of ours; a server writes all of it as text.
pub(super) struct Answer(Vec<Option<Value>>);

impl Answer {
    /// Returns a cell; none for NULL.
    pub(super) fn cell(&self, column: usize) -> Option<&str> {
        match self.0.get(column)? {
            Some(Value::Bytes(bytes)) => std::str::from_utf8(bytes).ok(),
            Some(_) | None => None,
        }
    }

    /// Returns a cell; the empty text for NULL.
    pub(super) fn text(&self, column: usize) -> &str {
        self.cell(column).unwrap_or_default()
    }
}

impl Lease {
    /// Returns the connection.
    pub(super) fn conn(&mut self) -> Result<&mut Conn, DatabaseError> {
        let target = &self.pool.target;
        self.conn.as_mut().ok_or_else(|| trouble::closed(target))
    }

    /// Reads the rows of a small query of ours.
    pub(super) async fn ask(&mut self, sql: &str) -> Result<Vec<Answer>, Error> {
        match &mut self.conn {
            Some(conn) => conn.query_map(sql, |row: Row| Answer(row.unwrap_raw())).await,
            None => Err(DriverError::ConnectionClosed.into()),
        }
    }

    /// Ends the transaction and gives the connection back, with nothing left of its session:
    /// variables, locks and settings go with the reset.
    pub(super) async fn give_back(mut self) {
        let Some(conn) = self.conn.as_mut() else { return };
        // dropped while it waits for this, it is killed as any other
        match conn.reset().await {
            Ok(true) => {
                let kept = self.conn.take();
                self.pool.idle().extend(kept);
            }
            Ok(false) | Err(_) => self.throw_away().await,
        }
    }

    /// Gives the connection back, unless it was the connection that failed.
    pub(super) async fn after<T>(mut self, ended: &Result<T, Trouble>) {
        match ended {
            Ok(_) | Err(Trouble::Query(_)) => self.give_back().await,
            Err(Trouble::Database(_)) => self.throw_away().await,
        }
    }

    /// Closes the connection: it is broken, or was never begun on.
    pub(super) async fn throw_away(&mut self) {
        if let Some(conn) = self.conn.take() {
            let _ = tokio::time::timeout(GOODBYE, conn.disconnect()).await;
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(conn) = self.conn.take() else { return };
        let slot = self.slot.take();
        let pool = Arc::clone(&self.pool);
        // the guard is dropped at once, which sets the killing off
        drop(self.pool.stopping.guard(move || Box::pin(pool.kill(conn, slot))));
    }
}
