//! Numbers written short, and never as something they are not.

use crate::domain::counts::grouped_digits;

/// Powers of a thousand with their letters.
const LETTERS: [(i32, &str); 4] = [(12, "T"), (9, "B"), (6, "M"), (3, "k")];

/// Writes a number in at most `most` signs where it can: in full if that fits, else shorter; what
/// is rounded begins with `≈`.
pub fn short(n: f64, most: usize) -> String {
    if n.is_nan() {
        return "NaN".to_owned();
    }
    if n.is_infinite() {
        return if n > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    // a number behind 2^53 may stand for its neighbours
    let sure = n.abs() < 9_007_199_254_740_992.0;
    let full = grouped_digits(&n.to_string());
    if sure && full.len() <= most {
        return full;
    }
    for digits in (0..4).rev() {
        let text = rounded(n, digits);
        if text.chars().count() <= most {
            return text;
        }
    }
    rounded(n, 0)
}

/// Writes a number with a letter for its power, or with an exponent, to this many places.
fn rounded(n: f64, places: usize) -> String {
    let size = n.abs();
    let letter = LETTERS.iter().find(|(power, _)| size >= 10f64.powi(*power) * 0.9995);
    let text = match letter {
        _ if size != 0.0 && !(1e-4..1e15).contains(&size) => trimmed(&format!("{n:.places$e}")),
        Some((power, name)) => {
            let part = n / 10f64.powi(*power);
            format!("{}{name}", trimmed(&format!("{part:.places$}")))
        }
        None => trimmed(&format!("{n:.places$}")),
    };
    if read(&text).is_some_and(|read| same(read, n)) { text } else { format!("≈{text}") }
}

#[expect(clippy::float_cmp, reason = "equal or rounded is the question")]
fn same(a: f64, b: f64) -> bool {
    // a whole number of 64 bits beyond 2^53 may have been a neighbour of this one
    a == b && !(9_007_199_254_740_992.0..1.85e19).contains(&b.abs())
}

/// Reads a number as `rounded` writes it.
fn read(text: &str) -> Option<f64> {
    let power = LETTERS.iter().find(|(_, name)| text.ends_with(name));
    match power {
        Some((power, name)) => format!("{}e{power}", text.strip_suffix(name)?).parse().ok(),
        None => text.parse().ok(),
    }
}

/// Takes zeros off the end of a fraction.
fn trimmed(text: &str) -> String {
    let (number, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    let number = if number == "-0" { "0" } else { number };
    format!("{number}{exponent}")
}

/// Writes `units × 10^power` exactly: with a letter when `letter` names a power, else in full.
pub(super) fn scaled(units: i64, power: i32, letter: i32) -> String {
    if units == 0 {
        return "0".to_owned();
    }
    let name = LETTERS.iter().find(|(p, _)| *p == letter).map_or("", |(_, name)| *name);
    let text = shifted(units, power - letter);
    format!("{}{name}", grouped_digits(&text))
}

/// Writes `units × 10^power` in digits, without zeros at the end of its fraction.
fn shifted(units: i64, power: i32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let mut digits = units.unsigned_abs().to_string();
    let places = usize::try_from(-power).unwrap_or(0);
    if places == 0 {
        digits.push_str(&"0".repeat(usize::try_from(power).unwrap_or(0)));
        return format!("{sign}{digits}");
    }
    if digits.len() <= places {
        digits = "0".repeat(places + 1 - digits.len()) + &digits;
    }
    let (whole, fraction) = digits.split_at(digits.len() - places);
    trimmed(&format!("{sign}{whole}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stands_in_full() {
        assert_eq!(short(211_900.0, 10), "211,900");
        assert_eq!(short(-1_234.5, 10), "-1,234.5");
        assert_eq!(short(0.1, 10), "0.1");
        assert_eq!(short(0.0, 3), "0");
    }

    #[test]
    fn what_is_exact_with_a_letter_says_no_about() {
        assert_eq!(short(1_500_000.0, 6), "1.5M");
        assert_eq!(short(-2_000_000_000.0, 6), "-2B");
    }

    #[test]
    fn what_is_rounded_says_so() {
        assert_eq!(short(1_234_567.0, 8), "≈1.235M");
        assert_eq!(short(1_234_567.0, 5), "≈1.2M");
        assert_eq!(short(0.1 + 0.2, 8), "≈0.3");
        assert_eq!(short(999_999.5, 6), "≈1M");
        assert_eq!(short(9_007_199_254_740_993.0, 30), "≈9.007e15");
        assert_eq!(short(1e300, 12), "1e300");
        assert_eq!(short(0.000_012_345, 8), "≈1.23e-5");
    }

    #[test]
    fn the_unmeasurable_has_words() {
        assert_eq!(short(f64::NAN, 8), "NaN");
        assert_eq!(short(f64::NEG_INFINITY, 8), "-∞");
    }
}
