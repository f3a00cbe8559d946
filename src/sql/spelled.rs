//! Words that engines read and the parser doesn't: written in words that it knows, at the same place.
//!
//! Only what leaves names, tables and conditions as they are is respelled; the text stays as given.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::domain::Dialect;

use super::dialect;

/// Respells a statement's tokens.
pub(super) fn spelled_out(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Vec<TokenWithSpan> {
    let is_known = |token: &TokenWithSpan| match &token.token {
        Token::Word(word) => word.quote_style.is_some() || !is_respelled(&word.value),
        Token::Mod | Token::Sharp => dialect != Dialect::Duckdb,
        _ => true,
    };
    if tokens.iter().all(is_known) {
        return tokens;
    }
    let mut spelled: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len() + 1);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = tokens.get(at..).unwrap_or_default();
        let sqlite = dialect == Dialect::Sqlite;
        if sqlite && is_word(token, "ISNULL") && is_after_value(&spelled) {
            for word in ["IS", "NULL"] {
                let token = TokenWithSpan { token: Token::make_keyword(word), span: token.span };
                spelled.push(token);
            }
            at += 1;
        } else if let Some(left_out) = left_out(rest, &spelled, dialect) {
            at += left_out;
        } else {
            spelled.push(token.clone());
            at += 1;
            if is_percent(token, &spelled, tokens.get(at..).unwrap_or_default(), dialect) {
                // as an expression it is no plain number of rows
                let whole = Token::Number("100".to_owned(), false);
                spelled.push(TokenWithSpan { token: whole, span: token.span });
            }
        }
    }
    spelled
}

fn is_respelled(word: &str) -> bool {
    const WORDS: [&str; 5] = ["ISNULL", "EXCLUDE", "ASOF", "SOUNDS", "E"];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_word(token: &TokenWithSpan, wanted: &str) -> bool {
    matches!(&token.token, Token::Word(word)
        if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted))
}

fn is_space(token: &TokenWithSpan) -> bool {
    matches!(token.token, Token::Whitespace(_))
}

/// Counts the tokens at the front that the parser is better off without.
fn left_out(rest: &[TokenWithSpan], before: &[TokenWithSpan], dialect: Dialect) -> Option<usize> {
    let first = rest.first()?;
    let words: Vec<(usize, &TokenWithSpan)> =
        rest.iter().enumerate().filter(|(_, token)| !is_space(token)).take(3).collect();
    let is = |n: usize, wanted: &str| words.get(n).is_some_and(|(_, t)| is_word(t, wanted));
    let through = |n: usize| words.get(n).map(|(at, _)| at + 1);
    let last = before.iter().rev().find(|token| !is_space(token));
    let framed = last.is_some_and(|token| {
        ["ROW", "PRECEDING", "FOLLOWING"].iter().any(|word| is_word(token, word))
    });
    if is(0, "EXCLUDE") && framed {
        return match () {
            () if is(1, "GROUP") || is(1, "TIES") => through(1),
            () if is(1, "CURRENT") && is(2, "ROW") || is(1, "NO") && is(2, "OTHERS") => through(2),
            () => None,
        };
    }
    match dialect {
        Dialect::Duckdb => {
            let joins = ["JOIN", "LEFT", "INNER", "RIGHT", "FULL"].iter().any(|word| is(1, word));
            let text = rest.get(1).is_some_and(|t| matches!(t.token, Token::SingleQuotedString(_)));
            let position = first.token == Token::Sharp
                && rest.get(1).is_some_and(|t| matches!(t.token, Token::Number(..)));
            (is(0, "ASOF") && joins || is(0, "E") && text || position).then_some(1)
        }
        Dialect::Mysql => (is(0, "SOUNDS") && is(1, "LIKE")).then_some(1),
        Dialect::Sqlite | Dialect::Postgres | Dialect::Generic => None,
    }
}

/// Tells whether a sign is that of `LIMIT 50%`.
fn is_percent(
    token: &TokenWithSpan,
    spelled: &[TokenWithSpan],
    rest: &[TokenWithSpan],
    dialect: Dialect,
) -> bool {
    if token.token != Token::Mod || dialect != Dialect::Duckdb {
        return false;
    }
    let mut before = spelled.iter().rev().filter(|token| !is_space(token)).skip(1);
    let number = before.next().is_some_and(|t| matches!(t.token, Token::Number(..)));
    let limit = before
        .next()
        .is_some_and(|t| matches!(&t.token, Token::Word(word) if word.keyword == Keyword::LIMIT));
    let ends = rest.iter().find(|token| !is_space(token)).is_none_or(|next| {
        matches!(next.token, Token::SemiColon | Token::RParen | Token::EOF)
            || is_word(next, "OFFSET")
    });
    number && limit && ends
}

/// Tells whether a value was read last: `ISNULL` is the operator then, elsewhere it may be a name.
fn is_after_value(spelled: &[TokenWithSpan]) -> bool {
    spelled.iter().rev().find(|before| !is_space(before)).is_some_and(|before| {
        matches!(&before.token, Token::RParen | Token::Number(..) | Token::SingleQuotedString(_))
            || matches!(&before.token, Token::Word(word)
            if word.quote_style.is_some() || !dialect::never_a_name(&word.value))
    })
}

#[cfg(test)]
mod tests {
    use crate::domain::Dialect;
    use crate::sql::ReadQuery;

    fn reads(sql: &str, dialect: Dialect) -> bool {
        ReadQuery::parse(sql, dialect).is_ok()
    }

    #[test]
    fn frames_may_exclude_rows_on_every_engine() {
        for what in ["CURRENT ROW", "GROUP", "TIES", "NO OTHERS"] {
            let sql = format!(
                "SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW \
                 EXCLUDE {what}) FROM t"
            );
            for dialect in [Dialect::Sqlite, Dialect::Postgres, Dialect::Duckdb] {
                assert!(reads(&sql, dialect), "{sql}");
            }
        }
        assert!(!reads(
            "SELECT sum(a) OVER (ORDER BY a EXCLUDE CURRENT ROW) FROM t",
            Dialect::Sqlite
        ));
    }

    #[test]
    fn words_of_one_engine_are_read_there() {
        for sql in [
            "SELECT e.id FROM events e ASOF JOIN orders o ON e.id = o.id AND e.at >= o.at",
            "SELECT id FROM orders LIMIT 50%",
            "SELECT #2, #1 FROM (VALUES (1, 'foo'))",
        ] {
            assert!(reads(sql, Dialect::Duckdb), "{sql}");
            assert!(!reads(sql, Dialect::Sqlite), "{sql}");
        }
        assert!(reads("SELECT E'tab\\there'", Dialect::Duckdb));
        assert!(reads("SELECT 'foo' SOUNDS LIKE 'bar'", Dialect::Mysql));
    }

    #[test]
    fn the_same_words_stay_names() {
        assert!(reads("SELECT e, exclude, asof, sounds FROM t AS e", Dialect::Sqlite));
        assert!(reads("SELECT 7 % 2, a % b FROM t LIMIT 10", Dialect::Duckdb));
        let percent =
            ReadQuery::parse("SELECT id FROM t LIMIT 50%", Dialect::Duckdb).expect("it reads");
        let binding = crate::sql::bind(&percent, &crate::domain::Catalog::default());
        assert_eq!(binding.outer().and_then(|scope| scope.tail.limit), None);
    }
}
