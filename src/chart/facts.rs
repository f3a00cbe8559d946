//! What a column holds: its sort, its range, how many values differ, what is missing.

use std::collections::HashSet;

use super::dates::{self, Moment, Unit};
use super::sheet::{Cell, Sheet};

/// Of a hundred values, how many must be of a sort for the column to be of it.
const MOSTLY: usize = 95;

/// What a column is for a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Numbers that measure something.
    Number,
    /// Dates or times.
    Date,
    /// Whole numbers that count parts of the calendar: month, weekday, hour.
    Part,
    /// Names of things, and numbers that only name: ids, codes.
    Label,
    /// Bytes.
    Bytes,
    /// Nothing but NULL.
    Empty,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// What it is for a chart.
    pub sort: Sort,
    /// How finely its dates are told.
    pub unit: Unit,
    /// It only names: an id, a code.
    pub key: bool,
    /// Values that aren't NULL.
    pub values: usize,
    /// NULLs.
    pub nulls: usize,
    /// Different values.
    pub distinct: usize,
    /// The longest label, in characters.
    pub longest: usize,
    /// Its smallest place on an axis.
    pub low: f64,
    /// Its largest place on an axis.
    pub high: f64,
    /// Each value lies further than the one before.
    pub rising: bool,
}

impl Facts {
    /// Reads all columns.
    pub fn of(sheet: &Sheet) -> Vec<Facts> {
        (0..sheet.columns().len()).map(|column| facts(sheet, column)).collect()
    }

    /// Returns where a cell of this column lies on an axis, if it does.
    pub fn place(&self, sheet: &Sheet, cell: Cell) -> Option<f64> {
        match self.sort {
            Sort::Number | Sort::Part => cell.number(),
            Sort::Date => moment(sheet, cell).map(|moment| moment.at),
            Sort::Label | Sort::Bytes | Sort::Empty => None,
        }
    }
}

/// Reads a cell of a column of dates; a whole number in one is a year.
fn moment(sheet: &Sheet, cell: Cell) -> Option<Moment> {
    match cell {
        Cell::Whole(year) => Some(dates::year(year)),
        Cell::Text(_) => sheet.moment(cell).or_else(|| {
            let text = sheet.label(cell);
            let year = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
            year.then(|| text.parse().ok()).flatten().map(dates::year)
        }),
        Cell::Null | Cell::Real(_) | Cell::Bytes => None,
    }
}

/// How many cells there are of each make.
#[derive(Default)]
struct Makes {
    numbers: usize,
    wholes: usize,
    texts: usize,
    moments: usize,
    bytes: usize,
    nulls: usize,
    years: usize,
    smallest: i64,
    largest: i64,
}

impl Makes {
    fn of(sheet: &Sheet, cells: &[Cell]) -> Makes {
        let mut makes = Makes { smallest: i64::MAX, largest: i64::MIN, ..Makes::default() };
        for cell in cells {
            match cell {
                Cell::Null => makes.nulls += 1,
                Cell::Whole(n) => {
                    makes.numbers += 1;
                    makes.wholes += 1;
                    makes.years += usize::from((1_000..3_000).contains(n));
                    makes.smallest = makes.smallest.min(*n);
                    makes.largest = makes.largest.max(*n);
                }
                Cell::Real(_) => makes.numbers += 1,
                Cell::Text(_) => {
                    makes.texts += 1;
                    if sheet.moment(*cell).is_some() {
                        makes.moments += 1;
                    } else if moment(sheet, *cell).is_some() {
                        makes.years += 1;
                    }
                }
                Cell::Bytes => makes.bytes += 1,
            }
        }
        makes
    }

    fn values(&self) -> usize {
        self.numbers + self.texts + self.bytes
    }

    /// Tells whether nearly all values are among these.
    fn mostly(&self, some: usize) -> bool {
        some > 0 && some * 100 >= self.values() * MOSTLY
    }
}

