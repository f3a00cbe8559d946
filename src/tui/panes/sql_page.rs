//! What the SQL pane shows of a version: its text as written or laid out, and what is marked in it.

use std::borrow::Cow;
use std::ops::Range;

use crate::domain::{Attempt, Severity, Version};
use crate::sql::words_diff::{Change, diff};

use super::super::app::App;
use super::super::theme::Role;

/// Longest text that is laid out and compared while it is looked at, in bytes.
const LAID_AT_MOST: usize = 100_000;

/// A marked place with what is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Bytes of the shown text; one at least, or the end of the text.
    pub span: Range<usize>,
    /// What it looks like: failed, look here, worth knowing.
    pub role: Role,
    /// The sign before the message.
    pub sign: &'static str,
    /// What is said.
    pub message: String,
}

/// A version as the pane shows it.
pub struct Page<'a> {
    /// The attempt.
    pub attempt: &'a Attempt,
    /// Which of its versions.
    pub at: usize,
    /// The version.
    pub version: &'a Version,
    /// The text: as written, or laid out.
    pub sql: Cow<'a, str>,
    /// Marked places in order.
    pub marks: Vec<Mark>,
    /// Bytes of the text that the former version didn't have.
    pub fresh: Vec<Range<usize>>,
}

/// Returns the page of the moment looked at.
pub fn page(app: &App) -> Option<Page<'_>> {
    let (attempt, at, version) = app.run.as_ref()?.version()?;
    let laid = Some(&app.sql.laid).filter(|(of, _)| app.sql.formatted && *of == version.sql);
    let sql: Cow<'_, str> =
        laid.map_or(Cow::Borrowed(version.sql.as_str()), |(_, laid)| Cow::Borrowed(laid.as_str()));
    let moved = |span: Range<usize>| {
        if laid.is_some() { mapped(&version.sql, &sql, span) } else { span }
    };
    let mut marks = marks(version);
    for mark in &mut marks {
        mark.span = moved(mark.span.clone());
    }
    let former = at.checked_sub(1).and_then(|n| attempt.versions.get(n));
    let fresh = former.map(|former| fresh(&former.sql, &version.sql)).unwrap_or_default();
    let fresh = fresh.into_iter().map(moved).collect();
    Some(Page { attempt, at, version, sql, marks, fresh })
}

/// Lays out the text looked at, if that is wanted and not done yet.
pub fn settle(app: &mut App) {
    let Some((_, _, version)) = app.run.as_ref().and_then(|run| run.version()) else { return };
    if app.sql.formatted && app.sql.laid.0 != version.sql && version.sql.len() <= LAID_AT_MOST {
        let sql = version.sql.clone();
        let laid = crate::sql::layout::layout(&sql, app.catalog.dialect);
        app.sql.laid = (sql, laid);
    }
}

/// Lists what is said of places of a version.
fn marks(version: &Version) -> Vec<Mark> {
    let end = version.sql.len();
    let wrong = version.failure.iter().flat_map(|failure| &failure.diagnostics);
    let wrong = wrong.filter_map(|d| Some((d.span?, "✗", Role::Bad, &d.message)));
    let found = version.findings.iter().filter_map(|finding| {
        let (sign, role) = sign(finding.severity);
        Some((finding.span?, sign, role, &finding.message))
    });
    let mut marks: Vec<Mark> = wrong
        .chain(found)
        .map(|(span, sign, role, message)| {
            let start = span.start.min(end);
            let span = start..span.end.max(start + 1).min(end.max(start + 1));
            Mark { span, role, sign, message: message.clone() }
        })
        .collect();
    marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
    marks
}

/// Returns sign and look of a finding's weight.
pub fn sign(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Info => ("·", Role::Dim),
        Severity::Warning => ("!", Role::Warn),
        Severity::Blocking => ("✗", Role::Bad),
    }
}

/// Lists the bytes of `new` that `old` doesn't have.
fn fresh(old: &str, new: &str) -> Vec<Range<usize>> {
    if old.len().max(new.len()) > LAID_AT_MOST {
        return Vec::new();
    }
    let mut at = 0;
    let mut found = Vec::new();
    for piece in diff(old, new) {
        match piece.change {
            Change::Removed => {}
            Change::Same => at += piece.text.len(),
            Change::Added => {
                let blank = piece.text.len() - piece.text.trim_start().len();
                let end = at + piece.text.trim_end().len();
                found.push((at + blank).min(end)..end);
                at += piece.text.len();
            }
        }
    }
    found.retain(|range| !range.is_empty());
    found
}

/// Finds a span of `from` in `to`, the same text but for the space between its words.
pub fn mapped(from: &str, to: &str, span: Range<usize>) -> Range<usize> {
    let start = mapped_byte(from, to, span.start);
    // the end is where the last letter of the span ends
    let last = from.get(span.clone()).and_then(|text| text.trim_end().chars().next_back());
    let Some(last) = last else { return start..start + span.len().max(1) };
    let trimmed = from.get(span.clone()).map_or(0, |text| text.trim_end().len());
    let end = mapped_byte(from, to, span.start + trimmed - last.len_utf8()) + last.len_utf8();
    start..end.max(start + 1)
}

fn mapped_byte(from: &str, to: &str, byte: usize) -> usize {
    let mut there = to.char_indices().peekable();
    for (at, c) in from.char_indices() {
        if at >= byte && !c.is_whitespace() {
            break;
        }
        if c.is_whitespace() {
            // space in a quoted text stands in both
            if there.peek().is_some_and(|(_, other)| *other == c) {
                there.next();
            }
            continue;
        }
        while there.peek().is_some_and(|(_, other)| *other != c && other.is_whitespace()) {
            there.next();
        }
        there.next();
    }
    while there.peek().is_some_and(|(_, other)| other.is_whitespace()) {
        there.next();
    }
    there.peek().map_or(to.len(), |(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_found_again_in_the_text_laid_out() {
        let from = "SELECT a,  sum(x  y)  FROM t WHERE b = 'p  q' AND c = 1";
        let to = "SELECT a, sum(x y)\nFROM t\nWHERE b = 'p  q'\n  AND c = 1";
        for word in ["a", "FROM", "t", "'p  q'", "AND", "1", "c = 1"] {
            let at = from.find(word).expect(word);
            let span = mapped(from, to, at..at + word.len());
            assert_eq!(to.get(span), Some(word));
        }
        let at = from.find("t WHERE").expect("it is there");
        assert_eq!(to.get(mapped(from, to, at..at + 7)), Some("t\nWHERE"));
        let end = mapped(from, to, from.len()..from.len() + 1);
        assert_eq!(end.start, to.len());
    }

    #[test]
    fn what_a_rewrite_brought_is_marked_as_whole_words() {
        let (old, new) = ("SELECT SUM(price) AS x", "SELECT SUM(price_cents) AS x");
        let found = fresh(old, new);
        assert_eq!(found.iter().map(|r| &new[r.clone()]).collect::<Vec<_>>(), ["price_cents"]);
        assert!(fresh(old, old).is_empty());
        assert_eq!(fresh("a b", "a  b").len(), 0);
    }
}
