//! MySQL's SQL as tokens: just enough to find names, and comments that the server would run.

use crate::domain::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word or number.
    Word,
    /// A name in `` `…` ``, or in `"…"` where the server takes that for a name.
    Quoted,
    /// `'…'`, or `"…"` where the server takes that for a text.
    Text,
    /// A comment that says nothing to the server.
    Comment,
    /// `/*! …` or `/*M! …`: what stands in it is run.
    Hidden,
    /// Anything else, one character.
    Sign,
}

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// What it is.
    pub(super) kind: Kind,
    /// Its text, with quotes.
    pub(super) text: &'a str,
    /// First byte.
    pub(super) start: usize,
}

impl Token<'_> {
    /// Returns where it stands.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Tells whether it is this word or sign, in any letter case.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text.eq_ignore_ascii_case(word)
    }

    /// Returns a name without its quotes.
    pub(super) fn name(&self) -> String {
        if !matches!(self.kind, Kind::Quoted | Kind::Text) {
            return self.text.to_owned();
        }
        let mut chars = self.text.chars();
        let quote = chars.next().map(String::from).unwrap_or_default();
        chars.next_back();
        chars.as_str().replace(&quote.repeat(2), &quote)
    }
}

/// How the server reads quotes: a part of its `sql_mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Quotes {
    /// `"…"` is a name.
    pub(super) ansi: bool,
    /// A backslash in a text is a letter like others.
    pub(super) plain_backslash: bool,
}

impl Quotes {
    /// Reads them from the server's `sql_mode`.
    pub(super) fn of_mode(mode: &str) -> Self {
        let has = |flag: &str| mode.split(',').any(|one| one.trim().eq_ignore_ascii_case(flag));
        Quotes { ansi: has("ANSI_QUOTES"), plain_backslash: has("NO_BACKSLASH_ESCAPES") }
    }

    /// Splits a text into tokens; anything that isn't closed reaches to the end.
    pub(super) fn tokens(self, text: &str) -> Vec<Token<'_>> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or("");
            if first.is_whitespace() || first.is_control() {
                at += first.len_utf8();
                continue;
            }
            let (kind, length) = self.measure(rest, first);
            let token = rest.get(..length).unwrap_or(rest);
            found.push(Token { kind, text: token, start: at });
            at += token.len();
        }
        found
    }

    fn measure(self, rest: &str, first: char) -> (Kind, usize) {
        let line = || rest.find('\n').unwrap_or(rest.len());
        match first {
            '"' if self.ansi => (Kind::Quoted, quoted(rest, first, false)),
            '\'' | '"' => (Kind::Text, quoted(rest, first, !self.plain_backslash)),
            '`' => (Kind::Quoted, quoted(rest, first, false)),
            '#' => (Kind::Comment, line()),
            '-' if is_line_comment(rest) => (Kind::Comment, line()),
            '/' if rest.starts_with("/*!") || rest.starts_with("/*M!") => {
                (Kind::Hidden, block_comment(rest))
            }
            '/' if rest.starts_with("/*") => (Kind::Comment, block_comment(rest)),
            _ if in_word(first) => (Kind::Word, rest.find(|c| !in_word(c)).unwrap_or(rest.len())),
            _ => (Kind::Sign, first.len_utf8()),
        }
    }
}

/// Two dashes begin a comment only before a blank, a control character or the end.
fn is_line_comment(rest: &str) -> bool {
    let after = rest.strip_prefix("--").map(|rest| rest.chars().next());
    after.is_some_and(|next| next.is_none_or(|c| c.is_ascii_whitespace() || c.is_ascii_control()))
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

fn block_comment(rest: &str) -> usize {
    rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
}

/// Measures a quoted text; a doubled quote stands for itself, and so does one behind a backslash.
fn quoted(rest: &str, quote: char, escapes: bool) -> usize {
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && escapes {
            chars.next();
        } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return at + quote.len_utf8();
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, quotes: Quotes) -> Vec<Kind> {
        quotes.tokens(text).iter().map(|token| token.kind).collect()
    }

    #[test]
    fn quotes_are_read_as_the_server_reads_them() {
        let ansi = Quotes::of_mode("STRICT_ALL_TABLES,ANSI_QUOTES");
        let plain = Quotes::of_mode("NO_BACKSLASH_ESCAPES");
        assert_eq!(kinds(r#""a""#, Quotes::default()), [Kind::Text]);
        assert_eq!(kinds(r#""a""#, ansi), [Kind::Quoted]);
        assert_eq!(kinds(r"'a\' /*! x */ '", Quotes::default()), [Kind::Text]);
        assert_eq!(kinds(r"'a\' /*! x */ '", plain), [Kind::Text, Kind::Hidden, Kind::Text]);
    }

    #[test]
    fn comments_are_told_from_what_only_looks_like_one() {
        let of = |text| kinds(text, Quotes::default());
        assert_eq!(of("1--1"), [Kind::Word, Kind::Sign, Kind::Sign, Kind::Word]);
        assert_eq!(
            of("1 -- x\n# y\n/* z */"),
            [Kind::Word, Kind::Comment, Kind::Comment, Kind::Comment]
        );
        assert_eq!(of("/*!50000 x*/ /*M! y"), [Kind::Hidden, Kind::Hidden]);
    }

    #[test]
    fn names_lose_their_quotes() {
        let names: Vec<String> =
            Quotes::default().tokens("`a``b` plain 'c''d'").iter().map(Token::name).collect();
        assert_eq!(names, ["a`b", "plain", "c'd"]);
    }
}
