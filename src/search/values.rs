//! Finds stored values by the words of a question.

use std::collections::HashMap;

use crate::domain::{ColumnRef, LinkTarget, Match, ValueList};

use super::english::{CODES, DEMONYMS};
use super::hits::Hit;
use super::names::cut;
use super::tokens::{Token, TokenKind, stem, tokenise};
use super::typo;

/// The stored values, by their words. Maps are only asked by key.
#[derive(Debug, Default)]
pub struct Values {
    columns: Vec<ColumnRef>,
    /// Number of values of each column.
    sizes: Vec<usize>,
    /// Lower-case words joined by spaces → column and spelling.
    by_words: HashMap<String, Vec<(u32, String)>>,
    /// Stems joined by spaces → lower-case words joined by spaces.
    by_stems: HashMap<String, Vec<String>>,
    /// One word → keys of longer values that hold it.
    by_part: HashMap<String, Vec<String>>,
    /// Single-word values by first letter, for typos.
    words: HashMap<char, Vec<String>>,
    /// Columns whose name holds a word of [`CODES`].
    coded: Vec<(usize, ColumnRef, String)>,
}

/// Values longer than this are prose, not something a person repeats word by word.
const LONGEST: usize = 80;
/// A list with more values than this holds names and titles rather than kinds.
const MANY: usize = 60;
/// Score of a common word that is also one of many titles.
const WEAK: f32 = 0.4;
/// Keys at most that one word points to.
const MOST_PARTS: usize = 40;

impl Values {
    /// Indexes the lists.
    pub fn new(lists: &[ValueList]) -> Self {
        let mut values = Values::default();
        for list in lists {
            let Ok(column) = u32::try_from(values.columns.len()) else { break };
            values.columns.push(list.at.clone());
            values.sizes.push(list.values.len());
            for value in &list.values {
                if value.len() <= LONGEST {
                    values.add(column, value);
                }
            }
            values.add_codes(list);
        }
        values
    }

    fn add(&mut self, column: u32, value: &str) {
        let tokens = words_of(value);
        let key = join(&tokens);
        if key.is_empty() {
            return;
        }
        let known = self.by_words.entry(key.clone()).or_default();
        let new_key = known.is_empty();
        known.push((column, value.to_owned()));
        if !new_key {
            return;
        }
        let stems: Vec<&str> = tokens.iter().map(|t| t.stem.as_str()).collect();
        self.by_stems.entry(stems.join(" ")).or_default().push(key.clone());
        if tokens.len() > 1 {
            for token in &tokens {
                let keys = self.by_part.entry(token.stem.clone()).or_default();
                if keys.len() < MOST_PARTS && !keys.contains(&key) {
                    keys.push(key.clone());
                }
            }
        } else if let Some(first) = key.chars().next().filter(|_| key.len() >= 4) {
            self.words.entry(first).or_default().push(key);
        }
    }

    fn add_codes(&mut self, list: &ValueList) {
        let name = cut(&list.at.column);
        for (n, (_, codes, names)) in CODES.iter().enumerate() {
            if !name.iter().any(|word| names.contains(&word.as_str())) {
                continue;
            }
            let stored = list.values.iter().find(|v| codes.contains(&v.to_lowercase().as_str()));
            if let Some(stored) = stored {
                self.coded.push((n, list.at.clone(), stored.clone()));
            }
        }
    }

