//! Lines of cells with a sign between them, after RFC 4180: with commas CSV, with tabs what
//! spreadsheets paste.

use crate::domain::Cell;

/// Writes a line. NULL is an empty field, an empty text is `""`.
pub(super) fn line<'a>(cells: impl Iterator<Item = Cell<'a>>, by: char, out: &mut String) {
    let start = out.len();
    let mut count = 0;
    for cell in cells {
        if count > 0 {
            out.push(by);
        }
        count += 1;
        field(cell, by, out);
    }
    // a lone empty field would be an empty line, which readers skip
    if count == 1 && out.len() == start {
        out.push_str("\"\"");
    }
    out.push('\n');
}

fn field(cell: Cell<'_>, by: char, out: &mut String) {
    let start = out.len();
    cell.push_plain(out);
    let text = out.get(start..).unwrap_or_default();
    let empty = text.is_empty() && !cell.is_null();
    if empty || text.contains([by, '"', '\n', '\r']) {
        let quoted = format!("\"{}\"", text.replace('"', "\"\""));
        out.truncate(start);
        out.push_str(&quoted);
    }
}
