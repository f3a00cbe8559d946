//! Databases: reading the catalog, proving a statement, running it within limits, stopping it.
//!
//! What belongs here: one file or folder for each driver behind the `Database` trait, and what all
//! of them share: limits, results that spill, statistics, caches, demo databases. What must never
//! come: a way to write, or an opinion on what a query means.
//! To add a driver: implement `Database`, add its scheme to `address.rs` and an arm to `open`.

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use address::{Address, Engine};
use server::{Server, Wire};

use crate::domain::{
    Catalog, ColumnRef, ColumnStats, Dialect, EnginePlan, Failure, Rows, Sample, Secret, Span,
    Stage, ValueList, secret,
};

#[cfg(feature = "adbc")]
mod adbc;
mod address;
mod cache;
pub mod demo;
mod inferred;
mod listing;
mod mysql;
mod postgres;
mod profile;
pub mod results;
mod server;
mod session;
mod sqlite;

pub use results::{Page, ResultStore};

/// An opened database. Every future may be dropped at any time: dropping it interrupts the engine.
pub trait Database: Send + Sync {
    /// Returns engine and version, for example `sqlite 3.54 · read-only`.
    fn engine(&self) -> String;

    /// Returns the dialect.
    fn dialect(&self) -> Dialect;

    /// Lists what a person should know of how the database was opened, as sentences.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Waits until every statement whose future was dropped has really stopped in the engine; false
    /// when one has not within the time given.
    fn settled(&self, within: std::time::Duration) -> BoxFuture<'_, bool>;

    /// Reads the catalog, from the cache when the schema has not changed; `refresh` skips the cache.
    fn catalog(&self, refresh: bool) -> BoxFuture<'_, Result<Arc<Catalog>, DatabaseError>>;

    /// Lets the engine prepare a statement without running it: the engine's own verdict.
    ///
    /// A refusal is a `Failure` at stage prepare (or policy for a write), with the engine's exact
    /// words and, where the engine tells, the place.
    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Asks the engine how it would run a statement, without running it.
    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>>;

    /// Runs a statement and streams all of its rows into `into`, within limits.
    ///
    /// Returns the part that a run keeps. A time-out is a `Failure` at stage limit, code `timeout`.
    fn run<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: Arc<ResultStore>,
    ) -> BoxFuture<'a, Result<Rows, Trouble>>;

    /// Runs a small query of ours: a probe, within 200 rows and the time given.
    fn probe<'a>(&'a self, sql: &'a str, limits: Limits) -> BoxFuture<'a, Result<Rows, Trouble>>;

    /// Measures the columns of tables from a bounded, fixed sample; the same file gives the same
    /// figures. Columns that ran out of time come back with `known: false`.
    fn statistics<'a>(
        &'a self,
        tables: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<ColumnStats>, DatabaseError>>;

    /// Reads the distinct values of all text-like columns, bounded in number, size and time.
    fn values(&self) -> BoxFuture<'_, Result<Arc<Vec<ValueList>>, DatabaseError>>;

    /// Reads the first rows of tables.
    fn samples<'a>(
        &'a self,
        tables: &'a [String],
        rows: usize,
    ) -> BoxFuture<'a, Result<Vec<Sample>, DatabaseError>>;

    /// Counts how often the database was seen changed; what was read under a former count may be
    /// of the past. Seen by `catalog(false)`, never by this.
    fn generation(&self) -> u64;

    /// Looks texts up in columns, within a bound of steps for each and the time given for all.
    fn look_up<'a>(
        &'a self,
        wanted: &'a [LookUp],
        within: std::time::Duration,
    ) -> BoxFuture<'a, Result<Vec<Looked>, DatabaseError>>;
}

/// A text that may be stored in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookUp {
    /// The column.
    pub at: ColumnRef,
    /// The text.
    pub what: Wanted,
}

/// What is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A text, in any letter case.
    Text(String),
    /// A day, as the column writes days: from its beginning to before the next.
    Day {
        /// `2014-05-01`.
        from: String,
        /// `2014-05-02`.
        before: String,
    },
}

