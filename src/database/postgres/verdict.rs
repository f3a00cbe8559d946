//! The server's verdict on a statement, in its own words, with code and place.
//!
//! **Invariant:** no text from outside is run but through `prove`, by which the server says that it
//! is one statement, and one that a cursor can read.

use tokio_postgres::Statement;

use super::super::Trouble;
use super::effects;
use super::pool::Session;
use super::tokens::{Kind, Token, code};
use super::trouble::{self, refusal};
use crate::domain::{Span, Stage};

/// The server takes only a query behind this, and none that changes something on its way.
const CURSOR: &str = "DECLARE querent NO SCROLL CURSOR FOR ";
/// What a statement that reads can begin with.
const READING: &[&str] = &["SELECT", "WITH", "VALUES", "TABLE"];

/// A statement that was proved to read.
pub(super) struct Proved {
    /// Its text, without what may stand before it.
    pub(super) sql: String,
    /// What the server says of its columns.
    pub(super) statement: Statement,
    /// It only explains a query.
    pub(super) explains: bool,
}

/// Lets the server prepare a statement, and proves that it is one and only reads.
pub(super) async fn prove(on: &Session, sql: &str) -> Result<Proved, Trouble> {
    let prepare = |code, message: &str, span| Trouble::query(Stage::Prepare, code, message, span);
    if let Some(at) = sql.find('\0') {
        let message = "the SQL holds a NUL character, which the server can't take; remove it";
        return Err(prepare("nul_character", message, Some(Span::new(at, at + 1))));
    }
    let found = code(sql);
    let begin = found.iter().position(|token| !token.is(";")).unwrap_or(found.len());
    let said = found.get(begin..).unwrap_or(&[]);
    let Some(first) = said.first() else {
        return Err(prepare("empty", "there is no statement", None));
    };
    // a comment at the beginning is the statement's own
    let text = if begin == 0 { sql.to_owned() } else { blanked(sql, first.start) };
    let statement = on.client().prepare(&text).await;
    let statement = statement.map_err(|error| refused(&error, on, sql, &found, begin))?;
    let query = query_of(said)?;
    if !statement.params().is_empty() {
        let span = found.iter().find(|token| token.text.starts_with('$')).map(span_of);
        let message = "a parameter has no value; write the value into the query";
        return Err(prepare("unbound_parameter", message, span));
    }
    cursor(on, sql, query).await?;
    effects::refuse(on, sql).await?;
    Ok(Proved { sql: text, statement, explains: query != first.start })
}

/// Blanks what stands before a statement, so that the server counts places as we do.
fn blanked(sql: &str, begin: usize) -> String {
    let (before, rest) = sql.split_at_checked(begin).unwrap_or(("", sql));
    let mut text: String = before.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    text.push_str(rest);
    text
}

fn refused(
    error: &tokio_postgres::Error,
    on: &Session,
    sql: &str,
    found: &[Token<'_>],
    begin: usize,
) -> Trouble {
    let mut trouble = refusal(error, ("", sql), Stage::Prepare, on.target());
    if let Trouble::Query(failure) = &mut trouble
        && failure.code() == "multiple_statements"
    {
        let rest = found.get(begin..).unwrap_or(&[]).iter().skip_while(|token| !token.is(";"));
        let second = rest.skip_while(|token| token.is(";")).map(span_of).next();
        for diagnostic in &mut failure.diagnostics {
            "there is more than one statement".clone_into(&mut diagnostic.message);
            diagnostic.span = second;
        }
    }
    trouble
}

/// Finds where the query begins: at once, or behind `EXPLAIN …` that does not run it.
fn query_of(said: &[Token<'_>]) -> Result<usize, Trouble> {
    let query = behind_explain(said);
    let begins = |token: &&Token<'_>| !token.is("(");
    let verb = query.iter().find(begins).or(said.first());
    let reads = verb.is_some_and(|verb| READING.iter().any(|word| verb.is(word)));
    let words = said.get(..said.len() - query.len()).unwrap_or(&[]);
    // an option's name may stand in quotes
    let runs = |token: &&Token<'_>| matches!(token.name().as_str(), "analyze" | "analyse");
    if let Some(runs) = words.iter().find(runs) {
        return Err(write(runs, "EXPLAIN ANALYZE runs what it explains"));
    }
    match query.first().filter(|_| reads) {
        Some(first) => match lock(query).or_else(|| spelled(said)) {
            Some(trouble) => Err(trouble),
            None => Ok(first.start),
        },
        None => Err(verb.map_or_else(
            || Trouble::query(Stage::Prepare, "empty", "there is no statement", None),
            |verb| write(verb, &format!("{} is refused", verb.text.to_ascii_uppercase())),
        )),
    }
}

/// Returns the tokens behind `EXPLAIN`, its words and its options.
fn behind_explain<'s, 't>(said: &'s [Token<'t>]) -> &'s [Token<'t>] {
    let Some((_, mut rest)) = said.split_first().filter(|(first, _)| first.is("EXPLAIN")) else {
        return said;
    };
    while let Some((word, behind)) = rest.split_first() {
        if !["ANALYZE", "ANALYSE", "VERBOSE"].iter().any(|known| word.is(known)) {
            break;
        }
        rest = behind;
    }
    let options = rest.first().is_some_and(|token| token.is("("))
        && rest.get(1).is_some_and(|t| !t.is("(") && !READING.iter().any(|word| t.is(word)));
    if !options {
        return rest;
    }
    let close = rest.iter().position(|token| token.is(")")).unwrap_or(rest.len());
    rest.get(close + 1..).unwrap_or(&[])
}

