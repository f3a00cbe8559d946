//! What a server tells of itself and of the user at the first connection.

use mysql_async::Error;

use super::pool::Lease;

/// Rights by which a user may change something.
const WRITING: &[&str] = &[
    "ALL PRIVILEGES",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "ALTER",
    "FILE",
    "SUPER",
    "EXECUTE",
    "TRIGGER",
    "EVENT",
];

/// An engine, its version and habits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Greeting {
    /// It is MariaDB.
    pub(super) mariadb: bool,
    /// `10.11.6`.
    pub(super) version: String,
    /// Names of tables that differ only in letter case name the same one.
    pub(super) any_case: bool,
    /// The user may do more than read.
    pub(super) may_write: bool,
}

impl Greeting {
    /// Asks the server.
    pub(super) async fn ask(lease: &mut Lease) -> Result<Self, Error> {
        let told = lease.ask("SELECT VERSION(), @@lower_case_table_names").await?;
        let version = told.first().map_or("", |row| row.text(0));
        let grants = lease.ask("SHOW GRANTS").await?;
        Ok(Greeting {
            mariadb: version.to_ascii_lowercase().contains("mariadb"),
            version: number(version).to_owned(),
            any_case: told.first().is_some_and(|row| row.text(1) != "0"),
            may_write: grants.iter().any(|row| writes(row.text(0))),
        })
    }

    /// Returns the engine's name and version.
    pub(super) fn engine(&self) -> String {
        let name = if self.mariadb { "mariadb" } else { "mysql" };
        format!("{name} {} · read-only", self.version)
    }
}

/// Takes the number out of `5.5.5-10.11.6-MariaDB-1~deb12`, with or without the prefix that
/// MariaDB shows to old clients.
fn number(version: &str) -> &str {
    let bare = version.strip_prefix("5.5.5-").unwrap_or(version);
    bare.split(['-', '+', '~']).next().unwrap_or(bare)
}

/// Tells whether one line of `SHOW GRANTS` gives a right to change something.
fn writes(grant: &str) -> bool {
    let Some((rights, _)) = grant.strip_prefix("GRANT ").and_then(|rest| rest.split_once(" ON "))
    else {
        return false;
    };
    // columns stand in parentheses behind a right
    rights.split(',').any(|right| {
        let right = right.split('(').next().unwrap_or("").trim();
        WRITING.iter().any(|one| right.eq_ignore_ascii_case(one))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_version_is_told_from_what_packagers_add() {
        assert_eq!(number("10.11.19-MariaDB-0+deb12u1"), "10.11.19");
        assert_eq!(number("5.5.5-10.4.2-MariaDB"), "10.4.2");
        assert_eq!(number("8.0.36-0ubuntu0.22.04.1"), "8.0.36");
        assert_eq!(number("8.4.0"), "8.4.0");
    }

    #[test]
    fn rights_to_change_something_are_seen() {
        assert!(writes("GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION"));
        assert!(writes("GRANT SELECT, UPDATE (`x`) ON `shop`.`t` TO `a`@`%`"));
        assert!(!writes("GRANT SELECT, SHOW VIEW ON *.* TO `reader`@`127.0.0.1`"));
        assert!(!writes("GRANT USAGE ON *.* TO `a`@`%`"));
        assert!(!writes("GRANT `role` TO `a`@`%`"));
    }
}
