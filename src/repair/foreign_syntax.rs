//! Syntax of another engine, written the way this one reads it.
//!
//! Works on tokens, so that everything else of the text stays as it is, and mends all places at
//! once.

use crate::domain::{Diagnostic, Dialect, Span};

use super::case::{Case, Change};
use super::foreign_functions;
use super::lexemes::{Kind, closing, operand_start};

/// Codes under which engines report what they don't know.
const CODES: &[&str] = &[
    "foreign_syntax",
    "syntax_error",
    "no_such_function",
    "no_such_column",
    "unrecognized_token",
    "type_error",
    "no_such_type",
];

/// Rewrites every foreign construct that is known.
pub(super) fn mend(case: &Case<'_>, diagnostic: &Diagnostic) -> Option<Change> {
    if !CODES.contains(&diagnostic.code.as_str()) {
        return None;
    }
    // what is found in the tree has its replacement with it
    let found = matches!(diagnostic.code.as_str(), "foreign_syntax" | "no_such_function")
        && case.dialect != Dialect::Sqlite;
    if let (true, Some(span), Some(instead)) =
        (found, diagnostic.span, diagnostic.suggestions.first())
    {
        return Some(Change::at(span, instead.clone(), diagnostic.message.clone()));
    }
    let mut change = Change::default();
    for rewrite in [casts, words, top, limit_pair, foreign_functions::calls] {
        // Two constructs that touch each other are mended one after the other.
        if let Some(found) = rewrite(case) {
            change.join(found);
        }
    }
    (!change.patches.is_empty()).then_some(change)
}

/// `value::type` → `CAST(value AS type)`; PostgreSQL and DuckDB read it as it is.
fn casts(case: &Case<'_>) -> Option<Change> {
    if matches!(case.dialect, Dialect::Postgres | Dialect::Duckdb) {
        return None;
    }
    let mut change = Change::default();
    for (at, lexeme) in case.lexemes.iter().enumerate() {
        if !lexeme.is_sign(case.sql, "::") {
            continue;
        }
        let start = operand_start(&case.lexemes, case.sql, at.checked_sub(1)?)?;
        let (last, written) = type_at(case, at + 1)?;
        let from = case.lexemes.get(start)?.span.start;
        let end = case.lexemes.get(last)?.span.end;
        change.patches.push((Span::new(from, from), "CAST(".to_owned()));
        change.patches.push((Span::new(lexeme.span.start, end), format!(" AS {written})")));
        change.evidence = vec![format!("{} casts with CAST(… AS …)", case.dialect.name())];
    }
    (!change.patches.is_empty()).then_some(change)
}

/// Reads the type at a token: the last token of it, and what this engine calls it.
fn type_at(case: &Case<'_>, at: usize) -> Option<(usize, &'static str)> {
    let first = case.lexemes.get(at).filter(|l| l.kind == Kind::Word)?;
    let mut last = at;
    let second = case.lexemes.get(at + 1);
    let pairs = [("double", "precision"), ("character", "varying")];
    if pairs
        .iter()
        .any(|(a, b)| first.is_word(case.sql, a) && second.is_some_and(|l| l.is_word(case.sql, b)))
    {
        last += 1;
    }
    if case.lexemes.get(last + 1).is_some_and(|l| l.is_sign(case.sql, "(")) {
        last = closing(&case.lexemes, case.sql, last + 1)?;
    }
    let name = first.span.of(case.sql).to_ascii_lowercase();
    Some((last, type_name(&name, case.dialect)?))
}

/// Names a type in the engine's own words; none for types that need more than a cast.
fn type_name(name: &str, dialect: Dialect) -> Option<&'static str> {
    let sqlite = dialect == Dialect::Sqlite;
    Some(match name {
        "float" | "float4" | "float8" | "real" | "double" => {
            if sqlite {
                "REAL"
            } else {
                "DOUBLE"
            }
        }
        "numeric" | "decimal" | "money" => {
            if sqlite {
                "REAL"
            } else {
                "DECIMAL(38, 10)"
            }
        }
        "int" | "integer" | "int4" | "int8" | "int2" | "bigint" | "smallint" | "serial" => {
            if sqlite { "INTEGER" } else { "SIGNED" }
        }
        "text" | "varchar" | "char" | "character" | "bpchar" | "string" => {
            if sqlite {
                "TEXT"
            } else {
                "CHAR"
            }
        }
        _ => return None,
    })
}