    /// Lists the values that a phrase is: the same text, the same words, the same stems, or a
    /// general-English word for them.
    pub fn whole(&self, phrase: &[Token]) -> Vec<Hit> {
        let tokens: Vec<Token> = match phrase {
            [one] if one.kind == TokenKind::Quoted => words_of(&one.text),
            _ => phrase.to_vec(),
        };
        let text = match phrase {
            [one] => one.text.clone(),
            _ => phrase.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" "),
        };
        let key = join(&tokens);
        let mut hits = self.of_key(&key, &text);
        if hits.is_empty() {
            let stems: Vec<&str> = tokens.iter().map(|t| t.stem.as_str()).collect();
            for key in self.by_stems.get(&stems.join(" ")).into_iter().flatten() {
                for hit in self.of_key(key, &text) {
                    let score = hit.score.min(0.85);
                    hits.push(Hit { how: Match::Stem, score, ..hit });
                }
            }
        }
        self.add_general(&key, &text, &mut hits);
        hits
    }

    fn add_general(&self, key: &str, text: &str, hits: &mut Vec<Hit>) {
        let base = key.strip_suffix('s').unwrap_or(key);
        for (_, places) in DEMONYMS.iter().filter(|(word, _)| *word == key || *word == base) {
            for place in *places {
                for hit in self.of_key(place, text) {
                    hits.push(Hit { how: Match::Synonym, score: 0.84, ..hit });
                }
            }
        }
        for (n, column, stored) in &self.coded {
            let means = CODES.get(*n).is_some_and(|(words, ..)| words.contains(&key));
            if means && !hits.iter().any(|h| is_of(&h.target, column)) {
                let target = LinkTarget::Value { column: column.clone(), stored: stored.clone() };
                hits.push(Hit { target, how: Match::Synonym, score: 0.85 });
            }
        }
    }

    fn of_key(&self, key: &str, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (column, stored) in self.by_words.get(key).into_iter().flatten() {
            let many = self.sizes.get(*column as usize).is_some_and(|n| *n > MANY);
            let Some(column) = self.columns.get(*column as usize) else { continue };
            let (how, score) = if stored == text {
                (Match::Exact, 1.0)
            } else if many && is_plain_word(text) {
                // Among thousands of titles there is one for every common word.
                (Match::Case, WEAK)
            } else {
                (Match::Case, 0.93)
            };
            let target = LinkTarget::Value { column: column.clone(), stored: stored.clone() };
            hits.push(Hit { target, how, score });
        }
        hits
    }

    /// Lists the values that hold the phrase as a part, else those that it mistypes.
    pub fn near(&self, phrase: &[Token]) -> Vec<Hit> {
        let tokens: Vec<Token> = match phrase {
            [one] if one.kind == TokenKind::Quoted => words_of(&one.text),
            _ => phrase.to_vec(),
        };
        let mut hits = Vec::new();
        let Some(first) = tokens.first() else { return hits };
        let stems: Vec<String> = tokens.iter().map(|t| t.stem.clone()).collect();
        for key in self.by_part.get(&first.stem).into_iter().flatten() {
            let words: Vec<String> = key.split(' ').map(stem).collect();
            if words.windows(stems.len()).any(|w| w == stems) {
                for hit in self.of_key(key, "") {
                    hits.push(Hit { how: Match::Part, score: 0.55, ..hit });
                }
            }
        }
        if let ([one], true) = (tokens.as_slice(), hits.is_empty()) {
            let candidates = one.lower.chars().next().and_then(|c| self.words.get(&c));
            for word in candidates.into_iter().flatten() {
                if let Some(close) = typo::closeness(&one.lower, word) {
                    for hit in self.of_key(word, "") {
                        hits.push(Hit { how: Match::Typo, score: 0.7 * close, ..hit });
                    }
                }
            }
        }
        hits
    }
}

/// Tells whether a text is one word in small letters.
fn is_plain_word(text: &str) -> bool {
    let word = text.trim_matches(|c: char| !c.is_alphanumeric());
    !word.contains(' ') && word.chars().all(char::is_lowercase)
}

fn is_of(target: &LinkTarget, at: &ColumnRef) -> bool {
    matches!(target, LinkTarget::Value { column, .. } if column == at)
}

/// Words of a value; quotes inside it are marks like others.
fn words_of(value: &str) -> Vec<Token> {
    let bare: String =
        value.chars().map(|c| if "\"'`“”‘’«»".contains(c) { ' ' } else { c }).collect();
    let mut tokens = tokenise(&bare);
    tokens.retain(|t| t.kind != TokenKind::Mark);
    tokens
}

fn join(tokens: &[Token]) -> String {
    let words: Vec<&str> =
        tokens.iter().filter(|t| t.kind != TokenKind::Mark).map(|t| t.lower.as_str()).collect();
    words.join(" ")
}
