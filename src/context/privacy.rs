//! What may leave this machine: which columns are withheld, by the deny list or by their look.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::domain::{Catalog, Column, ColumnRef, Knowledge, Table};
use crate::search::names::holds_word;

use super::secrets::{looks_secret, may_be_secret};
use super::views::{self, Why};

/// Most values of a list that may leave at level `stats` (P3).
pub(super) const LIST_LIMIT: usize = 20;

/// Knows which columns are withheld from what is told.
#[derive(Debug, Default)]
pub struct Withheld {
    denied: BTreeSet<(String, String)>,
    keys: BTreeSet<(String, String)>,
    /// Columns of views that show a withheld column, and columns computed from one.
    shown_secrets: BTreeSet<(String, String)>,
    /// Switched off by hand; keys too.
    switched_off: BTreeSet<(String, String)>,
    /// Names of hidden columns that no other table or column has: wherever such a word stands, it
    /// means the column.
    only_theirs: BTreeSet<String>,
}

fn lower(table: &str, column: &str) -> (String, String) {
    (table.to_lowercase(), column.to_lowercase())
}

impl Withheld {
    /// Reads the deny list; key columns on it keep their name, as joins can't be written without.
    pub fn of(knowledge: &Knowledge, catalog: &Catalog) -> Self {
        let denied: BTreeSet<_> =
            knowledge.deny.iter().map(|at| lower(&at.table, &at.column)).collect();
        let mut keys = BTreeSet::new();
        for (table, column) in &denied {
            let at = ColumnRef::new(table, column);
            let joined = catalog.keys_of(table).any(|key| {
                let pairs = key.from_columns.iter().map(|c| (&key.from_table, c));
                pairs
                    .chain(key.to_columns.iter().map(|c| (&key.to_table, c)))
                    .any(|(t, c)| lower(t, c) == (table.clone(), column.clone()))
            });
            if joined || catalog.column(&at).is_some_and(|c| c.primary) {
                keys.insert((table.clone(), column.clone()));
            }
        }
        let mut withheld = Withheld { denied, keys, ..Withheld::default() };
        withheld.look_into_computed(catalog);
        withheld.look_into_views(catalog);
        Withheld { only_theirs: withheld.only_theirs(catalog), ..withheld }
    }

    /// Withholds also the columns of views that show what is withheld.
    fn look_into_views(&mut self, catalog: &Catalog) {
        let denied_names: BTreeSet<&str> =
            self.denied.iter().map(|(_, column)| column.as_str()).collect();
        let shown_names: BTreeSet<&str> =
            self.shown_secrets.iter().map(|(_, column)| column.as_str()).collect();
        let suspicious = |word: &str| {
            let lower = word.to_lowercase();
            denied_names.contains(lower.as_str())
                || shown_names.contains(lower.as_str())
                || may_be_secret(word)
        };
        let why = |at: &ColumnRef| {
            if self.denied.contains(&lower(&at.table, &at.column)) {
                return Some(Why::Denied);
            }
            self.hides_data(at).then_some(Why::Secret)
        };
        let holding = OnceCell::new();
        let holds = |word: &str| {
            let tables = holding.get_or_init(|| self.tables_with_hidden(catalog));
            tables.contains(&word.to_lowercase())
        };
        for (at, why) in views::showing(catalog, suspicious, holds, why) {
            let at = lower(&at.table, &at.column);
            match why {
                Why::Denied => self.denied.insert(at),
                Why::Secret => self.shown_secrets.insert(at),
            };
        }
    }

    /// Lists the tables, in lower case, of which a column is withheld.
    fn tables_with_hidden(&self, catalog: &Catalog) -> BTreeSet<String> {
        let hides = |table: &&Table| {
            let mut columns = table.columns.iter();
            columns.any(|column| self.hides_data(&ColumnRef::new(&table.name, &column.name)))
        };
        catalog.tables.iter().filter(hides).map(|table| table.name.to_lowercase()).collect()
    }

