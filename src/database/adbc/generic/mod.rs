//! Any engine with an ADBC driver: what the driver interface itself offers, and no more.
//!
//! What belongs here: options, metadata and errors as the interface tells them. What must never
//! come: a text from outside that our own parse has not proved to only read.
//!
//! Writes are kept out by that parse, which comes before each statement here too; by the driver's
//! read-only option or the engine's own statement for it, where there is one; and by a transaction
//! that is rolled back, where the driver has them. What is missing is told as a notice.

use std::sync::Arc;
use std::time::Duration;

use adbc_core::error::Error;
use adbc_core::options::{OptionConnection, OptionDatabase, OptionValue};
use adbc_core::{Connection as _, Database as _, Driver as _, Optionable as _};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase};
use futures_util::future::BoxFuture;

use super::super::results::ResultStore;
use super::super::server::Wire;
use super::super::sqlite::version;
use super::super::{DatabaseError, Limits, Trouble};
use super::line::{Ended, Line, Seat, broken, late};
use super::reading::{self, command};
use super::{library, places};
use crate::domain::{Catalog, Dialect, EnginePlan, Secret, Stage};
use crate::sql::ReadQuery;

mod address;
mod listed;
mod objects;
mod plan;
mod trouble;
mod vendor;

use address::Address;
use objects::Place;
use vendor::{Told, Vendor};

/// Connections that wait for the next statements: opening one may take seconds.
const KEPT: usize = 2;
/// Time for connecting.
const CONNECTING: Duration = Duration::from_mins(1);
/// Time for questions about the structure, which warehouses answer slowly.
const ASKING: Duration = Duration::from_mins(2);
/// Statements that show what there is and can't do anything else.
const SHOWING: &[&str] = &["show", "describe", "desc"];

/// An engine behind a driver.
struct Generic {
    address: Address,
    told: Told,
    vendor: Vendor,
    walls: Walls,
    place: Place,
    /// Tells one opening from another: a driver has no cheap question for what changed.
    opened: String,
    line: Line,
}

/// What keeps a connection from writing, besides our own parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Walls {
    /// The driver took its read-only option.
    option: bool,
    /// The engine took its own statements for it.
    session: bool,
    /// Statements run in a transaction that is rolled back.
    rolled_back: bool,
}

/// Loads a driver and connects; returns the connection with its address, which holds no password.
/// The password comes before one among the address's options, which may hold other secrets as well.
pub(in super::super) async fn connect(
    address: &str,
    password: Option<&Secret>,
) -> Result<(String, Box<dyn Wire>), DatabaseError> {
    let mut address = address::parse(address, |name| std::env::var(name).ok())?;
    if let Some(password) = password {
        address.database.retain(|(name, _)| name != "password");
        address.database.push(("password".to_owned(), password.reveal().to_owned()));
    }
    let opening = address.clone();
    let opened = tokio::task::spawn_blocking(move || database(&opening)).await;
    let database = opened.unwrap_or_else(|_| Err(broken(&address.shown)))?;
    let options = address.connection.clone();
    let open = move |database: &ManagedDatabase| {
        let option = |(name, value): &(String, String)| {
            (OptionConnection::from(name.as_str()), OptionValue::String(value.clone()))
        };
        database.new_connection_with_opts(options.iter().map(option))
    };
    let line = Line::new(database, KEPT, Arc::new(open));
    let driver = address.driver.clone();
    let met = line.work(CONNECTING, move |seat| Ok(meet(seat, &driver))).await;
    let (told, vendor, walls, place) = met.map_err(|ended| unmet(ended, &address))?;
    if vendor.dialect == Dialect::Duckdb {
        return Err(DatabaseError::Address {
            what: "DuckDB is not opened as any engine with a driver".to_owned(),
            hint: "Give duckdb:PATH, which keeps it from writing.".to_owned(),
        });
    }
    let opened = uuid::Uuid::now_v7().to_string();
    let shown = address.shown.clone();
    Ok((shown, Box::new(Generic { address, told, vendor, walls, place, opened, line })))
}

fn database(address: &Address) -> Result<ManagedDatabase, DatabaseError> {
    let mut driver = library::driver(&address.driver, address.entry.as_deref())?;
    let options = address.database.iter().map(|(name, value)| {
        (OptionDatabase::from(name.as_str()), OptionValue::String(value.clone()))
    });
    driver.new_database_with_opts(options).map_err(|error| unopened(&error, address))
}

