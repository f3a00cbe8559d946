//! SQL `INSERT` statements that bring rows into a table of the same columns.

use crate::domain::{Cell, ResultColumn};

/// Writes what every statement begins with, up to the values.
pub(super) fn beginning(columns: &[ResultColumn], table: Option<&str>) -> String {
    let table = table.or_else(|| one_table(columns)).unwrap_or("result");
    let names: Vec<String> = super::distinct_names(columns).iter().map(|n| quoted(n)).collect();
    format!("INSERT INTO {} ({}) VALUES (", quoted(table), names.join(", "))
}

/// Finds the table that every column comes from.
fn one_table(columns: &[ResultColumn]) -> Option<&str> {
    let of = |column: &'_ ResultColumn| -> Option<usize> { column.origin.as_ref()?.rfind('.') };
    let first = columns.first()?;
    let table = first.origin.as_deref()?.get(..of(first)?)?;
    let same = columns.iter().all(|column| {
        column.origin.as_deref().zip(of(column)).and_then(|(o, at)| o.get(..at)) == Some(table)
    });
    same.then_some(table)
}

pub(super) fn line<'a>(beginning: &str, cells: impl Iterator<Item = Cell<'a>>, out: &mut String) {
    out.push_str(beginning);
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        literal(cell, out);
    }
    out.push_str(");\n");
}

fn literal(cell: Cell<'_>, out: &mut String) {
    match cell {
        Cell::Null => out.push_str("NULL"),
        // a literal beyond the greatest real reads as infinity; no literal reads as NaN
        Cell::Real(n) if n.is_nan() => out.push_str("NULL"),
        Cell::Real(n) if n.is_infinite() => out.push_str(if n > 0.0 { "9e999" } else { "-9e999" }),
        // as one literal it would be read as a real
        Cell::Integer(i64::MIN) => out.push_str("(-9223372036854775807 - 1)"),
        Cell::Real(n) => {
            let start = out.len();
            cell.push_plain(out);
            // digits alone would be read as a whole number
            if n.fract() == 0.0 && !out.get(start..).unwrap_or_default().contains(['.', 'e']) {
                out.push_str(".0");
            }
        }
        Cell::Integer(_) | Cell::Blob(_) => cell.push_plain(out),
        Cell::Text(_) | Cell::Malformed(_) => {
            let mut text = String::new();
            cell.push_plain(&mut text);
            out.push('\'');
            out.push_str(&text.replace('\'', "''"));
            out.push('\'');
        }
    }
}

/// Writes a name in quotes, which every dialect here but MySQL's default takes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
