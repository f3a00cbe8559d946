//! Secrets, and addresses without those that are typed in them.

use std::fmt;
use std::ops::Range;

/// A password or token. It shows itself to nobody, and can't be stored: only who opens a connection
/// reveals it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// Returns the text, to be handed to an engine and to nobody else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// Takes the password out of a server's address; all else in it stays, as a driver needs it.
pub fn part(address: &str) -> (String, Option<Secret>) {
    let password = |name: &str| matches!(name, "password" | "passwd" | "pwd");
    let (rest, mut taken) = without(address, &password);
    (rest, taken.pop())
}

/// Returns an address as it may be shown and stored: without anything that may be a secret. The
/// same for an address that is shown already.
pub fn shown(address: &str) -> String {
    without(address, &is_secret).0
}

/// Lists the secrets that are typed in an address.
pub fn typed(address: &str) -> Vec<Secret> {
    without(address, &is_secret).1
}

fn is_secret(name: &str) -> bool {
    const WORDS: &[&str] =
        &["pass", "pwd", "token", "secret", "key", "credential", "auth", "private"];
    WORDS.iter().any(|word| name.contains(word))
}

/// Takes the password of `user:password@host` and options of some names out of an address.
fn without(address: &str, wanted: &dyn Fn(&str) -> bool) -> (String, Vec<Secret>) {
    let mut address = address.to_owned();
    let mut taken = Vec::new();
    if let Some(span) = password(&address) {
        taken.extend(address.get(span.start + 1..span.end).and_then(secret));
        address.replace_range(span, "");
    }
    let Some((rest, options)) = address.split_once('?') else { return (address, taken) };
    let mut kept = Vec::new();
    for option in options.split('&') {
        match option.split_once('=') {
            Some((name, value)) if wanted(&name.to_ascii_lowercase()) => {
                taken.extend(secret(value));
            }
            // a list of settings of its own: `uri=user=me password=…`
            Some((_, value)) if holds_password(&decoded(value)) => taken.extend(secret(value)),
            Some((name, value)) => {
                // an address may stand in an address
                let (bare, inside) = without(&decoded(value), wanted);
                let same = inside.is_empty();
                kept.push(if same { option.to_owned() } else { format!("{name}={bare}") });
                taken.extend(inside);
            }
            None => kept.push(option.to_owned()),
        }
    }
    let ask = if kept.is_empty() { "" } else { "?" };
    (format!("{rest}{ask}{}", kept.join("&")), taken)
}

fn holds_password(settings: &str) -> bool {
    let mut names =
        settings.split([' ', ';']).filter_map(|setting| Some(setting.split_once('=')?.0));
    names.any(|name| ["password", "passwd", "pwd"].contains(&name.to_ascii_lowercase().as_str()))
}

fn secret(text: &str) -> Option<Secret> {
    (!text.is_empty()).then(|| Secret::new(decoded(text)))
}

/// Finds the password between user and host, with the colon before it. Where signs that should have
/// been encoded leave a doubt, more is taken for the password rather than less.
fn password(address: &str) -> Option<Range<usize>> {
    let (scheme, rest) = address.split_once(':')?;
    if scheme.len() < 2 || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    {
        return None;
    }
    let slashes = if rest.starts_with("//") { 2 } else { 0 };
    let start = scheme.len() + 1 + slashes;
    let rest = rest.get(slashes..)?;
    let colon = rest.find([':', '@', '/', '?'])?;
    if rest.as_bytes().get(colon) != Some(&b':') {
        return None;
    }
    let (head, after) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
    let end = head.rfind('@').or_else(|| {
        let port = head.get(colon + 1..)?.split('/').next()?;
        let numbered = port.bytes().all(|b| b.is_ascii_digit());
        (!numbered).then(|| after.rfind('@')).flatten().map(|at| head.len() + at)
    })?;
    Some(start + colon..start + end)
}

/// Reads `%40` as `@`; what is no such sign stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let coded =
            digits.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(coded.unwrap_or(*first));
        rest = if coded.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn parts(address: &str, rest: &str, password: &str) {
        let (bare, secret) = part(address);
        assert_eq!(bare, rest);
        assert_eq!(secret.as_ref().map_or("", Secret::reveal), password);
    }

    #[test]
    fn a_secret_shows_itself_to_nobody() {
        let secret = Secret::new("hush");
        assert_eq!(
            format!("{secret} {secret:?} {:?}", Some(&secret)),
            "… Secret(…) Some(Secret(…))"
        );
    }

    #[test]
    fn the_password_is_taken_out_and_all_else_stays() {
        parts("postgres://me:hush@h:5432/d", "postgres://me@h:5432/d", "hush");
        parts("mysql://me:p%40ss%2F@h/d?ssl=on", "mysql://me@h/d?ssl=on", "p@ss/");
        parts("postgres://me@h/d?password=hush&sslkey=/k", "postgres://me@h/d?sslkey=/k", "hush");
        parts("postgres:me:hush@h", "postgres:me@h", "hush");
        parts("postgres://me:@h/d", "postgres://me@h/d", "");
        parts("postgres://me:100%@h/d", "postgres://me@h/d", "100%");
    }

    #[test]
    fn an_address_without_a_password_stays_as_it_is() {
        for address in [
            "postgres://me@h:5432/d",
            "postgres://h:5432/d?application_name=a@b",
            "postgres://h/d",
            "postgres://me@h:5432/d@b",
            "postgres://[::1]:5432/d",
            "shop.sqlite",
            "C:\\data\\a:b@c.db",
            "/data/a:b@c.db",
            "sqlite:shop.sqlite",
            "demo:reservo",
        ] {
            parts(address, address, "");
            assert_eq!(shown(address), address);
        }
    }

    #[test]
    fn settings_of_a_foreign_driver_that_hold_a_secret_are_left_out() {
        let given = "adbc:x?uri=user=me password=hush host=h&schema=a";
        assert_eq!(shown(given), "adbc:x?schema=a");
        assert_eq!(typed(given).len(), 1);
        let given = "adbc:x?adbc.google.credentials=hush&private_file=hush&schema=a";
        assert_eq!(shown(given), "adbc:x?schema=a");
    }

    #[test]
    fn signs_that_should_have_been_encoded_show_nothing_of_the_password() {
        parts("postgres://me:hu/sh@h/d", "postgres://me@h/d", "hu/sh");
        parts("postgres://me:hu@s:h@h/d", "postgres://me@h/d", "hu@s:h");
        parts("postgres://me:hu?sh@h/d", "postgres://me@h/d", "hu?sh");
        parts("postgres://me:12/sh@h/d", "postgres://me@h/d", "12/sh");
    }

    #[test]
    fn nothing_that_may_be_a_secret_is_shown() {
        let address =
            "adbc:warehouse?account=a&auth_token=hush&uri=postgresql%3A%2F%2Fme%3Ahush%40h";
        let bare = "adbc:warehouse?account=a&uri=postgresql://me@h";
        assert_eq!(shown(address), bare);
        assert_eq!(shown(bare), bare);
        assert_eq!(typed(address).len(), 2);
        assert_eq!(shown("oracle://me:hush@h/d?private_key=hush"), "oracle://me@h/d");
    }
}
