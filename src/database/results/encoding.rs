//! Rows as bytes: one tag for each cell, then its content; about as small as the data itself.

use crate::domain::Value;

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const BLOB: u8 = 4;
const MALFORMED: u8 = 5;

/// One row on its way from an engine into a result, without an allocation for each cell.
///
/// **Invariant:** `bytes` holds exactly `cells` whole cells.
#[derive(Debug, Clone, Default)]
pub struct RowBytes {
    bytes: Vec<u8>,
    cells: usize,
}

impl RowBytes {
    /// Makes an empty row.
    pub fn new() -> Self {
        RowBytes::default()
    }

    /// Empties the row and keeps its memory for the next one.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.cells = 0;
    }

    /// Adds NULL.
    pub fn null(&mut self) {
        self.bytes.push(NULL);
        self.cells += 1;
    }

    /// Adds a whole number.
    pub fn integer(&mut self, n: i64) {
        self.bytes.push(INTEGER);
        // zigzag: small numbers of either sign take few bytes
        push_varint(&mut self.bytes, ((n << 1) ^ (n >> 63)).cast_unsigned());
        self.cells += 1;
    }

    /// Adds a number with a fraction.
    pub fn real(&mut self, n: f64) {
        self.bytes.push(REAL);
        self.bytes.extend_from_slice(&n.to_le_bytes());
        self.cells += 1;
    }

    /// Adds text as the engine stored it; bytes that are no UTF-8 are kept and marked so.
    pub fn text(&mut self, text: &[u8]) {
        let tag = if std::str::from_utf8(text).is_ok() { TEXT } else { MALFORMED };
        self.sized(tag, text);
    }

    /// Adds bytes.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.sized(BLOB, bytes);
    }

    /// Adds a cell.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.null(),
            Value::Integer(n) => self.integer(*n),
            Value::Real(n) => self.real(*n),
            Value::Text(text) => self.sized(TEXT, text.as_bytes()),
            Value::Blob(bytes) => self.blob(bytes),
            Value::Malformed(bytes) => self.sized(MALFORMED, bytes),
        }
    }

    /// Returns the row as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the row as cells.
    pub fn decode(&self) -> Vec<Value> {
        let mut reader = Reader::new(&self.bytes);
        (0..self.cells).map(|_| reader.cell()).collect()
    }

    fn sized(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        push_varint(&mut self.bytes, bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self.cells += 1;
    }
}

/// Reads cells one after the other. Bytes that end too early read as NULL: a lost tail of a
/// temporary file costs cells, never the program.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub(super) fn cell(&mut self) -> Value {
        match self.byte() {
            INTEGER => {
                let n = self.varint();
                Value::Integer((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
            }
            REAL => Value::Real(self.real()),
            TEXT => match String::from_utf8(self.sized().to_vec()) {
                Ok(text) => Value::Text(text),
                Err(wrong) => Value::Malformed(wrong.into_bytes()),
            },
            BLOB => Value::Blob(self.sized().to_vec()),
            MALFORMED => Value::Malformed(self.sized().to_vec()),
            _ => Value::Null,
        }
    }

    /// Steps over cells without making values of them.
    pub(super) fn skip(&mut self, cells: usize) {
        for _ in 0..cells {
            match self.byte() {
                INTEGER => drop(self.varint()),
                REAL => drop(self.real()),
                TEXT | BLOB | MALFORMED => drop(self.sized()),
                _ => {}
            }
        }
    }

    fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => NULL,
        }
    }

    fn varint(&mut self) -> u64 {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        n
    }

    fn real(&mut self) -> f64 {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<8>() else {
            self.rest = &[];
            return 0.0;
        };
        self.rest = rest;
        f64::from_le_bytes(*bytes)
    }

    fn sized(&mut self) -> &'a [u8] {
        let length = usize::try_from(self.varint()).unwrap_or(usize::MAX).min(self.rest.len());
        let (bytes, rest) = self.rest.split_at(length);
        self.rest = rest;
        bytes
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push((n & 0x7f) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_cell_reads_back_as_it_was() {
        let cells = vec![
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Integer(-1),
            Value::Integer(i64::MAX),
            Value::Real(-0.5),
            Value::Text("a\0b 📈".into()),
            Value::Text(String::new()),
            Value::Blob(vec![0, 255, 7]),
            Value::Malformed(vec![0xff, b'a']),
        ];
        let mut row = RowBytes::new();
        for cell in &cells {
            row.value(cell);
        }
        assert_eq!(row.decode(), cells);
    }

    #[test]
    fn text_that_is_no_utf8_keeps_its_bytes() {
        let mut row = RowBytes::new();
        row.text(b"caf\xe9");
        assert_eq!(row.decode(), [Value::Malformed(b"caf\xe9".to_vec())]);
    }

    #[test]
    fn bytes_that_end_early_read_as_null() {
        let mut reader = Reader::new(&[TEXT, 200]);
        assert_eq!(reader.cell(), Value::Text(String::new()));
        assert_eq!(reader.cell(), Value::Null);
    }
}
