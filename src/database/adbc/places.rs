//! Finds places in a statement's text for errors that tell one.

use crate::domain::Span;

/// Spans the name at a byte, with the names that follow it after dots; else one character.
pub(super) fn name_at(sql: &str, start: usize) -> Option<Span> {
    if start >= sql.len() {
        return Some(Span::new(sql.len(), sql.len()));
    }
    let mut end = start + one(sql.get(start..)?);
    while let Some(rest) = sql.get(end..).and_then(|rest| rest.strip_prefix('.')) {
        let length = name(rest);
        if length == 0 {
            break;
        }
        end += 1 + length;
    }
    Some(Span::new(start, end))
}

/// Measures what stands at the beginning: a name, a text, or one sign.
fn one(text: &str) -> usize {
    let named = name(text);
    let first = text.chars().next();
    match first {
        _ if named > 0 => named,
        Some('\'') => quoted(text, '\''),
        Some(sign) => sign.len_utf8(),
        None => 0,
    }
}

fn name(text: &str) -> usize {
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

fn quoted(text: &str, mark: char) -> usize {
    let closing = text.get(1..).and_then(|rest| rest.find(mark));
    closing.map_or(text.len(), |at| at + 2)
}

/// Spans the first word of a statement, behind comments.
pub(super) fn first_word(sql: &str) -> Option<Span> {
    let mut start = 0;
    loop {
        let rest = sql.get(start..)?;
        let trimmed = rest.trim_start();
        start += rest.len() - trimmed.len();
        let comment = match trimmed.get(..2) {
            Some("--") => trimmed.find('\n').unwrap_or(trimmed.len()),
            // the star that opens it doesn't close it
            Some("/*") => {
                let behind = trimmed.get(2..).and_then(|inside| inside.find("*/"));
                behind.map_or(trimmed.len(), |at| at + 4)
            }
            Some(_) | None => {
                return (!trimmed.is_empty()).then(|| Span::new(start, start + one(trimmed)));
            }
        };
        start += comment;
    }
}

/// Turns a count of characters, from 1, into a byte.
pub(super) fn byte_of(sql: &str, character: usize) -> Option<usize> {
    let before = character.checked_sub(1)?;
    Some(sql.char_indices().nth(before).map_or(sql.len(), |(at, _)| at))
}

/// Finds a name where it stands as a whole word.
pub(super) fn find(sql: &str, wanted: &str) -> Option<Span> {
    let last = wanted.rsplit('.').next().filter(|name| !name.is_empty())?;
    let (text, last) = (sql.to_ascii_lowercase(), last.to_ascii_lowercase());
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: usize| {
        let (before, after) = (text.get(..at), text.get(at + last.len()..));
        !before.is_some_and(|text| text.ends_with(inside))
            && !after.is_some_and(|text| text.starts_with(inside))
    };
    let found = text.match_indices(&last).map(|(at, _)| at).find(|at| whole(*at))?;
    Some(Span::new(found, found + last.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spanned_whole() {
        let sql = "select b.\"Full Name\", 'x y' from t";
        assert_eq!(name_at(sql, 7).map(|span| span.of(sql)), Some("b.\"Full Name\""));
        assert_eq!(name_at(sql, 22).map(|span| span.of(sql)), Some("'x y'"));
        assert_eq!(name_at(sql, 99).map(|span| span.of(sql)), Some(""));
        for noted in ["-- a\n /* b */ drop table t", "/*/ show */ drop table t"] {
            assert_eq!(first_word(noted).map(|span| span.of(noted)), Some("drop"));
        }
        assert_eq!(find("select pricey, price", "t.price").map(|span| span.start), Some(15));
    }
}
