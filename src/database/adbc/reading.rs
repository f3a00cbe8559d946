//! Reads what statements return: small answers whole, results batch by batch with back-pressure.

use adbc_core::Statement;
use adbc_core::error::Error;
use adbc_driver_manager::ManagedStatement;
use tokio::sync::mpsc;

use super::super::results::{ResultStore, Room, RowBytes};
use super::super::{Limits, Trouble};
use super::cells::Batch;
use super::line::{Ended, Job, Length, Line, Seat};
use super::types;
use crate::domain::counts::count;
use crate::domain::{ResultColumn, Stage, Value};

/// Rows that are handed over at once.
const PART: usize = 512;
/// Parts that wait: the engine goes on while rows are stored, and waits when they are not.
const PARTS: usize = 4;

/// What a driver's errors mean, by the step they came from.
pub(super) type Say = fn(error: &Error, stage: Stage, sql: &str) -> Trouble;

/// What a thread hands over.
enum Part {
    Columns(Vec<ResultColumn>),
    Rows(Vec<RowBytes>),
}

/// Reads all rows of a small query of ours.
pub(super) fn ask(seat: &mut Seat, sql: &str) -> Result<Vec<Vec<Value>>, Error> {
    let mut statement = seat.statement()?;
    statement.set_sql_query(sql)?;
    collected(statement)
}

/// Runs a statement that has its text, and reads all of its rows.
pub(super) fn collected(mut statement: ManagedStatement) -> Result<Vec<Vec<Value>>, Error> {
    let mut rows = Vec::new();
    for batch in statement.execute()? {
        let batch = batch?;
        let batch = Batch::new(&batch)?;
        rows.extend((0..batch.rows()).map(|row| batch.values(row)));
    }
    Ok(rows)
}

/// Runs a statement of ours that returns nothing.
pub(super) fn command(seat: &mut Seat, sql: &str) -> Result<(), Error> {
    let mut statement = seat.statement()?;
    statement.set_sql_query(sql)?;
    statement.execute_update().map(drop)
}

/// Runs one statement within limits and pours its rows into a result; returns why it stopped before
/// the last row, if it did.
///
/// `before` runs on the same connection first, and proves that the statement only reads; `after`
/// ends what it began.
pub(super) async fn stream(
    line: &Line,
    say: Say,
    sql: &str,
    limits: Limits,
    into: &ResultStore,
    before: impl FnOnce(&mut Seat, &str) -> Result<(), Trouble> + Send + 'static,
    after: fn(&mut Seat),
) -> Result<Option<String>, Ended> {
    let (sender, receiver) = mpsc::channel(PARTS);
    let text = sql.to_owned();
    let run = async {
        let job = line
            .start(Length::Long, move |seat| {
                let ended = before(seat, &text)
                    .and_then(|()| read(seat, say, &text, limits.max_rows, &sender));
                after(seat);
                ended
            })
            .await;
        pour(receiver, into, job).await
    };
    tokio::time::timeout(limits.timeout, run).await.map_err(|_| Ended::Late)?
}

async fn pour(
    mut parts: mpsc::Receiver<Part>,
    into: &ResultStore,
    job: Job<Option<String>>,
) -> Result<Option<String>, Ended> {
    while let Some(part) = parts.recv().await {
        match part {
            Part::Columns(columns) => into.begin(columns),
            Part::Rows(rows) => {
                if rows.iter().any(|row| into.push(row) == Room::Stop) {
                    // dropping the job cancels the statement
                    return Ok(into.stopped());
                }
            }
        }
    }
    job.ended().await
}

/// Reads in the thread; ends when nobody takes the rows.
fn read(
    seat: &mut Seat,
    say: Say,
    sql: &str,
    most: Option<u64>,
    parts: &mpsc::Sender<Part>,
) -> Result<Option<String>, Trouble> {
    let mut statement = seat.statement().map_err(|error| say(&error, Stage::Connection, sql))?;
    statement.set_sql_query(sql).map_err(|error| say(&error, Stage::Prepare, sql))?;
    if seat.over() {
        return Ok(None);
    }
    let batches = statement.execute().map_err(|error| say(&error, Stage::Run, sql))?;
    if parts.blocking_send(Part::Columns(types::columns(&batches.schema()))).is_err() {
        return Ok(None);
    }
    let mut read = 0u64;
    for batch in batches {
        let batch = batch.map_err(|error| say(&error.into(), Stage::Run, sql))?;
        let batch = Batch::new(&batch).map_err(|error| say(&error.into(), Stage::Run, sql))?;
        let room = most.map_or(u64::MAX, |most| most - read);
        let take = usize::try_from(room).unwrap_or(usize::MAX).min(batch.rows());
        let mut row = 0;
        while row < take {
            let end = take.min(row + PART);
            let rows: Vec<RowBytes> = (row..end).map(|row| encoded(&batch, row)).collect();
            if parts.blocking_send(Part::Rows(rows)).is_err() {
                return Ok(None);
            }
            row = end;
        }
        read += take as u64;
        if take < batch.rows() {
            return Ok(Some(format!("stopped after {}, the limit given", count(read, "row"))));
        }
    }
    Ok(None)
}

fn encoded(batch: &Batch<'_>, row: usize) -> RowBytes {
    let mut bytes = RowBytes::new();
    batch.write(row, &mut bytes);
    bytes
}
