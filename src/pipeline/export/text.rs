//! CSV, TSV, JSON lines, Markdown and SQL: rows as text.

use std::fs::File;
use std::io::Write;

use crate::domain::{Cell, ResultColumn};
use crate::render::table::{TableForm, TableWriter, distinct_names};

use super::rows::{Halt, RowWriter, note_malformed, note_renamed};

/// Bytes that are gathered before they are written.
const GATHERED: usize = 256 << 10;

pub(super) struct TextWriter {
    file: File,
    table: TableWriter,
    text: String,
    malformed: u64,
    renamed: Option<String>,
}

impl TextWriter {
    pub(super) fn new(file: File, form: TableForm, columns: &[ResultColumn]) -> Self {
        let table = TableWriter::new(form, columns, None);
        let mut text = String::new();
        table.head(&mut text);
        let renamed = match form {
            TableForm::Json | TableForm::JsonLines | TableForm::Sql => {
                let given: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
                note_renamed(&given, &distinct_names(columns))
            }
            TableForm::Csv | TableForm::Tsv | TableForm::Markdown => None,
        };
        TextWriter { file, table, text, malformed: 0, renamed }
    }

    fn write(&mut self) -> Result<(), Halt> {
        self.file.write_all(self.text.as_bytes())?;
        self.text.clear();
        // one huge cell must not hold its memory for the rest of the file
        self.text.shrink_to(GATHERED * 2);
        Ok(())
    }
}

impl RowWriter for TextWriter {
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Halt> {
        let bad = cells.iter().filter(|cell| matches!(cell, Cell::Malformed(_))).count();
        self.malformed += bad as u64;
        self.table.row(cells.iter().copied(), &mut self.text);
        if self.text.len() >= GATHERED { self.write() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(File, Vec<String>), Halt> {
        self.table.tail(&mut self.text);
        self.write()?;
        let notes = self.renamed.take().into_iter().chain(note_malformed(self.malformed));
        Ok((self.file, notes.collect()))
    }
}
