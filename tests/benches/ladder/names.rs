//! Did-you-mean: whether the first suggestion is the name that the right query has.

use std::path::Path;

use querent::sql::{ReadQuery, bind};

use super::Wanted;
use super::golds::Bench;
use super::sets::{PREDICTED, Resolved, half, items, read};
use super::table::Row;

/// Measures single changed names of right queries, and the names that models made up.
pub(crate) fn rows(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    vec![of_changed(bench, data, wanted), of_answers(bench, data, wanted)]
}

/// One name was changed: the suggestion shall be the name that stood there.
fn of_changed(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Row {
    let mut row = Row::new("first suggestion is the name that stood there", "≥ 95 %");
    let cases: Vec<Resolved> = read(data, "resolver_cases");
    for pair in cases.windows(2).step_by(1) {
        let [gold, changed] = pair else { continue };
        if changed.kind != "mutated" || changed.accepted || gold.kind != "gold" {
            continue;
        }
        if row_is_left_out(row.misses.len(), wanted) {
            break;
        }
        let Some((was, now)) = changed_word(&gold.sql, &changed.sql) else { continue };
        // another column's name put in is no slip of a name
        if strsim::damerau_levenshtein(&was, &now) > 2 {
            continue;
        }
        let file = bench.engine.file(&changed.db);
        let report = bench.places.check(&changed.db, &file, &changed.sql, None, true);
        let first = report.diagnostics.iter().find_map(|d| d.suggestions.first());
        let bare = first.map(|s| last_part(s));
        let hit = bare.is_some_and(|s| s.eq_ignore_ascii_case(&was));
        row.count(half(&changed.db), hit);
        row.baseline(false);
        if !hit {
            row.misses.push(format!("{}: {was} → {now}: {first:?} | {}", changed.db, changed.sql));
        }
    }
    row
}

fn row_is_left_out(misses: usize, wanted: &Wanted) -> bool {
    wanted.every > 1 && misses > 200
}

/// Finds the one word in which two texts differ.
fn changed_word(a: &str, b: &str) -> Option<(String, String)> {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    let mut differ = a.iter().zip(&b).filter(|(x, y)| x != y);
    let (was, now) = differ.next()?;
    let one = a.len() == b.len() && differ.all(|(x, y)| x == was && y == now);
    one.then(|| (was.clone(), now.clone()))
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_matches(['"', '`', '[', ']'])
}

/// A model made a name up: where one of the suggestions stands in the right query, the first shall.
fn of_answers(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Row {
    let mut row = Row::new("models' unknown names: first suggestion is in the gold", "≥ 95 %");
    for item in PREDICTED.iter().flat_map(|set| items(data, set)).step_by(wanted.every) {
        let file = bench.engine.file(&item.db);
        let catalog = bench.places.catalog(&item.db, &file);
        let Ok(query) = ReadQuery::parse(&item.gold_sql, catalog.dialect) else { continue };
        let binding = bind(&query, &catalog);
        let columns = binding.columns.iter().map(|used| used.name.to_lowercase());
        let held: Vec<String> =
            columns.chain(binding.tables.iter().map(|t| t.to_lowercase())).collect();
        for said in &item.predictions {
            if !matches!(said.class.as_str(), "no_such_column" | "no_such_table") {
                continue;
            }
            let report = bench.places.check(&item.db, &file, &said.sql, Some(&item.question), true);
            for found in report.diagnostics.iter().filter(|d| d.code.starts_with("no_such")) {
                let in_gold = |s: &String| held.contains(&last_part(s).to_lowercase());
                if !found.suggestions.iter().any(in_gold) {
                    continue;
                }
                let hit = found.suggestions.first().is_some_and(in_gold);
                row.count(half(&item.db), hit);
                row.baseline(false);
                if !hit {
                    row.misses.push(format!(
                        "{} {}: {} {:?} | {} | gold {}",
                        item.id,
                        item.db,
                        found.message,
                        found.suggestions,
                        item.question,
                        item.gold_sql
                    ));
                }
            }
        }
    }
    row
}
