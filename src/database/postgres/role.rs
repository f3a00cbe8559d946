//! Who we are on the server, and what a person should know of it.

use tokio_postgres::{Error, Row};

use super::super::DatabaseError;
use super::address::Tls;
use super::pool::Session;
use super::sources::Target;
use super::structure::all;

const QUESTION: &str = "\
    SELECT current_setting('server_version'), current_user::text, \
      coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false), \
      EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
          AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')), \
      coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)";

/// What the server tells of itself and of us.
#[derive(Default)]
pub(super) struct Role {
    pub(super) version: String,
    user: String,
    superuser: bool,
    writes: bool,
    encrypted: bool,
}

/// Asks.
pub(super) async fn read(on: &Session) -> Result<Role, DatabaseError> {
    let told = all(on, QUESTION, &[], role).await?;
    Ok(told.into_iter().next().unwrap_or_default())
}

fn role(row: &Row) -> Result<Role, Error> {
    Ok(Role {
        version: row.try_get(0)?,
        user: row.try_get(1)?,
        superuser: row.try_get(2)?,
        writes: row.try_get(3)?,
        encrypted: row.try_get(4)?,
    })
}

impl Role {
    /// Says what a person should know, as sentences.
    pub(super) fn notices(&self, target: &Target) -> Vec<String> {
        let may = match (self.superuser, self.writes) {
            (true, _) => Some("is a superuser"),
            (false, true) => Some("may write"),
            (false, false) => None,
        };
        let rights = may.map(|may| {
            format!(
                "The role {} {may}. Querent only reads, but a role that may not do more is safer: \
                 CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;",
                self.user
            )
        });
        let unchecked =
            matches!(target.tls, Tls::Prefer | Tls::Require) && target.authority.is_none();
        let way = match self.encrypted {
            _ if target.is_here() => None,
            false => Some("isn't encrypted: others on the way can read what is read"),
            true => unchecked.then_some("is encrypted, but nobody checks who answers"),
        };
        let place = target.place();
        let way =
            way.map(|way| format!("The connection to {place} {way}; ?sslmode=verify-full does."));
        rights.into_iter().chain(way).collect()
    }
}
