//! Rows as JSON objects.

use crate::domain::Cell;

/// Writes an object; names are distinct.
///
/// Whole numbers are written in full, beyond 2^53 too; numbers that JSON doesn't know (infinity) and
/// blobs (`x'…'`) are texts.
pub(super) fn object<'a>(
    names: &[String],
    cells: impl Iterator<Item = Cell<'a>>,
    out: &mut String,
) {
    out.push('{');
    for (at, (name, cell)) in names.iter().zip(cells).enumerate() {
        if at > 0 {
            out.push(',');
        }
        text(name, out);
        out.push(':');
        match cell {
            Cell::Null => out.push_str("null"),
            Cell::Integer(_) => cell.push_plain(out),
            Cell::Real(n) if n.is_finite() => match serde_json::Number::from_f64(n) {
                Some(number) => out.push_str(&number.to_string()),
                None => out.push_str("null"),
            },
            Cell::Text(part) => text(part, out),
            Cell::Real(_) | Cell::Blob(_) | Cell::Malformed(_) => {
                let mut plain = String::new();
                cell.push_plain(&mut plain);
                text(&plain, out);
            }
        }
    }
    out.push('}');
}

/// Writes a string (RFC 8259, section 7).
fn text(text: &str, out: &mut String) {
    use std::fmt::Write;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
