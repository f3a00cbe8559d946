//! Tokens of a text that may not be SQL: never fails, so that broken queries can be mended.

use crate::domain::Span;

/// Kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word.
    Word,
    /// A name in quotes of names: `"x"`, `` `x` ``, `[x]`.
    Quoted,
    /// A text in single quotes.
    Text,
    /// A number.
    Number,
    /// Anything else, such as `(` or `::`.
    Sign,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lexeme {
    /// Bytes of the text.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: Kind,
}

impl Lexeme {
    /// Tells whether it can be a name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Returns its text without quotes of names.
    pub(super) fn unquoted<'a>(&self, sql: &'a str) -> &'a str {
        let text = self.span.of(sql);
        match self.kind {
            Kind::Quoted => text.get(1..text.len().saturating_sub(1)).unwrap_or(""),
            Kind::Word | Kind::Text | Kind::Number | Kind::Sign => text,
        }
    }

    /// Tells whether it is this bare word, in any letter case.
    pub(super) fn is_word(&self, sql: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.span.of(sql).eq_ignore_ascii_case(word)
    }

    /// Tells whether it is this sign.
    pub(super) fn is_sign(&self, sql: &str, sign: &str) -> bool {
        self.kind == Kind::Sign && self.span.of(sql) == sign
    }
}

/// Signs of two characters.
const PAIRS: &[&str] = &["::", "<=", ">=", "<>", "!=", "||", "=="];

/// Splits a text into tokens; spaces and comments are left out, an open quote runs to the end.
pub(super) fn lex(sql: &str) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    let mut at = 0;
    while let Some(c) = sql.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = sql.get(at..).unwrap_or("");
        let (kind, length) = match c {
            _ if c.is_whitespace() => (None, c.len_utf8()),
            '-' if rest.starts_with("--") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            '\'' => (Some(Kind::Text), quoted(rest, '\'')),
            '"' | '`' => (Some(Kind::Quoted), quoted(rest, c)),
            '[' => (Some(Kind::Quoted), rest.find(']').map_or(rest.len(), |end| end + 1)),
            _ if c.is_ascii_digit() => (Some(Kind::Number), number(rest)),
            _ if is_word(c) => (Some(Kind::Word), rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (Some(Kind::Sign), 2),
            _ => (Some(Kind::Sign), c.len_utf8()),
        };
        if let Some(kind) = kind {
            lexemes.push(Lexeme { span: Span::new(at, at + length), kind });
        }
        at += length;
    }
    lexemes
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Measures a quoted text; a doubled quote inside belongs to it.
fn quoted(rest: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(end) = rest.get(at..).and_then(|r| r.find(quote)) {
        at += end + 1;
        if !rest.get(at..).is_some_and(|r| r.starts_with(quote)) {
            return at;
        }
        at += 1;
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len())
}

/// Finds the token that closes the bracket at `open`.
pub(super) fn closing(lexemes: &[Lexeme], sql: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, lexeme) in lexemes.iter().enumerate().skip(open) {
        if lexeme.is_sign(sql, "(") {
            depth += 1;
        } else if lexeme.is_sign(sql, ")") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Finds the token that opens the bracket closed at `close`.
pub(super) fn opening(lexemes: &[Lexeme], sql: &str, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        let lexeme = lexemes.get(at)?;
        if lexeme.is_sign(sql, ")") {
            depth += 1;
        } else if lexeme.is_sign(sql, "(") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Finds where the value starts that ends with the token at `last`: a call, a bracket, a name with
/// its qualifiers, a number or a text.
pub(super) fn operand_start(lexemes: &[Lexeme], sql: &str, last: usize) -> Option<usize> {
    let lexeme = lexemes.get(last)?;
    let mut start = if lexeme.is_sign(sql, ")") {
        let open = opening(lexemes, sql, last)?;
        let named = open.checked_sub(1).and_then(|at| lexemes.get(at));
        let call = named.is_some_and(|l| l.is_name() && !is_operator_word(l.span.of(sql)));
        if call { open - 1 } else { open }
    } else if lexeme.kind == Kind::Sign {
        return None;
    } else {
        last
    };
    while start >= 2
        && lexemes.get(start - 1).is_some_and(|l| l.is_sign(sql, "."))
        && lexemes.get(start - 2).is_some_and(Lexeme::is_name)
    {
        start -= 2;
    }
    Some(start)
}

/// Words after which a bracket is no call's.
fn is_operator_word(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "SELECT", "WHERE", "AND", "OR", "NOT", "IN", "ON", "BY", "HAVING", "WHEN", "THEN", "ELSE",
        "CASE", "BETWEEN", "LIKE", "FROM", "AS", "DISTINCT", "LIMIT", "USING", "JOIN",
    ];
    WORDS.iter().any(|w| word.eq_ignore_ascii_case(w))
}
