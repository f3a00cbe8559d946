//! A word index over the names of a catalog and its stored values, built once, asked often.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::links::Related;
use crate::domain::{Catalog, ColumnRef, Knowledge, Link, LinkTarget, Match, ValueList};

use super::dates::keeps_calendar;
use super::english::is_filler;
use super::fit::{bag, is_cut_plainly, part_score, turn};
use super::hits::{Hit, MOST_HITS, best, leave_out_slips, merge, merge_as, rank};
use super::names::Vocabulary;
use super::relevance::Relevance;
use super::renew::LookedUpValues;
use super::synonyms::SYNONYMS;
use super::tokens::{Token, phrase_stems, stems};
use super::typo;
use super::values::Values;

/// A thing with a name.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) target: LinkTarget,
    /// Stems of its own words.
    pub(super) words: Vec<String>,
    /// Place in the catalog, table and column; equally good hits come in this order.
    pub(super) place: (usize, usize),
    /// It is in the catalog no more.
    pub(super) gone: bool,
}

/// The index. Maps are only asked by key, never listed, so their order reaches no output.
#[derive(Debug, Default, Clone)]
pub struct Index {
    pub(super) named: Vec<Named>,
    /// Place of what is added next.
    pub(super) place: (usize, usize),
    /// Words of the tables' names.
    pub(super) tables: Vocabulary,
    /// Stems joined by spaces → things so called, with the way and the score.
    phrases: HashMap<String, Vec<(usize, Match, f32)>>,
    /// Stem → things that have it in their name.
    pub(super) holders: HashMap<String, Vec<usize>>,
    /// Words of names, in lower case, for typos; sorted.
    pub(super) vocabulary: Vec<(String, String)>,
    /// Stems joined by spaces → phrases that mean the same.
    synonyms: HashMap<String, Vec<String>>,
    /// Stored values by their words and by how they are written.
    pub(super) values: Arc<Values>,
    /// Values that were looked up one by one.
    pub(super) looked_up: LookedUpValues,
    pub(super) relevance: Arc<Relevance>,
}

/// Score of a column called by its table's name and its own.
const ALIAS: f32 = 0.99;
/// Words at most in a phrase that names something.
pub const LONGEST_NAME: usize = 6;
/// Words at most in a phrase that is a stored value.
pub const LONGEST_VALUE: usize = 10;

impl Index {
    /// Builds the index.
    pub fn new(catalog: &Catalog, values: &[ValueList], knowledge: &Knowledge) -> Self {
        let mut index = Index::default();
        let vocabulary = Vocabulary::of(catalog.tables.iter().map(|t| t.name.as_str()));
        for (n, table) in catalog.tables.iter().enumerate() {
            let table_words = stems(&vocabulary.table(&table.name));
            index.place = (n, 0);
            index.add_table(&table.name, &table_words);
            for (c, column) in table.columns.iter().enumerate() {
                let words = stems(&vocabulary.column(&column.name, &table.name));
                index.place = (n, c + 1);
                index.add_column(&ColumnRef::new(&table.name, &column.name), &words, &table_words);
            }
        }
        index.tables = vocabulary;
        index.place = (usize::MAX, 0);
        index.add_knowledge(catalog, knowledge);
        index.add_synonyms();
        index.vocabulary.sort();
        index.vocabulary.dedup();
        index.relevance = Arc::new(Relevance::new(catalog, knowledge, &index.tables));
        index.values = Arc::new(Values::new(values));
        index
    }

    fn add(&mut self, target: LinkTarget, words: &[String]) -> usize {
        let id = self.named.len();
        let place = self.place;
        self.named.push(Named { target, words: words.to_vec(), place, gone: false });
        for (n, word) in words.iter().enumerate() {
            if !words.iter().take(n).any(|w| w == word) {
                let holders = self.holders.entry(word.clone()).or_default();
                Index::placed(&self.named, holders, id, |id| *id);
            }
        }
        id
    }

    pub(super) fn call(&mut self, id: usize, words: &[String], how: Match, score: f32) {
        if words.is_empty() {
            return;
        }
        let list = self.phrases.entry(words.join(" ")).or_default();
        if !list.iter().any(|(known, ..)| *known == id) {
            Index::placed(&self.named, list, (id, how, score), |(id, ..)| *id);
        }
    }

