//! Functions of other engines, written with those that this one has, in texts that may not be SQL
//! yet; the table is that of `sql::foreign`.

use crate::domain::Span;
use crate::sql::foreign::{call, fill};

use super::case::{Case, Change};
use super::lexemes::{Kind, closing};

/// Rewrites all calls of functions that this engine lacks; nested ones from the outside in.
pub(super) fn calls(case: &Case<'_>) -> Option<Change> {
    let mut change = Change::default();
    let mut behind = 0;
    for (at, lexeme) in case.lexemes.iter().enumerate() {
        let inside = lexeme.span.start < behind;
        let open = case.lexemes.get(at + 1).is_some_and(|l| l.is_sign(case.sql, "("));
        if inside || lexeme.kind != Kind::Word || !open {
            continue;
        }
        let Some(close) = closing(&case.lexemes, case.sql, at + 1) else { continue };
        let Some(end) = case.lexemes.get(close).map(|l| l.span.end) else { continue };
        let span = Span::new(lexeme.span.start, end);
        if let Some(text) = rewritten(case, at, close) {
            change.patches.push((span, text));
            let name = lexeme.span.of(case.sql).to_ascii_lowercase();
            change.evidence.push(format!("{} has no {name}", case.dialect.name()));
            behind = end;
        }
    }
    change.evidence.dedup();
    (!change.patches.is_empty()).then_some(change)
}

/// Rewrites the call whose name is at `at` and whose bracket closes at `close`.
fn rewritten(case: &Case<'_>, at: usize, close: usize) -> Option<String> {
    let name = case.lexemes.get(at)?.span.of(case.sql).to_ascii_uppercase();
    let arguments = arguments(case, at + 1, close)?;
    let mut spans = arguments.clone();
    let written: Vec<&str> = match (name.as_str(), arguments.as_slice()) {
        ("EXTRACT", [whole]) => {
            let text = whole.of(case.sql);
            let from = text.to_ascii_uppercase().find(" FROM ")?;
            let value = whole.start + from + " FROM ".len();
            spans = vec![Span::new(whole.start, whole.start + from), Span::new(value, whole.end)];
            spans.iter().map(|span| span.of(case.sql).trim()).collect()
        }
        _ => arguments.iter().map(|span| span.of(case.sql).trim()).collect(),
    };
    let name = if name == "EXTRACT" { "date_part" } else { name.as_str() };
    let template = call(name, &written, case.dialect)?;
    fill(&template, |nth| spans.get(nth).map(|span| inner(case, *span)))
}

/// Returns an argument with the calls inside it rewritten too.
fn inner(case: &Case<'_>, span: Span) -> String {
    let text = span.of(case.sql).trim();
    let at = case.lexemes.iter().position(|l| l.span.start >= span.start);
    let nested = at.and_then(|at| {
        let open = case.lexemes.get(at + 1)?.is_sign(case.sql, "(");
        let close = closing(&case.lexemes, case.sql, at + 1).filter(|_| open)?;
        let whole =
            case.lexemes.get(close)?.span.end >= span.start + span.of(case.sql).trim_end().len();
        rewritten(case, at, close).filter(|_| whole)
    });
    nested.unwrap_or_else(|| text.to_owned())
}

/// Splits the arguments between two brackets; none when they can't be told apart.
fn arguments(case: &Case<'_>, open: usize, close: usize) -> Option<Vec<Span>> {
    let mut start = case.lexemes.get(open)?.span.end;
    let end = case.lexemes.get(close)?.span.start;
    let mut depth = 0_usize;
    let mut arguments = Vec::new();
    for lexeme in case.lexemes.get(open + 1..close)? {
        if lexeme.is_sign(case.sql, "(") {
            depth += 1;
        } else if lexeme.is_sign(case.sql, ")") {
            depth = depth.checked_sub(1)?;
        } else if depth == 0 && lexeme.is_sign(case.sql, ",") {
            arguments.push(Span::new(start, lexeme.span.start));
            start = lexeme.span.end;
        }
    }
    if close > open + 1 {
        arguments.push(Span::new(start, end));
    }
    Some(arguments)
}
