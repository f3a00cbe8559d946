//! Results of any size in bounded memory: rows arrive once, and can be read at any position.
//!
//! What belongs here: keeping rows that an engine streams, reading them back, and looking through them
//! in bounded memory: sorted, filtered, searched, summed up. What must never come: engines, files that
//! stay, drawing.
//! To add a look: a file with a function over `ResultStore::scan` that takes a `Stop`.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::domain::counts::count;
use crate::domain::{ResultColumn, Rows, Value};

mod arranged;
mod blocks;
mod encoding;
mod found;
#[cfg(test)]
mod looks;
mod needle;
mod order;
mod runs;
mod scan;
mod sieve;
mod spill;
mod stop;
mod summary;
mod tally;
#[cfg(test)]
mod tests;

pub use arranged::{Unarranged, arranged};
pub use encoding::{RowBytes, RowRef};
pub use found::find;
pub use stop::Stop;
pub use summary::summarize;

use blocks::{Blocks, Bounds};

/// Rows that a run keeps for its record.
const KEPT_ROWS: usize = 1000;
/// Bytes of those rows.
const KEPT_BYTES: usize = 1 << 20;

/// The rows of one statement, filled by a database session and read by a face meanwhile.
///
/// Memory is bounded: rows beyond the first few MiB are kept in an unnamed temporary file, with
/// the place of each block of rows in memory.
#[derive(Debug)]
pub struct ResultStore {
    /// Held for the time of one row or of looking up a place, never while a page is decoded.
    state: Mutex<State>,
    /// Tells those who wait for the last row.
    ended: watch::Sender<bool>,
}

#[derive(Debug)]
struct State {
    columns: Vec<ResultColumn>,
    /// Units of the columns, known before they are.
    units: Vec<Option<String>>,
    kept: Vec<Vec<Value>>,
    kept_bytes: usize,
    /// False once a row did not fit: what is kept is a prefix.
    keeping: bool,
    blocks: Blocks,
    /// Rows that the engine returned; more than `blocks` holds when a replayed run is shown.
    read: u64,
    finished: bool,
    stopped: Option<String>,
}

/// Rows at a position of a result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// Columns of the result.
    pub columns: Vec<ResultColumn>,
    /// Number of the first row, from 0.
    pub first: u64,
    /// Rows from there on.
    pub rows: Vec<Vec<Value>>,
    /// Rows that have arrived so far.
    pub total: u64,
    /// True once all have arrived.
    pub finished: bool,
}

/// What a writer shall do after a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// There is room for more.
    More,
    /// The store is full or its file can't be written: `ResultStore::stopped` has the reason.
    Stop,
}

impl Default for ResultStore {
    fn default() -> Self {
        ResultStore::new()
    }
}

impl ResultStore {
    /// Makes an empty store that spills into the system's temporary folder.
    pub fn new() -> Self {
        ResultStore::spilling_into(std::env::temp_dir())
    }

    /// Makes an empty store that spills into a folder.
    pub fn spilling_into(folder: PathBuf) -> Self {
        ResultStore::bounded(folder, Bounds::default())
    }

    fn bounded(folder: PathBuf, bounds: Bounds) -> Self {
        let state = State {
            columns: Vec::new(),
            units: Vec::new(),
            kept: Vec::new(),
            kept_bytes: 0,
            keeping: true,
            blocks: Blocks::new(folder, bounds),
            read: 0,
            finished: false,
            stopped: None,
        };
        ResultStore { state: Mutex::new(state), ended: watch::Sender::new(false) }
    }

    /// Makes a finished store of rows that a run kept.
    ///
    /// `count` and `Page::total` tell the rows that can be read here, so that a grid never shows
    /// rows it can't get; `read` tells how many the run read.
    pub fn kept(rows: &Rows) -> Self {
        let store = ResultStore::new();
        store.begin(rows.columns.clone());
        for row in &rows.rows {
            if store.push_values(row) == Room::Stop {
                break;
            }
        }
        let missing = rows.row_count > rows.rows.len() as u64;
        let why = match rows.rows.len() {
            1 => "the run kept the first row".to_owned(),
            n => format!("the run kept the first {}", count(n, "row")),
        };
        store.finish((missing || rows.truncated).then_some(why));
        store.lock().read = rows.row_count;
        store
    }

