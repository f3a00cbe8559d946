//! Finds tables and columns by a few letters of their names and comments, in wide schemas too.
//!
//! Equal names are scored once: a schema of 100,000 columns has far fewer different ones.

use std::collections::{BTreeMap, HashMap};

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::Catalog;

/// A line of the browser: a table, or one of its columns; places in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// A table.
    Table(usize),
    /// A table and its column.
    Column(usize, usize),
}

impl Row {
    /// Returns the place of its table.
    pub fn table(self) -> usize {
        match self {
            Row::Table(table) | Row::Column(table, _) => table,
        }
    }
}

/// The words of a name and of its comment, as places in the list of different texts.
type Words = (usize, Option<usize>);

/// The texts of a catalog, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Names {
    texts: Vec<String>,
    tables: Vec<(Words, Vec<Words>)>,
}

impl Names {
    /// Reads a catalog.
    pub fn of(catalog: &Catalog) -> Names {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut place = |text| {
            *known.entry(text).or_insert_with(|| {
                texts.push(str::to_owned(text));
                texts.len() - 1
            })
        };
        let mut tables = Vec::with_capacity(catalog.tables.len());
        for table in &catalog.tables {
            let own = (place(&table.name), table.comment.as_deref().map(&mut place));
            let mut columns = Vec::with_capacity(table.columns.len());
            for column in &table.columns {
                columns.push((place(&column.name), column.comment.as_deref().map(&mut place)));
            }
            tables.push((own, columns));
        }
        Names { texts, tables }
    }

    /// Lists the rows that a filter leaves: tables by how well they fit, each with the columns that
    /// fit. Every word must fit a table or a column; `booking.price` is two words.
    pub fn find(&self, filter: &str) -> Vec<Row> {
        let words: Vec<Vec<u32>> = words(filter).map(|word| self.score(word)).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let mut found: BTreeMap<(u32, usize), Vec<Row>> = BTreeMap::new();
        for (n, (own, columns)) in self.tables.iter().enumerate() {
            let table: Vec<u32> = words.iter().map(|word| best(word, *own)).collect();
            let mut rows = vec![Row::Table(n)];
            let whole = sum(table.iter().copied());
            // a name that fits is worth more than a column of such a name
            let mut highest = whole.map_or(0, |score| score + 8);
            for (m, column) in columns.iter().enumerate() {
                let here: Vec<u32> = words.iter().map(|word| best(word, *column)).collect();
                if here.iter().all(|score| *score == 0) {
                    continue;
                }
                if let Some(score) = sum(here.iter().zip(&table).map(|(a, b)| *a.max(b))) {
                    rows.push(Row::Column(n, m));
                    highest = highest.max(score);
                }
            }
            if highest > 0 {
                found.insert((u32::MAX - highest, n), rows);
            }
        }
        found.into_values().flatten().collect()
    }

    /// Scores each different text; 0 where the word doesn't fit.
    fn score(&self, word: &str) -> Vec<u32> {
        let pattern = Pattern::parse(word, CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut letters = Vec::new();
        let score = |text: &String| {
            let text = Utf32Str::new(text, &mut letters);
            pattern.score(text, &mut matcher).map_or(0, |score| score.max(1))
        };
        self.texts.iter().map(score).collect()
    }
}

fn words(filter: &str) -> impl Iterator<Item = &str> {
    filter.split(|c: char| c.is_whitespace() || c == '.').filter(|word| !word.is_empty())
}

/// The better of name and comment; a comment counts half.
fn best(scores: &[u32], words: Words) -> u32 {
    let name = scores.get(words.0).copied().unwrap_or(0);
    let comment = words.1.and_then(|at| scores.get(at)).copied().unwrap_or(0);
    name.max(comment.div_ceil(2))
}

/// Adds scores up; none when a word fits nowhere.
fn sum(mut scores: impl Iterator<Item = u32>) -> Option<u32> {
    scores.try_fold(0u32, |sum, score| (score > 0).then(|| sum.saturating_add(score)))
}

/// Finds the letters of a text that a filter's words fit, in characters, for marking them.
pub fn letters(text: &str, filter: &str) -> Vec<u32> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut found = Vec::new();
    for word in words(filter) {
        let pattern = Pattern::parse(word, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut places = Vec::new();
        if pattern.indices(Utf32Str::new(text, &mut buffer), &mut matcher, &mut places).is_some() {
            found.extend(places);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Table;

    fn catalog() -> Catalog {
        let mut tables = vec![
            Table::bare("members", &["id", "name", "joined_on"]),
            Table::bare("bookings", &["id", "room_id", "price_cents"]),
            Table::bare("rooms", &["id", "name", "capacity"]),
        ];
        tables[2].comment = Some("places that can be booked".to_owned());
        Catalog { tables, ..Catalog::default() }
    }

    fn found(filter: &str) -> Vec<Row> {
        Names::of(&catalog()).find(filter)
    }

    #[test]
    fn a_table_comes_before_tables_that_only_have_such_a_column() {
        let rows = found("room");
        assert_eq!(rows, [Row::Table(2), Row::Table(1), Row::Column(1, 1)]);
    }

    #[test]
    fn a_column_is_found_with_its_table_before_it() {
        assert_eq!(found("boo.pri"), [Row::Table(1), Row::Column(1, 2)]);
        assert_eq!(found("mem name"), [Row::Table(0), Row::Column(0, 1)]);
    }

    #[test]
    fn comments_are_searched_and_what_fits_nothing_finds_nothing() {
        assert_eq!(found("places"), [Row::Table(2)]);
        assert!(found("zzz").is_empty());
        assert!(found("  ").is_empty());
    }

    #[test]
    fn the_letters_that_fit_are_known() {
        assert_eq!(letters("price_cents", "pri"), [0, 1, 2]);
        assert!(letters("rooms", "xyz").is_empty());
    }
}
