//! An export as a face holds it: what is told, and the end; dropping it cancels the work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::database::ResultStore;
use crate::database::results::Stop;
use crate::domain::ResultId;

use super::super::session::Session;
use super::Export;
use super::place::Begun;
use super::trouble::ExportTrouble;
use super::work::{self, Job};

/// What is told and not yet taken; more than the newest progress serves nobody.
const WAITING: usize = 4;
/// How often progress is told.
pub(super) const BEAT: Duration = Duration::from_millis(100);

/// What an export tells, in order; `Ended` is the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    /// Rows still arrive; so many have come.
    Waiting {
        /// Rows that have arrived.
        rows: u64,
    },
    /// Rows are looked through or written.
    Wrote {
        /// Rows written so far.
        rows: u64,
        /// Rows in all.
        total: u64,
    },
    /// The file stands under its final name, or nothing does.
    Ended(Result<Written, ExportTrouble>),
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Rows in it, the header not counted.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// What a reader of the file should know, as sentences: renamed columns, mixed types.
    pub notes: Vec<String>,
}

/// An export under way. Dropping it cancels: what was begun is removed.
#[derive(Debug)]
pub struct Exporting {
    told: mpsc::Receiver<Exported>,
    stop: Stop,
    begun: Begun,
    task: JoinHandle<()>,
}

impl Exporting {
    /// Waits for what comes next: progress some ten times a second, then the end; none after it.
    pub async fn next(&mut self) -> Option<Exported> {
        self.told.recv().await
    }

    /// Waits for the end.
    pub async fn ended(mut self) -> Result<Written, ExportTrouble> {
        while let Some(told) = self.next().await {
            if let Exported::Ended(end) = told {
                return end;
            }
        }
        Err(ExportTrouble::unexpected())
    }
}

impl Drop for Exporting {
    fn drop(&mut self) {
        self.stop.ask();
        self.begun.remove();
        self.task.abort();
    }
}

impl Session {
    /// Writes a result into a file. Rows still arriving are waited for.
    ///
    /// Must be called inside the async runtime; the work goes on while `Exporting` lives, whether or
    /// not it is waited for.
    pub fn export(&self, of: &ResultId, export: Export) -> Exporting {
        let stop = Stop::default();
        let (sender, told) = mpsc::channel(WAITING);
        let begun = Begun::default();
        let result = self.result(of);
        let (stopped, temporary, sacred) = (stop.clone(), begun.clone(), self.own_files());
        let job =
            |result, told| Job { result, export, sacred, stop: stopped, begun: temporary, told };
        let task = tokio::spawn(carry(result, job, sender));
        Exporting { told, stop, begun, task }
    }
}

async fn carry(
    result: Option<Arc<ResultStore>>,
    job: impl FnOnce(Arc<ResultStore>, mpsc::Sender<Exported>) -> Job,
    sender: mpsc::Sender<Exported>,
) {
    let end = match result {
        None => Err(ExportTrouble::new(
            "this result is no longer kept",
            "Run the SQL again, then export.",
        )),
        Some(result) => {
            all_rows(&result, &sender).await;
            let job = job(result, sender.clone());
            let worked = tokio::task::spawn_blocking(move || work::work(&job)).await;
            worked.unwrap_or_else(|_| Err(ExportTrouble::unexpected()))
        }
    };
    // without a receiver nobody is left to tell
    let _ = sender.send(Exported::Ended(end)).await;
}

/// Waits for the last row.
async fn all_rows(result: &ResultStore, sender: &mpsc::Sender<Exported>) {
    let mut beat = tokio::time::interval(BEAT);
    let ended = result.ended();
    tokio::pin!(ended);
    loop {
        tokio::select! {
            biased;
            () = &mut ended => return,
            _ = beat.tick() => {
                // a busy face sees the next count
                let _ = sender.try_send(Exported::Waiting { rows: result.count() });
            }
        }
    }
}
