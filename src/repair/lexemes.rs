//! Brackets and values among the lexemes of a text that may not be SQL.

use crate::sql::lexemes::{Open, lexemes};

pub(super) use crate::sql::lexemes::{Kind, Lexeme};

/// Splits a text into lexemes; comments are left out, an open quote runs to the end.
pub(super) fn lex(sql: &str) -> Vec<Lexeme> {
    let all = lexemes(sql, Open::RunsOn);
    all.into_iter().filter(|lexeme| lexeme.kind != Kind::Comment).collect()
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
