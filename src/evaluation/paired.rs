//! Shares with their intervals, and two answers to the same questions compared. Pure and exact: the
//! same counts give the same figures on every machine.

/// The normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A share with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share, 0 to 1.
    pub share: f64,
    /// Lower bound of the 95 % interval.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// The difference of two shares over the same questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Questions that only the former got right.
    pub lost: usize,
    /// Questions that only the latter got right.
    pub won: usize,
    /// The latter's share less the former's, −1 to 1.
    pub difference: f64,
    /// Lower bound of the 95 % interval.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Chance of a split at least as uneven, if none of the two were better.
    pub p: f64,
}

/// Gives a share its interval by the score method (Wilson, 1927, Journal of the American Statistical
/// Association 22:209–212): it holds for small counts and for shares near 0 and 1.
pub fn share(hits: usize, of: usize) -> Share {
    if of == 0 {
        return Share { share: 0.0, low: 0.0, high: 1.0 };
    }
    let (k, n) = (float(hits), float(of));
    let p = k / n;
    let z2 = Z * Z;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Share { share: p, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// Compares two answers to the same `of` questions, of which only the former got `lost` right and
/// only the latter `won`.
///
/// The interval is the adjusted Wald interval for paired shares (Bonett and Price, 2012, Journal of
/// Educational and Behavioral Statistics 37:479–488), the chance McNemar's test in its exact form: a
/// two-sided binomial test of the questions on which the two differ.
pub fn difference(lost: usize, won: usize, of: usize) -> Difference {
    let n = float(of) + 2.0;
    let (l, w) = ((float(lost) + 1.0) / n, (float(won) + 1.0) / n);
    let middle = w - l;
    let half = Z * ((l + w - middle * middle) / n).sqrt();
    Difference {
        lost,
        won,
        difference: if of == 0 { 0.0 } else { (float(won) - float(lost)) / float(of) },
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
        p: uneven(lost, won),
    }
}

/// The two-sided binomial test of a fair coin.
fn uneven(a: usize, b: usize) -> f64 {
    let n = a + b;
    let few = a.min(b);
    // ln of the chance of no hit at all, then from each count to the next
    let mut ln = float(n) * 0.5_f64.ln();
    let mut sum = ln.exp();
    for k in 1..=few {
        ln += (float(n - k + 1) / float(k)).ln();
        sum += ln.exp();
    }
    (2.0 * sum).min(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
fn float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-5, "{a} is not {b}");
    }

    #[test]
    fn a_share_has_the_interval_of_the_score_method() {
        // p = 0.8, n = 10: (0.8 + 0.19207) / 1.38415 ± 1.95996 / 1.38415 · √(0.016 + 0.0096036)
        let eight = share(8, 10);
        near(eight.low, 0.4902);
        near(eight.high, 0.9433);
        // none of 20: upper bound z² / (20 + z²)
        let none = share(0, 20);
        near(none.low, 0.0);
        near(none.high, 0.1611);
        near(share(0, 0).high, 1.0);
    }

    #[test]
    fn a_paired_difference_has_interval_and_chance() {
        // 8 lost, 1 won of 100: −0.07; (2 − 9) / 102 ± z · √((11/102 − (7/102)²) / 102)
        let d = difference(8, 1, 100);
        near(d.difference, -0.07);
        near(d.low, -0.130_95);
        near(d.high, -0.0063);
        // 2 · (1 + 9) / 2⁹
        near(d.p, 20.0 / 512.0);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        near(difference(0, 0, 50).p, 1.0);
        near(difference(3, 3, 50).p, 1.0);
        let none = difference(0, 0, 50);
        near(none.difference, 0.0);
        near(none.low, -none.high);
        // six of six: 2 / 2⁶
        near(difference(6, 0, 50).p, 2.0 / 64.0);
    }
}
