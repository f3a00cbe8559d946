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
mod reading;
mod spread;

use std::collections::{HashMap, HashSet};

use crate::domain::links::{Related, RelatedColumn, RelatedTable};
use crate::domain::{ColumnRef, Link, LinkTarget};

use super::dates::NAMES;
use super::english::is_filler;
use super::tokens::{Token, TokenKind, stem};

use likeness::Likeness;
use reading::{COLUMN_NAME, EACH_WORD};
use spread::Sheet;

/// Tables listed of a ranking.
const MOST_TABLES: usize = 80;
/// Columns listed of a ranking.
const MOST_COLUMNS: usize = 240;
/// Strength below which a word is not explained.
const TELLING: f32 = 0.3;
/// What is left of a name's strength where it only points to the thing.
const POINTS_ELSEWHERE: f32 = 0.5;
/// Score of a link from which on it is the whole name of a table.
const WHOLE_NAME: f32 = 0.93;

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
#[derive(Debug, Clone)]
struct Word {
    stem: String,
    /// The word that the stem was first met in, lower case.
    whole: String,
    postings: Vec<Posting>,
}

/// The words of a catalog's names, and which tables keys join. Maps are only asked by key.
#[derive(Debug, Clone, Default)]
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
    fn place(&self, table: &str) -> Option<u32> {
        self.places.get(&table.to_lowercase()).copied()
    }

    fn column(&self, at: &ColumnRef) -> Option<(u32, u32)> {
        let table = self.place(&at.table)?;
        let (_, columns) = self.tables.get(table as usize)?;
        let column = columns.iter().position(|name| name.eq_ignore_ascii_case(&at.column))?;
        Some((table, u32::try_from(column).ok()?))
    }

    /// Ranks tables and columns by a question's words and what they were tied to, best first; tables
    /// that are `needed` anyway come first of those that explain it.
    pub fn rank(&self, tokens: &[Token], links: &[Link], needed: &[String]) -> Related {
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
            for period in periods(token) {
                self.note_period(&mut sheet, &period);
            }
            for link in links.iter().filter(|link| holds(link, token)) {
                self.note_link(&mut sheet, link, key);
            }
        }
        let is_value = |token: &&Token| matches!(token.kind, TokenKind::Number | TokenKind::Quoted);
        for token in tokens.iter().filter(is_value) {
            let mut of_token = links.iter().filter(|link| holds(link, token)).peekable();
            for period in periods(token).iter().filter(|period| self.ids.contains_key(*period)) {
                sheet.begin(period);
                self.note_period(&mut sheet, period);
            }
            if of_token.peek().is_some() {
                sheet.begin(&token.text);
                of_token.for_each(|link| self.note_link(&mut sheet, link, false));
            }
        }
        sheet.join_phrases(&self.columns_before(), COLUMN_NAME * EACH_WORD, COLUMN_NAME);
        let ranking = sheet.finish(&self.around);
        let mut named: Vec<usize> = Vec::new();
        let needed = needed.iter().filter_map(|table| self.place(table)).map(|at| at as usize);
        for at in needed.chain(self.named(tokens, links, &ranking)) {
            if !named.contains(&at) {
                named.push(at);
            }
        }
        self.told(&ranking, named)
    }

    /// Counts the columns before each table's own, and all of them at the end.
    fn columns_before(&self) -> Vec<usize> {
        let mut first = vec![0];
        let mut all = 0;
        for (_, columns) in &self.tables {
            all += columns.len();
            first.push(all);
        }
        first
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

    /// Notes the tables that are called by a month or a year: parts of one, such as
    /// `events_2023_03`.
    fn note_period(&self, sheet: &mut Sheet, period: &str) {
        let word = self.ids.get(period).and_then(|id| self.words.get(*id as usize));
        let postings = word.map(|word| word.postings.as_slice()).unwrap_or_default();
        for posting in postings.iter().filter(|posting| posting.column.is_none()) {
            sheet.note(posting.table, None, posting.strength);
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
        let unexplained = ranking.explained.iter().filter(|(_, best)| *best < TELLING);
        let unexplained = unexplained.map(|(words, _)| words.clone()).collect();
        let explained = share(&ranking.explained);
        let mut related = Related { anchors, explained, unexplained, ..Related::default() };
        for (at, score) in &tables {
            let Some((name, _)) = self.tables.get(*at) else { continue };
            let why = ranking.why(*at);
            related.tables.push(RelatedTable { table: name.clone(), score: *score, why });
        }
        let mut listed = vec![false; self.tables.len()];
        for (at, _) in &tables {
            listed.get_mut(*at).into_iter().for_each(|listed| *listed = true);
        }
        let in_list = |table: u32| listed.get(table as usize) == Some(&true);
        let mut columns: Vec<(u32, u32, f32)> =
            ranking.columns.iter().filter(|(table, ..)| in_list(*table)).copied().collect();
        columns.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        columns.dedup_by_key(|(table, column, _)| (*table, *column));
        columns.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        columns.truncate(MOST_COLUMNS);
        for (table, column, score) in columns {
            let Some((name, of_table)) = self.tables.get(table as usize) else { continue };
            let Some(column) = of_table.get(column as usize) else { continue };
            related.columns.push(RelatedColumn { at: ColumnRef::new(name, column), score });
        }
        related
    }
}

/// Returns how much of the words is explained, 0 to 1. Forms of one word ask for one thing, and
/// count once: "the directors that have directed".
fn share(explained: &[(String, f32)]) -> f32 {
    let stems: Vec<String> = explained.iter().map(|(word, _)| stem(&word.to_lowercase())).collect();
    let (mut sum, mut words) = (0.0, 0.0);
    for (n, (of, (_, best))) in stems.iter().zip(explained).enumerate() {
        let told_before = |(form, strength): (&String, f32)| {
            likeness::grown(of, form) && (strength < TELLING) == (*best < TELLING)
        };
        let mut before = stems.iter().zip(explained.iter().map(|(_, best)| *best)).take(n);
        if !before.any(told_before) {
            sum += best;
            words += 1.0;
        }
    }
    if words > 0.0 { sum / words } else { 1.0 }
}

/// Writes a month or a year as the names of tables do: `March` is `03`, `2023-03` is both.
fn periods(token: &Token) -> Vec<String> {
    if let Some(month) = NAMES.iter().position(|month| *month == token.lower) {
        return vec![format!("{:02}", month + 1)];
    }
    let year = |piece: &str| {
        piece.len() == 4 && piece.parse().is_ok_and(|year: u16| (1_900..2_100).contains(&year))
    };
    let pieces: Vec<&str> = token.text.split(['-', '/']).collect();
    if token.kind == TokenKind::Number && pieces.iter().any(|piece| year(piece)) {
        return pieces.into_iter().map(str::to_owned).collect();
    }
    Vec::new()
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
