//! Memory on a PostgreSQL that a team shares: reached at first use, and again after a loss.
//!
//! What belongs here: connecting, the team's tables and their versions, telling a lost connection
//! from a refusal. What must never come: statements of memory itself, which are the same for a file;
//! a password in anything that is told.
//!
//! Several Querents work at once. A run is stored in one transaction that first takes the run's own
//! row, so that two who store the same run come one after the other; all other changes are one
//! statement each. Everything may be done twice with the same outcome, so that what a lost
//! connection left in doubt is simply done again.

mod connecting;
mod migrations;
mod password;
#[cfg(test)]
pub(super) mod tests;
mod trouble;

use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config};

use super::MemoryError;
use super::tables::{Cell, Change, Row, Tables};

use connecting::Line;
use trouble::Trouble;

pub use connecting::is_address;

/// Waits this long for the server: longer than a slow line needs, short for somebody who waits.
const PATIENCE: Duration = Duration::from_secs(5);

/// For so long a server that can't be reached isn't tried again: each try may cost all patience.
const PAUSE: Duration = Duration::from_secs(10);

/// A shared server, connected or not.
pub(super) struct Server {
    config: Config,
    /// The address without a password.
    shown: String,
    line: Option<Line>,
    /// When the server could not be reached last, and why.
    missed: Option<(Instant, String)>,
}

impl Server {
    /// Reads an address; connects to nothing.
    pub(super) fn at(address: &str) -> Result<Self, MemoryError> {
        let config = connecting::parse(address)?;
        let shown = connecting::shown(&config);
        Ok(Server { config, shown, line: None, missed: None })
    }

    /// Blocks until the work is done or in vain.
    fn wait<T>(
        &mut self,
        work: impl AsyncFn(&mut Client) -> Result<T, Trouble>,
    ) -> Result<T, MemoryError> {
        let done = match Handle::try_current() {
            Ok(runtime) => runtime.block_on(self.carry_out(work)),
            Err(e) => Err(Trouble::Refused(e.to_string())),
        };
        done.map_err(|trouble| MemoryError::Unusable {
            place: self.shown.clone(),
            what: trouble.words().to_owned(),
        })
    }

    /// Does the work, and does it again where a connection of before was found lost.
    async fn carry_out<T>(
        &mut self,
        work: impl AsyncFn(&mut Client) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let of_before = self.line.is_some();
        match self.attempt(&work).await {
            Err(Trouble::Lost(_)) if of_before => self.attempt(&work).await,
            done => done,
        }
    }

    async fn attempt<T>(
        &mut self,
        work: &impl AsyncFn(&mut Client) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut line = match self.line.take() {
            Some(line) => line,
            None => self.connect().await?,
        };
        let done = timeout(PATIENCE, line.carry(work)).await.unwrap_or_else(|_| Err(silent()));
        if !matches!(done, Err(Trouble::Lost(_) | Trouble::Silent(_))) {
            self.line = Some(line);
        }
        done
    }

    async fn connect(&mut self) -> Result<Line, Trouble> {
        if let Some((_, why)) = self.missed.as_ref().filter(|(at, _)| at.elapsed() < PAUSE) {
            return Err(Trouble::Refused(why.clone()));
        }
        let opened = async {
            let mut line = Line::open(&self.config).await?;
            line.carry(&migrations::prepare).await?;
            Ok(line)
        };
        let opened = timeout(PATIENCE, opened).await.unwrap_or_else(|_| Err(silent()));
        self.missed = opened.as_ref().err().map(|why| (Instant::now(), why.words().to_owned()));
        opened
    }
}

fn silent() -> Trouble {
    Trouble::Silent(format!("it did not answer within {} s", PATIENCE.as_secs()))
}

impl Tables for Server {
    fn read(&mut self, sql: &str, cells: &[Cell]) -> Result<Vec<Row>, MemoryError> {
        self.wait(async |client| {
            let texts = without_nul(cells);
            let rows = client.query_typed(sql, &typed(&texts)).await?;
            rows.iter().map(row).collect()
        })
    }

    fn write(&mut self, changes: &[Change]) -> Result<(), MemoryError> {
        self.wait(async |client| {
            let tx = client.transaction().await?;
            migrations::applied(&tx).await?;
            for change in changes {
                let texts = without_nul(&change.cells);
                tx.execute_typed(&change.sql, &typed(&texts)).await?;
            }
            Ok(tx.commit().await?)
        })
    }
}

/// Replaces the one sign that PostgreSQL takes in no text. Event lines never hold it: they write it
/// as JSON does.
fn without_nul(cells: &[Cell]) -> Vec<Cell> {
    let replaced = |cell: &Cell| match cell {
        Cell::Text(text) => Cell::Text(text.as_ref().map(|text| text.replace('\0', "\u{fffd}"))),
        Cell::Number(number) => Cell::Number(*number),
    };
    cells.iter().map(replaced).collect()
}

fn typed(cells: &[Cell]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    cells.iter().map(parameter).collect()
}

fn parameter(cell: &Cell) -> (&(dyn ToSql + Sync), Type) {
    match cell {
        Cell::Text(text) => (text, Type::TEXT),
        Cell::Number(number) => (number, Type::INT8),
    }
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Trouble> {
    let cells = row.columns().iter().enumerate().map(|(at, column)| match *column.type_() {
        Type::INT8 => row.try_get(at).map(Cell::Number),
        Type::INT4 => row.try_get(at).map(|n: Option<i32>| Cell::Number(n.map(i64::from))),
        _ => row.try_get(at).map(Cell::Text),
    });
    Ok(Row::new(cells.collect::<Result<_, _>>()?))
}