fn unopened(error: &Error, address: &Address) -> DatabaseError {
    trouble::opening(&address.cleaned(error.message.trim()), error.status, &address.shown)
}

/// Says why the first connection came to nothing.
fn unmet(ended: Ended, address: &Address) -> DatabaseError {
    match ended {
        Ended::Unopened(error) => unopened(&error, address),
        Ended::Trouble(trouble) => DatabaseError::Lost {
            what: format!("{} can't be read: {}", address.shown, address.cleaned(&trouble.words())),
            hint: "Check that the server can be reached.".to_owned(),
        },
        Ended::Late => DatabaseError::Open {
            what: format!("{} did not answer within {} s", address.shown, CONNECTING.as_secs()),
            hint: "Check the options of the address, and that the server can be reached."
                .to_owned(),
        },
        Ended::Broken => broken(&address.shown),
    }
}

/// Learns who is there, and which walls stand.
fn meet(seat: &mut Seat, driver: &str) -> (Told, Vendor, Walls, Place) {
    let told = vendor::told(seat, driver);
    let vendor = Vendor::called(&told.name);
    let option = set(&mut seat.connection, OptionConnection::ReadOnly, "true");
    let session = !vendor.read_only.is_empty()
        && vendor.read_only.iter().all(|sql| command(seat, sql).is_ok());
    let rolled_back = set(&mut seat.connection, OptionConnection::AutoCommit, "false")
        && set(&mut seat.connection, OptionConnection::AutoCommit, "true");
    let catalog = seat.connection.get_option_string(OptionConnection::CurrentCatalog).ok();
    let schema = seat.connection.get_option_string(OptionConnection::CurrentSchema).ok();
    let schema = schema.filter(|schema| !schema.is_empty());
    let place = Place {
        catalog: catalog.filter(|catalog| !catalog.is_empty()),
        schema: schema.unwrap_or_else(|| vendor.schema.to_owned()),
    };
    (told, vendor, Walls { option, session, rolled_back }, place)
}

fn set(connection: &mut ManagedConnection, option: OptionConnection, value: &str) -> bool {
    connection.set_option(option, OptionValue::String(value.to_owned())).is_ok()
}

/// Proves by our own parse that a statement only reads.
fn proved(sql: &str, dialect: Dialect) -> Result<(), Trouble> {
    let first = places::first_word(sql).map_or("", |span| span.of(sql));
    let shows = SHOWING.iter().any(|word| first.eq_ignore_ascii_case(word));
    // engines disagree on where a comment ends
    let plain = !sql.contains([';', '(']) && !sql.contains("/*");
    if shows && dialect == Dialect::Generic && plain {
        return Ok(());
    }
    ReadQuery::parse(sql, dialect).map(drop).map_err(|mut failure| {
        // the parse stands for the engine's own verdict here
        if failure.stage == Stage::Parse {
            failure.stage = Stage::Prepare;
        }
        Trouble::Query(failure)
    })
}

impl Generic {
    fn ended(&self, ended: Ended, after: Duration) -> Trouble {
        match ended {
            Ended::Trouble(Trouble::Query(mut failure)) => {
                for found in &mut failure.diagnostics {
                    found.message = self.address.cleaned(&found.message);
                }
                Trouble::Query(failure)
            }
            Ended::Trouble(Trouble::Database(error)) => Trouble::Database(error),
            Ended::Late => late(after),
            Ended::Unopened(error) => unopened(&error, &self.address).into(),
            Ended::Broken => broken(&self.told.name).into(),
        }
    }

    /// Makes what comes before a statement: the parse, then the walls.
    fn guard(&self) -> impl Fn(&mut Seat, &str) -> Result<(), Trouble> + Send + use<> {
        let (vendor, walls) = (self.vendor, self.walls);
        move |seat, sql| {
            proved(sql, vendor.dialect)?;
            raise(seat, vendor, walls)
        }
    }

    /// Works behind the walls.
    async fn work<T: Send + 'static>(
        &self,
        sql: &str,
        work: impl FnOnce(&mut Seat, &str, Vendor) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (guard, vendor, text) = (self.guard(), self.vendor, sql.to_owned());
        let job = move |seat: &mut Seat| {
            let worked = guard(seat, &text).and_then(|()| work(seat, &text, vendor));
            lower(seat);
            worked
        };
        self.line.work(ASKING, job).await.map_err(|ended| self.ended(ended, ASKING))
    }
}

