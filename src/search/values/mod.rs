//! Finds stored values by the words of a question.
//!
//! The texts stay in the lists that they came in; the index holds hashes and places, so that it
//! costs some dozens of bytes a value, and one column's list can be taken out and put in again.
//!
//! What belongs here: comparing phrases with stored texts. What must never come: reading a
//! database. To add a way to match: a key in `Keyed` and a look-up beside `whole`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{ColumnRef, ValueList};

use super::dates::{self, Order, Reading};
use super::english::CODES;
use super::names::cut;
use super::numerals::in_digits;
use super::tokens::{Token, TokenKind, stem, tokenise};
use super::written::Written;

mod find;
mod postings;
#[cfg(test)]
mod tests;

use postings::{Few, Posting, Word, key};

/// A column with its list.
#[derive(Debug, Clone, Default)]
struct Slot {
    list: ValueList,
    /// Place among all lists: equally good hits come in this order.
    order: u32,
    dates: Dated,
}

/// Whether a column holds dates, and which number comes first in them, where one shows it.
#[derive(Debug, Clone, Copy, Default)]
enum Dated {
    #[default]
    No,
    Yes(Option<Order>),
}

/// The stored values, by their words. Maps are only asked by key.
#[derive(Debug, Default, Clone)]
pub struct Values {
    slots: Vec<Slot>,
    /// Column → slot.
    of: HashMap<ColumnRef, u32>,
    /// Slots that hold nothing any more.
    free: Vec<u32>,
    /// Hash of stems → values.
    by_stems: HashMap<u64, Few<Posting>>,
    /// Hash of one stem → keys of longer values that hold it.
    by_part: HashMap<u64, Few<u64>>,
    /// Day → values of columns that hold dates in a form of their own.
    by_day: HashMap<dates::Day, Few<Posting>>,
    /// Single-word values by first letter, for typos.
    words: HashMap<char, Vec<Word>>,
    /// Columns whose name holds a word of [`CODES`]: slot and the stored code.
    coded: Vec<(usize, u32, String)>,
    /// The same values by how they are written.
    written: Arc<Written>,
}

/// Values longer than this are prose, not something a person repeats word by word.
const LONGEST: usize = 80;
/// Keys at most that one word points to.
const MOST_PARTS: usize = 40;
/// Dates at the beginning of a list that decide whether the column holds dates.
const DATES_TRIED: usize = 8;

/// What a value is found by.
struct Keyed {
    stems: u64,
    low: u32,
    /// Hashes of its stems; empty for a single word.
    parts: Vec<u64>,
    /// A single word.
    word: Option<(char, Word)>,
}

impl Keyed {
    fn of(value: &str) -> Option<Keyed> {
        let tokens = words_of(value);
        let first = tokens.first()?;
        let stems = stems_key(&tokens);
        let single = tokens.len() == 1;
        let letter = first.lower.chars().next().filter(|_| single && first.lower.len() >= 4);
        let parts = if single { &[][..] } else { &tokens };
        Some(Keyed {
            stems,
            low: low(&tokens),
            parts: parts.iter().map(|t| key([t.stem.as_str()])).collect(),
            word: letter.map(|letter| (letter, Word::of(&first.lower, stems))),
        })
    }
}

impl Values {
    /// Indexes the lists.
    pub fn new(lists: &[ValueList]) -> Self {
        let mut values = Values::default();
        values.renew(lists);
        values
    }

    /// Takes newer lists; only columns whose values are others are indexed anew.
    pub fn renew(&mut self, lists: &[ValueList]) {
        let mut kept = vec![false; self.slots.len()];
        for (order, list) in (0..).zip(lists) {
            let slot = self.of.get(&list.at).copied();
            if let Some(known) = slot.and_then(|slot| self.slots.get_mut(slot as usize)) {
                let same =
                    known.list.values.is_same(&list.values) || known.list.values == list.values;
                known.order = order;
                if same {
                    known.list = list.clone();
                }
                if let Some(kept) = slot.and_then(|slot| kept.get_mut(slot as usize)) {
                    *kept = same;
                }
            }
        }
        let mut gone: Vec<u32> = self.of.values().copied().collect();
        gone.retain(|slot| !kept.get(*slot as usize).copied().unwrap_or(false));
        self.take_out(&gone);
        for (order, list) in (0..).zip(lists) {
            if !self.of.contains_key(&list.at) {
                let slot = self.put_in(list.clone(), order);
                self.of.insert(list.at.clone(), slot);
            }
        }
        self.written = Arc::new(Written::new(lists));
    }

    /// Returns the same values by how they are written.
    pub(super) fn written(&self) -> &Written {
        &self.written
    }

