//! Where an axis has its ticks, and what they say: steps of 1, 2 or 5, or of the calendar.

use super::dates::{self, DAY, Unit};
use super::numbers;

/// A tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Its value.
    pub at: f64,
    /// Its value in words, exactly.
    pub text: String,
}

/// Lists ticks of numbers at most `most`, from the last at or below `low` to the first at or above
/// `high`: the ends of the axis are ticks.
pub fn around(low: f64, high: f64, most: usize) -> Vec<Tick> {
    stepped(low, high, most, true)
}

/// Lists ticks of numbers between `low` and `high`, at most `most`.
pub fn within(low: f64, high: f64, most: usize) -> Vec<Tick> {
    stepped(low, high, most, false)
}

/// A step of an axis: 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy)]
struct Step {
    mantissa: i64,
    power: i32,
}

impl Step {
    fn size(self) -> f64 {
        self.times(1)
    }

    /// Returns `n` steps; correctly rounded, so that 3 steps of 0.1 are 0.3.
    #[expect(clippy::cast_precision_loss, reason = "ticks count below 2^53")]
    fn times(self, n: i64) -> f64 {
        let units = n.saturating_mul(self.mantissa) as f64;
        if self.power < 0 {
            units / 10f64.powi(-self.power)
        } else {
            units * 10f64.powi(self.power)
        }
    }

    fn next(self) -> Step {
        match self.mantissa {
            1 => Step { mantissa: 2, ..self },
            2 => Step { mantissa: 5, ..self },
            _ => Step { mantissa: 1, power: self.power + 1 },
        }
    }