    /// Withholds also the data of columns that are computed from a withheld one; of an expression
    /// that is unknown nobody can tell.
    fn look_into_computed(&mut self, catalog: &Catalog) {
        let computes = |table: &&Table| table.columns.iter().any(|c| c.generated.is_some());
        for table in catalog.tables.iter().filter(computes) {
            let hides = |seen: &Self, column: &Column| {
                seen.hides_data(&ColumnRef::new(&table.name, &column.name))
            };
            // one may be computed from another: as many rounds as there are columns are enough
            for _ in &table.columns {
                let hidden: Vec<&Column> =
                    table.columns.iter().filter(|column| hides(self, column)).collect();
                let shows = |column: &&Column| {
                    let told = !hidden.iter().any(|known| known.name == column.name);
                    let from = |expression: &String| {
                        let mut hidden = hidden.iter();
                        hidden.any(|c| expression.is_empty() || holds_word(expression, &c.name))
                    };
                    told && column.generated.as_ref().is_some_and(from)
                };
                let found: Vec<&Column> = table.columns.iter().filter(shows).collect();
                if found.is_empty() {
                    break;
                }
                self.shown_secrets.extend(found.iter().map(|c| lower(&table.name, &c.name)));
            }
        }
    }

    /// Withholds also what a person switched off.
    pub(super) fn and(mut self, columns: &BTreeSet<ColumnRef>, catalog: &Catalog) -> Self {
        self.switched_off = columns.iter().map(|at| lower(&at.table, &at.column)).collect();
        self.only_theirs = self.only_theirs(catalog);
        self
    }

    /// Lists the names of hidden columns that nothing else in the catalog is called.
    fn only_theirs(&self, catalog: &Catalog) -> BTreeSet<String> {
        let hidden = self.denied.difference(&self.keys).chain(&self.switched_off);
        let mut names: BTreeSet<String> = hidden.map(|(_, column)| column.clone()).collect();
        if names.is_empty() {
            return names;
        }
        for table in &catalog.tables {
            names.remove(&table.name.to_lowercase());
            for column in table.columns.iter().filter(|c| !self.hides_name(&table.name, &c.name)) {
                names.remove(&column.name.to_lowercase());
            }
        }
        names
    }

    /// Tells whether nothing has a name that may not leave.
    fn hides_nothing(&self) -> bool {
        self.denied.is_empty() && self.switched_off.is_empty()
    }

    /// Tells whether a person switched a column off.
    pub(super) fn is_off(&self, table: &str, column: &str) -> bool {
        !self.switched_off.is_empty() && self.switched_off.contains(&lower(table, column))
    }

    /// Tells whether not even the name of a column may leave.
    pub(super) fn hides_name(&self, table: &str, column: &str) -> bool {
        if self.is_off(table, column) {
            return true;
        }
        if self.denied.is_empty() {
            return false;
        }
        let at = lower(table, column);
        self.denied.contains(&at) && !self.keys.contains(&at)
    }

    /// Tells whether nothing stored in a column may leave.
    pub fn hides_data(&self, at: &ColumnRef) -> bool {
        let denied = !self.denied.is_empty() && self.denied.contains(&lower(&at.table, &at.column));
        denied
            || self.is_off(&at.table, &at.column)
            || looks_secret(at)
            || self.shows_secret(&at.table, &at.column)
    }

    fn shows_secret(&self, table: &str, column: &str) -> bool {
        !self.shown_secrets.is_empty() && self.shown_secrets.contains(&lower(table, column))
    }

    /// Tells whether texts with these words, in lower case, name a column whose data is withheld,
    /// and its table. `named` are the tables among the words.
    pub(super) fn touched_by<'t>(
        &self,
        words: &BTreeSet<String>,
        mut named: impl Iterator<Item = &'t Table>,
    ) -> bool {
        let listed = self.denied.iter().chain(&self.shown_secrets).chain(&self.switched_off);
        let both =
            |(table, column): &(String, String)| words.contains(table) && words.contains(column);
        listed.into_iter().any(both)
            || named.any(|table| {
                table.columns.iter().any(|column| {
                    words.contains(&column.name.to_lowercase())
                        && looks_secret(&ColumnRef::new(&table.name, &column.name))
                })
            })
    }

    /// Lists all columns of a catalog of which nothing stored may leave.
    pub fn columns(&self, catalog: &Catalog) -> Vec<ColumnRef> {
        let all = catalog.tables.iter().flat_map(|table| {
            table.columns.iter().map(|column| ColumnRef::new(&table.name, &column.name))
        });
        all.filter(|at| self.hides_data(at)).collect()
    }

    /// Tells whether a text names a column whose name may not leave.
    pub(super) fn names_hidden(&self, text: &str) -> bool {
        !self.hides_nothing() && self.hidden_in(text).next().is_some()
    }

    /// Replaces names that may not leave, unless `known` holds them.
    pub(super) fn without_names(&self, text: &str, known: &str) -> String {
        if self.hides_nothing() {
            return text.to_owned();
        }
        let mut told = String::with_capacity(text.len());
        let mut from = 0;
        for (start, name) in self.hidden_in(text) {
            if holds_word(known, name) {
                continue;
            }
            told.push_str(text.get(from..start).unwrap_or_default());
            told.push('…');
            from = start + name.len();
        }
        told + text.get(from..).unwrap_or_default()
    }

    /// Finds the words of a text that name a hidden column: alone, or behind their table's name.
    fn hidden_in<'t>(&self, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let mut table = "";
        identifiers(text).filter(move |(start, word)| {
            let of_table =
                text.get(..*start).is_some_and(|before| before.ends_with(['.', '"', '`']));
            let qualified = of_table && self.hides_name(table, word);
            table = word;
            qualified || self.only_theirs.contains(&word.to_lowercase())
        })
    }
}

