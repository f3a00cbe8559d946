//! Proves by DuckDB's own parser that a text is one statement that only reads.
//!
//! The driver runs all but the last of several statements as soon as it is given the text, so this
//! comes before. A file opened read only refuses writes by itself; but temporary objects, variables
//! and functions that switch logging on would reach further than their statement.
//!
//! **Invariant:** no text from outside is handed to the driver before `read_only` let it through.

use super::super::super::Trouble;
use super::super::line::Seat;
use super::super::places;
use super::super::reading::ask;
use super::trouble;
use crate::domain::{Dialect, Span, Stage, Value};
use crate::sql::dialect::literal;

/// Table functions that only read, with all whose names begin so where a star ends them. Reading
/// files is allowed here because the engine itself allows only those that were opened; `sniff_csv`
/// is not, because it opens any file all the same.
const READERS: &[&str] = &[
    "duckdb_*",
    "generate_series",
    "histogram",
    "histogram_values",
    "icu_calendar_names",
    "json_each",
    "json_tree",
    "parquet_*",
    "pg_timezone_names",
    "pragma_*",
    "query_table",
    "range",
    "read_*",
    "repeat",
    "repeat_row",
    "summary",
    "test_all_types",
    "unnest",
];
/// Functions with effects beyond their statement, called as values.
const WRITERS: &[&str] =
    &["currval", "nextval", "pg_sleep", "setseed", "sleep", "sleep_ms", "write_log"];
/// Words that begin statements or functions with effects. A text that the parser can't hand out in
/// parts must not hold them anywhere, not even as text.
const EFFECTS: &[&str] = &[
    ";",
    "attach",
    "call",
    "checkpoint",
    "copy",
    "delete",
    "detach",
    "export",
    "import",
    "insert",
    "install",
    "load",
    "logging",
    "logs",
    "merge",
    "nextval",
    "peg_parser",
    "pragma",
    "profiling",
    "query",
    "seed",
    "sleep",
    "update",
    "write_log",
    "vacuum",
];
/// What the engine says of a text that is no plain SELECT.
const NO_SELECT: &str = "Only SELECT statements";

/// Proves that a text is one statement that only reads.
pub(super) fn read_only(seat: &mut Seat, sql: &str) -> Result<(), Trouble> {
    if let Some(at) = sql.find('\0') {
        let message = "the SQL holds a NUL character, behind which the engine reads nothing; \
                       remove it";
        let span = Some(Span::new(at, at + 1));
        return Err(Trouble::query(Stage::Prepare, "nul_character", message, span));
    }
    let body = explained(sql).unwrap_or(sql);
    read_tree(seat, body).or_else(|refused| match refused {
        Refused::NoSelect if is_pivot(body) && !names_an_effect(seat, body)? => Ok(()),
        Refused::NoSelect => Err(write(sql)),
        Refused::Trouble(trouble) => Err(moved(trouble, sql.len() - body.len())),
    })
}

/// Why a text isn't proved by its parts.
pub(super) enum Refused {
    /// The engine hands only plain SELECT statements out in parts.
    NoSelect,
    /// Its parts say why.
    Trouble(Trouble),
}

impl From<Trouble> for Refused {
    fn from(trouble: Trouble) -> Self {
        Refused::Trouble(trouble)
    }
}

/// Returns what stands behind EXPLAIN, ANALYZE and their options, which change nothing.
pub(super) fn explained(sql: &str) -> Option<&str> {
    let after = |text: &'static str, sql| word(text, sql);
    let mut rest = after("explain", sql)?;
    if let Some(more) = after("analyze", rest) {
        rest = more;
    }
    let trimmed = rest.trim_start();
    let options = trimmed.strip_prefix('(').and_then(|text| text.split_once(')'));
    match options {
        // `EXPLAIN (SELECT 1)` has no options
        Some((options, more)) if options.split(',').all(is_option) => Some(more),
        Some(_) | None => Some(rest),
    }
}

fn is_option(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_ascii_lowercase);
    match words.next().as_deref() {
        Some("format") => words.count() == 1,
        Some("analyze") => words.count() == 0,
        Some(_) | None => false,
    }
}

