//! Stored values found by how they are written, and by what they mean.
//!
//! `values` finds a value by its words. Here are the ways that words don't lead: codes, addresses
//! and numbers with marks in them, compounds, kinds that mean nearly the same as a word (`kitten`
//! and `cat`), and columns that only say yes or no.

use std::collections::HashMap;

use crate::domain::{ColumnRef, LinkTarget, Match, ValueList};

use super::embedding::{Vector, likeness, vector};
use super::hits::Hit;
use super::tokens::stem;

/// Values longer than this are prose.
const LONGEST: usize = 80;
/// A list with more values than this holds names rather than kinds.
const FEW: usize = 40;
/// Kinds whose meaning is kept at most; a bound for schemas of thousands of tables.
const MOST_KINDS: usize = 4_000;
/// Likeness of meaning from which on a kind is offered for a word, and its score at likeness 1.
const ALIKE: f32 = 0.6;
const ALIKE_SCORE: f32 = 0.8;
/// Score of a value written alike but for marks and blanks.
const COMPACT: f32 = 0.85;
/// Score of the one kind of several words that a word is part of.
const PART: f32 = 0.6;
/// Score of what a column that says yes or no holds, when its name is said.
const ANSWERED: f32 = 0.7;
/// What yes and no are stored as, lower case, in pairs.
const YES_AND_NO: [(&str, &str); 6] =
    [("t", "f"), ("y", "n"), ("yes", "no"), ("true", "false"), ("1", "0"), ("on", "off")];

/// Tells whether two stored texts are a pair of which the first says yes and the second no.
pub fn say_yes_and_no(yes: &str, no: &str) -> bool {
    let (yes, no) = (yes.to_lowercase(), no.to_lowercase());
    YES_AND_NO.iter().any(|pair| pair.0 == yes && pair.1 == no)
}

/// The index. Maps are only asked by key.
#[derive(Debug, Default)]
pub(super) struct Written {
    columns: Vec<ColumnRef>,
    /// Letters and digits in lower case → column and spelling; values that words don't tell.
    compact: HashMap<String, Vec<(u32, String)>>,
    /// Kinds: column, spelling, meaning.
    kinds: Vec<(u32, String, Vector)>,
    /// Stem → kinds of several words that hold it: column and spelling.
    parts: HashMap<String, Vec<(u32, String)>>,
    /// Columns that say yes or no: column, what is stored for each.
    answers: HashMap<ColumnRef, (String, String)>,
}

