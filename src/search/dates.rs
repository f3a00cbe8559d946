//! Reads days in the forms in which people write them: `2014-05-01`, `1 May 2014`, `05/01/2014`.

use super::tokens::{Token, TokenKind, tokenise};
use crate::domain::Span;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

/// Which number comes first in `05/01/2014`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The fifth of a month.
    DayFirst,
    /// May.
    MonthFirst,
}

/// What a text says as a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// One day, however it is read.
    One(Day),
    /// Two days: it depends on which number comes first.
    Either {
        /// Read with the day first.
        day_first: Day,
        /// Read with the month first.
        month_first: Day,
    },
}

/// Names of months by their first three letters.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Names of months in full, in lower case; other words that begin alike ("maybe", "march on") are none.
pub const NAMES: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Names of the days of a week, in lower case.
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Tells whether a stored text may stand for a phrase: a month or a weekday is no slip of the
/// fingers, and no form of another word. "July" is not `JULIE`.
pub fn keeps_calendar(phrase: &[Token], stored: &str) -> bool {
    let is_calendar = |word: &str| NAMES.contains(&word) || WEEKDAYS.contains(&word);
    let mut said = phrase.iter().filter(|token| is_calendar(&token.lower)).peekable();
    if said.peek().is_none() {
        return true;
    }
    let words: Vec<Token> = tokenise(stored);
    said.all(|token| {
        let short = token.lower.get(..3).unwrap_or_default();
        words.iter().any(|word| word.lower == token.lower || word.lower == short)
    })
}

impl Day {
    /// Makes a day that is in the calendar.
    pub fn new(year: u32, month: u32, day: u32) -> Option<Day> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let longest = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => return None,
        };
        let known = (1000..=2999).contains(&year) && (1..=longest).contains(&day);
        let small = |n: u32| u8::try_from(n).ok();
        known
            .then(|| {
                Some(Day {
                    year: u16::try_from(year).ok()?,
                    month: small(month)?,
                    of_month: small(day)?,
                })
            })
            .flatten()
    }

    /// Writes it as `2014-05-01`.
    pub fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }

    /// Returns the day after it.
    pub fn next(self) -> Day {
        let (year, month, day) =
            (u32::from(self.year), u32::from(self.month), u32::from(self.of_month));
        Day::new(year, month, day + 1)
            .or_else(|| Day::new(year, month + 1, 1))
            .or_else(|| Day::new(year + 1, 1, 1))
            .unwrap_or(self)
    }
}

impl Reading {
    /// Returns the day under an order of numbers; none where the order is open and matters.
    pub fn under(self, order: Option<Order>) -> Option<Day> {
        match (self, order) {
            (Reading::One(day), _) => Some(day),
            (Reading::Either { day_first, .. }, Some(Order::DayFirst)) => Some(day_first),
            (Reading::Either { month_first, .. }, Some(Order::MonthFirst)) => Some(month_first),
            (Reading::Either { .. }, None) => None,
        }
    }

    /// Lists the days that it may be.
    pub fn days(self) -> Vec<Day> {
        match self {
            Reading::One(day) => vec![day],
            Reading::Either { day_first, month_first } => vec![month_first, day_first],
        }
    }
}

/// Reads a whole text as a day.
pub fn read(text: &str) -> Option<Reading> {
    let plausible = (6..=24).contains(&text.len()) && text.bytes().any(|b| b.is_ascii_digit());
    if !plausible {
        return None;
    }
    let tokens = tokenise(text);
    let (reading, taken) = begin(&tokens)?;
    (taken == tokens.len()).then_some(reading)
}

/// Finds the days that a text names, in order.
pub fn find(tokens: &[Token]) -> Vec<(Span, Reading)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        let read = begin(rest).and_then(|(reading, taken)| {
            let (first, last) = (rest.first()?, rest.get(taken.checked_sub(1)?)?);
            Some((Span::new(first.span.start, last.span.end), reading, taken))
        });
        at += read.as_ref().map_or(1, |(.., taken)| *taken);
        found.extend(read.map(|(span, reading, _)| (span, reading)));
    }
    found
}

/// Tells which number comes first in a column's dates: what one of them leaves no doubt about.
pub fn order_of<'a>(values: impl Iterator<Item = &'a str>) -> Option<Order> {
    let mut order = None;
    for value in values {
        let Some([first, second, _]) = numbers(value).filter(|[first, ..]| *first < 1000) else {
            continue;
        };
        let one = match (first > 12, second > 12) {
            (true, false) => Order::DayFirst,
            (false, true) => Order::MonthFirst,
            (true, true) => return None,
            (false, false) => continue,
        };
        if order.is_some_and(|known| known != one) {
            return None;
        }
        order = Some(one);
    }
    order
}

