//! Splits identifiers into words: snake_case, camelCase, digits, glued words, abbreviations.

use std::collections::BTreeSet;

use super::english::{ABBREVIATIONS, TAIL_WORDS};

/// Cuts an identifier at underscores, spaces, case changes and digits; lower case.
pub fn cut(identifier: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = identifier.chars().take(200).collect();
    for (n, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let before = if n > 0 { chars.get(n - 1).copied() } else { None };
        let after = chars.get(n + 1).copied();
        if starts_word(before, c, after) {
            words.push(std::mem::take(&mut word));
        }
        word.extend(c.to_lowercase());
    }
    words.push(word);
    words.retain(|w| !w.is_empty());
    words
}

/// Tells whether `c` opens a new word: aB, ABc (at B), a1, 1a.
fn starts_word(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before.filter(|b| b.is_alphanumeric()) else { return false };
    let camel = before.is_lowercase() && c.is_uppercase();
    let acronym_end =
        before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
    let digit = before.is_ascii_digit() != c.is_ascii_digit();
    camel || acronym_end || digit
}

/// Words that help to cut glued identifiers: the words of a catalog's table names.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: BTreeSet<String>,
}

impl Vocabulary {
    /// Collects the words of table names.
    pub fn of<'a>(tables: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words = BTreeSet::new();
        for table in tables {
            for word in cut(table) {
                if word.len() >= 4 {
                    if let Some(singular) = word.strip_suffix('s') {
                        words.insert(singular.to_owned());
                    }
                    words.insert(word);
                }
            }
        }
        Vocabulary { words }
    }

    /// Splits a table name into words.
    pub fn table(&self, name: &str) -> Vec<String> {
        cut(name).into_iter().flat_map(|w| self.whole_or_parts(&w, name)).collect()
    }

    fn whole_or_parts(&self, word: &str, name: &str) -> Vec<String> {
        // A table's own single word is in the vocabulary; it may still be two glued words.
        let parts = cut(name).len();
        let glued = self.glued(word, |w| parts > 1 || !w.eq_ignore_ascii_case(name));
        glued.unwrap_or_else(|| expand(word))
    }

    /// Splits a column name into words, by its table's name where that is glued to it.
    pub fn column(&self, name: &str, table: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let whole = name.to_lowercase();
        if ABBREVIATIONS.iter().any(|(short, _)| *short == whole) {
            return expand(&whole);
        }
        if let Some(parts) = initials(&whole, table) {
            return parts;
        }
        for word in cut(name) {
            if let Some(parts) = initials(&word, table) {
                words.extend(parts);
            } else if let Some(parts) = self.glued(&word, |_| true) {
                words.extend(parts);
            } else {
                words.extend(self.prefix_of_table(&word).unwrap_or_else(|| expand(&word)));
            }
        }
        words
    }

    /// Cuts `membername` into `member`, `name`: known word first, then a known tail.
    fn glued(&self, word: &str, allow: impl Fn(&str) -> bool) -> Option<Vec<String>> {
        if word.len() < 5 || TAIL_WORDS.contains(&word) {
            return None;
        }
        for at in 2..word.len().saturating_sub(1) {
            let (Some(head), Some(tail)) = (word.get(..at), word.get(at..)) else { continue };
            let head_known =
                (self.words.contains(head) && allow(head)) || TAIL_WORDS.contains(&head);
            let tail_known =
                TAIL_WORDS.contains(&tail) || (tail.len() >= 4 && self.words.contains(tail));
            if head_known && tail_known && !self.words.contains(word) {
                return Some([expand(head), expand(tail)].concat());
            }
        }
        // A known tail glued to a short form: `stuid`, `roomid`, `deptno`.
        for tail in ["id", "name", "code", "no", "num", "type", "date"] {
            let Some(head) = word.strip_suffix(tail).filter(|h| h.len() >= 3) else { continue };
            if let Some(full) = self.prefix_of_table(head) {
                return Some([full, expand(tail)].concat());
            }
        }
        None
    }

    /// Expands a short form that is the start of exactly one table word: `stu` → `student`.
    fn prefix_of_table(&self, word: &str) -> Option<Vec<String>> {
        if word.len() < 3 || word.len() > 5 || !ABBREVIATIONS.iter().all(|(a, _)| *a != word) {
            return None;
        }
        if self.words.contains(word) {
            return Some(vec![word.to_owned()]);
        }
        let mut longer = self.words.range(word.to_owned()..).take_while(|w| w.starts_with(word));
        let first = longer.next()?;
        let last = longer.last().unwrap_or(first);
        let one = last == first || last.strip_suffix('s') == Some(first);
        one.then(|| vec![first.clone()])
    }
}

/// Expands an abbreviation, if it is one.
fn expand(word: &str) -> Vec<String> {
    ABBREVIATIONS.iter().find(|(short, _)| *short == word).map_or_else(
        || vec![word.to_owned()],
        |(_, long)| long.split(' ').map(str::to_owned).collect(),
    )
}

/// Cuts a table's initial from a tail word: `cname` in `course` → `name`, but `fname` → first name.
fn initials(word: &str, table: &str) -> Option<Vec<String>> {
    if ABBREVIATIONS.iter().any(|(short, _)| *short == word) {
        return None;
    }
    let initial = table.chars().next()?.to_lowercase().next()?;
    let tail = word.strip_prefix(initial)?;
    ["name", "id", "no", "code", "type", "date", "num", "desc"]
        .contains(&tail)
        .then(|| expand(tail))
}

/// Tells whether a text holds a phrase whole: nothing that a word is made of stands beside it.
pub fn holds_word(text: &str, phrase: &str) -> bool {
    let (text, phrase) = (text.to_lowercase(), phrase.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    let open = |c: Option<char>, edge: Option<char>| {
        !(c.is_some_and(is_part) && edge.is_some_and(is_part))
    };
    !phrase.trim().is_empty()
        && text.match_indices(&phrase).any(|(at, _)| {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let after = text.get(at + phrase.len()..).and_then(|t| t.chars().next());
            open(before, first) && open(after, last)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_cut_at_case_digits_and_marks() {
        assert_eq!(cut("Film_release_year"), ["film", "release", "year"]);
        assert_eq!(cut("HourlyRate"), ["hourly", "rate"]);
        assert_eq!(cut("HTTPStatus2"), ["http", "status", "2"]);
        assert_eq!(cut("line item"), ["line", "item"]);
    }

    #[test]
    fn glued_and_short_names_are_cut_by_table_words() {
        let words = Vocabulary::of(["students", "club", "course"]);
        assert_eq!(words.column("clubname", "club"), ["club", "name"]);
        assert_eq!(words.column("StuID", "students"), ["student", "id"]);
        assert_eq!(words.column("CName", "course"), ["name"]);
        assert_eq!(words.column("Fname", "students"), ["first", "name"]);
        assert_eq!(words.column("stuid", "students"), ["student", "id"]);
    }

    #[test]
    fn abbreviations_are_expanded() {
        let words = Vocabulary::of(["orders"]);
        assert_eq!(words.column("order_qty", "orders"), ["order", "quantity"]);
    }

    #[test]
    fn a_phrase_is_held_whole() {
        assert!(holds_word("of Ada Byron, 7", "ada byron") && holds_word("x = 'a'", "a"));
        assert!(!holds_word("confirmed", "confirm") && !holds_word("name", "m"));
        assert!(!holds_word("a b", "") && !holds_word("a b", " "));
    }
}
