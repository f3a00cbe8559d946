//! Columns that hold dates.

use crate::domain::{Column, ColumnKind};

use super::words;

/// Words in names of columns that hold dates as text.
const DATED: &[&str] = &[
    "date",
    "datetime",
    "time",
    "timestamp",
    "at",
    "on",
    "day",
    "birthday",
    "born",
    "since",
    "dob",
    "birthdate",
    "startdate",
    "enddate",
    "hiredate",
    "orderdate",
    "duedate",
    "update",
];

/// Tells whether a column holds dates, by its type or the words of its name.
pub(super) fn is_dated(column: &Column) -> bool {
    match column.kind {
        ColumnKind::Date => true,
        ColumnKind::Text | ColumnKind::Unknown => {
            words::of_name(&column.name).iter().any(|word| DATED.contains(&word.as_str()))
        }
        ColumnKind::Integer | ColumnKind::Real | ColumnKind::Boolean | ColumnKind::Blob => false,
    }
}
