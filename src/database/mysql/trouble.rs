//! What is wrong with a connection, as sentences that say what to do.

use mysql_async::{DriverError, Error, IoError};

use super::super::DatabaseError;
use super::address::Target;

/// Says why a server can't be connected to.
pub(super) fn connecting(error: &Error, target: &Target) -> DatabaseError {
    let place = target.place();
    let user = target.user.as_deref().unwrap_or("nobody");
    let database = target.database.as_deref().unwrap_or("");
    let open = |what: String, hint: &str| DatabaseError::Open { what, hint: hint.to_owned() };
    match error {
        Error::Server(server) => match server.code {
            1045 | 1698 => open(
                format!("the server at {place} refuses user '{user}': {}", server.message.trim()),
                "Check the user and the password; it is read from the address, MYSQL_PWD, or \
                 ~/.my.cnf (which must be readable by you alone).",
            ),
            1049 => open(
                format!("the server at {place} has no database '{database}'"),
                "Check the name behind the last / of the address; leave it out to see all.",
            ),
            1044 => open(
                format!("user '{user}' may not use the database '{database}' at {place}"),
                "Name another database, or ask for the right to SELECT from it.",
            ),
            1040 | 1203 | 1226 => DatabaseError::Locked {
                what: format!("the server at {place} takes no more connections"),
                hint: "Wait until other programs have closed theirs, and ask again.".to_owned(),
            },
            _ => open(
                format!("the server at {place} refuses the connection: {}", server.message.trim()),
                "Check the address, and what the server allows.",
            ),
        },
        Error::Driver(DriverError::NoClientSslFlagFromServer) => open(
            format!("the server at {place} offers no TLS, which ssl-mode asks for"),
            "Leave ssl-mode out only where the way to the server is safe.",
        ),
        Error::Io(IoError::Tls(tls)) => open(
            format!("no TLS connection to {place} can be made: {tls}"),
            "Give the authority of the server's certificate as ssl-ca=FILE, or ask for less with \
             ssl-mode=REQUIRED.",
        ),
        Error::Io(IoError::Io(io)) if is_certificate(io) => open(
            format!("no TLS connection to {place} can be made: {io}"),
            "Give the authority of the server's certificate as ssl-ca=FILE, or ask for less with \
             ssl-mode=REQUIRED.",
        ),
        Error::Io(_) | Error::Driver(_) | Error::Other(_) | Error::Url(_) => open(
            format!("the server at {place} can't be reached: {}", words(error)),
            "Check host and port, and that the server runs and lets this machine in.",
        ),
    }
}

fn is_certificate(io: &std::io::Error) -> bool {
    io.kind() == std::io::ErrorKind::InvalidData && io.to_string().contains("certificate")
}

/// Tells whether waiting a little may mend it.
pub(super) fn may_pass(error: &Error) -> bool {
    match error {
        // too many connections; the server is going down
        Error::Server(server) => matches!(server.code, 1040 | 1053 | 1203),
        Error::Io(IoError::Io(io)) => {
            io.kind() != std::io::ErrorKind::TimedOut && !is_certificate(io)
        }
        Error::Driver(driver) => matches!(driver, DriverError::ConnectionClosed),
        Error::Io(_) | Error::Other(_) | Error::Url(_) => false,
    }
}

/// Tells whether the connection, and no query, is to blame: killed, gone, lost, shutting down.
pub(super) fn is_about_connection(error: &Error) -> bool {
    match error {
        Error::Server(server) => {
            matches!(
                server.code,
                1053 | 1077 | 1079 | 1152..=1161 | 1184 | 1927 | 2006 | 2013 | 4031
            )
        }
        Error::Driver(DriverError::LocalInfile(_)) => false,
        Error::Io(_) | Error::Driver(_) | Error::Other(_) | Error::Url(_) => true,
    }
}

/// Says that the connection was lost.
pub(super) fn lost(error: &Error, target: &Target) -> DatabaseError {
    DatabaseError::Lost {
        what: format!("the connection to {} was lost: {}", target.place(), words(error)),
        hint: "Ask again: the connection is made anew. If it is lost again, look at the server."
            .to_owned(),
    }
}

/// Says why the structure can't be read.
pub(super) fn reading(error: &Error, target: &Target) -> DatabaseError {
    match error {
        Error::Server(server) if !is_about_connection(error) => DatabaseError::Open {
            what: format!(
                "the structure at {} can't be read: {}",
                target.place(),
                server.message.trim()
            ),
            hint: "Check that the user has the right to SELECT from the database, and ask again."
                .to_owned(),
        },
        Error::Server(_) | Error::Io(_) | Error::Driver(_) | Error::Other(_) | Error::Url(_) => {
            lost(error, target)
        }
    }
}

/// Says that the connection is closed.
pub(super) fn closed(target: &Target) -> DatabaseError {
    lost(&Error::Driver(DriverError::ConnectionClosed), target)
}

/// Returns an error's words.
pub(super) fn words(error: &Error) -> String {
    match error {
        Error::Server(server) => server.message.trim().to_owned(),
        Error::Io(IoError::Io(io)) => io.to_string(),
        Error::Driver(DriverError::ConnectionClosed) => "the server closed it".to_owned(),
        Error::Driver(driver) => driver.to_string(),
        Error::Io(_) | Error::Other(_) | Error::Url(_) => error.to_string(),
    }
}
