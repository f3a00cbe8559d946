//! What drivers' errors mean: by the code of the SQL standard where they give one, else by words.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Arrow's types and ADBC's states are others' enums, of which few matter here"
)]

use adbc_core::error::{Error, Status};

use super::super::super::{DatabaseError, Trouble};
use super::super::places;
use crate::domain::{Span, Stage};

/// Beginnings of SQLSTATE, and what we call them; the first that fits.
const STATES: &[(&str, Stage, &str)] = &[
    ("42703", Stage::Prepare, "no_such_column"),
    ("42S22", Stage::Prepare, "no_such_column"),
    ("42P01", Stage::Prepare, "no_such_table"),
    ("42S02", Stage::Prepare, "no_such_table"),
    ("42883", Stage::Prepare, "no_such_function"),
    ("42702", Stage::Prepare, "ambiguous_column"),
    ("42803", Stage::Prepare, "ungrouped_column"),
    ("42601", Stage::Prepare, "syntax_error"),
    ("42501", Stage::Prepare, "no_permission"),
    ("42", Stage::Prepare, "prepare_error"),
    ("25006", Stage::Policy, "write"),
    ("57014", Stage::Limit, "interrupted"),
    ("53", Stage::Limit, "resources"),
    ("22012", Stage::Run, "division_by_zero"),
    ("22003", Stage::Run, "out_of_range"),
    ("22", Stage::Run, "conversion"),
];

/// Words of engines that give no code, in lower case, and what we call them; the first that fits.
const WORDS: &[(&str, Stage, &str)] = &[
    ("no such column", Stage::Prepare, "no_such_column"),
    ("cannot resolve attribute", Stage::Prepare, "no_such_column"),
    ("unresolved_column", Stage::Prepare, "no_such_column"),
    ("unknown column", Stage::Prepare, "no_such_column"),
    ("invalid identifier", Stage::Prepare, "no_such_column"),
    ("no such table", Stage::Prepare, "no_such_table"),
    ("table not found", Stage::Prepare, "no_such_table"),
    ("unresolved table", Stage::Prepare, "no_such_table"),
    ("no such function", Stage::Prepare, "no_such_function"),
    ("unknown function", Stage::Prepare, "no_such_function"),
    ("ambiguous", Stage::Prepare, "ambiguous_column"),
    ("syntax error", Stage::Prepare, "syntax_error"),
    ("parse error", Stage::Prepare, "syntax_error"),
    ("sql parser", Stage::Prepare, "syntax_error"),
    ("analysis error", Stage::Prepare, "prepare_error"),
    ("plan error", Stage::Prepare, "prepare_error"),
    ("readonly database", Stage::Policy, "write"),
    ("read-only", Stage::Policy, "write"),
    ("division by zero", Stage::Run, "division_by_zero"),
    ("divide by zero", Stage::Run, "division_by_zero"),
];

/// What an error says of the place, in PostgreSQL's words: a count of characters from 1.
const POSITION: &str = "PG_DIAG_STATEMENT_POSITION";

/// Says what an error means.
pub(super) fn say(error: &Error, stage: Stage, sql: &str) -> Trouble {
    let sqlstate: String = error.sqlstate.iter().filter_map(|c| sign(*c)).collect();
    let words = message(error);
    if is_lost(error.status, &sqlstate) {
        return DatabaseError::Lost {
            what: format!("the connection was lost: {words}"),
            hint: "Check that the server can be reached, and ask again.".to_owned(),
        }
        .into();
    }
    let lower = words.to_lowercase();
    let known = STATES.iter().find(|(begin, ..)| sqlstate.starts_with(begin));
    let known = known.or_else(|| WORDS.iter().find(|(part, ..)| lower.contains(part)));
    let (stage, code) = match (known, error.status) {
        (Some((_, stage, code)), _) => (*stage, *code),
        (None, Status::Cancelled) => (Stage::Limit, "interrupted"),
        (None, Status::Timeout) => (Stage::Limit, "timeout"),
        (None, Status::Unauthorized) => (Stage::Prepare, "no_permission"),
        (None, _) if stage == Stage::Prepare => (stage, "prepare_error"),
        (None, _) => (Stage::Run, "run_error"),
    };
    Trouble::query(stage, code, &words, place(error, &words, sql))
}

