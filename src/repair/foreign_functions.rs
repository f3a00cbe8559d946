//! Functions of other engines, written with those that this one has.
//!
//! Each row says the function, how many arguments it has here, and what it becomes; `{0}` is the
//! first argument as written.

use crate::domain::{Dialect, Span};

use super::case::{Case, Change};
use super::lexemes::{Kind, closing};

/// A function and what it becomes.
type Row = (&'static str, usize, &'static str);

/// Functions that SQLite lacks.
const SQLITE: &[Row] = &[
    ("YEAR", 1, "CAST(strftime('%Y', {0}) AS INTEGER)"),
    ("MONTH", 1, "CAST(strftime('%m', {0}) AS INTEGER)"),
    ("DAY", 1, "CAST(strftime('%d', {0}) AS INTEGER)"),
    ("DAYOFMONTH", 1, "CAST(strftime('%d', {0}) AS INTEGER)"),
    ("HOUR", 1, "CAST(strftime('%H', {0}) AS INTEGER)"),
    ("NOW", 0, "datetime('now')"),
    ("GETDATE", 0, "datetime('now')"),
    ("SYSDATE", 0, "datetime('now')"),
    ("CURDATE", 0, "date('now')"),
    ("TODAY", 0, "date('now')"),
    ("DATEDIFF", 2, "CAST(julianday(date({0})) - julianday(date({1})) AS INTEGER)"),
    ("AVERAGE", 1, "AVG({0})"),
    ("LEN", 1, "LENGTH({0})"),
    ("CHAR_LENGTH", 1, "LENGTH({0})"),
    ("UCASE", 1, "UPPER({0})"),
    ("LCASE", 1, "LOWER({0})"),
    ("LEFT", 2, "substr({0}, 1, {1})"),
    ("RIGHT", 2, "substr({0}, -({1}))"),
    ("NVL", 2, "IFNULL({0}, {1})"),
    ("ISNULL", 2, "IFNULL({0}, {1})"),
];

/// Functions that PostgreSQL lacks.
const POSTGRES: &[Row] = &[
    ("YEAR", 1, "EXTRACT(YEAR FROM {0})"),
    ("MONTH", 1, "EXTRACT(MONTH FROM {0})"),
    ("DAY", 1, "EXTRACT(DAY FROM {0})"),
    ("IFNULL", 2, "COALESCE({0}, {1})"),
    ("NVL", 2, "COALESCE({0}, {1})"),
    ("ISNULL", 2, "COALESCE({0}, {1})"),
    ("GETDATE", 0, "NOW()"),
    ("CURDATE", 0, "CURRENT_DATE"),
    ("AVERAGE", 1, "AVG({0})"),
    ("LEN", 1, "LENGTH({0})"),
];

/// Functions that MySQL lacks.
const MYSQL: &[Row] = &[
    ("NVL", 2, "IFNULL({0}, {1})"),
    ("GETDATE", 0, "NOW()"),
    ("AVERAGE", 1, "AVG({0})"),
    ("LEN", 1, "CHAR_LENGTH({0})"),
];

/// Letters of date formats: other engines', and what strftime calls them.
const FORMATS: &[(&str, &str)] =
    &[("YYYY", "%Y"), ("MM", "%m"), ("DD", "%d"), ("HH24", "%H"), ("MI", "%M"), ("SS", "%S")];

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
            let words = format!("{} has no {}", case.dialect.name(), lexeme.span.of(case.sql));
            change.evidence.push(words.to_ascii_lowercase().replace("sqlite", "SQLite"));
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
    let rows = match case.dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
        Dialect::Mysql => MYSQL,
        Dialect::Duckdb | Dialect::Generic => &[],
    };
    let row = rows.iter().find(|(known, n, _)| *known == name && *n == arguments.len());
    if let Some((_, _, template)) = row {
        let fill = |text: String, (nth, span): (usize, &Span)| {
            text.replace(&format!("{{{nth}}}"), &inner(case, *span))
        };
        return Some(arguments.iter().enumerate().fold((*template).to_owned(), fill));
    }
    if case.dialect == Dialect::Sqlite { date_call(case, &name, &arguments) } else { None }
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

/// Rewrites SQLite's missing date functions whose arguments steer what they do.
fn date_call(case: &Case<'_>, name: &str, arguments: &[Span]) -> Option<String> {
    let text = |at: usize| arguments.get(at).map(|span| span.of(case.sql).trim());
    let plain = |text: &str| text.trim_matches('\'').to_ascii_lowercase();
    match (name, arguments.len()) {
        ("EXTRACT" | "DATE_PART", 1 | 2) => {
            let (part, value) = if name == "EXTRACT" {
                let whole = text(0)?;
                let at = whole.to_ascii_uppercase().find(" FROM ")?;
                (whole.get(..at)?, whole.get(at + " FROM ".len()..)?.trim())
            } else {
                (text(0)?, text(1)?)
            };
            let letter = match plain(part.trim()).as_str() {
                "year" => "%Y",
                "month" => "%m",
                "day" => "%d",
                "hour" => "%H",
                "minute" => "%M",
                "dow" => "%w",
                _ => return None,
            };
            Some(format!("CAST(strftime('{letter}', {value}) AS INTEGER)"))
        }
        ("DATE_TRUNC", 2) => {
            let format = match plain(text(0)?).as_str() {
                "year" => "%Y-01-01",
                "month" => "%Y-%m-01",
                "day" => "%Y-%m-%d",
                _ => return None,
            };
            Some(format!("strftime('{format}', {})", text(1)?))
        }
        ("DATE_FORMAT" | "TO_CHAR", 2) => {
            let mut format = text(1)?.strip_prefix('\'')?.strip_suffix('\'')?.to_owned();
            if name == "TO_CHAR" {
                for (foreign, own) in FORMATS {
                    format = format.replace(foreign, own);
                }
            }
            let known = ["%Y", "%m", "%d", "%H", "%M", "%S"];
            let rest = known.iter().fold(format.clone(), |text, letter| text.replace(letter, ""));
            // %i is MySQL's minute; anything else that is a letter isn't known to mean the same.
            let sure = !rest.contains('%') && !rest.chars().any(char::is_alphabetic);
            sure.then(|| format!("strftime('{format}', {})", text(0).unwrap_or("")))
        }
        _ => None,
    }
}
