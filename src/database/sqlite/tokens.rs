//! SQLite's SQL as tokens: just enough to find names and comments in statements of any age.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word or number.
    Word,
    /// A name in `"…"`, `` `…` `` or `[…]`.
    Quoted,
    /// `'…'`.
    Text,
    /// `-- …` or `/* … */`.
    Comment,
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
    /// Line it begins on, from 0.
    pub(super) line: usize,
}

impl Token<'_> {
    /// Returns one past the last byte.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Tells whether it is this word, in any letter case.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text.eq_ignore_ascii_case(word)
    }

    /// Returns a name without its quotes; also `'…'`, which old statements use for names.
    pub(super) fn name(&self) -> String {
        let inner = || {
            let mut chars = self.text.chars();
            chars.next();
            chars.next_back();
            chars.as_str()
        };
        match (self.kind, self.text.as_bytes().first()) {
            (Kind::Quoted, Some(b'[')) => inner().to_owned(),
            (Kind::Quoted, Some(b'`')) => inner().replace("``", "`"),
            (Kind::Quoted, _) => inner().replace("\"\"", "\""),
            (Kind::Text, _) => inner().replace("''", "'"),
            (Kind::Word | Kind::Comment | Kind::Sign, _) => self.text.to_owned(),
        }
    }
}

/// Splits a text into tokens; anything that isn't closed reaches to the end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 0);
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        if first.is_whitespace() {
            line += usize::from(first == '\n');
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = measure(rest, first);
        let token = rest.get(..length).unwrap_or(rest);
        found.push(Token { kind, text: token, start: at, line });
        line += token.matches('\n').count();
        at += token.len();
    }
    found
}

fn measure(rest: &str, first: char) -> (Kind, usize) {
    match first {
        '\'' => (Kind::Text, quoted(rest, '\'')),
        '"' | '`' => (Kind::Quoted, quoted(rest, first)),
        '[' => (Kind::Quoted, rest.find(']').map_or(rest.len(), |end| end + 1)),
        '-' if rest.starts_with("--") => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (Kind::Comment, block_comment(rest)),
        _ if in_word(first) => (Kind::Word, rest.find(|c| !in_word(c)).unwrap_or(rest.len())),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

fn block_comment(rest: &str) -> usize {
    rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
}

/// Measures a quoted text; a doubled quote stands for itself.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != quote {
            continue;
        }
        if chars.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_out_of_every_kind_of_quotes() {
        let names: Vec<String> =
            tokens(r#""a ""b""" `c``d` [e f] 'g''h' plain é"#).iter().map(Token::name).collect();
        assert_eq!(names, ["a \"b\"", "c`d", "e f", "g'h", "plain", "é"]);
    }

    #[test]
    fn comments_are_tokens_and_quotes_hide_them() {
        let kinds: Vec<Kind> = tokens("a -- x\n'--' /* y\n */ b").iter().map(|t| t.kind).collect();
        assert_eq!(kinds, [Kind::Word, Kind::Comment, Kind::Text, Kind::Comment, Kind::Word]);
        assert_eq!(tokens("a /* \n\n */ b").last().map(|t| t.line), Some(2));
    }

    #[test]
    fn what_is_not_closed_reaches_to_the_end() {
        for text in ["'abc", "\"abc", "[abc", "/* abc", "-- abc", "`"] {
            assert_eq!(tokens(text).len(), 1, "{text}");
        }
    }
}