/// Refuses `FOR UPDATE` and the like: a lock holds up those who write.
fn lock(query: &[Token<'_>]) -> Option<Trouble> {
    let locks = |pair: &&[Token<'_>]| match pair {
        [first, second] => {
            first.is("FOR") && ["UPDATE", "NO", "SHARE", "KEY"].iter().any(|word| second.is(word))
        }
        _ => false,
    };
    let found = query.windows(2).find(locks)?.first()?;
    Some(write(found, "FOR UPDATE and FOR SHARE lock rows"))
}

/// Refuses names spelled by code points: what they stand for can't be looked up.
fn spelled(said: &[Token<'_>]) -> Option<Trouble> {
    let found = said.iter().find(|token| token.kind == Kind::Spelled)?;
    Some(write(found, "a name in U&\"…\" is refused; write it plainly in \"…\""))
}

fn write(at: &Token<'_>, why: &str) -> Trouble {
    let message = format!("only statements that read are run; {why}");
    Trouble::query(Stage::Policy, "write", message, Some(span_of(at)))
}

fn span_of(token: &Token<'_>) -> Span {
    Span::new(token.start, token.end())
}

/// Lets the server say that a query reads only. Nothing is run by that.
async fn cursor(on: &Session, sql: &str, query: usize) -> Result<(), Trouble> {
    let asked = on.client().prepare(&format!("{CURSOR}{}", blanked(sql, query))).await;
    let Err(error) = asked else { return Ok(()) };
    let mut trouble = refusal(&error, (CURSOR, sql), Stage::Policy, on.target());
    if let Trouble::Query(failure) = &mut trouble {
        failure.stage = Stage::Policy;
        failure.retryable = false;
        for diagnostic in &mut failure.diagnostics {
            "write".clone_into(&mut diagnostic.code);
            diagnostic.message = format!(
                "only statements that read are run; the server says: {}",
                trouble::words(&error)
            );
        }
    }
    Err(trouble)
}

/// Asks the server everything that it can say of a statement without running it.
pub(super) async fn prepare(on: &Session, sql: &str) -> Result<(), Trouble> {
    const EXPLAIN: &str = "EXPLAIN ";
    let proved = prove(on, sql).await?;
    if proved.explains {
        return Ok(());
    }
    let explained = on.client().simple_query(&format!("{EXPLAIN}{}", proved.sql)).await;
    match explained {
        Ok(_) => Ok(()),
        Err(error) => Err(refusal(&error, (EXPLAIN, sql), Stage::Prepare, on.target())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(sql: &str) -> Result<usize, Trouble> {
        query_of(&code(sql))
    }

    #[test]
    fn only_forms_that_read_pass() {
        for (sql, at) in [
            ("SELECT 1", 0),
            ("((SELECT 1) UNION (SELECT 2))", 0),
            ("TABLE a", 0),
            ("EXPLAIN SELECT 1", 8),
            ("EXPLAIN (COSTS off, FORMAT json) VALUES (1)", 33),
            ("EXPLAIN VERBOSE (SELECT 1)", 16),
        ] {
            assert_eq!(query(sql).ok(), Some(at), "{sql}");
        }
        for sql in [
            "DELETE FROM a",
            "EXPLAIN ANALYZE SELECT 1",
            "EXPLAIN (ANALYZE on) SELECT 1",
            "EXPLAIN (\"analyze\") SELECT 1",
            "EXPLAIN DELETE FROM a",
            "SELECT 1 FOR NO KEY UPDATE",
            "SELECT U&\"a\"",
            "SHOW ALL",
            "DO $$ SELECT 1 $$",
        ] {
            assert!(query(sql).is_err(), "{sql}");
        }
    }
}
