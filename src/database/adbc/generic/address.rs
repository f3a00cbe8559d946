//! Addresses of engines with an ADBC driver: `adbc:DRIVER?OPTION=VALUE&…`.

use std::fmt::Write as _;

use super::super::super::DatabaseError;

/// Parts of option names whose values nobody else may see.
const SECRET: &[&str] =
    &["password", "passwd", "pwd", "token", "secret", "private", "credential", "auth"];
/// Parts of option names that only say how to sign in.
const OPEN: &[&str] = &["auth_type", "authenticator", "auth_uri", "password_file"];
/// What a value begins with that stands in the environment.
const ENVIRONMENT: &str = "env:";
/// Options with this beginning belong to each connection, the others to the database.
const CONNECTION: &str = "adbc.connection.";

/// An address, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Name or path of the driver.
    pub(super) driver: String,
    /// The function by which its library gives the driver.
    pub(super) entry: Option<String>,
    /// Options of the database.
    pub(super) database: Vec<(String, String)>,
    /// Options of each connection.
    pub(super) connection: Vec<(String, String)>,
    /// The address without what is secret.
    pub(super) shown: String,
    /// What must be in no message.
    pub(super) secrets: Vec<String>,
}

/// Reads an address; `from` looks a name of the environment up.
pub(super) fn parse(
    address: &str,
    from: impl Fn(&str) -> Option<String>,
) -> Result<Address, DatabaseError> {
    let rest = address.split_once(':').map_or("", |(_, rest)| rest);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (driver, options) = rest.split_once('?').unwrap_or((rest, ""));
    if driver.is_empty() {
        return Err(wrong("the address names no driver".to_owned()));
    }
    let mut read = Address {
        driver: decoded(driver),
        entry: None,
        database: Vec::new(),
        connection: Vec::new(),
        shown: format!("adbc:{driver}"),
        secrets: Vec::new(),
    };
    for option in options.split('&').filter(|option| !option.is_empty()) {
        let Some((name, value)) = option.split_once('=') else {
            // the text may be a part of a password with an & in it, so it isn't repeated
            return Err(wrong("an option of the address has no =".to_owned()));
        };
        read.add(&decoded(name), value, &from)?;
    }
    Ok(read)
}

impl Address {
    fn add(
        &mut self,
        name: &str,
        value: &str,
        from: &impl Fn(&str) -> Option<String>,
    ) -> Result<(), DatabaseError> {
        let (mut shown, mut value) = (value.to_owned(), decoded(value));
        let hidden = is_secret(name);
        if let Some(variable) = value.strip_prefix(ENVIRONMENT) {
            let found = from(variable).ok_or_else(|| {
                wrong(format!("option {name} is said to stand in {variable}, which is not set"))
            })?;
            self.secrets.push(found.clone());
            value = found;
        } else if hidden {
            self.secrets.push(value.clone());
            "***".clone_into(&mut shown);
        } else if let Some((covered, secrets)) = covered(&value) {
            self.secrets.extend(secrets);
            shown = covered;
        }
        let sign = if self.shown.contains('?') { '&' } else { '?' };
        // writing into a text can't fail
        let _ = write!(self.shown, "{sign}{name}={shown}");
        match name {
            "entrypoint" => self.entry = Some(value),
            _ if name.starts_with(CONNECTION) => self.connection.push((name.to_owned(), value)),
            _ => self.database.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Takes what is secret out of a message.
    pub(super) fn cleaned(&self, message: &str) -> String {
        let secrets = self.secrets.iter().filter(|secret| !secret.is_empty());
        secrets.fold(message.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|part| name.contains(part)) && !OPEN.iter().any(|part| name.contains(part))
}

/// Covers passwords within a value that is an address itself, or words like `password=…`.
fn covered(value: &str) -> Option<(String, Vec<String>)> {
    let mut secrets = Vec::new();
    let mut shown = value.to_owned();
    if let Some((before, rest)) = value.split_once("://")
        && let Some((user, place)) = rest.split('/').next()?.rsplit_once('@')
        && let Some((user, password)) = user.split_once(':')
    {
        let after = rest.get(rest.find(place).unwrap_or(0)..).unwrap_or("");
        let after = if place.is_empty() { "" } else { after };
        secrets.extend([password.to_owned(), decoded(password)]);
        shown = format!("{before}://{user}:***@{after}");
    }
    let parts: Vec<String> =
        shown.split_inclusive(['?', '&', ';', ' ']).map(str::to_owned).collect();
    let mut told = String::new();
    for part in parts {
        let (text, end) = match part.chars().last() {
            Some(end @ ('?' | '&' | ';' | ' ')) => (part.trim_end_matches(end), end.to_string()),
            Some(_) | None => (part.as_str(), String::new()),
        };
        match text.split_once('=') {
            Some((name, secret)) if is_secret(name) => {
                secrets.extend([secret.to_owned(), decoded(secret)]);
                let _ = write!(told, "{name}=***{end}");
            }
            Some(_) | None => told.push_str(&part),
        }
    }
    (!secrets.is_empty()).then_some((told, secrets))
}

/// Turns `%3D` into `=`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code = more.get(..2).filter(|_| *first == b'%');
        let byte = code.and_then(|code| std::str::from_utf8(code).ok());
        let byte = byte.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { more.get(2..).unwrap_or_default() } else { more };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn wrong(what: String) -> DatabaseError {
    DatabaseError::Address {
        what,
        hint: "Give adbc:DRIVER?OPTION=VALUE&…, where DRIVER is a name or the path of a library; \
               write & = % within a value as %26 %3D %25, and a secret as env:NAME, which is read \
               from the environment."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> Address {
        parse(address, |name| (name == "WAREHOUSE").then(|| "hush".to_owned())).expect("an address")
    }

    #[test]
    fn options_go_to_the_database_or_its_connections() {
        let read = read("adbc:postgresql?uri=a%3Db&adbc.connection.catalog=shop&entrypoint=Init");
        assert_eq!(read.driver, "postgresql");
        assert_eq!(read.database, [("uri".to_owned(), "a=b".to_owned())]);
        assert_eq!(read.connection.len(), 1);
        assert_eq!(read.entry.as_deref(), Some("Init"));
    }

    #[test]
    fn secrets_are_neither_shown_nor_repeated() {
        let cases = [
            ("adbc:x?password=hush", "adbc:x?password=***"),
            ("adbc:x?password=env:WAREHOUSE", "adbc:x?password=env:WAREHOUSE"),
            (
                "adbc:x?adbc.snowflake.sql.auth_token=hush",
                "adbc:x?adbc.snowflake.sql.auth_token=***",
            ),
            ("adbc:x?uri=pg://me:hush@host/shop", "adbc:x?uri=pg://me:***@host/shop"),
            (
                "adbc:x?uri=pg://host/shop%3Fpassword%3Dhush%26a%3Db",
                "adbc:x?uri=pg://host/shop?password=***&a=b",
            ),
            ("adbc:x?uri=user=me password=hush host=h", "adbc:x?uri=user=me password=*** host=h"),
        ];
        for (address, shown) in cases {
            let read = read(address);
            assert_eq!(read.shown, shown);
            assert_eq!(read.cleaned("no hush here"), "no *** here", "{address}");
        }
        let error = parse("adbc:x?password=hu&sh", |_| None).expect_err("no =");
        assert!(!error.to_string().contains("sh"), "{error}");
        assert!(parse("adbc:x?password=env:NOT_SET", |_| None).is_err());
        assert!(parse("adbc:", |_| None).is_err());
    }
}
