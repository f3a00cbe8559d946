//! Cuts a text into words, numbers, quoted strings and marks, each with its place and stem.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::domain::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, maybe with digits in them.
    Word,
    /// Digits, maybe with a fraction or thousands separators; or a date.
    Number,
    /// A string between quotes.
    Quoted,
    /// A punctuation mark.
    Mark,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Bytes of the text, quotes included.
    pub span: Span,
    /// The text without quotes and without a possessive ending.
    pub text: String,
    /// The text in lower case.
    pub lower: String,
    /// The stem of the lower-case text.
    pub stem: String,
    /// What it is.
    pub kind: TokenKind,
}

impl Token {
    /// Tells whether it starts with a capital letter.
    pub fn capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// Tokens at most; a longer text is read only so far, which bounds the time for any question.
pub const MAX_TOKENS: usize = 400;

/// Stems remembered at most; then all are forgotten.
const REMEMBERED: usize = 4_096;

thread_local! {
    /// Stems found lately: a schema of thousands of tables has the same few hundred words, and so
    /// have the questions about it.
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}

/// Returns the stem of a lower-case English word, without the marks of its letters.
pub fn stem(word: &str) -> String {
    if !word.is_ascii() {
        let plain = plain(word);
        return if plain.is_ascii() { stem(&plain) } else { plain.into_owned() };
    }
    if word.len() < 3 {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|stems| {
        if let Some(known) = stems.get(word) {
            return known.clone();
        }
        let found = find_stem(word);
        if stems.len() >= REMEMBERED {
            stems.clear();
        }
        stems.insert(word.to_owned(), found.clone());
        found
    })
}

fn find_stem(word: &str) -> String {
    if word == "named" {
        // "The user named X" speaks of no column.
        return word.to_owned();
    }
    let stemmed = Stemmer::create(Algorithm::English).stem(word).into_owned();
    // "movies" stems to "movi", "movie" to "movi": alike. Only a few irregular plurals need help.
    match stemmed.as_str() {
        "peopl" | "person" => "person".to_owned(),
        "children" => "child".to_owned(),
        "men" => "man".to_owned(),
        "women" => "woman".to_owned(),
        "feet" => "foot".to_owned(),
        _ => stemmed,
    }
}

/// Returns the stems of lower-case words.
pub(super) fn stems(words: &[String]) -> Vec<String> {
    words.iter().map(|word| stem(word)).collect()
}

/// Returns the stems of a phrase's words.
pub(super) fn phrase_stems(phrase: &str) -> Vec<String> {
    tokenise(phrase).into_iter().map(|token| token.stem).collect()
}

/// Cuts a text into tokens; at most [`MAX_TOKENS`].
pub fn tokenise(text: &str) -> Vec<Token> {
    let mut scan = Scan { text, at: 0, tokens: Vec::new() };
    while scan.at < text.len() && scan.tokens.len() < MAX_TOKENS {
        scan.step();
    }
    scan.tokens
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn step(&mut self) {
        let Some(first) = self.rest().chars().next() else {
            self.at = self.text.len();
            return;
        };
        if let Some(len) = self.quoted(first) {
            let inner = first.len_utf8()..len - closing(first).len_utf8();
            let text = self.rest().get(inner).unwrap_or("").trim().to_owned();
            self.push(len, &text, TokenKind::Quoted);
        } else if first.is_numeric() {
            let len = self.number();
            let text = self.rest().get(..len).unwrap_or("").to_owned();
            let digits = text.chars().all(|c| c.is_ascii_digit() || ".,-/:".contains(c));
            let kind = if digits { TokenKind::Number } else { TokenKind::Word };
            self.push(len, &text, kind);
        } else if first.is_alphanumeric() {
            self.word();
        } else {
            let text = first.to_string();
            let len = first.len_utf8();
            if first.is_whitespace() || first.is_control() || first == '_' {
                self.at += len;
            } else {
                self.push(len, &text, TokenKind::Mark);
            }
        }
    }

    /// Length of a quoted string that starts here.
    fn quoted(&self, first: char) -> Option<usize> {
        if !"\"'`“‘«".contains(first) {
            return None;
        }
        let before = self.text.get(..self.at)?.chars().next_back();
        if "'‘".contains(first) && before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let close = closing(first);
        let rest = self.rest();
        let inner = rest.get(first.len_utf8()..)?;
        let ends = inner.char_indices().filter(|(_, c)| *c == close).take(20);
        let mut found: Option<usize> = None;
        for (at, _) in ends {
            let after = inner.get(at + close.len_utf8()..)?.chars().next();
            let whole = !after.is_some_and(char::is_alphanumeric);
            let content = inner.get(..at)?.trim();
            if !whole || content.is_empty() || content.chars().count() > 200 {
                continue;
            }
            let end = at + close.len_utf8();
            let goes_on = |known: usize| close == '\'' && is_of_name(inner.get(known..at));
            if found.is_none_or(goes_on) {
                found = Some(end);
            } else {
                break;
            }
        }
        found.map(|end| first.len_utf8() + end)
    }

    fn number(&self) -> usize {
        let chars: Vec<(usize, char)> = self.rest().char_indices().take(64).collect();
        let mut end = 0;
        for (n, (at, c)) in chars.iter().enumerate() {
            let next = chars.get(n + 1).is_some_and(|(_, c)| c.is_ascii_digit());
            if c.is_alphanumeric() || (".,-/:".contains(*c) && next) {
                end = at + c.len_utf8();
            } else {
                break;
            }
        }
        end.max(self.rest().chars().next().map_or(1, char::len_utf8))
    }

    fn word(&mut self) {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = rest.get(..len).unwrap_or("").to_owned();
        let tail = rest.get(len..).unwrap_or("");
        let after = contraction(tail);
        match after {
            Some((skip, "not")) => {
                // "don't" is "do" and "not"; "can't" and "won't" lose no meaning by it.
                let base = word.strip_suffix(['n', 'N']).unwrap_or(&word).to_owned();
                self.push_part(len, &base);
                let at = self.at;
                self.at = at + len + skip;
                let span = Span::new(at, self.at);
                self.tokens.push(token(span, "not", TokenKind::Word));
            }
            Some((skip, _)) => self.push(len + skip, &word, TokenKind::Word),
            None => self.push(len, &word, TokenKind::Word),
        }
    }

    fn push_part(&mut self, len: usize, text: &str) {
        let span = Span::new(self.at, self.at + len);
        self.tokens.push(token(span, text, TokenKind::Word));
    }

    fn push(&mut self, len: usize, text: &str, kind: TokenKind) {
        let span = Span::new(self.at, self.at + len);
        self.tokens.push(token(span, text, kind));
        self.at += len;
    }
}

/// Tells whether what stands between two apostrophes goes on with a name: `'Guns N' Roses'`.
fn is_of_name(between: Option<&str>) -> bool {
    let mut words = between.unwrap_or_default().split_whitespace().peekable();
    words.peek().is_some()
        && words.all(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
}

/// Writes a word without the marks and widths that people leave out when they type: `Café` as
/// `cafe`, `ＡＢＣ` as `abc`. Marks of letters that are not Latin stay: there they tell words apart.
pub fn plain(lower: &str) -> Cow<'_, str> {
    if lower.is_ascii() {
        return Cow::Borrowed(lower);
    }
    let mut latin = false;
    let plain = lower.nfkd().filter(|c| {
        let marked = latin && is_combining_mark(*c);
        latin = marked || c.is_ascii_alphabetic();
        !marked
    });
    Cow::Owned(plain.nfc().collect())
}

fn token(span: Span, text: &str, kind: TokenKind) -> Token {
    let lower = text.to_lowercase();
    let stem = stem(&lower);
    Token { span, text: text.to_owned(), lower, stem, kind }
}

fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        other => other,
    }
}

