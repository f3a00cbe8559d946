//! The work of an export, in a thread: look at the values, write the rows, give the file its name.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use crate::database::ResultStore;
use crate::database::results::Stop;
use crate::domain::counts::count;
use crate::domain::{Cell, ResultColumn};
use crate::render::table::TableForm;

use super::place::{self, Begun};
use super::rows::{Halt, Held, RowWriter};
use super::text::TextWriter;
use super::told::{BEAT, Exported, Written};
use super::trouble::{Consent, ExportTrouble};
use super::xlsx::Workbook;
use super::{Export, ExportFormat};

/// Rows between two looks at the flag and the watch.
const STRIDE: u64 = 256;

/// What an export needs.
pub(super) struct Job {
    pub(super) result: Arc<ResultStore>,
    pub(super) export: Export,
    pub(super) sacred: Vec<PathBuf>,
    pub(super) stop: Stop,
    pub(super) begun: Begun,
    pub(super) told: mpsc::Sender<Exported>,
}

/// Writes the file, whole, or leaves nothing.
pub(super) fn work(job: &Job) -> Result<Written, ExportTrouble> {
    let columns = wanted(&job.result.columns(), job.export.columns.as_deref())?;
    let total = job.result.count();
    if !job.export.partial {
        complete(job, total)?;
    }
    let allowed = place::allowed(&job.export.path, job.export.overwrite, &job.sacred)?;
    let (place, file) = place::begin(allowed, &job.begun, &job.stop)?;
    let written = write(job, &columns, total, file).and_then(|(file, notes)| {
        if job.stop.asked() { Err(Halt::Stopped) } else { Ok((file, notes)) }
    });
    match written {
        Ok((file, notes)) => {
            let (path, bytes) = place.settle(&file)?;
            Ok(Written { path, rows: total, bytes, notes })
        }
        Err(Halt::Stopped) => Err(ExportTrouble::cancelled()),
        Err(Halt::File(error)) => Err(ExportTrouble::of_file(&error, place.path())),
        Err(Halt::Trouble(trouble)) => Err(trouble),
    }
}

/// Sees to it that all rows of the statement are there.
fn complete(job: &Job, rows: u64) -> Result<(), ExportTrouble> {
    let Some(why) = job.result.stopped() else { return Ok(()) };
    let were = if rows == 1 { "was" } else { "were" };
    let what = format!("only {} {were} read, not the whole result: {why}", count(rows, "row"));
    let hint = "Run the SQL again without the limit, or export the part that was read.";
    Err(ExportTrouble::new(what, hint).asking(Consent::Partial))
}

/// A column that is written, and its place in the result.
type Wanted = (usize, ResultColumn);

fn wanted(all: &[ResultColumn], chosen: Option<&[usize]>) -> Result<Vec<Wanted>, ExportTrouble> {
    let chosen = chosen.map_or_else(|| (0..all.len()).collect(), <[usize]>::to_vec);
    let columns: Option<Vec<Wanted>> =
        chosen.iter().map(|at| Some((*at, all.get(*at)?.clone()))).collect();
    match columns {
        Some(columns) if !columns.is_empty() => Ok(columns),
        Some(_) => Err(ExportTrouble::new("there is no column to write", "Show a column first.")),
        None => {
            let what = format!("the result has only {}", count(all.len(), "column"));
            Err(ExportTrouble::new(what, "Choose columns that it has."))
        }
    }
}

fn write(
    job: &Job,
    columns: &[Wanted],
    total: u64,
    file: File,
) -> Result<(File, Vec<String>), Halt> {
    let mut writer = writer(job, columns, total, file)?;
    each(job, total, total, |row| {
        let cells: Vec<Cell<'_>> = row.cells().collect();
        let chosen: Vec<Cell<'_>> =
            columns.iter().map(|(at, _)| cells.get(*at).copied().unwrap_or(Cell::Null)).collect();
        writer.row(&chosen)
    })?;
    writer.finish()
}

/// Begins the file in its form.
fn writer(
    job: &Job,
    columns: &[Wanted],
    total: u64,
    file: File,
) -> Result<Box<dyn RowWriter>, Halt> {
    let of: Vec<ResultColumn> = columns.iter().map(|(_, column)| column.clone()).collect();
    let text = |form| Ok(Box::new(TextWriter::new(file.try_clone()?, form, &of)) as Box<_>);
    match job.export.format {
        ExportFormat::Csv => text(TableForm::Csv),
        ExportFormat::Tsv => text(TableForm::Tsv),
        ExportFormat::JsonLines => text(TableForm::JsonLines),
        ExportFormat::Markdown => text(TableForm::Markdown),
        ExportFormat::Sql => text(TableForm::Sql),
        ExportFormat::Xlsx => Ok(Box::new(Workbook::new(file, &of, total)?)),
        ExportFormat::Parquet => parquet(file, &of, || held(job, columns, total)),
    }
}

#[cfg(feature = "parquet")]
fn parquet(
    file: File,
    columns: &[ResultColumn],
    held: impl FnOnce() -> Result<Vec<Held>, Halt>,
) -> Result<Box<dyn RowWriter>, Halt> {
    Ok(Box::new(super::parquet::ParquetWriter::new(file, columns, &held()?)?))
}

#[cfg(not(feature = "parquet"))]
fn parquet(
    _file: File,
    _columns: &[ResultColumn],
    _held: impl FnOnce() -> Result<Vec<Held>, Halt>,
) -> Result<Box<dyn RowWriter>, Halt> {
    let what = "this build of querent can't write Parquet";
    let hint = "Build it with the feature parquet, or export CSV or JSON lines.";
    Err(ExportTrouble::new(what, hint).into())
}

/// Looks at all values: a typed form needs to know what its columns hold before the first row.
fn held(job: &Job, columns: &[Wanted], total: u64) -> Result<Vec<Held>, Halt> {
    let mut held = vec![Held::default(); columns.len()];
    each(job, total, 0, |row| {
        let cells: Vec<Cell<'_>> = row.cells().collect();
        for ((at, _), held) in columns.iter().zip(&mut held) {
            held.see(cells.get(*at).copied().unwrap_or(Cell::Null));
        }
        Ok(())
    })?;
    Ok(held)
}

/// Hands over all rows; tells as progress how many, at most `telling`.
fn each(
    job: &Job,
    total: u64,
    telling: u64,
    mut take: impl FnMut(crate::database::results::RowRef<'_>) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut told = Instant::now();
    let _ = job.told.try_send(Exported::Wrote { rows: 0, total });
    let scanned = job.result.scan(0..total, |number, row| {
        if number.is_multiple_of(STRIDE) {
            if job.stop.asked() {
                return ControlFlow::Break(Halt::Stopped);
            }
            if told.elapsed() >= BEAT {
                told = Instant::now();
                // a busy face sees the next count
                let _ = job.told.try_send(Exported::Wrote { rows: number.min(telling), total });
            }
        }
        take(row).map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    match scanned {
        Ok(ControlFlow::Continue(())) => Ok(()),
        Ok(ControlFlow::Break(halt)) => Err(halt),
        Err(error) => Err(ExportTrouble::of_rows(&error).into()),
    }
}
