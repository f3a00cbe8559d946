//! Cells and columns of a result, as the server sends them, turned into ours without loss.

use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Value};

use super::super::results::RowBytes;
use crate::domain::ResultColumn;

/// The number by which a server marks bytes that are no text.
const BYTES: u16 = 63;
/// Digits that every binary fraction of double precision keeps.
const KEPT_DIGITS: usize = 15;

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Numbers, and texts as they come.
    Plain,
    /// Numbers with a fixed count of digits, which come as text.
    Decimal,
    /// Bytes.
    Blob,
    /// Bits, the highest first.
    Bits,
    /// Days without a time.
    Day,
    /// Moments and durations, with so many digits of a second.
    Moment(usize),
}

impl Cells {
    pub(super) fn of(column: &Column) -> Self {
        use ColumnType as T;
        match column.column_type() {
            T::MYSQL_TYPE_DECIMAL | T::MYSQL_TYPE_NEWDECIMAL => Cells::Decimal,
            T::MYSQL_TYPE_BIT => Cells::Bits,
            T::MYSQL_TYPE_DATE | T::MYSQL_TYPE_NEWDATE => Cells::Day,
            T::MYSQL_TYPE_TIMESTAMP
            | T::MYSQL_TYPE_TIME
            | T::MYSQL_TYPE_DATETIME
            | T::MYSQL_TYPE_TIMESTAMP2
            | T::MYSQL_TYPE_DATETIME2
            | T::MYSQL_TYPE_TIME2 => Cells::Moment(usize::from(column.decimals()).min(6)),
            T::MYSQL_TYPE_GEOMETRY | T::MYSQL_TYPE_VECTOR => Cells::Blob,
            T::MYSQL_TYPE_TINY_BLOB
            | T::MYSQL_TYPE_MEDIUM_BLOB
            | T::MYSQL_TYPE_LONG_BLOB
            | T::MYSQL_TYPE_BLOB
            | T::MYSQL_TYPE_VARCHAR
            | T::MYSQL_TYPE_VAR_STRING
            | T::MYSQL_TYPE_STRING
                if column.character_set() == BYTES =>
            {
                Cells::Blob
            }
            T::MYSQL_TYPE_TINY
            | T::MYSQL_TYPE_SHORT
            | T::MYSQL_TYPE_LONG
            | T::MYSQL_TYPE_FLOAT
            | T::MYSQL_TYPE_DOUBLE
            | T::MYSQL_TYPE_NULL
            | T::MYSQL_TYPE_LONGLONG
            | T::MYSQL_TYPE_INT24
            | T::MYSQL_TYPE_YEAR
            | T::MYSQL_TYPE_TYPED_ARRAY
            | T::MYSQL_TYPE_UNKNOWN
            | T::MYSQL_TYPE_JSON
            | T::MYSQL_TYPE_ENUM
            | T::MYSQL_TYPE_SET
            | T::MYSQL_TYPE_TINY_BLOB
            | T::MYSQL_TYPE_MEDIUM_BLOB
            | T::MYSQL_TYPE_LONG_BLOB
            | T::MYSQL_TYPE_BLOB
            | T::MYSQL_TYPE_VARCHAR
            | T::MYSQL_TYPE_VAR_STRING
            | T::MYSQL_TYPE_STRING => Cells::Plain,
        }
    }

    /// Adds a cell to a row.
    pub(super) fn push(self, value: &Value, row: &mut RowBytes) {
        match value {
            Value::NULL => row.null(),
            Value::Int(n) => row.integer(*n),
            Value::UInt(n) => unsigned(*n, row),
            // the shortest spelling that reads back, not the digits that widening adds
            Value::Float(n) => row.real(n.to_string().parse().unwrap_or_else(|_| f64::from(*n))),
            Value::Double(n) => row.real(*n),
            Value::Date(..) | Value::Time(..) => row.text(self.moment(value).as_bytes()),
            Value::Bytes(bytes) => self.bytes(bytes, row),
        }
    }