    /// Returns the largest step at or below a size.
    fn below(size: f64) -> Step {
        #[expect(clippy::cast_possible_truncation, reason = "powers of f64 lie within ±324")]
        let power = size.log10().floor() as i32 - 1;
        let mut step = Step { mantissa: 1, power };
        while step.next().size() <= size {
            step = step.next();
        }
        step
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of ticks")]
#[expect(clippy::cast_possible_truncation, reason = "counts of steps; a cast saturates")]
fn stepped(low: f64, high: f64, most: usize, outward: bool) -> Vec<Tick> {
    let most = most.max(2);
    let span = high - low;
    let room = low.abs().max(high.abs());
    // too fine for the numbers themselves, or nothing to divide: the ends speak
    if !span.is_finite() || span <= room * 1e-12 || !(1e-290..1e290).contains(&span) {
        let mut ends = vec![plain(low)];
        if high > low {
            ends.push(plain(high));
        }
        return ends;
    }
    let mut step = Step::below(span / most as f64);
    loop {
        let (from, to) = if outward {
            ((low / step.size()).floor(), (high / step.size()).ceil())
        } else {
            ((low / step.size() - 1e-9).ceil(), (high / step.size() + 1e-9).floor())
        };
        if to - from < most as f64 {
            return written(step, from as i64, to as i64);
        }
        step = step.next();
    }
}

fn plain(at: f64) -> Tick {
    Tick { at, text: numbers::short(at, 12) }
}

/// Writes ticks alike: the same letter for all, decided by the largest.
fn written(step: Step, from: i64, to: i64) -> Vec<Tick> {
    let largest = step.times(from).abs().max(step.times(to).abs());
    let far = !(1e-5..1e15).contains(&largest) && largest > 0.0;
    let letter = [12, 9, 6, 3].into_iter().find(|power| largest >= 10f64.powi(*power));
    // below ten thousand the digits are as short as the letter
    let letter = letter.filter(|_| largest >= 10_000.0).unwrap_or(0);
    let tick = |n: i64| {
        let at = step.times(n);
        let units = n.saturating_mul(step.mantissa);
        let text = if far && units != 0 {
            format!("{at:e}")
        } else {
            numbers::scaled(units, step.power, letter)
        };
        Tick { at, text }
    };
    (from..=to).map(tick).collect()
}

/// A step of the calendar.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pace {
    Months(i64),
    Seconds(i64),
}

/// Steps of the calendar, finest first; years beyond follow by 1, 2, 5.
const PACES: [Pace; 21] = [
    Pace::Seconds(1),
    Pace::Seconds(5),
    Pace::Seconds(15),
    Pace::Seconds(30),
    Pace::Seconds(60),
    Pace::Seconds(300),
    Pace::Seconds(900),
    Pace::Seconds(1_800),
    Pace::Seconds(3_600),
    Pace::Seconds(10_800),
    Pace::Seconds(21_600),
    Pace::Seconds(43_200),
    Pace::Seconds(DAY),
    Pace::Seconds(2 * DAY),
    Pace::Seconds(7 * DAY),
    Pace::Seconds(14 * DAY),
    Pace::Months(1),
    Pace::Months(2),
    Pace::Months(3),
    Pace::Months(6),
    Pace::Months(12),
];

/// Lists ticks of dates between `low` and `high`, at most `most`, no finer than `unit`.
pub fn times(low: f64, high: f64, unit: Unit, most: usize) -> Vec<Tick> {
    let most = most.max(1);
    let finest = match unit {
        Unit::Year => Pace::Months(12),
        Unit::Quarter => Pace::Months(3),
        Unit::Month => Pace::Months(1),
        Unit::Week => Pace::Seconds(7 * DAY),
        Unit::Day => Pace::Seconds(DAY),
        Unit::Second => Pace::Seconds(1),
    };
    let from = PACES.iter().position(|pace| *pace == finest).unwrap_or(0);
    let years = (0..4).flat_map(|p| [2, 5, 10].map(|n| Pace::Months(12 * n * 10i64.pow(p))));
    let paces = PACES.get(from..).unwrap_or(&[]).iter().copied().chain(years);
    let mut last = Vec::new();
    for pace in paces {
        if estimate(low, high, pace) > most + 1 {
            continue;
        }
        last = paced(low, high, pace, unit);
        if last.len() <= most && !last.is_empty() {
            return last;
        }
    }
    last.truncate(most);
    last
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate; casts saturate"
)]
fn estimate(low: f64, high: f64, pace: Pace) -> usize {
    let seconds = match pace {
        Pace::Months(n) => n * 31 * DAY,
        Pace::Seconds(n) => n,
    };
    ((high - low) / seconds as f64) as usize
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "seconds of the calendar; a cast saturates"
)]
fn paced(low: f64, high: f64, pace: Pace, unit: Unit) -> Vec<Tick> {
    let first = match pace {
        Pace::Months(n) => {
            let (year, month, _) = dates::civil((low.floor() as i64).div_euclid(DAY));
            (year * 12 + month - 1).div_euclid(n) * n
        }
        // 1970-01-05 was a Monday: weeks count from there
        Pace::Seconds(n) if n % (7 * DAY) == 0 => {
            (low as i64 - 4 * DAY).div_euclid(n) * n + 4 * DAY
        }
        Pace::Seconds(n) => (low as i64).div_euclid(n) * n,
    };
    let at = |k: i64| match pace {
        Pace::Months(n) => {
            let month = first + k * n;
            (dates::days(month.div_euclid(12), month.rem_euclid(12) + 1, 1) * DAY) as f64
        }
        Pace::Seconds(n) => (first + k * n) as f64,
    };
    let ticks = (0..).map(at).skip_while(|at| *at < low).take_while(|at| *at <= high).take(500);
    ticks.map(|at| Tick { at, text: told(at, pace, unit) }).collect()
}

