//! The engine's verdict on a statement, in its own words, with code and place.

use std::path::Path;

use rusqlite::{ErrorCode, Statement};

use super::super::Trouble;
use super::super::session::{Lane, Watch};
use super::tokens::{Kind, Token, tokens};
use super::trouble;
use crate::domain::{Span, Stage};

/// Beginnings of the engine's messages and what we call them.
const CODES: &[(&str, &str)] = &[
    ("no such column", "no_such_column"),
    ("no such table", "no_such_table"),
    ("unknown database", "no_such_table"),
    ("ambiguous column name", "ambiguous_column"),
    ("no such function", "no_such_function"),
    ("wrong number of arguments to function", "wrong_arguments"),
    ("misuse of aggregate", "misuse_of_aggregate"),
    ("misuse of aliased aggregate", "misuse_of_aggregate"),
    ("misuse of window function", "misuse_of_window"),
    ("misuse of aliased window function", "misuse_of_window"),
    ("SELECTs to the left and right of", "setop_column_mismatch"),
    ("all VALUES must have the same number of terms", "setop_column_mismatch"),
    ("near ", "syntax_error"),
    ("unrecognized token", "syntax_error"),
    ("incomplete input", "syntax_error"),
    ("no tables specified", "syntax_error"),
    ("HAVING clause on a non-aggregate query", "having_without_group"),
    ("a GROUP BY clause is required before HAVING", "having_without_group"),
    ("sub-select returns", "subquery_columns"),
    ("row value misused", "subquery_columns"),
    ("no such collation sequence", "no_such_collation"),
    ("unsafe use of", "unsafe_use"),
];

/// Beginnings of messages that come while a statement runs.
const RUN_CODES: &[(&str, &str)] = &[
    ("integer overflow", "integer_overflow"),
    ("malformed JSON", "malformed_json"),
    ("bad JSON path", "malformed_json"),
    ("JSON path error", "malformed_json"),
    ("string or blob too big", "too_big"),
];

/// What the engine says when the authorizer refuses a function; its code is that of any error.
const REFUSED_FUNCTION: &str = "not authorized to use function: ";

/// Prepares a statement and proves by the engine that it only reads.
pub(super) fn prepare<'a>(
    lane: &'a Lane,
    sql: &str,
    path: &Path,
) -> Result<Statement<'a>, Trouble> {
    if let Some(at) = sql.find('\0') {
        // the engine would take the text to end there, and run another statement than the one shown
        let message = "the SQL holds a NUL character, behind which SQLite reads nothing; remove it";
        let span = Some(Span { start: at, end: at + 1 });
        return Err(Trouble::query(Stage::Prepare, "nul_character", message, span));
    }
    let statement = lane.connection.prepare(sql).map_err(|error| refusal(&error, sql, path))?;
    if !statement.readonly() {
        return Err(write(sql));
    }
    if statement.parameter_count() > 0 {
        let name = statement.parameter_name(1).unwrap_or("?").to_owned();
        let span = find(sql, &name);
        let message = format!("parameter {name} has no value; write the value into the query");
        return Err(Trouble::query(Stage::Prepare, "unbound_parameter", message, span));
    }
    Ok(statement)
}

/// Says why the engine refuses a statement.
fn refusal(error: &rusqlite::Error, sql: &str, path: &Path) -> Trouble {
    let prepare = |code, message: &str, span| Trouble::query(Stage::Prepare, code, message, span);
    if matches!(error, rusqlite::Error::Empty) {
        return prepare("empty", "there is no statement", None);
    }
    if matches!(error, rusqlite::Error::MultipleStatement) {
        let span = second_statement(sql);
        return prepare("multiple_statements", "there is more than one statement", span);
    }
    if let Some(database) = trouble::environment(error, path) {
        return Trouble::Database(database);
    }
    let (code, _, words) = trouble::parts(error);
    let refused_function = words.starts_with(REFUSED_FUNCTION);
    if code == Some(ErrorCode::AuthorizationForStatementDenied) || refused_function {
        return denied(sql, &words);
    }
    prepare(code_of(&words, CODES).unwrap_or("prepare_error"), &words, place(error, sql, &words))
}