/// Words that mean the same under another name.
fn words(case: &Case<'_>) -> Option<Change> {
    let table: &[(&str, &str, &str)] = match case.dialect {
        Dialect::Sqlite | Dialect::Mysql => &[("ILIKE", "LIKE", "LIKE ignores letter case here")],
        Dialect::Postgres | Dialect::Duckdb | Dialect::Generic => &[],
    };
    let mut change = Change::default();
    for (foreign, own, why) in table {
        for lexeme in case.lexemes.iter().filter(|l| l.is_word(case.sql, foreign)) {
            change.patches.push((lexeme.span, (*own).to_owned()));
            change.evidence = vec![(*why).to_owned()];
        }
    }
    (!change.patches.is_empty()).then_some(change)
}

/// `SELECT TOP n …` → `SELECT … LIMIT n`, and `FETCH FIRST n ROWS ONLY` → `LIMIT n`.
fn top(case: &Case<'_>) -> Option<Change> {
    let why = || format!("{} limits rows with LIMIT", case.dialect.name());
    let lexemes = &case.lexemes;
    let limited = lexemes.iter().any(|l| l.is_word(case.sql, "LIMIT"));
    let [select, top, rest @ ..] = lexemes.as_slice() else { return None };
    if select.is_word(case.sql, "SELECT") && top.is_word(case.sql, "TOP") && !limited {
        let bracket = rest.first()?.is_sign(case.sql, "(");
        let number = rest.get(usize::from(bracket))?;
        let last = if bracket { rest.get(2)? } else { number };
        let plain = number.kind == Kind::Number && !case.sql.to_uppercase().contains(" PERCENT ");
        let end = lexemes.iter().rev().find(|l| !l.is_sign(case.sql, ";"))?.span.end;
        let cut = Span::new(top.span.start, last.span.end);
        let limit = format!(" LIMIT {}", number.span.of(case.sql));
        let patches = vec![(cut, String::new()), (Span::new(end, end), limit)];
        return plain.then(|| Change { patches, evidence: vec![why()] });
    }
    let own = !matches!(case.dialect, Dialect::Sqlite | Dialect::Mysql);
    let at = lexemes.iter().position(|l| l.is_word(case.sql, "FETCH")).filter(|_| !own)?;
    let number = lexemes.get(at + 2).filter(|l| l.kind == Kind::Number)?;
    let only = lexemes.get(at + 4).filter(|l| l.is_word(case.sql, "ONLY"))?;
    let span = Span::new(lexemes.get(at)?.span.start, only.span.end);
    Some(Change::at(span, format!("LIMIT {}", number.span.of(case.sql)), why()))
}

/// `LIMIT skip, n` → `LIMIT n OFFSET skip`, which SQLite and MySQL alone read in the short form.
fn limit_pair(case: &Case<'_>) -> Option<Change> {
    if matches!(case.dialect, Dialect::Sqlite | Dialect::Mysql) {
        return None;
    }
    let at = case.lexemes.iter().position(|l| l.is_word(case.sql, "LIMIT"))?;
    let (skip, comma, rows) =
        (case.lexemes.get(at + 1)?, case.lexemes.get(at + 2)?, case.lexemes.get(at + 3)?);
    if skip.kind != Kind::Number || rows.kind != Kind::Number || !comma.is_sign(case.sql, ",") {
        return None;
    }
    let written = format!("{} OFFSET {}", rows.span.of(case.sql), skip.span.of(case.sql));
    let span = Span::new(skip.span.start, rows.span.end);
    Some(Change::at(span, written, format!("{} writes OFFSET out", case.dialect.name())))
}
