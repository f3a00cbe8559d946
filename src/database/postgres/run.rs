//! Runs one proved statement and streams its rows into a result.

use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use tokio_postgres::{SimpleQueryMessage, SimpleQueryRow};

use super::super::results::{ResultStore, Room, RowBytes};
use super::super::{Limits, Trouble};
use super::cells::Form;
use super::pool::Session;
use super::trouble::{self, refusal};
use super::{Postgres, verdict};
use crate::domain::Stage;
use crate::domain::counts::count;

/// Time beyond the limit in which the server itself ends a statement.
const GRACE: Duration = Duration::from_millis(250);

impl Postgres {
    /// Runs a statement to its end or a limit.
    pub(super) async fn run(
        &self,
        sql: &str,
        limits: Limits,
        into: &ResultStore,
    ) -> Result<Option<String>, Trouble> {
        let running = self.run_to_the_end(sql, limits, into);
        match tokio::time::timeout(limits.timeout.saturating_add(GRACE), running).await {
            Ok(Err(Trouble::Query(failure))) if failure.code() == "timeout" => {
                Err(trouble::timeout(limits.timeout))
            }
            Ok(ended) => ended,
            Err(_) => Err(trouble::timeout(limits.timeout)),
        }
    }

    async fn run_to_the_end(
        &self,
        sql: &str,
        limits: Limits,
        into: &ResultStore,
    ) -> Result<Option<String>, Trouble> {
        let on = self.pool.begin(Some(limits.timeout)).await?;
        let proved = match verdict::prove(on.session(), sql).await {
            Ok(proved) => proved,
            Err(trouble) => {
                on.end().await;
                return Err(trouble);
            }
        };
        let columns = self.result_columns(on.session(), &proved.statement).await?;
        into.begin(columns);
        let forms: Vec<Form> = proved.statement.columns().iter().map(Form::of).collect();
        match stream(on.session(), &proved.sql, sql, &forms, limits.max_rows, into).await {
            Ok(Ended::Early(why)) => {
                // what is left of it is cancelled
                drop(on);
                Ok(why)
            }
            Ok(Ended::Whole) => {
                on.end().await;
                Ok(None)
            }
            Err(trouble) => {
                on.end().await;
                Err(trouble)
            }
        }
    }
}

/// How a statement ended.
enum Ended {
    Whole,
    Early(Option<String>),
}

async fn stream(
    on: &Session,
    text: &str,
    sql: &str,
    forms: &[Form],
    most: Option<u64>,
    into: &ResultStore,
) -> Result<Ended, Trouble> {
    let broken = |error| refusal(&error, ("", sql), Stage::Run, on.target());
    let mut messages = pin!(on.client().simple_query_raw(text).await.map_err(broken)?);
    let mut bytes = RowBytes::new();
    let mut read = 0;
    while let Some(message) = messages.next().await {
        let SimpleQueryMessage::Row(row) = message.map_err(broken)? else { continue };
        if most == Some(read) {
            let why = format!("stopped after {}, the limit given", count(read, "row"));
            return Ok(Ended::Early(Some(why)));
        }
        encode(&row, forms, &mut bytes).map_err(broken)?;
        if into.push(&bytes) == Room::Stop {
            return Ok(Ended::Early(into.stopped()));
        }
        read += 1;
    }
    Ok(Ended::Whole)
}

fn encode(
    row: &SimpleQueryRow,
    forms: &[Form],
    bytes: &mut RowBytes,
) -> Result<(), tokio_postgres::Error> {
    bytes.clear();
    for (at, form) in forms.iter().enumerate() {
        match row.try_get(at)? {
            Some(cell) => form.encode(cell, bytes),
            None => bytes.null(),
        }
    }
    Ok(())
}
