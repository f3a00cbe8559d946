//! Rows on their way to standard output: each is written once, as soon as it is there.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::ops::ControlFlow;

use crate::domain::ResultId;
use crate::pipeline::ResultStore;
use crate::render::table::{TableForm, TableWriter};
use crate::shown::Shown;

use super::choices::Format;
use super::output::{escaped, lost};

/// One result written row by row, from its first row on.
pub(super) struct Streaming {
    form: TableForm,
    /// Standard output is a terminal, which acts on what data may hold.
    safe: bool,
    out: BufWriter<Stdout>,
    table: Option<TableWriter>,
    /// The result whose rows are written; rows of another one can't follow them.
    result: Option<ResultId>,
    /// Rows written.
    rows: u64,
    gone: bool,
}

impl Streaming {
    /// Prepares to write in a format.
    pub(super) fn new(format: Format) -> Self {
        let form = match format {
            Format::Csv => TableForm::Csv,
            Format::Tsv => TableForm::Tsv,
            Format::Markdown => TableForm::Markdown,
            Format::Jsonl | Format::Json | Format::Table => TableForm::JsonLines,
        };
        let safe = io::stdout().is_terminal();
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Streaming { form, safe, out, table: None, result: None, rows: 0, gone: false }
    }

    /// Writes the rows that have arrived of a running statement; breaks when nobody reads them.
    pub(super) fn arrived(&mut self, id: &ResultId, result: &ResultStore) -> ControlFlow<()> {
        let until = result.count();
        if until == 0 || *self.result.get_or_insert_with(|| id.clone()) != *id {
            return ControlFlow::Continue(());
        }
        let written = self.write(result, until).and_then(|()| self.out.flush());
        self.note(written)
    }

    /// Tells whether rows of another result were written.
    pub(super) fn spoilt_for(&self, id: Option<&ResultId>) -> bool {
        self.result.is_some() && self.result.as_ref() != id
    }

    /// Tells whether nobody takes any more of it.
    pub(super) fn gone(&self) -> bool {
        self.gone
    }

    /// Writes what is left of a result, and what ends the table.
    pub(super) fn end(&mut self, result: &ResultStore) {
        let written = self.write(result, u64::MAX).and_then(|()| {
            let mut text = String::new();
            if let Some(table) = &mut self.table {
                table.tail(&mut text);
            }
            self.send(&text)?;
            self.out.flush()
        });
        // there is nothing to stop any more
        let _ = self.note(written);
    }

    /// Notes how writing went: a reader that went away is no error, anything else is told at the end.
    fn note(&mut self, written: io::Result<()>) -> ControlFlow<()> {
        let Err(error) = written else { return ControlFlow::Continue(()) };
        self.gone = true;
        if error.kind() != ErrorKind::BrokenPipe {
            lost(error);
        }
        ControlFlow::Break(())
    }

    fn write(&mut self, result: &ResultStore, until: u64) -> io::Result<()> {
        if self.gone {
            return Ok(());
        }
        let mut text = String::new();
        let mut table = self.table.take().unwrap_or_else(|| {
            let table = TableWriter::new(self.form, &result.columns(), None);
            table.head(&mut text);
            table
        });
        let scanned = result.scan(self.rows..until, |_, row| {
            table.row(row.cells(), &mut text);
            self.rows += 1;
            let sent = self.send(&text);
            text.clear();
            sent.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        self.table = Some(table);
        let scanned = scanned.map_err(|error| {
            let why = format!("rows can't be read back from the temporary folder: {error}");
            io::Error::other(why)
        })?;
        match scanned {
            ControlFlow::Break(error) => Err(error),
            // the head alone, where there is no row
            ControlFlow::Continue(()) => self.send(&text),
        }
    }

    /// Writes lines as they are into a file or pipe, and made safe on a terminal. JSON says the same
    /// in signs that no terminal acts on.
    fn send(&mut self, text: &str) -> io::Result<()> {
        if self.form == TableForm::JsonLines {
            return self.out.write_all(escaped(text).as_bytes());
        }
        if !self.safe {
            return self.out.write_all(text.as_bytes());
        }
        for line in text.lines() {
            writeln!(self.out, "{}", Shown::new(&line.replace('\t', "  ")))?;
        }
        Ok(())
    }
}
