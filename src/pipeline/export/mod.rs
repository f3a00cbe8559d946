//! Writing a result into a file: whole under its final name, or not there at all.
//!
//! What belongs here: one file for each form, the temporary file that becomes the final one, and what
//! is said when it can't. What must never come: choosing names or asking back, which faces do.
//! To add a form: a variant of `ExportFormat` with its arms below, a file with a `RowWriter`, its arm
//! in `work::writer`.

use std::path::{Path, PathBuf};

#[cfg(feature = "parquet")]
mod parquet;
mod place;
mod rows;
mod text;
mod told;
mod trouble;
mod work;
mod xlsx;

pub use told::{Exported, Exporting, Written};
pub use trouble::{Consent, ExportTrouble};

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
    pub fn of_path(path: &Path) -> Option<Self> {
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
