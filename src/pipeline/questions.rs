//! What helps a person to ask: example questions, names to complete, tables to look at. Pure.

use crate::domain::{Catalog, ColumnKind, Knowledge, Table, Understanding};

use super::session::Completion;

/// Example questions shown at an empty start.
const EXAMPLES: usize = 5;
/// Names offered at most.
const OFFERED: usize = 50;
/// With no link, a schema of up to this many tables is measured whole.
const SMALL: usize = 12;

/// Lists example questions: from knowledge, else made from the catalog.
pub(super) fn examples(knowledge: &Knowledge, catalog: &Catalog) -> Vec<String> {
    let mut questions: Vec<String> = knowledge.questions.clone();
    questions.extend(knowledge.examples.iter().map(|example| example.question.clone()));
    let mut tables: Vec<&Table> = catalog.tables.iter().filter(|t| !t.columns.is_empty()).collect();
    tables.sort_by_key(|table| std::cmp::Reverse(table.rows.map_or(0, |rows| rows.count)));
    questions.extend(tables.iter().map(|table| how_many(table)).take(2));
    for made in [for_each, highest] {
        questions.extend(tables.iter().filter_map(|table| made(table)).take(2));
    }
    let mut seen: Vec<String> = Vec::new();
    for question in questions {
        if !seen.contains(&question) {
            seen.push(question);
        }
    }
    seen.truncate(EXAMPLES);
    seen
}

fn how_many(table: &Table) -> String {
    format!("How many {} are there?", table.name)
}

fn for_each(table: &Table) -> Option<String> {
    let text =
        table.columns.iter().find(|c| c.kind == ColumnKind::Text && !c.unique && !c.primary)?;
    Some(format!("How many {} are there for each {}?", table.name, text.name))
}

fn highest(table: &Table) -> Option<String> {
    let key = |name: &str| name.to_ascii_lowercase().ends_with("id");
    let number =
        table.columns.iter().find(|c| c.kind.is_number() && !c.primary && !key(&c.name))?;
    Some(format!("Which {} has the highest {}?", table.name, number.name))
}

/// Completes a word with names that start with it, then names that hold it.
pub(super) fn complete(word: &str, knowledge: &Knowledge, catalog: &Catalog) -> Vec<Completion> {
    let word = word.to_lowercase();
    if word.is_empty() {
        return Vec::new();
    }
    let mut offers: Vec<Completion> = Vec::new();
    let mut offer =
        |text: &str, what: String| offers.push(Completion { text: text.to_owned(), what });
    for table in &catalog.tables {
        offer(&table.name, table.kind.name().to_owned());
    }
    for metric in &knowledge.metrics {
        offer(&metric.name, "metric".to_owned());
    }
    for table in &catalog.tables {
        for column in &table.columns {
            offer(&column.name, format!("column of {}", table.name));
        }
    }
    let at = |offer: &Completion| offer.text.to_lowercase().find(&word);
    let mut found: Vec<(usize, Completion)> =
        offers.into_iter().filter_map(|offer| Some((at(&offer)?.min(1), offer))).collect();
    found.sort_by_key(|(place, _)| *place);
    found.truncate(OFFERED);
    found.into_iter().map(|(_, offer)| offer).collect()
}

/// Lists the tables whose facts a question wants: linked ones, or all of a small schema.
pub(super) fn wanted(understanding: Option<&Understanding>, catalog: &Catalog) -> Vec<String> {
    let linked = understanding.map(Understanding::tables).unwrap_or_default();
    if linked.is_empty() && catalog.tables.len() <= SMALL {
        catalog.tables.iter().map(|table| table.name.clone()).collect()
    } else {
        linked
    }
}
