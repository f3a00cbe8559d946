//! Says a result in one paragraph in which every number is a cell of the result. Pure.

use crate::domain::{ResultColumn, Rows, Value, units};

/// Cells longer than this, in characters, stay in the table.
const LONGEST: usize = 60;

/// Sums a result up. Numbers that are no cell never appear; that is checked before returning.
pub(super) fn summary(rows: &Rows) -> String {
    let text = told(rows);
    if numbers_are_cells(&text, rows) { text } else { "The result is in the table.".to_owned() }
}

fn told(rows: &Rows) -> String {
    let several = rows.row_count > 1 || rows.truncated;
    match (rows.rows.as_slice(), rows.columns.len()) {
        ([], _) if rows.row_count == 0 => "No rows match.".to_owned(),
        ([], _) | (_, 0) => "The result is in the table.".to_owned(),
        ([only], _) if !several => one_row(rows, only),
        (_, 1) => one_column(rows),
        _ => many(rows),
    }
}

fn one_row(rows: &Rows, row: &[Value]) -> String {
    let shown: Vec<String> = rows
        .columns
        .iter()
        .zip(row)
        .take(5)
        .map(|(column, value)| format!("{} is {}", column.name, cell(value, column)))
        .collect();
    let more =
        if rows.columns.len() > shown.len() { "; more columns are in the table" } else { "" };
    format!("{}{more}.", list(&shown))
}

fn one_column(rows: &Rows) -> String {
    let Some(only) = rows.columns.first() else { return "The result is in the table.".to_owned() };
    let name = &only.name;
    let values = rows.rows.iter().filter_map(|row| row.first());
    let cells: Vec<String> = values.map(|value| cell(value, only)).collect();
    let complete = !rows.truncated && cells.len() <= 5;
    match (complete, cells.first(), cells.last()) {
        (true, _, _) => format!("{name}: {}.", list(&cells)),
        (false, Some(first), Some(last)) if !rows.truncated => {
            format!("The table lists {name}, from {first} to {last}.")
        }
        (_, Some(first), _) => format!("The table lists {name}, first {first}."),
        _ => "The result is in the table.".to_owned(),
    }
}

/// Names the rows with the largest and the smallest number, where a label stands beside.
fn many(rows: &Rows) -> String {
    let label =
        (0..rows.columns.len()).find(|&i| column(rows, i).all(|v| matches!(v, Value::Text(_))));
    let number =
        (0..rows.columns.len()).rev().find(|&i| column(rows, i).all(|v| v.number().is_some()));
    let (Some(label), Some(number)) = (label, number) else { return first_row(rows) };
    if rows.truncated {
        return first_row(rows);
    }
    let (Some(named), Some(measure)) = (rows.columns.get(label), rows.columns.get(number)) else {
        return first_row(rows);
    };
    // what stands beside what: the label and the number of each row
    let pairs: Vec<(&Value, &Value)> =
        rows.rows.iter().filter_map(|row| Some((row.get(label)?, row.get(number)?))).collect();
    let by_number = |a: &&(&Value, &Value), b: &&(&Value, &Value)| {
        a.1.number().partial_cmp(&b.1.number()).unwrap_or(std::cmp::Ordering::Equal)
    };
    let most = pairs.iter().rev().max_by(by_number);
    let least = pairs.iter().min_by(by_number);
    let (Some(&(most, high)), Some(&(least, low))) = (most, least) else { return first_row(rows) };
    let name = &measure.name;
    if high == low {
        return format!("{name} is {} in every row.", cell(high, measure));
    }
    // a tie, a repeated label, a key or a flag has no highest row worth naming
    let ties = |end: &Value| pairs.iter().filter(|(_, n)| *n == end).count() > 1;
    let mut before = pairs.iter().enumerate();
    let repeated = before.any(|(i, (l, _))| pairs.iter().take(i).any(|(other, _)| other == l));
    let key = name.eq_ignore_ascii_case("id") || name.to_ascii_lowercase().ends_with("_id");
    if ties(high) || ties(low) || repeated || key {
        return first_row(rows);
    }
    format!(
        "{name} is highest for {} ({}) and lowest for {} ({}).",
        cell(most, named),
        cell(high, measure),
        cell(least, named),
        cell(low, measure),
    )
}

fn column(rows: &Rows, i: usize) -> impl Iterator<Item = &Value> {
    rows.rows.iter().filter_map(move |row| row.get(i))
}

fn first_row(rows: &Rows) -> String {
    let Some(first) = rows.rows.first() else { return "The result is in the table.".to_owned() };
    format!("The first row: {}", one_row(rows, first))
}