/// Returns what stands behind a word that a text begins with.
fn word<'a>(wanted: &str, sql: &'a str) -> Option<&'a str> {
    let first = places::first_word(sql)?;
    first.of(sql).eq_ignore_ascii_case(wanted).then(|| sql.get(first.end..)).flatten()
}

/// Moves the places of a failure to where the text stands within another.
fn moved(trouble: Trouble, by: usize) -> Trouble {
    match trouble {
        Trouble::Query(mut failure) => {
            for span in failure.diagnostics.iter_mut().filter_map(|d| d.span.as_mut()) {
                *span = Span::new(span.start + by, span.end + by);
            }
            Trouble::Query(failure)
        }
        Trouble::Database(error) => Trouble::Database(error),
    }
}

/// Proves by its parts that a text is one SELECT that calls only functions that read.
pub(super) fn read_tree(seat: &mut Seat, sql: &str) -> Result<(), Refused> {
    let parsed = parse(seat, sql)?;
    if let Some(words) = parsed.error {
        if !words.contains(NO_SELECT) {
            return Err(trouble::unparsed(&words, parsed.place, sql).into());
        }
        return Err(Refused::NoSelect);
    }
    match parsed.statements {
        1 => {}
        0 => {
            return Err(
                Trouble::query(Stage::Prepare, "empty", "there is no statement", None).into()
            );
        }
        _ => {
            let message = "there is more than one statement";
            let span = sql.find(';').and_then(|at| {
                let rest = places::first_word(sql.get(at + 1..)?)?;
                Some(Span::new(at + 1 + rest.start, at + 1 + rest.end))
            });
            return Err(Trouble::query(Stage::Prepare, "multiple_statements", message, span).into());
        }
    }
    let called = called(&parsed.tree);
    for (name, is_table) in called {
        let known = if is_table { reads(&name) } else { !WRITERS.contains(&name.as_str()) };
        let made = !known && is_table && is_macro(seat, &name)?;
        if !known && !made {
            let message =
                format!("function {name} is refused: only functions that read are let through");
            let span = places::find(sql, &name);
            return Err(Trouble::query(Stage::Policy, "write", message, span).into());
        }
    }
    Ok(())
}

/// What the engine's parser made of a text.
struct Parsed {
    error: Option<String>,
    place: Option<usize>,
    statements: i64,
    tree: String,
}

fn parse(seat: &mut Seat, sql: &str) -> Result<Parsed, Trouble> {
    let text = literal(sql, Dialect::Duckdb);
    let ours = format!(
        "SELECT t, json_array_length(t, '$.statements'), t->>'$.error_message', \
         t->>'$.position', t->>'$.error' FROM (SELECT json_serialize_sql({text}) AS t)"
    );
    let rows = ask(seat, &ours).map_err(|error| trouble::say(&error, Stage::Prepare, sql))?;
    let mut row = rows.into_iter().next().unwrap_or_default().into_iter();
    let mut next = || match row.next() {
        Some(Value::Text(text)) => Some(text),
        Some(Value::Integer(n)) => Some(n.to_string()),
        Some(Value::Null | Value::Real(_) | Value::Blob(_) | Value::Malformed(_)) | None => None,
    };
    let (tree, statements, message, place, failed) = (next(), next(), next(), next(), next());
    // what can't be read is as good as refused
    let failed = failed.as_deref() != Some("false");
    Ok(Parsed {
        error: failed.then(|| message.unwrap_or_else(|| "the text can't be read".to_owned())),
        place: place.and_then(|place| place.parse().ok()),
        statements: statements.and_then(|n| n.parse().ok()).unwrap_or(0),
        tree: tree.unwrap_or_default(),
    })
}

fn reads(name: &str) -> bool {
    READERS.iter().any(|reader| match reader.strip_suffix('*') {
        Some(begin) => name.starts_with(begin),
        None => name == *reader,
    })
}

