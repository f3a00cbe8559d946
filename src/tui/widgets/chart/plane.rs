//! Points on a plane: joined to lines, or as a cloud.

use ratatui::layout::Rect;

use crate::chart::{Figure, Point, Series};

use super::super::pen::Pen;
use super::View;
use super::axes::{Axes, part, spread};
use super::canvas::Canvas;

/// A plane ready to take points.
struct Plane<'a> {
    figure: &'a Figure,
    axes: Axes,
    canvas: Canvas,
}

impl<'a> Plane<'a> {
    fn of(pen: &mut Pen<'_>, area: Rect, view: &View<'a>) -> Self {
        let figure = view.figure;
        let axes = Axes::of(figure, area);
        let plot = axes.plot;
        axes.draw_up(pen);
        if plot.height < area.height {
            let last = plot.width.saturating_sub(1);
            let column = |x: f64| plot.x + spread(part(x, figure.x), last);
            axes.draw_along(pen, &axes.along(figure, column));
        }
        Plane { figure, canvas: Canvas::new(view.dots, plot), axes }
    }

    /// Returns the dot of a point; none is a gap.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place on the canvas"
    )]
    fn dot(&self, point: &Point) -> Option<(usize, usize)> {
        let (across, down) = self.canvas.size();
        let x = part(point.x, self.figure.x) * across.saturating_sub(1) as f64;
        let y = (1.0 - self.axes.up(point.y?)) * down.saturating_sub(1) as f64;
        Some((x.round() as usize, y.round() as usize))
    }

    fn many(&self) -> bool {
        self.figure.series.len() > 1
    }
}

/// Draws lines: gaps stay open, and each series carries its sign.
pub(super) fn line(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let mut plane = Plane::of(pen, area, view);
    for (n, series) in view.figure.series.iter().enumerate() {
        let mut former = None;
        for point in &series.points {
            let dot = plane.dot(point);
            if let Some(at) = dot {
                plane.canvas.join(former.unwrap_or(at), at, n);
            }
            former = dot;
        }
    }
    plane.canvas.draw(pen, plane.many());
    for (n, series) in view.figure.series.iter().enumerate() {
        for point in marked(series, plane.many(), usize::from(area.width)) {
            if let Some(dot) = plane.dot(point) {
                plane.canvas.mark(pen, dot, n);
            }
        }
    }
}

/// Lists the points that carry their series' sign: all where there is room, else some; of a single
/// line those that stand alone between gaps, which a line wouldn't show.
fn marked(series: &Series, many: bool, width: usize) -> Vec<&Point> {
    let points = &series.points;
    if many {
        let every = (points.len() * 10 / width.max(1)).max(1);
        return points.iter().rev().step_by(every).collect();
    }
    let known = |n: Option<usize>| n.and_then(|n| points.get(n)).is_some_and(|p| p.y.is_some());
    let alone = |n: usize| !known(n.checked_sub(1)) && !known(Some(n + 1));
    points.iter().enumerate().filter(|(n, _)| alone(*n)).map(|(_, point)| point).collect()
}

/// Draws a cloud: signs where there are few points, else dots.
pub(super) fn cloud(pen: &mut Pen<'_>, area: Rect, view: &View<'_>) {
    let mut plane = Plane::of(pen, area, view);
    let points: usize = view.figure.series.iter().map(|series| series.points.len()).sum();
    let cells = usize::from(plane.axes.plot.width) * usize::from(plane.axes.plot.height);
    let few = points * 12 <= cells;
    for (n, series) in view.figure.series.iter().enumerate() {
        for dot in series.points.iter().filter_map(|point| plane.dot(point)).collect::<Vec<_>>() {
            if few {
                plane.canvas.mark(pen, dot, n);
            } else {
                plane.canvas.set(dot.0, dot.1, n);
            }
        }
    }
    if !few {
        plane.canvas.draw(pen, plane.many());
    }
}