/// Says why a statement broke off while it ran.
pub(super) fn broken_off(
    error: &rusqlite::Error,
    watch: &Watch,
    timeout: std::time::Duration,
    path: &Path,
) -> Trouble {
    let (code, _, words) = trouble::parts(error);
    if code == Some(ErrorCode::OperationInterrupted) {
        let (code, message) = if watch.dropped() {
            ("interrupted", "the statement was interrupted".to_owned())
        } else {
            ("timeout", format!("the statement ran longer than {}", seconds(timeout)))
        };
        return Trouble::query(Stage::Limit, code, message, None);
    }
    if code == Some(ErrorCode::OutOfMemory) {
        let message = "the statement needs more memory than there is".to_owned();
        return Trouble::query(Stage::Limit, "memory", message, None);
    }
    if code == Some(ErrorCode::AuthorizationForStatementDenied) {
        let message = "only statements that read data are run; a PRAGMA in it is refused";
        return Trouble::query(Stage::Policy, "write", message, None);
    }
    if let Some(database) = trouble::environment(error, path) {
        return Trouble::Database(database);
    }
    let known = code_of(&words, RUN_CODES).or_else(|| code_of(&words, CODES));
    Trouble::query(Stage::Run, known.unwrap_or("run_error"), words, None)
}

fn seconds(time: std::time::Duration) -> String {
    if time.subsec_millis() == 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{} ms", time.as_millis())
    }
}

fn code_of(words: &str, codes: &[(&str, &'static str)]) -> Option<&'static str> {
    codes.iter().find(|(begin, _)| words.starts_with(begin)).map(|(_, code)| *code)
}

/// Says that a statement is refused because it could change something.
fn write(sql: &str) -> Trouble {
    let words = tokens(sql);
    let first = words.iter().find(|token| token.kind != Kind::Comment);
    let verb = first.map_or(String::new(), |token| token.text.to_ascii_uppercase());
    let message = format!("only statements that read are run; {verb} is refused by the engine");
    Trouble::query(Stage::Policy, "write", message, first.map(span_of))
}

fn denied(sql: &str, words: &str) -> Trouble {
    let Some(function) = words.strip_prefix(REFUSED_FUNCTION) else { return write(sql) };
    let message = format!("function {function} is refused: it reaches outside the database");
    Trouble::query(Stage::Policy, "write", message, find(sql, function))
}

fn span_of(token: &Token<'_>) -> Span {
    Span::new(token.start, token.end())
}

fn second_statement(sql: &str) -> Option<Span> {
    let found = tokens(sql);
    let end = found.iter().position(|token| token.is(";"))?;
    found.get(end + 1..)?.iter().find(|t| t.kind != Kind::Comment && !t.is(";")).map(span_of)
}

/// Finds the place of an error: where the engine points, else where the name stands.
fn place(error: &rusqlite::Error, sql: &str, words: &str) -> Option<Span> {
    if let rusqlite::Error::SqlInputError { sql: part, offset, .. } = error {
        // a refused second statement is told by its own text: count from its begin in ours
        let before = sql.len().checked_sub(part.len())?;
        return Some(name_at(sql, before + usize::try_from(*offset).ok()?));
    }
    if words.starts_with("incomplete input") {
        return Some(Span::new(sql.len(), sql.len()));
    }
    let (_, name) = words.split_once(": ")?;
    find(sql, name.trim_end_matches("()"))
}

/// Spans the token at a byte, and the names that follow it after dots.
fn name_at(sql: &str, offset: usize) -> Span {
    let found = tokens(sql);
    let Some(at) = found.iter().position(|token| token.end() > offset) else {
        return Span::new(sql.len(), sql.len());
    };
    let Some(first) = found.get(at) else { return Span::new(offset, offset) };
    let mut end = first.end();
    let mut rest = found.get(at + 1..).unwrap_or(&[]);
    while let [dot, name, ..] = rest {
        if !dot.is(".") || dot.start != end || name.start != dot.end() {
            break;
        }
        end = name.end();
        rest = rest.get(2..).unwrap_or(&[]);
    }
    Span::new(first.start, end)
}

/// Finds a name, maybe with dots, where it stands as a name.
fn find(sql: &str, name: &str) -> Option<Span> {
    let wanted: Vec<&str> = name.split('.').collect();
    let found: Vec<Token<'_>> =
        tokens(sql).into_iter().filter(|token| token.kind != Kind::Comment).collect();
    // a parameter's sign is a token of its own: `:name` is looked for by its name
    let last = wanted.last()?.trim_start_matches([':', '@', '$', '?']);
    let named = |token: &&Token<'_>| token.name().eq_ignore_ascii_case(last);
    let by_name = found.iter().filter(|token| token.kind != Kind::Text).find(named);
    by_name.or_else(|| found.iter().find(named)).map(span_of)
}