/// What a look-up asked and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// The column.
    pub at: ColumnRef,
    /// The query that read the rows.
    pub sql: String,
    /// What it found.
    pub found: Look,
}

/// What a look-up found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// It is stored, so spelled.
    Stored(String),
    /// All rows were read, and it is not stored.
    Lacking,
    /// The bound came first.
    Unsettled,
}

/// How far a statement may go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time in all.
    pub timeout: std::time::Duration,
    /// Rows read at most.
    pub max_rows: Option<u64>,
}

/// What can come back instead of rows.
#[derive(Debug)]
pub enum Trouble {
    /// The query is wrong, or ran into a limit: data for repair.
    Query(Failure),
    /// The database itself is in trouble.
    Database(DatabaseError),
}

impl Trouble {
    /// Makes a failure of the query with one diagnostic.
    fn query(stage: Stage, code: &str, message: impl Into<String>, span: Option<Span>) -> Self {
        let mut failure = Failure::new(stage, code, message);
        for diagnostic in &mut failure.diagnostics {
            diagnostic.span = span;
        }
        Trouble::Query(failure)
    }

    /// Says it in words.
    fn words(&self) -> String {
        match self {
            Trouble::Query(failure) => failure.message(),
            Trouble::Database(error) => error.to_string(),
        }
    }
}

/// Why a database can't be opened or read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DatabaseError {
    /// The address names no database we can open.
    #[error("{what}")]
    Address {
        /// What is wrong, where.
        what: String,
        /// What to do.
        hint: String,
    },
    /// It can't be opened: missing, a directory, not a database, no permission.
    #[error("{what}")]
    Open {
        /// What is wrong, where.
        what: String,
        /// What to do.
        hint: String,
    },
    /// Another program holds it.
    #[error("{what}")]
    Locked {
        /// What is wrong, where.
        what: String,
        /// What to do.
        hint: String,
    },
    /// It was lost, or its pages are damaged.
    #[error("{what}")]
    Lost {
        /// What is wrong, where.
        what: String,
        /// What to do.
        hint: String,
    },
}

impl DatabaseError {
    /// Returns what to do, as a sentence.
    pub fn hint(&self) -> &str {
        match self {
            DatabaseError::Address { hint, .. }
            | DatabaseError::Open { hint, .. }
            | DatabaseError::Locked { hint, .. }
            | DatabaseError::Lost { hint, .. } => hint,
        }
    }

    /// Takes out what an engine repeats of an address and its secrets.
    fn without(mut self, address: &str, given: Option<&Secret>) -> Self {
        /// Shorter texts stand in other words as well, and are no secret to speak of.
        const SHORTEST: usize = 4;
        let (DatabaseError::Address { what, hint }
        | DatabaseError::Open { what, hint }
        | DatabaseError::Locked { what, hint }
        | DatabaseError::Lost { what, hint }) = &mut self;
        let typed = secret::typed(address);
        for text in [what, hint] {
            *text = text.replace(address, &secret::shown(address));
            let secrets = typed.iter().chain(given).map(Secret::reveal);
            for secret in secrets.filter(|secret| secret.len() >= SHORTEST) {
                *text = text.replace(secret, "…");
            }
        }
        self
    }
}

impl From<DatabaseError> for Trouble {
    fn from(error: DatabaseError) -> Self {
        Trouble::Database(error)
    }
}

/// Where caches and built demo databases go, and the password.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Cache folder; none turns caches off and builds demos in a temporary folder.
    pub cache: Option<std::path::PathBuf>,
    /// Password of a server; it comes before one in the address.
    pub password: Option<Secret>,
}

/// Opens a demo; a broken file in the cache is built anew, once.
async fn open_demo(
    demo: &'static demo::Demo,
    cache: Option<&Path>,
) -> Result<sqlite::Sqlite, DatabaseError> {
    let name = format!("demo:{}", demo.name);
    let built = demo::build(demo, cache).await?;
    let path = built.path.clone();
    match sqlite::open(&name, &built.path, cache, built.temporary).await {
        Err(DatabaseError::Open { .. } | DatabaseError::Lost { .. }) => {
            // what can't be removed shows as the same error again
            let _ = std::fs::remove_file(path);
            let built = demo::build(demo, cache).await?;
            sqlite::open(&name, &built.path, cache, built.temporary).await
        }
        opened => opened,
    }
}

