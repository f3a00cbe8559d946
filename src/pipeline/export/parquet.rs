//! Apache Parquet: typed columns in groups of rows, compressed with Snappy.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::domain::{Cell, ResultColumn};
use crate::render::table::distinct_names;

use super::rows::{Halt, Held, RowWriter, note_renamed};
use super::trouble::ExportTrouble;

/// Bytes of values that are gathered into a group of rows.
const GROUP: usize = 16 << 20;
/// Rows of a group at most.
const GROUP_ROWS: u64 = 1 << 20;

pub(super) struct ParquetWriter {
    writer: SerializedFileWriter<File>,
    columns: Vec<Gathered>,
    /// Rows that wait for their group, and the bytes they take.
    rows: u64,
    gathered: usize,
    notes: Vec<String>,
}

/// What a column is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Real,
    Text,
    Bytes,
}

impl Kind {
    /// Chooses the narrowest kind that loses nothing; text when nothing else fits.
    fn of(held: Held, declared: &str) -> Self {
        let words = held.texts || held.malformed;
        let numbers = held.integers || held.reals;
        match (numbers, words, held.blobs) {
            (true, false, false) if !held.reals => Kind::Integer,
            (true, false, false) if !held.large => Kind::Real,
            (false, false, true) => Kind::Bytes,
            (false, true, false) if held.malformed => Kind::Bytes,
            // only NULL: as declared, where that is a kind of number
            (false, false, false) if declared.to_ascii_uppercase().contains("INT") => Kind::Integer,
            (false, false, false) if is_real(declared) => Kind::Real,
            _ => Kind::Text,
        }
    }

    fn schema(self, name: &str) -> Result<TypePtr, ParquetError> {
        let physical = match self {
            Kind::Integer => Physical::INT64,
            Kind::Real => Physical::DOUBLE,
            Kind::Text | Kind::Bytes => Physical::BYTE_ARRAY,
        };
        let builder =
            Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        let builder = if self == Kind::Text {
            // readers of before 2018 know the converted type only
            builder
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8)
        } else {
            builder
        };
        builder.build().map(Arc::new)
    }
}

/// Affinity REAL by its declared words ("Datatypes in SQLite", section 3.1).
fn is_real(declared: &str) -> bool {
    let declared = declared.to_ascii_uppercase();
    ["REAL", "FLOA", "DOUB"].iter().any(|word| declared.contains(word))
}

