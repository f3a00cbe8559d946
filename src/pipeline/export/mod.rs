//! Writing a result into a file: whole under its final name, or not there at all.
//!
//! What belongs here: one file for each form, the temporary file that becomes the final one, and what
//! is said when it can't. What must never come: choosing names or asking back, which faces do.
//! To add a form: a variant of `ExportFormat` with its row in `FORMATS`, a file, an arm in `writer`.

use std::path::PathBuf;

use crate::domain::ResultId;

use super::session::Session;

/// The forms a result can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExportFormat {
    /// Comma-separated values (RFC 4180): NULL is an empty field, an empty text is `""`.
    #[default]
    Csv,
    /// Tab-separated values, quoted like CSV.
    Tsv,
    /// A JSON object a row.
    JsonLines,
    /// Apache Parquet, typed columns.
    Parquet,
    /// An Excel workbook with one sheet.
    Xlsx,
    /// A Markdown table.
    Markdown,
    /// SQL `INSERT` statements.
    Sql,
}

impl ExportFormat {
    /// All forms, in the order in which they are offered.
    pub const ALL: [ExportFormat; 7] = [
        ExportFormat::Csv,
        ExportFormat::JsonLines,
        ExportFormat::Parquet,
        ExportFormat::Xlsx,
        ExportFormat::Tsv,
        ExportFormat::Markdown,
        ExportFormat::Sql,
    ];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Csv => "CSV",
            ExportFormat::Tsv => "TSV",
            ExportFormat::JsonLines => "JSON lines",
            ExportFormat::Parquet => "Parquet",
            ExportFormat::Xlsx => "Excel",
            ExportFormat::Markdown => "Markdown",
            ExportFormat::Sql => "SQL INSERT",
        }
    }

    /// The usual ending of its files, without the point.
    pub fn extension(self) -> &'static str {
        match self {
            ExportFormat::Csv => "csv",
            ExportFormat::Tsv => "tsv",
            ExportFormat::JsonLines => "jsonl",
            ExportFormat::Parquet => "parquet",
            ExportFormat::Xlsx => "xlsx",
            ExportFormat::Markdown => "md",
            ExportFormat::Sql => "sql",
        }
    }

    /// The form that a file's ending names.
    pub fn of_path(path: &std::path::Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "ndjson" => Some(ExportFormat::JsonLines),
            ending => Self::ALL.into_iter().find(|format| format.extension() == ending),
        }
    }
}

/// What shall be written, where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Export {
    /// The form.
    pub format: ExportFormat,
    /// The file; its folder must exist.
    pub path: PathBuf,
    /// The columns, in this order; none means all.
    pub columns: Option<Vec<usize>>,
    /// Replace a file that is there.
    pub overwrite: bool,
    /// Also write a result of which only a part was read.
    pub partial: bool,
}

/// What an export tells, in order; `Ended` is the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    /// Rows still arrive; so many have come.
    Waiting {
        /// Rows that have arrived.
        rows: u64,
    },
    /// Rows are written.
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

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ExportTrouble {
    /// What is wrong, where: a sentence without its full stop.
    pub what: String,
    /// What to do, a sentence.
    pub hint: String,
}

/// An export under way. Dropping it cancels: what was begun is removed.
pub struct Exporting {
    told: tokio::sync::mpsc::Receiver<Exported>,
}

impl Exporting {
    /// Waits for what comes next: progress a few times a second, then the end; none after it.
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
        Err(ExportTrouble {
            what: "the export broke off".to_owned(),
            hint: "Export again.".to_owned(),
        })
    }
}

impl Session {
    /// Writes a result into a file. Rows still arriving are waited for.
    ///
    /// Must be called inside the async runtime; the work goes on while `Exporting` lives, whether or
    /// not it is waited for.
    pub fn export(&self, of: &ResultId, export: Export) -> Exporting {
        let _ = (self.result(of), export);
        let (sender, told) = tokio::sync::mpsc::channel(4);
        let end = ExportTrouble { what: "not yet".to_owned(), hint: String::new() };
        let _ = sender.try_send(Exported::Ended(Err(end)));
        Exporting { told }
    }
}
