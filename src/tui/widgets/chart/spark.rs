//! Small lines, one for each number, with its lowest, highest and last value in words.

use ratatui::layout::Rect;

use crate::chart::{Series, numbers};

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::axes::{part, spread};
use super::canvas::Dots;
use super::{View, role, sign};

/// Signs from one eighth of a line to a whole one.
const EIGHTHS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The same for a terminal that has only letters.
const LETTERS: [&str; 8] = ["_", "_", ".", ".", "-", "-", "'", "\""];

/// Lines of one small line at most.
const HIGHEST: u16 = 4;

/// Draws each series as a line of its own.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let all = &view.figure.series;
    let share = (area.height / cols(all.len()).max(1)).max(2);
    let high = (share - 1).min(HIGHEST);
    for (n, series) in all.iter().enumerate() {
        let y = area.y + share * cols(n);
        if y + high >= area.bottom() + 1 {
            let left = format!("… {} more", all.len() - n);
            pen.text(area.x, area.bottom() - 1, area.width, &left, Role::Dim);
            return;
        }
        let mut x = area.x;
        if all.len() > 1 {
            x = pen.text(x, y, 1, sign(view.dots, n), role(n)) + 1;
        }
        let x = pen.text(x, y, 30, &series.name, Role::Text) + 2;
        pen.text(x, y, area.right().saturating_sub(x), &words(series), Role::Dim);
        let place =
            Rect { y: y + 1, height: high.min(area.bottom().saturating_sub(y + 1)), ..area };
        line(pen, place, series, n, view.dots);
    }
}

/// Says a series' lowest, highest and last value.
fn words(series: &Series) -> String {
    let known = || series.points.iter().filter_map(|p| p.y);
    let low = known().fold(f64::INFINITY, f64::min);
    let high = known().fold(f64::NEG_INFINITY, f64::max);
    let Some(last) = known().last() else { return "no number".to_owned() };
    let short = |n| numbers::short(n, 12);
    format!("low {} · high {} · last {}", short(low), short(high), short(last))
}

/// Draws the highest value of each stretch as a column of eighths.
fn line(pen: &mut Pen<'_>, area: Rect, series: &Series, n: usize, dots: Dots) {
    let known = || series.points.iter().filter_map(|p| p.y);
    let range = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let count = series.points.len();
    let wide = usize::from(area.width).min(count).max(1);
    for column in 0..wide {
        let part_of =
            column * count / wide..((column + 1) * count / wide).max(column * count / wide + 1);
        let points = series.points.get(part_of).unwrap_or(&[]);
        let Some(top) = points.iter().filter_map(|p| p.y).reduce(f64::max) else { continue };
        let steps = 1 + spread(part(top, range), area.height * 8 - 1);
        let signs = if dots == Dots::Letters { LETTERS } else { EIGHTHS };
        for line in 0..area.height {
            let left = steps.saturating_sub(line * 8).min(8);
            if let Some(mark) = usize::from(left).checked_sub(1).and_then(|n| signs.get(n)) {
                pen.text(area.x + cols(column), area.bottom() - 1 - line, 1, mark, role(n));
            }
        }
    }
}
