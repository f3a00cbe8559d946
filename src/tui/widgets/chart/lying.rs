//! Lying bars: name, number, bar; a table that can be seen from afar.

use ratatui::layout::Rect;

use crate::chart::{Figure, numbers};
use crate::shown::Shown;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::axes::{part, spread};
use super::canvas::Dots;
use super::{View, role, sign};

/// Signs from one eighth of a column to a whole one.
const EIGHTHS: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// Columns of a number at most.
const NUMBER: usize = 14;

/// Counts the names whose bars have room: a line for each series, and one between groups.
pub(super) fn room(figure: &Figure, area: Rect) -> usize {
    (usize::from(area.height) + usize::from(group(figure) > 1)) / group(figure)
}

/// Returns the lines of one name.
fn group(figure: &Figure) -> usize {
    match figure.series.len() {
        0 | 1 => 1,
        n => n + 1,
    }
}

/// Columns of the parts of each line.
struct Columns {
    names: u16,
    numbers: u16,
    /// Where bars begin and how wide they may be.
    bars: Rect,
    /// Columns left of zero.
    left: u16,
    low: f64,
    high: f64,
}

/// Draws lying bars.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let figure = view.figure;
    let labels = figure.labels();
    let seen = room(figure, area).max(1);
    let columns = columns(view, area, seen);
    let lines = group(figure);
    for (n, label) in labels.iter().enumerate().skip(view.top).take(seen) {
        let y = area.y + cols((n - view.top) * lines);
        let name = Shown::cut(label, usize::from(columns.names));
        let style = pen.style(Role::Text);
        pen.put(area.x, y, columns.names, &name, style);
        for (s, series) in figure.series.iter().enumerate() {
            let y = y + cols(s);
            if y >= area.bottom() {
                break;
            }
            let point = series.points.iter().find(|p| at(p.x) == n);
            if let Some(point) = point {
                line(pen, view, &columns, area.x, y, s, point.y);
            }
        }
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

fn columns(view: &View<'_>, area: Rect, seen: usize) -> Columns {
    let figure = view.figure;
    let labels = figure.labels().iter().skip(view.top).take(seen);
    let longest = labels.map(|label| cols(Shown::cut(label, 60).width())).max().unwrap_or(0);
    let names = longest.min(area.width * 2 / 5).max(1);
    let values = figure.series.iter().flat_map(|s| &s.points).filter_map(|p| p.y);
    let wide = |y: f64| cols(numbers::short(y, NUMBER).chars().count());
    let numbers = values.map(wide).max().unwrap_or(1).max(1);
    let signs = if figure.series.len() > 1 { 2 } else { 0 };
    let x = area.x + names + 1 + signs + numbers + 1;
    let width = area.right().saturating_sub(x);
    let (low, high) = (figure.y.0.min(0.0), figure.y.1.max(0.0));
    let rest = if low < 0.0 { width.saturating_sub(1) } else { width };
    let left = if low < 0.0 { spread(part(0.0, (low, high)), rest).max(1) } else { 0 };
    Columns { names, numbers, bars: Rect::new(x, area.y, width, 1), left, low, high }
}

/// Draws the sign, the number and the bar of a series.
fn line(
    pen: &mut Pen<'_>,
    view: &View<'_>,
    columns: &Columns,
    x: u16,
    y: u16,
    s: usize,
    value: Option<f64>,
) {
    let mut x = x + columns.names + 1;
    if view.figure.series.len() > 1 {
        x = pen.text(x, y, 1, sign(view.dots, s), role(s)) + 1;
    }
    let end = x + columns.numbers;
    match value {
        None => {
            pen.text_right(end, y, columns.numbers, "∅", Role::Null);
        }
        Some(n) => {
            pen.text_right(end, y, columns.numbers, &numbers::short(n, NUMBER), Role::Number);
        }
    }
    let zero = columns.bars.x + columns.left;
    if columns.low < 0.0 {
        pen.text(zero, y, 1, "│", Role::Border);
    }
    match value {
        Some(n) if n >= 0.0 => {
            let from = zero + u16::from(columns.low < 0.0);
            let room = columns.bars.right().saturating_sub(from);
            let eighths = spread(part(n, (0.0, columns.high)), room.saturating_mul(8));
            let eighths = if n > 0.0 { eighths.max(1) } else { 0 };
            pen.text(from, y, room, &forward(eighths, view.dots), role(s));
        }
        Some(n) => {
            let halves = spread(part(-n, (0.0, -columns.low)), columns.left * 2).max(1);
            pen.text_right(zero, y, columns.left, &backward(halves, view.dots), role(s));
        }
        None => {}
    }
}

/// Makes a bar that grows to the right.
fn forward(eighths: u16, dots: Dots) -> String {
    let (whole, part) = (usize::from(eighths / 8), usize::from(eighths % 8));
    if dots == Dots::Letters {
        return "=".repeat(if part >= 4 || whole == 0 { whole + 1 } else { whole });
    }
    let mut bar = "█".repeat(whole);
    bar.push_str(part.checked_sub(1).and_then(|n| EIGHTHS.get(n)).unwrap_or(&""));
    bar
}

/// Makes a bar that grows to the left: there are only halves of a column.
fn backward(halves: u16, dots: Dots) -> String {
    let whole = usize::from(halves / 2);
    if dots == Dots::Letters {
        return "=".repeat(whole.max(1));
    }
    format!("{}{}", if halves % 2 == 1 { "▐" } else { "" }, "█".repeat(whole))
}
