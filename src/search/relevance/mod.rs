//! Ranks all tables and columns by what a question's words say of them and of their neighbours.
//!
//! Linking ties each word to the few things it most likely means. Ranking asks the other way round:
//! how much of the question does a table explain, by its own name, its columns, what people wrote of
//! it, its stored values, and the tables that keys join to it? What links miss still gets a place,
//! so that pruning can put recall before precision.
//!
//! What belongs here: scores of places in a catalog. What must never come: choosing what is told.

mod anchors;
mod likeness;
mod spread;

use std::collections::{HashMap, HashSet};

use crate::domain::links::{Related, RelatedColumn, RelatedTable};
use crate::domain::{Catalog, ColumnRef, Knowledge, Link, LinkTarget};

use super::english::is_filler;
use super::names::Vocabulary;
use super::tokens::{Token, TokenKind, stem, tokenise};

use likeness::Likeness;
use spread::Sheet;

/// Tables listed of a ranking.
const MOST_TABLES: usize = 80;
/// Columns listed of a ranking.
const MOST_COLUMNS: usize = 240;
/// Strength of a word of a table's name, of a column's name, and of what people wrote of either.
const TABLE_NAME: f32 = 1.0;
const COLUMN_NAME: f32 = 0.75;
const TOLD_OF_IT: f32 = 0.5;
/// What is left of a name's strength where it only points to the thing.
const POINTS_ELSEWHERE: f32 = 0.5;
/// Score of a link from which on it is the whole name of a table.
const WHOLE_NAME: f32 = 0.93;
/// Part of a name's strength that each of its words has; the rest is shared among them.
const EACH_WORD: f32 = 0.4;

/// Where a word stands.
#[derive(Debug, Clone, Copy)]
struct Posting {
    table: u32,
    /// Place in the table; none for the table itself.
    column: Option<u32>,
    /// 0 to 1.
    strength: f32,
}

/// A word of names, and where it stands.
#[derive(Debug)]
struct Word {
    stem: String,
    /// The word that the stem was first met in, lower case.
    whole: String,
    postings: Vec<Posting>,
}

/// The words of a catalog's names, and which tables keys join. Maps are only asked by key.
#[derive(Debug, Default)]
pub struct Relevance {
    /// Names of tables with those of their columns, in catalog order.
    tables: Vec<(String, Vec<String>)>,
    places: HashMap<String, u32>,
    ids: HashMap<String, u32>,
    words: Vec<Word>,
    /// For each table, those that a key joins to it.
    around: Vec<Vec<u32>>,
    /// Columns that point to another table.
    foreign: HashSet<(u32, u32)>,
    likeness: Likeness,
}

impl Relevance {
    /// Reads the names, comments and keys of a catalog, and what people wrote of them.
    pub(super) fn new(catalog: &Catalog, knowledge: &Knowledge, names: &Vocabulary) -> Self {
        let mut made = Relevance::default();
        for (n, table) in catalog.tables.iter().enumerate() {
            let Ok(at) = u32::try_from(n) else { break };
            made.places.insert(table.name.to_lowercase(), at);
            made.add_name(at, None, &names.table(&table.name), TABLE_NAME);
            made.add_prose(at, None, table.comment.as_deref());
            for (c, column) in table.columns.iter().enumerate() {
                let place = u32::try_from(c).ok();
                made.add_name(at, place, &names.column(&column.name, &table.name), COLUMN_NAME);
                made.add_prose(at, place, column.comment.as_deref());
            }
            let columns = table.columns.iter().map(|column| column.name.clone()).collect();
            made.tables.push((table.name.clone(), columns));
        }
        made.add_keys(catalog);
        made.add_knowledge(knowledge);
        made.likeness =
            Likeness::of(made.words.iter().map(|word| (word.stem.as_str(), word.whole.as_str())));
        made
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
        for metric in &knowledge.metrics {
            let called = std::iter::once(&metric.name).chain(&metric.synonyms);
            let words: Vec<String> = called.flat_map(|name| super::names::cut(name)).collect();
            for at in metric.tables.iter().filter_map(|table| self.place(table)).collect::<Vec<_>>()
            {
                self.add_name(at, None, &words, COLUMN_NAME);
            }
        }
    }

    fn place(&self, table: &str) -> Option<u32> {
        self.places.get(&table.to_lowercase()).copied()
    }

    fn column(&self, at: &ColumnRef) -> Option<(u32, u32)> {
        let table = self.place(&at.table)?;
        let (_, columns) = self.tables.get(table as usize)?;
        let column = columns.iter().position(|name| name.eq_ignore_ascii_case(&at.column))?;
        Some((table, u32::try_from(column).ok()?))
    }

    /// Ranks tables and columns by a question's words and what they were tied to, best first.
    pub fn rank(&self, tokens: &[Token], links: &[Link]) -> Related {
        let mut sheet = Sheet::new(self.tables.len());
        for (n, token) in tokens.iter().enumerate() {
            let steers = token.kind != TokenKind::Word || is_filler(&token.lower) || is_key(token);
            if steers || tokens.iter().take(n).any(|before| before.stem == token.stem) {
                continue;
            }
            sheet.begin(&token.text);
            let key = asks_for_key(tokens, n);
            for (id, factor) in self.likeness.of_word(token, &self.ids) {
                let word = self.words.get(id as usize);
                for posting in word.map(|word| word.postings.as_slice()).unwrap_or_default() {
                    let strength = self.weigh(posting.table, posting.column, posting.strength, key);
                    sheet.note(posting.table, posting.column, strength * factor);
                }
            }
            for link in links.iter().filter(|link| holds(link, token)) {
                self.note_link(&mut sheet, link, key);
            }
        }
        let is_value = |token: &&Token| matches!(token.kind, TokenKind::Number | TokenKind::Quoted);
        for token in tokens.iter().filter(is_value) {
            let mut of_token = links.iter().filter(|link| holds(link, token)).peekable();
            if of_token.peek().is_some() {
                sheet.begin(&token.text);
                of_token.for_each(|link| self.note_link(&mut sheet, link, false));
            }
        }
        let ranking = sheet.finish(&self.around);
        let named = self.named(tokens, links, &ranking);
        self.told(&ranking, named)
    }

