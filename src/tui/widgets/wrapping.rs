//! How a line of an editor is cut into rows: behind words, and within a word only where it is wider
//! than a row.
//!
//! **Invariant:** no column is lost: the rows of a line, one after the other, are the line.

use crate::shown::Shown;

/// The rows of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rows {
    /// First columns of the rows, and the line's width.
    Words(Vec<usize>, usize),
    /// So many columns a row, whatever stands there; the line's width.
    Anywhere(usize, usize),
}

impl Rows {
    /// Cuts a line that is `wide` columns wide into rows of `width` columns. The cursor behind a
    /// full last row needs one more.
    pub(super) fn of(line: &str, wide: usize, width: usize) -> Self {
        let mut starts = vec![0];
        let mut start = 0;
        if wide >= width {
            let mut at = 0;
            for word in line.split_inclusive(' ') {
                let letters = Shown::code(word.trim_end_matches(' '));
                if at + letters.width() > start + width && at > start {
                    start = at;
                    starts.push(start);
                }
                while at + letters.width() > start + width {
                    // a wide letter that doesn't fit whole goes on with the next row
                    start += letters.skip(start - at).head(width).width().max(1);
                    starts.push(start);
                }
                at += Shown::code(word).width();
            }
        }
        if wide >= start + width {
            starts.push(wide.max(start + width));
        }
        Rows::Words(starts, wide)
    }

    /// Counts the rows.
    pub(super) fn count(&self) -> usize {
        match self {
            Rows::Words(starts, _) => starts.len(),
            Rows::Anywhere(width, wide) => wide / width + 1,
        }
    }

    /// Returns the first column of a row; of one behind the last, the line's end.
    pub(super) fn start(&self, row: usize) -> usize {
        match self {
            Rows::Words(starts, wide) => starts.get(row).copied().unwrap_or(*wide).min(*wide),
            Rows::Anywhere(width, wide) => (row * width).min(*wide),
        }
    }

    /// Returns the row of a column of the line, and its column there.
    pub(super) fn place(&self, column: usize) -> (usize, usize) {
        match self {
            Rows::Words(starts, _) => {
                let row = starts.partition_point(|start| *start <= column).saturating_sub(1);
                (row, column - starts.get(row).copied().unwrap_or(0).min(column))
            }
            Rows::Anywhere(width, _) => (column / width, column % width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(line: &str, width: usize) -> Vec<String> {
        let wide = Shown::code(line).width();
        let rows = Rows::of(line, wide, width);
        let shown = Shown::code(line);
        let row = |n: usize| shown.skip(rows.start(n)).head(rows.start(n + 1) - rows.start(n));
        (0..rows.count()).map(|n| row(n).as_str().to_owned()).collect()
    }

    #[test]
    fn rows_end_behind_words() {
        assert_eq!(rows("how much did we bring in", 10), ["how much ", "did we ", "bring in"]);
        assert_eq!(rows("short", 10), ["short"]);
        assert_eq!(rows("", 10), [""]);
    }

    #[test]
    fn a_word_wider_than_a_row_is_cut() {
        assert_eq!(rows("a abcdefghijkl b", 5), ["a ", "abcde", "fghij", "kl b"]);
    }

    #[test]
    fn the_cursor_behind_a_full_row_has_a_row() {
        assert_eq!(rows("abcde", 5), ["abcde", ""]);
        assert_eq!(Rows::of("abcde", 5, 5).place(5), (1, 0));
        assert_eq!(rows("ab cde", 6), ["ab cde", ""]);
    }

    #[test]
    fn every_column_has_a_place_and_none_is_lost() {
        for line in
            ["one two three", "    blanks    here    ", "漢字 漢字漢字 x", "a-b-c-d-e-f-g-h"]
        {
            let wide = Shown::code(line).width();
            for width in 2..20 {
                let all = Rows::of(line, wide, width);
                assert_eq!(
                    rows(line, width).concat(),
                    Shown::code(line).as_str(),
                    "{line} {width}"
                );
                for column in 0..=wide {
                    let (row, _) = all.place(column);
                    assert!(row < all.count(), "{line} {width} {column}");
                }
            }
        }
    }
}
