//! Cells as the server writes them, and what they become: the column's type decides.

use tokio_postgres::Column;
use tokio_postgres::types::{Kind, Type};

use super::super::results::RowBytes;

/// How the texts of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `t` and `f`.
    Truth,
    /// Whole numbers.
    Whole,
    /// Floating numbers.
    Real,
    /// Decimal numbers of any length; those that are stored must not lose a digit.
    Decimal {
        /// The cells come from a column, and not from a computation.
        stored: bool,
    },
    /// `\x…`.
    Bytes,
    /// Anything else stays as the server writes it.
    Text,
}

impl Form {
    /// Returns how a column of a result is read.
    pub(super) fn of(column: &Column) -> Self {
        Form::of_type(column.type_(), column.table_oid().is_some())
    }

    fn of_type(kind: &Type, stored: bool) -> Self {
        if let Kind::Domain(inner) = kind.kind() {
            return Form::of_type(inner, stored);
        }
        Form::named(kind.name(), stored)
    }

    /// Returns how a type of the server is read, by its own name.
    pub(super) fn named(name: &str, stored: bool) -> Self {
        match name {
            "bool" => Form::Truth,
            "int2" | "int4" | "int8" | "oid" => Form::Whole,
            "float4" | "float8" => Form::Real,
            "numeric" => Form::Decimal { stored },
            "bytea" => Form::Bytes,
            _ => Form::Text,
        }
    }

    /// Adds a cell to a row.
    pub(super) fn encode(self, cell: &str, row: &mut RowBytes) {
        let text = |row: &mut RowBytes| row.text(cell.as_bytes());
        match self {
            Form::Truth => row.integer(i64::from(cell == "t")),
            Form::Whole => match cell.parse() {
                Ok(n) => row.integer(n),
                Err(_) => text(row),
            },
            Form::Real => match cell.parse() {
                Ok(n) => row.real(n),
                Err(_) => text(row),
            },
            Form::Decimal { stored } => match decimal(cell, stored) {
                Number::Whole(n) => row.integer(n),
                Number::Real(n) => row.real(n),
                Number::Long => text(row),
            },
            Form::Bytes => match bytes(cell) {
                Some(bytes) => row.blob(&bytes),
                None => text(row),
            },
            Form::Text => text(row),
        }
    }
}

#[derive(Debug, PartialEq)]
enum Number {
    Whole(i64),
    Real(f64),
    Long,
}

/// Digits that a floating number keeps, whatever they are.
const KEPT_DIGITS: usize = 15;

/// Reads a decimal number: as a floating one only where that loses nothing. A quotient was cut off
/// by the server itself, so there the digits behind the point may be fewer.
fn decimal(cell: &str, stored: bool) -> Number {
    if let Ok(n) = cell.parse() {
        return Number::Whole(n);
    }
    let Ok(n) = cell.parse::<f64>() else { return Number::Long };
    let digits = cell.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0').len();
    let fraction = fraction.trim_end_matches('0');
    let fits = match whole {
        // leading zeros of a fraction are no digits
        0 => fraction.trim_start_matches('0').len() <= KEPT_DIGITS,
        _ => whole + fraction.len() <= KEPT_DIGITS,
    };
    let cut_off = !stored && !fraction.is_empty() && whole <= KEPT_DIGITS;
    if fits || cut_off || !n.is_finite() { Number::Real(n) } else { Number::Long }
}

/// Reads `\x00ff`.
fn bytes(cell: &str) -> Option<Vec<u8>> {
    let digits = cell.strip_prefix("\\x")?.as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(pair).collect()
}

/// Returns the name that people use for the type of a column of a result.
pub(super) fn type_name(column: &Column) -> String {
    spelled(column.type_())
}

fn spelled(kind: &Type) -> String {
    if let Kind::Array(inner) = kind.kind() {
        return format!("{}[]", spelled(inner));
    }
    let name = match kind.name() {
        "bool" => "boolean",
        "int2" => "smallint",
        "int4" => "integer",
        "int8" => "bigint",
        "float4" => "real",
        "float8" => "double precision",
        "bpchar" => "character",
        "varchar" => "character varying",
        "timestamp" => "timestamp without time zone",
        "timestamptz" => "timestamp with time zone",
        "time" => "time without time zone",
        "timetz" => "time with time zone",
        other => other,
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Value;

    fn read(form: Form, cell: &str) -> Value {
        let mut row = RowBytes::new();
        form.encode(cell, &mut row);
        row.decode().pop().expect("a cell")
    }

    #[test]
    fn decimal_numbers_never_lose_a_stored_digit() {
        let stored = |cell| read(Form::Decimal { stored: true }, cell);
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(stored("12"), Value::Integer(12));
        assert_eq!(stored("12.50"), Value::Real(12.5));
        assert_eq!(stored("-0.000000000123456789012345"), Value::Real(-1.234_567_890_123_45e-10));
        assert_eq!(stored("12345678901234.56"), text("12345678901234.56"));
        assert_eq!(stored("9223372036854775808"), text("9223372036854775808"));
        assert!(matches!(stored("NaN"), Value::Real(n) if n.is_nan()));
        let computed = |cell| read(Form::Decimal { stored: false }, cell);
        assert_eq!(computed("2.3333333333333333"), Value::Real(7.0 / 3.0));
        assert_eq!(computed("9223372036854775808"), text("9223372036854775808"));
    }

    #[test]
    fn cells_are_what_their_type_says() {
        assert_eq!(read(Form::Truth, "t"), Value::Integer(1));
        assert_eq!(read(Form::Whole, "-9223372036854775808"), Value::Integer(i64::MIN));
        assert_eq!(read(Form::Real, "1e+300"), Value::Real(1e300));
        assert_eq!(read(Form::Real, "-Infinity"), Value::Real(f64::NEG_INFINITY));
        assert_eq!(read(Form::Bytes, "\\x00fF"), Value::Blob(vec![0, 255]));
        assert_eq!(read(Form::Text, "{1,2}"), Value::Text("{1,2}".into()));
    }
}