/// Keeps letters and digits, in lower case.
fn compact(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Tells whether a value's own words don't lead to it: marks inside, or words grown together.
fn is_odd(value: &str) -> bool {
    let mark = value.chars().any(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let hump =
        |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    mark || value.as_bytes().windows(2).any(hump)
}

impl Written {
    /// Indexes the lists.
    pub(super) fn new(lists: &[ValueList]) -> Self {
        let mut made = Written::default();
        for list in lists {
            let Ok(column) = u32::try_from(made.columns.len()) else { break };
            made.columns.push(list.at.clone());
            for value in list.values.iter().filter(|value| value.len() <= LONGEST) {
                if is_odd(value) {
                    let key = compact(value);
                    if key.len() >= 4 {
                        made.compact.entry(key).or_default().push((column, value.clone()));
                    }
                }
            }
            if list.values.len() <= FEW {
                made.add_kinds(column, &list.values);
            }
            if let ([no, yes], true) = (list.values.as_slice(), list.complete) {
                made.add_answers(&list.at, no, yes);
            }
        }
        made
    }

    fn add_kinds(&mut self, column: u32, values: &[String]) {
        for value in values.iter().take(MOST_KINDS.saturating_sub(self.kinds.len())) {
            let lower = value.to_lowercase();
            let parts: Vec<&str> = lower.split(' ').filter(|part| part.len() >= 4).collect();
            for part in parts.iter().filter(|_| (2..=4).contains(&parts.len())) {
                let known = self.parts.entry(stem(part)).or_default();
                known.push((column, value.clone()));
            }
            if let Some(meaning) = vector(&lower).filter(|_| lower.len() >= 3) {
                self.kinds.push((column, value.clone(), meaning));
            }
        }
    }

    fn add_answers(&mut self, at: &ColumnRef, first: &str, second: &str) {
        if say_yes_and_no(first, second) {
            self.answers.insert(at.clone(), (first.to_owned(), second.to_owned()));
        } else if say_yes_and_no(second, first) {
            self.answers.insert(at.clone(), (second.to_owned(), first.to_owned()));
        }
    }

    /// Lists the values that a piece of text is, whatever its marks, blanks and letter case.
    pub(super) fn spelt(&self, text: &str) -> Vec<Hit> {
        let found = self.compact.get(&compact(text)).into_iter().flatten();
        let hit = |(column, stored): &(u32, String)| {
            let same = stored == text;
            let (how, score) = if same { (Match::Exact, 1.0) } else { (Match::Case, COMPACT) };
            self.hit(*column, stored, how, score)
        };
        found.filter_map(hit).collect()
    }

    /// Lists the kinds that mean nearly the same as a lower-case word, nearest first; if it is a part
    /// of just one, that.
    pub(super) fn alike(&self, word: &str) -> Vec<Hit> {
        if let Some([(column, stored)]) = self.parts.get(&stem(word)).map(Vec::as_slice) {
            return self.hit(*column, stored, Match::Part, PART).into_iter().collect();
        }
        let singular = word.strip_suffix("ies").map(|start| format!("{start}y"));
        let singular = singular.as_deref().or_else(|| word.strip_suffix('s')).unwrap_or(word);
        let Some(asked) = vector(singular).filter(|_| singular.len() >= 3) else {
            return Vec::new();
        };
        let mut hits: Vec<Hit> = Vec::new();
        for (column, stored, meaning) in &self.kinds {
            let alike = likeness(&asked, meaning);
            if alike >= ALIKE {
                hits.extend(self.hit(*column, stored, Match::Synonym, alike * ALIKE_SCORE));
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(3);
        hits
    }

    /// Lists what a column that says yes or no holds: first what stands for yes.
    pub(super) fn answers(&self, at: &ColumnRef) -> Vec<Hit> {
        let Some((yes, no)) = self.answers.get(at) else { return Vec::new() };
        let hit = |stored: &String| Hit {
            target: LinkTarget::Value { column: at.clone(), stored: stored.clone() },
            how: Match::Synonym,
            score: ANSWERED,
        };
        vec![hit(yes), hit(no)]
    }

    fn hit(&self, column: u32, stored: &str, how: Match, score: f32) -> Option<Hit> {
        let column = self.columns.get(column as usize)?.clone();
        let target = LinkTarget::Value { column, stored: stored.to_owned() };
        Some(Hit { target, how, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(column: &str, values: &[&str]) -> ValueList {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let at = ColumnRef::new("t", column);
        ValueList { at, values, complete: true, ..ValueList::default() }
    }

    fn stored(hits: &[Hit]) -> Vec<&str> {
        let of = |hit| match hit {
            &Hit { target: LinkTarget::Value { ref stored, .. }, .. } => Some(stored.as_str()),
            _ => None,
        };
        hits.iter().filter_map(of).collect()
    }

    #[test]
    fn marks_blanks_and_humps_are_no_obstacle() {
        let written = Written::new(&[list("a", &["(503) 555-9931", "NorthCarolina", "plain"])]);
        assert_eq!(stored(&written.spelt("(503) 555-9931")), ["(503) 555-9931"]);
        assert_eq!(stored(&written.spelt("503 555 9931")), ["(503) 555-9931"]);
        assert_eq!(stored(&written.spelt("North Carolina")), ["NorthCarolina"]);
    }

    #[test]
    fn a_kind_is_found_by_a_word_that_means_nearly_the_same() {
        let written = Written::new(&[list("kind", &["cat", "dog", "Sales Support Agent"])]);
        assert_eq!(stored(&written.alike("agents")), ["Sales Support Agent"]);
        assert_eq!(stored(&written.alike("kittens")), ["cat"]);
        assert_eq!(stored(&written.alike("puppies")).first(), Some(&"dog"));
        assert_eq!(stored(&written.alike("salary")), [""; 0]);
    }

    #[test]
    fn a_column_of_yes_and_no_tells_what_stands_for_yes_first() {
        let written = Written::new(&[list("official", &["F", "T"]), list("size", &["L", "T"])]);
        assert_eq!(stored(&written.answers(&ColumnRef::new("t", "official"))), ["T", "F"]);
        assert_eq!(stored(&written.answers(&ColumnRef::new("t", "size"))), [""; 0]);
    }
}
