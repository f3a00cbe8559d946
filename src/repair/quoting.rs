//! Quotes and letter case: signs that no engine reads as quotes, and names that need theirs.

use crate::domain::{Diagnostic, Dialect, Span};
use crate::sql::dialect::quote;

use super::case::{Case, Change};
use super::lexemes::Kind;

/// Typographic quotes and what they stand for.
const CURLY: &[(&str, &str)] = &[
    ("\u{2018}", "'"),
    ("\u{2019}", "'"),
    ("\u{201a}", "'"),
    ("\u{201c}", "\""),
    ("\u{201d}", "\""),
    ("\u{201e}", "\""),
    ("\u{b4}", "'"),
];

/// Mends quotes.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    match diagnostic.code.as_str() {
        "syntax_error" | "foreign_syntax" => {
            curly(case).or_else(|| backslash(case)).or_else(|| foreign_name_quotes(case))
        }
        "no_such_column" | "no_such_table" => letter_case(case),
        _ => None,
    }
}

/// Straightens typographic quotes; inside a text they are data and stay.
fn curly(case: &Case<'_>) -> Option<Change> {
    let in_text = |at: usize| {
        let text = case.lexemes.iter().find(|l| l.kind == Kind::Text && l.span.start <= at);
        text.is_some_and(|l| at < l.span.end && l.span.of(case.sql).ends_with('\''))
    };
    let mut change = Change::default();
    for (sign, straight) in CURLY {
        for (at, _) in case.sql.match_indices(sign) {
            if !in_text(at) {
                change.patches.push((Span::new(at, at + sign.len()), (*straight).to_owned()));
            }
        }
    }
    change.patches.sort_by_key(|(span, _)| span.start);
    change.evidence.push("typographic quotes stand for straight ones".to_owned());
    (!change.patches.is_empty()).then_some(change)
}

/// Doubles a quote that is escaped by a backslash, which only MySQL reads.
fn backslash(case: &Case<'_>) -> Option<Change> {
    if case.dialect == Dialect::Mysql {
        return None;
    }
    let mut change = Change::default();
    for (at, found) in case.sql.match_indices("\\'") {
        change.patches.push((Span::new(at, at + found.len()), "''".to_owned()));
    }
    change.evidence.push("a quote inside a text is doubled here".to_owned());
    (!change.patches.is_empty()).then_some(change)
}

/// Turns another engine's quotes of names into this one's.
fn foreign_name_quotes(case: &Case<'_>) -> Option<Change> {
    if matches!(case.dialect, Dialect::Sqlite | Dialect::Generic) {
        return None; // reads all kinds
    }
    let own = if case.dialect == Dialect::Mysql { '`' } else { '"' };
    let mut change = Change::default();
    for lexeme in case.lexemes.iter().filter(|l| l.kind == Kind::Quoted) {
        let text = lexeme.span.of(case.sql);
        // A double-quoted word is a string in MySQL, and stays one.
        if text.starts_with(own) || text.starts_with('"') || text.len() < 3 {
            continue;
        }
        let name = lexeme.unquoted(case.sql);
        change.patches.push((lexeme.span, format!("{own}{name}{own}")));
    }
    change.evidence.push(format!("{} quotes names with {own}", case.dialect.name()));
    (!change.patches.is_empty()).then_some(change)
}

/// Quotes names whose stored spelling an engine that folds letter case doesn't find bare.
fn letter_case(case: &Case<'_>) -> Option<Change> {
    if !matches!(case.dialect, Dialect::Postgres) {
        return None;
    }
    let folds = |written: &str, stored: &str| {
        written.eq_ignore_ascii_case(stored) && written.to_ascii_lowercase() != stored
    };
    let binding = case.binding.as_ref().filter(|binding| binding.diagnostics.is_empty())?;
    let mut change = Change::default();
    let mut patch = |span: Span, stored: &str| {
        let lexeme = case.lexemes.iter().find(|l| l.span == span);
        if lexeme.is_some_and(|l| l.kind == Kind::Word && folds(l.span.of(case.sql), stored)) {
            let quoted = format!("\"{}\"", stored.replace('"', "\"\""));
            let plain = quote(stored, case.dialect);
            change.patches.push((span, if plain.starts_with('"') { plain } else { quoted }));
        }
    };
    for used in &binding.columns {
        let last = super::unknown_name::last_part(case, used.span);
        if let (Some(at), Some(last)) = (&used.at, last) {
            patch(last, &at.column);
        }
    }
    for relation in binding.scopes.iter().flat_map(|scope| &scope.relations) {
        if let Some(table) = relation.table() {
            patch(relation.span, table);
        }
    }
    change.evidence.push("bare names are read in lower case; the stored ones are not".to_owned());
    change.patches.sort_by_key(|(span, _)| span.start);
    (!change.patches.is_empty()).then_some(change)
}
