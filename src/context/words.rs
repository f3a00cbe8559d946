//! Words of names and sentences: splits and stems, whole words only (S0-047).

use rust_stemmers::{Algorithm, Stemmer};

use crate::search::tokens::plain;

/// Splits a name into lower-case words: at signs, at `camelCase`, between letters and digits.
pub(super) fn of_name(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut chars = name.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let after = chars.peek().copied();
        if !c.is_alphanumeric() || before.is_some_and(|b| breaks(b, c, after)) {
            words.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty()));
        }
        if c.is_ascii() {
            word.extend(Some(c.to_ascii_lowercase()).filter(char::is_ascii_alphanumeric));
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    words.extend(Some(word).filter(|w| !w.is_empty()));
    words
}

/// Tells whether a new word begins at `c`: `a|B`, `AB|Cd`, `a|1`, `1|a`.
fn breaks(before: char, c: char, after: Option<char>) -> bool {
    let acronym_ends = before.is_uppercase() && after.is_some_and(char::is_lowercase);
    (c.is_uppercase() && (before.is_lowercase() || acronym_ends))
        || (c.is_numeric() && before.is_alphabetic())
        || (c.is_alphabetic() && before.is_numeric())
}

/// Splits a sentence into its stemmed words.
pub(super) fn stems(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    text.split(|c: char| !c.is_alphanumeric())
        .flat_map(of_name)
        .map(|word| stemmer.stem(&plain(&word)).into_owned())
        .collect()
}

/// Tells whether `phrase` stands in `sentence` word for word, by stems.
pub(super) fn holds(sentence: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && sentence.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_where_a_reader_would() {
        assert_eq!(of_name("price_cents"), ["price", "cents"]);
        assert_eq!(of_name("customerID"), ["customer", "id"]);
        assert_eq!(of_name("HTTPServer2x"), ["http", "server", "2", "x"]);
        assert_eq!(of_name("Order Details"), ["order", "details"]);
    }

    #[test]
    fn words_match_whole_and_by_stem_only() {
        let sentence = stems("counties with bookings and quotes");
        assert!(holds(&sentence, &stems("booking")));
        assert!(!holds(&sentence, &stems("count")));
    }
}