#[expect(clippy::cast_sign_loss, reason = "a sign of ASCII, whatever the sign of a byte here")]
fn sign(c: std::os::raw::c_char) -> Option<char> {
    let byte = c as u8;
    byte.is_ascii_alphanumeric().then_some(char::from(byte))
}

/// Returns the words without what the driver says of itself.
fn message(error: &Error) -> String {
    let words = error.message.trim();
    let words =
        words.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(words, |p| p.1);
    words.trim().to_owned()
}

fn is_lost(status: Status, state: &str) -> bool {
    let by_state = state.starts_with("08") || state.starts_with("57P");
    by_state
        || (status == Status::IO && !state.starts_with(|c: char| c.is_ascii_digit() && c != '0'))
}

fn place(error: &Error, words: &str, sql: &str) -> Option<Span> {
    let details = error.details.iter().flatten();
    let told = details.into_iter().find(|(key, _)| key == POSITION);
    let told = told.and_then(|(_, value)| std::str::from_utf8(value).ok()?.trim().parse().ok());
    if let Some(at) = told.and_then(|character| places::byte_of(sql, character)) {
        return places::name_at(sql, at);
    }
    let mut quoted = words.split(['"', '\'', '`']).skip(1).step_by(2);
    let column = words.rsplit_once("no such column: ").map(|(_, name)| name);
    let table = words.rsplit_once("no such table: ").map(|(_, name)| name);
    let named = column.or(table).map(|name| name.split_whitespace().next().unwrap_or(name));
    named
        .and_then(|name| places::find(sql, name))
        .or_else(|| quoted.find_map(|name| places::find(sql, name)))
}

/// Says why a connection can't be opened.
pub(super) fn opening(words: &str, status: Status, shown: &str) -> DatabaseError {
    let hint = match status {
        Status::Unauthenticated | Status::Unauthorized => {
            "Check user and password; give the password as password=env:NAME."
        }
        Status::InvalidArguments | Status::NotImplemented => {
            "Check the options of the address against the driver's own list."
        }
        _ => "Check the options of the address, and that the server can be reached.",
    };
    DatabaseError::Open { what: format!("{shown} can't be opened: {words}"), hint: hint.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(state: &str, words: &str, sql: &str) -> (Stage, String, String) {
        let mut error = Error::with_message_and_status(words, Status::Internal);
        for (to, from) in error.sqlstate.iter_mut().zip(state.bytes()) {
            *to = from.try_into().expect("ASCII");
        }
        let Trouble::Query(failure) = say(&error, Stage::Run, sql) else {
            unreachable!("a failure of the query")
        };
        let place = failure.span().map_or("", |span| span.of(sql)).to_owned();
        (failure.stage, failure.code().to_owned(), place)
    }

    #[test]
    fn errors_are_known_by_code_or_words() {
        let sql = "SELECT nope FROM orders";
        let wanted = (Stage::Prepare, "no_such_column".to_owned(), "nope".to_owned());
        let postgres = "[libpq] Failed: ERROR:  column \"nope\" does not exist";
        assert_eq!(said("42703", postgres, sql), wanted);
        let sail = "[FlightSQL] plan error: analysis error: attribute ObjectName([Identifier(\"nope\")]) \
                    is missing from the schema: cannot resolve attribute";
        assert_eq!(said("", sail, sql), wanted);
        assert_eq!(said("", "[SQLite] no such column: nope", sql), wanted);
        assert_eq!(said("25006", "cannot execute", sql).0, Stage::Policy);
    }
}
