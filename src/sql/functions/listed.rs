//! The functions of engines that are listed in `assets/functions`, one a line.

use std::sync::LazyLock;

use crate::domain::Dialect;

use super::MANY;

/// An engine's functions, sorted by name.
pub(super) struct List {
    rows: Vec<(&'static str, usize, usize)>,
}

static POSTGRES: LazyLock<List> =
    LazyLock::new(|| List::read(include_str!("../../../assets/functions/postgresql.txt")));
static MYSQL: LazyLock<List> =
    LazyLock::new(|| List::read(include_str!("../../../assets/functions/mysql.txt")));
static DUCKDB: LazyLock<List> =
    LazyLock::new(|| List::read(include_str!("../../../assets/functions/duckdb.txt")));

/// Returns the list of an engine that has one.
pub(super) fn of(dialect: Dialect) -> Option<&'static List> {
    match dialect {
        Dialect::Postgres => Some(&POSTGRES),
        Dialect::Mysql => Some(&MYSQL),
        Dialect::Duckdb => Some(&DUCKDB),
        Dialect::Sqlite | Dialect::Generic => None,
    }
}

impl List {
    fn read(text: &'static str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        List { rows: lines.filter_map(row).collect() }
    }

    /// Returns the fewest and the most arguments of a function.
    pub(super) fn limits(&self, name: &str) -> Option<(usize, usize)> {
        let at = self.rows.binary_search_by(|row| row.0.cmp(name)).ok()?;
        self.rows.get(at).map(|row| (row.1, row.2))
    }

    /// Lists the names.
    pub(super) fn names(&'static self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().map(|row| row.0)
    }
}

fn row(line: &'static str) -> Option<(&'static str, usize, usize)> {
    let mut words = line.split(' ');
    let (name, least, most) = (words.next()?, words.next()?, words.next()?);
    let most = if most == "*" { MANY } else { most.parse().ok()? };
    Some((name, least.parse().ok()?, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lists_is_read_and_they_are_sorted() {
        for (dialect, least) in
            [(Dialect::Postgres, 400), (Dialect::Mysql, 250), (Dialect::Duckdb, 800)]
        {
            let list = of(dialect).unwrap();
            assert!(list.rows.len() > least, "{dialect:?}: {}", list.rows.len());
            assert!(list.rows.is_sorted_by(|a, b| a.0 < b.0), "{dialect:?}");
            assert!(list.rows.iter().all(|row| row.1 <= row.2), "{dialect:?}");
        }
    }

    #[test]
    fn arguments_are_those_of_the_documentation() {
        let limits = |dialect, name| of(dialect).unwrap().limits(name);
        assert_eq!(limits(Dialect::Postgres, "string_agg"), Some((2, 2)));
        assert_eq!(limits(Dialect::Postgres, "coalesce"), Some((1, MANY)));
        assert_eq!(limits(Dialect::Postgres, "ifnull"), None);
        assert_eq!(limits(Dialect::Mysql, "ifnull"), Some((2, 2)));
        assert_eq!(limits(Dialect::Mysql, "substring_index"), Some((3, 3)));
        assert_eq!(limits(Dialect::Mysql, "strftime"), None);
        assert_eq!(limits(Dialect::Duckdb, "date_trunc"), Some((2, 2)));
        assert_eq!(limits(Dialect::Duckdb, "iif"), None);
    }
}
