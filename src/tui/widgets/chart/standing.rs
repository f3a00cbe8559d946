//! Standing bars: for names, and for the bins of a histogram.

use ratatui::layout::Rect;

use crate::chart::{Figure, numbers};
use crate::shown::Shown;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::axes::{Axes, part};
use super::canvas::{Dots, rule};
use super::{View, role, sign};

/// Signs from one eighth of a line to a whole one.
const EIGHTHS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The widest bar.
const WIDEST: u16 = 12;

/// Lines above and below zero; where there are both, zero has a line of its own.
struct Heights {
    plot: Rect,
    above: u16,
    below: u16,
    high: f64,
    low: f64,
}

impl Heights {
    fn of(axes: &Axes) -> Heights {
        let plot = axes.plot;
        let (low, high) = axes.y;
        if low >= 0.0 {
            return Heights { plot, above: plot.height, below: 0, high, low };
        }
        if high <= 0.0 {
            return Heights { plot, above: 0, below: plot.height.saturating_sub(1), high, low };
        }
        let rest = plot.height.saturating_sub(1);
        let above = super::axes::spread(part(0.0, (-high, -low)).clamp(0.0, 1.0), rest);
        let above = above.clamp(1.min(rest), rest.saturating_sub(1).max(1));
        Heights { plot, above, below: rest.saturating_sub(above), high, low }
    }

    /// Returns the line of zero, where it has one.
    fn zero(&self) -> Option<u16> {
        (self.low < 0.0).then_some(self.plot.y + self.above)
    }

    /// Returns the line of a tick.
    fn row(&self, value: f64) -> u16 {
        let last = if self.low < 0.0 { self.above } else { self.above.saturating_sub(1) };
        if value > 0.0 {
            // where the upper end of a bar of this height is
            let up = steps(part(value, (0.0, self.high)), self.above, 8, true).div_ceil(8);
            self.plot.y + self.above.saturating_sub(up)
        } else if value == 0.0 {
            self.plot.y + last
        } else {
            let down = super::axes::spread(part(-value, (0.0, -self.low)), self.below);
            self.plot.y + self.above + down
        }
    }

    /// Draws one bar; returns the line above its end, or below.
    fn bar(
        &self,
        pen: &mut Pen<'_>,
        (x, width): (u16, u16),
        value: f64,
        look: (Dots, Role),
    ) -> u16 {
        let (dots, role) = look;
        let whole = if dots == Dots::Letters { "#" } else { "█" };
        let fill = |pen: &mut Pen<'_>, y: u16, mark: &str| {
            pen.text(x, y, width, &mark.repeat(usize::from(width)), role);
        };
        if value >= 0.0 {
            let steps = steps(part(value, (0.0, self.high)), self.above, 8, value > 0.0);
            let floor = self.plot.y + self.above;
            for n in 0..steps / 8 {
                fill(pen, floor.saturating_sub(1 + n), whole);
            }
            if let Some(mark) = EIGHTHS.get(usize::from(steps % 8).wrapping_sub(1)) {
                let mark = if dots == Dots::Letters { "." } else { mark };
                fill(pen, floor.saturating_sub(1 + steps / 8), mark);
            }
            return floor.saturating_sub(1 + steps.div_ceil(8));
        }
        let steps = steps(part(-value, (0.0, -self.low)), self.below, 2, true);
        let ceiling = self.plot.y + self.above + 1;
        for n in 0..steps / 2 {
            fill(pen, ceiling + n, whole);
        }
        if steps % 2 == 1 {
            fill(pen, ceiling + steps / 2, if dots == Dots::Letters { "'" } else { "▀" });
        }
        ceiling + steps.div_ceil(2)
    }
}

/// Counts the steps of a bar; what is more than nothing has at least one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and all")]
fn steps(part: f64, lines: u16, grain: u16, some: bool) -> u16 {
    let all = f64::from(lines) * f64::from(grain);
    ((part * all).round() as u16).max(u16::from(some))
}

/// Returns the columns that one name's bars take at least.
fn slot_least(figure: &Figure) -> u16 {
    cols(figure.series.len()).saturating_add(1).max(2)
}

/// Counts the names whose bars have room.
pub(super) fn room(figure: &Figure, area: Rect) -> usize {
    usize::from(Axes::of(figure, area).plot.width / slot_least(figure)).max(1)
}

