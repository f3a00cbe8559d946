//! Several statements where one is allowed: the one that reads is kept, if nothing else is lost.

use crate::domain::{Diagnostic, Span};
use crate::sql::ReadQuery;
use crate::sql::sameness::fingerprint;

use super::case::{Case, Change};

/// Keeps the only statement, when all others are empty, repeat it, or are no SQL.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if !matches!(diagnostic.code.as_str(), "multiple_statements" | "syntax_error" | "write") {
        return None;
    }
    let parts = split(case);
    if parts.len() < 2 {
        return None;
    }
    let mut kept: Option<Span> = None;
    for part in parts {
        let text = part.of(case.sql).trim();
        if text.is_empty() || !says_sql(text) {
            continue;
        }
        ReadQuery::parse(text, case.dialect).ok()?;
        match kept {
            Some(former) if !same(case, former, part) => return None,
            Some(_) => {}
            None => kept = Some(part),
        }
    }
    let kept = kept?;
    let text = kept.of(case.sql).trim().to_owned();
    let whole = Span::new(0, case.sql.len());
    Some(Change::at(whole, text, "the rest repeats this statement or is no SQL"))
}

fn same(case: &Case<'_>, a: Span, b: Span) -> bool {
    fingerprint(a.of(case.sql), case.dialect) == fingerprint(b.of(case.sql), case.dialect)
}

/// Splits a text at the semicolons between its tokens.
fn split(case: &Case<'_>) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = 0;
    for lexeme in case.lexemes.iter().filter(|l| l.is_sign(case.sql, ";")) {
        parts.push(Span::new(start, lexeme.span.start));
        start = lexeme.span.end;
    }
    parts.push(Span::new(start, case.sql.len()));
    parts
}

/// Tells whether a text starts with a word that starts statements.
pub(super) fn says_sql(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP",
        "ALTER", "PRAGMA", "ATTACH", "DETACH", "TRUNCATE", "MERGE", "VACUUM", "EXPLAIN", "SET",
        "BEGIN", "COMMIT", "GRANT", "CALL", "COPY", "EXEC",
    ];
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    WORDS.iter().any(|w| word.eq_ignore_ascii_case(w))
}
