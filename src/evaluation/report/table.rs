//! A Markdown table whose columns also line up in plain text.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

/// A table: the first column is words, the others are figures.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        Table { rows: vec![heads.iter().map(|head| (*head).to_owned()).collect()] }
    }

    /// Adds a row; it has as many cells as there are heads.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() < 2
    }

    /// Writes the table, a line a row.
    pub(super) fn write(&self, out: &mut String) {
        let width =
            |n: usize| self.rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.width()).max();
        let heads = self.rows.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..heads).map(|n| width(n).unwrap_or(0).max(3)).collect();
        for (at, row) in self.rows.iter().enumerate() {
            for (n, (cell, wide)) in row.iter().zip(&widths).enumerate() {
                let room = " ".repeat(wide - cell.width());
                // words stand to the left, figures to the right
                let (before, after) =
                    if n == 0 { ("", room.as_str()) } else { (room.as_str(), "") };
                let _ = write!(out, "| {before}{cell}{after} ");
            }
            out.push_str("|\n");
            if at == 0 {
                for (n, wide) in widths.iter().enumerate() {
                    let line = "-".repeat(wide - 1);
                    let (before, after) = if n == 0 { (":", "") } else { ("", ":") };
                    let _ = write!(out, "| {before}{line}{after} ");
                }
                out.push_str("|\n");
            }
        }
    }
}

/// Keeps a cell in its cell.
fn plain(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
