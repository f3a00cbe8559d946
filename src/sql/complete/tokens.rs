//! Takes half-typed SQL apart: a lexer that never fails, and that ends an open text at its line.

/// Kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word: name or keyword.
    Word,
    /// A name in quotes.
    Quoted,
    /// A text in single quotes.
    Text,
    /// A number.
    Number,
    /// A comment; kept, so that nothing is offered inside.
    Comment,
    /// Any sign: `=`, `<>`, `(`, `,`, `.` …
    Sign,
}

/// One token: its bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: Kind,
    /// A quote or comment that is closed; true for all else.
    pub(super) closed: bool,
}

impl Token {
    /// Returns the token as written.
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Tells whether the token is this word, whatever its letter case, or this sign.
    pub(super) fn is(self, text: &str, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.of(text).eq_ignore_ascii_case(word)
    }

    /// Tells whether it can be a name.
    pub(super) fn names(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Returns the name without its quotes.
    pub(super) fn name(self, text: &str) -> String {
        let written = self.of(text);
        if self.kind != Kind::Quoted {
            return written.to_owned();
        }
        let Some(quote) = written.chars().next() else { return String::new() };
        let close = if quote == '[' { ']' } else { quote };
        let inner = written.get(quote.len_utf8()..).unwrap_or("");
        let inner = if self.closed { inner.strip_suffix(close).unwrap_or(inner) } else { inner };
        inner.replace(&format!("{close}{close}"), &close.to_string())
    }
}

/// Signs of two letters.
const PAIRS: [&str; 9] = ["<>", "!=", "<=", ">=", "==", "||", "::", "->", "<<"];

/// Lists all tokens of a text, whatever it is.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let token = token_at(text, at, c);
        at = token.end;
        found.push(token);
    }
    found
}

fn token_at(text: &str, start: usize, c: char) -> Token {
    let rest = text.get(start..).unwrap_or("");
    let (length, kind, closed) = match c {
        '\'' => quoted(rest, '\'', Kind::Text),
        '"' | '`' => quoted(rest, c, Kind::Quoted),
        '[' => quoted(rest, ']', Kind::Quoted),
        '-' if rest.starts_with("--") => {
            (rest.find('\n').unwrap_or(rest.len()), Kind::Comment, rest.contains('\n'))
        }
        '/' if rest.starts_with("/*") => match rest.find("*/") {
            Some(end) => (end + 2, Kind::Comment, true),
            None => (rest.len(), Kind::Comment, false),
        },
        _ if c.is_alphabetic() || c == '_' => (run(rest, wordy), Kind::Word, true),
        _ if c.is_ascii_digit() => {
            (run(rest, |c| c.is_ascii_alphanumeric() || c == '.'), Kind::Number, true)
        }
        _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (2, Kind::Sign, true),
        _ => (c.len_utf8(), Kind::Sign, true),
    };
    Token { start, end: start + length, kind, closed }
}

fn wordy(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn run(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !part(c)).unwrap_or(text.len())
}

/// Measures a quoted text; a doubled quote stands for itself, the line's end closes it.
fn quoted(text: &str, close: char, kind: Kind) -> (usize, Kind, bool) {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = letters.next() {
        if c == '\n' {
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

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.of(text)).collect()
    }

    #[test]
    fn anything_is_taken_apart() {
        assert_eq!(
            words("SELECT b.x<>'it''s' --c"),
            ["SELECT", "b", ".", "x", "<>", "'it''s'", "--c"]
        );
        assert_eq!(words("\"a\"\"b\" [c d] `e`"), ["\"a\"\"b\"", "[c d]", "`e`"]);
        assert_eq!(words("größe é 1.5e3 ("), ["größe", "é", "1.5e3", "("]);
        assert_eq!(words(""), Vec::<&str>::new());
    }

    #[test]
    fn an_open_text_ends_with_its_line() {
        assert_eq!(words("= 'con\nORDER"), ["=", "'con", "ORDER"]);
        assert!(!tokens("'a")[0].closed);
        assert!(!tokens("/* x")[0].closed);
    }

    #[test]
    fn names_lose_their_quotes() {
        let text = "\"a\"\"b\" [c] `d`";
        let names: Vec<String> = tokens(text).into_iter().map(|t| t.name(text)).collect();
        assert_eq!(names, ["a\"b", "c", "d"]);
    }
}
