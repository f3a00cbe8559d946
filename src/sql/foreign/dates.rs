//! Calls on dates whose arguments steer what they do: units, formats, modifiers.

use crate::domain::Dialect;

use super::formats::{Letters, format};

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

impl Unit {
    /// Reads a unit: a word or a text, in singular or plural.
    pub(super) fn read(text: &str) -> Option<Self> {
        let word = text.trim().trim_matches('\'').to_ascii_lowercase();
        Some(match word.trim_end_matches('s') {
            "year" | "yyyy" | "yy" => Unit::Year,
            "quarter" | "qq" => Unit::Quarter,
            "month" | "mm" => Unit::Month,
            "week" | "wk" | "ww" => Unit::Week,
            "day" | "dd" => Unit::Day,
            "hour" | "hh" => Unit::Hour,
            "minute" | "mi" => Unit::Minute,
            "second" => Unit::Second,
            _ => return None,
        })
    }

    /// Returns the unit's name in lower case.
    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Year => "year",
            Unit::Quarter => "quarter",
            Unit::Month => "month",
            Unit::Week => "week",
            Unit::Day => "day",
            Unit::Hour => "hour",
            Unit::Minute => "minute",
            Unit::Second => "second",
        }
    }

    fn seconds(self) -> Option<u32> {
        match self {
            Unit::Second => Some(1),
            Unit::Minute => Some(60),
            Unit::Hour => Some(3_600),
            Unit::Day => Some(86_400),
            Unit::Week => Some(604_800),
            Unit::Year | Unit::Quarter | Unit::Month => None,
        }
    }
}

/// Returns what a call on dates becomes on an engine; `arguments` are as written.
pub(super) fn template(name: &str, arguments: &[&str], dialect: Dialect) -> Option<String> {
    match (name, arguments) {
        ("date" | "datetime", ["'now'"]) => now(name, dialect),
        ("date", [_, modifiers @ ..]) if !modifiers.is_empty() => {
            modified(arguments, modifiers, dialect)
        }
        ("datediff" | "date_diff", [a, _, c]) => match (Unit::read(a), Unit::read(c)) {
            (Some(unit), _) => boundaries(unit, "{1}", "{2}", dialect),
            (None, Some(unit)) => boundaries(unit, "{1}", "{0}", dialect),
            (None, None) => None,
        },
        ("timestampdiff", [unit, ..]) => whole_units(Unit::read(unit)?, dialect),
        ("date_add" | "adddate", [_, by]) if is_interval(by) => shifted('+', dialect),
        ("date_sub" | "subdate", [_, by]) if is_interval(by) => shifted('-', dialect),
        ("dateadd" | "timestampadd", [unit, by, _]) => added(Unit::read(unit)?, by, dialect),
        ("date_trunc", [a, b]) => match (Unit::read(a), Unit::read(b)) {
            (Some(unit), _) => truncated(unit, "{1}", dialect),
            (None, Some(unit)) => truncated(unit, "{0}", dialect),
            (None, None) => None,
        },
        ("date_part", [field, _]) => part(field, dialect),
        ("strftime", [letters, "'now'"]) => {
            let now = now("datetime", dialect)?;
            written(&format(letters, Letters::C, dialect)?, &now, dialect)
        }
        ("strftime", [letters, _]) if letters.starts_with('\'') => {
            written(&format(letters, Letters::C, dialect)?, "{1}", dialect)
        }
        ("strftime", [_, letters]) => {
            written(&format(letters, Letters::C, dialect)?, "{0}", dialect)
        }
        ("date_format", [_, letters]) => {
            written(&format(letters, Letters::Mysql, dialect)?, "{0}", dialect)
        }
        ("to_char", [_, letters]) => {
            written(&format(letters, Letters::Postgres, dialect)?, "{0}", dialect)
        }
        ("str_to_date", [_, letters]) => read(letters, Letters::Mysql, dialect),
        ("strptime", [_, letters]) => read(letters, Letters::C, dialect),
        ("to_date", [_, letters]) => read(letters, Letters::Postgres, dialect),
        _ => None,
    }
}

fn is_interval(text: &str) -> bool {
    text.get(..8).is_some_and(|word| word.eq_ignore_ascii_case("interval"))
}

fn now(name: &str, dialect: Dialect) -> Option<String> {
    let text = match (name, dialect) {
        (_, Dialect::Sqlite | Dialect::Generic) => return None,
        ("date", _) => "CURRENT_DATE",
        _ => "NOW()",
    };
    Some(text.to_owned())
}

