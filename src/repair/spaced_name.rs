//! A stored name of several words that stands there without its quotes: `FROM Order Details`.

use crate::domain::{Diagnostic, Span};
use crate::sql::dialect::quote;

use super::case::{Case, Change};

/// Quotes the words that spell a stored table, or a column of one that the query reads.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    match diagnostic.code.as_str() {
        "no_such_table" => quoted(case, &tables(case), Some(diagnostic.span?)),
        "no_such_column" => quoted(case, &columns(case), Some(diagnostic.span?)),
        "syntax_error" => quoted(case, &tables(case), None),
        _ => None,
    }
}

fn tables<'a>(case: &Case<'a>) -> Vec<&'a str> {
    let names = case.catalog.tables.iter().map(|table| table.name.as_str());
    names.filter(|name| name.contains(' ')).collect()
}

fn columns<'a>(case: &Case<'a>) -> Vec<&'a str> {
    let Some(binding) = &case.binding else { return Vec::new() };
    let read = binding.tables.iter().filter_map(|name| case.catalog.table(name));
    let names = read.flat_map(|table| table.columns.iter().map(|column| column.name.as_str()));
    names.filter(|name| name.contains(' ')).collect()
}

/// Quotes the names wherever their words stand; with a place, only if one of them begins there.
fn quoted(case: &Case<'_>, names: &[&str], place: Option<Span>) -> Option<Change> {
    let mut change = Change::default();
    let mut begins = place.is_none();
    let mut at = 0;
    while let Some(first) = case.lexemes.get(at) {
        let here = names.iter().filter_map(|name| Some((*name, spelled(case, name, at)?)));
        let Some((name, last)) = here.max_by_key(|(_, last)| *last) else {
            at += 1;
            continue;
        };
        let end = case.lexemes.get(last).map_or(first.span.end, |word| word.span.end);
        let span = Span::new(first.span.start, end);
        begins |= place.is_some_and(|place| first.span.start <= place.end && place.start < end);
        change.patches.push((span, written(case, name, (at, last))));
        change.evidence.push(format!("'{}' spells the stored name '{name}'", span.of(case.sql)));
        at = last + 1;
    }
    change.evidence.dedup();
    (begins && !change.patches.is_empty()).then_some(change)
}

/// Finds the last of the bare words that spell a name from a token on.
fn spelled(case: &Case<'_>, name: &str, at: usize) -> Option<usize> {
    let parts: Vec<&str> = name.split(' ').filter(|part| !part.is_empty()).collect();
    let last = at + parts.len().checked_sub(1)?;
    let words = case.lexemes.get(at..=last)?;
    let same = parts.iter().zip(words).all(|(part, word)| word.is_word(case.sql, part));
    same.then_some(last)
}

/// Writes the name in quotes. Its last word was taken for an alias: where columns are qualified by
/// that, it stays one.
fn written(case: &Case<'_>, name: &str, (at, last): (usize, usize)) -> String {
    let alias = case.lexemes.get(last).map_or("", |word| word.span.of(case.sql));
    let is_dot = |at: usize| case.lexemes.get(at).is_some_and(|l| l.is_sign(case.sql, "."));
    let words = last - at;
    let alone = |n: usize| n.checked_sub(words).is_none_or(|at| spelled(case, name, at).is_none());
    let mut named = case.lexemes.iter().enumerate();
    let qualifies =
        named.any(|(n, word)| word.is_word(case.sql, alias) && is_dot(n + 1) && alone(n));
    let quoted = quote(name, case.dialect);
    if qualifies && !is_dot(last + 1) { format!("{quoted} AS {alias}") } else { quoted }
}
