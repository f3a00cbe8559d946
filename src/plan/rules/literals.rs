//! Literals typed by their column: numbers, texts, dates and years.

use crate::domain::{ColumnKind, ColumnRef, Value};

use super::schema::Schema;

/// Types a number or text by its column; none when it can't be a value of it.
pub(super) fn literal(schema: &Schema<'_>, at: &ColumnRef, text: &str) -> Option<Value> {
    let column = schema.column(at)?;
    match column.kind {
        ColumnKind::Integer | ColumnKind::Real | ColumnKind::Boolean => number(text),
        ColumnKind::Text | ColumnKind::Date => Some(Value::Text(text.to_owned())),
        ColumnKind::Unknown => number(text).or_else(|| Some(Value::Text(text.to_owned()))),
        ColumnKind::Blob => None,
    }
}

fn number(text: &str) -> Option<Value> {
    match text.parse::<i64>() {
        Ok(n) => Some(Value::Integer(n)),
        Err(_) => text.parse::<f64>().ok().map(Value::Real),
    }
}

/// For a year and a column of whole dates: a pattern for that year, and its last moment.
pub(super) fn year_range(
    schema: &Schema<'_>,
    at: &ColumnRef,
    text: &str,
) -> Option<(Value, Value)> {
    let column = schema.column(at)?;
    let dates = match column.kind {
        ColumnKind::Date => true,
        ColumnKind::Text => {
            let list = schema.list(at)?;
            !list.is_empty()
                && list.iter().all(|v| v.len() >= 8 && v.contains(text.get(..2).unwrap_or("")))
        }
        ColumnKind::Integer
        | ColumnKind::Real
        | ColumnKind::Boolean
        | ColumnKind::Blob
        | ColumnKind::Unknown => false,
    };
    (dates && text.len() == 4)
        .then(|| (Value::Text(format!("%{text}%")), Value::Text(format!("{text}-12-31 23:59:59"))))
}
