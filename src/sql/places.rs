//! Where things stand in a query's text: lines and columns of the parser turned into bytes.

use sqlparser::ast::Spanned;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Span as ParserSpan, Token, TokenWithSpan};

use crate::domain::Span;

/// Line starts of a text, to turn the parser's locations into bytes.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// First byte of each line, and whether the line is pure ASCII.
    starts: Vec<(usize, bool)>,
    length: usize,
}

impl Lines {
    /// Reads the line starts once; every later look-up is quick.
    pub(super) fn of(text: &str) -> Self {
        let mut starts = Vec::new();
        let mut at = 0;
        for line in text.split('\n') {
            starts.push((at, line.is_ascii()));
            at += line.len() + 1;
        }
        Lines { starts, length: text.len() }
    }

    /// Returns the byte of a location; none for the parser's empty location.
    pub(super) fn byte(&self, text: &str, at: Location) -> Option<usize> {
        let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
        let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
        let (start, ascii) = *self.starts.get(line)?;
        if ascii {
            return Some((start + column).min(self.length));
        }
        let rest = text.get(start..)?;
        Some(rest.char_indices().nth(column).map_or(self.length, |(byte, _)| start + byte))
    }

    /// Turns the parser's span into bytes; none for an empty one.
    pub(super) fn span(&self, text: &str, span: ParserSpan) -> Option<Span> {
        let (start, end) = (self.byte(text, span.start)?, self.byte(text, span.end)?);
        (start <= end).then_some(Span { start, end })
    }
}

/// A token that is neither space nor comment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lexeme {
    /// Bytes of the text.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: Lexed,
}

/// Kinds of token, as far as anyone here cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lexed {
    /// A bare word; the keyword it is, or `NoKeyword`.
    Word(Keyword),
    /// A word in quotes of names.
    Quoted,
    /// A number.
    Number,
    /// A text in quotes, of any kind.
    Text,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `::`
    DoubleColon,
    /// Anything else.
    Sign,
}

/// All tokens of a text with their bytes, spaces and comments left out.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) lines: Lines,
    pub(super) lexemes: Vec<Lexeme>,
    /// True when the text holds a comment.
    pub(super) comments: bool,
}

impl Places {
    /// Locates tokens.
    pub(super) fn of(text: &str, tokens: &[TokenWithSpan]) -> Self {
        let lines = Lines::of(text);
        let mut lexemes = Vec::with_capacity(tokens.len() / 2);
        let mut comments = false;
        for token in tokens {
            if let Token::Whitespace(space) = &token.token {
                use sqlparser::tokenizer::Whitespace;
                comments |=
                    !matches!(space, Whitespace::Space | Whitespace::Newline | Whitespace::Tab);
                continue;
            }
            let Some(span) = lines.span(text, token.span) else { continue };
            lexemes.push(Lexeme { span, kind: kind_of(&token.token, span.of(text)) });
        }
        Places { lines, lexemes, comments }
    }

    /// Finds the first token at or after a byte.
    pub(super) fn from(&self, byte: usize) -> usize {
        self.lexemes.partition_point(|lexeme| lexeme.span.start < byte)
    }

    /// Returns a token's kind.
    pub(super) fn kind(&self, at: usize) -> Option<Lexed> {
        self.lexemes.get(at).map(|lexeme| lexeme.kind)
    }

    /// Tells whether the token is this keyword.
    pub(super) fn is_word(&self, at: usize, keyword: Keyword) -> bool {
        self.kind(at) == Some(Lexed::Word(keyword))
    }

    /// Finds the token that closes the parenthesis opened at `open`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, lexeme) in self.lexemes.iter().enumerate().skip(open) {
            match lexeme.kind {
                Lexed::Open => depth += 1,
                Lexed::Close => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                Lexed::Word(_)
                | Lexed::Quoted
                | Lexed::Number
                | Lexed::Text
                | Lexed::Comma
                | Lexed::Semicolon
                | Lexed::DoubleColon
                | Lexed::Sign => {}
            }
        }
        None
    }

    /// Returns the bytes of a piece of the tree, as far as the parser knows them.
    pub(super) fn of_node(&self, text: &str, node: &impl Spanned) -> Option<Span> {
        self.lines.span(text, node.span())
    }

    /// Widens a span until every parenthesis opened in it is closed in it.
    pub(super) fn balanced(&self, span: Span) -> Span {
        let mut depth = 0usize;
        let mut end = span.end;
        for lexeme in self.lexemes.get(self.from(span.start)..).unwrap_or_default() {
            if lexeme.span.end > span.end && depth == 0 {
                break;
            }
            match lexeme.kind {
                Lexed::Open => depth += 1,
                Lexed::Close if depth > 0 => {
                    depth -= 1;
                    end = end.max(lexeme.span.end);
                }
                Lexed::Close if lexeme.span.end > span.end => break,
                Lexed::Close
                | Lexed::Word(_)
                | Lexed::Quoted
                | Lexed::Number
                | Lexed::Text
                | Lexed::Comma
                | Lexed::Semicolon
                | Lexed::DoubleColon
                | Lexed::Sign => {}
            }
        }
        Span { start: span.start, end }
    }
}

fn kind_of(token: &Token, written: &str) -> Lexed {
    match token {
        Token::Word(word) if word.quote_style.is_some() => Lexed::Quoted,
        Token::Word(word) => Lexed::Word(word.keyword),
        Token::Number(..) => Lexed::Number,
        Token::LParen => Lexed::Open,
        Token::RParen => Lexed::Close,
        Token::Comma => Lexed::Comma,
        Token::SemiColon => Lexed::Semicolon,
        Token::DoubleColon => Lexed::DoubleColon,
        _ if written.ends_with('\'') || written.ends_with('"') => Lexed::Text,
        _ => Lexed::Sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_after_wide_letters_is_found_by_bytes() {
        let text = "SELECT 'é',\n 'ü' x";
        let lines = Lines::of(text);
        let at = lines.byte(text, Location::new(2, 6)).unwrap();
        assert_eq!(text.get(at..), Some("x"));
    }

    #[test]
    fn the_empty_location_is_nowhere() {
        assert_eq!(Lines::of("x").byte("x", Location::empty()), None);
    }
}
