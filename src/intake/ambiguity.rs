//! Finds words whose look-alike readings would give different answers.

use std::collections::BTreeSet;

use crate::domain::links::Ambiguity;
use crate::domain::{Catalog, ColumnRef, Link, LinkTarget, Match, Span};

/// Asks back when one value stands in columns of tables that nothing else in the question chooses
/// between. Everything else has a tie-break, and a wrong question back costs more than it saves.
pub(super) fn ambiguity(text: &str, links: &[Link], catalog: &Catalog) -> Option<Ambiguity> {
    let mut spans: Vec<Span> = links.iter().map(|link| link.span).collect();
    spans.dedup();
    for span in &spans {
        let readings = value_readings(links, *span);
        if readings.len() < 2 || readings.len() > 4 || are_one_thing(&readings) {
            continue;
        }
        let elsewhere: Vec<&Link> = links.iter().filter(|link| link.span != *span).collect();
        if elsewhere.iter().any(|link| decides(link, &readings, catalog)) {
            continue;
        }
        return Some(ask(text, *span, &readings));
    }
    None
}

/// The columns that hold exactly this value, when it is nothing but a value.
fn value_readings(links: &[Link], span: Span) -> Vec<(ColumnRef, String)> {
    let here: Vec<&Link> = links.iter().filter(|link| link.span == span).collect();
    let only_values =
        here.iter().all(|l| matches!(l.target, LinkTarget::Value { .. }) || l.score < 0.6);
    if !only_values {
        return Vec::new();
    }
    let exact = here.iter().filter(|l| matches!(l.how, Match::Exact | Match::Case));
    exact
        .filter_map(|link| match &link.target {
            LinkTarget::Value { column, stored } => Some((column.clone(), stored.clone())),
            LinkTarget::Table(_) | LinkTarget::Column(_) | LinkTarget::Metric(_) => None,
        })
        .collect()
}

/// Two columns of one table that hold the same text speak of the same rows: `name`, `local_name`.
fn are_one_thing(readings: &[(ColumnRef, String)]) -> bool {
    let Some(((first, text), others)) = readings.split_first() else { return false };
    others.iter().all(|(at, stored)| at.table == first.table && stored == text)
}

/// Tells whether another link favours one of the readings: it names a table at or next to one.
fn decides(link: &Link, readings: &[(ColumnRef, String)], catalog: &Catalog) -> bool {
    let near = |table: &str| -> BTreeSet<String> {
        let mut near: BTreeSet<String> = BTreeSet::from([table.to_lowercase()]);
        for key in catalog.keys_of(table) {
            near.insert(key.from_table.to_lowercase());
            near.insert(key.to_table.to_lowercase());
        }
        near
    };
    let names_column = matches!(&link.target, LinkTarget::Column(at)
        if readings.iter().any(|(column, _)| column == at));
    let table = match &link.target {
        LinkTarget::Table(table) => table,
        LinkTarget::Column(at) | LinkTarget::Value { column: at, .. } => &at.table,
        LinkTarget::Metric(_) => return true,
    };
    let around = near(table);
    let close = readings.iter().filter(|(at, _)| around.contains(&at.table.to_lowercase())).count();
    let same = readings.iter().filter(|(at, _)| at.table.eq_ignore_ascii_case(table)).count();
    names_column || same > 0 || (close > 0 && close < readings.len())
}

fn ask(text: &str, span: Span, readings: &[(ColumnRef, String)]) -> Ambiguity {
    let words = span.of(text);
    let names: Vec<String> = readings.iter().map(|(at, _)| at.to_string()).collect();
    let before = text.get(..span.start).unwrap_or("");
    let after = text.get(span.end..).unwrap_or("");
    let choice = |(at, stored): &(ColumnRef, String)| {
        format!("{before}{} {} '{stored}'{after}", at.table, at.column)
    };
    Ambiguity {
        words: words.to_owned(),
        question: format!(
            "\"{words}\" is stored in {}. Which one do you mean?",
            names.join(" and in ")
        ),
        choices: readings.iter().map(choice).collect(),
    }
}
