//! Draws a figure into cells: its title and legend, the plot with its axes, what was left out, and
//! why this kind.
//!
//! What belongs here: one file for each way of plotting, all of them from a `Figure` and a place.
//! What must never come: choosing kinds or columns, keys.
//! To add a plot: a file, and its arm in `plot`.
//!
//! **Invariant:** every series has a sign of its own, so that colour is never the only mark.

mod axes;
mod big;
mod canvas;
mod lying;
mod plane;
mod spark;
mod standing;

pub use canvas::Dots;

use ratatui::layout::Rect;

use crate::chart::{Figure, Kind};
use crate::shown::Shown;

use super::super::theme::Role;
use super::pen::{Pen, cols};

/// Roles of series, in order.
const ROLES: [Role; 6] =
    [Role::Series1, Role::Series2, Role::Series3, Role::Series4, Role::Series5, Role::Series6];

/// A figure and how it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What is drawn.
    pub figure: &'a Figure,
    /// Why this kind, in words.
    pub reason: &'a str,
    /// What dots are made of.
    pub dots: Dots,
    /// The first bar shown, where not all have room.
    pub top: usize,
}

/// Where the parts of a chart stand.
struct Places {
    title: Option<u16>,
    legend: Option<u16>,
    plot: Rect,
    notes: Option<u16>,
    reason: Option<u16>,
}

impl Places {
    /// Gives the plot what it needs first; words go where there is room.
    fn of(figure: &Figure, area: Rect) -> Places {
        let mut rest = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
        let mut above = |least: u16, wanted: bool| {
            let taken = (wanted && rest.height >= least).then_some(rest.y);
            if taken.is_some() {
                rest = Rect { y: rest.y + 1, height: rest.height - 1, ..rest };
            }
            taken
        };
        let legend_wanted = figure.series.len() > 1 && has_legend(figure.kind);
        let title = above(7, true);
        let legend = above(6, legend_wanted);
        let mut below = |least: u16, wanted: bool| {
            let taken = wanted && rest.height >= least;
            rest.height -= u16::from(taken);
            taken.then_some(rest.y + rest.height)
        };
        let reason = below(6, true);
        let notes = below(6, !figure.notes.is_empty());
        // air between plot and words
        below(13, true);
        Places { title, legend, plot: rest, notes, reason }
    }
}

fn has_legend(kind: Kind) -> bool {
    match kind {
        Kind::Line | Kind::Bars | Kind::HorizontalBars | Kind::Scatter => true,
        Kind::BigNumber | Kind::Histogram | Kind::Sparkline => false,
    }
}

/// Draws a figure.
pub fn draw(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let figure = view.figure;
    let places = Places::of(figure, area);
    let plot_area = places.plot;
    let (x, width) = (plot_area.x, plot_area.width);
    if width < 8 || plot_area.height < 1 {
        pen.text(area.x, area.y, area.width, "too small for a chart", Role::Dim);
        return;
    }
    if let Some(y) = places.title {
        pen.text(x, y, width, &figure.title, Role::Column);
    }
    if let Some(y) = places.legend {
        legend(pen, Rect::new(x, y, width, 1), view);
    }
    if let Some(y) = places.reason {
        pen.text(x, y, width, &format!("why: {}", view.reason), Role::Dim);
    }
    let mut notes = figure.notes.clone();
    notes.extend(window(plot_area, view));
    if let Some(y) = places.notes {
        pen.text(x, y, width, &notes.join(" · "), Role::Warn);
    }
    if figure.series.iter().all(|series| series.points.iter().all(|point| point.y.is_none())) {
        pen.text(x, plot_area.y, width, "There is nothing to draw: no number is there.", Role::Dim);
        return;
    }
    plot(pen, plot_area, view);
}

fn plot(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    match view.figure.kind {
        Kind::BigNumber => big::draw(pen, area, view),
        Kind::Line => plane::line(pen, area, view),
        Kind::Scatter => plane::cloud(pen, area, view),
        Kind::Bars => standing::bars(pen, area, view),
        Kind::Histogram => standing::histogram(pen, area, view),
        Kind::HorizontalBars => lying::draw(pen, area, view),
        Kind::Sparkline => spark::draw(pen, area, view),
    }
}

/// Counts the bars that have room in a pane's place; none where nothing scrolls.
pub fn room(figure: &Figure, area: Rect) -> Option<usize> {
    let plot = Places::of(figure, area).plot;
    match figure.kind {
        Kind::Bars => Some(standing::room(figure, plot)),
        Kind::HorizontalBars => Some(lying::room(figure, plot)),
        Kind::BigNumber | Kind::Line | Kind::Scatter | Kind::Histogram | Kind::Sparkline => None,
    }
}

/// Says which bars are seen, where not all are.
fn window(plot: Rect, view: &View<'_>) -> Option<String> {
    let all = view.figure.labels().len();
    let room = match view.figure.kind {
        Kind::Bars => standing::room(view.figure, plot),
        Kind::HorizontalBars => lying::room(view.figure, plot),
        Kind::BigNumber | Kind::Line | Kind::Scatter | Kind::Histogram | Kind::Sparkline => all,
    };
    (room < all).then(|| {
        let (from, to) = (view.top + 1, (view.top + room).min(all));
        format!("{from} to {to} of {all} {}", view.figure.x_name)
    })
}

/// Draws the sign and the name of each series.
fn legend(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let all = &view.figure.series;
    let mut x = area.x;
    for (n, series) in all.iter().enumerate() {
        let left = area.right().saturating_sub(x);
        let wide = cols(Shown::cut(&series.name, 24).width()) + 4;
        let more = if n + 1 < all.len() { 8 } else { 0 };
        if wide + more > left {
            pen.text(x, area.y, left, &format!("… {} more", all.len() - n), Role::Dim);
            return;
        }
        x = pen.text(x, area.y, 1, sign(view.dots, n), role(n)) + 1;
        x = pen.text(x, area.y, 24, &series.name, Role::Text) + 2;
    }
}

/// Returns the role of a series.
fn role(n: usize) -> Role {
    ROLES.get(n % ROLES.len()).copied().unwrap_or(Role::Series1)
}

/// Returns the sign of a series.
fn sign(dots: Dots, n: usize) -> &'static str {
    let signs = match dots {
        Dots::Braille | Dots::Blocks => ["●", "▲", "■", "◆", "×", "+"],
        Dots::Letters => ["o", "^", "#", "@", "x", "+"],
    };
    signs.get(n % signs.len()).copied().unwrap_or("●")
}