    /// A name typed whole is that name, however it is cut into words: `co2`, `HourlyRate`.
    fn call_as_written(&mut self, id: usize, name: &str, words: &[String]) {
        if is_cut_plainly(name, words) {
            return;
        }
        let written = phrase_stems(name);
        let long = name.len() >= 3 || name.contains(|c: char| c.is_ascii_digit());
        let filler = written.iter().all(|word| is_filler(word)) || is_filler(&name.to_lowercase());
        if long && !filler && written != words {
            self.call(id, &written, Match::Exact, 1.0);
        }
    }

    fn learn(&mut self, words: &[String]) {
        for word in words {
            if word.len() >= 4 {
                self.vocabulary.push((word.clone(), word.clone()));
            }
        }
    }

    fn add_table(&mut self, name: &str, words: &[String]) {
        let id = self.add(LinkTarget::Table(name.to_owned()), words);
        self.learn(words);
        self.call(id, words, Match::Exact, 1.0);
        self.call_as_written(id, name, words);
    }

    pub(super) fn add_column(&mut self, at: &ColumnRef, words: &[String], table: &[String]) {
        let id = self.add(LinkTarget::Column(at.clone()), words);
        self.learn(words);
        self.call(id, words, Match::Exact, 1.0);
        self.call_as_written(id, &at.column, words);
        let same_words = self.phrases.entry(bag(words)).or_default();
        Index::placed(&self.named, same_words, (id, Match::Part, 1.0), |(id, ..)| *id);
        if words.len() > table.len() && words.starts_with(table) {
            let own = words.get(table.len()..).unwrap_or_default().to_vec();
            self.call(id, &own, Match::Part, 0.97);
        } else if !words.starts_with(table) {
            let mut with_table = table.to_vec();
            with_table.extend_from_slice(words);
            self.call(id, &with_table, Match::Exact, ALIAS);
        }
    }

    fn add_knowledge(&mut self, catalog: &Catalog, knowledge: &Knowledge) {
        for metric in &knowledge.metrics {
            let words = stems(&super::names::cut(&metric.name));
            let id = self.add(LinkTarget::Metric(metric.name.clone()), &words);
            self.call(id, &words, Match::Exact, 1.0);
            for synonym in &metric.synonyms {
                self.call(id, &phrase_stems(synonym), Match::Synonym, 0.95);
            }
        }
        for meaning in &knowledge.columns {
            let told = meaning.values.iter().filter(|(_, words)| !words.trim().is_empty());
            for (stored, words) in told {
                self.add_meaning(&meaning.at, stored, words);
            }
        }
        for (words, name) in &knowledge.synonyms {
            if let Some(id) = self.find(catalog, name) {
                self.call(id, &phrase_stems(words), Match::Synonym, 0.95);
            }
        }
    }

    /// A stored code is called by what it means, up to the first mark: "bound: it became a policy".
    fn add_meaning(&mut self, column: &ColumnRef, stored: &str, words: &str) {
        let head = words.split([':', ',', ';', '(']).next().unwrap_or(words);
        let words = phrase_stems(head);
        let first = head.split_whitespace().next().unwrap_or("");
        let is_state = first.ends_with("ed") && first.chars().all(char::is_lowercase);
        if words.len() > 1 && first.len() > 4 && is_state {
            // "declined by the insurer": the state alone says it too.
            let target = LinkTarget::Value { column: column.clone(), stored: stored.to_owned() };
            let id = self.add(target, &[]);
            self.call(id, &phrase_stems(first), Match::Synonym, 0.9);
        }
        if words.len() > 3 || words.iter().any(|w| w == "averag" || w == "no" || w == "not") {
            return;
        }
        let target = LinkTarget::Value { column: column.clone(), stored: stored.to_owned() };
        let id = self.add(target, &[]);
        self.call(id, &words, Match::Synonym, 0.93);
    }

