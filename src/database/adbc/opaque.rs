//! Types that Arrow has no word for, told by a field's extension name: bytes read as text.

use std::fmt::Write as _;

use arrow_schema::Field;
use serde_json::Value as Json;

/// How the bytes of a field are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opaque {
    /// A truth value in a byte.
    Bool,
    /// 16 bytes as hexadecimal digits in five groups.
    Uuid,
    /// A whole number of 128 bits.
    Huge,
    /// One without a sign.
    UnsignedHuge,
    /// A time of day with its offset from Greenwich.
    ZonedTime,
    /// A row of bits.
    Bits,
    /// A whole number of any size.
    Big,
    /// JSON as text.
    Json,
}

/// Names of types within DuckDB's opaque fields.
const DUCKDB: &[(&str, Opaque)] = &[
    ("hugeint", Opaque::Huge),
    ("uhugeint", Opaque::UnsignedHuge),
    ("time_tz", Opaque::ZonedTime),
    ("bit", Opaque::Bits),
    ("bignum", Opaque::Big),
];

impl Opaque {
    /// Tells what a field holds, if its bytes need to be told.
    pub(super) fn of(field: &Field) -> Option<Self> {
        let metadata = field.metadata();
        match metadata.get("ARROW:extension:name")?.as_str() {
            "arrow.bool8" => Some(Opaque::Bool),
            "arrow.uuid" => Some(Opaque::Uuid),
            "arrow.json" => Some(Opaque::Json),
            "arrow.opaque" => {
                let told: Json =
                    serde_json::from_str(metadata.get("ARROW:extension:metadata")?).ok()?;
                if told.get("vendor_name")?.as_str()? != "DuckDB" {
                    return None;
                }
                let name = told.get("type_name")?.as_str()?;
                DUCKDB.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
            }
            _ => None,
        }
    }

    /// Names the type as SQL does.
    pub(super) fn name(self) -> &'static str {
        match self {
            Opaque::Bool => "boolean",
            Opaque::Uuid => "uuid",
            Opaque::Huge => "hugeint",
            Opaque::UnsignedHuge => "uhugeint",
            Opaque::ZonedTime => "time with time zone",
            Opaque::Bits => "bit",
            Opaque::Big => "bignum",
            Opaque::Json => "json",
        }
    }

    /// Reads bytes; none when they are not of the type.
    pub(super) fn read(self, bytes: &[u8]) -> Option<String> {
        match self {
            Opaque::Bool => Some((bytes.first()? != &0).to_string()),
            Opaque::Uuid => uuid::Uuid::from_slice(bytes).ok().map(|id| id.to_string()),
            Opaque::Huge => Some(i128::from_le_bytes(bytes.try_into().ok()?).to_string()),
            Opaque::UnsignedHuge => Some(u128::from_le_bytes(bytes.try_into().ok()?).to_string()),
            Opaque::ZonedTime => zoned(u64::from_le_bytes(bytes.try_into().ok()?)),
            Opaque::Bits => bits(bytes),
            Opaque::Big => big(bytes),
            Opaque::Json => std::str::from_utf8(bytes).ok().map(str::to_owned),
        }
    }
}

/// The largest offset in seconds: 15:59:59. Offsets are stored as the distance to it.
const LARGEST_OFFSET: i64 = 16 * 60 * 60 - 1;

/// Reads microseconds in the upper 40 bits and the offset in the lower 24.
fn zoned(stored: u64) -> Option<String> {
    // writing into a text can't fail
    let micros = stored >> 24;
    let offset = LARGEST_OFFSET - i64::try_from(stored & 0xFF_FFFF).ok()?;
    let away = offset.unsigned_abs();
    let (hours, minutes, seconds) = (away / 3600, away / 60 % 60, away % 60);
    let mut text = clock(micros * 1000);
    let _ = write!(text, "{}{hours:02}", if offset < 0 { '-' } else { '+' });
    if minutes > 0 || seconds > 0 {
        let _ = write!(text, ":{minutes:02}");
    }
    if seconds > 0 {
        let _ = write!(text, ":{seconds:02}");
    }
    Some(text)
}

/// Writes nanoseconds as hours, minutes, seconds and what is left of a second.
pub(super) fn clock(nanoseconds: u64) -> String {
    let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest == 0 {
        return text;
    }
    format!("{text}.{}", format!("{rest:09}").trim_end_matches('0'))
}

/// Reads bits behind a byte that tells how many of the first are filling.
fn bits(bytes: &[u8]) -> Option<String> {
    let (filling, bytes) = bytes.split_first()?;
    let mut all = String::new();
    for byte in bytes {
        let _ = write!(all, "{byte:08b}");
    }
    all.get(usize::from(*filling)..).map(str::to_owned)
}

/// Reads digits behind a head of three bytes whose first bit is set when the number isn't negative;
/// all bits of a negative one are turned over.
fn big(bytes: &[u8]) -> Option<String> {
    let (head, digits) = bytes.split_at_checked(3)?;
    let negative = head.first()? & 0x80 == 0;
    // groups of nine decimal digits, the lowest first
    let mut groups: Vec<u64> = vec![0];
    for byte in digits {
        let mut carry = u64::from(if negative { !byte } else { *byte });
        for group in &mut groups {
            let sum = *group * 256 + carry;
            *group = sum % 1_000_000_000;
            carry = sum / 1_000_000_000;
        }
        if carry > 0 {
            groups.push(carry);
        }
    }
    let mut text = String::from(if negative { "-" } else { "" });
    let mut groups = groups.iter().rev();
    text.push_str(&groups.next()?.to_string());
    for group in groups {
        let _ = write!(text, "{group:09}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_duckdb_are_read() {
        let time = [0xDF, 0xC4, 0x00, 0x80, 0x2A, 0x3F, 0x3E, 0x0A];
        assert_eq!(Opaque::ZonedTime.read(&time).as_deref(), Some("12:13:14+02"));
        assert_eq!(Opaque::Bits.read(&[5, 0xFD]).as_deref(), Some("101"));
        let big = [0x80, 0, 0x0A, 2, 0x9D, 0x42, 0xB6, 0x4E, 0x76, 0x71, 0x42, 0x44, 0xCB];
        assert_eq!(Opaque::Big.read(&big).as_deref(), Some("12345678901234567890123"));
        assert_eq!(Opaque::Big.read(&[0x7F, 0xFF, 0xFE, !7]).as_deref(), Some("-7"));
        assert_eq!(
            Opaque::UnsignedHuge.read(&[0xFF; 16]).as_deref(),
            Some("340282366920938463463374607431768211455")
        );
        assert_eq!(Opaque::Huge.read(&[0xFF; 16]).as_deref(), Some("-1"));
        assert_eq!(Opaque::Huge.read(&[1]), None);
    }
}
