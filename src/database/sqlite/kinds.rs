//! What kind of data a column holds: by its declared type, corrected by what is stored.

use rusqlite::types::ValueRef;

use crate::domain::ColumnKind;

/// Parts of declared types and the kind they mean, the first that fits.
///
/// The order follows the engine's own rule of affinity, with dates and truth values, which the
/// engine doesn't know, before it. `POINT` and `INTERVAL` only look like `INT`.
const PARTS: &[(&str, ColumnKind)] = &[
    ("BOOL", ColumnKind::Boolean),
    ("DATE", ColumnKind::Date),
    ("TIME", ColumnKind::Date),
    ("POINT", ColumnKind::Unknown),
    ("INTERVAL", ColumnKind::Text),
    ("INT", ColumnKind::Integer),
    ("SERIAL", ColumnKind::Integer),
    ("YEAR", ColumnKind::Integer),
    ("CHAR", ColumnKind::Text),
    ("CLOB", ColumnKind::Text),
    ("TEXT", ColumnKind::Text),
    ("STRING", ColumnKind::Text),
    ("UUID", ColumnKind::Text),
    ("ENUM", ColumnKind::Text),
    ("JSON", ColumnKind::Text),
    ("BLOB", ColumnKind::Blob),
    ("BINARY", ColumnKind::Blob),
    ("BYTEA", ColumnKind::Blob),
    ("IMAGE", ColumnKind::Blob),
    ("REAL", ColumnKind::Real),
    ("FLOA", ColumnKind::Real),
    ("DOUB", ColumnKind::Real),
    ("NUM", ColumnKind::Real),
    ("DEC", ColumnKind::Real),
    ("MONEY", ColumnKind::Real),
];

/// Returns the kind that a declared type means.
pub(super) fn declared(data_type: &str) -> ColumnKind {
    let upper = data_type.to_ascii_uppercase();
    if upper == "BIT" {
        return ColumnKind::Boolean;
    }
    PARTS.iter().find(|(part, _)| upper.contains(part)).map_or(ColumnKind::Unknown, |(_, k)| *k)
}

/// What was seen in the first cells of a column.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    integers: u32,
    years: u32,
    reals: u32,
    texts: u32,
    dates: u32,
    blobs: u32,
}

impl Seen {
    /// Looks at one more cell.
    pub(super) fn look(&mut self, cell: ValueRef<'_>) {
        match cell {
            ValueRef::Null => {}
            ValueRef::Integer(n) => {
                self.integers += 1;
                self.years += u32::from((1000..=2999).contains(&n));
            }
            ValueRef::Real(_) => self.reals += 1,
            ValueRef::Text(text) => {
                self.texts += 1;
                self.dates += u32::from(is_iso_date(text));
            }
            ValueRef::Blob(_) => self.blobs += 1,
        }
    }

    /// Corrects a declared kind where every cell seen says otherwise.
    pub(super) fn correct(&self, kind: ColumnKind) -> ColumnKind {
        let all = self.integers + self.reals + self.texts + self.blobs;
        if all == 0 || kind == ColumnKind::Blob {
            return kind;
        }
        let only_dates = self.dates == all;
        match kind {
            ColumnKind::Text | ColumnKind::Unknown if only_dates => ColumnKind::Date,
            ColumnKind::Date if self.years == all => ColumnKind::Integer,
            ColumnKind::Integer | ColumnKind::Real if self.texts == all => {
                if only_dates {
                    ColumnKind::Date
                } else {
                    ColumnKind::Text
                }
            }
            ColumnKind::Integer if self.reals > 0 && self.integers + self.reals == all => {
                ColumnKind::Real
            }
            ColumnKind::Unknown if self.integers == all => ColumnKind::Integer,
            ColumnKind::Unknown if self.integers + self.reals == all => ColumnKind::Real,
            ColumnKind::Unknown if self.texts == all => ColumnKind::Text,
            ColumnKind::Unknown if self.blobs == all => ColumnKind::Blob,
            ColumnKind::Integer
            | ColumnKind::Real
            | ColumnKind::Text
            | ColumnKind::Date
            | ColumnKind::Boolean
            | ColumnKind::Blob
            | ColumnKind::Unknown => kind,
        }
    }
}

/// Tells whether a text is an ISO 8601 date, with or without a time.
fn is_iso_date(text: &[u8]) -> bool {
    let Some((date, time)) = text.split_at_checked(10) else { return false };
    let shape = |part: &[u8], pattern: &[u8]| {
        part.len() == pattern.len()
            && part.iter().zip(pattern).all(|(c, p)| match p {
                b'0' => c.is_ascii_digit(),
                _ => c == p,
            })
    };
    let number = |at: usize| date.get(at..at + 2).and_then(|d| std::str::from_utf8(d).ok());
    let in_range = |at: usize, most: u8| {
        number(at).and_then(|d| d.parse::<u8>().ok()).is_some_and(|n| n <= most)
    };
    shape(date, b"0000-00-00")
        && in_range(5, 12)
        && in_range(8, 31)
        && (time.is_empty()
            || (matches!(time.first(), Some(b' ' | b'T'))
                && time.get(1..6).is_some_and(|clock| shape(clock, b"00:00"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_of_many_dialects_have_a_kind() {
        let cases = [
            ("INTEGER", ColumnKind::Integer),
            ("bigint unsigned", ColumnKind::Integer),
            ("VARCHAR(20)", ColumnKind::Text),
            ("nvarchar", ColumnKind::Text),
            ("DECIMAL(10,2)", ColumnKind::Real),
            ("number", ColumnKind::Real),
            ("double precision", ColumnKind::Real),
            ("datetime", ColumnKind::Date),
            ("timestamp with time zone", ColumnKind::Date),
            ("bool", ColumnKind::Boolean),
            ("POINT", ColumnKind::Unknown),
            ("", ColumnKind::Unknown),
        ];
        for (data_type, kind) in cases {
            assert_eq!(declared(data_type), kind, "{data_type}");
        }
    }

    fn corrected(kind: ColumnKind, cells: &[ValueRef<'_>]) -> ColumnKind {
        let mut seen = Seen::default();
        for cell in cells {
            seen.look(*cell);
        }
        seen.correct(kind)
    }

    #[test]
    fn what_is_stored_corrects_what_is_declared() {
        let text = |t: &'static str| ValueRef::Text(t.as_bytes());
        let dates = [text("2024-02-29"), ValueRef::Null, text("2024-01-01 10:00:00")];
        assert_eq!(corrected(ColumnKind::Text, &dates), ColumnKind::Date);
        assert_eq!(
            corrected(ColumnKind::Text, &[text("2024-02-29"), text("soon")]),
            ColumnKind::Text
        );
        assert_eq!(corrected(ColumnKind::Text, &[text("2024-13-01")]), ColumnKind::Text);
        assert_eq!(corrected(ColumnKind::Integer, &[text("usa")]), ColumnKind::Text);
        assert_eq!(corrected(ColumnKind::Date, &[ValueRef::Integer(1998)]), ColumnKind::Integer);
        assert_eq!(corrected(ColumnKind::Unknown, &[ValueRef::Real(0.5)]), ColumnKind::Real);
        assert_eq!(corrected(ColumnKind::Boolean, &[ValueRef::Integer(1)]), ColumnKind::Boolean);
        assert_eq!(corrected(ColumnKind::Unknown, &[]), ColumnKind::Unknown);
    }
}