/// Writes a cell; a number whose unit is known has it behind it. Its digits are those of the cell, so
/// that whoever checks the sentence finds them there.
fn cell(value: &Value, column: &ResultColumn) -> String {
    if let (Some(unit), true) = (&column.unit, value.number().is_some_and(f64::is_finite)) {
        return format!("{} {}", value.plain(), units::beside(unit, value));
    }
    let text = match value {
        Value::Null => return "NULL".to_owned(),
        Value::Blob(_) => return "a blob".to_owned(),
        Value::Integer(_) | Value::Real(_) | Value::Text(_) | Value::Malformed(_) => value.plain(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        "empty".to_owned()
    } else if line.chars().count() > LONGEST {
        // a cut number would no longer be a cell, so a long cell is named, not shown
        "a long text".to_owned()
    } else {
        line
    }
}

fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Tells whether each number in a text stands in a cell or a column name of the result.
pub(super) fn numbers_are_cells(text: &str, rows: &Rows) -> bool {
    let mut known: Vec<String> = rows.columns.iter().map(|column| column.name.clone()).collect();
    known.extend(rows.rows.iter().flatten().map(Value::plain));
    numbers(text).all(|number| known.iter().any(|cell| numbers(cell).any(|n| n == number)))
}

/// Finds runs of digits with what belongs to them: sign, point, grouping.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
        .map(|run| run.trim_matches(['.', '-']))
        .filter(|run| run.contains(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[&str], cells: Vec<Vec<Value>>) -> Rows {
        let column = |name: &&str| ResultColumn {
            name: (*name).to_owned(),
            data_type: String::new(),
            origin: None,
            unit: None,
        };
        let row_count = cells.len() as u64;
        Rows {
            columns: names.iter().map(column).collect(),
            rows: cells,
            row_count,
            ..Rows::default()
        }
    }

    #[test]
    fn one_value_is_said_plainly() {
        let rows = rows(&["revenue"], vec![vec![Value::Integer(211_900)]]);
        assert_eq!(summary(&rows), "revenue is 211900.");
    }

    #[test]
    fn a_number_has_its_unit_behind_it_and_is_still_a_cell() {
        let text = |t: &str| Value::Text(t.to_owned());
        let mut one = rows(&["revenue"], vec![vec![Value::Integer(211_900)]]);
        one.columns[0].unit = Some("cents".to_owned());
        assert_eq!(summary(&one), "revenue is 211900 cents.");
        assert!(!numbers_are_cells("revenue is 211901 cents.", &one));
        one.rows = vec![vec![Value::Integer(1)]];
        assert_eq!(summary(&one), "revenue is 1 cent.");
        one.rows = vec![vec![Value::Null]];
        assert_eq!(summary(&one), "revenue is NULL.", "what is no number has no unit");
        let row = |name: &str, n| vec![text(name), Value::Real(n)];
        let mut two = rows(&["room", "mean"], vec![row("Elm", 1234.5), row("Oak", 20.0)]);
        two.columns[1].unit = Some("cents".to_owned());
        let told = "mean is highest for Elm (1234.5 cents) and lowest for Oak (20.0 cents).";
        assert_eq!(summary(&two), told);
    }

    #[test]
    fn extremes_are_named_with_their_labels() {
        let text = |t: &str| Value::Text(t.to_owned());
        let rows = rows(
            &["region", "total"],
            vec![
                vec![text("North"), Value::Integer(5)],
                vec![text("South"), Value::Integer(9)],
                vec![text("West"), Value::Integer(2)],
            ],
        );
        assert_eq!(summary(&rows), "total is highest for South (9) and lowest for West (2).");
    }

    #[test]
    fn a_tie_has_no_highest() {
        let text = |t: &str| Value::Text(t.to_owned());
        let row = |name: &str, n| vec![text(name), Value::Integer(n)];
        let rows = rows(&["room", "n"], vec![row("Birch", 1), row("Elm", 1), row("Oak", 0)]);
        assert_eq!(summary(&rows), "The first row: room is Birch and n is 1.");
    }

    #[test]
    fn a_number_that_is_no_cell_is_noticed() {
        let rows = rows(&["n"], vec![vec![Value::Integer(23)]]);
        assert!(numbers_are_cells("n is 23.", &rows));
        assert!(!numbers_are_cells("There are 24 of them.", &rows));
    }

    #[test]
    fn nothing_found_is_said_without_a_number() {
        assert_eq!(summary(&rows(&["n"], vec![])), "No rows match.");
    }
}
