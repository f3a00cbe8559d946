//! Reads where to go in a result: a row, a column, or both.

use crate::domain::counts::grouped;

use super::super::app::App;

/// A place in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Goal {
    /// The row, from 0.
    pub row: Option<u64>,
    /// The column, by its index in the result.
    pub col: Option<usize>,
}

impl Goal {
    /// Says the place in words.
    pub fn words(self, app: &App) -> String {
        let name = |col: usize| app.grid.columns().get(col).map_or("", |c| c.name.as_str());
        match (self.row, self.col) {
            (Some(row), Some(col)) => format!("row {}, column {}", grouped(row + 1), name(col)),
            (Some(row), None) => format!("row {}", grouped(row + 1)),
            (None, Some(col)) => format!("column {}", name(col)),
            (None, None) => String::new(),
        }
    }
}

/// Reads a place in the result shown. An error is a sentence.
pub fn read(app: &App, text: &str) -> Result<Goal, String> {
    let names: Vec<&str> = app.grid.columns().iter().map(|column| column.name.as_str()).collect();
    parse(text, app.grid.total().0, &names)
}

/// Goes to a place.
pub fn go(app: &mut App, text: &str) -> Result<(), String> {
    let goal = read(app, text)?;
    if let Some(row) = goal.row {
        app.grid.go_row(row);
    }
    if let Some(col) = goal.col {
        app.grid.go_col(col);
    }
    Ok(())
}

fn parse(text: &str, total: u64, names: &[&str]) -> Result<Goal, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Goal::default());
    }
    if let Ok(row) = row(text, total) {
        return Ok(Goal { row: Some(row), col: None });
    }
    if let Ok(col) = column(text, names) {
        return Ok(Goal { row: None, col: Some(col) });
    }
    let Some((first, second)) = text.rsplit_once(',') else {
        return Err(match row(text, total) {
            Err(words) if text.starts_with(|c: char| c.is_ascii_digit()) => words,
            Ok(_) | Err(_) => format!("There is no column '{text}'."),
        });
    };
    let (first, second) = (first.trim(), second.trim());
    let row = if first.is_empty() { None } else { Some(row(first, total)?) };
    let col = if second.is_empty() { None } else { Some(column(second, names)?) };
    Ok(Goal { row, col })
}

/// Reads a row: `1500`, `1,500`, `50%`, or from the end `-1`. Beyond the end is the last one.
fn row(text: &str, total: u64) -> Result<u64, String> {
    let wrong = || format!("'{text}' is no row.");
    let last = total.saturating_sub(1);
    if let Some(percent) = text.strip_suffix('%') {
        let percent: u64 = percent.trim().parse().map_err(|_| wrong())?;
        return Ok((u128::from(last) * u128::from(percent.min(100)) / 100)
            .try_into()
            .unwrap_or(last));
    }
    if let Some(back) = text.strip_prefix('-') {
        let back = digits(back).ok_or_else(wrong)?;
        return Ok(total.saturating_sub(back).min(last));
    }
    let n = digits(text).ok_or_else(wrong)?;
    if n == 0 { Err("Rows count from 1.".to_owned()) } else { Ok((n - 1).min(last)) }
}

/// Reads a whole number, with commas before each three digits or without any.
fn digits(text: &str) -> Option<u64> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let fits = groups.all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    if text.contains(',') && !fits {
        return None;
    }
    text.replace(',', "").parse().ok()
}

/// Finds a column by its name, or by the one name that begins so.
fn column(text: &str, names: &[&str]) -> Result<usize, String> {
    let low = text.to_lowercase();
    if let Some(at) = names.iter().position(|name| name.to_lowercase() == low) {
        return Ok(at);
    }
    let mut begin = names.iter().enumerate().filter(|(_, n)| n.to_lowercase().starts_with(&low));
    match (begin.next(), begin.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_), Some(_)) => Err(format!("Several columns begin with '{text}'.")),
        (None, _) => Err(format!("There is no column '{text}'.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Option<u64>, Option<usize>), String> {
        parse(text, 5_000, &["region", "revenue", "note"]).map(|goal| (goal.row, goal.col))
    }

    #[test]
    fn rows_count_from_one_and_beyond_the_end_is_the_last() {
        assert_eq!(read("1"), Ok((Some(0), None)));
        assert_eq!(read("1500"), Ok((Some(1_499), None)));
        assert_eq!(read("1,500"), Ok((Some(1_499), None)));
        assert_eq!(read("9999999"), Ok((Some(4_999), None)));
        assert_eq!(read("-1"), Ok((Some(4_999), None)));
        assert_eq!(read("50%"), Ok((Some(2_499), None)));
        assert_eq!(read("0"), Err("Rows count from 1.".into()));
    }

    #[test]
    fn columns_are_found_by_their_name_or_its_start() {
        assert_eq!(read("NOTE"), Ok((None, Some(2))));
        assert_eq!(read("12, rev"), Ok((Some(11), Some(1))));
        assert_eq!(read("1,500, reg"), Ok((Some(1_499), Some(0))));
        assert_eq!(read(", note"), Ok((None, Some(2))));
        assert_eq!(read("12, re"), Err("Several columns begin with 're'.".into()));
        assert_eq!(read("nothing"), Err("There is no column 'nothing'.".into()));
    }
}