    fn bytes(self, bytes: &[u8], row: &mut RowBytes) {
        match self {
            Cells::Blob => row.blob(bytes),
            Cells::Bits if bytes.len() <= 8 => {
                unsigned(bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)), row);
            }
            Cells::Decimal => decimal(bytes, row),
            Cells::Bits | Cells::Plain | Cells::Day | Cells::Moment(_) => row.text(bytes),
        }
    }

    fn moment(self, value: &Value) -> String {
        let digits = if let Cells::Moment(digits) = self { digits } else { 0 };
        let (mut text, micros) = match *value {
            Value::Date(year, month, day, ..) if self == Cells::Day => {
                (format!("{year:04}-{month:02}-{day:02}"), 0)
            }
            Value::Date(year, month, day, hour, minute, second, micros) => {
                let day = format!("{year:04}-{month:02}-{day:02}");
                (format!("{day} {hour:02}:{minute:02}:{second:02}"), micros)
            }
            Value::Time(negative, days, hours, minutes, seconds, micros) => {
                let sign = if negative { "-" } else { "" };
                let hours = days * 24 + u32::from(hours);
                (format!("{sign}{hours:02}:{minutes:02}:{seconds:02}"), micros)
            }
            Value::NULL
            | Value::Bytes(_)
            | Value::Int(_)
            | Value::UInt(_)
            | Value::Float(_)
            | Value::Double(_) => return String::new(),
        };
        if digits > 0 {
            let fraction = format!("{micros:06}");
            text.push('.');
            text.push_str(fraction.get(..digits).unwrap_or(&fraction));
        }
        text
    }
}

/// Adds a whole number; one beyond ours stands as its digits.
fn unsigned(n: u64, row: &mut RowBytes) {
    match i64::try_from(n) {
        Ok(n) => row.integer(n),
        Err(_) => row.text(n.to_string().as_bytes()),
    }
}

/// Adds a number as a number where all of its digits are kept, else as its digits.
fn decimal(bytes: &[u8], row: &mut RowBytes) {
    let text = std::str::from_utf8(bytes).unwrap_or("");
    if !text.contains('.')
        && let Ok(n) = text.parse()
    {
        return row.integer(n);
    }
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit);
    match text.parse::<f64>() {
        Ok(n) if digits.count() <= KEPT_DIGITS => row.real(n),
        Ok(_) | Err(_) => row.text(bytes),
    }
}

/// Describes a column; one of the database that was connected to is called without it.
pub(super) fn column(column: &Column, database: Option<&str>) -> ResultColumn {
    let (schema, table, name) =
        (column.schema_str(), column.org_table_str(), column.org_name_str());
    let here = database.is_some_and(|database| database.eq_ignore_ascii_case(&schema));
    let origin = match (table.is_empty() || name.is_empty(), here || schema.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("{table}.{name}")),
        (false, false) => Some(format!("{schema}.{table}.{name}")),
    };
    ResultColumn {
        name: column.name_str().into_owned(),
        data_type: type_name(column),
        origin,
        unit: None,
    }
}

