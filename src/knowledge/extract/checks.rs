//! What CHECK constraints say: which values a column may hold, within which range, in which form.

use crate::domain::knowledge::{Meaning, Rule};
use crate::domain::{Catalog, ColumnRef, Span, Table};
use crate::sql::dialect::quote;
use crate::sql::lexemes::{Kind, Lexeme};

use super::wording::{Read, conjuncts, literal, split_at};
use super::{Draft, Entry};

/// Reads the checks of all tables.
pub(super) fn of(catalog: &Catalog) -> Vec<Draft> {
    let checks =
        catalog.tables.iter().flat_map(|table| table.checks.iter().map(move |c| (table, c)));
    checks.flat_map(|(table, check)| of_check(catalog, table, check).unwrap_or_default()).collect()
}

fn of_check(catalog: &Catalog, table: &Table, check: &str) -> Option<Vec<Draft>> {
    let begin = format!("SELECT 1 FROM {} WHERE (", quote(&table.name, catalog.dialect));
    let sql = format!("{begin}{check})");
    let read = Read::of(&sql, catalog)?;
    let whole = Span::new(begin.len(), begin.len() + check.len());
    let parts = conjuncts(&read, whole);
    let mut drafts = Vec::new();
    let mut ranges: Vec<(ColumnRef, Bound)> = Vec::new();
    for part in parts {
        let part = without_null(&read, part);
        if let Some((at, bound)) = bound(&read, part) {
            ranges.push((at, bound));
        } else if let Some(meaning) = domain(&read, part) {
            drafts.push(Entry::Column(meaning, Vec::new()));
        } else {
            let columns = read.binding.columns_in(part);
            let about: Vec<String> = columns.into_iter().map(ColumnRef::to_string).collect();
            if !about.is_empty() {
                let text = format!("in every row of {}: {}", table.name, read.alone(part));
                drafts.push(Entry::Rule(Rule { text, about }));
            }
        }
    }
    drafts.extend(ranges_told(ranges));
    let object = format!("CHECK of {}", table.name);
    Some(drafts.into_iter().map(|entry| Draft::new(entry, object.clone(), check)).collect())
}

/// Leaves out the alternative that a column is NULL: it is known from the column itself.
fn without_null(read: &Read<'_>, part: Span) -> Span {
    let ways = split_at(read, part, "OR");
    let is_null = |span: &&Span| {
        let pieces = read.inside(**span);
        pieces.last().is_some_and(|last| last.is_word(read.sql, "NULL"))
            && !pieces.iter().any(|piece| piece.is_word(read.sql, "NOT"))
    };
    let rest: Vec<&Span> = ways.iter().filter(|way| !is_null(way)).collect();
    match rest.as_slice() {
        [one] => **one,
        [first, .., last] if rest.len() < ways.len() => Span::new(first.start, last.end),
        _ => part,
    }
}

/// An end of a range.
#[derive(Debug, Clone, PartialEq)]
enum Bound {
    /// Not below, or above when `true`.
    Low(String, bool),
    /// Not above, or below when `true`.
    High(String, bool),
    /// Both at once.
    Both(String, String),
}

/// Reads `column >= number` and `column BETWEEN low AND high`.
fn bound(read: &Read<'_>, part: Span) -> Option<(ColumnRef, Bound)> {
    let columns = read.binding.columns_in(part);
    let [at] = columns.as_slice() else { return None };
    let used = read.binding.columns.iter().find(|used| part.start <= used.span.start)?;
    let sql = read.sql;
    let own =
        |piece: &Lexeme| used.span.start <= piece.span.start && piece.span.end <= used.span.end;
    let rest: Vec<Lexeme> = read
        .inside(part)
        .into_iter()
        .filter(|piece| !own(piece) && !piece.is(sql, "(") && !piece.is(sql, ")"))
        .collect();
    let number = |piece: &Lexeme| literal(piece, sql);
    let bound = match rest.as_slice() {
        [between, low, and, high] if between.is_word(sql, "BETWEEN") && and.is_word(sql, "AND") => {
            Bound::Both(number(low)?, number(high)?)
        }
        [sign, minus, value] if minus.is(sql, "-") => {
            one_sided(sign.of(sql), format!("-{}", number(value)?))?
        }
        [sign, value] if sign.kind == Kind::Sign => one_sided(sign.of(sql), number(value)?)?,
        _ => return None,
    };
    Some(((*at).clone(), bound))
}

fn one_sided(sign: &str, value: String) -> Option<Bound> {
    match sign {
        ">=" => Some(Bound::Low(value, false)),
        ">" => Some(Bound::Low(value, true)),
        "<=" => Some(Bound::High(value, false)),
        "<" => Some(Bound::High(value, true)),
        _ => None,
    }
}

/// Tells ranges as formats; that a number is not negative is left out, as everybody expects it.
fn ranges_told(ranges: Vec<(ColumnRef, Bound)>) -> Vec<Entry> {
    let mut told: Vec<(ColumnRef, Vec<Bound>)> = Vec::new();
    for (at, bound) in ranges {
        match told.iter_mut().find(|(known, _)| *known == at) {
            Some((_, bounds)) => bounds.push(bound),
            None => told.push((at, vec![bound])),
        }
    }
    told.into_iter()
        .filter_map(|(at, bounds)| {
            let format = Some(range(&bounds)?);
            Some(Entry::Column(Meaning { format, ..Meaning::of(at) }, Vec::new()))
        })
        .collect()
}

fn range(bounds: &[Bound]) -> Option<String> {
    match bounds {
        [Bound::Low(low, _)] if low == "0" => None,
        [Bound::Low(low, false)] => Some(format!("{low} or more")),
        [Bound::Low(low, true)] => Some(format!("above {low}")),
        [Bound::High(high, false)] => Some(format!("{high} at most")),
        [Bound::High(high, true)] => Some(format!("below {high}")),
        [Bound::Both(low, high)] => Some(format!("from {low} to {high}")),
        [Bound::Low(low, over), Bound::High(high, under)]
        | [Bound::High(high, under), Bound::Low(low, over)] => {
            let over = if *over { "above" } else { "from" };
            let to = if *under { "to below" } else { "to" };
            Some(format!("{over} {low} {to} {high}"))
        }
        _ => None,
    }
}

/// Reads `column IN ('a', 'b')`, alternatives of equalities, and of patterns that list parts.
fn domain(read: &Read<'_>, part: Span) -> Option<Meaning> {
    let columns = read.binding.columns_in(part);
    let [at] = columns.as_slice() else { return None };
    let sql = read.sql;
    let mut codes: Vec<(String, String)> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    for way in split_at(read, part, "OR") {
        let pieces = read.inside(way);
        let has = |word: &str| pieces.iter().any(|piece| piece.is(sql, word));
        if has("NOT") || has("<") || has(">") || has("AND") {
            return None;
        }
        let literals: Vec<String> = pieces.iter().filter_map(|piece| literal(piece, sql)).collect();
        if has("LIKE") {
            let [one] = literals.as_slice() else { return None };
            parts.push(one.strip_prefix('%')?.strip_suffix('%')?.to_owned());
        } else if has("IN") || has("=") || has("==") {
            codes.extend(literals.into_iter().map(|code| (code, String::new())));
        } else {
            return None;
        }
    }
    match (codes.is_empty(), parts.is_empty()) {
        (false, true) => Some(Meaning { values: codes, ..Meaning::of((*at).clone()) }),
        (true, false) => {
            let format = Some(format!("text that holds one or more of: {}", parts.join(", ")));
            Some(Meaning { format, ..Meaning::of((*at).clone()) })
        }
        _ => None,
    }
}
