//! Addresses of servers: `mysql://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?ssl-mode=…]`.

use std::path::PathBuf;

use super::super::DatabaseError;
use super::option_file::OptionFile;

const HOW: &str = "Write mysql://USER@HOST:PORT/DATABASE; the password can come from MYSQL_PWD or \
     ~/.my.cnf, and ?ssl-mode=REQUIRED asks for TLS.";

/// How the connection is kept from eavesdroppers; the names are those of the server's own clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tls {
    /// Never.
    Disabled,
    /// Where the server offers it.
    Preferred,
    /// Always, whoever answers.
    Required,
    /// Always, and the certificate must be good.
    VerifyAuthority,
    /// Always, and the certificate must be good and name the host.
    VerifyIdentity,
}

/// Where to connect and as whom.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The address without its password.
    pub(super) named: String,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) socket: Option<String>,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    /// The database named, if one is.
    pub(super) database: Option<String>,
    pub(super) tls: Tls,
    /// Certificates of the authorities to believe.
    pub(super) authority: Option<PathBuf>,
}

impl Target {
    /// Reads an address.
    pub(super) fn read(address: &str) -> Result<Self, DatabaseError> {
        let wrong = |what: &str| wrong(what.to_owned());
        let (scheme, rest) =
            address.split_once("://").ok_or_else(|| wrong("the address lacks ://"))?;
        let (rest, query) = rest.split_once('?').map_or((rest, ""), |(rest, query)| (rest, query));
        let (place, database) = rest.split_once('/').map_or((rest, ""), |(place, db)| (place, db));
        // a password may hold an @ that nobody wrote as %40
        let (login, place) =
            place.rsplit_once('@').map_or(("", place), |(login, place)| (login, place));
        let (user, password) =
            login.split_once(':').map_or((login, None), |(user, password)| (user, Some(password)));
        let (host, port) = host_and_port(place)?;
        let at = if login.is_empty() { String::new() } else { format!("{user}@") };
        let slash = if rest.contains('/') { "/" } else { "" };
        let mark = if query.is_empty() { "" } else { "?" };
        let mut target = Target {
            named: format!("{scheme}://{at}{place}{slash}{database}{mark}{query}"),
            host: decoded(host),
            port: port.unwrap_or(0),
            socket: None,
            user: (!user.is_empty()).then(|| decoded(user)),
            password: password.map(decoded),
            database: (!database.is_empty()).then(|| decoded(database)),
            tls: Tls::Preferred,
            authority: None,
        };
        let mut asked = None;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value);
            match name.to_ascii_lowercase().replace('_', "-").as_str() {
                "ssl-mode" => asked = Some(tls(&value)?),
                "ssl-ca" => target.authority = Some(PathBuf::from(value)),
                "socket" => target.socket = Some(value),
                "password" | "user" => {
                    return Err(wrong("user and password stand before the host, not behind the ?"));
                }
                other => return Err(wrong(&format!("the address has no option '{other}'"))),
            }
        }
        target.tls = asked.unwrap_or(Tls::Preferred);
        Ok(target)
    }

    /// Fills in what the address leaves out: the environment, then the option file, then defaults.
    pub(super) fn complete(&mut self, password: Option<String>, file: &OptionFile) {
        let whole_place = self.host.is_empty() && self.socket.is_none();
        if whole_place {
            file.get("host").unwrap_or_default().clone_into(&mut self.host);
            self.socket = file.get("socket").map(str::to_owned).filter(|_| self.host.is_empty());
        }
        if self.port == 0 {
            let kept = file.get("port").and_then(|port| port.parse().ok());
            self.port = kept.filter(|_| whole_place).unwrap_or(3306);
        }
        if self.host.is_empty() {
            "127.0.0.1".clone_into(&mut self.host);
        }
        let own_user = self.user.is_some();
        if !own_user {
            self.user = file.get("user").map(str::to_owned).or_else(|| std::env::var("USER").ok());
        }
        if self.password.is_none() {
            let same =
                !own_user || file.get("user").is_none_or(|user| Some(user) == self.user.as_deref());
            let kept = file.get("password").filter(|_| same).map(str::to_owned);
            self.password = password.or(kept);
        }
        if self.tls == Tls::Preferred && self.is_here() {
            self.tls = Tls::Disabled;
        }
    }

    /// Tells whether the server is on this machine.
    pub(super) fn is_here(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        self.socket.is_some()
            || host.eq_ignore_ascii_case("localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Names the server in sentences.
    pub(super) fn place(&self) -> String {
        match &self.socket {
            Some(socket) => socket.clone(),
            None => format!("{}:{}", self.host, self.port),
        }
    }
}

fn host_and_port(place: &str) -> Result<(&str, Option<u16>), DatabaseError> {
    let bare_six = place.starts_with('[') && place.ends_with(']');
    let Some((host, port)) = place.rsplit_once(':').filter(|_| !bare_six) else {
        return Ok((place, None));
    };
    match port.parse() {
        Ok(port) => Ok((host, Some(port))),
        Err(_) => Err(wrong(format!("'{port}' is no port"))),
    }
}

fn tls(value: &str) -> Result<Tls, DatabaseError> {
    Ok(match value.to_ascii_uppercase().replace('-', "_").as_str() {
        "DISABLED" => Tls::Disabled,
        "PREFERRED" => Tls::Preferred,
        "REQUIRED" => Tls::Required,
        "VERIFY_CA" => Tls::VerifyAuthority,
        "VERIFY_IDENTITY" => Tls::VerifyIdentity,
        _ => {
            return Err(wrong(format!(
                "'{value}' is no ssl-mode; there are DISABLED, PREFERRED, REQUIRED, VERIFY_CA and \
                 VERIFY_IDENTITY"
            )));
        }
    })
}

fn wrong(what: String) -> DatabaseError {
    DatabaseError::Address { what, hint: HOW.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_named_without_its_password() {
        let target =
            Target::read("mysql://ann:p%40ss@db.example:3307/shop?ssl-mode=required").unwrap();
        assert_eq!(target.named, "mysql://ann@db.example:3307/shop?ssl-mode=required");
        assert_eq!((target.host.as_str(), target.port), ("db.example", 3307));
        assert_eq!(target.password.as_deref(), Some("p@ss"));
        assert_eq!(target.database.as_deref(), Some("shop"));
        assert_eq!(target.tls, Tls::Required);
    }

    #[test]
    fn what_is_left_out_comes_from_the_option_file() {
        let file = OptionFile::parse("[client]\nuser = bob\npassword='x y'\nhost=there\nport=99\n");
        let mut target = Target::read("mariadb:///shop").unwrap();
        target.complete(None, &file);
        assert_eq!((target.host.as_str(), target.port), ("there", 99));
        assert_eq!(target.password.as_deref(), Some("x y"));
        let mut other = Target::read("mariadb://eve@[::1]/shop").unwrap();
        other.complete(None, &file);
        assert_eq!(
            (other.host.as_str(), other.password, other.tls),
            ("[::1]", None, Tls::Disabled)
        );
    }

    #[test]
    fn a_wrong_address_says_what_is_wrong_and_never_the_password() {
        for address in [
            "mysql://a:secret@h:port/db",
            "mysql://a:secret@h/db?x=1",
            "mysql://a:secret@h?ssl-mode=no",
        ] {
            let error = Target::read(address).err().map(|e| format!("{e} {}", e.hint())).unwrap();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