    /// A column that points to another table names the thing there, but tells only its key: all
    /// that is wanted if the words ask for the key, half of it else.
    fn weigh(&self, table: u32, column: Option<u32>, strength: f32, key: bool) -> f32 {
        let foreign = column.is_some_and(|column| self.foreign.contains(&(table, column)));
        match (foreign, key) {
            (false, _) => strength,
            (true, true) => 1.0,
            (true, false) => strength * POINTS_ELSEWHERE,
        }
    }

    fn note_link(&self, sheet: &mut Sheet, link: &Link, key: bool) {
        match &link.target {
            LinkTarget::Table(table) => {
                if let Some(at) = self.place(table) {
                    sheet.note(at, None, link.score);
                }
            }
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
                if let Some((table, column)) = self.column(at) {
                    let strength = self.weigh(table, Some(column), 0.9 * link.score, key);
                    sheet.note(table, Some(column), strength);
                }
            }
            LinkTarget::Metric(_) => {}
        }
    }

    /// Lists the tables that a question calls by their whole name; of those of one name the one that
    /// ranks best.
    fn named(&self, tokens: &[Token], links: &[Link], ranking: &spread::Ranking) -> Vec<usize> {
        let for_key: Vec<usize> = (0..tokens.len())
            .filter(|n| asks_for_key(tokens, *n))
            .filter_map(|n| Some(tokens.get(n)?.span.end))
            .collect();
        let rank = |at: usize| ranking.tables.get(at).copied().unwrap_or(0.0);
        let mut by_place: Vec<((usize, usize), usize)> = Vec::new();
        for link in links.iter().filter(|link| link.score >= WHOLE_NAME) {
            let LinkTarget::Table(table) = &link.target else { continue };
            let Some(at) = self.place(table).map(|at| at as usize) else { continue };
            let span = (link.span.start, link.span.end);
            if for_key.contains(&link.span.end) {
                continue;
            }
            match by_place.iter_mut().find(|(known, _)| *known == span) {
                Some((_, best)) if rank(at) > rank(*best) => *best = at,
                Some(_) => {}
                None => by_place.push((span, at)),
            }
        }
        let mut named: Vec<usize> = Vec::new();
        for (_, at) in by_place {
            if !named.contains(&at) {
                named.push(at);
            }
        }
        named
    }

    /// Weighs a table by its columns: of two that explain the same, the narrow one costs less room.
    fn thrift(&self, table: usize) -> f32 {
        let columns = self.tables.get(table).map_or(0, |(_, columns)| columns.len());
        #[expect(clippy::cast_precision_loss, reason = "tables have thousands of columns")]
        let columns = columns as f32;
        (8.0 / (4.0 + columns)).powf(0.25)
    }

    fn told(&self, ranking: &spread::Ranking, named: Vec<usize>) -> Related {
        let mut tables: Vec<(usize, f32)> = ranking.tables.iter().copied().enumerate().collect();
        tables.retain(|(_, score)| *score > 0.0);
        for (at, score) in &mut tables {
            *score *= self.thrift(*at);
        }
        tables.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        tables.truncate(MOST_TABLES);
        let name = |at: usize| Some(self.tables.get(at)?.0.clone());
        let anchors =
            anchors::anchors(ranking, &self.around, named).into_iter().filter_map(name).collect();
        let mut related = Related { anchors, ..Related::default() };
        for (at, score) in &tables {
            let Some((name, _)) = self.tables.get(*at) else { continue };
            let why = ranking.why(*at);
            related.tables.push(RelatedTable { table: name.clone(), score: *score, why });
        }
        let mut columns: Vec<_> = ranking
            .columns
            .iter()
            .filter(|(table, ..)| tables.iter().any(|(at, _)| *at == *table as usize))
            .collect();
        columns.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        columns.truncate(MOST_COLUMNS);
        for (table, column, score) in columns {
            let Some((name, of_table)) = self.tables.get(*table as usize) else { continue };
            let Some(column) = of_table.get(*column as usize) else { continue };
            related.columns.push(RelatedColumn { at: ColumnRef::new(name, column), score: *score });
        }
        related
    }
}

/// Tells whether a word stands for the key of some thing.
fn is_key(token: &Token) -> bool {
    ["id", "ids", "code", "codes"].contains(&token.lower.as_str())
}

/// Tells whether a thing is named only to have its key: "student ids", "the codes of all roles".
fn asks_for_key(tokens: &[Token], at: usize) -> bool {
    if tokens.get(at + 1).is_some_and(is_key) {
        return true;
    }
    let before = tokens.get(at.saturating_sub(4)..at).unwrap_or_default();
    let mut before = before.iter().rev().skip_while(|token| {
        ["the", "each", "every", "all", "any", "a", "these", "those"]
            .contains(&token.lower.as_str())
    });
    before.next().is_some_and(|token| token.lower == "of") && before.next().is_some_and(is_key)
}

fn holds(link: &Link, token: &Token) -> bool {
    link.span.start <= token.span.start && token.span.end <= link.span.end
}

#[cfg(test)]
mod tests;
