//! Addresses of servers: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?sslmode=…]`.

use std::path::PathBuf;
use std::time::Duration;

use super::super::DatabaseError;

const HOW: &str = "Write postgres://USER@HOST:PORT/DATABASE; the password can come from PGPASSWORD \
     or ~/.pgpass, ?service=NAME reads pg_service.conf, and ?sslmode=verify-full asks for TLS.";

/// How the connection is kept from eavesdroppers; the names are those of the server's own clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Tls {
    /// Never.
    Disable,
    /// Where the server offers it, whoever answers.
    #[default]
    Prefer,
    /// Always, whoever answers.
    Require,
    /// Always, and the certificate must be good.
    VerifyAuthority,
    /// Always, and the certificate must be good and name the host.
    VerifyFull,
}

/// What an address, a service or the environment says; what it leaves out is none.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    pub(super) host: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) user: Option<String>,
    pub(super) database: Option<String>,
    pub(super) password: Option<String>,
    pub(super) passwords: Option<PathBuf>,
    pub(super) service: Option<String>,
    pub(super) tls: Option<Tls>,
    /// Certificates of the authorities to believe.
    pub(super) authority: Option<PathBuf>,
    pub(super) application: Option<String>,
    pub(super) connecting: Option<Duration>,
    /// Settings for the session, as the server's command line takes them.
    pub(super) options: Option<String>,
    pub(super) search_path: Option<String>,
}

impl Said {
    /// Reads an address.
    pub(super) fn read(address: &str) -> Result<Self, DatabaseError> {
        let (_, rest) = address.split_once("://").ok_or_else(|| wrong("the address lacks ://"))?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        // a password may hold an @ or a / that nobody wrote as %40 or %2F
        let (login, rest) = rest.rsplit_once('@').unwrap_or(("", rest));
        let (place, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, password) = match login.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (login, None),
        };
        let (host, port) = host_and_port(place)?;
        let given = |text: &str| (!text.is_empty()).then(|| decoded(text));
        let mut said = Said {
            host: given(host),
            port,
            user: given(user),
            database: given(database),
            password: password.map(decoded),
            ..Said::default()
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            said.option(&decoded(name), decoded(value))?;
        }
        Ok(said)
    }

    /// Takes one named option, as the server's own clients name them.
    pub(super) fn option(&mut self, name: &str, value: String) -> Result<(), DatabaseError> {
        match name {
            "host" | "hostaddr" => self.host = Some(value),
            "port" => self.port = Some(port_of(&value)?),
            "user" => self.user = Some(value),
            "dbname" => self.database = Some(value),
            "password" => self.password = Some(value),
            "passfile" => self.passwords = Some(PathBuf::from(value)),
            "service" => self.service = Some(value),
            "sslmode" => self.tls = Some(tls(&value)?),
            "sslrootcert" => self.authority = Some(PathBuf::from(value)),
            "application_name" => self.application = Some(value),
            "connect_timeout" => self.connecting = Some(Duration::from_secs(seconds(&value)?)),
            "options" => self.options = Some(value),
            "search_path" => self.search_path = Some(value),
            // what a read-only client that speaks UTF-8 can only agree with, or do without
            "client_encoding"
            | "target_session_attrs"
            | "gssencmode"
            | "keepalives"
            | "keepalives_idle"
            | "keepalives_interval"
            | "keepalives_count"
            | "fallback_application_name"
            | "channel_binding"
            | "sslcompression" => {}
            "sslcert" | "sslkey" | "sslcrl" => {
                return Err(wrong("certificates of the client (sslcert) are not supported"));
            }
            other => return Err(wrong(&format!("the address has no option '{other}'"))),
        }
        Ok(())
    }

    /// Fills in what was left out.
    pub(super) fn or(self, other: Said) -> Said {
        // a host that was named is not reached at another one's port, nor with its password
        let other_port = if self.host.is_some() { None } else { other.port };
        Said {
            port: self.port.or(other_port),
            host: self.host.or(other.host),
            user: self.user.or(other.user),
            database: self.database.or(other.database),
            password: self.password.or(other.password),
            passwords: self.passwords.or(other.passwords),
            service: self.service.or(other.service),
            tls: self.tls.or(other.tls),
            authority: self.authority.or(other.authority),
            application: self.application.or(other.application),
            connecting: self.connecting.or(other.connecting),
            options: self.options.or(other.options),
            search_path: self.search_path.or(other.search_path),
        }
    }
}

