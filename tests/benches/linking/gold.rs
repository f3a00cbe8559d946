//! Question sets, and what their right queries name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use querent::domain::plan::Comparison;
use querent::domain::{Catalog, Dialect, Value};
use querent::sql::{ReadQuery, bind};
use serde::Deserialize;

/// A question with its right query, as the sets have it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Question {
    pub(crate) id: String,
    #[serde(rename = "question")]
    pub(crate) text: String,
    pub(crate) evidence: Option<String>,
    pub(crate) db: String,
    #[serde(default)]
    pub(crate) gold_sql: String,
    #[serde(default)]
    pub(crate) dialect: String,
    #[serde(default)]
    pub(crate) category: String,
}

/// Questions and where their databases are.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) questions: Vec<Question>,
    /// File that a question of this database is asked of.
    pub(crate) files: BTreeMap<String, PathBuf>,
    /// For each database, what its tables are called in that file; empty when they keep their names.
    pub(crate) renamed: BTreeMap<String, BTreeMap<String, String>>,
    /// File that the right query is bound to.
    pub(crate) originals: BTreeMap<String, PathBuf>,
}

impl Set {
    /// Reads `NAME.jsonl` of a folder.
    pub(crate) fn read(data: &Path, name: &str) -> Self {
        let text = std::fs::read_to_string(data.join(format!("{name}.jsonl"))).unwrap();
        let questions: Vec<Question> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let file = |q: &Question| (q.db.clone(), data.join("db").join(format!("{}.sqlite", q.db)));
        let files: BTreeMap<String, PathBuf> = questions.iter().map(file).collect();
        Set { questions, originals: files.clone(), files, renamed: BTreeMap::new() }
    }
}

/// What a right query names. Names are lower case.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    pub(crate) tables: BTreeSet<String>,
    pub(crate) columns: BTreeSet<(String, String)>,
    /// Literals that a text column is compared with by `=` or `IN`: table, column, text.
    pub(crate) literals: BTreeSet<(String, String, String)>,
}

/// Reads what a query names; none when it can't be read.
pub(crate) fn needs(question: &Question, catalog: &Catalog) -> Option<Needs> {
    let own = if question.dialect == "mysql" { Dialect::Mysql } else { Dialect::Postgres };
    let query = ReadQuery::parse(&question.gold_sql, catalog.dialect)
        .or_else(|_| ReadQuery::parse(&question.gold_sql, own))
        .ok()?;
    let binding = bind(&query, catalog);
    let mut needs = Needs::default();
    needs.tables.extend(binding.tables.iter().map(|table| table.to_lowercase()));
    for at in binding.columns.iter().filter_map(|used| used.at.as_ref()) {
        needs.columns.insert((at.table.to_lowercase(), at.column.to_lowercase()));
    }
    for used in binding.scopes.iter().flat_map(|scope| &scope.literals) {
        let (Some(at), Value::Text(text)) = (&used.column, &used.value) else { continue };
        // a number that a gold query puts in quotes is no text that is stored
        let of_text = catalog.column(at).is_some_and(|column| !column.kind.is_number());
        if of_text && matches!(used.op, Comparison::Equal | Comparison::In) && !text.is_empty() {
            let (table, column) = (at.table.to_lowercase(), at.column.to_lowercase());
            needs.literals.insert((table, column, text.clone()));
        }
    }
    (!needs.tables.is_empty()).then_some(needs)
}
