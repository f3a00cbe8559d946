//! What keeps a server from doing what memory asks: told apart by whether trying again helps.

use std::error::Error as Source;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

/// Why the work was not done, in words that hold no password.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The connection is gone, or never came. A new one may do.
    Lost(String),
    /// No answer came in time. A new try would cost as much time again.
    Silent(String),
    /// The server said no, and would say it again.
    Refused(String),
}

impl Trouble {
    /// Says why.
    pub(super) fn words(&self) -> &str {
        match self {
            Trouble::Lost(words) | Trouble::Silent(words) | Trouble::Refused(words) => words,
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        let lost = match error.as_db_error() {
            Some(said) => ends_connection(said.code()),
            None => error.is_closed() || error.source().is_some_and(<dyn Source>::is::<io::Error>),
        };
        let words = words(&error);
        if lost { Trouble::Lost(words) } else { Trouble::Refused(words) }
    }
}

/// Tells whether the server closes the connection with this: it stops, restarts, or had to.
fn ends_connection(code: &SqlState) -> bool {
    let stopping =
        [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
    stopping.contains(code) || code.code().starts_with("08")
}

fn words(error: &Error) -> String {
    let said = match error.as_db_error() {
        Some(said) => said.message().to_owned(),
        None => chain(error),
    };
    let advice = advice(error.as_db_error(), &said);
    let comma = if advice.is_empty() { "" } else { ": " };
    format!("{said}{comma}{advice}")
}

/// Tells an error with its causes, the outermost first.
fn chain(error: &Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words = format!("{words}: {inner}");
        cause = inner.source();
    }
    words
}

fn advice(error: Option<&DbError>, said: &str) -> &'static str {
    let code = error.map(DbError::code);
    let unknown = [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION];
    if code.is_some_and(|code| unknown.contains(code)) || said.contains("password missing") {
        return "give the password in PGPASSWORD, or in a .pgpass that only you may read";
    }
    if code == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
        return "ask whoever owns the database for the schema querent, and for the right to use it \
             and to read and write its tables";
    }
    if said.contains("TLS") {
        return "trust its certificate on this machine, or add ?sslmode=disable to the address on a \
             network that you trust";
    }
    ""
}