/// Splits a text into words as names are written: letters, digits and `_`.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut from = 0;
    text.split(move |c| !is_part(c)).filter_map(move |word| {
        let start = from;
        from += word.len();
        // the sign that ended the word
        from += text.get(from..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denied_name_is_found_alone_or_behind_its_table() {
        let column =
            |name: &str| crate::domain::Column { name: name.to_owned(), ..Default::default() };
        let table = |name: &str, columns: &[&str]| crate::domain::Table {
            name: name.to_owned(),
            columns: columns.iter().map(|name| column(name)).collect(),
            ..Default::default()
        };
        let tables = vec![table("staff", &["id", "salary", "name"]), table("rooms", &["name"])];
        let catalog = Catalog { tables, ..Catalog::default() };
        let deny = vec![ColumnRef::new("staff", "salary"), ColumnRef::new("staff", "name")];
        let withheld = Withheld::of(&Knowledge { deny, ..Knowledge::default() }, &catalog);
        let told = |text: &str| withheld.without_names(text, "");
        assert_eq!(told("SUM(Salary) AS salary_sum"), "SUM(…) AS salary_sum");
        assert_eq!(told("staff.name, rooms.name, name"), "staff.…, rooms.name, name");
        assert_eq!(withheld.without_names("salary", "by salary?"), "salary");
        assert!(withheld.names_hidden("staff.\"name\"") && !withheld.names_hidden("name of staff"));
    }

    #[test]
    fn what_is_computed_from_a_withheld_column_is_withheld_too() {
        let columns = ["id", "the body", "pin", "shout", "twice", "size", "masked", "odd"];
        let mut notes = Table::bare("notes", &columns);
        let computed = [
            ("shout", "upper(\"the body\")"),
            ("twice", "shout || shout"),
            ("size", "id + 1"),
            ("masked", "'**' || substr(pin, 3)"),
            ("odd", ""),
        ];
        for column in &mut notes.columns {
            let known = computed.iter().find(|(name, _)| *name == column.name);
            column.generated = known.map(|(_, expression)| (*expression).to_owned());
        }
        let view = Table {
            kind: crate::domain::schema::TableKind::View,
            ddl: Some("CREATE VIEW seen AS SELECT id, shout AS loud FROM notes".to_owned()),
            ..Table::bare("seen", &["id", "loud"])
        };
        let over = Table {
            kind: crate::domain::schema::TableKind::View,
            ddl: Some("CREATE VIEW again AS SELECT loud AS l FROM seen".to_owned()),
            ..Table::bare("again", &["l"])
        };
        let catalog = Catalog { tables: vec![notes, view, over], ..Catalog::default() };
        let hidden = |deny: &[&str]| {
            let deny = deny.iter().map(|column| ColumnRef::new("notes", *column)).collect();
            let withheld = Withheld::of(&Knowledge { deny, ..Knowledge::default() }, &catalog);
            let columns = withheld.columns(&catalog).into_iter().map(|at| at.column);
            columns.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(hidden(&["the body"]), "the body, pin, shout, twice, masked, odd, loud, l");
        assert_eq!(hidden(&[]), "pin, masked, odd");
    }
}
