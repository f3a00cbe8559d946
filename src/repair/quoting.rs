//! Quotes and letter case: signs that no engine reads as quotes, and names that need theirs.

use crate::domain::{Diagnostic, Dialect, Span};
use crate::sql::dialect::{literal, quote};

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
        "no_such_column" => letter_case(case).or_else(|| quoted_text(case, diagnostic)),
        "no_such_table" => letter_case(case),
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
        let name = lexeme.unquoted(case.sql);
        // A double-quoted word is a text in MySQL, and stays one unless it names something here.
        let is_text = text.starts_with('"') && !is_stored(case, name);
        if text.starts_with(own) || is_text || text.len() < 3 {
            continue;
        }
        change.patches.push((lexeme.span, format!("{own}{name}{own}")));
    }
    change.evidence.push(format!("{} quotes names with {own}", case.dialect.name()));
    (!change.patches.is_empty()).then_some(change)
}

fn is_stored(case: &Case<'_>, name: &str) -> bool {
    let tables = &case.catalog.tables;
    tables.iter().any(|table| table.name == name || table.columns.iter().any(|c| c.name == name))
}

/// Writes a double-quoted word that is compared with a column, and names none, as the text that it
/// is in MySQL and SQLite.
fn quoted_text(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    let at = case.lexemes.iter().position(|l| Some(l.span) == diagnostic.span)?;
    let written = case.lexemes.get(at)?.span.of(case.sql);
    let before = case.lexemes.get(at.checked_sub(1)?)?.span.of(case.sql);
    let compared = ["=", "<>", "!="].contains(&before) || before.eq_ignore_ascii_case("like");
    let quoted = matches!(case.dialect, Dialect::Postgres | Dialect::Duckdb)
        && written.starts_with('"')
        && diagnostic.suggestions.is_empty();
    let name = case.lexemes.get(at)?.unquoted(case.sql);
    (compared && quoted).then(|| {
        let words = format!("no column is called {name}, and {before} compares with a text");
        Change::at(diagnostic.span.unwrap_or_default(), literal(name, case.dialect), words)
    })
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