    /// Says in which units the columns will be; before they are known.
    pub fn measured_in(&self, units: Vec<Option<String>>) {
        self.lock().units = units;
    }

    /// Sets the columns, before the first row.
    pub fn begin(&self, mut columns: Vec<ResultColumn>) {
        let mut state = self.lock();
        let units = std::mem::take(&mut state.units);
        // units of other columns than these belong to none of them
        if units.len() == columns.len() {
            for (column, unit) in columns.iter_mut().zip(units) {
                column.unit = unit;
            }
        }
        state.columns = columns;
    }

    /// Names the type of a column that had none.
    pub fn set_type(&self, column: usize, data_type: &str) {
        if let Some(column) = self.lock().columns.get_mut(column) {
            data_type.clone_into(&mut column.data_type);
        }
    }

    /// Adds a row; each has as many cells as there are columns.
    pub fn push(&self, row: &RowBytes) -> Room {
        self.push_row(row.as_bytes())
    }

    /// Adds a row that is already bytes.
    fn push_row(&self, row: &[u8]) -> Room {
        let mut state = self.lock();
        state.keep(row);
        let width = state.columns.len();
        match state.blocks.push(row, width) {
            Ok(()) => {
                state.read += 1;
                Room::More
            }
            Err(reason) => {
                state.stopped = Some(reason);
                Room::Stop
            }
        }
    }

    /// Adds a row of values.
    pub fn push_values(&self, row: &[Value]) -> Room {
        let mut bytes = RowBytes::new();
        for cell in row {
            bytes.value(cell);
        }
        self.push(&bytes)
    }

    /// Says that no more rows come, and why reading stopped if it stopped early.
    pub fn finish(&self, stopped: Option<String>) {
        let mut state = self.lock();
        state.finished = true;
        if stopped.is_some() {
            state.stopped = stopped;
        }
        drop(state);
        self.ended.send_replace(true);
    }

    /// Waits until no more rows come.
    pub async fn ended(&self) {
        let mut ended = self.ended.subscribe();
        // the sender lives as long as the store, so the wait ends with the last row only
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Reads rows at a position; fewer when fewer have arrived.
    ///
    /// All rows asked for are made at once: ask for what is shown or written next.
    pub fn page(&self, range: Range<u64>) -> Page {
        let (mut page, width, pieces) = {
            let state = self.lock();
            let page = Page {
                columns: state.columns.clone(),
                first: range.start,
                rows: Vec::new(),
                total: state.blocks.count(),
                finished: state.finished,
            };
            (page, state.columns.len(), state.blocks.pieces(range))
        };
        for piece in pieces {
            piece.read_into(width, &mut page.rows);
        }
        page
    }

    /// Counts the rows that have arrived.
    pub fn count(&self) -> u64 {
        self.lock().blocks.count()
    }

    /// Counts the rows that the engine returned; for a replayed run more than can be read here.
    pub fn read(&self) -> u64 {
        self.lock().read
    }

    /// Returns the columns; types fill in as the first values arrive.
    pub fn columns(&self) -> Vec<ResultColumn> {
        self.lock().columns.clone()
    }

    /// Tells whether all rows have arrived.
    pub fn finished(&self) -> bool {
        self.lock().finished
    }

    /// Says why reading stopped before the end, if it did.
    pub fn stopped(&self) -> Option<String> {
        self.lock().stopped.clone()
    }

    /// Returns the part that a run keeps: at most the first 1,000 rows or 1 MiB.
    pub fn head(&self) -> Rows {
        let state = self.lock();
        Rows {
            columns: state.columns.clone(),
            rows: state.kept.clone(),
            row_count: state.read,
            truncated: state.stopped.is_some() || (state.kept.len() as u64) < state.read,
            stopped: state.stopped.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // a panic while a row was added leaves whole rows only: reading on is safe
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, row: &[u8]) {
        let bytes = self.kept_bytes + row.len();
        self.keeping = self.keeping && self.kept.len() < KEPT_ROWS && bytes <= KEPT_BYTES;
        if self.keeping {
            self.kept.push(RowRef::new(row, self.columns.len()).values());
            self.kept_bytes = bytes;
        }
    }
}
