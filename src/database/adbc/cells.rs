//! Arrow batches as rows: numbers and text as they are, all else as text that a person reads.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Arrow's types and ADBC's states are others' enums, of which few matter here"
)]

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    IntervalMonthDayNanoType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, IntervalUnit};

use super::super::results::RowBytes;
use super::opaque::{Opaque, clock};
use crate::domain::Value;

/// Dates and times as SQL writes them.
const FORMAT: FormatOptions<'static> = FormatOptions::new()
    .with_timestamp_format(Some("%Y-%m-%d %H:%M:%S%.f"))
    .with_datetime_format(Some("%Y-%m-%d %H:%M:%S%.f"))
    .with_timestamp_tz_format(Some("%Y-%m-%d %H:%M:%S%.f%:z"))
    .with_time_format(Some("%H:%M:%S%.f"))
    .with_null("NULL");

/// A cell on its way, its text borrowed where it can be.
enum Piece<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
    Blob(&'a [u8]),
}

/// The columns of one batch, ready to be read row by row.
pub(super) struct Batch<'a> {
    columns: Vec<Reader<'a>>,
    rows: usize,
}

impl<'a> Batch<'a> {
    /// Makes readers for the columns of a batch.
    pub(super) fn new(batch: &'a RecordBatch) -> Result<Self, ArrowError> {
        let fields = batch.schema_ref().fields().iter();
        let columns = batch.columns().iter().zip(fields);
        let columns = columns.map(|(column, field)| Reader::new(column.as_ref(), field));
        Ok(Batch { columns: columns.collect::<Result<_, _>>()?, rows: batch.num_rows() })
    }

    /// Counts the rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Writes one row.
    pub(super) fn write(&self, row: usize, into: &mut RowBytes) {
        for column in &self.columns {
            match column.piece(row) {
                Piece::Null => into.null(),
                Piece::Integer(n) => into.integer(n),
                Piece::Real(n) => into.real(n),
                Piece::Text(text) => into.text(text.as_bytes()),
                Piece::Blob(bytes) => into.blob(bytes),
            }
        }
    }

    /// Returns one row as values.
    pub(super) fn values(&self, row: usize) -> Vec<Value> {
        let value = |column: &Reader<'_>| match column.piece(row) {
            Piece::Null => Value::Null,
            Piece::Integer(n) => Value::Integer(n),
            Piece::Real(n) => Value::Real(n),
            Piece::Text(text) => Value::Text(text.into_owned()),
            Piece::Blob(bytes) => Value::Blob(bytes.to_vec()),
        };
        self.columns.iter().map(value).collect()
    }
}