fn facts(sheet: &Sheet, column: usize) -> Facts {
    let cells = sheet.cells(column);
    let (name, declared) = sheet
        .columns()
        .get(column)
        .map_or_else(Default::default, |c| (c.name.clone(), c.data_type.to_lowercase()));
    let makes = Makes::of(sheet, cells);
    let key = is_key(&name);
    let sort = sort(&makes, &name, &declared, key);
    let mut facts = Facts {
        name,
        sort,
        unit: Unit::Year,
        key,
        values: makes.values(),
        nulls: makes.nulls,
        distinct: 0,
        longest: 0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        rising: true,
    };
    measure(&mut facts, sheet, cells);
    facts
}

fn sort(makes: &Makes, name: &str, declared: &str, key: bool) -> Sort {
    let whole = makes.mostly(makes.wholes) && makes.wholes == makes.numbers;
    if makes.values() == 0 {
        Sort::Empty
    } else if makes.mostly(makes.bytes) {
        Sort::Bytes
    } else if makes.mostly(makes.moments)
        || (says(name, &["year", "years", "yr", "jahr"]) && makes.mostly(makes.years))
    {
        Sort::Date
    } else if !makes.mostly(makes.numbers) || key || declared.contains("bool") {
        Sort::Label
    } else if whole
        && PARTS.iter().any(|(words, from, to)| {
            says(name, words) && makes.smallest >= *from && makes.largest <= *to
        })
    {
        Sort::Part
    } else {
        Sort::Number
    }
}

/// Parts of the calendar: their names, and between which numbers they lie.
const PARTS: [(&[&str], i64, i64); 6] = [
    (&["month", "months", "mon", "monat"], 1, 12),
    (&["quarter", "qtr", "quartal"], 1, 4),
    (&["weekday", "dow", "wochentag"], 0, 7),
    (&["week", "woche"], 0, 53),
    (&["day", "dom", "tag"], 1, 366),
    (&["hour", "stunde"], 0, 24),
];

/// Splits a name into words: at signs that are no letters, and where a capital follows a small one.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (small && c.is_uppercase()) {
            words.push(String::new());
        }
        small = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn says(name: &str, words: &[&str]) -> bool {
    words_of(name).iter().any(|word| words.contains(&word.as_str()))
}

/// Tells whether a name speaks of a number that only names: `id`, `room_id`, `roomId`, `zip`.
fn is_key(name: &str) -> bool {
    // an expression over a key is no key: count(id)
    if name.contains('(') {
        return false;
    }
    let words = words_of(name);
    let counts = ["count", "sum", "avg", "average", "total", "num", "number", "max", "min", "n"];
    let last = words.last().map_or("", String::as_str);
    matches!(last, "id" | "ids" | "uuid" | "key" | "code" | "zip" | "postcode" | "phone")
        && !words.iter().any(|word| counts.contains(&word.as_str()))
}

fn measure(facts: &mut Facts, sheet: &Sheet, cells: &[Cell]) {
    let mut seen = HashSet::new();
    let mut last = f64::NEG_INFINITY;
    for cell in cells.iter().filter(|cell| **cell != Cell::Null) {
        seen.insert(bits(*cell));
        if let Some(place) = facts.place(sheet, *cell) {
            facts.low = facts.low.min(place);
            facts.high = facts.high.max(place);
            facts.rising &= place > last;
            last = place;
        }
        if facts.sort == Sort::Date
            && let Some(moment) = moment(sheet, *cell)
        {
            facts.unit = facts.unit.max(moment.unit);
        }
    }
    facts.distinct = seen.len();
    if facts.sort == Sort::Label {
        let of = |cell: &Cell| sheet.label(*cell).chars().count();
        // names are looked at as far as a chart could hold them
        facts.longest = cells.iter().take(1_000).map(of).max().unwrap_or(0);
    }
}

/// Tells cells apart.
fn bits(cell: Cell) -> (u8, u64) {
    match cell {
        Cell::Null => (0, 0),
        Cell::Whole(n) => (1, n.cast_unsigned()),
        Cell::Real(n) => (2, n.to_bits()),
        Cell::Text(n) => (3, u64::from(n)),
        Cell::Bytes => (4, 0),
    }
}
