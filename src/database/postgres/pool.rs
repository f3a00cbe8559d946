//! A few connections of our own. Each statement has one alone, in a read-only transaction that is
//! rolled back; a statement that nobody waits for is cancelled in the server first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::config::SslMode;
use tokio_postgres::{CancelToken, Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::DatabaseError;
use super::super::server::stopping::{Guard, Stopping};
use super::address::Tls;
use super::sources::Target;
use super::{tls, trouble};

/// Statements at once: facts, a probe and a person's query run beside each other, not more.
const MOST: usize = 4;
/// Waits between the tries to reach a server that was there before; it may be starting again.
const BACKOFF: [u64; 5] = [100, 300, 600, 1000, 2000];
/// Silence after which the way to the server is tried, and given up when nothing comes back.
const QUIET: Duration = Duration::from_secs(20);
/// Time for the server to let go of a cancelled statement before it is asked again.
const LETTING_GO: Duration = Duration::from_millis(500);
/// How often it is asked.
const ASKING: u32 = 20;

/// What every session begins with. What it says of texts is said again in each transaction.
const SESSION: &str = "SET default_transaction_read_only = on; SET standard_conforming_strings = on; \
     SET bytea_output = 'hex'; SET extra_float_digits = 1; SET datestyle = 'ISO, YMD'; \
     SET xmlbinary = 'base64'; SET idle_in_transaction_session_timeout = '5min'";
/// Lets the server notice that we are gone; not every server can.
const NOTICING: &str = "SET client_connection_check_interval = '2s'";

/// The connections to one server.
pub(super) struct Pool {
    pub(super) target: Target,
    pub(super) stopping: Stopping,
    tls: Option<MakeRustlsConnect>,
    reached: AtomicBool,
    /// Held for taking one out or putting one in.
    idle: Mutex<Vec<Arc<Connection>>>,
    slots: Arc<Semaphore>,
}

/// A connection. The task that drives it ends when its client is gone.
struct Connection {
    client: Client,
    cancel: CancelToken,
}

impl Pool {
    pub(super) fn new(target: Target) -> Result<Arc<Self>, DatabaseError> {
        Ok(Arc::new(Pool {
            tls: tls::connector(&target)?,
            target,
            stopping: Stopping::default(),
            reached: AtomicBool::new(false),
            idle: Mutex::default(),
            slots: Arc::new(Semaphore::new(MOST)),
        }))
    }

    /// Begins a read-only transaction on a connection of its own.
    pub(super) async fn begin(
        self: &Arc<Self>,
        timeout: Option<Duration>,
    ) -> Result<Transaction, DatabaseError> {
        let closed = |_| trouble::closed(&self.target);
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(closed)?;
        loop {
            let kept = self.idle().pop();
            let is_kept = kept.is_some();
            let connection = match kept {
                Some(connection) => connection,
                None => Arc::new(self.connect_patiently().await?),
            };
            match begin_on(&connection.client, timeout).await {
                Ok(()) => return Ok(Transaction::new(self, connection, slot)),
                // the server closed it while nobody used it; the next one may be good
                Err(_) if is_kept => {}
                Err(error) => return Err(trouble::lost(&trouble::words(&error), &self.target)),
            }
        }
    }

    /// Connects; to a server that was there before, it tries again for some seconds.
    async fn connect_patiently(&self) -> Result<Connection, DatabaseError> {
        let mut waits = BACKOFF.iter();
        loop {
            let error = match self.connect().await {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            let again = trouble::may_pass(&error) && self.reached.load(Ordering::Relaxed);
            match waits.next().filter(|_| again) {
                Some(wait) => tokio::time::sleep(Duration::from_millis(*wait)).await,
                None if again => return Err(trouble::lost(&error.words(), &self.target)),
                None => return Err(trouble::opening(&error, &self.target)),
            }
        }
    }

    async fn connect(&self) -> Result<Connection, trouble::Connecting> {
        let connected = tokio::time::timeout(self.target.connecting, self.connect_now()).await;
        let connection = connected.map_err(|_| trouble::Connecting::TooLong)??;
        self.reached.store(true, Ordering::Relaxed);
        Ok(connection)
    }

    async fn connect_now(&self) -> Result<Connection, tokio_postgres::Error> {
        let config = config(&self.target);
        let client = if let Some(tls) = self.tls.clone() {
            let (client, connection) = config.connect(tls).await?;
            tokio::spawn(connection.map(drop));
            client
        } else {
            let (client, connection) = config.connect(NoTls).await?;
            tokio::spawn(connection.map(drop));
            client
        };
        client.batch_execute(SESSION).await?;
        // a server that can't notice says so, and nothing is lost
        let _ = client.batch_execute(NOTICING).await;
        Ok(Connection { cancel: client.cancel_token(), client })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn config(target: &Target) -> Config {
    let mut config = Config::new();
    config
        .host(&target.host)
        .port(target.port)
        .user(&target.user)
        .dbname(&target.database)
        .application_name(&target.application)
        .connect_timeout(target.connecting)
        .keepalives_idle(QUIET)
        .tcp_user_timeout(QUIET)
        .ssl_mode(match target.tls {
            Tls::Disable => SslMode::Disable,
            Tls::Prefer => SslMode::Prefer,
            Tls::Require | Tls::VerifyAuthority | Tls::VerifyFull => SslMode::Require,
        });
    if let Some(password) = &target.password {
        config.password(password);
    }
    let path = target.search_path.as_ref();
    let path = path.map(|path| format!("-c search_path={}", path.replace([' ', '\\'], "")));
    let options: Vec<String> = target.options.clone().into_iter().chain(path).collect();
    if !options.is_empty() {
        config.options(options.join(" "));
    }
    config
}

async fn begin_on(client: &Client, timeout: Option<Duration>) -> Result<(), tokio_postgres::Error> {
    let limit = timeout.map_or(0, |timeout| timeout.as_millis().max(1));
    let begin = format!(
        "BEGIN READ ONLY; SET LOCAL standard_conforming_strings = on; \
         SET LOCAL statement_timeout = {limit}"
    );
    client.batch_execute(&begin).await
}

/// One connection in a read-only transaction. Dropped before `end`, its statement is cancelled in
/// the server, and the connection is not used again: a cancellation may still be on its way.
pub(super) struct Transaction {
    session: Arc<Session>,
    guard: Guard,
}

/// A connection, and its place among those there may be.
pub(super) struct Session {
    pool: Arc<Pool>,
    connection: Arc<Connection>,
    _slot: OwnedSemaphorePermit,
}

impl Transaction {
    fn new(pool: &Arc<Pool>, connection: Arc<Connection>, slot: OwnedSemaphorePermit) -> Self {
        let session = Arc::new(Session { pool: Arc::clone(pool), connection, _slot: slot });
        let cancelled = Arc::clone(&session);
        let guard = pool.stopping.guard(move || Box::pin(async move { cancelled.cancel().await }));
        Transaction { session, guard }
    }

    /// Returns what speaks to the server.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Rolls back, and gives the connection to the next statement.
    pub(super) async fn end(self) {
        let ended = self.session.client().batch_execute("ROLLBACK").await;
        if ended.is_ok() {
            self.session.pool.idle().push(Arc::clone(&self.session.connection));
        }
        self.guard.done();
    }
}

impl Session {
    /// Returns what speaks to the server.
    pub(super) fn client(&self) -> &Client {
        &self.connection.client
    }

    /// Returns where the server is.
    pub(super) fn target(&self) -> &Target {
        &self.pool.target
    }

    /// Cancels what runs, until the server has let go of it.
    async fn cancel(&self) {
        for _ in 0..ASKING {
            let asking = async {
                // a server that can't be reached has let go already
                let _ = match self.pool.tls.clone() {
                    Some(tls) => self.connection.cancel.cancel_query(tls).await,
                    None => self.connection.cancel.cancel_query(NoTls).await,
                };
                // waits in line behind what is cancelled, and fails at once when all is lost
                let _ = self.connection.client.batch_execute("ROLLBACK").await;
            };
            if tokio::time::timeout(LETTING_GO, asking).await.is_ok() {
                return;
            }
        }
    }
}
