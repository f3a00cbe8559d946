//! What helps a person to ask: example questions, names to complete, tables to look at. Pure.

use crate::domain::{Catalog, ColumnKind, Knowledge, LinkTarget, Table, Understanding};
use crate::joins::Graph;

use super::session::Completion;

/// Example questions shown at an empty start.
const EXAMPLES: usize = 5;
/// Names offered at most.
const OFFERED: usize = 50;
/// Linked tables whose facts are wanted at most.
const MOST_WANTED: usize = 16;
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
///
/// Of dozens of linked tables the best of each place of the question are wanted, then the second
/// best, and so on: a word that thousands of columns are called by must not have them all measured.
pub(super) fn wanted(understanding: Option<&Understanding>, catalog: &Catalog) -> Vec<String> {
    let linked = understanding.map(Understanding::tables).unwrap_or_default();
    match understanding {
        None if catalog.tables.len() <= SMALL => names(catalog),
        Some(_) if linked.is_empty() && catalog.tables.len() <= SMALL => names(catalog),
        Some(understanding) if linked.len() > MOST_WANTED => best_of_each_place(understanding),
        None | Some(_) => linked,
    }
}

/// Lists the tables whose rows and figures a package may tell: those needed and what lies between
/// them on any of the cheapest ways, then those wanted.
pub(super) fn measured(
    understanding: Option<&Understanding>,
    catalog: &Catalog,
    graph: &Graph,
) -> Vec<String> {
    let wanted = wanted(understanding, catalog);
    let Some(understanding) = understanding else { return wanted };
    let mut needed = understanding.related.anchors.clone();
    needed.truncate(MOST_WANTED / 2);
    let trees = if needed.len() > 1 { graph.cheapest(&needed) } else { Vec::new() };
    let between = trees.into_iter().flat_map(|tree| tree.tables);
    let mut tables: Vec<String> = Vec::new();
    for table in needed.into_iter().chain(between).chain(wanted) {
        if tables.len() < MOST_WANTED && !tables.iter().any(|t| t.eq_ignore_ascii_case(&table)) {
            tables.push(table);
        }
    }
    tables
}

fn names(catalog: &Catalog) -> Vec<String> {
    catalog.tables.iter().map(|table| table.name.clone()).collect()
}

fn best_of_each_place(understanding: &Understanding) -> Vec<String> {
    let mut ranked: Vec<(usize, &str)> = Vec::new();
    for here in understanding.links.chunk_by(|a, b| a.span == b.span) {
        let tables = here.iter().filter_map(|link| match &link.target {
            LinkTarget::Table(table) => Some(table.as_str()),
            LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => {
                Some(at.table.as_str())
            }
            LinkTarget::Metric(_) => None,
        });
        ranked.extend(tables.enumerate());
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut wanted: Vec<String> = Vec::new();
    for (_, table) in ranked {
        if wanted.len() < MOST_WANTED && !wanted.iter().any(|known| known == table) {
            wanted.push(table.to_owned());
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ColumnRef, Facts, Link, Match, Question, Span};
    use crate::intake;

    #[test]
    fn of_many_linked_tables_the_best_of_each_place_are_wanted() {
        let link = |place: usize, table: String| Link {
            span: Span::new(place, place + 1),
            words: String::new(),
            target: LinkTarget::Column(ColumnRef::new(table, "city")),
            how: Match::Exact,
            score: 1.0,
        };
        let first = (0..24).map(|n| link(0, format!("a{n}")));
        let second = (0..24).map(|n| link(5, format!("b{n}")));
        let mut understanding = intake::understand(&Question::default(), &Facts::default());
        understanding.links = first.chain(second).collect();
        let wanted = wanted(Some(&understanding), &Catalog::default());
        assert_eq!(wanted.len(), MOST_WANTED);
        assert_eq!(wanted[..4], ["a0", "b0", "a1", "b1"]);
    }
}
