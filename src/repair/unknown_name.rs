//! A name that doesn't exist becomes the one close name that does.

use crate::domain::{Catalog, Diagnostic, Dialect, Span};
use crate::sql::dialect::{quote, quote_table};
use crate::sql::scope::{Clause, Relation, Scope};

use super::case::{Case, Change, Name};
use super::closeness::{one_close, one_slip, same_name};
use super::{join_key, output_name, wrong_table};

/// Closeness that a table's name needs: the wrong table costs more than the wrong column.
const TABLE_CLOSE: f64 = 0.84;
/// Closeness from which a name in scope is taken before a join is added.
const SURE: f64 = 0.97;

/// Replaces an unknown column or table by the one that is close.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    match diagnostic.code.as_str() {
        "no_such_table" => table(case, diagnostic.span?),
        "no_such_column" => column(case, diagnostic),
        _ => None,
    }
}

/// Replaces a table's name, and the name where it qualifies columns.
fn table(case: &Case<'_>, span: Span) -> Option<Change> {
    let name = case.name_at(span)?;
    let (close, words) = meant_table(case, &name)?;
    let written = quote_table(close, case.dialect);
    let mut change = Change::at(span, written.clone(), words);
    for used in &case.binding.as_ref()?.columns {
        let qualifier = used.qualifier.as_deref();
        if qualifier.is_some_and(|q| q.eq_ignore_ascii_case(name.last)) {
            let first = case.lexemes.iter().find(|l| l.span.start >= used.span.start)?;
            change.patches.push((first.span, written.clone()));
        }
    }
    Some(change)
}

/// Finds the table that a name must mean, and what proves it: the same name elsewhere or in other
/// letter case, else the one close name.
fn meant_table<'a>(case: &Case<'a>, name: &Name<'_>) -> Option<(&'a str, String)> {
    let catalog: &'a Catalog = case.catalog;
    let last = |table: &'a str| match table.split_once('.') {
        Some((_, last)) if case.dialect != Dialect::Sqlite => last,
        Some(_) | None => table,
    };
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    let same: Vec<&str> =
        names.iter().copied().filter(|table| last(table).eq_ignore_ascii_case(name.last)).collect();
    if let ([only], true) = (same.as_slice(), case.dialect != Dialect::Sqlite) {
        return Some((only, format!("the one table called '{}' is {only}", name.last)));
    }
    let (close, score) = one_close(name.last, names.iter().map(|table| last(table)), "")?;
    if score < TABLE_CLOSE && !one_slip(name.last, close) || close.eq_ignore_ascii_case(name.last) {
        return None;
    }
    let mut whole = names.iter().copied().filter(|table| last(table) == close);
    let (only, None) = (whole.next()?, whole.next()) else { return None };
    let words = format!("table '{}' doesn't exist and '{only}' is the one close name", name.last);
    Some((only, words))
}

fn column(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    let name = case.column_of(diagnostic)?;
    let (_, scope) = case.scope_at(name.span.start)?;
    let relations = candidates(case, scope, &name)?;
    let aliases =
        if name.qualifier.is_none() { output_aliases(case, scope, &name) } else { vec![] };
    let (found, closeness) = close_column(&name, &relations, &aliases)?;
    // The same name in another table is better evidence than a similar name in this one.
    if closeness < SURE
        && (wrong_table::mend(case, diagnostic).is_some()
            || output_name::mend(case, diagnostic).is_some()
            || join_key::mend(case, diagnostic).is_some())
    {
        return None;
    }
    let owners: Vec<&&Relation> = relations.iter().filter(|r| has(r, &found)).collect();
    let last = last_part(case, name.span)?;
    let written = quote(&found, case.dialect);
    let words = format!("'{}' doesn't exist and '{found}' is the one close name", name.last);
    match owners.as_slice() {
        [] | [_] => Some(Change::at(last, written, words)),
        _ if name.qualifier.is_some() => Some(Change::at(last, written, words)),
        _ => None,
    }
}

/// Lists the relations that the column may belong to: the qualified one, or all of the SELECT.
fn candidates<'a>(
    case: &'a Case<'_>,
    scope: &'a Scope,
    name: &Name<'_>,
) -> Option<Vec<&'a Relation>> {
    let Some(qualifier) = name.qualifier else { return Some(scope.relations.iter().collect()) };
    let mut visible = case.visible(scope).into_iter();
    Some(vec![visible.find(|relation| relation.name.eq_ignore_ascii_case(qualifier))?])
}

/// Lists the output names that ORDER BY, GROUP BY and HAVING may use.
fn output_aliases(case: &Case<'_>, scope: &Scope, name: &Name<'_>) -> Vec<String> {
    let used = case.binding.as_ref().and_then(|b| b.columns.iter().find(|u| u.span == name.span));
    let allowed = used
        .is_some_and(|u| matches!(u.clause, Clause::OrderBy | Clause::GroupBy | Clause::Having));
    if !allowed {
        return Vec::new();
    }
    scope.outputs.iter().filter(|o| o.aliased).map(|o| o.name.clone()).collect()
}

fn close_column(
    name: &Name<'_>,
    relations: &[&Relation],
    aliases: &[String],
) -> Option<(String, f64)> {
    let mut best: Vec<(String, f64)> = Vec::new();
    for relation in relations {
        let columns = relation.columns.as_ref()?;
        let about = relation.table().unwrap_or(&relation.name);
        let same: Vec<&str> =
            columns.iter().map(|c| c.name.as_str()).filter(|c| same_name(c, name.last)).collect();
        let found = match same.as_slice() {
            [one] => Some((*one, 1.0)),
            _ => one_close(name.last, columns.iter().map(|c| c.name.as_str()), about),
        };
        best.extend(found.map(|(close, score)| (close.to_owned(), score)));
    }
    let alias = one_close(name.last, aliases.iter().map(String::as_str), "");
    best.extend(alias.map(|(close, score)| (close.to_owned(), score)));
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let top = best.first()?.clone();
    let rival = best.iter().any(|(close, score)| *close != top.0 && top.1 - score < 0.05);
    (!rival).then_some(top)
}

fn has(relation: &Relation, column: &str) -> bool {
    relation.columns.iter().flatten().any(|c| c.name.eq_ignore_ascii_case(column))
}

/// Finds the last part of a qualified name.
pub(super) fn last_part(case: &Case<'_>, span: Span) -> Option<Span> {
    let inside = |s: Span| span.start <= s.start && s.end <= span.end;
    case.lexemes.iter().rev().find(|l| inside(l.span)).map(|l| l.span)
}
