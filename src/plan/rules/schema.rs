//! What the rules ask of a schema: naming columns, keys, numeric columns, neighbours.

use crate::domain::{Catalog, Column, ColumnKind, ColumnRef, Facts, ForeignKey, Table, Value};
use crate::search::names::{Vocabulary, cut};
use crate::search::tokens::stem;

use super::cues::Quality;

/// A catalog with the questions that rules ask of it.
pub(super) struct Schema<'a> {
    pub(super) facts: &'a Facts,
    pub(super) catalog: &'a Catalog,
    /// Columns named in the question: they choose between several keys.
    pub(super) named: Vec<ColumnRef>,
    vocabulary: Vocabulary,
}

impl<'a> Schema<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        let tables = facts.catalog.tables.iter().map(|t| t.name.as_str());
        let vocabulary = Vocabulary::of(tables);
        Schema { facts, catalog: &facts.catalog, named: Vec::new(), vocabulary }
    }

    pub(super) fn table(&self, name: &str) -> Option<&'a Table> {
        self.catalog.table(name)
    }

    pub(super) fn column(&self, at: &ColumnRef) -> Option<&'a Column> {
        self.catalog.column(at)
    }

    /// Tells whether a column takes part in a key, or is called like one.
    pub(super) fn is_key(&self, at: &ColumnRef) -> bool {
        let primary = self.table(&at.table).is_some_and(|t| is_in(&t.primary_key, &at.column));
        let foreign = self.catalog.keys.iter().any(|key| {
            key.from_table.eq_ignore_ascii_case(&at.table) && is_in(&key.from_columns, &at.column)
        });
        primary || foreign || words(&at.column).last().is_some_and(|w| w == "id" || w == "code")
    }

    /// Tells whether a column holds at most one row for each value.
    pub(super) fn is_unique(&self, at: &ColumnRef) -> bool {
        let declared = self.table(&at.table).is_some_and(|t| t.is_unique(&[&at.column]));
        declared || self.column(at).is_some_and(|c| c.unique)
    }

    /// Tells whether sums and comparisons by size make sense.
    pub(super) fn is_number(&self, at: &ColumnRef) -> bool {
        self.column(at).is_some_and(|c| c.kind.is_number()) && !self.is_key(at)
            || self.is_number_text(at)
    }

    /// Tells whether a text column holds nothing but numbers.
    pub(super) fn is_number_text(&self, at: &ColumnRef) -> bool {
        let text = self
            .column(at)
            .is_some_and(|c| matches!(c.kind, ColumnKind::Text | ColumnKind::Unknown));
        text && !self.is_key(at)
            && self.list(at).is_some_and(|values| {
                let mut filled = values.iter().filter(|v| !v.is_empty()).peekable();
                filled.peek().is_some() && filled.all(|v| v.parse::<f64>().is_ok())
            })
    }

    /// Tells whether the values of a column have sizes: numbers and moments, not words.
    pub(super) fn has_sizes(&self, at: &ColumnRef) -> bool {
        let kind = self.column(at).map(|c| c.kind);
        let sized = kind.is_some_and(|kind| kind.is_number() || kind == ColumnKind::Date);
        sized || self.is_number_text(at) || super::periods::is_dated(self, at)
    }

    /// The stored values of a column, where they are known.
    pub(super) fn list(&self, at: &ColumnRef) -> Option<&'a [String]> {
        Some(&self.facts.values_of(at)?.values)
    }

    /// How a column of two values says yes and no.
    pub(super) fn yes_and_no(&self, at: &ColumnRef) -> Option<(Value, Value)> {
        if self.column(at)?.kind == ColumnKind::Boolean
            || self.column(at)?.kind == ColumnKind::Integer
        {
            return Some((Value::Integer(1), Value::Integer(0)));
        }
        let list = self.list(at)?;
        let find = |words: &[&str]| {
            list.iter()
                .find(|v| words.contains(&v.to_lowercase().as_str()))
                .cloned()
                .map(Value::Text)
        };
        let yes = find(&["t", "true", "y", "yes", "1"])?;
        let no = find(&["f", "false", "n", "no", "0"])?;
        Some((yes, no))
    }

    /// The primary key's columns.
    pub(super) fn key(&self, table: &str) -> Vec<ColumnRef> {
        let Some(table) = self.table(table) else { return Vec::new() };
        table.primary_key.iter().map(|c| ColumnRef::new(&table.name, c)).collect()
    }

    /// The columns that people know a row of the table by: its name, title, first and last name.
    pub(super) fn naming(&self, table: &str) -> Vec<ColumnRef> {
        let Some(table) = self.table(table) else { return Vec::new() };
        let own = words(&table.name);
        let at = |column: &Column| ColumnRef::new(&table.name, &column.name);
        let bare = |column: &Column| -> Vec<String> {
            let words = words(&column.name);
            match words.strip_prefix(own.as_slice()) {
                Some(rest) if !rest.is_empty() => rest.to_vec(),
                _ => words,
            }
        };
        let called = |wanted: &[&str]| table.columns.iter().find(|c| bare(c) == wanted).map(at);
        for wanted in [&["name"][..], &["titl"], &["full", "name"]] {
            if let Some(column) = called(wanted) {
                return vec![column];
            }
        }
        let first = called(&["first", "name"]).or_else(|| called(&["fname"]));
        let last = called(&["last", "name"]).or_else(|| called(&["lname"]));
        if let (Some(first), Some(last)) = (first, last) {
            return vec![first, last];
        }
        if let Some(column) = table.columns.iter().find(|c| words(&c.name) == own) {
            return vec![at(column)];
        }
        let names: Vec<&Column> = table
            .columns
            .iter()
            .filter(|c| {
                let words = words(&c.name);
                let head =
                    words.last().is_some_and(|w| w == "name" || w == "titl" || is_glued_name(w));
                head && !self.is_foreign(&at(c))
            })
            .collect();
        match names.as_slice() {
            [one] => vec![at(one)],
            _ => Vec::new(),
        }
    }

    /// Stems of a column's words, glued and short forms cut.
    pub(super) fn own_words(&self, at: &ColumnRef) -> Vec<String> {
        self.vocabulary.column(&at.column, &at.table).iter().map(|word| stem(word)).collect()
    }

    /// Tells whether a column is a key to a table.
    pub(super) fn points_to(&self, at: &ColumnRef, table: &str) -> bool {
        self.catalog.keys.iter().any(|key| {
            key.from_table.eq_ignore_ascii_case(&at.table)
                && is_in(&key.from_columns, &at.column)
                && key.to_table.eq_ignore_ascii_case(table)
        })
    }

    fn is_foreign(&self, at: &ColumnRef) -> bool {
        self.catalog.keys.iter().any(|key| {
            key.from_table.eq_ignore_ascii_case(&at.table) && is_in(&key.from_columns, &at.column)
        })
    }

    /// The one column of a table that measures a quality.
    pub(super) fn measuring(&self, table: &str, quality: Quality) -> Option<(ColumnRef, bool)> {
        let table = self.table(table)?;
        for wanted in quality.words() {
            let mut found = table.columns.iter().filter(|c| {
                let at = ColumnRef::new(&table.name, &c.name);
                let words = words(&c.name);
                let sized =
                    c.kind.is_number() || c.kind == ColumnKind::Date || self.is_number_text(&at);
                let timed = quality == Quality::Time;
                words.iter().any(|w| w == wanted) && (sized || timed) && !self.is_foreign(&at)
            });
            if let (Some(one), None) = (found.next(), found.next()) {
                return Some((ColumnRef::new(&table.name, &one.name), false));
            }
        }
        if quality == Quality::Age {
            // Who was born earlier is older.
            let born = table.columns.iter().find(|c| {
                words(&c.name).iter().any(|w| w.starts_with("birth") || w == "born" || w == "dob")
            });
            return born.map(|c| (ColumnRef::new(&table.name, &c.name), true));
        }
        None
    }

    /// The column that says where a row of the table is.
    pub(super) fn place(&self, table: &str) -> Option<ColumnRef> {
        let table = self.table(table)?;
        ["locat", "venu", "address", "place", "citi"].iter().find_map(|wanted| {
            let mut found = table.columns.iter().filter(|c| {
                let at = ColumnRef::new(&table.name, &c.name);
                self.own_words(&at).iter().any(|w| w == wanted) && !self.is_key(&at)
            });
            match (found.next(), found.next()) {
                (Some(one), None) => Some(ColumnRef::new(&table.name, &one.name)),
                _ => None,
            }
        })
    }

    /// Keys between two tables, either way.
    pub(super) fn keys_between(&self, a: &str, b: &str) -> Vec<&'a ForeignKey> {
        let joins = |key: &&ForeignKey| {
            key.from_table.eq_ignore_ascii_case(a) && key.to_table.eq_ignore_ascii_case(b)
                || key.from_table.eq_ignore_ascii_case(b) && key.to_table.eq_ignore_ascii_case(a)
        };
        self.catalog.keys.iter().filter(joins).collect()
    }
}

/// Stems of a name's words.
pub(super) fn words(name: &str) -> Vec<String> {
    cut(name).iter().map(|word| stem(word)).collect()
}

fn is_glued_name(word: &str) -> bool {
    word.len() > 4 && word.ends_with("name")
}

fn is_in(columns: &[String], column: &str) -> bool {
    columns.iter().any(|c| c.eq_ignore_ascii_case(column))
}

/// Tells whether two references mean the same column.
pub(super) fn same(a: &ColumnRef, b: &ColumnRef) -> bool {
    a.table.eq_ignore_ascii_case(&b.table) && a.column.eq_ignore_ascii_case(&b.column)
}
