//! No gold query is rejected, turned or warned of on its own engine.

use std::path::Path;
use std::sync::Arc;

use querent::domain::{Catalog, Dialect, Facts, Severity};
use querent::gates::{self, Before};
use querent::sql::{ReadQuery, bind};
use serde_json::Value;

use super::schemas::{DEFOG, cases, defog, folder, lines, text};

/// Says what is wrong with a query; nothing when it gets through.
fn wrong(sql: &str, catalog: &Catalog) -> Vec<String> {
    let query = match ReadQuery::parse(sql, catalog.dialect) {
        Ok(query) => query,
        Err(failure) => return vec![failure.message()],
    };
    let binding = bind(&query, catalog);
    if !binding.diagnostics.is_empty() {
        return binding.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    }
    let facts = Facts { catalog: Arc::new(catalog.clone()), ..Facts::default() };
    let look = Before {
        question: None,
        hint: None,
        understanding: None,
        query: &query,
        binding: &binding,
        catalog,
        facts: &facts,
        plan: None,
        reading: None,
        probed: &[],
    };
    let found = gates::before(&look).findings.into_iter();
    found.filter(|f| f.severity == Severity::Blocking).map(|f| f.message).collect()
}

fn golds(line: &Value) -> Vec<&str> {
    let more = line.get("gold_alternatives").and_then(Value::as_array).into_iter().flatten();
    std::iter::once(text(line, "gold_sql")).chain(more.filter_map(Value::as_str)).collect()
}

fn rejected(folder: &Path, (name, dialect, set, at): (&str, Dialect, &str, &str)) -> Vec<String> {
    let (mut rejected, mut all) = (Vec::new(), 0);
    for line in lines(folder, set) {
        let catalog = defog(folder, at, text(&line, "db"), dialect);
        for sql in golds(&line) {
            all += 1;
            let found = wrong(sql, &catalog);
            if !found.is_empty() {
                rejected.push(format!(
                    "{name} {}: {}\n    {sql}",
                    text(&line, "id"),
                    found.join("; ")
                ));
            }
        }
    }
    println!("{name}: {all} golds with their alternatives, {} rejected", rejected.len());
    rejected
}

#[test]
fn no_gold_of_the_defog_sets_is_rejected_on_its_own_engine() {
    let Some(folder) = folder() else { return };
    let rejected: Vec<String> =
        DEFOG.into_iter().flat_map(|engine| rejected(&folder, engine)).collect();
    assert!(rejected.is_empty(), "{} rejected:\n{}", rejected.len(), rejected.join("\n"));
}

/// Engines of the dialect cases.
pub(crate) const ENGINES: [(&str, &str, Dialect); 4] = [
    ("sqlite", "sqlite", Dialect::Sqlite),
    ("postgres", "postgres", Dialect::Postgres),
    ("mariadb", "mariadb", Dialect::Mysql),
    ("duckdb", "duckdb", Dialect::Duckdb),
];

#[test]
fn no_statement_that_an_engine_accepts_is_rejected_there() {
    let Some(folder) = folder() else { return };
    let mut rejected = Vec::new();
    for (engine, schema, dialect) in ENGINES {
        let catalog = cases(&folder, schema, dialect);
        let (mut all, before) = (0, rejected.len());
        for line in lines(&folder, "dialects") {
            let accepted = &line["engines"][engine]["accepted"];
            let sql = text(&line, "sql");
            if accepted.as_bool() == Some(true) && !is_not_read(text(&line, "id"), engine) {
                all += 1;
                let found = wrong(sql, &catalog);
                if !found.is_empty() {
                    rejected.push(format!(
                        "{engine} {}: {}\n    {sql}",
                        line["id"],
                        found.join("; ")
                    ));
                }
            }
        }
        println!("{engine}: {all} accepted statements, {} rejected", rejected.len() - before);
    }
    assert!(rejected.is_empty(), "{} rejected:\n{}", rejected.len(), rejected.join("\n"));
}

/// Statements that the engine runs and the parser has no rules for.
fn is_not_read(id: &str, engine: &str) -> bool {
    // DuckDB's PIVOT as a statement; in FROM it is read
    (id, engine) == ("case-216", "duckdb")
}
