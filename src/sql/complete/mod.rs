//! What could stand at the cursor of half-typed SQL: names in sight, joins along keys, functions,
//! keywords, stored values. Works on tokens, so it needs no text that parses.
//!
//! What belongs here: one file for each step from text to offers. What must never come: a full
//! parse, or a look at data. To add a kind of offer: a variant of `Offered`, and who proposes it in
//! `offers.rs`.

mod frames;
mod offers;
mod rank;
mod relations;
#[cfg(test)]
mod tests;

use crate::domain::{Catalog, ColumnRef, ValueList};

use super::lexemes::{Kind, Lexeme, Open, lexemes};
use frames::Page;

/// Offers at most.
const OFFERED: usize = 60;

/// Bytes of text looked at on each side of the cursor.
const LOOKED_AT: usize = 32 * 1024;

/// What is to be completed, and what is known.
#[derive(Debug, Clone, Copy)]
pub struct Typed<'a> {
    /// The whole text.
    pub sql: &'a str,
    /// The cursor, in bytes.
    pub cursor: usize,
    /// Offers were asked for: an empty word gets some too.
    pub asked: bool,
    /// Structure.
    pub catalog: &'a Catalog,
    /// Stored values, for texts compared with a column.
    pub values: &'a [ValueList],
}

/// What an offer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offered {
    /// A join condition along a key.
    Join,
    /// A stored value.
    Value,
    /// A column in sight.
    Column,
    /// A table, a name of WITH, or an alias in sight.
    Relation,
    /// A function.
    Function,
    /// A keyword.
    Keyword,
    /// A column of a table that isn't in sight.
    Elsewhere,
}

/// One offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The text that would stand there.
    pub text: String,
    /// What it is, in words: `INTEGER of bookings`, `table, 23 rows`, `function`.
    pub what: String,
    /// Its kind.
    pub kind: Offered,
}

/// Offers, and which bytes of the text one of them replaces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offers {
    /// First byte replaced.
    pub from: usize,
    /// One past the last byte replaced.
    pub to: usize,
    /// The offers, best first.
    pub offers: Vec<Offer>,
}

/// Where the cursor stands.
struct Spot<'a> {
    page: Page<'a>,
    /// How many tokens end before what is typed.
    at: usize,
    /// What is typed of the word, quotes included.
    word: &'a str,
    /// The qualifier before it, without quotes.
    qualifier: Option<String>,
    /// The cursor stands in a text in single quotes.
    text: Option<Lexeme>,
}

/// Lists what could stand at the cursor, best first.
pub fn complete(typed: &Typed<'_>) -> Offers {
    let (first, sql) = statement(typed.sql, typed.cursor);
    let all = lexemes(sql, Open::EndsWithLine);
    let cursor = typed.cursor.saturating_sub(first).min(sql.len());
    if in_comment(&all, cursor) {
        return Offers::default();
    }
    let plain: Vec<Lexeme> = all.into_iter().filter(|t| t.kind != Kind::Comment).collect();
    let Some(spot) = spot(sql, &plain, cursor, typed.catalog) else { return Offers::default() };
    let mut offers = offers::offers(&spot, typed);
    offers.truncate(OFFERED);
    let (from, to) = match spot.text {
        Some(text) => (text.span.start + 1, if text.closed { text.span.end } else { cursor }),
        None => (cursor - spot.word.len(), cursor),
    };
    Offers { from: first + from, to: first + to, offers }
}

/// Tells which column the text at the cursor is compared with, if the cursor stands in one.
///
/// Who answers reads stored values only then.
pub fn compared(sql: &str, cursor: usize, catalog: &Catalog) -> Option<ColumnRef> {
    let (first, sql) = statement(sql, cursor);
    let all = lexemes(sql, Open::EndsWithLine);
    let plain: Vec<Lexeme> = all.into_iter().filter(|t| t.kind != Kind::Comment).collect();
    let spot = spot(sql, &plain, cursor.saturating_sub(first).min(sql.len()), catalog)?;
    spot.text.and_then(|_| offers::compared(&spot))
}

/// Cuts out the statement around the cursor; returns its first byte and its text.
fn statement(sql: &str, cursor: usize) -> (usize, &str) {
    let boundary = |at: usize| (0..=at.min(sql.len())).rev().find(|n| sql.is_char_boundary(*n));
    let cursor = boundary(cursor).unwrap_or(0);
    let from = boundary(cursor.saturating_sub(LOOKED_AT)).unwrap_or(0);
    let to = boundary(cursor + LOOKED_AT).unwrap_or(sql.len());
    let near = sql.get(from..to).unwrap_or("");
    let ends: Vec<Lexeme> = lexemes(near, Open::EndsWithLine)
        .into_iter()
        .filter(|token| token.kind == Kind::Sign && token.of(near) == ";")
        .collect();
    let before = ends.iter().rev().find(|token| from + token.span.end <= cursor);
    let behind = ends.iter().find(|token| from + token.span.start >= cursor);
    let first = before.map_or(0, |token| token.span.end);
    let last = behind.map_or(near.len(), |token| token.span.start);
    (from + first, near.get(first..last).unwrap_or(""))
}

fn in_comment(all: &[Lexeme], cursor: usize) -> bool {
    let comments = all.iter().filter(|token| token.kind == Kind::Comment);
    comments.into_iter().any(|t| {
        t.span.start < cursor && (cursor < t.span.end || (cursor == t.span.end && !t.closed))
    })
}

/// Finds the word and its qualifier before the cursor, or the text it stands in.
fn spot<'a>(
    sql: &'a str,
    tokens: &'a [Lexeme],
    cursor: usize,
    catalog: &'a Catalog,
) -> Option<Spot<'a>> {
    let page = Page::new(sql, tokens, catalog);
    let at = tokens.partition_point(|token| token.span.end < cursor);
    let here = tokens.get(at).filter(|token| token.span.start < cursor);
    if let Some(text) = here.filter(|t| t.kind == Kind::Text) {
        let inside = cursor < text.span.end || !text.closed;
        let word = sql.get(text.span.start + 1..cursor)?;
        return inside.then_some(Spot { page, at, word, qualifier: None, text: Some(*text) });
    }
    if here.is_some_and(|token| token.kind == Kind::Number) {
        return None;
    }
    let typing = here.filter(|token| token.is_name());
    let word = typing.map_or("", |token| sql.get(token.span.start..cursor).unwrap_or(""));
    let at = at + usize::from(typing.is_none() && here.is_some());
    let dot = at.checked_sub(1).filter(|n| page.is(*n, "."));
    let before = dot.and_then(|n| tokens.get(n.checked_sub(1)?)).filter(|token| token.is_name());
    let qualifier = before.map(|token| token.name(sql));
    Some(Spot { page, at, word, qualifier, text: None })
}
