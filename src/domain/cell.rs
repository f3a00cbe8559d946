//! One cell, borrowed: what is read of a row without making a copy of it.

use super::rows::{Value, push_hex, push_real};

/// A cell of a row that somebody else holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
    /// Text that is not valid UTF-8, byte for byte.
    Malformed(&'a [u8]),
}

impl<'a> From<&'a Value> for Cell<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Cell::Null,
            Value::Integer(n) => Cell::Integer(*n),
            Value::Real(n) => Cell::Real(*n),
            Value::Text(text) => Cell::Text(text),
            Value::Blob(bytes) => Cell::Blob(bytes),
            Value::Malformed(bytes) => Cell::Malformed(bytes),
        }
    }
}

impl Cell<'_> {
    /// Tells whether the cell is NULL.
    pub fn is_null(self) -> bool {
        matches!(self, Cell::Null)
    }

    /// Copies the cell.
    pub fn value(self) -> Value {
        match self {
            Cell::Null => Value::Null,
            Cell::Integer(n) => Value::Integer(n),
            Cell::Real(n) => Value::Real(n),
            Cell::Text(text) => Value::Text(text.to_owned()),
            Cell::Blob(bytes) => Value::Blob(bytes.to_vec()),
            Cell::Malformed(bytes) => Value::Malformed(bytes.to_vec()),
        }
    }

    /// Adds the cell as plain text, the same that `Value::plain` gives: NULL adds nothing, blobs
    /// are `x'…'`, bytes that are no text become `�`.
    pub fn push_plain(self, out: &mut String) {
        use std::fmt::Write;
        match self {
            Cell::Null => {}
            Cell::Integer(n) => drop(write!(out, "{n}")),
            Cell::Real(n) => push_real(n, out),
            Cell::Text(text) => out.push_str(text),
            Cell::Blob(bytes) => push_hex(bytes, out),
            Cell::Malformed(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
        }
    }

    /// Returns the number in the cell, if it holds one.
    pub fn number(self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "comparison and display only")]
            Cell::Integer(n) => Some(n as f64),
            Cell::Real(n) => Some(n),
            Cell::Null | Cell::Text(_) | Cell::Blob(_) | Cell::Malformed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_and_its_value_read_the_same() {
        for value in [
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Real(2.0),
            Value::Real(1e300),
            Value::Text("a\n".into()),
            Value::Blob(vec![0, 255]),
            Value::Malformed(vec![0xff, b'a']),
        ] {
            let cell = Cell::from(&value);
            let mut text = String::new();
            cell.push_plain(&mut text);
            assert_eq!(
                (cell.value(), text, cell.number()),
                (value.clone(), value.plain(), value.number())
            );
        }
    }
}