/// Writes SQLite's `date(x, '-7 days')` with an interval.
fn modified(arguments: &[&str], modifiers: &[&str], dialect: Dialect) -> Option<String> {
    let mut value = match arguments.first() {
        Some(&"'now'") => "CURRENT_DATE".to_owned(),
        _ => "CAST({0} AS DATE)".to_owned(),
    };
    for modifier in modifiers {
        let words = modifier.strip_prefix('\'')?.strip_suffix('\'')?.trim().to_ascii_lowercase();
        if let Some(unit) = words.strip_prefix("start of ") {
            let unit = Unit::read(unit).filter(|u| matches!(u, Unit::Year | Unit::Month))?;
            value = truncated(unit, &value, dialect)
                .unwrap_or_else(|| format!("DATE_TRUNC('{}', {value})", unit.name()));
            continue;
        }
        let (count, unit) = words.split_once(' ')?;
        let count: i64 = count.parse().ok()?;
        let unit =
            Unit::read(unit).filter(|u| matches!(u, Unit::Year | Unit::Month | Unit::Day))?;
        let sign = if count < 0 { '-' } else { '+' };
        value = format!("{value} {sign} {}", interval(count.unsigned_abs(), unit, dialect)?);
    }
    Some(format!("CAST({value} AS DATE)"))
}

/// Writes a number of units as an interval.
pub(super) fn interval(count: u64, unit: Unit, dialect: Dialect) -> Option<String> {
    let unit = unit.name();
    match dialect {
        Dialect::Postgres => Some(format!("INTERVAL '{count} {unit}'")),
        Dialect::Mysql | Dialect::Duckdb => {
            Some(format!("INTERVAL {count} {}", unit.to_ascii_uppercase()))
        }
        Dialect::Sqlite | Dialect::Generic => None,
    }
}

/// Counts how many beginnings of a unit lie between two dates.
fn boundaries(unit: Unit, from: &str, to: &str, dialect: Dialect) -> Option<String> {
    let extract = |field: &str| match dialect {
        Dialect::Postgres => {
            Some(format!("EXTRACT({field} FROM {to}) - EXTRACT({field} FROM {from})"))
        }
        Dialect::Mysql => Some(format!("{field}({to}) - {field}({from})")),
        Dialect::Sqlite | Dialect::Duckdb | Dialect::Generic => None,
    };
    if dialect == Dialect::Duckdb {
        return Some(format!("date_diff('{}', {from}, {to})", unit.name()));
    }
    match (unit, dialect) {
        (Unit::Day, Dialect::Postgres) => {
            Some(format!("(CAST({to} AS DATE) - CAST({from} AS DATE))"))
        }
        (Unit::Day, Dialect::Mysql) => Some(format!("DATEDIFF({to}, {from})")),
        (Unit::Year, _) => Some(format!("({})", extract("YEAR")?)),
        (Unit::Month, _) => Some(format!("(({}) * 12 + {})", extract("YEAR")?, extract("MONTH")?)),
        _ => None,
    }
}

/// Counts the whole units between two moments, as MySQL's TIMESTAMPDIFF does.
fn whole_units(unit: Unit, dialect: Dialect) -> Option<String> {
    match dialect {
        // its months between the last days of two months are others
        Dialect::Duckdb => {
            unit.seconds().map(|_| format!("date_sub('{}', {{1}}, {{2}})", unit.name()))
        }
        Dialect::Postgres => Some(match (unit, unit.seconds()) {
            (_, Some(seconds)) => {
                let all = "EXTRACT(EPOCH FROM CAST({2} AS TIMESTAMP) - CAST({1} AS TIMESTAMP))";
                let share = if seconds == 1 { String::new() } else { format!(" / {seconds}") };
                format!("TRUNC({all}{share})")
            }
            (Unit::Year, None) => "EXTRACT(YEAR FROM AGE({2}, {1}))".to_owned(),
            (Unit::Month, None) => {
                "(EXTRACT(YEAR FROM AGE({2}, {1})) * 12 + EXTRACT(MONTH FROM AGE({2}, {1})))"
                    .to_owned()
            }
            (_, None) => return None,
        }),
        Dialect::Sqlite | Dialect::Mysql | Dialect::Generic => None,
    }
}

fn shifted(sign: char, dialect: Dialect) -> Option<String> {
    matches!(dialect, Dialect::Postgres | Dialect::Duckdb)
        .then(|| format!("({{(0)}} {sign} {{1}})"))
}

/// Adds a number of units: `DATEADD(day, 7, x)`.
fn added(unit: Unit, by: &str, dialect: Dialect) -> Option<String> {
    let plain = by.trim().trim_start_matches('-').parse::<u64>().ok();
    let sign = if by.trim().starts_with('-') { '-' } else { '+' };
    match (dialect, plain) {
        (Dialect::Mysql, _) => {
            let unit = unit.name().to_ascii_uppercase();
            Some(format!("DATE_ADD({{2}}, INTERVAL {{1}} {unit})"))
        }
        (Dialect::Postgres | Dialect::Duckdb, Some(count)) => {
            Some(format!("({{(2)}} {sign} {})", interval(count, unit, dialect)?))
        }
        (Dialect::Postgres | Dialect::Duckdb, None) => {
            Some(format!("({{(2)}} + {{(1)}} * INTERVAL '1 {}')", unit.name()))
        }
        (Dialect::Sqlite, Some(count)) => match unit {
            Unit::Day | Unit::Month | Unit::Year => {
                Some(format!("date({{2}}, '{sign}{count} {}')", unit.name()))
            }
            _ => None,
        },
        (Dialect::Sqlite | Dialect::Generic, _) => None,
    }
}

