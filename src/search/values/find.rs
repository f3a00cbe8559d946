//! Looks phrases up: what they are, what they are a part of, what they mistype.

use crate::domain::{ColumnRef, LinkTarget, Match};

use super::postings::{Few, Posting, Word, key};
use super::{Dated, Slot, Values, low, stems_key, words_of};
use crate::search::dates::{self, Reading};
use crate::search::english::{CODES, DEMONYMS};
use crate::search::hits::Hit;
use crate::search::numerals::in_digits;
use crate::search::tokens::{Token, TokenKind, tokenise};
use crate::search::typo;

/// A list with more values than this holds names and titles rather than kinds.
const MANY: usize = 60;
/// A list that was cut off with more values than this was cut because there are many.
const MANY_OF_A_CUT_LIST: usize = 9;
/// Score of a common word that is also one of many titles.
const WEAK: f32 = 0.4;

impl Values {
    /// Lists the values that a phrase is: the same text, the same words, the same stems, the same
    /// day, or a general-English word for them.
    pub fn whole(&self, phrase: &[Token]) -> Vec<Hit> {
        let tokens: Vec<Token> = match phrase {
            [one] if one.kind == TokenKind::Quoted => words_of(&one.text),
            _ => phrase.iter().filter(|t| t.kind != TokenKind::Mark).cloned().collect(),
        };
        let text = match phrase {
            [one] => one.text.clone(),
            _ => phrase.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" "),
        };
        let mut hits = self.of_words(&tokens, &text);
        if let Some(reading) = dates::read(&text).filter(|_| !self.by_day.is_empty()) {
            self.add_days(reading, &mut hits);
        }
        self.add_general(&join(&tokens), &text, &mut hits);
        hits
    }

    /// Values of the same words; without any, those of the same stems.
    fn of_words(&self, tokens: &[Token], text: &str) -> Vec<Hit> {
        let Some(found) = self.by_stems.get(&stems_key(tokens)) else { return Vec::new() };
        let low = low(tokens);
        let same = found.as_slice().iter().filter(|posting| posting.low == low);
        let mut hits = self.hits(same, text);
        if hits.is_empty() {
            hits = self.hits(found.as_slice().iter(), text);
            for hit in &mut hits {
                hit.how = Match::Stem;
                hit.score = hit.score.min(0.85);
            }
        }
        hits
    }

    fn add_days(&self, reading: Reading, hits: &mut Vec<Hit>) {
        for day in reading.days() {
            let postings = self.by_day.get(&day).map_or(&[][..], Few::as_slice);
            let fits = |posting: &&Posting| {
                let dates = self.slots.get(posting.slot as usize).map(|slot| slot.dates);
                matches!(dates, Some(Dated::Yes(order)) if reading.under(order) == Some(day))
            };
            for hit in self.hits(postings.iter().filter(fits), "") {
                if !hits.iter().any(|known| known.target == hit.target) {
                    hits.push(Hit { how: Match::Synonym, score: 0.9, ..hit });
                }
            }
        }
    }

    fn add_general(&self, key: &str, text: &str, hits: &mut Vec<Hit>) {
        let base = key.strip_suffix('s').unwrap_or(key);
        for (_, places) in DEMONYMS.iter().filter(|(word, _)| *word == key || *word == base) {
            for place in *places {
                let tokens = tokenise(place);
                let low = low(&tokens);
                let found = self.by_stems.get(&stems_key(&tokens));
                let same = found.map_or(&[][..], Few::as_slice).iter().filter(|p| p.low == low);
                for hit in self.hits(same, text) {
                    hits.push(Hit { how: Match::Synonym, score: 0.84, ..hit });
                }
            }
        }
        for (n, slot, stored) in &self.coded {
            let means = CODES.get(*n).is_some_and(|(words, ..)| words.contains(&key));
            let Some(slot) = self.slots.get(*slot as usize).filter(|_| means) else { continue };
            let column = &slot.list.at;
            if !hits.iter().any(|h| is_of(&h.target, column)) {
                let target = LinkTarget::Value { column: column.clone(), stored: stored.clone() };
                hits.push(Hit { target, how: Match::Synonym, score: 0.85 });
            }
        }
    }

    /// Makes hits of places, in the order of the lists; each value once.
    fn hits<'a>(&self, postings: impl Iterator<Item = &'a Posting>, text: &str) -> Vec<Hit> {
        let mut found: Vec<(u32, u32, &Slot)> = postings
            .filter_map(|p| {
                let slot = self.slots.get(p.slot as usize)?;
                Some((slot.order, p.at, slot))
            })
            .collect();
        found.sort_by_key(|(order, at, _)| (*order, *at));
        let mut hits: Vec<Hit> = Vec::new();
        for (_, at, slot) in found {
            let Some(stored) = slot.list.values.get(at as usize) else { continue };
            let (how, score) = if is_as_written(stored, text) {
                (Match::Exact, 1.0)
            } else if slot.has_many() && is_plain_word(text) {
                // Among thousands of titles there is one for every common word.
                (Match::Case, WEAK)
            } else {
                (Match::Case, 0.93)
            };
            let column = slot.list.at.clone();
            let target = LinkTarget::Value { column, stored: stored.clone() };
            hits.push(Hit { target, how, score });
        }
        hits
    }

    /// Lists the values that hold the phrase as a part, else those that it mistypes or spells out.
    pub fn near(&self, phrase: &[Token]) -> Vec<Hit> {
        let tokens: Vec<Token> = match phrase {
            [one] if one.kind == TokenKind::Quoted => words_of(&one.text),
            _ => phrase.to_vec(),
        };
        let mut hits = Vec::new();
        let Some(first) = tokens.first() else { return hits };
        let stems: Vec<&str> = tokens.iter().map(|t| t.stem.as_str()).collect();
        let parts = self.by_part.get(&key([first.stem.as_str()]));
        for found in parts.map_or(&[][..], Few::as_slice) {
            let places = self.by_stems.get(found).map_or(&[][..], Few::as_slice);
            let Some(value) = places.first().and_then(|posting| self.text_of(posting)) else {
                continue;
            };
            let words = words_of(value);
            let words: Vec<&str> = words.iter().map(|t| t.stem.as_str()).collect();
            if words.windows(stems.len()).any(|w| w == stems) {
                for hit in self.hits(places.iter(), "") {
                    hits.push(Hit { how: Match::Part, score: 0.55, ..hit });
                }
            }
        }
        if let ([one], true) = (tokens.as_slice(), hits.is_empty()) {
            self.add_typos(one, &mut hits);
        }
        if hits.is_empty() {
            self.add_spelled(&tokens, &mut hits);
        }
        hits
    }

    fn add_typos(&self, typed: &Token, hits: &mut Vec<Hit>) {
        let candidates = typed.lower.chars().next().and_then(|c| self.words.get(&c));
        let like = Word::of(&typed.lower, 0);
        for word in candidates.into_iter().flatten().filter(|word| word.may_be(like)) {
            let places = self.by_stems.get(&word.key).map_or(&[][..], Few::as_slice);
            let Some(value) = places.first().and_then(|posting| self.text_of(posting)) else {
                continue;
            };
            let text = words_of(value).first().map(|t| t.lower.clone()).unwrap_or_default();
            if let Some(close) = typo::closeness(&typed.lower, &text) {
                for hit in self.hits(places.iter(), "") {
                    hits.push(Hit { how: Match::Typo, score: 0.7 * close, ..hit });
                }
            }
        }
    }

    /// "Twenty-Five" where 25 is stored.
    fn add_spelled(&self, tokens: &[Token], hits: &mut Vec<Hit>) {
        let words = tokens.iter().filter(|t| t.kind != TokenKind::Mark).map(|t| t.lower.as_str());
        let Some(digits) = in_digits(words) else { return };
        let found = self.by_stems.get(&key(digits.iter().map(String::as_str)));
        for hit in self.hits(found.map_or(&[][..], Few::as_slice).iter(), "") {
            hits.push(Hit { how: Match::Synonym, score: 0.6, ..hit });
        }
    }

    fn text_of(&self, posting: &Posting) -> Option<&str> {
        let slot = self.slots.get(posting.slot as usize)?;
        slot.list.values.get(posting.at as usize).map(String::as_str)
    }
}

impl Slot {
    fn has_many(&self) -> bool {
        let most = if self.list.complete { MANY } else { MANY_OF_A_CUT_LIST };
        self.list.values.len() > most
    }
}

/// Tells whether a text is written as stored; the blanks between its tokens are ours.
fn is_as_written(stored: &str, text: &str) -> bool {
    stored.chars().filter(|c| *c != ' ').eq(text.chars().filter(|c| *c != ' '))
}

/// Tells whether a text is one word in small letters.
fn is_plain_word(text: &str) -> bool {
    let word = text.trim_matches(|c: char| !c.is_alphanumeric());
    !word.contains(' ') && word.chars().all(char::is_lowercase)
}

fn is_of(target: &LinkTarget, at: &ColumnRef) -> bool {
    matches!(target, LinkTarget::Value { column, .. } if column == at)
}

fn join(tokens: &[Token]) -> String {
    let words: Vec<&str> =
        tokens.iter().filter(|t| t.kind != TokenKind::Mark).map(|t| t.lower.as_str()).collect();
    words.join(" ")
}
