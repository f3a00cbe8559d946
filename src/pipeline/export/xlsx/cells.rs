//! Rows of a sheet as XML.

use std::fmt::Write;

use crate::domain::ResultColumn;

use super::dates::{Moment, says_date};
use super::parts;

/// The rows that wait to be compressed.
#[derive(Debug)]
pub(super) struct Sheet {
    text: String,
    row: u64,
    /// Letters of each column, and whether its declared type says that it holds dates.
    columns: Vec<(String, bool)>,
}

impl Sheet {
    pub(super) fn new(columns: &[ResultColumn]) -> Self {
        let of = |(at, column): (usize, &ResultColumn)| (letters(at), says_date(&column.data_type));
        Sheet { text: String::new(), row: 0, columns: columns.iter().enumerate().map(of).collect() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// Writes the row of names.
    pub(super) fn names(&mut self, columns: &[ResultColumn]) {
        self.begin_row();
        for (at, column) in columns.iter().enumerate() {
            self.string(at, &column.name, parts::BOLD);
        }
        self.end_row();
    }

    pub(super) fn begin_row(&mut self) {
        self.row += 1;
        let _ = write!(self.text, r#"<row r="{}">"#, self.row);
    }

    pub(super) fn end_row(&mut self) {
        self.text.push_str("</row>");
    }

    /// Writes a number, given as it is written.
    pub(super) fn number(&mut self, column: usize, digits: &str) {
        self.begin_cell(column);
        let _ = write!(self.text, "\"><v>{digits}</v></c>");
    }

    /// Writes a text, as a date where the column says so and the text is one.
    pub(super) fn text_or_date(&mut self, column: usize, text: &str) {
        let dates = self.columns.get(column).is_some_and(|(_, dates)| *dates);
        match dates.then(|| Moment::read(text)).flatten() {
            Some(moment) => {
                let style = if moment.timed { parts::MOMENT } else { parts::DATE };
                self.begin_cell(column);
                let _ = write!(self.text, r#"" s="{style}"><v>{}</v></c>"#, moment.serial());
            }
            None => self.string(column, text, 0),
        }
    }

    fn string(&mut self, column: usize, text: &str, style: u8) {
        self.begin_cell(column);
        if style > 0 {
            let _ = write!(self.text, r#"" s="{style}"#);
        }
        self.text.push_str(r#"" t="inlineStr"><is><t xml:space="preserve">"#);
        escape(text, &mut self.text);
        self.text.push_str("</t></is></c>");
    }

    fn begin_cell(&mut self, column: usize) {
        let letters = self.columns.get(column).map_or("", |(letters, _)| letters.as_str());
        let _ = write!(self.text, r#"<c r="{letters}{}"#, self.row);
    }
}

/// Writes text as XML. What XML can't hold is `_xHHHH_`, as is an underscore that would be read as
/// the beginning of one (ECMA-376, part 1, section 22.9.2.19).
fn escape(text: &str, out: &mut String) {
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' => out.push(c),
            // a bare carriage return is read as a line feed
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "_x{:04X}_", u32::from(c));
            }
            '_' if is_escape(text.get(at..).unwrap_or_default()) => out.push_str("_x005F_"),
            c => out.push(c),
        }
    }
}

fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some([b'_', b'x', digits @ .., b'_']) = bytes.get(..7) else { return false };
    digits.iter().all(u8::is_ascii_hexdigit)
}

/// Names a column as sheets do: A to Z, AA, AB, …
fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        let digit = u8::try_from((left - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + digit));
        left = (left - 1) / 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_as_sheets_name_them() {
        for (at, name) in
            [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")]
        {
            assert_eq!(letters(at), name);
        }
    }

    #[test]
    fn what_xml_cannot_hold_is_escaped() {
        let mut out = String::new();
        escape("a<b>&\"\0\u{1b}[m\r\n\t_x0041_ _x41_ é\u{ffff}", &mut out);
        let expected = "a&lt;b&gt;&amp;\"_x0000__x001B_[m_x000D_\n\t_x005F_x0041_ _x41_ é_xFFFF_";
        assert_eq!(out, expected);
    }
}
