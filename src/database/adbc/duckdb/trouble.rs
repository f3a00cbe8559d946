//! DuckDB's errors: told as JSON with a place in bytes, and what we call them.

use adbc_core::error::Error;
use serde_json::Value as Json;

use super::super::super::{DatabaseError, Trouble};
use super::super::places;
use crate::domain::{Span, Stage};

/// Parts of the engine's messages and what we call them, within the kinds of errors that bind.
const CODES: &[(&str, &str)] = &[
    ("Ambiguous reference", "ambiguous_column"),
    ("must appear in the GROUP BY clause", "ungrouped_column"),
    ("does not have a column named", "no_such_column"),
    ("Referenced column", "no_such_column"),
    ("Referenced table", "no_such_column"),
    ("Table Function with name", "no_such_function"),
    ("Function with name", "no_such_function"),
    ("Table with name", "no_such_table"),
    ("View with name", "no_such_table"),
    ("Schema with name", "no_such_table"),
    ("Catalog with name", "no_such_table"),
    ("Type with name", "no_such_type"),
    ("Ambiguous table", "ambiguous_table"),
    ("Duplicate alias", "duplicate_alias"),
    ("No function matches", "wrong_arguments"),
    ("Could not choose a best candidate function", "wrong_arguments"),
    ("cannot contain aggregates", "misuse_of_aggregate"),
    ("aggregate function calls cannot", "misuse_of_aggregate"),
    ("cannot contain window functions", "misuse_of_window"),
    ("window function calls cannot", "misuse_of_window"),
    ("Set operations can only apply", "setop_column_mismatch"),
    ("Subquery returns", "subquery_columns"),
];

/// Kinds of errors that come while a statement runs.
const RUN_CODES: &[(&str, &str)] = &[
    ("Conversion", "conversion"),
    ("Mismatch Type", "conversion"),
    ("Out of Range", "out_of_range"),
    ("Divide by Zero", "division_by_zero"),
    ("Invalid Input", "invalid_input"),
];

/// An error as the engine tells it.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    kind: String,
    words: String,
    place: Option<usize>,
    name: Option<String>,
}

impl Told {
    fn new(message: &str) -> Self {
        // some errors come with a beginning before the JSON
        let json = message.find('{').and_then(|at| message.get(at..));
        let json = json.and_then(|text| serde_json::from_str::<Json>(text).ok());
        let Some(json) = json.filter(|json| json.get("exception_type").is_some()) else {
            let (kind, words) = message.split_once(" Error: ").unwrap_or(("", message));
            return Told { kind: kind.into(), words: words.into(), place: None, name: None };
        };
        let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
        Told {
            kind: text("exception_type").unwrap_or_default(),
            words: text("exception_message").unwrap_or_default(),
            place: text("position").and_then(|place| place.parse().ok()),
            name: text("name"),
        }
    }

    fn span(&self, sql: &str) -> Option<Span> {
        match (self.place, &self.name) {
            (Some(place), _) => places::name_at(sql, place),
            (None, Some(name)) => places::find(sql, name),
            (None, None) => None,
        }
    }
}

/// Says what an error means.
pub(super) fn say(error: &Error, stage: Stage, sql: &str) -> Trouble {
    said(&Told::new(&error.message), stage, sql)
}

/// Says what our proof read of a text that can't be parsed.
pub(super) fn unparsed(words: &str, place: Option<usize>, sql: &str) -> Trouble {
    let span = place.and_then(|place| places::name_at(sql, place));
    Trouble::query(Stage::Prepare, "syntax_error", words, span)
}

fn said(told: &Told, stage: Stage, sql: &str) -> Trouble {
    let query = |stage, code: &str| Trouble::query(stage, code, &told.words, told.span(sql));
    match told.kind.as_str() {
        "Parser" | "Syntax" => query(Stage::Prepare, "syntax_error"),
        "Binder" | "Catalog" | "Not implemented" | "Parameter Not Resolved" => {
            let known = CODES.iter().find(|(part, _)| told.words.contains(part));
            query(Stage::Prepare, known.map_or("prepare_error", |(_, code)| code))
        }
        "Permission" => query(Stage::Policy, "write"),
        "Invalid Input" if told.words.contains("read-only mode") => query(Stage::Policy, "write"),
        "Invalid Input" if told.words.contains("were not provided") => {
            query(Stage::Prepare, "unbound_parameter")
        }
        "INTERRUPT" | "Interrupt" => query(Stage::Limit, "interrupted"),
        "Out of Memory" => query(Stage::Limit, "memory"),
        "IO" | "FATAL" | "Fatal" | "INTERNAL" | "Internal" | "Connection" => {
            Trouble::Database(lost(&told.words))
        }
        kind => {
            let known = RUN_CODES.iter().find(|(name, _)| *name == kind);
            query(stage, known.map_or("run_error", |(_, code)| code))
        }
    }
}

fn lost(words: &str) -> DatabaseError {
    DatabaseError::Lost {
        what: format!("DuckDB can't go on: {words}"),
        hint: "Check the file and its folder, then open the database again.".to_owned(),
    }
}

/// Says why a database can't be opened.
pub(super) fn opening(error: &Error, shown: &str) -> DatabaseError {
    let told = Told::new(&error.message);
    let words = told.words.lines().next().unwrap_or("").to_owned();
    let open = |what: String, hint: &str| DatabaseError::Open { what, hint: hint.to_owned() };
    if words.contains("lock on file") {
        return DatabaseError::Locked {
            what: format!("{shown} is locked by another program"),
            hint: "Close the program that writes to it, and ask again.".to_owned(),
        };
    }
    if words.contains("not a valid DuckDB database file") {
        return open(
            format!("{shown} is no DuckDB database"),
            "Name a DuckDB file, or Parquet, CSV or JSON files.",
        );
    }
    if words.contains("newer version") || words.contains("storage version") {
        return open(
            format!("{shown} was written by another version of DuckDB: {words}"),
            "Take a DuckDB library of that version or a later one; QUERENT_DUCKDB says which is used.",
        );
    }
    open(format!("{shown} can't be opened: {words}"), "Check that the file can be read.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(message: &str, sql: &str) -> (Stage, String, String) {
        let Trouble::Query(failure) = said(&Told::new(message), Stage::Run, sql) else {
            unreachable!("a failure of the query")
        };
        let place = failure.span().map_or("", |span| span.of(sql)).to_owned();
        (failure.stage, failure.code().to_owned(), place)
    }

    #[test]
    fn errors_have_a_code_and_a_place() {
        let told = r#"{"exception_type":"Binder","exception_message":"Referenced column \"pric\" not found in FROM clause!","position":"7","error_subtype":"COLUMN_NOT_FOUND","name":"pric"}"#;
        let wanted = (Stage::Prepare, "no_such_column".to_owned(), "r.pric".to_owned());
        assert_eq!(failure(told, "select r.pric from rooms r"), wanted);
        let told = r#"Parser Error: {"exception_type":"Parser","exception_message":"syntax error at or near \"selec\"","position":"0"}"#;
        let wanted = (Stage::Prepare, "syntax_error".to_owned(), "selec".to_owned());
        assert_eq!(failure(told, "selec 1"), wanted);
        let told = r#"{"exception_type":"Conversion","exception_message":"Could not convert string 'x' to INT32","position":"7"}"#;
        let wanted = (Stage::Run, "conversion".to_owned(), "cast".to_owned());
        assert_eq!(failure(told, "select cast('x' as int)"), wanted);
    }
}
