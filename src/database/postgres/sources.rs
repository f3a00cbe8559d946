//! Where the rest of an address comes from: the environment, `pg_service.conf`, `.pgpass`, and what
//! the server's own clients take for granted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::DatabaseError;
use super::address::{Said, Tls, encoded, tls, wrong};

/// Time for making a connection.
const CONNECTING: Duration = Duration::from_secs(10);
/// Folders in which servers of this machine put their sockets.
const SOCKETS: &[&str] = &["/var/run/postgresql", "/tmp"];

/// Where to connect and as whom, with nothing left out.
#[derive(Clone)]
pub(super) struct Target {
    /// The host, or the folder of a socket.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) user: String,
    pub(super) database: String,
    pub(super) password: Option<String>,
    pub(super) tls: Tls,
    pub(super) authority: Option<PathBuf>,
    pub(super) application: String,
    pub(super) connecting: Duration,
    pub(super) options: Option<String>,
    pub(super) search_path: Option<String>,
}

impl Target {
    /// Reads an address and fills in what it leaves out.
    pub(super) fn find(
        address: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, DatabaseError> {
        let mut said = Said::read(address)?;
        let service = said.service.clone().or_else(|| variable("PGSERVICE"));
        if let Some(name) = service {
            said = said.or(service_named(&name, variable)?);
        }
        Target::complete(said.or(environment(variable)?), variable)
    }

    fn complete(
        said: Said,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, DatabaseError> {
        let port = said.port.unwrap_or(5432);
        let host = said.host.unwrap_or_else(|| here(port));
        let user = said.user.or_else(|| variable("USER")).unwrap_or_else(|| "postgres".to_owned());
        let mut target = Target {
            host,
            port,
            database: said.database.unwrap_or_else(|| user.clone()),
            user,
            password: said.password,
            tls: said.tls.unwrap_or_default(),
            authority: said.authority,
            application: said.application.unwrap_or_else(|| "querent".to_owned()),
            connecting: said.connecting.unwrap_or(CONNECTING),
            options: said.options,
            search_path: said.search_path,
        };
        if target.password.is_none() {
            let file = said.passwords.or_else(|| home(variable, ".pgpass"));
            target.password = file.map_or(Ok(None), |file| kept_password(&file, &target))?;
        }
        Ok(target)
    }

    /// Tells whether the server is reached through a socket of this machine.
    pub(super) fn is_socket(&self) -> bool {
        self.host.starts_with('/')
    }

    /// Tells whether the way to the server stays on this machine.
    pub(super) fn is_here(&self) -> bool {
        let loopback = self.host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        self.is_socket() || loopback || self.host.eq_ignore_ascii_case("localhost")
    }

    /// Names the server in sentences.
    pub(super) fn place(&self) -> String {
        if self.is_socket() {
            self.host.clone()
        } else {
            format!("{}:{}", self.bracketed(), self.port)
        }
    }

    /// Writes the whole address without its password.
    pub(super) fn address(&self) -> String {
        let host = if self.is_socket() { encoded(&self.host) } else { self.bracketed() };
        let (user, database) = (encoded(&self.user), encoded(&self.database));
        // these change what is seen there
        let asked = [("search_path", &self.search_path), ("options", &self.options)];
        let asked = asked.iter().filter_map(|(name, value)| {
            value.as_ref().map(|value| format!("{name}={}", encoded(value)))
        });
        let asked: Vec<String> = asked.collect();
        let mark = if asked.is_empty() { "" } else { "?" };
        format!("postgres://{user}@{host}:{}/{database}{mark}{}", self.port, asked.join("&"))
    }

    fn bracketed(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }
}

/// Returns the folder of a socket of this machine that a server listens at, else the machine itself.
fn here(port: u16) -> String {
    let listens = |folder: &&&str| Path::new(folder).join(format!(".s.PGSQL.{port}")).exists();
    SOCKETS.iter().find(listens).map_or("localhost", |folder| folder).to_owned()
}

/// Reads the variables that the server's own clients read.
fn environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Said, DatabaseError> {
    const NAMES: &[(&str, &str)] = &[
        ("PGHOST", "host"),
        ("PGPORT", "port"),
        ("PGUSER", "user"),
        ("PGDATABASE", "dbname"),
        ("PGPASSWORD", "password"),
        ("PGPASSFILE", "passfile"),
        ("PGSSLROOTCERT", "sslrootcert"),
        ("PGAPPNAME", "application_name"),
        ("PGCONNECT_TIMEOUT", "connect_timeout"),
        ("PGOPTIONS", "options"),
    ];
    let mut said = Said::default();
    for (name, option) in NAMES {
        if let Some(value) = variable(name).filter(|value| !value.is_empty()) {
            said.option(option, value)?;
        }
    }
    said.tls = variable("PGSSLMODE").map(|mode| tls(&mode)).transpose()?;
    Ok(said)
}

fn home(variable: &dyn Fn(&str) -> Option<String>, file: &str) -> Option<PathBuf> {
    variable("HOME").map(|home| PathBuf::from(home).join(file))
}

/// Reads a service from the person's file, else from the system's.
fn service_named(
    name: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Said, DatabaseError> {
    let own = variable("PGSERVICEFILE").map(PathBuf::from);
    let own = own.or_else(|| home(variable, ".pg_service.conf"));
    let folder = variable("PGSYSCONFDIR").map_or_else(|| PathBuf::from("/etc"), PathBuf::from);
    let files = own.into_iter().chain([folder.join("pg_service.conf")]);
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if let Some(said) = service(&text, name)? {
            return Ok(said);
        }
    }
    Err(wrong(&format!("there is no service '{name}' in ~/.pg_service.conf or pg_service.conf")))
}

/// Finds a service in a file of services.
fn service(text: &str, name: &str) -> Result<Option<Said>, DatabaseError> {
    let mut found: Option<Said> = None;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            if found.is_some() {
                break;
            }
            found = (title.trim() == name).then(Said::default);
        } else if let (Some(said), Some((option, value))) = (&mut found, line.split_once('=')) {
            said.option(option.trim(), value.trim().to_owned())?;
        }
    }
    Ok(found)
}