fn host_and_port(place: &str) -> Result<(&str, Option<u16>), DatabaseError> {
    if let Some(six) = place.strip_prefix('[') {
        let (host, rest) = six.split_once(']').ok_or_else(|| wrong("'[' lacks its ']'"))?;
        let port = rest.strip_prefix(':').filter(|port| !port.is_empty());
        return Ok((host, port.map(port_of).transpose()?));
    }
    match place.rsplit_once(':') {
        Some((host, "")) => Ok((host, None)),
        Some((host, port)) => Ok((host, Some(port_of(port)?))),
        None => Ok((place, None)),
    }
}

fn port_of(text: &str) -> Result<u16, DatabaseError> {
    // what stands there may be a part of a password, so it isn't shown
    text.parse().map_err(|_| wrong("the port is no number from 1 to 65535"))
}

fn seconds(text: &str) -> Result<u64, DatabaseError> {
    match text.parse() {
        Ok(0) | Err(_) => Err(wrong(&format!("connect_timeout '{text}' is no number of seconds"))),
        Ok(seconds) => Ok(seconds),
    }
}

pub(super) fn tls(value: &str) -> Result<Tls, DatabaseError> {
    Ok(match value {
        "disable" => Tls::Disable,
        "allow" | "prefer" => Tls::Prefer,
        "require" => Tls::Require,
        "verify-ca" => Tls::VerifyAuthority,
        "verify-full" => Tls::VerifyFull,
        _ => {
            return Err(wrong(&format!(
                "'{value}' is no sslmode; there are disable, prefer, require, verify-ca and \
                 verify-full"
            )));
        }
    })
}

pub(super) fn wrong(what: &str) -> DatabaseError {
    DatabaseError::Address { what: what.to_owned(), hint: HOW.to_owned() }
}

/// Reads `%40` and the like; what is no such code stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|two| std::str::from_utf8(two).ok());
        if let Some(byte) = code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            bytes.push(byte);
            rest = behind.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes what would end a part of an address as `%40` and the like.
pub(super) fn encoded(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || " %/?#[]@:&=".contains(c) {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(address: &str) -> Said {
        Said::read(address).expect("an address")
    }

    #[test]
    fn every_part_of_an_address_is_read() {
        let all = said("postgres://ann:p%40s/s@db.example:6543/shop?sslmode=require&search_path=a");
        assert_eq!(all.host.as_deref(), Some("db.example"));
        assert_eq!((all.port, all.user.as_deref()), (Some(6543), Some("ann")));
        assert_eq!(all.password.as_deref(), Some("p@s/s"));
        assert_eq!((all.database.as_deref(), all.tls), (Some("shop"), Some(Tls::Require)));
        assert_eq!(all.search_path.as_deref(), Some("a"));
        assert!(said("postgresql://") == Said::default());
        let six = said("postgres://ann@[::1]:99/shop");
        assert_eq!((six.host.as_deref(), six.port), (Some("::1"), Some(99)));
        assert_eq!(said("postgres://%2Fvar%2Frun/shop").host.as_deref(), Some("/var/run"));
        assert_eq!(said("postgres:///shop?host=/var/run").host.as_deref(), Some("/var/run"));
    }

    #[test]
    fn what_is_said_nearer_wins_and_a_named_host_keeps_its_own_port() {
        let service = Said { port: Some(1), user: Some("bob".into()), ..Said::default() };
        let there = said("postgres://there/shop").or(service.clone());
        assert_eq!((there.port, there.user.as_deref()), (None, Some("bob")));
        assert_eq!(said("postgres:///shop").or(service).port, Some(1));
    }

    #[test]
    fn a_wrong_address_says_what_is_wrong_and_never_the_password() {
        for address in [
            "postgres://ann:secret@there:secret/shop",
            "postgres://ann:secret@there/shop?colour=red",
            "postgres://ann:secret@there/shop?sslmode=maybe",
            "postgres://ann:secret",
        ] {
            let error = Said::read(address).err().expect(address);
            assert!(!format!("{error} {}", error.hint()).contains("secret"), "{error}");
        }
    }

    #[test]
    fn names_are_written_so_that_they_read_back() {
        for name in ["/var/run", "a b@c", "größe", "100%"] {
            assert_eq!(decoded(&encoded(name)), name);
        }
    }
}
