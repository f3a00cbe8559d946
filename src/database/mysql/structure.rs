//! What the server lists of its structure, one query for each kind of thing, never a row counted.

use mysql_async::Error;

use super::effects::SYSTEM;
use super::pool::{Answer, Lease};

/// The lists that a catalog is put together from; each names its columns where it is asked for.
pub(super) struct Listed {
    /// Schema, name, type, comment, rows.
    pub(super) tables: Vec<Answer>,
    /// Schema, table, name, type, family, nullable, default, extra, comment, expression.
    pub(super) columns: Vec<Answer>,
    /// Schema, table, index, column, non-unique; in the order of the index.
    pub(super) indexes: Vec<Answer>,
    /// Schema, table, key, column, schema, table and column pointed to; in the order of the key.
    pub(super) keys: Vec<Answer>,
    /// Schema, table, text.
    pub(super) checks: Vec<Answer>,
    /// Schema, view, text.
    pub(super) views: Vec<Answer>,
}

/// Reads the lists of one database, or of all that are not the server's own.
pub(super) async fn read(lease: &mut Lease, one: bool, mariadb: bool) -> Result<Listed, Error> {
    let of = |schema: &str| scope(schema, one);
    Ok(Listed {
        tables: lease
            .ask(&format!(
                "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS \
                 FROM information_schema.TABLES WHERE {} AND TABLE_TYPE <> 'SEQUENCE' \
                 ORDER BY TABLE_SCHEMA, TABLE_NAME",
                of("TABLE_SCHEMA")
            ))
            .await?,
        columns: lease
            .ask(&format!(
                "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, IS_NULLABLE, \
                 COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT, GENERATION_EXPRESSION \
                 FROM information_schema.COLUMNS WHERE {} \
                 ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION",
                of("TABLE_SCHEMA")
            ))
            .await?,
        indexes: lease
            .ask(&format!(
                "SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME, NON_UNIQUE \
                 FROM information_schema.STATISTICS WHERE {} \
                 ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
                of("TABLE_SCHEMA")
            ))
            .await?,
        keys: lease
            .ask(&format!(
                "SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, \
                 REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME \
                 FROM information_schema.KEY_COLUMN_USAGE \
                 WHERE {} AND REFERENCED_TABLE_NAME IS NOT NULL \
                 ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
                of("TABLE_SCHEMA")
            ))
            .await?,
        checks: checks(lease, one, mariadb).await?,
        views: lease
            .ask(&format!(
                "SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS \
                 WHERE {}",
                of("TABLE_SCHEMA")
            ))
            .await?,
    })
}

/// Reads the checks; a server that is too old to keep any has no list of them.
async fn checks(lease: &mut Lease, one: bool, mariadb: bool) -> Result<Vec<Answer>, Error> {
    let sql = if mariadb {
        format!(
            "SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CHECK_CLAUSE \
             FROM information_schema.CHECK_CONSTRAINTS WHERE {} \
             ORDER BY CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME",
            scope("CONSTRAINT_SCHEMA", one)
        )
    } else {
        format!(
            "SELECT t.TABLE_SCHEMA, t.TABLE_NAME, c.CHECK_CLAUSE \
             FROM information_schema.CHECK_CONSTRAINTS c \
             JOIN information_schema.TABLE_CONSTRAINTS t \
             ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME \
             WHERE {} AND t.CONSTRAINT_TYPE = 'CHECK' \
             ORDER BY t.TABLE_SCHEMA, t.TABLE_NAME, c.CONSTRAINT_NAME",
            scope("t.TABLE_SCHEMA", one)
        )
    };
    match lease.ask(&sql).await {
        Err(Error::Server(server)) if server.code == UNKNOWN_TABLE => Ok(Vec::new()),
        read => read,
    }
}

/// The server's number for a table of its own that it doesn't have.
const UNKNOWN_TABLE: u16 = 1109;

/// Returns a text that differs when columns, indexes or keys differ. Views are told by their
/// columns.
pub(super) async fn stamp(lease: &mut Lease, one: bool) -> Result<String, Error> {
    let sum = |list: &str, parts: &str| {
        format!(
            "SELECT CONCAT(COUNT(*), '.', COALESCE(SUM(CRC32(CONCAT_WS('|', {parts}))), 0)) \
             FROM information_schema.{list} WHERE {}",
            scope("TABLE_SCHEMA", one)
        )
    };
    let columns = sum(
        "COLUMNS",
        "TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_TYPE, IS_NULLABLE, \
         COALESCE(COLUMN_DEFAULT, '-'), EXTRA, COLUMN_KEY, COLUMN_COMMENT, \
         COALESCE(GENERATION_EXPRESSION, '-')",
    );
    let indexes = sum(
        "STATISTICS",
        "TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COALESCE(COLUMN_NAME, '-'), NON_UNIQUE",
    );
    let keys = sum(
        "KEY_COLUMN_USAGE",
        "TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, \
         COALESCE(REFERENCED_TABLE_NAME, '-'), COALESCE(REFERENCED_COLUMN_NAME, '-')",
    );
    let sums = lease.ask(&format!("{columns} UNION ALL {indexes} UNION ALL {keys}")).await?;
    Ok(sums.iter().map(|row| row.text(0)).collect::<Vec<_>>().join(" "))
}

/// Writes which schemas are looked at.
fn scope(schema: &str, one: bool) -> String {
    if one { format!("{schema} = DATABASE()") } else { format!("{schema} NOT IN ({SYSTEM})") }
}
