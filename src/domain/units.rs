//! Units of measure: how columns and people spell them, and the word that stands behind a number.

use super::rows::Value;

/// A unit: its spellings in lower case, its word for one, its word for all other numbers.
type Unit = (&'static [&'static str], &'static str, &'static str);

/// Units that are recognised. A spelling that is as often something else, such as `min` or `m`,
/// is none.
const UNITS: &[Unit] = &[
    (&["cent", "cents"], "cent", "cents"),
    (&["pence"], "penny", "pence"),
    (&["euro", "euros", "eur"], "EUR", "EUR"),
    (&["dollar", "dollars", "usd"], "USD", "USD"),
    (&["gbp"], "GBP", "GBP"),
    (&["chf"], "CHF", "CHF"),
    (&["jpy", "yen"], "JPY", "JPY"),
    (&["ms", "msec", "millis", "millisecond", "milliseconds"], "ms", "ms"),
    (&["sec", "secs", "second", "seconds"], "second", "seconds"),
    (&["mins", "minute", "minutes"], "minute", "minutes"),
    (&["hrs", "hour", "hours"], "hour", "hours"),
    (&["day", "days"], "day", "days"),
    (&["week", "weeks"], "week", "weeks"),
    (&["months"], "month", "months"),
    (&["years"], "year", "years"),
    (&["kg", "kilogram", "kilograms"], "kg", "kg"),
    (&["gram", "grams"], "g", "g"),
    (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], "km", "km"),
    (&["metre", "metres", "meter", "meters"], "m", "m"),
    (&["cm"], "cm", "cm"),
    (&["mile", "miles"], "mile", "miles"),
    (&["pct", "percent", "percentage"], "%", "%"),
    (&["byte", "bytes"], "byte", "bytes"),
    (&["kb"], "kB", "kB"),
    (&["mb"], "MB", "MB"),
    (&["gb"], "GB", "GB"),
    (&["kwh"], "kWh", "kWh"),
];

/// Names of columns whose last word looks like a unit and tells a point in time: `order_day`.
const POINTS: &[&str] = &["day", "week", "hour", "minute", "second", "percentage"];

fn spelled(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let unit = UNITS.iter().find(|(spellings, ..)| spellings.contains(&word.as_str()));
    unit.map(|(_, _, many)| *many)
}

/// Finds the unit that a column's name ends in: `price_cents`, `durationMs`.
pub fn of_name(name: &str) -> Option<&'static str> {
    let tail = name.rsplit(['_', '-', ' ', '.']).next()?;
    let tail = if tail.len() < name.len() {
        tail
    } else {
        // camel case: the last word begins with the last capital
        let at = name.rfind(|c: char| c.is_ascii_uppercase()).filter(|at| *at > 0)?;
        name.get(at..)?
    };
    spelled(tail).filter(|_| !POINTS.contains(&tail.to_lowercase().as_str()))
}

/// Finds the unit that a note on a column tells first: `cents of a euro`, `in USD`, `%`.
///
/// A word for one stretch of time is none: `day of registration`, `second player`.
pub fn of_note(note: &str) -> Option<&'static str> {
    let spelled = |word: &str| {
        let word = word.to_lowercase();
        let point = POINTS.contains(&word.as_str()) && word != "percentage";
        spelled(&word).filter(|_| !point)
    };
    if note.trim_start().starts_with('%') {
        return Some("%");
    }
    let mut words = note.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next()?;
    let word = if first.eq_ignore_ascii_case("in") { words.next()? } else { first };
    spelled(word).or_else(|| {
        // "the price agreed, in cents"
        let mut words = note.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.find(|word| *word == "in")?;
        spelled(words.next()?)
    })
}

/// Returns the word of a unit beside a number: `1 cent`, `0 cents`.
pub fn beside<'u>(unit: &'u str, number: &Value) -> &'u str {
    let one = matches!(number, Value::Integer(1 | -1));
    let known = UNITS.iter().find(|(_, _, many)| *many == unit);
    match known {
        Some((_, singular, _)) if one => singular,
        Some(_) | None => unit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_read_from_the_end_of_a_name() {
        assert_eq!(of_name("price_cents"), Some("cents"));
        assert_eq!(of_name("durationMs"), Some("ms"));
        assert_eq!(of_name("share_pct"), Some("%"));
        assert_eq!(of_name("order_day"), None, "a point in time");
        assert_eq!(of_name("cents"), None, "the name itself may be a count of coins");
        assert_eq!(of_name("percent_paid"), None);
        assert_eq!(of_name("price_min"), None, "the lowest one, no minutes");
    }

    #[test]
    fn a_unit_is_read_from_a_note() {
        assert_eq!(of_note("cents of a euro"), Some("cents"));
        assert_eq!(of_note("in USD"), Some("USD"));
        assert_eq!(of_note("the price agreed, in cents"), Some("cents"));
        assert_eq!(of_note("% of all"), Some("%"));
        assert_eq!(of_note("days after the order"), Some("days"));
        assert_eq!(of_note("percentage of the price"), Some("%"));
        for point in ["day of registration", "Second player's score", "set in week 3", "hour"] {
            assert_eq!(of_note(point), None, "{point}");
        }
        assert_eq!(of_note("YYYY-MM-DD"), None);
        assert_eq!(of_note(""), None);
    }

    #[test]
    fn one_has_its_own_word() {
        assert_eq!(beside("cents", &Value::Integer(1)), "cent");
        assert_eq!(beside("cents", &Value::Integer(0)), "cents");
        assert_eq!(beside("kg", &Value::Integer(1)), "kg");
    }
}
