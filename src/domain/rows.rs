//! Values and rows as an engine returned them.

use serde::{Deserialize, Serialize};

use super::cell::Cell;

/// One cell. Types are per cell: SQLite stores several in one column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// SQL NULL.
    #[default]
    Null,
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(#[serde(with = "stored_real")] f64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
    /// Text that is not valid UTF-8, byte for byte.
    Malformed(Vec<u8>),
}

impl Value {
    /// Tells whether the cell is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns the number in the cell, if it holds one.
    pub fn number(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "comparison and display only")]
            Value::Integer(n) => Some(*n as f64),
            Value::Real(n) => Some(*n),
            Value::Null | Value::Text(_) | Value::Blob(_) | Value::Malformed(_) => None,
        }
    }

    /// Renders the cell as plain text for files and pipes: NULL is empty, blobs are `x'…'`.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        Cell::from(self).push_plain(&mut text);
        text
    }

    /// Renders the cell as a SQL literal.
    pub fn literal(&self) -> String {
        match self {
            Value::Null => "NULL".to_owned(),
            Value::Integer(_) | Value::Real(_) | Value::Blob(_) => self.plain(),
            Value::Text(_) | Value::Malformed(_) => {
                format!("'{}'", self.plain().replace('\'', "''"))
            }
        }
    }
}

/// Stores a real as a number, and infinities and NaN, which JSON doesn't know, as words.
mod stored_real {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Number(f64),
        Word(String),
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's `with` passes references")]
    pub(super) fn serialize<S: Serializer>(n: &f64, to: S) -> Result<S::Ok, S::Error> {
        if n.is_finite() { n.serialize(to) } else { n.to_string().serialize(to) }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match Stored::deserialize(from)? {
            Stored::Number(n) => Ok(n),
            Stored::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// Writes a real so that it reads back as the same number and still looks like a real.
pub(super) fn push_real(n: f64, out: &mut String) {
    use std::fmt::Write;
    let size = n.abs();
    let _ = if size < 1e15 && n.fract() == 0.0 {
        write!(out, "{n:.1}")
    } else if (1e-5..1e15).contains(&size) || !n.is_finite() {
        write!(out, "{n}")
    } else {
        // three hundred zeros help nobody
        write!(out, "{n:e}")
    };
}

/// Writes bytes as a SQL blob literal.
pub(super) fn push_hex(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(bytes.len() * 2 + 3);
    out.push_str("x'");
    for byte in bytes {
        for half in [byte >> 4, byte & 15] {
            out.push(char::from(DIGITS.get(usize::from(half)).copied().unwrap_or(b'0')));
        }
    }
    out.push('\'');
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultColumn {
    /// Name as the engine gives it.
    pub name: String,
    /// Declared type of its origin, else the type of its values: `integer`, `real` (whole numbers
    /// among them too), `text`, `blob`, `mixed`, or empty when all cells seen are NULL.
    pub data_type: String,
    /// `table.column` it comes from unchanged, where the engine tells.
    pub origin: Option<String>,
    /// The unit of its numbers as it stands behind them, such as `cents`, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// The part of a result that a run keeps: at most the first 1,000 rows or 1 MiB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Rows {
    /// Columns, in order.
    pub columns: Vec<ResultColumn>,
    /// Rows kept; each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// Rows read from the engine.
    pub row_count: u64,
    /// True when `rows` holds fewer than were read, or reading stopped at a limit.
    pub truncated: bool,
    /// Why reading stopped before the last row, if it did: `stopped after 10 rows, …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_becomes_a_literal_that_reads_back() {
        assert_eq!(Value::Text("it's".into()).literal(), "'it''s'");
        assert_eq!(Value::Real(2.0).literal(), "2.0");
        for (n, text) in
            [(1e300, "1e300"), (-1.5e-7, "-1.5e-7"), (1e15, "1e15"), (0.00125, "0.00125")]
        {
            assert_eq!(Value::Real(n).literal(), text);
        }
        assert_eq!(Value::Real(f64::NEG_INFINITY).plain(), "-inf");
        assert_eq!(Value::Blob(vec![0, 255]).literal(), "x'00ff'");
        assert_eq!(Value::Null.literal(), "NULL");
    }
}
