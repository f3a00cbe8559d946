//! A column of a table that isn't in FROM: the table is joined, when exactly one key leads to it.
//!
//! Only a join to the side that a key points to is added: it repeats no row.

use crate::domain::{Diagnostic, ForeignKey, Span, Table};
use crate::search::tokens::stem;
use crate::sql::dialect::{quote, quote_table};
use crate::sql::scope::{Relation, Scope};

use super::case::{Case, Change, Name};
use super::closeness::words;

/// A way to a table that owns the wanted column.
struct Way<'a> {
    from: &'a Relation,
    key: &'a ForeignKey,
    table: &'a Table,
}

/// Joins the table that owns a column.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if !matches!(diagnostic.code.as_str(), "no_such_column" | "no_such_table") {
        return None;
    }
    let name = case.column_of(diagnostic)?;
    let (index, scope) = case.scope_at(name.span.start)?;
    if scope.relations.iter().any(|r| r.columns.is_none()) {
        return None;
    }
    if has_rival(scope, &name) {
        return None;
    }
    let way = only_way(case, scope, &name)?;
    let end = scope.from_end?;
    let table = quote_table(&way.table.name, case.dialect);
    let from = quote(&way.from.name, case.dialect);
    let pairs = way.key.from_columns.iter().zip(&way.key.to_columns);
    let on: Vec<String> = pairs
        .map(|(a, b)| {
            format!("{from}.{} = {table}.{}", quote(a, case.dialect), quote(b, case.dialect))
        })
        .collect();
    let column = way.table.column(name.last)?;
    let written = format!("{table}.{}", quote(&column.name, case.dialect));
    let words = format!(
        "only {} has '{}', and one key leads there: {}",
        way.table.name,
        column.name,
        on.join(" AND ")
    );
    let mut change = Change::at(name.span, written, words);
    let join = format!(" JOIN {table} ON {}", on.join(" AND "));
    change.patches.push((Span::new(end, end), join));
    change.patches.extend(qualified(case, index, scope, way.table));
    Some(change)
}

/// Words for what a row is called by.
const CALLED: &[&str] = &["name", "title", "label"];

/// Tells whether the table that is asked for the column calls its rows by another word: `Track.Title`
/// may as well be `Track.Name` as the title of something that a key leads to.
fn has_rival(scope: &Scope, name: &Name<'_>) -> bool {
    let is_called = |column: &str| {
        words(column).last().is_some_and(|word| CALLED.iter().any(|called| stem(called) == *word))
    };
    let asked = match (name.qualifier, scope.relations.as_slice()) {
        (Some(qualifier), _) => scope.relation(qualifier),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let columns = asked.and_then(|relation| relation.columns.as_ref());
    is_called(name.last) && columns.is_some_and(|all| all.iter().any(|c| is_called(&c.name)))
}

/// Finds the one relation, key and table that lead to the column; none when there are more.
fn only_way<'a>(case: &'a Case<'_>, scope: &'a Scope, name: &Name<'_>) -> Option<Way<'a>> {
    let in_scope = |table: &str| {
        scope.relations.iter().any(|r| {
            r.name.eq_ignore_ascii_case(table)
                || r.table().is_some_and(|t| t.eq_ignore_ascii_case(table))
        })
    };
    let known = |q: &str| scope.relations.iter().any(|r| r.name.eq_ignore_ascii_case(q));
    let wanted = |table: &Table| {
        table.column(name.last).is_some()
            && !in_scope(&table.name)
            && name.qualifier.is_none_or(|q| known(q) || table.name.eq_ignore_ascii_case(q))
    };
    let mut ways: Vec<Way<'a>> = Vec::new();
    for table in case.catalog.tables.iter().filter(|table| wanted(table)) {
        for key in &case.catalog.keys {
            if !key.to_table.eq_ignore_ascii_case(&table.name) {
                continue;
            }
            let holds = |r: &&Relation| r.table() == Some(key.from_table.as_str());
            let from = scope.relations.iter().filter(holds);
            ways.extend(from.map(|from| Way { from, key, table }));
        }
    }
    // A key that the schema declares or a person told beats one that was concluded.
    if ways.iter().any(|way| way.key.is_sure()) {
        ways.retain(|way| way.key.is_sure());
    }
    let first = ways.first()?;
    let same = |way: &Way<'_>| way.table.name == first.table.name && equal_keys(scope, first, way);
    let all_same = ways.iter().skip(1).all(same) && distinct_sources(&ways);
    if all_same { ways.into_iter().next() } else { None }
}

/// Tells whether each way starts at a relation of its own.
fn distinct_sources(ways: &[Way<'_>]) -> bool {
    ways.iter()
        .enumerate()
        .all(|(at, way)| ways.iter().skip(at + 1).all(|w| w.from.span != way.from.span))
}

/// Tells whether the SELECT joins both sources on the very columns of their keys.
fn equal_keys(scope: &Scope, a: &Way<'_>, b: &Way<'_>) -> bool {
    let at = |relation: &Relation| scope.relations.iter().position(|r| r.span == relation.span);
    let (Some(left), Some(right)) = (at(a.from), at(b.from)) else { return false };
    let ([x], [y]) = (a.key.from_columns.as_slice(), b.key.from_columns.as_slice()) else {
        return false;
    };
    a.key.to_columns == b.key.to_columns
        && scope.joins.iter().any(|pair| {
            let names = (pair.names.0.as_str(), pair.names.1.as_str());
            let is = |l: &str, r: &str| l.eq_ignore_ascii_case(x) && r.eq_ignore_ascii_case(y);
            (pair.relations == (left, right) && is(names.0, names.1))
                || (pair.relations == (right, left) && is(names.1, names.0))
        })
}

/// Qualifies the columns of a SELECT that the joined table makes ambiguous.
fn qualified(case: &Case<'_>, index: usize, scope: &Scope, table: &Table) -> Vec<(Span, String)> {
    let Some(binding) = &case.binding else { return Vec::new() };
    let mut patches = Vec::new();
    for used in &binding.columns {
        let (None, Some((owner, relation))) = (&used.qualifier, used.relation) else { continue };
        if owner != index || table.column(&used.name).is_none() {
            continue;
        }
        if let Some(relation) = scope.relations.get(relation) {
            let owner = quote(&relation.name, case.dialect);
            patches.push((used.span, format!("{owner}.{}", used.span.of(case.sql))));
        }
    }
    patches
}
