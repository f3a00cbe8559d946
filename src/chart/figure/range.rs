//! How far the axes of a figure reach.

use super::super::Kind;
use super::{Across, Series, bound};

pub(super) fn x_range(across: &Across, series: &[Series]) -> (f64, f64) {
    if let Across::Labels(labels) = across {
        return (0.0, bound(labels.len()));
    }
    let xs = || series.iter().flat_map(|s| &s.points).map(|p| p.x);
    let low = xs().fold(f64::INFINITY, f64::min);
    let high = xs().fold(f64::NEG_INFINITY, f64::max);
    let high = if let Across::Bins(width) = across { high + width } else { high };
    if low > high { (0.0, 1.0) } else { (low, high) }
}

/// Bars begin at zero. A line or a cloud does when that costs at most half of the height.
pub(super) fn y_range(kind: Kind, series: &[Series]) -> (f64, f64) {
    let ys = || series.iter().flat_map(|s| &s.points).filter_map(|p| p.y);
    let mut low = ys().fold(f64::INFINITY, f64::min);
    let mut high = ys().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return (0.0, 1.0);
    }
    let bars = match kind {
        Kind::Bars | Kind::HorizontalBars | Kind::Histogram => true,
        Kind::BigNumber | Kind::Line | Kind::Scatter | Kind::Sparkline => false,
    };
    if bars || (low > 0.0 && low <= high / 2.0) {
        low = low.min(0.0);
    }
    if bars || (high < 0.0 && high >= low / 2.0) {
        high = high.max(0.0);
    }
    if low < high {
        return (low, high);
    }
    let room = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
    (low - room, high + room)
}
