//! Bars on paper: standing ones, bins, and lying ones.

use plotters::style::text_anchor::{HPos, VPos};

use super::super::figure::{Across, Figure};
use super::super::numbers;
use super::{
    BAR, ExportError, INK, LETTER, LETTERS, Picture, Place, QUIET, WIDTH, colour, cut, lines_of,
    long, whole,
};

impl Picture<'_> {
    pub(super) fn standing(&self) -> Result<(), ExportError> {
        let place = self.axes()?;
        let width = match &self.figure.across {
            Across::Bins(width) => *width,
            Across::Labels(_) | Across::Numbers | Across::Times(_) | Across::Rows => 1.0,
        };
        let series = whole(self.figure.series.len()).max(1);
        let zero = place.up(0.0);
        for (n, one) in self.figure.series.iter().enumerate() {
            for point in &one.points {
                let Some(y) = point.y else { continue };
                let (from, to) = (place.across(point.x), place.across(point.x + width));
                let slot = to - from;
                let gap = if width_is_bin(self.figure) { slot.min(2) } else { slot / 5 };
                let each = (slot - gap).max(1) / series;
                let left = from + gap / 2 + each * whole(n);
                self.bar((left, place.up(y)), (left + each.max(1), zero), colour(n))?;
            }
        }
        if width_is_bin(self.figure) {
            return self.along(&place);
        }
        self.names(&place)
    }

    /// Writes the names under standing bars: each, or every so many where there is no room.
    pub(super) fn names(&self, place: &Place) -> Result<(), ExportError> {
        let labels = self.figure.labels();
        let slot = (place.right - place.left) / whole(labels.len()).max(1);
        let longest = labels.iter().map(|label| long(&cut(label, 24))).max().unwrap_or(0);
        let every = if slot >= 7 * LETTER { 1 } else { (longest + 12) / slot.max(1) + 1 };
        let most = if every == 1 { (slot - 6) / LETTER } else { 24 };
        for (n, label) in labels.iter().enumerate() {
            if whole(n) % every.max(1) == 0 {
                let x = i32::midpoint(place.across(at(n)), place.across(at(n + 1)));
                self.mark(place, x, &cut(label, most))?;
            }
        }
        Ok(())
    }

    /// Draws name, bar and number, a line each.
    pub(super) fn lying(&self) -> Result<(), ExportError> {
        let labels = self.figure.labels();
        let longest = labels.iter().map(|label| long(&cut(label, 40))).max().unwrap_or(0);
        let (low, high) = (self.figure.y.0.min(0.0), self.figure.y.1.max(0.0));
        let place = Place {
            left: 40 + longest,
            right: WIDTH - 150,
            top: 116,
            bottom: self.height - 40,
            x: (low, high),
            y: (0.0, 1.0),
        };
        let caption = format!("{} by {}", self.figure.y_name, self.figure.x_name);
        self.text((place.left, 92), &cut(&caption, 100), QUIET, (HPos::Left, VPos::Top), 16)?;
        let series = whole(self.figure.series.len()).max(1);
        let each = if series > 1 { series + 1 } else { 1 };
        for (n, label) in labels.iter().enumerate() {
            let y = place.top + whole(n) * each * BAR;
            let at = (place.left - 8, y + BAR / 2);
            self.text(at, &cut(label, 40), INK, (HPos::Right, VPos::Center), LETTERS)?;
        }
        let zero = place.across(0.0);
        for (s, one) in self.figure.series.iter().enumerate() {
            for point in &one.points {
                let y = place.top + (row(point.x) * each + whole(s)) * BAR;
                let text = point.y.map_or("∅".to_owned(), |value| numbers::short(value, 14));
                let end = place.across(point.y.unwrap_or(0.0));
                self.bar((zero, y + 3), (end, y + BAR - 3), colour(s))?;
                let (x, side) =
                    if end < zero { (end - 6, HPos::Right) } else { (end + 6, HPos::Left) };
                self.text((x, y + BAR / 2), &text, QUIET, (side, VPos::Center), 16)?;
            }
        }
        let bottom = place.top + lines_of(self.figure) * BAR;
        self.line(vec![(zero, place.top), (zero, bottom)], QUIET, 1)
    }
}

fn width_is_bin(figure: &Figure) -> bool {
    matches!(figure.across, Across::Bins(_))
}

#[expect(clippy::cast_precision_loss, reason = "a label's place")]
fn at(n: usize) -> f64 {
    n as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a label's place")]
fn row(x: f64) -> i32 {
    x as i32
}