/// Draws bars for names.
pub(super) fn bars(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let figure = view.figure;
    let all = figure.labels().len();
    let seen = all.saturating_sub(view.top).min(room(figure, area)).max(1);
    let mut axes = Axes::of(figure, area);
    let slot = (axes.plot.width / cols(seen)).min(WIDEST * 2 * cols(figure.series.len()).max(1));
    let texts = values(view, seen, slot).filter(|_| axes.plot.height > 3);
    if texts.is_some() {
        // a line for the number above the highest bar
        let shorter = Rect { y: area.y + 1, height: area.height - 1, ..area };
        axes = Axes::of(figure, shorter);
    }
    let heights = Heights::of(&axes);
    axes.draw_up_by(pen, |value| heights.row(value));
    if let Some(y) = heights.zero() {
        rule(pen, axes.plot, y, "─");
    }
    let place = |n: usize| axes.plot.x + slot * cols(n - view.top.min(n));
    for n in view.top..view.top + seen {
        for (s, series) in figure.series.iter().enumerate() {
            let place = (place(n), slot);
            for point in series.points.iter().filter(|p| at(p.x) == n) {
                let text = texts.as_ref().and_then(|texts| texts.get(n - view.top));
                group_bar(pen, view, &heights, place, s, (point.y, text));
            }
        }
    }
    if axes.plot.bottom() < area.bottom() {
        let words = names(figure, view.top, seen, slot, |n| place(n) + slot.saturating_sub(1) / 2);
        axes.draw_along(pen, &words);
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places of labels are whole"
)]
fn at(x: f64) -> usize {
    x as usize
}

/// Draws the bar of a series within its name's place.
fn group_bar(
    pen: &mut Pen<'_>,
    view: &View<'_>,
    heights: &Heights,
    (x, slot): (u16, u16),
    s: usize,
    (value, text): (Option<f64>, Option<&String>),
) {
    let count = cols(view.figure.series.len()).max(1);
    let gap = (slot / 4).max(1);
    let width = (slot.saturating_sub(gap) / count).clamp(1, WIDEST);
    let from = x + slot.saturating_sub(width * count) / 2 + width * cols(s);
    let Some(value) = value else {
        pen.text(from, heights.row(0.0), 1, "∅", Role::Null);
        return;
    };
    let end = heights.bar(pen, (from, width), value, (view.dots, role(s)));
    if let Some(text) = text.filter(|_| end >= heights.plot.y.saturating_sub(1)) {
        let wide = cols(text.chars().count());
        let start = (from + width / 2).saturating_sub(wide / 2).max(x);
        pen.text(start, end, wide, text, Role::Number);
    } else if count > 1
        && heights.plot.height > 3
        && end >= heights.plot.y
        && end < heights.plot.bottom()
    {
        // the sign of the series above its bar
        pen.text(from + width.saturating_sub(1) / 2, end, 1, sign(view.dots, s), role(s));
    }
}

/// Writes the numbers of the bars in view, where all of them have room in full.
fn values(view: &View<'_>, seen: usize, slot: u16) -> Option<Vec<String>> {
    let [series] = view.figure.series.as_slice() else { return None };
    let most = usize::from(slot.saturating_sub(1));
    let points = series.points.iter().skip(view.top).take(seen);
    let texts: Vec<String> =
        points.map(|p| p.y.map_or(String::new(), |y| numbers::short(y, most))).collect();
    let fits = |text: &String| text.chars().count() <= most && !text.starts_with('≈');
    (texts.iter().all(fits) && most > 0).then_some(texts)
}

/// Makes the words along: all names where they fit, cut ones where that still says something, else
/// every second, third, … name.
fn names(
    figure: &Figure,
    top: usize,
    seen: usize,
    slot: u16,
    middle: impl Fn(usize) -> u16,
) -> Vec<(u16, String)> {
    let labels = figure.labels();
    let shown = labels.iter().enumerate().skip(top).take(seen);
    let wide = |label: &String| cols(Shown::cut(label, 40).width());
    let longest = shown.clone().map(|(_, label)| wide(label)).max().unwrap_or(0);
    let (every, most) = if longest < slot {
        (1, longest)
    } else if slot >= 7 {
        (1, slot - 1)
    } else {
        let most = longest.min(12);
        (usize::from((most + 1).div_ceil(slot.max(1))), most)
    };
    let cut = |label: &String| Shown::cut(label, usize::from(most)).to_string();
    shown.step_by(every.max(1)).map(|(n, label)| (middle(n), cut(label))).collect()
}

/// Draws the bins of a histogram, side by side without a gap that would mean an empty one.
pub(super) fn histogram(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let figure = view.figure;
    let axes = Axes::of(figure, area);
    let heights = Heights::of(&axes);
    axes.draw_up_by(pen, |value| heights.row(value));
    let bins = figure.series.first().map_or(&[][..], |series| &series.points);
    let count = cols(bins.len()).max(1);
    // all bins are as wide as each other, where there is a column for each
    let width = match axes.plot.width / count {
        0 => axes.plot.width,
        each => each * count,
    };
    let edge =
        |n: u16| axes.plot.x + cols(usize::from(n) * usize::from(width) / usize::from(count));
    for (n, bin) in (0..count).zip(bins) {
        let (from, to) = (edge(n), edge(n + 1));
        // wide bars are told apart by a column, narrow ones by their heights
        let wide = if to - from >= 4 { to - from - 1 } else { (to - from).max(1) };
        if let Some(value) = bin.y.filter(|value| *value > 0.0) {
            heights.bar(pen, (from, wide), value, (view.dots, role(0)));
        }
    }
    if axes.plot.bottom() < area.bottom() {
        let last = width.min(axes.plot.width.saturating_sub(1));
        let column = |x: f64| axes.plot.x + super::axes::spread(part(x, figure.x), last);
        axes.draw_along(pen, &axes.along(figure, column));
    }
}
