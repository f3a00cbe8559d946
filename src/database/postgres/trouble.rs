//! The server's errors as what they mean to a person: the query's fault, or the connection's.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, ErrorPosition};

use super::super::{DatabaseError, Trouble};
use super::sources::Target;
use super::tokens::code;
use crate::domain::{Diagnostic, Failure, Span, Stage};

/// Why a connection was not made.
pub(super) enum Connecting {
    /// The server or the way to it says why.
    Failed(Error),
    /// It took too long.
    TooLong,
}

impl From<Error> for Connecting {
    fn from(error: Error) -> Self {
        Connecting::Failed(error)
    }
}

impl Connecting {
    /// Returns it in words.
    pub(super) fn words(&self) -> String {
        match self {
            Connecting::Failed(error) => words(error),
            Connecting::TooLong => "it doesn't answer in time".to_owned(),
        }
    }

    fn state(&self) -> &str {
        match self {
            Connecting::Failed(error) => state(error),
            Connecting::TooLong => "",
        }
    }
}

/// Returns an error's words: the server's own, or those of what broke the way to it.
pub(super) fn words(error: &Error) -> String {
    if let Some(told) = error.as_db_error() {
        return told.message().to_owned();
    }
    if error.is_closed() {
        return "the server closed the connection".to_owned();
    }
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

fn state(error: &Error) -> &str {
    error.code().map_or("", |code| code.code())
}

/// Tells whether trying again may help: nobody answers, or a server that is starting or full.
pub(super) fn may_pass(error: &Connecting) -> bool {
    let state = error.state();
    state.is_empty() || state.starts_with("57P") || state.starts_with("08") || state == "53300"
}

/// Says why a server can't be opened.
pub(super) fn opening(error: &Connecting, target: &Target) -> DatabaseError {
    let (place, words) = (target.place(), error.words());
    let hint = match error.state() {
        "28P01" | "28000" => {
            "Check the user, and give the password by PGPASSWORD or a line in ~/.pgpass."
        }
        "3D000" => "Check the name of the database; `psql -l` lists those there are.",
        "42501" => "Ask for the right to connect: GRANT CONNECT ON DATABASE … TO ….",
        "53300" => "Wait until other programs have closed connections, or raise max_connections.",
        "57P03" => "The server is starting or stopping; ask again in a moment.",
        _ if words.contains("password") => {
            "The server wants a password: give it by PGPASSWORD or a line in ~/.pgpass."
        }
        _ if words.contains("certificate") => {
            "Give the file of the authority as ?sslrootcert=FILE, or another sslmode."
        }
        _ if words.contains("TLS") => "Ask for none with ?sslmode=disable, or turn it on there.",
        _ => "Check host and port, and that the server is running and can be reached from here.",
    };
    DatabaseError::Open {
        what: format!("PostgreSQL at {place} can't be opened: {words}"),
        hint: hint.to_owned(),
    }
}

/// Says that the connection was lost.
pub(super) fn lost(words: &str, target: &Target) -> DatabaseError {
    DatabaseError::Lost {
        what: format!("the connection to PostgreSQL at {} was lost: {words}", target.place()),
        hint: "Ask again: the next use connects anew. Check that the server is running.".to_owned(),
    }
}

/// Says that no connection is to be had any more.
pub(super) fn closed(target: &Target) -> DatabaseError {
    DatabaseError::Lost {
        what: format!("the connections to PostgreSQL at {} are closed", target.place()),
        hint: "Open the database again.".to_owned(),
    }
}

/// Says what went wrong with a question of ours about the server itself.
pub(super) fn of_ours(error: &Error, target: &Target) -> DatabaseError {
    if is_lost(error) {
        return lost(&words(error), target);
    }
    DatabaseError::Lost {
        what: format!(
            "PostgreSQL at {} does not tell its structure: {}",
            target.place(),
            words(error)
        ),
        hint: "Check that the role may read the catalog, and ask again.".to_owned(),
    }
}

/// Tells whether an error is about the connection and not about the statement.
fn is_lost(error: &Error) -> bool {
    match error.as_db_error() {
        None => true,
        Some(told) => {
            let state = told.code().code();
            state.starts_with("57P") || state.starts_with("08") || state == "25P03"
        }
    }
}

/// Says why the server refuses a statement, or why it broke off. The server saw `sql` behind
/// `before`.
pub(super) fn refusal(
    error: &Error,
    (before, sql): (&str, &str),
    stage: Stage,
    target: &Target,
) -> Trouble {
    let Some(told) = error.as_db_error().filter(|_| !is_lost(error)) else {
        return Trouble::Database(lost(&words(error), target));
    };
    let (stage, code) = meaning(told, stage);
    let mut message = told.message().to_owned();
    if stage == Stage::Policy && code == "write" {
        message = format!("only statements that read are run; the server says: {message}");
    }
    for more in [told.detail(), told.hint()].into_iter().flatten() {
        message = format!("{message}. {}", more.trim_end_matches('.'));
    }
    let suggestions = told.hint().and_then(meant).into_iter().collect();
    let span = place(told, sql, before.chars().count());
    let diagnostic = Diagnostic { code: code.to_owned(), message, span, suggestions };
    let retryable = !matches!(stage, Stage::Policy | Stage::Limit);
    Trouble::Query(Failure { stage, diagnostics: vec![diagnostic], retryable })
}

/// Codes of the server (SQLSTATE), and what we call them.
const CODES: &[(&str, &str)] = &[
    ("42703", "no_such_column"),
    ("42P01", "no_such_table"),
    ("3F000", "no_such_table"),
    ("42702", "ambiguous_column"),
    ("42P09", "ambiguous_alias"),
    ("42712", "duplicate_alias"),
    ("42883", "no_such_function"),
    ("42725", "ambiguous_function"),
    ("42804", "type_mismatch"),
    ("42846", "type_mismatch"),
    ("22P02", "type_mismatch"),
    ("22007", "type_mismatch"),
    ("22008", "type_mismatch"),
    ("42704", "no_such_type"),
    ("42601", "syntax_error"),
    ("42803", "misuse_of_aggregate"),
    ("42P20", "misuse_of_window"),
    ("42P10", "bad_reference"),
    ("42P18", "unbound_parameter"),
    ("42P02", "unbound_parameter"),
    ("42P22", "no_such_collation"),
    ("21000", "subquery_rows"),
    ("22012", "division_by_zero"),
    ("22003", "integer_overflow"),
    ("22032", "malformed_json"),
    ("0A000", "not_supported"),
];

/// Returns where a statement stopped, and what we call the reason.
fn meaning(told: &DbError, stage: Stage) -> (Stage, &'static str) {
    let (sqlstate, message) = (told.code().code(), told.message());
    match sqlstate {
        "25006" => return (Stage::Policy, "write"),
        "42501" => return (Stage::Policy, "not_allowed"),
        "57014" if message.contains("timeout") => return (Stage::Limit, "timeout"),
        "57014" => return (Stage::Limit, "interrupted"),
        "53200" | "53100" | "54000" | "54001" => return (Stage::Limit, "memory"),
        "42601" if message.contains("multiple commands") => return (stage, "multiple_statements"),
        "42601" if message.contains("same number of columns") => {
            return (stage, "setop_column_mismatch");
        }
        "42601" if message.contains("subquery") => return (stage, "subquery_columns"),
        "42803" if message.contains("must appear in the GROUP BY") => {
            return (stage, "ungrouped_column");
        }
        "42883" if message.starts_with("operator") => return (stage, "type_mismatch"),
        _ => {}
    }
    let other = if stage == Stage::Run { "run_error" } else { "prepare_error" };
    (stage, CODES.iter().find(|(known, _)| *known == sqlstate).map_or(other, |(_, code)| code))
}

/// Returns the name in `Perhaps you meant to reference the column "c.name".`
fn meant(hint: &str) -> Option<String> {
    let (_, rest) = hint.split_once("Perhaps you meant to reference the column \"")?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

/// Finds the place that the server points to; it counts characters from 1.
fn place(told: &DbError, sql: &str, shift: usize) -> Option<Span> {
    let ErrorPosition::Original(at) = told.position()? else { return None };
    let characters = usize::try_from(*at).ok()?.checked_sub(1 + shift)?;
    let start = sql.char_indices().nth(characters).map_or(sql.len(), |(byte, _)| byte);
    Some(name_at(sql, start))
}

/// Spans the token at a byte, and the names that follow it after dots.
pub(super) fn name_at(sql: &str, offset: usize) -> Span {
    let found = code(sql);
    let Some(at) = found.iter().position(|token| token.end() > offset) else {
        return Span::new(sql.len(), sql.len());
    };
    let Some(first) = found.get(at) else { return Span::new(offset, offset) };
    let mut end = first.end();
    let mut rest = found.get(at + 1..).unwrap_or(&[]);
    while let [dot, name, ..] = rest {
        if !first.is_name() || !dot.is(".") || !name.is_name() {
            break;
        }
        end = name.end();
        rest = rest.get(2..).unwrap_or(&[]);
    }
    Span::new(first.start, end)
}

/// Says that a statement ran longer than it may.
pub(super) fn timeout(limit: std::time::Duration) -> Trouble {
    let words = if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    };
    let message = format!("the statement ran longer than {words}");
    Trouble::query(Stage::Limit, "timeout", message, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_covers_the_whole_name() {
        let sql = "SELECT '売', c.\"Na me\" + 1 FROM c";
        let at = sql.find("c.").expect("there");
        assert_eq!(name_at(sql, at).of(sql), "c.\"Na me\"");
        assert_eq!(name_at(sql, sql.len()), Span::new(sql.len(), sql.len()));
    }

    #[test]
    fn the_name_that_was_meant_is_taken_from_the_hint() {
        let hint = "Perhaps you meant to reference the column \"customers.name\".";
        assert_eq!(meant(hint).as_deref(), Some("customers.name"));
        assert_eq!(meant("No function matches the given name."), None);
    }
}
