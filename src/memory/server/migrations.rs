//! The team's tables, brought up to date by whoever comes first.
//!
//! They are in a schema of their own, `querent`, and `querent.versions` has a row for each migration
//! that was applied. One Querent migrates while others wait for the same advisory lock, then find
//! nothing left to do; a migration and its row are one transaction.

use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, GenericClient};

use super::Trouble;
use crate::memory::tables::newer;

/// All migrations in order, numbered from 1.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("../migrations/server/0001_runs.sql")];

/// The advisory lock of migrations: `querent` in ASCII, so that it meets no other program's.
const LOCK: i64 = 0x71_7565_7265_6e74;

/// Makes the schema only where it is missing: somebody may have made it who may make more than we.
const FOUNDATION: &str = "
DO $$ BEGIN
    IF to_regnamespace('querent') IS NULL THEN CREATE SCHEMA querent; END IF;
END $$;
CREATE TABLE IF NOT EXISTS querent.versions (
    version    bigint PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
)";

/// Brings the tables up to date and makes this connection use them.
pub(super) async fn prepare(client: &mut Client) -> Result<(), Trouble> {
    if applied(client).await? < MIGRATIONS.len() {
        migrate(client).await?;
    }
    let settings = format!(
        "SET search_path TO querent; SET statement_timeout TO {}",
        super::PATIENCE.as_millis()
    );
    Ok(client.batch_execute(&settings).await?)
}

/// Counts the migrations that were applied, none where there are no tables yet; more than we know
/// are refused.
pub(super) async fn applied(client: &impl GenericClient) -> Result<usize, Trouble> {
    let newest = "SELECT coalesce(max(version), 0) FROM querent.versions";
    let version: i64 = match client.query_typed_one(newest, &[]).await {
        Ok(row) => row.try_get(0)?,
        Err(e) if e.code() == Some(&SqlState::UNDEFINED_TABLE) => 0,
        Err(e) => return Err(e.into()),
    };
    let (version, known) = (usize::try_from(version).unwrap_or(0), MIGRATIONS.len());
    if version > known { Err(Trouble::Refused(newer(version, known))) } else { Ok(version) }
}

/// Applies what is missing. The count is read again under the lock: another Querent may have
/// migrated in between.
async fn migrate(client: &mut Client) -> Result<(), Trouble> {
    let tx = client.transaction().await?;
    tx.query_typed("SELECT pg_advisory_xact_lock($1)", &[(&LOCK, Type::INT8)]).await?;
    tx.batch_execute(FOUNDATION).await?;
    let applied = applied(&tx).await?;
    for (version, migration) in (1_i64..).zip(MIGRATIONS).skip(applied) {
        tx.batch_execute(migration).await?;
        let noted = "INSERT INTO querent.versions (version) VALUES ($1)";
        tx.execute_typed(noted, &[(&version, Type::INT8)]).await?;
    }
    Ok(tx.commit().await?)
}
