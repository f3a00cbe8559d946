//! Dates in ISO 8601 texts, as seconds since 1970 in the proleptic Gregorian calendar.

/// The finest part that a text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Unit {
    /// `2024`
    Year,
    /// `2024-Q3`
    Quarter,
    /// `2024-03`
    Month,
    /// `2024-W09`
    Week,
    /// `2024-03-05`
    #[default]
    Day,
    /// `2024-03-05 14:30`, to the second or finer
    Second,
}

impl Unit {
    /// Returns the name of one of them.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Year => "year",
            Unit::Quarter => "quarter",
            Unit::Month => "month",
            Unit::Week => "week",
            Unit::Day => "day",
            Unit::Second => "time",
        }
    }
}

/// A point in time and how finely it was told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds since 1970-01-01 00:00.
    pub at: f64,
    /// The finest part told.
    pub unit: Unit,
}

/// Seconds of a day.
pub const DAY: i64 = 86_400;

/// Reads an ISO date: year-month, date, date and time, quarter, or week. A bare year is none.
pub fn parse(text: &str) -> Option<Moment> {
    let text = text.trim();
    let bytes = text.as_bytes();
    if bytes.len() < 7 || bytes.len() > 40 || bytes.get(4) != Some(&b'-') || !text.is_ascii() {
        return None;
    }
    let year = digits(text.get(..4)?)?;
    let rest = text.get(5..)?;
    if let Some(quarter) = rest.strip_prefix(['Q', 'q']) {
        let n = digits(quarter).filter(|n| (1..=4).contains(n) && quarter.len() == 1)?;
        return Some(moment(days(year, n * 3 - 2, 1), Unit::Quarter));
    }
    if let Some(week) = rest.strip_prefix(['W', 'w']) {
        let n = digits(week).filter(|n| (1..=53).contains(n) && week.len() == 2)?;
        return Some(moment(monday_of_week_one(year) + (n - 1) * 7, Unit::Week));
    }
    let month = digits(rest.get(..2)?).filter(|n| (1..=12).contains(n))?;
    let Some(rest) = rest.get(2..).filter(|rest| !rest.is_empty()) else {
        return Some(moment(days(year, month, 1), Unit::Month));
    };
    let day = digits(rest.strip_prefix('-')?.get(..2)?)?;
    if day < 1 || day > month_length(year, month) {
        return None;
    }
    let date = days(year, month, day);
    let time = rest.get(3..)?;
    if time.is_empty() {
        return Some(moment(date, Unit::Day));
    }
    let seconds = seconds(time.strip_prefix(['T', 't', ' '])?)?;
    Some(Moment { at: moment(date, Unit::Second).at + seconds, unit: Unit::Second })
}

/// Returns the moment a year begins.
pub fn year(year: i64) -> Moment {
    moment(days(year, 1, 1), Unit::Year)
}

#[expect(clippy::cast_precision_loss, reason = "four digits of years are far below 2^53 seconds")]
fn moment(days: i64, unit: Unit) -> Moment {
    Moment { at: (days * DAY) as f64, unit }
}

/// Reads `hh:mm`, `hh:mm:ss`, `hh:mm:ss.fff`, each with `Z` or an offset: seconds in the day.
fn seconds(text: &str) -> Option<f64> {
    let (clock, offset) = split_offset(text.trim_end())?;
    let mut parts = clock.splitn(3, ':');
    let hour = digits(parts.next()?).filter(|n| *n < 24)?;
    let minute = digits(parts.next()?).filter(|n| *n < 60)?;
    let second = match parts.next() {
        None => 0.0,
        Some(text) => {
            let whole = text.split('.').next().and_then(digits).filter(|n| *n <= 60);
            whole.and_then(|_| text.parse::<f64>().ok())?
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "seconds of a day")]
    let whole = (hour * 3600 + minute * 60 - offset) as f64;
    Some(whole + second)
}

