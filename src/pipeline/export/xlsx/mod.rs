//! An Excel workbook with one sheet: names in bold above, the first row held in place.
//!
//! What belongs here: the few parts of Office Open XML (ECMA-376) that a table needs. What must never
//! come: a part that holds all rows; the sheet is written row by row.
//!
//! The format holds less than a database: whole numbers beyond 2^53 and numbers that aren't finite
//! are written as text, and so are blobs (`x'…'`). Dates are dates where the declared type says so and
//! the text is one. What doesn't fit at all is a sentence, never a cut file.

use std::fs::File;

use crate::domain::{Cell, ResultColumn};

use super::rows::{Halt, RowWriter, is_exact, note_malformed};
use super::trouble::ExportTrouble;
use cells::Sheet;
use zip::{Part, Zip};

mod cells;
mod dates;
mod parts;
mod zip;

/// Rows of a sheet below the names.
const ROWS: u64 = 1_048_575;
/// Columns of a sheet.
const COLUMNS: usize = 16_384;
/// Characters of a cell, counted as UTF-16.
const LETTERS: usize = 32_767;
/// Rows whose cells decide how wide columns are.
const MEASURED: u64 = 100;
/// Bytes that are gathered before they are compressed.
const GATHERED: usize = 256 << 10;
/// What else might be chosen.
const ELSE: &str = "Export Parquet or CSV, or narrow the query.";

pub(super) struct Workbook {
    part: Part,
    sheet: Sheet,
    columns: Vec<ResultColumn>,
    /// Widest cell of each column so far, in characters.
    widths: Vec<usize>,
    rows: u64,
    begun: bool,
    malformed: u64,
    /// For each column: numbers that became text.
    as_text: Vec<bool>,
}

impl Workbook {
    pub(super) fn new(file: File, columns: &[ResultColumn], rows: u64) -> Result<Self, Halt> {
        if rows > ROWS {
            let what = format!(
                "a sheet of Excel holds 1,048,575 rows below the names; this result has {rows}"
            );
            return Err(ExportTrouble::new(what, ELSE).into());
        }
        if columns.len() > COLUMNS {
            let what = format!("a sheet of Excel holds 16,384 columns; this has {}", columns.len());
            return Err(ExportTrouble::new(what, "Export fewer columns, Parquet or CSV.").into());
        }
        let mut zip = Zip::new(file);
        for (name, text) in parts::FIXED {
            let mut part = zip.begin(name)?;
            part.write(text.as_bytes())?;
            zip = part.end()?;
        }
        let mut book = Workbook {
            part: zip.begin(parts::SHEET)?,
            sheet: Sheet::new(columns),
            columns: columns.to_vec(),
            widths: columns.iter().map(|column| column.name.chars().count()).collect(),
            rows: 0,
            begun: false,
            malformed: 0,
            as_text: vec![false; columns.len()],
        };
        for (at, column) in columns.iter().enumerate() {
            book.fits(at, &column.name, "its name")?;
        }
        book.sheet.names(columns);
        Ok(book)
    }

    /// Sees to it that a text fits into a cell.
    fn fits(&self, column: usize, text: &str, place: &str) -> Result<(), Halt> {
        // no text has more characters than bytes
        if text.len() <= LETTERS || text.encode_utf16().count() <= LETTERS {
            return Ok(());
        }
        let name = self.columns.get(column).map_or("", |column| column.name.as_str());
        let name: String = name.chars().take(60).collect();
        let what = format!(
            "column “{name}”, {place}: {} characters are more than a cell of Excel holds (32,767)",
            text.encode_utf16().count()
        );
        Err(ExportTrouble::new(what, "Leave the column out, or export Parquet or CSV.").into())
    }

    /// Compresses what was gathered, after the part of the sheet that comes before the first row.
    fn write(&mut self) -> Result<(), Halt> {
        if !self.begun {
            self.begun = true;
            self.part.write(parts::before_rows(&self.widths).as_bytes())?;
        }
        self.part.write(self.sheet.text().as_bytes())?;
        self.sheet.clear();
        if self.part.is_full() {
            let what = "the sheet would be larger than 4 GiB, which a workbook can't hold";
            return Err(ExportTrouble::new(what, ELSE).into());
        }
        Ok(())
    }

    fn note(&self) -> Option<String> {
        let of = self.columns.iter().zip(&self.as_text).filter(|(_, as_text)| **as_text);
        let names: Vec<String> = of.map(|(column, _)| format!("“{}”", column.name)).collect();
        let some = !names.is_empty();
        some.then(|| format!("Numbers that Excel can't hold are text in {}.", names.join(", ")))
    }
}

impl RowWriter for Workbook {
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Halt> {
        self.rows += 1;
        self.sheet.begin_row();
        let mut plain = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let text = match cell {
                Cell::Null => continue,
                Cell::Text(text) => *text,
                Cell::Integer(_) | Cell::Real(_) | Cell::Blob(_) | Cell::Malformed(_) => {
                    plain.clear();
                    cell.push_plain(&mut plain);
                    plain.as_str()
                }
            };
            if text.len() > LETTERS {
                self.fits(at, text, &format!("row {}", self.rows))?;
            }
            if self.rows <= MEASURED
                && let Some(width) = self.widths.get_mut(at)
            {
                *width = (*width).max(text.chars().count());
            }
            let number = match cell {
                Cell::Integer(n) => is_exact(*n),
                Cell::Real(n) => n.is_finite(),
                Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Malformed(_) => false,
            };
            if number {
                self.sheet.number(at, text);
                continue;
            }
            if cell.number().is_some()
                && let Some(as_text) = self.as_text.get_mut(at)
            {
                *as_text = true;
            }
            self.malformed += u64::from(matches!(cell, Cell::Malformed(_)));
            self.sheet.text_or_date(at, text);
        }
        self.sheet.end_row();
        let measured = self.begun || self.rows >= MEASURED;
        if measured && self.sheet.text().len() >= GATHERED { self.write() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(File, Vec<String>), Halt> {
        self.write()?;
        let notes = self.note().into_iter().chain(note_malformed(self.malformed)).collect();
        self.part.write(parts::AFTER_ROWS.as_bytes())?;
        let file = self.part.end()?.finish()?;
        Ok((file, notes))
    }
}