/// Reads a day at the beginning of tokens; also returns how many it takes.
fn begin(tokens: &[Token]) -> Option<(Reading, usize)> {
    let first = tokens.first()?;
    if first.kind == TokenKind::Number
        && let Some(reading) = numeric(&first.text)
    {
        return Some((reading, 1));
    }
    let mut at = 0;
    let mut day = day_of_month(tokens.first()?);
    if day.is_some() {
        at += 1;
        at += usize::from(tokens.get(at).is_some_and(|t| t.lower == "of"));
    }
    let month = month(&tokens.get(at)?.lower)?;
    at += 1;
    at += usize::from(tokens.get(at).is_some_and(|t| t.text == "."));
    if day.is_none() {
        at += usize::from(tokens.get(at).is_some_and(|t| t.lower == "the"));
        day = day_of_month(tokens.get(at)?);
        at += 1;
    }
    at += usize::from(tokens.get(at).is_some_and(|t| t.text == ","));
    let year: u32 = tokens.get(at)?.text.parse().ok()?;
    Some((Reading::One(Day::new(year, month, day?)?), at + 1))
}

/// Reads `1`, `1st`, `22nd`.
fn day_of_month(token: &Token) -> Option<u32> {
    let bare = ["st", "nd", "rd", "th"].iter().find_map(|end| token.lower.strip_suffix(end));
    bare.unwrap_or(&token.lower).parse().ok().filter(|day| (1..=31).contains(day))
}

fn month(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|short| word == *short).or_else(|| {
        NAMES.iter().position(|full| word == *full || (word == "sept" && *full == "september"))
    })?;
    u32::try_from(at + 1).ok()
}

/// Cuts `05/01/2014` into its three numbers.
fn numbers(text: &str) -> Option<[u32; 3]> {
    let mark = text.chars().find(|c| !c.is_ascii_digit()).filter(|c| "-/.".contains(*c))?;
    let mut parts = text.split(mark);
    let mut next = || parts.next()?.parse::<u32>().ok();
    let three = [next()?, next()?, next()?];
    parts.next().is_none().then_some(three)
}

fn numeric(text: &str) -> Option<Reading> {
    let [first, second, third] = numbers(text)?;
    if first >= 1000 {
        return Some(Reading::One(Day::new(first, second, third)?));
    }
    match (Day::new(third, second, first), Day::new(third, first, second)) {
        (Some(day_first), Some(month_first)) if day_first != month_first => {
            Some(Reading::Either { day_first, month_first })
        }
        (Some(day), _) | (None, Some(day)) => Some(Reading::One(day)),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<String> {
        match read(text)? {
            Reading::One(day) => Some(day.iso()),
            Reading::Either { day_first, month_first } => {
                Some(format!("{} or {}", month_first.iso(), day_first.iso()))
            }
        }
    }

    #[test]
    fn the_forms_of_a_day_are_one_day() {
        for text in ["2014-05-01", "1 May 2014", "May 1st 2014", "May 1, 2014", "1st of May 2014"] {
            assert_eq!(day(text).as_deref(), Some("2014-05-01"), "{text}");
        }
        assert_eq!(day("31/12/2014").as_deref(), Some("2014-12-31"));
        assert_eq!(day("12/31/2014").as_deref(), Some("2014-12-31"));
        assert_eq!(day("05/01/2014").as_deref(), Some("2014-05-01 or 2014-01-05"));
    }

    #[test]
    fn a_month_is_no_form_of_a_first_name() {
        let keeps = |phrase: &str, stored: &str| keeps_calendar(&tokenise(phrase), stored);
        assert!(!keeps("July", "JULIE"));
        assert!(!keeps("April", "Aprilia") && !keeps("Sunday", "Sundae"));
        assert!(keeps("July", "july") && keeps("July", "Jul 2005") && keeps("Julie", "JULIE"));
    }

    #[test]
    fn what_is_no_day_is_none() {
        for text in ["2014-13-01", "30 February 2014", "May 2014", "1.2.3", "10-12", "maybe 1 2014"]
        {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn a_column_tells_its_order_by_numbers_above_twelve() {
        let order = |values: &[&str]| order_of(values.iter().copied());
        assert_eq!(order(&["05/01/2014", "25/01/2014"]), Some(Order::DayFirst));
        assert_eq!(order(&["05/01/2014", "05/31/2014"]), Some(Order::MonthFirst));
        assert_eq!(order(&["05/01/2014"]), None);
        assert_eq!(order(&["25/01/2014", "01/25/2014"]), None);
    }

    #[test]
    fn days_are_found_in_a_question() {
        let tokens = tokenise("orders between May 1st, 2014 and 3 June 2014 or 2015-01-31");
        let days: Vec<Vec<Day>> = find(&tokens).into_iter().map(|(_, r)| r.days()).collect();
        let iso: Vec<String> = days.concat().into_iter().map(Day::iso).collect();
        assert_eq!(iso, ["2014-05-01", "2014-06-03", "2015-01-31"]);
        assert_eq!(Day::new(2015, 12, 31).map(|d| d.next().iso()).as_deref(), Some("2016-01-01"));
    }
}