/// Splits the offset from UTC off a time, in seconds.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, 0)) };
    let sign = if text.get(at..=at) == Some("-") { -1 } else { 1 };
    let offset = text.get(at + 1..)?;
    let hours = digits(offset.get(..2)?)?;
    let minutes = match offset.get(2..).map(|m| m.trim_start_matches(':')) {
        None | Some("") => 0,
        Some(minutes) => digits(minutes)?,
    };
    Some((text.get(..at)?.trim_end(), sign * (hours * 3600 + minutes * 60)))
}

fn digits(text: &str) -> Option<i64> {
    let all = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

/// Counts days from 1970-01-01. The year is taken to begin in March, so that a leap day ends it.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns year, month and day of a day counted from 1970-01-01.
pub fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn month_length(year: i64, month: i64) -> i64 {
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days(next_year, next, 1) - days(year, month, 1)
}

/// The week with the year's first Thursday is its first; weeks begin on Monday.
fn monday_of_week_one(year: i64) -> i64 {
    let fourth = days(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7)
}

/// Writes a moment as finely as a unit asks.
pub fn words(at: f64, unit: Unit) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a number too large saturates")]
    let whole = at.floor() as i64;
    let (date, second) = (whole.div_euclid(DAY), whole.rem_euclid(DAY));
    let (year, month, day) = civil(date);
    match unit {
        Unit::Year => format!("{year:04}"),
        Unit::Quarter => format!("{year:04}-Q{}", (month + 2) / 3),
        Unit::Month => format!("{year:04}-{month:02}"),
        Unit::Week => {
            // its Thursday tells which year a week belongs to
            let (of, _, _) = civil(date - (date + 3).rem_euclid(7) + 3);
            format!("{of:04}-W{:02}", (date - monday_of_week_one(of)).div_euclid(7) + 1)
        }
        Unit::Day => format!("{year:04}-{month:02}-{day:02}"),
        Unit::Second => {
            let (hour, minute, s) = (second / 3600, second / 60 % 60, second % 60);
            let clock = if s == 0 {
                format!("{hour:02}:{minute:02}")
            } else {
                format!("{hour:02}:{minute:02}:{s:02}")
            };
            format!("{year:04}-{month:02}-{day:02} {clock}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<f64> {
        parse(text).map(|moment| moment.at)
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "whole seconds are exact")]
    fn iso_texts_become_seconds_since_1970() {
        assert_eq!(at("1970-01-01"), Some(0.0));
        assert_eq!(at("2000-03-01"), Some(951_868_800.0));
        assert_eq!(at("1969-12-31T23:59:59Z"), Some(-1.0));
        assert_eq!(at("2024-02-29 12:30"), Some(1_709_209_800.0));
        assert_eq!(at("2024-02-29T12:30:00+02:00"), Some(1_709_202_600.0));
        assert_eq!(at("2024-01-01 00:00:00.5"), Some(1_704_067_200.5));
        assert_eq!(at("2024-Q2"), at("2024-04-01"));
        assert_eq!(at("2024-03"), at("2024-03-01"));
        // 2021 began on a Friday: its first week began on 4 January
        assert_eq!(at("2021-W01"), at("2021-01-04"));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "2024", "2023-02-29", "2024-13-01", "2024-1-1", "12345-67", "2024-01-01x"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        for text in ["2024-01-01 25:00", "2024-Q5", "2024-W54", "٢٠٢٤-01", "0800-555-1234"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_written_as_they_are_read() {
        for (text, unit) in [
            ("2024-Q3", Unit::Quarter),
            ("2024-03", Unit::Month),
            ("2026-W01", Unit::Week),
            ("2020-W53", Unit::Week),
            ("1900-03-01", Unit::Day),
            ("2024-02-29 23:59", Unit::Second),
        ] {
            let moment = parse(text).expect(text);
            assert_eq!((words(moment.at, unit).as_str(), moment.unit), (text, unit));
        }
    }
}
