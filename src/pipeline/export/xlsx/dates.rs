//! Dates in texts, as the numbers by which Excel knows them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};

/// The first day whose number is right in every reader: Excel takes 1900 for a leap year.
const FIRST: (i32, u32, u32) = (1900, 3, 1);
/// The day before the first one that is counted from there on.
const ZERO: (i32, u32, u32) = (1899, 12, 30);

/// Tells whether a declared type says that a column holds dates.
pub(super) fn says_date(data_type: &str) -> bool {
    let data_type = data_type.to_ascii_uppercase();
    data_type.contains("DATE") || data_type.contains("TIMESTAMP")
}

/// A day, or a second of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    at: NaiveDateTime,
    /// The text has a time of day.
    pub(super) timed: bool,
}

impl Moment {
    /// Reads `2024-02-29`, with ` 13:05`, `T13:05` or seconds after it. Fractions of seconds and zones
    /// are left alone: as text they lose nothing.
    pub(super) fn read(text: &str) -> Option<Self> {
        let day = day(text.get(..10)?)?;
        if day < date(FIRST)? {
            return None;
        }
        let rest = text.get(10..)?;
        let time = match rest.strip_prefix([' ', 'T']) {
            Some(time) => Some(time_of(time)?),
            None if rest.is_empty() => None,
            None => return None,
        };
        Some(Moment { at: day.and_time(time.unwrap_or_default()), timed: time.is_some() })
    }

    /// Counts days, the time of day as a part of one.
    pub(super) fn serial(self) -> f64 {
        let days = date(ZERO).map_or(0, |zero| (self.at.date() - zero).num_days());
        #[expect(clippy::cast_precision_loss, reason = "some three million days at most")]
        let days = days as f64;
        days + f64::from(self.at.time().num_seconds_from_midnight()) / 86_400.0
    }
}

fn date((year, month, day): (i32, u32, u32)) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, day)
}

fn day(text: &str) -> Option<NaiveDate> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let sized = year.len() == 4 && month.len() == 2 && day.len() == 2;
    date((number(year)?.try_into().ok()?, number(month)?, number(day)?)).filter(|_| sized)
}

fn time_of(text: &str) -> Option<NaiveTime> {
    let mut parts = text.split(':');
    let mut next = || number(parts.next().filter(|part| part.len() == 2)?);
    let (hour, minute) = (next()?, next()?);
    let second = if text.len() == 5 { 0 } else { next()? };
    let whole = text.len() == 5 || text.len() == 8;
    NaiveTime::from_hms_opt(hour, minute, second).filter(|_| whole)
}

fn number(digits: &str) -> Option<u32> {
    let only = digits.bytes().all(|byte| byte.is_ascii_digit());
    if only { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_the_numbers_that_sheets_count_by() {
        // 1970-01-01 is day 25,569, 2024-02-29 day 45,351
        for (text, serial, timed) in [
            ("1970-01-01", 25_569.0, false),
            ("2024-02-29", 45_351.0, false),
            ("2024-02-29 12:00", 45_351.5, true),
            ("2024-02-29T18:00:00", 45_351.75, true),
            ("1900-03-01", 61.0, false),
        ] {
            let moment = Moment::read(text).expect(text);
            assert_eq!((moment.serial().to_bits(), moment.timed), (f64::to_bits(serial), timed));
        }
    }

    #[test]
    fn what_is_no_plain_date_stays_text() {
        for text in [
            "",
            "2024",
            "2024-2-9",
            "2023-02-29",
            "2024-02-29 ",
            "2024-02-29 25:00",
            "1900-02-28",
            "2024-02-29 12:00:00.5",
            "2024-02-29T12:00:00Z",
            "+024-02-29",
            "2024-02-29x",
            "１０24-02-29",
            "2024-02-29 1200",
            "2024-02-29 12:00:0",
        ] {
            assert_eq!(Moment::read(text), None, "{text}");
        }
    }
}
