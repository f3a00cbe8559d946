//! The axes of a plot: ticks upwards with their lines, ticks along whose words never overlap.

use ratatui::layout::Rect;

use crate::chart::Figure;
use crate::chart::ticks::Tick;
use crate::shown::Shown;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::canvas::rule;

/// Axes with the place between them.
pub(super) struct Axes {
    /// Where points lie.
    pub(super) plot: Rect,
    /// The value at the bottom and the value at the top.
    pub(super) y: (f64, f64),
    ticks: Vec<Tick>,
}

impl Axes {
    /// Lays out axes: words upwards at the left, two lines for the axis along.
    pub(super) fn of(figure: &Figure, area: Rect) -> Axes {
        let below = if area.height >= 4 { 2 } else { 0 };
        let height = area.height - below;
        let ticks = figure.y_ticks(usize::from(height / 3).clamp(2, 9));
        let wide = ticks.iter().map(|tick| cols(tick.text.chars().count())).max().unwrap_or(0);
        let gutter = (wide + 2).min(area.width / 2);
        let y = (
            ticks.first().map_or(figure.y.0, |tick| tick.at).min(figure.y.0),
            ticks.last().map_or(figure.y.1, |tick| tick.at).max(figure.y.1),
        );
        let plot = Rect::new(area.x + gutter, area.y, area.width - gutter, height);
        Axes { plot, y, ticks }
    }

    /// Returns how far up a value lies, from 0 to 1.
    pub(super) fn up(&self, value: f64) -> f64 {
        part(value, self.y)
    }

    /// Returns the line of a value where the plot has one cell a step.
    fn row(&self, value: f64) -> u16 {
        let last = self.plot.height.saturating_sub(1);
        self.plot.y + last - spread(self.up(value), last)
    }

    /// Draws ticks upwards, with a quiet line at each and a clear one at zero.
    pub(super) fn draw_up(&self, pen: &mut Pen<'_>) {
        self.draw_up_by(pen, |value| self.row(value));
    }

    /// Draws ticks upwards where `row` says.
    pub(super) fn draw_up_by(&self, pen: &mut Pen<'_>, row: impl Fn(f64) -> u16) {
        let x = self.plot.x.saturating_sub(1);
        for y in self.plot.top()..self.plot.bottom() {
            pen.text(x, y, 1, "│", Role::Border);
        }
        let mut former = None;
        for tick in self.ticks.iter().rev() {
            let y = row(tick.at);
            if former == Some(y) || y >= self.plot.bottom() {
                continue;
            }
            former = Some(y);
            pen.text_right(x, y, x, &tick.text, Role::Dim);
            pen.text(x, y, 1, "┤", Role::Border);
            if tick.at != 0.0 || self.y.0 < 0.0 {
                rule(pen, self.plot, y, if tick.at == 0.0 { "─" } else { "┈" });
            }
        }
    }

    /// Draws the axis along with marks and words under the columns where they belong.
    pub(super) fn draw_along(&self, pen: &mut Pen<'_>, words: &[(u16, String)]) {
        let y = self.plot.bottom();
        let x = self.plot.x.saturating_sub(1);
        pen.text(x, y, 1, "└", Role::Border);
        rule(pen, self.plot, y, "─");
        let mut free = 0;
        for (at, text) in words {
            let wide = cols(Shown::new(text).width());
            let from = self.start(*at, wide);
            if from < free || from + wide > self.plot.right() {
                continue;
            }
            pen.text(*at, y, 1, "┬", Role::Border);
            pen.text(from, y + 1, wide, text, Role::Dim);
            free = from + wide + 1;
        }
    }

    /// Returns where words begin so that they stand under a column and inside the place.
    fn start(&self, at: u16, wide: u16) -> u16 {
        let last = self.plot.right().saturating_sub(wide);
        at.saturating_sub(wide / 2).clamp(self.plot.x.min(last), last)
    }

    /// Lists the most ticks along whose words don't overlap.
    pub(super) fn along(&self, figure: &Figure, column: impl Fn(f64) -> u16) -> Vec<(u16, String)> {
        let mut words = Vec::new();
        for most in (1..=usize::from(self.plot.width / 5).clamp(1, 12)).rev() {
            let ticks = figure.x_ticks(most);
            words = ticks.into_iter().map(|tick| (column(tick.at), tick.text)).collect();
            if self.apart(&words) {
                break;
            }
        }
        words
    }

    fn apart(&self, words: &[(u16, String)]) -> bool {
        let mut free = 0;
        words.iter().all(|(at, text)| {
            let wide = cols(text.chars().count());
            let from = self.start(*at, wide);
            let fits = from >= free;
            free = from + wide + 2;
            fits
        })
    }
}

/// Returns where a value lies between two, from 0 to 1.
pub(super) fn part(value: f64, (low, high): (f64, f64)) -> f64 {
    // halves keep the difference of the largest numbers finite
    let span = high / 2.0 - low / 2.0;
    if span > 0.0 { ((value / 2.0 - low / 2.0) / span).clamp(0.0, 1.0) } else { 0.5 }
}

/// Spreads a part of 1 over steps, to the nearest one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and `last`")]
pub(super) fn spread(part: f64, last: u16) -> u16 {
    (part * f64::from(last)).round() as u16
}