/// How a column is read.
enum How<'a> {
    /// By its own type.
    Plain,
    /// As text, which is a number where it holds one exactly.
    Number(ArrayFormatter<'a>),
    /// As text.
    Words(ArrayFormatter<'a>),
    /// As a time whose fraction of a second ends with its last digit.
    Clock(ArrayFormatter<'a>),
    /// As bytes of a type that Arrow has no word for.
    Opaque(Opaque),
    /// As months, days and a time.
    Interval,
    /// As items between brackets.
    List(Box<Reader<'a>>),
    /// As pairs between braces.
    Map(Box<Reader<'a>>, Box<Reader<'a>>),
    /// As named values between braces.
    Struct(Vec<(&'a str, Reader<'a>)>),
    /// As the one value of several types that is there.
    Union(Vec<(i8, Reader<'a>)>),
}

struct Reader<'a> {
    array: &'a dyn Array,
    how: How<'a>,
}

impl<'a> Reader<'a> {
    fn new(array: &'a dyn Array, field: &'a Field) -> Result<Self, ArrowError> {
        Ok(Reader { array, how: How::new(array, field)? })
    }

    fn boxed(array: &'a dyn Array, field: &'a Field) -> Result<Box<Self>, ArrowError> {
        Reader::new(array, field).map(Box::new)
    }

    fn piece(&self, row: usize) -> Piece<'a> {
        if self.array.is_null(row) {
            return Piece::Null;
        }
        let words = |text| Piece::Text(Cow::Owned(text));
        match &self.how {
            How::Plain => plain(self.array, row),
            How::Number(text) => number(text.value(row).to_string()),
            How::Words(text) => words(text.value(row).to_string()),
            How::Clock(text) => words(unpadded(text.value(row).to_string())),
            How::Opaque(kind) => opaque(*kind, self.array, row),
            How::Interval => words(interval(self.array, row)),
            How::List(items) => words(self.list(items, row)),
            How::Map(keys, values) => words(self.map(keys, values, row)),
            How::Struct(parts) => {
                let part =
                    |(name, part): &(&str, Reader<'_>)| format!("'{name}': {}", part.inner(row));
                words(format!("{{{}}}", parts.iter().map(part).collect::<Vec<_>>().join(", ")))
            }
            How::Union(kinds) => self.of_union(kinds, row),
        }
    }

    /// Writes a cell inside another.
    fn inner(&self, row: usize) -> Cow<'a, str> {
        match self.piece(row) {
            Piece::Null => Cow::Borrowed("NULL"),
            Piece::Integer(n) => Cow::Owned(n.to_string()),
            Piece::Real(n) => Cow::Owned(Value::Real(n).plain()),
            Piece::Text(text) => text,
            Piece::Blob(bytes) => Cow::Owned(Value::Blob(bytes.to_vec()).plain()),
        }
    }

    fn list(&self, items: &Reader<'_>, row: usize) -> String {
        let range = match self.array.data_type() {
            DataType::LargeList(_) => {
                let offsets = self.array.as_list::<i64>().value_offsets();
                between(offsets.get(row).copied(), offsets.get(row + 1).copied())
            }
            DataType::FixedSizeList(_, length) => {
                let length = usize::try_from(*length).unwrap_or(0);
                row * length..(row + 1) * length
            }
            _ => {
                let offsets = self.array.as_list::<i32>().value_offsets();
                between(offsets.get(row).copied(), offsets.get(row + 1).copied())
            }
        };
        format!("[{}]", range.map(|at| items.inner(at)).collect::<Vec<_>>().join(", "))
    }

    fn map(&self, keys: &Reader<'_>, values: &Reader<'_>, row: usize) -> String {
        let offsets = self.array.as_map().value_offsets();
        let range = between(offsets.get(row).copied(), offsets.get(row + 1).copied());
        let pair = |at: usize| format!("{}={}", keys.inner(at), values.inner(at));
        format!("{{{}}}", range.map(pair).collect::<Vec<_>>().join(", "))
    }

    fn of_union(&self, kinds: &[(i8, Reader<'a>)], row: usize) -> Piece<'a> {
        let union = self.array.as_union();
        let (kind, at) = (union.type_id(row), union.value_offset(row));
        let found = kinds.iter().find(|(known, _)| *known == kind);
        found.map_or(Piece::Null, |(_, reader)| reader.piece(at))
    }
}

/// Makes the places between two offsets.
fn between<T: TryInto<usize>>(start: Option<T>, end: Option<T>) -> std::ops::Range<usize> {
    let place = |at: Option<T>| at.and_then(|at| at.try_into().ok()).unwrap_or(0);
    place(start)..place(end)
}

impl<'a> How<'a> {
    fn new(array: &'a dyn Array, field: &'a Field) -> Result<Self, ArrowError> {
        if let Some(kind) = Opaque::of(field) {
            return Ok(How::Opaque(kind));
        }
        Ok(match field.data_type() {
            kind if is_plain(kind) => How::Plain,
            kind if is_decimal(kind) => How::Number(ArrayFormatter::try_new(array, &FORMAT)?),
            DataType::Time32(_) | DataType::Time64(_) | DataType::Timestamp(..) => {
                How::Clock(ArrayFormatter::try_new(array, &FORMAT)?)
            }
            DataType::Interval(IntervalUnit::MonthDayNano) => How::Interval,
            DataType::List(item) => {
                How::List(Reader::boxed(array.as_list::<i32>().values().as_ref(), item)?)
            }
            DataType::LargeList(item) => {
                How::List(Reader::boxed(array.as_list::<i64>().values().as_ref(), item)?)
            }
            DataType::FixedSizeList(item, _) => {
                How::List(Reader::boxed(array.as_fixed_size_list().values().as_ref(), item)?)
            }
            DataType::Map(entries, _) => {
                let (map, parts) = (array.as_map(), inside(entries));
                let [key, value] = parts else { return words(array) };
                let keys = Reader::boxed(map.keys().as_ref(), key)?;
                How::Map(keys, Reader::boxed(map.values().as_ref(), value)?)
            }
            DataType::Struct(fields) => {
                let columns = array.as_struct().columns().iter().zip(fields);
                let part = |(column, field): (&'a ArrayRef, &'a FieldRef)| {
                    Ok((field.name().as_str(), Reader::new(column.as_ref(), field)?))
                };
                How::Struct(columns.map(part).collect::<Result<_, ArrowError>>()?)
            }
            DataType::Union(fields, _) => {
                let union = array.as_union();
                let part = |(kind, field): (i8, &'a FieldRef)| {
                    Ok((kind, Reader::new(union.child(kind).as_ref(), field)?))
                };
                How::Union(fields.iter().map(part).collect::<Result<_, ArrowError>>()?)
            }
            _ => return words(array),
        })
    }
}

fn words(array: &dyn Array) -> Result<How<'_>, ArrowError> {
    ArrayFormatter::try_new(array, &FORMAT).map(How::Words)
}

/// Removes zeros that end a fraction of a second.
fn unpadded(text: String) -> String {
    let Some((whole, rest)) = text.split_once('.') else { return text };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, offset) = rest.split_at(end);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{whole}{point}{digits}{offset}")
}

fn inside(entries: &Field) -> &[FieldRef] {
    match entries.data_type() {
        DataType::Struct(fields) => fields,
        _ => &[],
    }
}

fn opaque(kind: Opaque, array: &dyn Array, row: usize) -> Piece<'_> {
    let read = |bytes: &[u8]| kind.read(bytes);
    let text = match plain(array, row) {
        Piece::Blob(bytes) => read(bytes),
        Piece::Integer(n) => u8::try_from(n).ok().and_then(|byte| read(&[byte])),
        text @ Piece::Text(_) => return text,
        Piece::Null | Piece::Real(_) => None,
    };
    let Some(text) = text else { return plain(array, row) };
    match kind {
        Opaque::Huge | Opaque::UnsignedHuge | Opaque::Big => number(text),
        Opaque::Bool | Opaque::Uuid | Opaque::ZonedTime | Opaque::Bits | Opaque::Json => {
            Piece::Text(Cow::Owned(text))
        }
    }
}

/// Writes years, months and days, then the time: `1 year 2 months 3 days 04:05:06.5`.
fn interval(array: &dyn Array, row: usize) -> String {
    let stored = array.as_primitive::<IntervalMonthDayNanoType>().value(row);
    let mut parts = Vec::new();
    for (number, noun) in
        [(stored.months / 12, "year"), (stored.months % 12, "month"), (stored.days, "day")]
    {
        match number {
            0 => {}
            1 | -1 => parts.push(format!("{number} {noun}")),
            _ => parts.push(format!("{number} {noun}s")),
        }
    }
    if stored.nanoseconds != 0 || parts.is_empty() {
        let sign = if stored.nanoseconds < 0 { "-" } else { "" };
        parts.push(format!("{sign}{}", clock(stored.nanoseconds.unsigned_abs())));
    }
    parts.join(" ")
}

fn is_decimal(kind: &DataType) -> bool {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
    matches!(kind, Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..))
}

fn is_plain(kind: &DataType) -> bool {
    use DataType as T;
    kind.is_integer()
        || kind.is_floating()
        || matches!(kind, T::Null | T::Boolean | T::Utf8 | T::LargeUtf8 | T::Utf8View)
        || matches!(kind, T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_))
}

/// Reads a cell of a plain type; no other type comes here.
fn plain(array: &dyn Array, row: usize) -> Piece<'_> {
    macro_rules! at {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(row)
        };
    }
    let text = |text| Piece::Text(Cow::Borrowed(text));
    match array.data_type() {
        DataType::Boolean => text(if array.as_boolean().value(row) { "true" } else { "false" }),
        DataType::Int8 => Piece::Integer(at!(Int8Type).into()),
        DataType::Int16 => Piece::Integer(at!(Int16Type).into()),
        DataType::Int32 => Piece::Integer(at!(Int32Type).into()),
        DataType::Int64 => Piece::Integer(at!(Int64Type)),
        DataType::UInt8 => Piece::Integer(at!(UInt8Type).into()),
        DataType::UInt16 => Piece::Integer(at!(UInt16Type).into()),
        DataType::UInt32 => Piece::Integer(at!(UInt32Type).into()),
        DataType::UInt64 => {
            let n = at!(UInt64Type);
            i64::try_from(n).map_or_else(|_| Piece::Text(n.to_string().into()), Piece::Integer)
        }
        DataType::Float16 => short_real(&at!(Float16Type).to_f32().to_string()),
        DataType::Float32 => short_real(&at!(Float32Type).to_string()),
        DataType::Float64 => Piece::Real(at!(Float64Type)),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::Binary => Piece::Blob(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Piece::Blob(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Piece::Blob(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => Piece::Blob(array.as_fixed_size_binary().value(row)),
        _ => Piece::Null,
    }
}

/// Reads a short real by its own digits: 0.1 stays 0.1.
fn short_real(text: &str) -> Piece<'static> {
    text.parse().map_or(Piece::Null, Piece::Real)
}

/// Reads a decimal as a number where no digit is lost, else as text.
fn number(text: String) -> Piece<'static> {
    if let Ok(n) = text.parse() {
        return Piece::Integer(n);
    }
    match text.parse::<f64>() {
        Ok(n) if text.contains('.') && same_digits(&text, &format!("{n}")) => Piece::Real(n),
        Ok(_) | Err(_) => Piece::Text(Cow::Owned(text)),
    }
}