/// Tells whether a name stands for a table macro of the database itself, which its maker wrote.
fn is_macro(seat: &mut Seat, name: &str) -> Result<bool, Trouble> {
    let sql = format!(
        "SELECT count(*) FILTER (function_type = 'table_macro' AND NOT internal), count(*) \
         FROM duckdb_functions() WHERE lower(function_name) = {}",
        literal(name, Dialect::Duckdb)
    );
    let rows = ask(seat, &sql).map_err(|error| trouble::say(&error, Stage::Prepare, &sql))?;
    let found = rows.first().map(Vec::as_slice);
    Ok(match found {
        // a name that is the engine's own too might be either
        Some([Value::Integer(macros), Value::Integer(all)]) => *all == 0 || macros == all,
        Some(_) | None => false,
    })
}

/// Lists the functions that a parsed statement calls, and whether each is called as a table.
///
/// The tree is read as a flat row of keys and texts, so that no depth is too deep.
fn called(tree: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut in_table = false;
    let mut key = "";
    let mut rest = tree;
    while let Some(begin) = rest.find('"') {
        let inside = rest.get(begin + 1..).unwrap_or("");
        let end = closing(inside);
        let text = inside.get(..end).unwrap_or("");
        rest = inside.get(end + 1..).unwrap_or("");
        if rest.starts_with(':') {
            key = text;
            continue;
        }
        match key {
            "type" if text == "TABLE_FUNCTION" => in_table = true,
            "function_name" => {
                let called = (text.to_lowercase(), std::mem::take(&mut in_table));
                if !found.contains(&called) {
                    found.push(called);
                }
            }
            _ => {}
        }
        key = "";
    }
    found
}

/// Finds the mark that ends a JSON text.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Tells whether a text is a PIVOT or UNPIVOT, which the engine can't hand out in parts, and holds
/// nothing else.
fn is_pivot(sql: &str) -> bool {
    let text = sql.trim_end_matches([';', ' ', '\t', '\r', '\n']).to_lowercase();
    let first = places::first_word(&text).map_or("", |span| span.of(&text));
    let begins = matches!(
        first,
        "pivot" | "unpivot" | "pivot_wider" | "pivot_longer" | "select" | "with" | "from" | "("
    );
    begins && text.contains("pivot") && !EFFECTS.iter().any(|word| text.contains(word))
}

/// Tells whether a text holds, anywhere, the name of a table function that isn't known to read.
fn names_an_effect(seat: &mut Seat, sql: &str) -> Result<bool, Trouble> {
    let ours = "SELECT DISTINCT lower(function_name) FROM duckdb_functions() \
                WHERE function_type = 'table'";
    let rows = ask(seat, ours).map_err(|error| trouble::say(&error, Stage::Prepare, ours))?;
    let text = sql.to_lowercase();
    Ok(rows.iter().flatten().any(|name| match name {
        Value::Text(name) => !reads(name) && text.contains(name.as_str()),
        Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Malformed(_) => {
            true
        }
    }))
}

fn write(sql: &str) -> Trouble {
    let first = places::first_word(sql);
    let verb = first.map_or("", |span| span.of(sql)).to_ascii_uppercase();
    let message = format!("only statements that read are run; {verb} is refused");
    Trouble::query(Stage::Policy, "write", message, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_at_any_depth_and_not_in_texts() {
        let tree = r#"{"a":{"type":"TABLE_FUNCTION","alias":"","function":{"function_name":"RANGE","x":[{"function_name":"nextval"}]}},"v":"\"function_name\":\"x\""}"#;
        let wanted = vec![("range".to_owned(), true), ("nextval".to_owned(), false)];
        assert_eq!(called(tree), wanted);
    }

    #[test]
    fn a_pivot_holds_nothing_else() {
        assert!(is_pivot("PIVOT orders ON status USING sum(total);"));
        assert!(is_pivot("with o as (select 1 as a) pivot o on a"));
        assert!(!is_pivot("pivot o on a; drop table o"));
        assert!(!is_pivot("with o as (select 1) insert into pivot select 1"));
        assert!(!is_pivot("create table pivot as select 1"));
        assert!(!is_pivot("from enable_logging() pivot"));
    }
}
