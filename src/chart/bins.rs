//! Sizes counted in bins of equal width, whose bounds are ticks.

use super::ticks;

/// Bins at most.
const MOST: usize = 40;

/// Whole numbers that get a bin each, at most.
const MOST_WHOLE: f64 = 24.0;

/// Bins of equal width.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bins {
    /// Where the first one begins.
    pub(super) low: f64,
    /// How wide each is.
    pub(super) width: f64,
    /// How many values each holds; the last one also those on its upper bound.
    pub(super) counts: Vec<usize>,
}

/// Counts values; the number of bins follows the spread of the middle half (Freedman, Diaconis).
pub(super) fn bins(values: &mut [f64]) -> Option<Bins> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (*values.first()?, *values.last()?);
    if low >= high {
        return Some(Bins { low: low - 0.5, width: 1.0, counts: vec![values.len()] });
    }
    let whole = values.iter().all(|value| value.fract() == 0.0);
    if whole && high - low < MOST_WHOLE {
        return Some(one_each(values, low, high));
    }
    let edges = ticks::around(low, high, wanted(values, low, high) + 1);
    let (first, second) = (edges.first()?.at, edges.get(1)?.at);
    let width = second - first;
    let mut counts = vec![0; edges.len().saturating_sub(1).max(1)];
    let last = counts.len() - 1;
    for value in values.iter() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a bin's place"
        )]
        let mut at = (((value - first) / width) as usize).min(last);
        // the division may round across a bound
        if edges.get(at + 1).is_some_and(|edge| *value >= edge.at) && at < last {
            at += 1;
        } else if edges.get(at).is_some_and(|edge| *value < edge.at) && at > 0 {
            at -= 1;
        }
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
    }
    Some(Bins { low: first, width, counts })
}

/// Counts few whole numbers one by one, each in the middle of its bin.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bin's place")]
fn one_each(values: &[f64], low: f64, high: f64) -> Bins {
    let mut counts = vec![0; (high - low) as usize + 1];
    for value in values {
        if let Some(count) = counts.get_mut((value - low) as usize) {
            *count += 1;
        }
    }
    Bins { low: low - 0.5, width: 1.0, counts }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of bins"
)]
fn wanted(sorted: &[f64], low: f64, high: f64) -> usize {
    let n = sorted.len();
    let at = |part: f64| sorted.get((part * (n - 1) as f64) as usize).copied().unwrap_or(low);
    let middle = at(0.75) - at(0.25);
    let sturges = (n as f64).log2().ceil() as usize + 1;
    if middle <= 0.0 {
        return sturges.clamp(2, MOST);
    }
    let width = 2.0 * middle / (n as f64).cbrt();
    let whole = sorted.iter().all(|value| value.fract() == 0.0);
    // bins narrower than 1 would stand empty between whole numbers
    let width = if whole { width.max(1.0) } else { width };
    (((high - low) / width).ceil() as usize).clamp(2, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bin_and_bounds_belong_to_the_upper_one() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        let bins = bins(&mut values).expect("bins");
        assert_eq!(bins.counts.iter().sum::<usize>(), 100);
        assert!(bins.low <= 0.0);
        assert_eq!(bins.width, 20.0);
        assert_eq!(bins.counts, [20, 20, 20, 20, 20]);
    }

    #[test]
    fn equal_values_are_one_bin() {
        assert_eq!(bins(&mut [4.0; 9]).map(|b| b.counts), Some(vec![9]));
        assert_eq!(bins(&mut []), None);
    }

    #[test]
    fn few_whole_numbers_are_counted_one_by_one() {
        let mut values: Vec<f64> = (0..300).map(|n| f64::from(n % 5)).collect();
        let bins = bins(&mut values).expect("bins");
        assert_eq!((bins.low, bins.width), (-0.5, 1.0));
        assert_eq!(bins.counts, [60, 60, 60, 60, 60]);
    }
}
