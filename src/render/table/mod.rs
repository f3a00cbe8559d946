//! Rows as text for files, pipes and the clipboard: one form, one file.
//!
//! What belongs here: how a cell is written and quoted in each form. What must never come: colours,
//! widths, or making text safe for a terminal; this text keeps the bytes of the data.
//! To add a form: a variant of `TableForm`, an arm in each method of `TableWriter`.

use crate::domain::{Cell, ResultColumn, Value};

mod insert;
mod json;
mod markdown;
mod separated;

/// The text forms of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableForm {
    /// Tab-separated, as spreadsheets paste it: cells with tabs, line ends or quotes are quoted.
    Tsv,
    /// Comma-separated (RFC 4180): NULL is an empty field, an empty text is `""`.
    Csv,
    /// A JSON array of objects, one a line.
    Json,
    /// A JSON object a line. Integers are exact; blobs are `x'…'` as text; infinity is text.
    JsonLines,
    /// A Markdown table.
    Markdown,
    /// SQL `INSERT` statements, one for each row.
    Sql,
}

/// Writes a table row by row: `head`, each `row`, `tail`.
#[derive(Debug, Clone)]
pub struct TableWriter {
    form: TableForm,
    /// Names as the form needs them: distinct as JSON keys, quoted in SQL.
    names: Vec<String>,
    /// The beginning of each SQL statement.
    insert: String,
    rows: u64,
}

impl TableWriter {
    /// Begins a table. `table` is the name in `INSERT INTO`; none takes the one table that all
    /// columns come from, else `result`.
    pub fn new(form: TableForm, columns: &[ResultColumn], table: Option<&str>) -> Self {
        let names: Vec<String> = match form {
            TableForm::Json | TableForm::JsonLines => distinct_names(columns),
            TableForm::Tsv | TableForm::Csv | TableForm::Markdown | TableForm::Sql => {
                columns.iter().map(|column| column.name.clone()).collect()
            }
        };
        let insert = match form {
            TableForm::Sql => insert::beginning(columns, table),
            TableForm::Tsv
            | TableForm::Csv
            | TableForm::Json
            | TableForm::JsonLines
            | TableForm::Markdown => String::new(),
        };
        TableWriter { form, names, insert, rows: 0 }
    }

    /// Writes what comes before the first row.
    pub fn head(&self, out: &mut String) {
        let names = || self.names.iter().map(|name| Cell::Text(name));
        match self.form {
            TableForm::Tsv => separated::line(names(), '\t', out),
            TableForm::Csv => separated::line(names(), ',', out),
            TableForm::Markdown => markdown::head(names(), out),
            TableForm::Json => out.push('['),
            TableForm::JsonLines | TableForm::Sql => {}
        }
    }

    /// Writes a row with the end of its line.
    pub fn row<'a>(&mut self, cells: impl Iterator<Item = Cell<'a>>, out: &mut String) {
        match self.form {
            TableForm::Tsv => separated::line(cells, '\t', out),
            TableForm::Csv => separated::line(cells, ',', out),
            TableForm::Markdown => markdown::line(cells, out),
            TableForm::Json => {
                out.push_str(if self.rows == 0 { "\n" } else { ",\n" });
                json::object(&self.names, cells, out);
            }
            TableForm::JsonLines => {
                json::object(&self.names, cells, out);
                out.push('\n');
            }
            TableForm::Sql => insert::line(&self.insert, cells, out),
        }
        self.rows += 1;
    }

    /// Writes what comes after the last row.
    pub fn tail(&self, out: &mut String) {
        if self.form == TableForm::Json {
            out.push_str(if self.rows == 0 { "]\n" } else { "\n]\n" });
        }
    }
}

/// Writes a whole table as text, names first.
///
/// `table` is the name in `INSERT INTO`; none takes the one table that all columns come from, else
/// `result`.
pub fn table_text(
    form: TableForm,
    columns: &[ResultColumn],
    rows: &[Vec<Value>],
    table: Option<&str>,
) -> String {
    let mut writer = TableWriter::new(form, columns, table);
    let mut out = String::new();
    writer.head(&mut out);
    for row in rows {
        writer.row(row.iter().map(Cell::from), &mut out);
    }
    writer.tail(&mut out);
    out
}

/// Makes names that differ from each other: the second `id` becomes `id_2`.
pub fn distinct_names(columns: &[ResultColumn]) -> Vec<String> {
    let given = |name: &str| columns.iter().any(|column| column.name == name);
    let mut names: Vec<String> = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for column in columns {
        let mut name = column.name.clone();
        let mut n = 2;
        while !taken.insert(name.clone()) {
            name = format!("{}_{n}", column.name);
            // a name that another column already has is left to it
            while given(&name) {
                n += 1;
                name = format!("{}_{n}", column.name);
            }
            n += 1;
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests;