/// Opens a database by its address: a path, `sqlite:PATH`, `demo:NAME`, or `demo` (the first).
pub fn open<'a>(
    address: &'a str,
    options: &'a OpenOptions,
) -> BoxFuture<'a, Result<Arc<dyn Database>, DatabaseError>> {
    let cache = options.cache.as_deref();
    Box::pin(async move {
        let opened = match address::parse(address)? {
            Address::File(path) => sqlite::open(address, &path, cache, None).await?,
            Address::Demo(demo) => open_demo(demo, cache).await?,
            Address::Engine(engine, address) => {
                let (named, wire) = connect(engine, &address, options.password.as_ref()).await?;
                let named = secret::shown(&named);
                return Ok(Arc::new(Server::new(&named, wire, cache)) as Arc<dyn Database>);
            }
        };
        Ok(Arc::new(opened) as Arc<dyn Database>)
    })
}

/// Opens a connection; returns it with its address. A server's address comes to its driver without
/// a password, which is given beside it.
async fn connect(
    engine: Engine,
    address: &str,
    given: Option<&Secret>,
) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    let (bare, typed) = secret::part(address);
    let password = given.or(typed.as_ref());
    let connected = match engine {
        Engine::Postgres => postgres::connect(&bare, password).await,
        Engine::Mysql => mysql::connect(&bare, password).await,
        #[cfg(feature = "adbc")]
        Engine::Duckdb => adbc::duckdb(address).await,
        #[cfg(feature = "adbc")]
        Engine::Adbc => adbc::connect(address, given).await,
        #[cfg(not(feature = "adbc"))]
        Engine::Duckdb | Engine::Adbc => Err(DatabaseError::Address {
            what: "this querent was built without ADBC, which DuckDB and warehouses need"
                .to_owned(),
            hint: "Build it with `cargo build --release --features adbc`.".to_owned(),
        }),
    };
    connected.map_err(|error| error.without(address, given))
}

/// Returns an address in the one spelling that is shown, and that runs, history and caches use:
/// `demo` names its first one; a path stays as typed; passwords are left out.
pub fn canonical(address: &str) -> String {
    match address::parse(address) {
        Ok(Address::Demo(demo)) => format!("demo:{}", demo.name),
        Ok(Address::File(_)) => address.to_owned(),
        Ok(Address::Engine(..)) | Err(_) => secret::shown(address),
    }
}

/// Returns the name of the engine that an address leads to; empty when it leads nowhere.
pub fn engine_of(address: &str) -> &'static str {
    match address::parse(address) {
        Ok(Address::Demo(_) | Address::File(_)) => "SQLite",
        Ok(Address::Engine(engine, _)) => engine.name(),
        Err(_) => "",
    }
}

/// Returns where an address leads, the same for every spelling: what memory keeps runs under.
pub fn place(address: &str) -> String {
    match file_of(address) {
        Some(path) => std::path::absolute(&path).unwrap_or(path).display().to_string(),
        None => canonical(address),
    }
}

/// Returns the file that an address names, if it names one.
pub fn file_of(address: &str) -> Option<std::path::PathBuf> {
    match address::parse(address) {
        Ok(Address::File(path)) => Some(path),
        Ok(Address::Demo(_) | Address::Engine(..)) | Err(_) => None,
    }
}

/// Returns the knowledge that comes with a demo database: its text, and what it is called.
pub fn demo_knowledge(address: &str) -> Option<(&'static str, String)> {
    match address::parse(address) {
        Ok(Address::Demo(demo)) => Some((demo.knowledge, format!("demo:{} (built in)", demo.name))),
        Ok(Address::File(_) | Address::Engine(..)) | Err(_) => None,
    }
}