    /// Finds a table, `table.column` or metric by the name that knowledge uses.
    fn find(&self, catalog: &Catalog, name: &str) -> Option<usize> {
        let target = match name.split_once('.') {
            Some((table, column)) => {
                let table = catalog.table(table)?;
                LinkTarget::Column(ColumnRef::new(&table.name, &table.column(column)?.name))
            }
            None => match catalog.table(name) {
                Some(table) => LinkTarget::Table(table.name.clone()),
                None => LinkTarget::Metric(name.to_owned()),
            },
        };
        self.named.iter().position(|named| named.target == target)
    }

    fn add_synonyms(&mut self) {
        for group in SYNONYMS {
            let keys: Vec<String> = group.iter().map(|w| phrase_stems(w).join(" ")).collect();
            for key in &keys {
                let others = keys.iter().filter(|other| *other != key).cloned();
                self.synonyms.entry(key.clone()).or_default().extend(others);
            }
        }
    }

    /// Lists what a phrase may name: tables, columns, metrics; best first.
    pub fn names(&self, phrase: &[Token]) -> Vec<Hit> {
        let words: Vec<String> = phrase.iter().map(|t| t.stem.clone()).collect();
        if words.is_empty() || phrase.iter().all(|t| is_filler(&t.lower)) {
            return self.whole(&words);
        }
        if let Some(hits) = self.qualified(&words) {
            return hits;
        }
        let mut hits = self.whole(&words);
        if words.len() > 1 {
            for other in self.synonyms.get(&words.join(" ")).into_iter().flatten() {
                let variant: Vec<String> = other.split(' ').map(str::to_owned).collect();
                merge_as(&mut hits, self.whole(&variant), Match::Synonym, 0.8);
            }
        }
        let edge = |t: Option<&Token>| t.is_some_and(|t| is_filler(&t.lower));
        if edge(phrase.first()) || edge(phrase.last()) {
            // "room in" is no part of "room in booking" that a person would say.
            rank(&mut hits);
            return hits;
        }
        if self.ends_in_table(&words) {
            rank(&mut hits);
            return hits;
        }
        let bare: Vec<String> =
            words.iter().filter(|w| *w != "of" && *w != "the").cloned().collect();
        if bare.len() < words.len() {
            merge(&mut hits, self.own(&bare), 0.98);
        }
        if let Some(turned) = turn(&words) {
            merge(&mut hits, self.own(&turned), 0.98);
            merge(&mut hits, self.parts(&turned), 0.98);
        }
        for (n, word) in words.iter().enumerate() {
            for other in self.synonyms.get(word).into_iter().flatten() {
                let mut variant = words.clone();
                variant.splice(n..=n, other.split(' ').map(str::to_owned));
                merge_as(&mut hits, self.whole(&variant), Match::Synonym, 0.8);
                if words.len() == 1 {
                    merge_as(&mut hits, self.parts(&variant), Match::Synonym, 0.75);
                }
            }
        }
        merge(&mut hits, self.parts(&words), 1.0);
        if hits.is_empty() && (2..=3).contains(&words.len()) {
            merge_as(&mut hits, self.whole(&[bag(&words)]), Match::Part, 0.9);
        }
        rank(&mut hits);
        hits
    }

    /// Columns of a table, written as SQL does: `t.c717`.
    fn qualified(&self, words: &[String]) -> Option<Vec<Hit>> {
        let dot = words.iter().position(|word| word == ".")?;
        let tables = self.whole(words.get(..dot)?);
        let of = |at: &ColumnRef| {
            let own = |hit: &Hit| matches!(&hit.target, LinkTarget::Table(t) if *t == at.table);
            tables.iter().any(own)
        };
        let mut hits = self.whole(words.get(dot + 1..)?);
        hits.retain(|hit| matches!(&hit.target, LinkTarget::Column(at) if of(at)));
        (!hits.is_empty()).then_some(hits)
    }

    /// Lists what a single word may name if it is mistyped.
    pub fn typos(&self, token: &Token) -> Vec<Hit> {
        let mut best: Option<(f32, &str)> = None;
        for (word, stem) in &self.vocabulary {
            let close =
                typo::closeness(&token.stem, word).or_else(|| typo::closeness(&token.lower, word));
            if let Some(close) = close.filter(|c| best.is_none_or(|(b, _)| *c > b)) {
                best = Some((close, stem));
            }
        }
        let Some((close, word)) =
            best.filter(|(_, word)| keeps_calendar(std::slice::from_ref(token), word))
        else {
            return Vec::new();
        };
        let words = [word.to_owned()];
        let mut hits = Vec::new();
        merge_as(&mut hits, self.whole(&words), Match::Typo, close);
        merge_as(&mut hits, self.parts(&words), Match::Typo, close);
        rank(&mut hits);
        hits
    }

