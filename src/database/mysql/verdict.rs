//! The server's verdict on a statement, in its own words, with code and place.

use mysql_async::{Error, ServerError};

use super::super::Trouble;
use super::address::Target;
use super::tokens::{Kind, Quotes, Token};
use super::trouble;
use crate::domain::{Span, Stage};

/// Says why the server refuses a statement, or why it broke off.
pub(super) fn refusal(error: &Error, sql: &str, quotes: Quotes, target: &Target) -> Trouble {
    let Error::Server(server) = error else {
        return Trouble::Database(trouble::lost(error, target));
    };
    if trouble::is_about_connection(error) {
        return Trouble::Database(trouble::lost(error, target));
    }
    let text = Text { sql, found: quotes.tokens(sql) };
    let (stage, code) = meaning(server.code);
    let words = trouble::words(error);
    if stage == Stage::Policy {
        return policy(server, &text, &words);
    }
    let span = match code {
        "syntax_error" => text.near(&words),
        "no_such_column" | "no_such_table" | "no_such_function" | "ambiguous_column"
        | "wrong_arguments" => subject(&words).and_then(|name| text.find(name)),
        _ => None,
    };
    Trouble::query(stage, code, words, span)
}

/// Says that the statement ran longer than it may.
pub(super) fn timeout(limit: std::time::Duration) -> Trouble {
    let words = if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    };
    let message = format!("the statement ran longer than {words}");
    Trouble::query(Stage::Limit, "timeout", message, None)
}

/// Tells whether the server ended a statement because its time was over.
pub(super) fn is_timeout(error: &Error) -> bool {
    matches!(error, Error::Server(server) if matches!(server.code, 1969 | 3024))
}

/// The server's error numbers and what we call them, as its list of errors describes them.
fn meaning(code: u16) -> (Stage, &'static str) {
    match code {
        1054 | 1247 => (Stage::Prepare, "no_such_column"),
        1146 | 1109 | 1051 | 1049 | 1356 => (Stage::Prepare, "no_such_table"),
        1305 | 1630 | 1128 => (Stage::Prepare, "no_such_function"),
        1064 | 1065 | 1149 | 1221 | 1235 => (Stage::Prepare, "syntax_error"),
        1052 => (Stage::Prepare, "ambiguous_column"),
        1111 | 1140 => (Stage::Prepare, "misuse_of_aggregate"),
        1055 | 1463 => (Stage::Prepare, "ungrouped_column"),
        1222 => (Stage::Prepare, "setop_column_mismatch"),
        1582 | 1318 | 1583 => (Stage::Prepare, "wrong_arguments"),
        1241 => (Stage::Prepare, "subquery_columns"),
        1066 | 1248 | 1060 => (Stage::Prepare, "bad_alias"),
        1267 | 1270 | 1271 | 1273 => (Stage::Prepare, "no_such_collation"),
        3593 | 4015 | 4016 => (Stage::Prepare, "misuse_of_window"),
        1142 | 1143 | 1227 | 1290 | 1295 | 1370 | 1792 | 1044 | 1148 | 3948 | 4166 => {
            (Stage::Policy, "write")
        }
        1317 => (Stage::Limit, "interrupted"),
        1969 | 3024 => (Stage::Limit, "timeout"),
        1037 | 1038 | 1041 | 1135 => (Stage::Limit, "memory"),
        1690 => (Stage::Run, "integer_overflow"),
        1242 => (Stage::Run, "subquery_rows"),
        3140 | 3141 | 3143 | 4037 | 4038 => (Stage::Run, "malformed_json"),
        1205 | 1213 => (Stage::Run, "locked"),
        _ => (Stage::Prepare, "prepare_error"),
    }
}

/// Says that the server allows a statement not at all, or not to this user.
fn policy(server: &ServerError, text: &Text<'_>, words: &str) -> Trouble {
    let denied = matches!(server.code, 1142 | 1143 | 1370 | 1044 | 1227);
    let span = subject(words).and_then(|name| text.find(name));
    let code = if denied && words.starts_with("SELECT ") { "not_allowed" } else { "write" };
    let message = if code == "write" {
        format!("only statements that read are run; the server says: {words}")
    } else {
        words.to_owned()
    };
    Trouble::query(Stage::Policy, code, message, span)
}

/// Returns the name that an error is about: the first in quotes, or before "does not exist".
fn subject(words: &str) -> Option<&str> {
    if let Some(name) =
        words.strip_prefix("FUNCTION ").and_then(|w| w.strip_suffix(" does not exist"))
    {
        // the server puts the database before it
        return name.rsplit('.').next();
    }
    let (_, rest) = words.split_once(['\'', '`'])?;
    let end = rest.find(['\'', '`'])?;
    rest.get(..end)
}

/// A statement taken apart, to find places in it.
struct Text<'a> {
    sql: &'a str,
    found: Vec<Token<'a>>,
}

impl Text<'_> {
    /// Finds a name, maybe with dots, where it stands as one: the whole of it if it does.
    fn find(&self, name: &str) -> Option<Span> {
        let parts: Vec<&str> = name.split('.').collect();
        let last = parts.last()?;
        let names: Vec<&Token<'_>> = self
            .found
            .iter()
            .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Text))
            .collect();
        let is = |token: Option<&&Token<'_>>, name: &str| {
            token.is_some_and(|token| {
                matches!(token.kind, Kind::Word | Kind::Quoted)
                    && token.name().eq_ignore_ascii_case(name)
            })
        };
        let dotted = |at: usize| at > 0 && names.get(at - 1).is_some_and(|token| token.is("."));
        // an unknown `a.b` stands as that; an unknown `b` stands alone
        let best = (0..names.len()).find(|at| {
            is(names.get(*at), last)
                && match parts.as_slice() {
                    [.., before, _] => {
                        dotted(*at) && is(at.checked_sub(2).and_then(|at| names.get(at)), before)
                    }
                    _ => !dotted(*at),
                }
        });
        let at = best.or_else(|| (0..names.len()).find(|at| is(names.get(*at), last)))?;
        names.get(at).map(|token| token.span())
    }

    /// Finds the place of `… near 'rest of the SQL' at line 2`.
    fn near(&self, words: &str) -> Option<Span> {
        let (_, rest) = words.split_once("near '")?;
        let (near, line) = rest.rsplit_once("' at line ")?;
        if near.is_empty() {
            return Some(Span::new(self.sql.len(), self.sql.len()));
        }
        let line: usize = line.trim().parse().ok()?;
        let line_of = |at: usize| self.sql.get(..at).unwrap_or("").matches('\n').count() + 1;
        let starts = |token: &&Token<'_>| {
            self.sql.get(token.start..).is_some_and(|rest| rest.starts_with(near))
        };
        let mut places = self.found.iter().filter(starts);
        let first = places.clone().next();
        places.find(|token| line_of(token.start) == line).or(first).map(Token::span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sql: &str) -> Vec<Token<'_>> {
        Quotes::default().tokens(sql)
    }

    #[test]
    fn places_are_found_by_the_servers_words() {
        let sql = "SELECT a.nam,\n nam FORM b";
        let text = Text { sql, found: said(sql) };
        assert_eq!(text.find("a.nam"), Some(Span::new(9, 12)));
        assert_eq!(text.find("nam"), Some(Span::new(15, 18)));
        let words = "… for the right syntax to use near 'FORM b' at line 2";
        assert_eq!(text.near(words), Some(Span::new(19, 23)));
    }
}
