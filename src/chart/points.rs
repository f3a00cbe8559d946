//! Points of rows: where each lies, what is missing, and fewer of them without losing a peak.

use std::collections::HashSet;

use super::facts::Facts;
use super::sheet::{Cell, Sheet};

/// A point; without a `y` there is a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its place along.
    pub x: f64,
    /// Its place upwards.
    pub y: Option<f64>,
}

/// Points of a line at most; more are thinned.
const MOST_OF_LINE: usize = 4_000;

/// Columns and rows of the raster on which points of a cloud are told apart.
const RASTER: (f64, f64) = (1_200.0, 800.0);

/// Points of a cloud that are drawn without looking whether some share a spot.
const MOST_OF_CLOUD: usize = 5_000;

/// What was left out, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Missing {
    /// NULLs where a number was expected.
    pub(super) nulls: usize,
    /// Values that are no numbers.
    pub(super) strays: usize,
    /// Rows without a place along the axis.
    pub(super) nowhere: usize,
}

impl Missing {
    /// Reads a number; what is none leaves a gap and is counted.
    pub(super) fn number(&mut self, cell: Cell) -> Option<f64> {
        let number = cell.number();
        if number.is_none() {
            match cell {
                Cell::Null => self.nulls += 1,
                Cell::Whole(_) | Cell::Real(_) | Cell::Text(_) | Cell::Bytes => self.strays += 1,
            }
        }
        number
    }

    /// Reads a place along the axis.
    pub(super) fn place(&mut self, sheet: &Sheet, facts: &Facts, cell: Cell) -> Option<f64> {
        let place = facts.place(sheet, cell);
        self.nowhere += usize::from(place.is_none());
        place
    }
}

/// Orders points along the axis; those on one place stay as they came.
pub(super) fn along(points: &mut [Point]) {
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
}

/// Thins a line to the lowest and the highest point of each of equal stretches, in order, so that
/// peaks stay. Returns the number of points before, when it was too many.
pub(super) fn thin_line(points: &mut Vec<Point>) -> Option<usize> {
    let before = points.len();
    if before <= MOST_OF_LINE {
        return None;
    }
    let stretch = before.div_ceil(MOST_OF_LINE / 2);
    let mut kept = Vec::with_capacity(MOST_OF_LINE);
    for part in points.chunks(stretch) {
        kept.extend(extremes(part));
    }
    *points = kept;
    Some(before)
}

/// Returns a stretch's lowest and highest point in order, or its gap when it has no number.
fn extremes(part: &[Point]) -> Vec<Point> {
    let known = || part.iter().enumerate().filter_map(|(n, p)| Some((n, p.y?)));
    let low = known().min_by(|a, b| a.1.total_cmp(&b.1));
    let high = known().max_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((low, _)), Some((high, _))) = (low, high) else {
        return part.first().copied().into_iter().collect();
    };
    let mut places = vec![low.min(high), low.max(high)];
    places.dedup();
    places.into_iter().filter_map(|n| part.get(n).copied()).collect()
}

/// Draws points of a cloud that share a spot once. Returns the number before, when it was too many.
pub(super) fn thin_cloud(points: &mut Vec<Point>, x: (f64, f64), y: (f64, f64)) -> Option<usize> {
    let before = points.len();
    if before <= MOST_OF_CLOUD {
        return None;
    }
    let mut seen = HashSet::new();
    points.retain(|point| {
        point.y.is_some_and(|at| seen.insert((spot(point.x, x, RASTER.0), spot(at, y, RASTER.1))))
    });
    (points.len() < before).then_some(before)
}

#[expect(clippy::cast_possible_truncation, reason = "a place on a raster")]
fn spot(at: f64, (low, high): (f64, f64), steps: f64) -> i32 {
    if high > low { ((at - low) / (high - low) * steps) as i32 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_line_keeps_its_peak_and_its_ends_in_order() {
        let mut points: Vec<Point> = (0..40_000)
            .map(|n| Point { x: f64::from(n), y: Some(if n == 31_234 { 9.0 } else { 1.0 }) })
            .collect();
        assert_eq!(thin_line(&mut points), Some(40_000));
        assert!(points.len() <= MOST_OF_LINE);
        assert!(points.iter().any(|p| p.x == 31_234.0 && p.y == Some(9.0)));
        assert!(points.windows(2).all(|pair| pair[0].x < pair[1].x));
        assert_eq!(points[0].x, 0.0);
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let mut points = vec![Point { x: 1.0, y: None }, Point { x: 0.0, y: Some(1.0) }];
        assert_eq!(thin_line(&mut points), None);
        along(&mut points);
        assert_eq!(points[0].x, 0.0);
    }

    #[test]
    fn a_cloud_keeps_one_point_of_each_spot() {
        let mut points: Vec<Point> = (0..9_000)
            .map(|n| Point { x: f64::from(n % 10), y: Some(f64::from(n % 10)) })
            .collect();
        assert_eq!(thin_cloud(&mut points, (0.0, 9.0), (0.0, 9.0)), Some(9_000));
        assert_eq!(points.len(), 10);
    }
}