    /// Lists the stored values that a phrase may be.
    pub fn values(&self, phrase: &[Token]) -> Vec<Hit> {
        let mut hits = self.values.whole(phrase);
        self.looked_up.add(&mut hits, |values| values.whole(phrase));
        leave_out_slips(&mut hits, phrase);
        rank(&mut hits);
        hits
    }

    /// Lists the stored values that hold a phrase as a part, or that it mistypes.
    pub fn near_values(&self, phrase: &[Token]) -> Vec<Hit> {
        let mut hits = self.values.near(phrase);
        self.looked_up.add(&mut hits, |values| values.near(phrase));
        leave_out_slips(&mut hits, phrase);
        rank(&mut hits);
        hits
    }

    /// Lists the stored values that a piece of text is, whatever its marks, blanks and letter case.
    pub fn written_values(&self, text: &str) -> Vec<Hit> {
        self.values.written().spelt(text)
    }

    /// Lists the stored kinds that mean nearly the same as a lower-case word.
    pub fn alike_values(&self, word: &str) -> Vec<Hit> {
        self.values.written().alike(word)
    }

    /// Lists what a column that says yes or no holds, yes first.
    pub fn answers_of(&self, at: &ColumnRef) -> Vec<Hit> {
        self.values.written().answers(at)
    }

    /// Lists the columns with a stem in their name.
    pub fn columns_with(&self, stem: &str) -> Vec<ColumnRef> {
        let holders = self.holders.get(stem).into_iter().flatten();
        let named = holders.take(MOST_HITS).filter_map(|id| self.named.get(*id));
        let column = |named: &Named| match &named.target {
            LinkTarget::Column(at) => Some(at.clone()),
            LinkTarget::Table(_) | LinkTarget::Value { .. } | LinkTarget::Metric(_) => None,
        };
        named.filter_map(column).collect()
    }

    /// Ranks tables and columns by a question's words and what they were tied to; see
    /// [`Relevance::rank`].
    pub fn rank(&self, tokens: &[Token], links: &[Link], needed: &[String]) -> Related {
        self.relevance.rank(tokens, links, needed)
    }

    fn whole(&self, words: &[String]) -> Vec<Hit> {
        let Some(found) = self.phrases.get(&words.join(" ")) else { return Vec::new() };
        let there = |(id, how, score): &(usize, Match, f32)| {
            Some((&self.named.get(*id).filter(|named| !named.gone)?.target, *how, *score))
        };
        best(found.iter().filter_map(there).collect())
    }

    /// Tells whether what stands after "of" is a table: it must stay a word of its own.
    fn ends_in_table(&self, words: &[String]) -> bool {
        let Some(at) = words.iter().position(|w| w == "of") else { return false };
        let tail: Vec<String> =
            words.iter().skip(at + 1).filter(|w| *w != "the").cloned().collect();
        self.whole(&tail).iter().any(|hit| matches!(hit.target, LinkTarget::Table(_)))
    }

    /// Things that are called so by themselves: "the ids of channels" names a table too, so that
    /// it must not become one word for `channel.id`.
    fn own(&self, words: &[String]) -> Vec<Hit> {
        let mut hits = self.whole(words);
        hits.retain(|hit| hit.score > ALIAS);
        hits
    }

    /// Things whose name holds all words, side by side and in order.
    fn parts(&self, words: &[String]) -> Vec<Hit> {
        let Some(first) = words.first() else { return Vec::new() };
        let holders = self.holders.get(first).map_or(&[][..], Vec::as_slice);
        let named = holders.iter().filter_map(|id| self.named.get(*id)).filter(|n| !n.gone);
        let scored = named.filter_map(|named| {
            let column = matches!(named.target, LinkTarget::Column(_));
            Some((&named.target, Match::Part, part_score(words, &named.words, column)?))
        });
        best(scored.collect())
    }
}
