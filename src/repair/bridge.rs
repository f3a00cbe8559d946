//! A join on a column that one side doesn't have: the tables meet by the one key between them, or
//! in the one table that has a key to each.

use crate::domain::{Diagnostic, Dialect, ForeignKey, Span};
use crate::sql::dialect::{quote, quote_table};
use crate::sql::scope::{Clause, JoinKind, Relation, Scope};

use super::case::{Case, Change};
use super::lexemes::Lexeme;

/// An equality that is the whole of a join's condition.
struct Equality {
    span: Span,
    /// The side that isn't the name in question.
    other: Span,
}

/// Writes the join by keys.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if diagnostic.code != "no_such_column" {
        return None;
    }
    let name = case.column_of(diagnostic)?;
    let (_, scope) = case.scope_at(name.span.start)?;
    let used = case.binding.as_ref()?.columns.iter().find(|u| u.span == name.span)?;
    let equality = whole_condition(case, name.span).filter(|_| used.clause == Clause::On)?;
    let before = |relation: &&Relation| relation.span.end <= equality.span.start;
    let joined = scope.relations.iter().filter(before).max_by_key(|r| r.span.end)?;
    let inner = matches!(joined.join, Some(JoinKind::Inner | JoinKind::Left));
    let partner = partner(case, scope, joined, [name.span, equality.other]).filter(|_| inner)?;
    let direct = keys(case, partner, joined);
    match direct.as_slice() {
        [key] => Some(by_key(case, &equality, partner, joined, key)),
        [] => through(case, scope, &equality, partner, joined),
        _ => None,
    }
}

/// Finds the equality around a name, where it is all of an ON condition.
fn whole_condition(case: &Case<'_>, name: Span) -> Option<Equality> {
    let first = case.lexemes.iter().position(|l| l.span.start == name.start)?;
    let last = case.lexemes.iter().position(|l| l.span.end == name.end)?;
    let text = |at: usize| case.lexemes.get(at).map_or("", |l| l.span.of(case.sql));
    let (start, end, other) = if text(last + 1) == "=" {
        let end = name_end(case, last + 2)?;
        (first, end, place(case, last + 2, end)?)
    } else {
        let sign = first.checked_sub(1).filter(|at| text(*at) == "=")?;
        let start = name_start(case, sign.checked_sub(1)?)?;
        (start, last, place(case, start, sign - 1)?)
    };
    let on = text(start.checked_sub(1)?).eq_ignore_ascii_case("ON");
    let more = ["AND", "OR"].iter().any(|word| text(end + 1).eq_ignore_ascii_case(word));
    (on && !more).then_some(Equality { span: place(case, start, end)?, other })
}

fn place(case: &Case<'_>, first: usize, last: usize) -> Option<Span> {
    Some(Span::new(case.lexemes.get(first)?.span.start, case.lexemes.get(last)?.span.end))
}

/// Finds the last token of a name that starts at a token.
fn name_end(case: &Case<'_>, at: usize) -> Option<usize> {
    let is_name = |at: usize| case.lexemes.get(at).is_some_and(Lexeme::is_name);
    let dot = case.lexemes.get(at + 1).is_some_and(|l| l.span.of(case.sql) == ".");
    match (is_name(at), dot && is_name(at + 2)) {
        (true, true) => Some(at + 2),
        (true, false) => Some(at),
        _ => None,
    }
}

/// Finds the first token of a name that ends at a token.
fn name_start(case: &Case<'_>, at: usize) -> Option<usize> {
    let is_name = |at: usize| case.lexemes.get(at).is_some_and(Lexeme::is_name);
    let text = |at: usize| case.lexemes.get(at).map_or("", |l| l.span.of(case.sql));
    let qualified = at >= 2 && text(at - 1) == "." && is_name(at - 2);
    is_name(at).then_some(if qualified { at - 2 } else { at })
}

/// Finds the relation that is joined to: the one that a side names, or the only other one.
fn partner<'a>(
    case: &Case<'_>,
    scope: &'a Scope,
    joined: &Relation,
    sides: [Span; 2],
) -> Option<&'a Relation> {
    let others: Vec<&Relation> =
        scope.relations.iter().filter(|r| r.span.end < joined.span.start).collect();
    let named = |side: Span| {
        let qualifier = case.name_at(side)?.qualifier?;
        others.iter().copied().find(|r| r.name.eq_ignore_ascii_case(qualifier))
    };
    sides.into_iter().find_map(named).or(match others.as_slice() {
        [only] => Some(only),
        _ => None,
    })
}

