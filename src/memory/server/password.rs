//! Passwords that an address lacks, found where PostgreSQL's own programs find them.

use std::path::{Path, PathBuf};

use tokio_postgres::Config;

use super::connecting::host;

/// Returns the account of whoever names none: `PGUSER`, else the name at login.
pub(super) fn user() -> Option<String> {
    ["PGUSER", "USER", "LOGNAME"].into_iter().find_map(variable)
}

/// Finds a password in `PGPASSWORD`, else in the file `PGPASSFILE` or `~/.pgpass`.
pub(super) fn find(config: &Config) -> Option<String> {
    if let Some(password) = variable("PGPASSWORD") {
        return Some(password);
    }
    let usual = || std::env::home_dir().map(|home| home.join(".pgpass"));
    let path = variable("PGPASSFILE").map(PathBuf::from).or_else(usual)?;
    let text = if is_private(&path) { std::fs::read_to_string(path).ok()? } else { return None };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    // a database that isn't named is that of the account's name
    let database = config.get_dbname().unwrap_or(user);
    in_file(&text, [&host(config), &port, database, user])
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Tells whether nobody else may read a file; one that others may read is no place for a password.
fn is_private(path: &Path) -> bool {
    #[cfg(unix)]
    let private = std::fs::metadata(path).is_ok_and(|about| {
        let of_others = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o077;
        of_others == 0
    });
    #[cfg(not(unix))]
    let private = path.exists();
    private
}

/// Returns the password of the first line `host:port:database:user:password` that fits; `*` fits all.
fn in_file(text: &str, wanted: [&str; 4]) -> Option<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(fields).find_map(|fields| {
        let [host, port, database, user, password] = fields.try_into().ok()?;
        let fits = [host, port, database, user]
            .iter()
            .zip(wanted)
            .all(|(field, wanted)| field == "*" || field == wanted);
        fits.then_some(password)
    })
}

/// Takes a line apart at colons; a backslash makes the sign after it an ordinary one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        let sign = match sign {
            ':' => {
                fields.push(String::new());
                continue;
            }
            '\\' => signs.next().unwrap_or('\\'),
            sign => sign,
        };
        if let Some(field) = fields.last_mut() {
            field.push(sign);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_gives_the_password() {
        let file = "# ours\nother:5432:team:ada:no\ndb:*:team:ada:hu\\:s\\\\h\n*:*:*:*:last\n";
        let found = |wanted| in_file(file, wanted);
        assert_eq!(found(["db", "6000", "team", "ada"]).as_deref(), Some("hu:s\\h"));
        assert_eq!(found(["db", "6000", "team", "bob"]).as_deref(), Some("last"));
        assert_eq!(in_file("db:5432:team:ada\n", ["db", "5432", "team", "ada"]), None);
    }
}