/// Finds the password in a file of passwords, which nobody else may be able to read.
fn kept_password(file: &Path, target: &Target) -> Result<Option<String>, DatabaseError> {
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(None) };
    let Some(password) = password(&text, target) else { return Ok(None) };
    if is_private(file) {
        return Ok(Some(password));
    }
    let file = file.display();
    Err(DatabaseError::Address {
        what: format!("the passwords in {file} aren't used, because others can read the file"),
        hint: format!("Make it yours alone with `chmod 600 {file}`."),
    })
}

/// Tells whether group and others have no right to it: the last six bits are theirs.
#[cfg(unix)]
fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|found| found.permissions().mode().trailing_zeros() >= 6)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}

/// Finds the first line `HOST:PORT:DATABASE:USER:PASSWORD` that fits; `*` fits all.
fn password(text: &str, target: &Target) -> Option<String> {
    let host = if target.is_socket() { "localhost" } else { &target.host };
    let port = target.port.to_string();
    let wanted = [host, &port, &target.database, &target.user];
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let [place @ .., password] = fields.as_slice() else { return None };
        let fits = |(field, wanted): (&String, &&str)| field == "*" || field == wanted;
        let all = place.len() == wanted.len() && place.iter().zip(&wanted).all(fits);
        (all && !password.is_empty()).then(|| password.clone())
    })
}

/// Splits a line at its first four colons; a backslash keeps the character behind it.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == ':' && fields.len() < 5 {
            fields.push(String::new());
            continue;
        }
        let c = if c == '\\' { chars.next().unwrap_or('\\') } else { c };
        if let Some(field) = fields.last_mut() {
            field.push(c);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds a target in a world of these variables only.
    fn target(address: &str, variables: &[(&str, &str)]) -> Result<Target, DatabaseError> {
        let find = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Target::find(address, &find)
    }

    fn file(name: &str, text: &str, mode: u32) -> (tempfile::TempDir, String) {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("set");
        let path = path.to_str().expect("a plain path").to_owned();
        (folder, path)
    }

    #[test]
    fn the_environment_fills_in_what_the_address_leaves_out() {
        let variables =
            [("PGHOST", "there"), ("PGPORT", "99"), ("PGUSER", "ann"), ("PGPASSWORD", "x")];
        let found = target("postgres:///shop", &variables).expect("a target");
        assert_eq!(found.address(), "postgres://ann@there:99/shop");
        assert_eq!(found.password.as_deref(), Some("x"));
        let other =
            target("postgres://bob@[::1]/shop?search_path=a,b", &variables).expect("a target");
        assert_eq!(other.address(), "postgres://bob@[::1]:5432/shop?search_path=a,b");
        assert!(other.is_here() && !found.is_here());
    }

    #[test]
    fn a_service_is_found_by_its_name() {
        let text =
            "[other]\nhost=no\n[shop]\n# the shop\nhost=db\nport=6000\ndbname=orders\nuser=ann\n";
        let (_folder, path) = file("services", text, 0o644);
        let variables = [("PGSERVICEFILE", path.as_str())];
        let found = target("postgres://?service=shop", &variables).expect("a target");
        assert_eq!(found.address(), "postgres://ann@db:6000/orders");
        let missing =
            target("postgres://?service=none", &variables).err().expect("no such service");
        assert!(missing.to_string().contains("'none'"), "{missing}");
    }

    #[test]
    fn a_password_is_taken_from_the_first_line_that_fits() {
        let text = "# all\nthere:99:*:bob:no\n*:*:shop:ann:a\\:b\\\\c\n*:*:*:*:last\n";
        let (_folder, path) = file("pass", text, 0o600);
        let variables = [("PGPASSFILE", path.as_str())];
        let password = |address| target(address, &variables).expect("a target").password;
        assert_eq!(password("postgres://ann@there:99/shop").as_deref(), Some("a:b\\c"));
        assert_eq!(password("postgres://eve@there:99/shop").as_deref(), Some("last"));
        assert_eq!(password("postgres://eve:own@there/shop").as_deref(), Some("own"));
    }

    #[test]
    fn passwords_that_others_can_read_are_refused() {
        let (_folder, path) = file("pass", "*:*:*:*:secret\n", 0o644);
        let variables = [("PGPASSFILE", path.as_str())];
        let error = target("postgres://ann@there/shop", &variables).err().expect("refused");
        assert!(error.to_string().contains("others can read the file"), "{error}");
        assert!(error.hint().contains("chmod 600"), "{}", error.hint());
        assert!(!format!("{error} {}", error.hint()).contains("secret"));
    }
}
