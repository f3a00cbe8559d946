//! Rows as bytes: one tag for each cell, then its content; about as small as the data itself.

use crate::domain::{Cell, Value};

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
        RowRef::new(&self.bytes, self.cells).values()
    }

    fn sized(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        push_varint(&mut self.bytes, bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
        self.cells += 1;
    }
}

/// One row of a result, where it lies.
#[derive(Debug, Clone, Copy)]
pub struct RowRef<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> RowRef<'a> {
    pub(super) fn new(bytes: &'a [u8], width: usize) -> Self {
        RowRef { bytes, width }
    }

    pub(super) fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the cells from left to right.
    pub fn cells(self) -> impl Iterator<Item = Cell<'a>> {
        let mut reader = Reader::new(self.bytes);
        (0..self.width).map(move |_| reader.cell())
    }

    /// Returns one cell; NULL when there is no such column.
    pub fn cell(self, column: usize) -> Cell<'a> {
        if column >= self.width {
            return Cell::Null;
        }
        let mut reader = Reader::new(self.bytes);
        reader.skip(column);
        reader.cell()
    }

    /// Copies all cells.
    pub fn values(self) -> Vec<Value> {
        self.cells().map(Cell::value).collect()
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

    pub(super) fn cell(&mut self) -> Cell<'a> {
        match self.byte() {
            INTEGER => {
                let n = self.varint();
                Cell::Integer((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
            }
            REAL => Cell::Real(self.real()),
            TEXT => {
                let bytes = self.sized();
                std::str::from_utf8(bytes).map_or(Cell::Malformed(bytes), Cell::Text)
            }
            BLOB => Cell::Blob(self.sized()),
            MALFORMED => Cell::Malformed(self.sized()),
            _ => Cell::Null,
        }
    }

    /// Takes a whole row.
    pub(super) fn row(&mut self, width: usize) -> RowRef<'a> {
        let before = self.rest;
        self.skip(width);
        let length = before.len() - self.rest.len();
        RowRef::new(before.get(..length).unwrap_or_default(), width)
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
    fn a_row_is_taken_whole_and_gives_any_of_its_cells() {
        let mut rows = RowBytes::new();
        for cell in [Value::Integer(300), Value::Text("ab".into()), Value::Null, Value::Real(1.5)] {
            rows.value(&cell);
        }
        let mut reader = Reader::new(rows.as_bytes());
        let (first, second) = (reader.row(2), reader.row(2));
        assert_eq!(first.values(), [Value::Integer(300), Value::Text("ab".into())]);
        assert_eq!((second.cell(0), second.cell(1)), (Cell::Null, Cell::Real(1.5)));
        assert_eq!(second.cell(2), Cell::Null);
    }

    #[test]
    fn bytes_that_end_early_read_as_null() {
        let mut reader = Reader::new(&[TEXT, 200]);
        assert_eq!(reader.cell(), Cell::Text(""));
        assert_eq!(reader.cell(), Cell::Null);
    }
}