fn same_digits(exact: &str, shown: &str) -> bool {
    let trimmed = |text: &str| {
        let whole = !text.contains('.');
        let short = text.trim_end_matches('0').trim_end_matches('.');
        if whole { text.to_owned() } else { short.to_owned() }
    };
    let unsigned = |text: &str| text.strip_prefix('-').unwrap_or(text).to_owned();
    let (exact, shown) = (trimmed(exact), trimmed(shown));
    exact == shown || (unsigned(&exact) == "0" && unsigned(&shown) == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Value {
        match number(text.to_owned()) {
            Piece::Integer(n) => Value::Integer(n),
            Piece::Real(n) => Value::Real(n),
            Piece::Text(text) => Value::Text(text.into_owned()),
            Piece::Null | Piece::Blob(_) => Value::Null,
        }
    }

    #[test]
    fn a_decimal_is_a_number_only_where_no_digit_is_lost() {
        assert_eq!(shown("12"), Value::Integer(12));
        assert_eq!(shown("-1.50"), Value::Real(-1.5));
        assert_eq!(shown("0.00"), Value::Real(0.0));
        assert_eq!(shown("0.1"), Value::Real(0.1));
        let long = "1234567890123456.789";
        assert_eq!(shown(long), Value::Text(long.to_owned()));
        let large = "170141183460469231731687303715884105727";
        assert_eq!(shown(large), Value::Text(large.to_owned()));
    }
}