/// Takes a moment back to the beginning of its unit.
fn truncated(unit: Unit, value: &str, dialect: Dialect) -> Option<String> {
    match dialect {
        Dialect::Sqlite => {
            let letters = match unit {
                Unit::Year => "%Y-01-01",
                Unit::Month => "%Y-%m-01",
                Unit::Day => "%Y-%m-%d",
                _ => return None,
            };
            Some(format!("strftime('{letters}', {value})"))
        }
        Dialect::Mysql => Some(match unit {
            Unit::Year => format!("CAST(DATE_FORMAT({value}, '%Y-01-01') AS DATE)"),
            Unit::Quarter => {
                format!("(MAKEDATE(YEAR({value}), 1) + INTERVAL QUARTER({value}) * 3 - 3 MONTH)")
            }
            Unit::Month => format!("CAST(DATE_FORMAT({value}, '%Y-%m-01') AS DATE)"),
            Unit::Week => format!("DATE_SUB(DATE({value}), INTERVAL WEEKDAY({value}) DAY)"),
            Unit::Day => format!("DATE({value})"),
            Unit::Hour => format!("CAST(DATE_FORMAT({value}, '%Y-%m-%d %H:00:00') AS DATETIME)"),
            Unit::Minute => {
                format!("CAST(DATE_FORMAT({value}, '%Y-%m-%d %H:%i:00') AS DATETIME)")
            }
            Unit::Second => return None,
        }),
        Dialect::Postgres | Dialect::Duckdb => {
            Some(format!("DATE_TRUNC('{}', {value})", unit.name()))
        }
        Dialect::Generic => None,
    }
}

/// Writes `DATE_PART('year', x)`.
fn part(field: &str, dialect: Dialect) -> Option<String> {
    let field = field.trim().trim_matches('\'').to_ascii_lowercase();
    match dialect {
        Dialect::Sqlite => {
            let letter = match field.as_str() {
                "year" => "%Y",
                "month" => "%m",
                "day" => "%d",
                "hour" => "%H",
                "minute" => "%M",
                "dow" => "%w",
                _ => return None,
            };
            Some(format!("CAST(strftime('{letter}', {{1}}) AS INTEGER)"))
        }
        Dialect::Mysql => extracted(&field, "{1}"),
        Dialect::Postgres | Dialect::Duckdb | Dialect::Generic => None,
    }
}

/// Writes `EXTRACT(field FROM x)` in MySQL, which lacks some of the fields.
pub(super) fn extracted(field: &str, value: &str) -> Option<String> {
    Some(match field.to_ascii_lowercase().as_str() {
        "dow" | "dayofweek" => format!("(DAYOFWEEK({value}) - 1)"),
        "isodow" => format!("(WEEKDAY({value}) + 1)"),
        "doy" | "dayofyear" => format!("DAYOFYEAR({value})"),
        "week" => format!("WEEK({value}, 3)"),
        field @ ("year" | "quarter" | "month" | "day" | "hour" | "minute" | "second") => {
            format!("EXTRACT({} FROM {value})", field.to_ascii_uppercase())
        }
        _ => return None,
    })
}

fn written(letters: &str, value: &str, dialect: Dialect) -> Option<String> {
    Some(match dialect {
        Dialect::Sqlite => format!("strftime({letters}, {value})"),
        Dialect::Duckdb => format!("strftime({value}, {letters})"),
        Dialect::Mysql => format!("DATE_FORMAT({value}, {letters})"),
        Dialect::Postgres => format!("TO_CHAR({value}, {letters})"),
        Dialect::Generic => return None,
    })
}

/// Writes the reading of a text as a date, or as a moment where the format has hours.
fn read(letters: &str, from: Letters, dialect: Dialect) -> Option<String> {
    let own = format(letters, from, dialect)?;
    let timed = format(letters, from, Dialect::Postgres)?.contains("HH");
    Some(match (dialect, timed) {
        (Dialect::Postgres, true) => format!("CAST(TO_TIMESTAMP({{0}}, {own}) AS TIMESTAMP)"),
        (Dialect::Postgres, false) => format!("TO_DATE({{0}}, {own})"),
        (Dialect::Mysql, _) => format!("STR_TO_DATE({{0}}, {own})"),
        (Dialect::Duckdb, true) => format!("strptime({{0}}, {own})"),
        (Dialect::Duckdb, false) => format!("CAST(strptime({{0}}, {own}) AS DATE)"),
        (Dialect::Sqlite | Dialect::Generic, _) => return None,
    })
}
