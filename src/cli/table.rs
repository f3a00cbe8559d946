//! A result as aligned columns for reading: numbers right, text left, no box.

use crate::domain::{Rows, Value};
use crate::shown::Shown;

/// Widest column, in cells of the terminal; longer cells end in `…`.
const WIDEST: usize = 60;

/// Lays rows out; the first line holds the names.
pub(super) fn aligned(rows: &Rows) -> String {
    let names: Vec<String> = rows.columns.iter().map(|column| short(&column.name)).collect();
    let cells: Vec<Vec<String>> =
        rows.rows.iter().map(|row| row.iter().map(|value| short(&text(value))).collect()).collect();
    let right: Vec<bool> = (0..names.len()).map(|i| is_number(rows, i)).collect();
    let widths: Vec<usize> = (0..names.len())
        .map(|i| {
            let of = |line: &Vec<String>| line.get(i).map_or(0, |cell| Shown::new(cell).width());
            cells.iter().map(of).chain([of(&names)]).max().unwrap_or(0)
        })
        .collect();
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let lines = [&names, &rule].into_iter().chain(&cells);
    lines.map(|line| joined(line, &widths, &right)).collect::<Vec<_>>().join("\n")
}

fn joined(line: &[String], widths: &[usize], right: &[bool]) -> String {
    let mut out = String::new();
    for (i, cell) in line.iter().enumerate() {
        let (Some(width), Some(right)) = (widths.get(i), right.get(i)) else { continue };
        let gap = " ".repeat(width.saturating_sub(Shown::new(cell).width()));
        let (before, after) = if *right { (gap.as_str(), "") } else { ("", gap.as_str()) };
        out.push_str(if i == 0 { "" } else { "  " });
        out.push_str(before);
        out.push_str(cell);
        out.push_str(after);
    }
    out.truncate(out.trim_end().len());
    out
}

fn is_number(rows: &Rows, i: usize) -> bool {
    let mut cells =
        rows.rows.iter().filter_map(|row| row.get(i)).filter(|v| !v.is_null()).peekable();
    cells.peek().is_some() && cells.all(|value| value.number().is_some())
}

fn text(value: &Value) -> String {
    if value.is_null() { "∅".to_owned() } else { value.plain() }
}

/// Makes a cell one safe line of bounded width.
fn short(text: &str) -> String {
    let shown = Shown::new(text);
    if shown.width() <= WIDEST {
        return shown.as_str().to_owned();
    }
    let mut cut = String::new();
    for c in shown.as_str().chars() {
        if Shown::new(&cut).width() >= WIDEST - 2 {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ResultColumn;

    #[test]
    fn numbers_stand_right_and_null_has_a_sign() {
        let column = |name: &str| ResultColumn {
            name: name.to_owned(),
            data_type: String::new(),
            origin: None,
            unit: None,
        };
        let rows = Rows {
            columns: vec![column("region"), column("total")],
            rows: vec![
                vec![Value::Text("Europe".into()), Value::Integer(7)],
                vec![Value::Null, Value::Integer(1_200)],
            ],
            row_count: 2,
            ..Rows::default()
        };
        assert_eq!(aligned(&rows), "region  total\n------  -----\nEurope      7\n∅        1200");
    }
}
