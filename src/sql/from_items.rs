//! Where the items of FROM stand in the text, so that one can be taken out or replaced.

use sqlparser::keywords::Keyword;

use crate::domain::Span;

use super::ReadQuery;
use super::places::{Lexed, Places};
use super::rewrite::Edit;
use super::scope::{Scope, Source};

/// An item of FROM in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The table or the subquery in its parentheses, with its alias.
    pub relation: Span,
    /// From the join's first keyword to the end of its condition; none for the first item and for
    /// one after a comma.
    pub join: Option<Span>,
}

/// Finds an item of FROM. None where it stands in parentheses with others, is qualified by a schema,
/// or is joined otherwise than by an inner or a left join.
pub fn item(query: &ReadQuery, scope: &Scope, at: usize) -> Option<Item> {
    let relation = scope.relations.get(at)?;
    let places = query.places();
    let mut first = places.from(relation.span.start);
    if matches!(relation.source, Source::Subquery(_)) && places.kind(first)? != Lexed::Open {
        first = first.checked_sub(1)?;
    }
    let mut last = match places.kind(first)? {
        Lexed::Open => places.closing(first)?,
        Lexed::Word(_) | Lexed::Quoted => first,
        _ => return None,
    };
    if relation.alias.is_some() {
        last += if places.is_word(last + 1, Keyword::AS) { 2 } else { 1 };
    }
    let span = |from: usize, to: usize| {
        Some(Span {
            start: places.lexemes.get(from)?.span.start,
            end: places.lexemes.get(to)?.span.end,
        })
    };
    let before = first.checked_sub(1)?;
    let join = match places.kind(before)? {
        Lexed::Word(Keyword::FROM) | Lexed::Comma => None,
        Lexed::Word(Keyword::JOIN) => {
            Some(span(join_start(places, before)?, join_end(places, last, scope.from_end?))?)
        }
        _ => return None,
    };
    Some(Item { relation: span(first, last)?, join })
}

/// Walks back over the words before JOIN.
fn join_start(places: &Places, join: usize) -> Option<usize> {
    let mut start = join;
    loop {
        match places.kind(start.checked_sub(1)?)? {
            Lexed::Word(Keyword::INNER | Keyword::LEFT | Keyword::OUTER) => start -= 1,
            Lexed::Word(
                Keyword::RIGHT
                | Keyword::FULL
                | Keyword::CROSS
                | Keyword::NATURAL
                | Keyword::SEMI
                | Keyword::ANTI
                | Keyword::ASOF,
            ) => return None,
            _ => return Some(start),
        }
    }
}