/// The values of a column that wait for their group.
struct Gathered {
    kind: Kind,
    /// 1 for a value, 0 for NULL.
    levels: Vec<i16>,
    integers: Vec<i64>,
    reals: Vec<f64>,
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Gathered {
    fn new(kind: Kind) -> Self {
        Gathered {
            kind,
            levels: Vec::new(),
            integers: Vec::new(),
            reals: Vec::new(),
            bytes: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds a cell; returns the bytes it takes.
    fn add(&mut self, cell: Cell<'_>, room: &mut String) -> usize {
        self.levels.push(i16::from(!cell.is_null()));
        let start = self.bytes.len();
        match (self.kind, cell) {
            (_, Cell::Null) => return size_of::<i16>(),
            (Kind::Integer, Cell::Integer(n)) => self.integers.push(n),
            (Kind::Real, cell) => self.reals.push(cell.number().unwrap_or(f64::NAN)),
            (_, Cell::Text(text)) => self.bytes.extend_from_slice(text.as_bytes()),
            (Kind::Bytes, Cell::Blob(bytes) | Cell::Malformed(bytes)) => {
                self.bytes.extend_from_slice(bytes);
            }
            (_, cell) => {
                room.clear();
                cell.push_plain(room);
                self.bytes.extend_from_slice(room.as_bytes());
            }
        }
        if matches!(self.kind, Kind::Text | Kind::Bytes) {
            self.places.push(start..self.bytes.len());
        }
        self.bytes.len() - start + size_of::<Range<usize>>() + size_of::<ByteArray>()
    }

    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(self.levels.as_slice());
        match self.kind {
            Kind::Integer => {
                column.typed::<Int64Type>().write_batch(&self.integers, levels, None)?;
            }
            Kind::Real => {
                column.typed::<DoubleType>().write_batch(&self.reals, levels, None)?;
            }
            Kind::Text | Kind::Bytes => {
                let all = ByteArray::from(std::mem::take(&mut self.bytes));
                let values: Vec<ByteArray> =
                    self.places.iter().map(|place| all.slice(place.start, place.len())).collect();
                column.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
            }
        }
        *self = Gathered::new(self.kind);
        Ok(())
    }
}

impl ParquetWriter {
    pub(super) fn new(file: File, columns: &[ResultColumn], held: &[Held]) -> Result<Self, Halt> {
        let names = distinct_names(columns);
        let kinds: Vec<Kind> =
            held.iter().zip(columns).map(|(held, c)| Kind::of(*held, &c.data_type)).collect();
        let fields: Result<Vec<TypePtr>, ParquetError> =
            names.iter().zip(&kinds).map(|(name, kind)| kind.schema(name)).collect();
        let schema = fields
            .and_then(|fields| Type::group_type_builder("result").with_fields(fields).build())
            .map_err(|e| halt(&e))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("querent ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))
            .map_err(|e| halt(&e))?;
        let given: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mixed = names.iter().zip(&kinds).zip(held).filter_map(|((n, k), h)| note(n, *k, *h));
        let notes = note_renamed(&given, &names).into_iter().chain(mixed).collect();
        let columns = kinds.into_iter().map(Gathered::new).collect();
        Ok(ParquetWriter { writer, columns, rows: 0, gathered: 0, notes })
    }

    fn close_group(&mut self) -> Result<(), Halt> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(|e| halt(&e))?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column().map_err(|e| halt(&e))? else { break };
            column.write(&mut writer).map_err(|e| halt(&e))?;
            writer.close().map_err(|e| halt(&e))?;
        }
        group.close().map_err(|e| halt(&e))?;
        self.rows = 0;
        self.gathered = 0;
        Ok(())
    }
}

impl RowWriter for ParquetWriter {
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Halt> {
        let mut room = String::new();
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.gathered += column.add(*cell, &mut room);
        }
        self.rows += 1;
        if self.gathered >= GROUP || self.rows >= GROUP_ROWS { self.close_group() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(File, Vec<String>), Halt> {
        self.close_group()?;
        let file = self.writer.into_inner().map_err(|e| halt(&e))?;
        Ok((file, self.notes))
    }
}

/// Says what a column is written as when that is not what its values are.
fn note(name: &str, kind: Kind, held: Held) -> Option<String> {
    let kinds = [held.integers || held.reals, held.texts || held.malformed, held.blobs];
    let mixed = kinds.iter().filter(|held| **held).count() > 1;
    match kind {
        Kind::Text if mixed => {
            Some(format!("“{name}” holds several types and is written as text."))
        }
        Kind::Text if held.reals => Some(format!(
            "“{name}” holds fractions and whole numbers too large for them, and is written as text."
        )),
        Kind::Bytes if held.malformed => {
            Some(format!("“{name}” holds texts that aren't valid UTF-8 and is written as bytes."))
        }
        Kind::Integer | Kind::Real | Kind::Text | Kind::Bytes => None,
    }
}

/// Takes the error of the file out of the writer's.
fn halt(error: &ParquetError) -> Halt {
    if let ParquetError::External(inner) = error
        && let Some(file) = inner.downcast_ref::<io::Error>()
    {
        return Halt::File(io::Error::new(file.kind(), file.to_string()));
    }
    Halt::Trouble(ExportTrouble::new(
        format!("the rows can't be written as Parquet: {error}"),
        "Export CSV or JSON lines.",
    ))
}
