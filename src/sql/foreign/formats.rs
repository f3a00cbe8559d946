//! Formats of dates: the letters of `strftime`, `DATE_FORMAT` and `TO_CHAR` for the same parts.

use crate::domain::Dialect;

/// A part of a date in each of the three alphabets; empty where one lacks it.
struct Part {
    c: &'static str,
    mysql: &'static str,
    postgres: &'static str,
}

const fn part(c: &'static str, mysql: &'static str, postgres: &'static str) -> Part {
    Part { c, mysql, postgres }
}

/// The parts; of two with the same letters the first is written.
const PARTS: &[Part] = &[
    part("%Y", "%Y", "YYYY"),
    part("%y", "%y", "YY"),
    part("%m", "%m", "MM"),
    part("%B", "%M", "FMMonth"),
    part("%-m", "%c", "FMMM"),
    part("%-d", "%e", "FMDD"),
    part("%d", "%d", "DD"),
    part("%b", "%b", "Mon"),
    part("%A", "%W", "FMDay"),
    part("%a", "%a", "Dy"),
    part("%j", "%j", "DDD"),
    part("%H", "%H", "HH24"),
    part("%I", "%h", "HH12"),
    part("%M", "%i", "MI"),
    part("%S", "%s", "SS"),
    part("%S", "%S", "SS"),
    part("%p", "%p", "AM"),
];

/// Letters that SQLite's `strftime` knows.
const SQLITE: &[&str] = &["%Y", "%m", "%d", "%H", "%M", "%S", "%j", "%I", "%p"];

/// An alphabet of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// `strftime`: SQLite and DuckDB.
    C,
    /// `DATE_FORMAT`.
    Mysql,
    /// `TO_CHAR`.
    Postgres,
}

impl Letters {
    fn of(self, part: &Part) -> &'static str {
        match self {
            Letters::C => part.c,
            Letters::Mysql => part.mysql,
            Letters::Postgres => part.postgres,
        }
    }

    /// Returns the alphabet that an engine has.
    fn own(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::Sqlite | Dialect::Duckdb => Some(Letters::C),
            Dialect::Mysql => Some(Letters::Mysql),
            Dialect::Postgres => Some(Letters::Postgres),
            Dialect::Generic => None,
        }
    }
}

/// Writes a format, quotes included, in the letters of an engine; none when a part isn't known.
pub(super) fn format(literal: &str, from: Letters, dialect: Dialect) -> Option<String> {
    let to = Letters::own(dialect)?;
    let literal = match from {
        Letters::C => literal.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S"),
        Letters::Mysql => literal.replace("%T", "%H:%i:%s"),
        Letters::Postgres => literal.to_owned(),
    };
    let mut rest = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut written = String::new();
    while let Some(first) = rest.chars().next() {
        let fits = |part: &&Part| {
            let letters = from.of(part);
            !letters.is_empty() && rest.starts_with(letters)
        };
        // the longest that fits, so that `MM` isn't read in `MMM`
        let found = PARTS.iter().rev().filter(fits).max_by_key(|part| from.of(part).len());
        if let Some(found) = found {
            let letters = to.of(found);
            let known = dialect != Dialect::Sqlite || SQLITE.contains(&letters);
            written.push_str(Some(letters).filter(|letters| !letters.is_empty() && known)?);
            rest = rest.get(from.of(found).len()..)?;
        } else if first.is_alphabetic() || matches!(first, '%' | '"' | '\'' | '{') {
            return None;
        } else {
            written.push(first);
            rest = rest.get(first.len_utf8()..)?;
        }
    }
    Some(format!("'{written}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_format_in_the_letters_of_each_engine() {
        let c = "'%Y-%m-%d %H:%M:%S'";
        let mysql = "'%Y-%m-%d %H:%i:%s'";
        let postgres = "'YYYY-MM-DD HH24:MI:SS'";
        assert_eq!(format(c, Letters::C, Dialect::Mysql).as_deref(), Some(mysql));
        assert_eq!(format(c, Letters::C, Dialect::Postgres).as_deref(), Some(postgres));
        assert_eq!(format(mysql, Letters::Mysql, Dialect::Postgres).as_deref(), Some(postgres));
        assert_eq!(format(postgres, Letters::Postgres, Dialect::Duckdb).as_deref(), Some(c));
        let named = format("'%M %Y'", Letters::Mysql, Dialect::Postgres);
        assert_eq!(named.as_deref(), Some("'FMMonth YYYY'"));
    }

    #[test]
    fn a_part_that_an_engine_lacks_is_not_guessed() {
        assert_eq!(format("'%w'", Letters::C, Dialect::Postgres), None);
        assert_eq!(format("'%M'", Letters::Mysql, Dialect::Sqlite), None);
        assert_eq!(format("'Q'", Letters::Postgres, Dialect::Mysql), None);
        assert_eq!(format("x", Letters::C, Dialect::Mysql), None);
    }
}
