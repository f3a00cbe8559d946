//! Reads the words of a catalog's names and of what people wrote, and takes changes in.

use crate::domain::{Catalog, ColumnRef, Knowledge, Table};

use super::super::english::is_filler;
use super::super::names::Vocabulary;
use super::super::tokens::{TokenKind, stem, tokenise};
use super::likeness::Likeness;
use super::{Posting, Relevance, Word};

/// Strength of a word of a table's name, of a column's name, and of what people wrote of either.
const TABLE_NAME: f32 = 1.0;
pub(super) const COLUMN_NAME: f32 = 0.75;
const TOLD_OF_IT: f32 = 0.5;
/// Part of a name's strength that each of its words has; the rest is shared among them.
pub(super) const EACH_WORD: f32 = 0.4;

impl Relevance {
    /// Reads the names, comments and keys of a catalog, and what people wrote of them.
    pub(in super::super) fn new(
        catalog: &Catalog,
        knowledge: &Knowledge,
        vocabulary: &Vocabulary,
    ) -> Self {
        let mut made = Relevance::default();
        for (n, table) in catalog.tables.iter().enumerate() {
            let Ok(at) = u32::try_from(n) else { break };
            made.places.insert(table.name.to_lowercase(), at);
            let columns = made.add_table(at, table, vocabulary);
            made.tables.push((table.name.clone(), columns));
        }
        made.add_keys(catalog);
        made.add_knowledge(knowledge);
        made.likeness =
            Likeness::of(made.words.iter().map(|word| (word.stem.as_str(), word.whole.as_str())));
        made
    }

    /// Reads the names of a table and returns those of its columns.
    fn add_table(&mut self, at: u32, table: &Table, vocabulary: &Vocabulary) -> Vec<String> {
        self.add_name(at, None, &vocabulary.table(&table.name), TABLE_NAME);
        self.add_prose(at, None, table.comment.as_deref());
        for (c, column) in table.columns.iter().enumerate() {
            let place = u32::try_from(c).ok();
            self.add_name(at, place, &vocabulary.column(&column.name, &table.name), COLUMN_NAME);
            self.add_prose(at, place, column.comment.as_deref());
        }
        table.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Reads the names of some tables again, by place; no table came, went or moved.
    pub(in super::super) fn renew(
        &mut self,
        catalog: &Catalog,
        changed: &[usize],
        knowledge: &Knowledge,
        vocabulary: &Vocabulary,
    ) {
        let is_changed = |posting: &Posting| changed.contains(&(posting.table as usize));
        for word in &mut self.words {
            word.postings.retain(|posting| !is_changed(posting));
        }
        for n in changed {
            let (Some(table), Ok(at)) = (catalog.tables.get(*n), u32::try_from(*n)) else {
                continue;
            };
            let columns = self.add_table(at, table, vocabulary);
            if let Some(slot) = self.tables.get_mut(*n) {
                *slot = (table.name.clone(), columns);
            }
        }
        self.foreign.clear();
        self.add_keys(catalog);
        // what people wrote is put where it already stands, or back where it was taken away
        self.add_knowledge(knowledge);
        self.likeness =
            Likeness::of(self.words.iter().map(|word| (word.stem.as_str(), word.whole.as_str())));
    }

    fn post(&mut self, whole: &str, stem: &str, posting: Posting) {
        let next = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let id = if let Some(id) = self.ids.get(stem) {
            *id
        } else {
            self.ids.insert(stem.to_owned(), next);
            let (stem, whole) = (stem.to_owned(), whole.to_owned());
            self.words.push(Word { stem, whole, postings: Vec::new() });
            next
        };
        let Some(word) = self.words.get_mut(id as usize) else { return };
        let same = |p: &&mut Posting| p.table == posting.table && p.column == posting.column;
        match word.postings.iter_mut().rev().take(8).find(same) {
            Some(known) => known.strength = known.strength.max(posting.strength),
            None => word.postings.push(posting),
        }
    }

    fn add_name(&mut self, table: u32, column: Option<u32>, words: &[String], whole: f32) {
        #[expect(clippy::cast_precision_loss, reason = "names have few words")]
        let share = 1.0 / words.len().max(1) as f32;
        let strength = whole * (EACH_WORD + (1.0 - EACH_WORD) * share);
        for word in words {
            self.post(word, &stem(word), Posting { table, column, strength });
        }
    }

    fn add_prose(&mut self, table: u32, column: Option<u32>, text: Option<&str>) {
        for token in text.map(tokenise).unwrap_or_default() {
            if token.kind == TokenKind::Word && !is_filler(&token.lower) {
                self.post(
                    &token.lower,
                    &token.stem,
                    Posting { table, column, strength: TOLD_OF_IT },
                );
            }
        }
    }

    fn add_keys(&mut self, catalog: &Catalog) {
        self.around = vec![Vec::new(); self.tables.len()];
        for key in &catalog.keys {
            let (Some(from), Some(to)) = (self.place(&key.from_table), self.place(&key.to_table))
            else {
                continue;
            };
            let columns = key.from_columns.iter().filter(|_| from != to);
            for column in columns.map(|column| ColumnRef::new(&key.from_table, column)) {
                self.foreign.extend(self.column(&column));
            }
            for (one, other) in [(from, to), (to, from)] {
                if let Some(around) = self.around.get_mut(one as usize)
                    && one != other
                    && !around.contains(&other)
                {
                    around.push(other);
                }
            }
        }
    }

    fn add_knowledge(&mut self, knowledge: &Knowledge) {
        for (table, meaning) in &knowledge.tables {
            if let Some(at) = self.place(table) {
                self.add_prose(at, None, Some(meaning));
            }
        }
        for meaning in &knowledge.columns {
            if let Some((at, column)) = self.column(&meaning.at) {
                self.add_prose(at, Some(column), Some(&meaning.text));
                for (_, words) in &meaning.values {
                    self.add_prose(at, Some(column), Some(words));
                }
            }
        }
        for (words, name) in &knowledge.synonyms {
            let place = match name.rsplit_once('.') {
                Some((table, column)) => {
                    self.column(&ColumnRef::new(table, column)).map(|(t, c)| (t, Some(c)))
                }
                None => self.place(name).map(|at| (at, None)),
            };
            let words: Vec<String> = tokenise(words).into_iter().map(|t| t.lower).collect();
            if let Some((table, column)) = place {
                self.add_name(table, column, &words, TABLE_NAME);
            }
        }
    }
}