/// Writes a tick as finely as its step.
fn told(at: f64, pace: Pace, unit: Unit) -> String {
    match pace {
        Pace::Months(n) if n % 12 == 0 => dates::words(at, Unit::Year),
        Pace::Months(_) if unit == Unit::Quarter => dates::words(at, Unit::Quarter),
        Pace::Months(_) => dates::words(at, Unit::Month),
        Pace::Seconds(_) if unit == Unit::Week => dates::words(at, Unit::Week),
        Pace::Seconds(n) if n >= DAY => dates::words(at, Unit::Day),
        Pace::Seconds(_) => {
            // within a day the clock is enough; midnight names the day
            let words = dates::words(at, Unit::Second);
            let (day, clock) = words.split_at(words.find(' ').unwrap_or(words.len()));
            let clock = clock.trim_start();
            if clock == "00:00" { day.to_owned() } else { clock.to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn steps_are_one_two_or_five() {
        assert_eq!(said(&around(0.0, 10.0, 6)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(said(&around(0.0, 100.0, 5)), ["0", "50", "100"]);
        assert_eq!(said(&around(0.0, 7.0, 10)), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(said(&around(0.03, 0.29, 4)), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(said(&around(-30.0, 45.0, 6)), ["-40", "-20", "0", "20", "40", "60"]);
        assert_eq!(said(&within(0.5, 3.5, 8)), ["0.5", "1", "1.5", "2", "2.5", "3", "3.5"]);
    }

    #[test]
    fn three_steps_of_a_tenth_are_exactly_three_tenths() {
        let at: Vec<f64> = around(0.0, 0.5, 6).iter().map(|tick| tick.at).collect();
        assert_eq!(at, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    }

    #[test]
    fn large_ticks_share_a_letter_and_stay_exact() {
        assert_eq!(said(&around(0.0, 1_400_000.0, 4)), ["0", "0.5M", "1M", "1.5M"]);
        assert_eq!(said(&around(0.0, 30_000.0, 4)), ["0", "10k", "20k", "30k"]);
        assert_eq!(
            said(&around(0.0, 9_000.0, 3)),
            ["0", "5,000", "10,000"].map(|t| if t == "10,000" {
                "10k"
            } else if t == "5,000" {
                "5k"
            } else {
                t
            })
        );
        assert_eq!(said(&around(0.0, 4_000.0, 3)), ["0", "2,000", "4,000"]);
    }

    #[test]
    fn a_range_without_a_span_or_finer_than_numbers_has_its_ends() {
        assert_eq!(around(5.0, 5.0, 4).len(), 1);
        assert_eq!(around(1e17, 1e17 + 16.0, 4).len(), 2);
        assert_eq!(around(f64::MIN, f64::MAX, 4).len(), 2);
    }

    #[test]
    fn dates_tick_by_the_calendar() {
        let at = |text| dates::parse(text).expect(text).at;
        let months = times(at("2024-01"), at("2024-12"), Unit::Month, 6);
        assert_eq!(
            said(&months),
            ["2024-01", "2024-03", "2024-05", "2024-07", "2024-09", "2024-11"]
        );
        let years = times(at("2015-06-01"), at("2024-06-01"), Unit::Day, 5);
        assert_eq!(said(&years), ["2016", "2018", "2020", "2022", "2024"]);
        let days = times(at("2024-02-27"), at("2024-03-02"), Unit::Day, 9);
        assert_eq!(
            said(&days),
            ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]
        );
        let hours = times(at("2024-02-27 22:10"), at("2024-02-28 02:00"), Unit::Second, 5);
        assert_eq!(said(&hours), ["23:00", "2024-02-28", "01:00", "02:00"]);
        // weeks begin on Mondays
        let weeks = times(at("2024-01-01"), at("2024-02-01"), Unit::Day, 5);
        assert_eq!(said(&weeks)[..2], ["2024-01-01", "2024-01-08"]);
    }

    #[test]
    fn any_range_ends() {
        for (low, high) in [(0.0, 1e15), (-1e14, 1e14), (0.0, 0.0), (3.0, 3.5)] {
            for unit in [Unit::Year, Unit::Week, Unit::Second] {
                assert!(times(low, high, unit, 7).len() <= 7);
            }
        }
    }
}
