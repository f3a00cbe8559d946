//! Making a safe text fit a place: cut, padded or wrapped by display width, never inside a grapheme.

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

use super::Shown;

impl Shown {
    /// Cuts to at most `width` columns; what is cut ends in `…`.
    pub fn fit(self, width: usize) -> Shown {
        if (self.0.len() <= width && self.0.is_ascii()) || self.width() <= width {
            return self;
        }
        if width == 0 {
            return Shown::default();
        }
        let mut cut = self.head(width - 1);
        cut.0.push('…');
        cut
    }

    /// Makes a name safe and cuts it to `width` columns in its middle: names that begin alike are
    /// told apart by their ends. `a_table_whose…more_69`.
    pub fn middle(name: &str, width: usize) -> Shown {
        /// Names longer than this, in bytes, are cut at their end: nobody reads both.
        const LONGEST: usize = 500;
        if name.len() > LONGEST || width < 8 {
            return Shown::cut(name, width);
        }
        let shown = Shown::new(name);
        let wide = shown.width();
        if wide <= width {
            return shown;
        }
        let end = (width - 1) / 3;
        let mut cut = shown.head(width - 1 - end);
        cut.0.push('…');
        // a wide sign at the seam may leave a column free
        cut.push(&shown.skip(wide - end));
        cut.fit(width)
    }

    /// Fits and fills up to `width` columns; the text stands left.
    pub fn left(self, width: usize) -> Shown {
        let mut fitted = self.fit(width);
        let room = width.saturating_sub(fitted.width());
        fitted.0.extend(std::iter::repeat_n(' ', room));
        fitted
    }

    /// Fits and fills up to `width` columns; the text stands right.
    pub fn right(self, width: usize) -> Shown {
        let fitted = self.fit(width);
        let room = width.saturating_sub(fitted.width());
        Shown(" ".repeat(room) + &fitted.0)
    }

    /// Returns the part that lies in the first `width` columns, without a mark of the cut.
    pub fn head(&self, width: usize) -> Shown {
        if self.0.is_ascii() {
            return Shown(self.0.get(..width).unwrap_or(&self.0).to_owned());
        }
        let mut used = 0;
        let mut end = 0;
        for (at, grapheme) in self.0.grapheme_indices(true) {
            used += usize::from(grapheme.cell_width());
            if used > width {
                break;
            }
            end = at + grapheme.len();
        }
        Shown(self.0.get(..end).unwrap_or("").to_owned())
    }

    /// Returns what is left without the first `width` columns; half of a wide sign becomes a space.
    pub fn skip(&self, width: usize) -> Shown {
        if self.0.is_ascii() {
            return Shown(self.0.get(width..).unwrap_or("").to_owned());
        }
        let mut used = 0;
        for (at, grapheme) in self.0.grapheme_indices(true) {
            if used >= width {
                let rest = self.0.get(at..).unwrap_or("");
                return Shown(" ".repeat(used - width) + rest);
            }
            used += usize::from(grapheme.cell_width());
        }
        Shown(" ".repeat(used.saturating_sub(width)))
    }

    /// Breaks into lines of at most `width` columns, at spaces where there are some.
    pub fn wrap(&self, width: usize) -> Vec<Shown> {
        let width = width.max(1);
        let mut lines = Vec::new();
        let mut line = String::new();
        let mut used = 0;
        for word in self.0.split_inclusive(' ') {
            let wide = Shown(word.trim_end_matches(' ').to_owned()).width();
            if used > 0 && used + wide > width {
                lines.push(trimmed(&mut line));
                used = 0;
            }
            for grapheme in word.graphemes(true) {
                let step = usize::from(grapheme.cell_width());
                if used + step > width && grapheme != " " && used > 0 {
                    lines.push(trimmed(&mut line));
                    used = 0;
                }
                if step <= width {
                    line.push_str(grapheme);
                    used += step;
                }
            }
        }
        lines.push(trimmed(&mut line));
        lines
    }
}

fn trimmed(line: &mut String) -> Shown {
    let done = Shown(line.trim_end_matches(' ').to_owned());
    line.clear();
    done
}
