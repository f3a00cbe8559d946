//! A place in SQL as lines of a terminal: where it is, the line that holds it, and an underline.
//!
//! ```text
//!   at line 1, column 8
//!   1  SELECT pric FROM bookings
//!             ~~~~
//! ```

use crate::domain::Span;
use crate::shown::Shown;

/// Columns of a line that are shown; a longer one is cut around the place.
const WIDTH: usize = 90;
/// Columns kept before a place that is cut to.
const BEFORE: usize = 30;

/// Points at a place of a text; of a place of several lines the first is underlined.
pub(super) fn pointed(text: &str, span: Span) -> Vec<String> {
    let start = boundary(text, span.start);
    let end = boundary(text, span.end).max(start);
    let above = text.get(..start).unwrap_or_default();
    let number = above.matches('\n').count() + 1;
    let begins = above.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(begins..).unwrap_or_default().lines().next().unwrap_or_default();
    let from = Shown::column(line, start - begins);
    let to = Shown::column(line, end - begins).max(from + 1);
    let letters = above.get(begins..).unwrap_or_default().chars().count();
    let gone = if to <= WIDTH { 0 } else { from.saturating_sub(BEFORE) };
    let shown = Shown::code(line).skip(gone).fit(WIDTH);
    let (from, to) = (from - gone, (to - gone).min(WIDTH));
    let margin = " ".repeat(number.to_string().len());
    let waves = "~".repeat(to.saturating_sub(from).max(1));
    vec![
        format!("  at line {number}, column {}", letters + 1),
        format!("  {number}  {shown}"),
        format!("  {margin}  {}{waves}", " ".repeat(from)),
    ]
}

/// Returns the next lower byte at which a letter begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points at the first occurrence of a word.
    fn at(text: &str, word: &str) -> Vec<String> {
        let start = text.find(word).expect("the word is there");
        pointed(text, Span::new(start, start + word.len()))
    }

    #[test]
    fn a_place_is_told_by_line_and_column_and_underlined() {
        assert_eq!(
            at("SELECT id,\n  pric\nFROM bookings", "pric"),
            ["  at line 2, column 3", "  2    pric", "       ~~~~"]
        );
        // columns are letters, and the underline is as wide as what is shown
        let wide = at("SELECT '茶č', pric FROM b", "pric");
        assert_eq!(wide[0], "  at line 1, column 14");
        assert_eq!(wide[2], format!("     {}~~~~", " ".repeat(14)));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place_and_a_short_text_bears_a_place_behind_its_end() {
        let long = format!("SELECT {}, pric FROM bookings", "a_column, ".repeat(40));
        let lines = at(&long, "pric");
        let column = lines[2].find('~').expect("an underline");
        assert_eq!(lines[1].get(column..column + 4), Some("pric"));
        assert!(lines[1].chars().count() <= WIDTH + 5, "{lines:?}");
        assert_eq!(pointed("", Span::new(3, 9)), ["  at line 1, column 1", "  1  ", "     ~"]);
    }
}