    fn put_in(&mut self, list: ValueList, order: u32) -> u32 {
        let dates = dates_of(&list);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        for (at, value) in (0..).zip(&list.values) {
            if value.len() <= LONGEST {
                self.add(slot, at, value);
                self.add_day(slot, at, value, dates);
            }
        }
        self.add_codes(slot, &list);
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = Slot { list, order, dates };
        }
        slot
    }

    fn add(&mut self, slot: u32, at: u32, value: &str) {
        let Some(keyed) = Keyed::of(value) else { return };
        let known = self.by_stems.entry(keyed.stems).or_default();
        let new_key = known.is_empty();
        known.push(Posting { slot, at, low: keyed.low });
        if !new_key {
            return;
        }
        for part in keyed.parts {
            let keys = self.by_part.entry(part).or_default();
            if keys.as_slice().len() < MOST_PARTS && !keys.as_slice().contains(&keyed.stems) {
                keys.push(keyed.stems);
            }
        }
        if let Some((letter, word)) = keyed.word {
            self.words.entry(letter).or_default().push(word);
        }
    }

    fn add_day(&mut self, slot: u32, at: u32, value: &str, dates: Dated) {
        let Dated::Yes(order) = dates else { return };
        if let Some(day) = dates::read(value).and_then(|reading| reading.under(order)) {
            self.by_day.entry(day).or_default().push(Posting { slot, at, low: 0 });
        }
    }

    fn add_codes(&mut self, slot: u32, list: &ValueList) {
        let name = cut(&list.at.column);
        for (n, (_, codes, names)) in CODES.iter().enumerate() {
            if !name.iter().any(|word| names.contains(&word.as_str())) {
                continue;
            }
            let stored = list.values.iter().find(|v| codes.contains(&v.to_lowercase().as_str()));
            if let Some(stored) = stored {
                self.coded.push((n, slot, stored.clone()));
            }
        }
    }

    /// Takes all values of some slots out of the index.
    fn take_out(&mut self, slots: &[u32]) {
        for slot in slots {
            let Some(place) = self.slots.get_mut(*slot as usize) else { continue };
            let Slot { list, dates, .. } = std::mem::take(place);
            for value in list.values.iter().filter(|value| value.len() <= LONGEST) {
                self.remove(*slot, value);
                if let Dated::Yes(_) = dates {
                    for day in dates::read(value).map(Reading::days).unwrap_or_default() {
                        drop_from(&mut self.by_day, &day, |posting| posting.slot != *slot);
                    }
                }
            }
            self.coded.retain(|(_, coded, _)| coded != slot);
            self.of.remove(&list.at);
            self.free.push(*slot);
        }
    }

    fn remove(&mut self, slot: u32, value: &str) {
        let Some(keyed) = Keyed::of(value) else { return };
        if !drop_from(&mut self.by_stems, &keyed.stems, |posting| posting.slot != slot) {
            return;
        }
        for part in keyed.parts {
            drop_from(&mut self.by_part, &part, |key| *key != keyed.stems);
        }
        if let Some((letter, _)) = keyed.word
            && let Some(words) = self.words.get_mut(&letter)
        {
            words.retain(|word| word.key != keyed.stems);
        }
    }
}

/// Drops entries under a key, and the key with the last of them; tells whether it went.
fn drop_from<K: std::hash::Hash + Eq, T: Copy + PartialEq>(
    map: &mut HashMap<K, Few<T>>,
    key: &K,
    keep: impl Fn(&T) -> bool,
) -> bool {
    let Some(few) = map.get_mut(key) else { return false };
    few.retain(keep);
    let empty = few.is_empty();
    if empty {
        map.remove(key);
    }
    empty
}

/// Tells whether a list holds dates, and which number comes first in them.
fn dates_of(list: &ValueList) -> Dated {
    let mut tried = list.values.iter().take(DATES_TRIED).peekable();
    if tried.peek().is_some() && tried.all(|value| dates::read(value).is_some()) {
        Dated::Yes(dates::order_of(list.values.iter().map(String::as_str)))
    } else {
        Dated::No
    }
}

/// Words of a value; quotes inside it are marks like others.
fn words_of(value: &str) -> Vec<Token> {
    let bare: String =
        value.chars().map(|c| if "\"'`“”‘’«»".contains(c) { ' ' } else { c }).collect();
    let mut tokens = tokenise(&bare);
    tokens.retain(|t| t.kind != TokenKind::Mark);
    tokens
}

/// Hashes the stems of words; among several words, number words count as their digits.
fn stems_key(tokens: &[Token]) -> u64 {
    let digits =
        if tokens.len() > 1 { in_digits(tokens.iter().map(|t| t.lower.as_str())) } else { None };
    match digits {
        Some(words) => {
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            key(stems.iter().map(String::as_str))
        }
        None => key(tokens.iter().map(|t| t.stem.as_str())),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
fn low(tokens: &[Token]) -> u32 {
    key(tokens.iter().map(|t| t.lower.as_str())) as u32
}
