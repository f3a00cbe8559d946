//! Rows as text for files, pipes and the clipboard: one form, one file.
//!
//! What belongs here: how a cell is written and quoted in each form. What must never come: colours,
//! widths, or making text safe for a terminal; this text keeps the bytes of the data.
//! To add a form: a variant of `TableForm`, an arm in each method of `TableWriter`.

use crate::domain::{Cell, ResultColumn, Value};

/// The text forms of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableForm {
    /// Tab-separated, as spreadsheets paste it: cells with tabs, newlines or quotes are quoted.
    Tsv,
    /// Comma-separated (RFC 4180): NULL is an empty field, an empty text is `""`.
    Csv,
    /// A JSON array of objects.
    Json,
    /// A JSON object a line.
    JsonLines,
    /// A Markdown table.
    Markdown,
    /// SQL `INSERT` statements, one for each row.
    Sql,
}

/// Writes whole rows as text, names first.
///
/// `table` is the name in `INSERT INTO`; none takes the one table that all columns come from, else
/// `result`.
pub fn table_text(
    form: TableForm,
    columns: &[ResultColumn],
    rows: &[Vec<Value>],
    table: Option<&str>,
) -> String {
    let _ = (form, columns, rows, table, Cell::Null);
    String::new()
}
