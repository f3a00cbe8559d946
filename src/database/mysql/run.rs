//! Runs one statement and streams its rows into a result, within limits.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use mysql_async::prelude::Queryable;
use mysql_async::{Error, Row, Value};

use super::super::results::{ResultStore, Room, RowBytes};
use super::super::{Limits, Trouble};
use super::pool::{Lease, Pool};
use super::values::{Cells, column};
use super::{verdict, wall};
use crate::domain::Stage;
use crate::domain::counts::count;

/// Time beyond the limit for the server to say by itself that it is over.
const GRACE: Duration = Duration::from_millis(250);
/// Time for the end of a result behind the last row wanted; the server was told how many.
const ENDING: Duration = Duration::from_millis(50);

/// How reading ended.
enum End {
    /// The server has nothing more to say; why it stopped early, if it did.
    Whole(Option<String>),
    /// There is more, which nobody wants.
    Cut(Option<String>),
}

/// Runs a statement to its end or a limit; returns why it stopped before the last row.
pub(super) async fn stream(
    pool: &Arc<Pool>,
    sql: &str,
    limits: Limits,
    into: &ResultStore,
) -> Result<Option<String>, Trouble> {
    let mut lease = pool.begin(limits).await?;
    let reading = rows(pool, &mut lease, sql, limits, into);
    // a lease that is dropped kills its statement
    let Ok(ended) = tokio::time::timeout(limits.timeout + GRACE, reading).await else {
        return Err(verdict::timeout(limits.timeout));
    };
    if !matches!(ended, Ok(End::Cut(_))) {
        lease.after(&ended).await;
    }
    ended.map(|(End::Whole(stopped) | End::Cut(stopped))| stopped)
}

async fn rows(
    pool: &Pool,
    lease: &mut Lease,
    sql: &str,
    limits: Limits,
    into: &ResultStore,
) -> Result<End, Trouble> {
    let target = &pool.target;
    let statement = wall::prove(lease, sql, target).await?;
    let quotes = lease.quotes;
    let broken =
        |error: &Error| broken_off(error, limits, || verdict::refusal(error, sql, quotes, target));
    let running = lease.conn()?.exec_stream::<Row, _, _>(&statement, ());
    let mut rows = running.await.map_err(|error| broken(&error))?;
    let columns = rows.columns();
    into.begin(columns.iter().map(|one| column(one, target.database.as_deref())).collect());
    let cells: Vec<Cells> = columns.iter().map(Cells::of).collect();
    let mut bytes = RowBytes::new();
    let mut read = 0_u64;
    while let Some(row) = rows.next().await {
        let row = row.map_err(|error| broken(&error))?;
        if limits.max_rows == Some(read) {
            let ended = tokio::time::timeout(ENDING, rows.next()).await;
            let stopped = Some(format!("stopped after {}, the limit given", count(read, "row")));
            return Ok(if matches!(ended, Ok(None)) {
                End::Whole(stopped)
            } else {
                End::Cut(stopped)
            });
        }
        bytes.clear();
        for (at, cells) in cells.iter().enumerate() {
            cells.push(row.as_ref(at).unwrap_or(&Value::NULL), &mut bytes);
        }
        if into.push(&bytes) == Room::Stop {
            return Ok(End::Cut(into.stopped()));
        }
        read += 1;
    }
    Ok(End::Whole(None))
}

/// Says why a statement broke off while it ran.
fn broken_off(error: &Error, limits: Limits, refusal: impl FnOnce() -> Trouble) -> Trouble {
    if verdict::is_timeout(error) {
        return verdict::timeout(limits.timeout);
    }
    match refusal() {
        // what is wrong with the text was said before it ran
        Trouble::Query(mut failure) if failure.stage == Stage::Prepare => {
            failure.stage = Stage::Run;
            for diagnostic in &mut failure.diagnostics {
                if diagnostic.code == "prepare_error" {
                    "run_error".clone_into(&mut diagnostic.code);
                }
            }
            Trouble::Query(failure)
        }
        other @ (Trouble::Query(_) | Trouble::Database(_)) => other,
    }
}
