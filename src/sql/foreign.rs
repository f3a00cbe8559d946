//! Syntax of other engines that the parser reads but this engine doesn't.

use super::ReadQuery;
use super::places::Lexed;
use crate::domain::{Diagnostic, Dialect};

/// Lists what the query's engine can't read, in order of the text.
pub(super) fn foreign(query: &ReadQuery) -> Vec<Diagnostic> {
    if query.dialect() != Dialect::Sqlite {
        return Vec::new();
    }
    let places = query.places();
    let mut found = Vec::new();
    for lexeme in &places.lexemes {
        if lexeme.kind == Lexed::DoubleColon {
            found.push(Diagnostic {
                code: "foreign_syntax".to_owned(),
                message: "SQLite has no '::' casts: write CAST(x AS type)".to_owned(),
                span: Some(lexeme.span),
                suggestions: Vec::new(),
            });
        }
    }
    found
}