/// Lists the single-column keys between two relations, either way.
fn keys<'a>(case: &'a Case<'_>, a: &Relation, b: &Relation) -> Vec<&'a ForeignKey> {
    let (Some(a), Some(b)) = (a.table(), b.table()) else { return Vec::new() };
    let ties = |key: &&ForeignKey| {
        let ends = (key.from_table.as_str(), key.to_table.as_str());
        key.from_columns.len() == 1
            && (ends.0.eq_ignore_ascii_case(a) && ends.1.eq_ignore_ascii_case(b)
                || ends.0.eq_ignore_ascii_case(b) && ends.1.eq_ignore_ascii_case(a))
    };
    case.catalog.keys.iter().filter(ties).collect()
}

/// Writes a key as an equality of two relations.
fn written(case: &Case<'_>, key: &ForeignKey, from: &str, to: &str) -> Option<String> {
    let quoted = |name: &str| quote(name, case.dialect);
    let (a, b) = (key.from_columns.first()?, key.to_columns.first()?);
    Some(format!("{}.{} = {}.{}", quoted(from), quoted(a), quoted(to), quoted(b)))
}

fn by_key(
    case: &Case<'_>,
    equality: &Equality,
    a: &Relation,
    b: &Relation,
    key: &ForeignKey,
) -> Change {
    let from_a = a.table().is_some_and(|table| table.eq_ignore_ascii_case(&key.from_table));
    let (from, to) = if from_a { (a, b) } else { (b, a) };
    let on = written(case, key, &from.name, &to.name).unwrap_or_default();
    let words = format!("one key connects {} and {}: {on}", key.from_table, key.to_table);
    Change::at(equality.span, on, words)
}

/// Joins through the only table that has a key to each side.
fn through(
    case: &Case<'_>,
    scope: &Scope,
    equality: &Equality,
    a: &Relation,
    b: &Relation,
) -> Option<Change> {
    let (to_a, to_b) = (a.table()?, b.table()?);
    let to = |table: &str, target: &str| -> Vec<&ForeignKey> {
        let keys = case.catalog.keys.iter().filter(|key| key.from_columns.len() == 1);
        let ties = keys.filter(|key| {
            key.from_table.eq_ignore_ascii_case(table) && key.to_table.eq_ignore_ascii_case(target)
        });
        ties.collect()
    };
    let mut bridges = case.catalog.tables.iter().filter_map(|table| {
        let (left, right) = (to(&table.name, to_a), to(&table.name, to_b));
        Some((table, left.first().copied()?, right.first().copied()?, left.len() * right.len()))
    });
    let (table, left, right, ways) = bridges.next()?;
    if ways != 1 || bridges.next().is_some() || to_a.eq_ignore_ascii_case(to_b) {
        return None;
    }
    let words = format!("only {} has a key to {to_a} and one to {to_b}", table.name);
    let mut there = scope
        .relations
        .iter()
        .filter(|r| r.table().is_some_and(|name| name.eq_ignore_ascii_case(&table.name)));
    if let Some(relation) = there.next() {
        if there.next().is_some() {
            return None;
        }
        let on = if relation.span.end < b.span.start {
            // it stands before: what is joined here is joined to it
            written(case, right, &relation.name, &b.name)?
        } else if case.dialect == Dialect::Sqlite {
            // It is joined further on. Only SQLite lets a condition speak of a table behind it.
            written(case, left, &relation.name, &a.name)?
        } else {
            return None;
        };
        return Some(Change::at(equality.span, on, words));
    }
    let bridge = quote_table(&table.name, case.dialect);
    let at = case.lexemes.iter().position(|l| l.span.start == b.span.start)?;
    let is_join = |lexeme: &&Lexeme| {
        let words = ["JOIN", "INNER", "LEFT", "OUTER"];
        words.iter().any(|word| lexeme.span.of(case.sql).eq_ignore_ascii_case(word))
    };
    let heads = case.lexemes.get(..at)?.iter().rev().take_while(is_join);
    let start = heads.last()?.span.start;
    let join = format!("JOIN {bridge} ON {} ", written(case, left, &table.name, &a.name)?);
    let mut change = Change::at(equality.span, written(case, right, &table.name, &b.name)?, words);
    change.patches.push((Span::new(start, start), join));
    Some(change)
}