/// Calls a type as the server's own statements do.
fn type_name(column: &Column) -> String {
    use ColumnType as T;
    let flags = column.flags();
    let bytes = column.character_set() == BYTES;
    let or = |binary: &'static str, text: &'static str| if bytes { binary } else { text };
    let name = match column.column_type() {
        T::MYSQL_TYPE_DECIMAL | T::MYSQL_TYPE_NEWDECIMAL => return decimal_name(column),
        T::MYSQL_TYPE_TINY => "tinyint",
        T::MYSQL_TYPE_SHORT => "smallint",
        T::MYSQL_TYPE_INT24 => "mediumint",
        T::MYSQL_TYPE_LONG => "int",
        T::MYSQL_TYPE_LONGLONG => "bigint",
        T::MYSQL_TYPE_FLOAT => "float",
        T::MYSQL_TYPE_DOUBLE => "double",
        T::MYSQL_TYPE_NULL | T::MYSQL_TYPE_UNKNOWN | T::MYSQL_TYPE_TYPED_ARRAY => "",
        T::MYSQL_TYPE_TIMESTAMP | T::MYSQL_TYPE_TIMESTAMP2 => "timestamp",
        T::MYSQL_TYPE_DATE | T::MYSQL_TYPE_NEWDATE => "date",
        T::MYSQL_TYPE_TIME | T::MYSQL_TYPE_TIME2 => "time",
        T::MYSQL_TYPE_DATETIME | T::MYSQL_TYPE_DATETIME2 => "datetime",
        T::MYSQL_TYPE_YEAR => "year",
        T::MYSQL_TYPE_BIT => "bit",
        T::MYSQL_TYPE_VECTOR => "vector",
        T::MYSQL_TYPE_JSON => "json",
        T::MYSQL_TYPE_GEOMETRY => "geometry",
        T::MYSQL_TYPE_ENUM => "enum",
        T::MYSQL_TYPE_SET => "set",
        _ if flags.contains(ColumnFlags::ENUM_FLAG) => "enum",
        _ if flags.contains(ColumnFlags::SET_FLAG) => "set",
        T::MYSQL_TYPE_VARCHAR | T::MYSQL_TYPE_VAR_STRING => or("varbinary", "varchar"),
        T::MYSQL_TYPE_STRING => or("binary", "char"),
        T::MYSQL_TYPE_TINY_BLOB
        | T::MYSQL_TYPE_MEDIUM_BLOB
        | T::MYSQL_TYPE_LONG_BLOB
        | T::MYSQL_TYPE_BLOB => or("blob", "text"),
    };
    let unsigned = flags.contains(ColumnFlags::UNSIGNED_FLAG) && name.ends_with("int");
    if unsigned { format!("{name} unsigned") } else { name.to_owned() }
}

/// Writes `decimal(10,2)`: the length that is sent counts the sign and the point.
fn decimal_name(column: &Column) -> String {
    let scale = u32::from(column.decimals());
    let signed = !column.flags().contains(ColumnFlags::UNSIGNED_FLAG);
    let around = u32::from(scale > 0) + u32::from(signed);
    format!("decimal({},{scale})", column.column_length().saturating_sub(around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Value as Ours;

    fn cell(cells: Cells, value: &Value) -> Ours {
        let mut row = RowBytes::new();
        cells.push(value, &mut row);
        row.decode().remove(0)
    }

    fn text(text: &str) -> Ours {
        Ours::Text(text.to_owned())
    }

    #[test]
    fn no_digit_of_a_number_is_lost() {
        let decimal = |text: &str| cell(Cells::Decimal, &Value::Bytes(text.into()));
        assert_eq!(decimal("12.50"), Ours::Real(12.5));
        assert_eq!(decimal("-0.000000000000000000123"), Ours::Real(-1.23e-19));
        assert_eq!(decimal("9007199254740993.1"), text("9007199254740993.1"));
        assert_eq!(decimal("42"), Ours::Integer(42));
        assert_eq!(decimal("18446744073709551616"), text("18446744073709551616"));
        assert_eq!(cell(Cells::Plain, &Value::UInt(u64::MAX)), text("18446744073709551615"));
        assert_eq!(cell(Cells::Plain, &Value::Float(0.1)), Ours::Real(0.1));
        assert_eq!(cell(Cells::Bits, &Value::Bytes(vec![1, 2])), Ours::Integer(258));
    }

    #[test]
    fn moments_are_written_as_the_server_writes_them() {
        let date = Value::Date(2024, 2, 29, 7, 5, 0, 120_000);
        assert_eq!(cell(Cells::Day, &date), text("2024-02-29"));
        assert_eq!(cell(Cells::Moment(0), &date), text("2024-02-29 07:05:00"));
        assert_eq!(cell(Cells::Moment(3), &date), text("2024-02-29 07:05:00.120"));
        let time = Value::Time(true, 34, 22, 59, 59, 0);
        assert_eq!(cell(Cells::Moment(0), &time), text("-838:59:59"));
    }
}