/// Makes a connection read only, whatever was done on it before.
fn raise(seat: &mut Seat, vendor: Vendor, walls: Walls) -> Result<(), Trouble> {
    let refused = |what: &str| {
        Trouble::Database(DatabaseError::Lost {
            what: format!("the connection does not take {what} any more"),
            hint: "Open the database again.".to_owned(),
        })
    };
    if walls.option && !set(&mut seat.connection, OptionConnection::ReadOnly, "true") {
        return Err(refused("its read-only option"));
    }
    if walls.session {
        for sql in vendor.read_only {
            command(seat, sql).map_err(|_| refused(sql))?;
        }
    }
    if walls.rolled_back && !set(&mut seat.connection, OptionConnection::AutoCommit, "false") {
        return Err(refused("a transaction"));
    }
    Ok(())
}

/// Ends the transaction; a connection that can't is not used again.
fn lower(seat: &mut Seat) {
    let open = seat.connection.get_option_string(OptionConnection::AutoCommit);
    if open.as_ref().is_ok_and(|value| value == "true") {
        return;
    }
    let ended = seat.connection.rollback().is_ok()
        && set(&mut seat.connection, OptionConnection::AutoCommit, "true");
    // a driver that tells nothing of transactions has none
    seat.broken |= !ended && open.is_ok();
}

impl Wire for Generic {
    fn engine(&self) -> String {
        let Told { name, version } = &self.told;
        let version = version.split_whitespace().next().unwrap_or("");
        format!("{} {version}", name.to_lowercase()).trim_end().to_owned() + " · adbc · read-only"
    }

    fn dialect(&self) -> Dialect {
        self.vendor.dialect
    }

    fn notices(&self) -> Vec<String> {
        if self.walls.option || self.walls.session {
            return Vec::new();
        }
        let also = if self.walls.rolled_back { " and rolls every statement back" } else { "" };
        vec![format!(
            "The driver of {} has no read-only mode: Querent runs only what it has parsed as \
             reading{also}. Give it an account that may only read.",
            self.told.name
        )]
    }

    fn settled(&self, within: Duration) -> BoxFuture<'_, bool> {
        Box::pin(self.line.settled(within))
    }

    fn stamp(&self) -> BoxFuture<'_, Result<String, DatabaseError>> {
        Box::pin(std::future::ready(Ok(self.opened.clone())))
    }

    fn catalog(&self) -> BoxFuture<'_, Result<Catalog, DatabaseError>> {
        let (place, dialect) = (self.place.clone(), self.vendor.dialect);
        let vendor = self.told.name.clone();
        Box::pin(async move {
            let work = move |seat: &mut Seat| {
                catalog(seat, &place, dialect, &vendor)
                    .map_err(|error| trouble::say(&error, Stage::Connection, ""))
            };
            let read = self.line.work(ASKING, work).await;
            read.map_err(|ended| match self.ended(ended, ASKING) {
                Trouble::Database(error) => error,
                Trouble::Query(failure) => DatabaseError::Lost {
                    what: format!("the tables can't be read: {}", failure.message()),
                    hint: "Check that the account may read them.".to_owned(),
                },
            })
        })
    }

    fn prepare<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<(), Trouble>> {
        Box::pin(self.work(sql, plan::prepare))
    }

    fn plan<'a>(&'a self, sql: &'a str) -> BoxFuture<'a, Result<EnginePlan, Trouble>> {
        Box::pin(self.work(sql, plan::plan))
    }

    fn stream<'a>(
        &'a self,
        sql: &'a str,
        limits: Limits,
        into: &'a ResultStore,
    ) -> BoxFuture<'a, Result<Option<String>, Trouble>> {
        Box::pin(async move {
            let guard = self.guard();
            let run = reading::stream(&self.line, trouble::say, sql, limits, into, guard, lower);
            run.await.map_err(|ended| self.ended(ended, limits.timeout))
        })
    }
}

/// Reads the catalog as the driver tells it; where it doesn't, as the engine lists it.
fn catalog(
    seat: &mut Seat,
    place: &Place,
    dialect: Dialect,
    vendor: &str,
) -> Result<Catalog, Error> {
    let told = objects::read(seat, place).ok().filter(|catalog| !catalog.tables.is_empty());
    let mut catalog = match told {
        Some(mut catalog) => {
            listed::add_types(seat, &mut catalog, dialect);
            catalog
        }
        None => listed::read(seat, dialect, &place.schema)?,
    };
    catalog.dialect = dialect;
    vendor.clone_into(&mut catalog.vendor);
    catalog.version = version::of(&catalog);
    Ok(catalog)
}
