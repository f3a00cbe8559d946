//! Text around a query that is no part of it: fences, prose, a doubled SELECT, a comma too many.
//!
//! Each candidate only cuts; the first that leaves a query that reads is taken.

use crate::domain::{Diagnostic, Span};
use crate::sql::ReadQuery;

use super::case::{Case, Change};
use super::several_statements::says_sql;

/// What a candidate cuts, in words.
type Cut = (Vec<Span>, &'static str);

/// Cuts off what is no SQL.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    let codes = ["syntax_error", "multiple_statements", "stray_text", "no_such_column"];
    if !codes.contains(&diagnostic.code.as_str()) {
        return None;
    }
    // What reads as a query may still hold a keyword that was taken for the name of a column.
    let cuts: &[fn(&Case<'_>) -> Vec<Cut>] = if case.binding.is_some() {
        &[trailing_commas, doubled_select, quoted_whole]
    } else {
        &[trailing_commas, doubled_select, quoted_whole, behind, before, both]
    };
    cuts.iter().flat_map(|cut| cut(case)).find_map(|(spans, why)| {
        let patches = spans.into_iter().map(|span| (span, String::new())).collect();
        let change = Change { patches, evidence: vec![why.to_owned()] };
        let left = change.apply(case.sql);
        let trimmed = left.trim();
        let reads = !trimmed.is_empty() && ReadQuery::parse(trimmed, case.dialect).is_ok();
        reads.then(|| Change::at(Span::new(0, case.sql.len()), trimmed, change.evidence.join("")))
    })
}

/// Commas with nothing behind them.
fn trailing_commas(case: &Case<'_>) -> Vec<Cut> {
    const NEXT: &[&str] = &["FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION"];
    let spans: Vec<Span> = case
        .lexemes
        .windows(2)
        .filter_map(|pair| {
            let [comma, next] = pair else { return None };
            let ends = next.is_sign(case.sql, ")")
                || next.is_sign(case.sql, ";")
                || NEXT.iter().any(|word| next.is_word(case.sql, word));
            (comma.is_sign(case.sql, ",") && ends).then_some(comma.span)
        })
        .collect();
    if spans.is_empty() { Vec::new() } else { vec![(spans, "a comma with nothing behind it")] }
}

/// `SELECT SELECT …`: the first word is one too many.
fn doubled_select(case: &Case<'_>) -> Vec<Cut> {
    let [first, second, ..] = case.lexemes.as_slice() else { return Vec::new() };
    let doubled = first.is_word(case.sql, "SELECT")
        && (second.is_word(case.sql, "SELECT") || second.is_word(case.sql, "WITH"));
    if doubled { vec![(vec![first.span], "SELECT stands there twice")] } else { Vec::new() }
}

/// Backticks around a whole clause: no name holds FROM.
fn quoted_whole(case: &Case<'_>) -> Vec<Cut> {
    let signs: Vec<Span> =
        case.sql.match_indices('`').map(|(at, _)| Span::new(at, at + 1)).collect();
    let [open, close] = signs.as_slice() else { return Vec::new() };
    let inside = Span::new(open.end, close.start).of(case.sql);
    if inside.contains(" FROM ") { vec![(signs, "backticks around a clause")] } else { Vec::new() }
}

/// Fences, stray signs and prose behind the query.
fn behind(case: &Case<'_>) -> Vec<Cut> {
    ends(case).into_iter().map(|end| (vec![end], "what follows the query is no SQL")).collect()
}

/// Prose in front of the query.
fn before(case: &Case<'_>) -> Vec<Cut> {
    starts(case).into_iter().map(|s| (vec![s], "what stands before the query is no SQL")).collect()
}

/// Prose around the query.
fn both(case: &Case<'_>) -> Vec<Cut> {
    let ends = ends(case);
    let pair = |start: Span| {
        let behind = ends.iter().filter(move |end| end.start > start.end);
        behind.map(move |end| (vec![start, *end], "what stands around the query is no SQL"))
    };
    starts(case).into_iter().flat_map(pair).collect()
}

/// Places where the query may end: before a fence, a semicolon that no statement follows, an empty
/// line that no SQL follows, or stray signs at the end.
fn ends(case: &Case<'_>) -> Vec<Span> {
    let sql = case.sql;
    let mut at: Vec<usize> = Vec::new();
    at.extend(sql.match_indices("```").map(|(at, _)| at).filter(|at| *at > 0));
    let semicolons = sql.match_indices(';').map(|(at, _)| at);
    at.extend(semicolons.filter(|at| !says_sql(sql.get(at + 1..).unwrap_or(""))));
    at.extend(sql.match_indices("\n\n").map(|(at, _)| at));
    let kept =
        sql.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '*' | '\''));
    at.push(kept.len());
    at.push(sql.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '*').len());
    at.sort_unstable();
    at.dedup();
    let tail = |at: usize| Span::new(at, sql.len());
    let no_sql = |span: &Span| !span.of(sql).trim().is_empty() && !holds_clause(span.of(sql));
    at.into_iter().rev().map(tail).filter(no_sql).collect()
}

/// Places where the query may start: at a later SELECT or WITH, or behind a fence.
fn starts(case: &Case<'_>) -> Vec<Span> {
    let sql = case.sql;
    let is_start = |text: &str| {
        let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        word.eq_ignore_ascii_case("SELECT") || word.eq_ignore_ascii_case("WITH")
    };
    let mut starts: Vec<Span> = Vec::new();
    let mut former = ' ';
    for (at, c) in sql.char_indices() {
        if at > 0
            && !former.is_alphanumeric()
            && former != '_'
            && is_start(sql.get(at..).unwrap_or(""))
        {
            starts.push(Span::new(0, at));
        }
        former = c;
    }
    // What is cut off must be words: a query of its own in front of another is no prose.
    starts.retain(|span| !holds_clause(span.of(sql)));
    starts.truncate(6);
    starts
}

/// Tells whether a text looks like part of a query rather than words.
fn holds_clause(text: &str) -> bool {
    const CLAUSES: &[&str] = &[
        "FROM",
        "WHERE",
        "JOIN",
        "UNION",
        "HAVING",
        "LIMIT",
        "GROUP",
        "ORDER",
        "AND",
        "OR",
        "ON",
        "INNER",
        "LEFT",
        "EXCEPT",
        "INTERSECT",
    ];
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut words = words.into_iter().filter(|word| !word.is_empty());
    let is_clause = |word: &str| CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause));
    let Some(first) = words.next() else { return text.trim_end().ends_with('(') };
    let is_query = first.eq_ignore_ascii_case("SELECT") || first.eq_ignore_ascii_case("WITH");
    is_clause(first)
        || text.trim_end().ends_with('(')
        // Prose may say "from" and "or", but it doesn't shout them.
        || words.any(|word| CLAUSES.contains(&word) || (is_query && word.eq_ignore_ascii_case("from")))
}