/// Walks to the last token of a join's condition.
fn join_end(places: &Places, last: usize, from_end: usize) -> usize {
    let (mut at, mut depth) = (last, 0usize);
    while let Some(next) = places.lexemes.get(at + 1) {
        if next.span.start >= from_end || depth == 0 && ends_join(places, at + 1) {
            break;
        }
        match next.kind {
            Lexed::Open => depth += 1,
            Lexed::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    at
}

/// Tells whether a token beside parentheses begins what follows a join.
fn ends_join(places: &Places, at: usize) -> bool {
    match places.kind(at) {
        // LEFT and RIGHT are functions too
        Some(Lexed::Word(Keyword::LEFT | Keyword::RIGHT)) => {
            places.kind(at + 1) != Some(Lexed::Open)
        }
        Some(Lexed::Word(word)) => matches!(
            word,
            Keyword::JOIN | Keyword::INNER | Keyword::CROSS | Keyword::NATURAL | Keyword::FULL
        ),
        kind => matches!(kind, Some(Lexed::Close | Lexed::Comma)),
    }
}

/// Takes an item out of FROM, and the equalities of WHERE by which it is joined where it stands
/// between commas.
pub fn taken_out(query: &ReadQuery, scope: &Scope, at: usize) -> Option<Vec<Edit>> {
    let item = item(query, scope, at)?;
    if let Some(join) = item.join {
        return Some(vec![Edit::replace(join, "")]);
    }
    let places = query.places();
    let (first, after) = (places.from(item.relation.start), places.from(item.relation.end));
    let comma = |at: usize| places.kind(at) == Some(Lexed::Comma);
    let start_of = |at: usize| places.lexemes.get(at).map(|lexeme| lexeme.span.start);
    let listed = if first.checked_sub(1).is_some_and(comma) {
        Span { start: start_of(first - 1)?, end: item.relation.end }
    } else if comma(after) {
        Span { start: item.relation.start, end: start_of(after + 1)? }
    } else {
        return None;
    };
    let mut edits = vec![Edit::replace(listed, "")];
    for pair in &scope.joins {
        if pair.relations.0 == at || pair.relations.1 == at {
            edits.push(Edit::replace(condition(places, scope, pair.span)?, ""));
        }
    }
    Some(edits)
}

/// Finds a condition of WHERE with the AND or the WHERE that goes with it.
fn condition(places: &Places, scope: &Scope, span: Span) -> Option<Span> {
    let filter = scope.filter.filter(|f| f.start <= span.start && span.end <= f.end)?;
    let (first, after) = (places.from(span.start), places.from(span.end));
    let start_of = |at: usize| places.lexemes.get(at).map(|lexeme| lexeme.span.start);
    let before = first.checked_sub(1)?;
    if places.is_word(after, Keyword::AND) {
        return Some(Span { start: span.start, end: start_of(after + 1)? });
    }
    if places.is_word(before, Keyword::AND) {
        return Some(Span { start: start_of(before)?, end: span.end });
    }
    let whole = places.is_word(before, Keyword::WHERE) && filter == span;
    whole.then_some(Span { start: start_of(before)?, end: span.end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Catalog, Column, Dialect, Table};
    use crate::sql::bind;
    use crate::sql::rewrite::apply;

    /// Takes the second table of FROM out.
    fn without(sql: &str) -> Option<String> {
        let table = |name: &str| Table {
            name: name.to_owned(),
            columns: ["id", "at"]
                .map(|name| Column { name: name.to_owned(), ..Column::default() })
                .into(),
            ..Table::default()
        };
        let catalog = Catalog { tables: ["a", "b", "c"].map(table).into(), ..Catalog::default() };
        let query = ReadQuery::parse(sql, Dialect::Sqlite).expect("reads");
        let binding = bind(&query, &catalog);
        apply(sql, &taken_out(&query, binding.scopes.first()?, 1)?)
    }

    #[test]
    fn a_join_goes_with_its_condition() {
        let out =
            without("SELECT 1 FROM a LEFT OUTER JOIN b AS x ON (x.at = a.id) JOIN c USING (id)");
        assert_eq!(out.as_deref(), Some("SELECT 1 FROM a  JOIN c USING (id)"));
        let last =
            without("SELECT 1 FROM a JOIN (SELECT at FROM b) x ON x.at = a.id WHERE a.id > 1");
        assert_eq!(last.as_deref(), Some("SELECT 1 FROM a  WHERE a.id > 1"));
    }

    #[test]
    fn what_stands_after_a_comma_goes_with_its_equality() {
        let out = without("SELECT 1 FROM a, b WHERE b.at = a.id AND a.id > 1");
        assert_eq!(out.as_deref(), Some("SELECT 1 FROM a WHERE a.id > 1"));
        let only = without("SELECT 1 FROM a, b WHERE b.at = a.id");
        assert_eq!(only.as_deref().map(str::trim_end), Some("SELECT 1 FROM a"));
        let last = without("SELECT 1 FROM a, b WHERE a.id > 1 AND b.at = a.id ORDER BY 1");
        assert_eq!(last.as_deref(), Some("SELECT 1 FROM a WHERE a.id > 1  ORDER BY 1"));
    }

    #[test]
    fn an_outer_join_of_the_other_side_stays() {
        assert_eq!(without("SELECT 1 FROM a RIGHT JOIN b ON b.at = a.id"), None);
        assert_eq!(without("SELECT 1 FROM a NATURAL JOIN b"), None);
    }
}
