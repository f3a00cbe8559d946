//! Which words of names a word of a question may mean, and how surely.

use std::collections::HashMap;

use super::super::embedding::{Vector, likeness, vector};
use super::super::synonyms::SYNONYMS;
use super::super::tokens::{Token, stem};
use super::super::typo;

/// How surely a general-English synonym is meant.
const SYNONYM: f32 = 0.8;
/// How surely a word is meant that this one is the beginning or the end of: `rent`, `rental`.
const GROWN: f32 = 0.6;
/// Letters of a word from which on it is looked for inside longer ones.
const GROWS_FROM: usize = 4;
/// How surely a word is meant that this one mistypes, at best.
const MISTYPED: f32 = 0.8;

/// Likeness of meaning from which on a word may be meant (see `embedding`), how surely it then is,
/// and how surely at best.
const ALIKE: f32 = 0.5;
const ALIKE_FROM: f32 = 0.3;
const ALIKE_MOST: f32 = 0.7;
/// The same when a name holds the very word: the others are then less likely meant.
const BESIDE_EXACT: f32 = 0.6;

/// The words of names in order, and what means the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Likeness {
    /// Vectors of the words that have one, with their number.
    vectors: Vec<(u32, Vector)>,
    /// Stems with their word's number, sorted.
    sorted: Vec<(String, u32)>,
    /// Stem → stems of the same meaning.
    synonyms: HashMap<String, Vec<String>>,
}

impl Likeness {
    /// Learns the words of names, given in the order of their numbers.
    ///
    /// Each is a stem with the word that it was first met in.
    pub(super) fn of<'a>(words: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let words: Vec<(&str, &str)> = words.collect();
        let vectors =
            (0..).zip(&words).filter_map(|(n, (_, word))| Some((n, vector(singular(word))?)));
        let vectors = vectors
            .filter(|(n, _)| is_telling(words.get(*n as usize).map_or("", |w| w.1)))
            .collect();
        let mut sorted: Vec<(String, u32)> =
            (0..).zip(&words).map(|(n, (stem, _))| ((*stem).to_owned(), n)).collect();
        sorted.sort();
        let mut synonyms: HashMap<String, Vec<String>> = HashMap::new();
        for group in SYNONYMS {
            let single: Vec<String> =
                group.iter().filter(|word| !word.contains(' ')).map(|word| stem(word)).collect();
            for word in &single {
                let others = single.iter().filter(|other| *other != word).cloned();
                synonyms.entry(word.clone()).or_default().extend(others);
            }
        }
        Likeness { vectors, sorted, synonyms }
    }

    /// Lists the words of names that a word may mean, by number, each with how surely, 0 to 1.
    pub(super) fn of_word(&self, token: &Token, ids: &HashMap<String, u32>) -> Vec<(u32, f32)> {
        let mut found: Vec<(u32, f32)> = Vec::new();
        let exact = ids.get(&token.stem).copied();
        if let Some(id) = exact {
            add(&mut found, id, 1.0);
        }
        for other in self.synonyms.get(&token.stem).into_iter().flatten() {
            if let Some(id) = ids.get(other) {
                add(&mut found, *id, SYNONYM);
            }
        }
        if token.stem.len() >= GROWS_FROM {
            for (word, id) in &self.sorted {
                if grown(&token.stem, word) {
                    add(&mut found, *id, GROWN);
                }
            }
        }
        self.add_alike(token, exact.is_some(), &mut found);
        if found.is_empty() {
            for (word, id) in self.beginning_alike(&token.stem) {
                if let Some(close) = typo::closeness(&token.stem, word) {
                    add(&mut found, *id, MISTYPED * close);
                }
            }
        }
        found
    }

    fn add_alike(&self, token: &Token, exact: bool, found: &mut Vec<(u32, f32)>) {
        let word = singular(&token.lower);
        let Some(asked) = vector(word).filter(|_| is_telling(word)) else { return };
        for (id, named) in &self.vectors {
            let alike = likeness(&asked, named);
            if alike >= ALIKE {
                let factor = (ALIKE_FROM + alike - ALIKE).min(ALIKE_MOST);
                add(found, *id, if exact { factor * BESIDE_EXACT } else { factor });
            }
        }
    }

    fn beginning_alike(&self, word: &str) -> &[(String, u32)] {
        let Some(first) = word.chars().next() else { return &[] };
        let from = self.sorted.partition_point(|(known, _)| known.chars().next() < Some(first));
        let to = self.sorted.partition_point(|(known, _)| known.chars().next() <= Some(first));
        self.sorted.get(from..to).unwrap_or_default()
    }
}

/// Takes the ending of an English plural off.
fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(one) if one.len() >= 3 && !one.ends_with(['s', 'u', 'i']) => one,
        Some(_) | None => word,
    }
}

/// Short words are mostly short forms, which no vector knows.
fn is_telling(word: &str) -> bool {
    word.len() >= 3
}

/// Adds a word, or keeps the surer reason for it.
fn add(found: &mut Vec<(u32, f32)>, id: u32, factor: f32) {
    match found.iter_mut().find(|(known, _)| *known == id) {
        Some((_, best)) => *best = best.max(factor),
        None => found.push((id, factor)),
    }
}

/// Tells whether one word is the beginning or the end of the other, and the larger part of it or
/// glued to other words: `rent` and `rental`, `port` and `securityports`.
pub(super) fn grown(asked: &str, named: &str) -> bool {
    let (short, long) = if asked.len() < named.len() { (asked, named) } else { (named, asked) };
    if short.len() < GROWS_FROM || short.len() == long.len() {
        return false;
    }
    long.starts_with(short) || (short.len() > GROWS_FROM && long.ends_with(short))
}
