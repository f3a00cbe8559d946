//! Takes any text apart as SQL: never fails, so that half-typed and broken queries can be read.

use crate::domain::Span;

/// Kinds of lexeme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A bare word: name or keyword.
    Word,
    /// A name in quotes of names: `"x"`, `` `x` ``, `[x]`.
    Quoted,
    /// A text in single quotes.
    Text,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// Anything else, such as `(` or `::`.
    Sign,
}

/// Where a quote ends that nobody closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// With its line: what is typed further down is meant as SQL.
    EndsWithLine,
    /// With the text: what a model wrote may break lines inside quotes.
    RunsOn,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lexeme {
    /// Bytes of the text.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    /// A quote or comment that is closed; true for all else.
    pub closed: bool,
}

impl Lexeme {
    /// Returns it as written.
    pub fn of(self, text: &str) -> &str {
        self.span.of(text)
    }

    /// Tells whether it is this bare word, whatever its letter case.
    pub fn is_word(&self, text: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.of(text).eq_ignore_ascii_case(word)
    }

    /// Tells whether it is this sign.
    pub fn is_sign(&self, text: &str, sign: &str) -> bool {
        self.kind == Kind::Sign && self.of(text) == sign
    }

    /// Tells whether it is this bare word or this sign.
    pub fn is(&self, text: &str, what: &str) -> bool {
        self.is_word(text, what) || self.is_sign(text, what)
    }

    /// Tells whether it can be a name.
    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Returns it without quotes of names; doubled quotes inside stay doubled.
    pub fn unquoted(self, text: &str) -> &str {
        let written = self.of(text);
        if self.kind != Kind::Quoted {
            return written;
        }
        // every quote of names is one byte long
        let end = written.len() - usize::from(self.closed);
        written.get(1..end).unwrap_or("")
    }

    /// Returns the name that it stands for.
    pub fn name(self, text: &str) -> String {
        let inner = self.unquoted(text);
        let close = match self.of(text).chars().next() {
            Some('[') => "]",
            Some('"') => "\"",
            Some('`') => "`",
            Some(_) | None => return inner.to_owned(),
        };
        inner.replace(&close.repeat(2), close)
    }
}

/// Signs of two letters.
const PAIRS: [&str; 9] = ["<>", "!=", "<=", ">=", "==", "||", "::", "->", "<<"];

/// Lists all lexemes of a text, comments too.
pub fn lexemes(text: &str, open: Open) -> Vec<Lexeme> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (length, kind, closed) = piece(text.get(at..).unwrap_or(""), c, open);
        found.push(Lexeme { span: Span::new(at, at + length), kind, closed });
        at += length;
    }
    found
}

/// Measures the piece that a text begins with: its length, what it is, whether it is closed.
fn piece(rest: &str, c: char, open: Open) -> (usize, Kind, bool) {
    match c {
        '\'' => quoted(rest, '\'', Kind::Text, open),
        '"' | '`' => quoted(rest, c, Kind::Quoted, open),
        '[' => quoted(rest, ']', Kind::Quoted, open),
        '-' if rest.starts_with("--") => {
            (rest.find('\n').unwrap_or(rest.len()), Kind::Comment, rest.contains('\n'))
        }
        '/' if rest.starts_with("/*") => match rest.find("*/") {
            Some(end) => (end + 2, Kind::Comment, true),
            None => (rest.len(), Kind::Comment, false),
        },
        _ if c.is_ascii_digit() => {
            (run(rest, |c| c.is_ascii_alphanumeric() || c == '.'), Kind::Number, true)
        }
        _ if wordy(c) => (run(rest, wordy), Kind::Word, true),
        _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (2, Kind::Sign, true),
        _ => (c.len_utf8(), Kind::Sign, true),
    }
}

fn wordy(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn run(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !part(c)).unwrap_or(text.len())
}

/// Measures a quoted text; a doubled quote stands for itself.
fn quoted(text: &str, close: char, kind: Kind, open: Open) -> (usize, Kind, bool) {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = letters.next() {
        if c == '\n' && open == Open::EndsWithLine {
            return (at, kind, false);
        }
        if c == close {
            if letters.peek().is_some_and(|(_, next)| *next == close) {
                letters.next();
            } else {
                return (at + close.len_utf8(), kind, true);
            }
        }
    }
    (text.len(), kind, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, open: Open) -> Vec<&str> {
        lexemes(text, open).into_iter().map(|lexeme| lexeme.of(text)).collect()
    }

    #[test]
    fn anything_is_taken_apart() {
        let typed = |text| words(text, Open::EndsWithLine);
        assert_eq!(
            typed("SELECT b.x<>'it''s' --c"),
            ["SELECT", "b", ".", "x", "<>", "'it''s'", "--c"]
        );
        assert_eq!(typed("\"a\"\"b\" [c d] `e`"), ["\"a\"\"b\"", "[c d]", "`e`"]);
        assert_eq!(typed("größe é 1.5e3 ("), ["größe", "é", "1.5e3", "("]);
        assert_eq!(typed(""), Vec::<&str>::new());
    }

    #[test]
    fn an_open_text_ends_with_its_line_or_runs_on() {
        assert_eq!(words("= 'con\nORDER", Open::EndsWithLine), ["=", "'con", "ORDER"]);
        assert_eq!(words("= 'con\nORDER", Open::RunsOn), ["=", "'con\nORDER"]);
        for open in [Open::EndsWithLine, Open::RunsOn] {
            assert!(!lexemes("'a", open)[0].closed);
            assert!(!lexemes("/* x", open)[0].closed);
        }
    }

    #[test]
    fn names_lose_their_quotes() {
        let text = "\"a\"\"b\" [c] `d` \"open";
        let all = lexemes(text, Open::RunsOn);
        let names: Vec<String> = all.iter().map(|lexeme| lexeme.name(text)).collect();
        assert_eq!(names, ["a\"b", "c", "d", "open"]);
        assert_eq!(all[0].unquoted(text), "a\"\"b");
    }
}