/// Reads `'s`, `n't` and the like after a word: bytes to skip, and what they mean.
fn contraction(tail: &str) -> Option<(usize, &'static str)> {
    let mark = tail.chars().next().filter(|c| "'’".contains(*c))?;
    let after = tail.get(mark.len_utf8()..)?;
    let end = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
    let letters = after.get(..end)?.to_lowercase();
    match letters.as_str() {
        "s" | "re" | "ve" | "d" | "ll" => Some((mark.len_utf8() + end, "")),
        "t" => Some((mark.len_utf8() + end, "not")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokenise(text).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn words_numbers_quotes_and_marks_are_told_apart() {
        assert_eq!(
            words("List member's names, older than 1,000 or 'New York'."),
            ["List", "member", "names", ",", "older", "than", "1,000", "or", "New York", "."]
        );
    }

    #[test]
    fn an_apostrophe_inside_a_quoted_name_is_of_the_name() {
        assert_eq!(
            words("albums of 'Guns N' Roses' or 'R.E.M.'?")[2..],
            ["Guns N' Roses", "or", "R.E.M.", "?"]
        );
        assert_eq!(words("'New York' and the students' names")[0], "New York");
    }

    #[test]
    fn marks_and_widths_that_nobody_types_are_no_part_of_a_stem() {
        let stems = |text: &str| phrase_stems(text);
        assert_eq!(stems("Café São ＡＢＣ"), stems("cafe sao abc"));
        assert_ne!(stems("が"), stems("か"));
        assert_ne!(stems("й"), stems("и"));
    }

    #[test]
    fn a_contraction_says_not() {
        assert_eq!(words("Who doesn't have pets?"), ["Who", "does", "not", "have", "pets", "?"]);
    }

    #[test]
    fn a_possessive_plural_is_no_quote() {
        assert_eq!(words("the students' names and the teachers' ages").len(), 9);
    }

    #[test]
    fn a_hundred_kilobytes_are_bounded() {
        let text = "' a \u{7} ".repeat(20_000);
        assert!(tokenise(&text).len() <= MAX_TOKENS);
    }

    #[test]
    fn spans_lie_on_the_text() {
        let text = "Zeige “São Paulo” für 2014-05-01!";
        for token in tokenise(text) {
            assert!(text.get(token.span.start..token.span.end).is_some());
        }
    }
}
