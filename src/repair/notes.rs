//! Why a query failed and what to do instead, for the model (S0-040).

use crate::domain::package::ErrorNote;
use crate::domain::{Diagnostic, Failure};

/// Cause and fix of each code. `{s}` is the best suggestion; rows with it need one.
const CAUSES: &[(&str, &str, &str)] = &[
    (
        "no_such_column",
        "the name was not taken from the schema",
        "use {s}, spelled exactly so, and look every other name up in the schema",
    ),
    (
        "no_such_column",
        "the column isn't in the tables that the query reads",
        "find the table that has it in the schema and join that table by its listed key",
    ),
    (
        "no_such_table",
        "the table's name was not taken from the schema",
        "use {s}, spelled exactly so",
    ),
    (
        "no_such_table",
        "this database has no table of that name",
        "use only the tables listed in the schema",
    ),
    (
        "ambiguous_column",
        "several of the joined tables have a column of that name",
        "write the table's alias before it",
    ),
    ("no_such_function", "this engine has no function of that name", "use {s}"),
    (
        "no_such_function",
        "this engine has no function of that name",
        "use a function that the dialect has",
    ),
    ("foreign_syntax", "the syntax belongs to another engine", "write {s}"),
    (
        "foreign_syntax",
        "the syntax belongs to another engine",
        "write it in the dialect of this database",
    ),
    (
        "syntax_error",
        "the text can't be read as SQL of this dialect at that place",
        "write one complete statement and nothing around it",
    ),
    (
        "misuse_of_aggregate",
        "an aggregate stands where rows aren't grouped yet",
        "put conditions on aggregates into HAVING, and don't nest aggregates",
    ),
    (
        "multiple_statements",
        "only one statement is run",
        "put everything into one statement, with CTEs where it has steps",
    ),
    ("write", "the statement would change data", "write a statement that only reads"),
    (
        "setop_column_mismatch",
        "both sides of a set operation need the same columns",
        "put out the same number of columns on both sides",
    ),
    (
        "ungrouped_column",
        "a column outside aggregates isn't grouped by",
        "add it to GROUP BY or aggregate it",
    ),
    (
        "type_error",
        "values of these types can't be combined",
        "cast one side to the type of the other",
    ),
    ("division_by_zero", "the divisor is zero in some rows", "divide by NULLIF(divisor, 0)"),
    (
        "timeout",
        "the query took too long",
        "join by keys, filter earlier, and read no more rows than are needed",
    ),
    ("empty", "the reply held no statement", "write one SELECT statement"),
];

/// Derives cause and fix of each diagnostic.
pub fn notes(failure: &Failure) -> Vec<ErrorNote> {
    failure.diagnostics.iter().map(note).collect()
}

fn note(diagnostic: &Diagnostic) -> ErrorNote {
    let suggestion = diagnostic.suggestions.first();
    let fits = |(code, _, fix): &&(&str, &str, &str)| {
        *code == diagnostic.code && fix.contains("{s}") == suggestion.is_some()
    };
    let any = |(code, ..): &&(&str, &str, &str)| *code == diagnostic.code;
    let row = CAUSES.iter().find(fits).or_else(|| CAUSES.iter().find(any));
    let (cause, fix) = match row {
        Some((_, cause, fix)) => (*cause, fix.replace("{s}", suggestion.map_or("", |s| s))),
        None => ("the engine refused the query", "change what the error names".to_owned()),
    };
    ErrorNote { error: diagnostic.message.clone(), cause: cause.to_owned(), fix }
}
