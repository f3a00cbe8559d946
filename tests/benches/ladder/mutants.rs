//! Fan-out: golds with a child table of the measured table joined in, so that rows count twice.

use std::collections::BTreeSet;
use std::path::Path;

use querent::domain::{Catalog, Span};
use querent::sql::scope::{AggregateUse, Scope};
use querent::sql::{Binding, ReadQuery, bind};

use super::Wanted;
use super::golds::Bench;
use super::places::warnings;
use super::sets::{GOLDS, Item, half, items};
use super::table::Row;

/// Mutants wanted.
const MOST: usize = 5_000;

/// Ways of writing the join.
const WAYS: usize = 3;

/// A right query with a table joined that repeats what is measured.
struct Mutant {
    sql: String,
    /// The same by an outer join, which leaves out no row: where it differs, rows are repeated.
    outer: String,
    /// What is measured: `sum`, `count`, …
    function: String,
}

/// Measures mutants caught, and golds alarmed.
pub(crate) fn rows(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    let mut sums = Row::new("fan-out mutants caught: sums and averages", "≥ 99 %");
    let mut counts = Row::new("fan-out mutants caught: counts", "≥ 99 %");
    let mut alarmed = Row::new("golds alarmed of a fan-out", "0");
    let (mut seen, mut made) = (BTreeSet::new(), 0);
    for item in GOLDS.iter().flat_map(|set| items(data, set)).step_by(wanted.every) {
        if !seen.insert((item.db.clone(), item.gold_sql.clone())) {
            continue;
        }
        let file = bench.engine.file(&item.db);
        let catalog = bench.places.catalog(&item.db, &file);
        let mutants = mutants(&item.gold_sql, &catalog);
        if mutants.is_empty() {
            continue;
        }
        let h = half(&item.db);
        let alarm = warns(bench, &item, &item.gold_sql);
        alarmed.count(h, alarm);
        if alarm {
            alarmed.misses.push(format!("{} {}: {}", item.id, item.db, item.gold_sql));
        }
        for mutant in mutants {
            let multiplies = lies(bench, &item, &mutant.outer);
            if made == MOST || !multiplies || !lies(bench, &item, &mutant.sql) {
                continue;
            }
            made += 1;
            let caught = warns(bench, &item, &mutant.sql);
            let row = if mutant.function == "count" { &mut counts } else { &mut sums };
            row.count(h, caught);
            row.baseline(false);
            if !caught {
                row.misses
                    .push(format!("{} {}: {} | {}", item.id, item.db, item.question, mutant.sql));
            }
        }
    }
    let mut made_up = Row::new("fan-out mutants caught: of every key and number", "≥ 99 %");
    for db in seen.iter().map(|(db, _)| db.clone()).collect::<BTreeSet<String>>() {
        of_database(bench, &db, MOST.saturating_sub(made) / 20, wanted.every, &mut made_up);
    }
    vec![sums, counts, made_up, alarmed]
}

/// Sums and averages of each number column over a join with each child table.
fn of_database(bench: &mut Bench, db: &str, most: usize, every: usize, row: &mut Row) {
    let file = bench.engine.file(db);
    let catalog = bench.places.catalog(db, &file);
    let mut made = 0;
    for (n, (right, outer, wrong, question)) in plain(&catalog).into_iter().enumerate() {
        if n % every != 0 || made == most {
            continue;
        }
        let item = Item {
            id: format!("{db}-{n}"),
            db: db.to_owned(),
            question,
            gold_sql: right,
            gold_alternatives: Vec::new(),
            predictions: Vec::new(),
        };
        if !lies(bench, &item, &outer) || !lies(bench, &item, &wrong) {
            continue;
        }
        made += 1;
        let caught = warns(bench, &item, &wrong);
        row.count(half(db), caught);
        row.baseline(false);
        if !caught {
            row.misses.push(format!("{db}: {} | {wrong}", item.question));
        }
    }
}

/// Lists the right query, its outer and another join with a child, and the question.
fn plain(catalog: &Catalog) -> Vec<(String, String, String, String)> {
    let mut found = Vec::new();
    for key in catalog.keys.iter().filter(|key| key.from_columns.len() == 1) {
        let (Some(from), Some(to)) = (key.from_columns.first(), key.to_columns.first()) else {
            continue;
        };
        let Some(table) = catalog.table(&key.to_table) else { continue };
        let (parent, child) = (&table.name, &key.from_table);
        if parent.eq_ignore_ascii_case(child) {
            continue;
        }
        let numbers = table.columns.iter().filter(|c| {
            c.kind.is_number() && !table.primary_key.contains(&c.name) && !c.name.ends_with("id")
        });
        for column in numbers {
            for (function, word) in [("SUM", "total"), ("AVG", "average")] {
                let measure = format!("{function}(p.\"{}\")", column.name);
                let question = format!("What is the {word} {} of all {parent}?", column.name);
                let right = format!("SELECT {measure} FROM \"{parent}\" AS p");
                let on = format!("c.\"{from}\" = p.\"{to}\"");
                let outer = format!("{right} LEFT JOIN \"{child}\" AS c ON {on}");
                for wrong in [
                    format!("{right} JOIN \"{child}\" AS c ON {on}"),
                    format!("SELECT {measure} FROM \"{child}\" c, \"{parent}\" p WHERE {on}"),
                    outer.clone(),
                ] {
                    found.push((right.clone(), outer.clone(), wrong, question.clone()));
                }
            }
        }
    }
    found
}

/// Tells whether a mutant runs and gives something else than the gold.
fn lies(bench: &mut Bench, item: &Item, sql: &str) -> bool {
    bench.engine.run(&item.db, sql).is_ok() && !bench.engine.same(&item.db, sql, &item.gold_sql)
}

fn warns(bench: &mut Bench, item: &Item, sql: &str) -> bool {
    let file = bench.engine.file(&item.db);
    let report = bench.places.check(&item.db, &file, sql, Some(&item.question), true);
    warnings(&report).iter().any(|gate| gate == "fan_out")
}

/// Joins each child of each measured table in, written in several ways.
fn mutants(sql: &str, catalog: &Catalog) -> Vec<Mutant> {
    let Ok(query) = ReadQuery::parse(sql, catalog.dialect) else { return Vec::new() };
    let binding = bind(&query, catalog);
    let mut found = Vec::new();
    for scope in &binding.scopes {
        for aggregate in &scope.aggregates {
            let function = aggregate.function.clone();
            let measured = matches!(function.as_str(), "sum" | "avg" | "total" | "count");
            if !measured || aggregate.distinct || aggregate.window {
                continue;
            }
            let Some(owner) = owner(&binding, scope, aggregate) else { continue };
            for (sql, outer) in joined(sql, scope, owner, catalog) {
                found.push(Mutant { sql, outer, function: function.clone() });
            }
        }
    }
    found
}

/// The relation whose rows are measured: the one that the argument reads, or the only one.
fn owner(binding: &Binding, scope: &Scope, aggregate: &AggregateUse) -> Option<usize> {
    let Some(argument) = aggregate.argument else {
        return (scope.relations.len() == 1).then_some(0);
    };
    let inside = |span: Span| argument.start <= span.start && span.end <= argument.end;
    let mut owners: Vec<usize> = binding
        .columns
        .iter()
        .filter(|used| inside(used.span))
        .filter_map(|used| used.relation.map(|(_, relation)| relation))
        .collect();
    owners.dedup();
    if let [owner] = owners.as_slice() { Some(*owner) } else { None }
}

fn joined(sql: &str, scope: &Scope, owner: usize, catalog: &Catalog) -> Vec<(String, String)> {
    let (Some(end), Some(relation)) = (scope.from_end, scope.relations.get(owner)) else {
        return Vec::new();
    };
    let Some(table) = relation.table() else { return Vec::new() };
    let children = catalog.keys.iter().filter(|key| {
        key.to_table.eq_ignore_ascii_case(table)
            && key.from_columns.len() == 1
            && !scope.relations.iter().any(|r| r.table() == Some(key.from_table.as_str()))
    });
    let (Some(head), Some(tail)) = (sql.get(..end), sql.get(end..)) else { return Vec::new() };
    let mut found = Vec::new();
    for key in children {
        let (Some(from), Some(to)) = (key.from_columns.first(), key.to_columns.first()) else {
            continue;
        };
        let on = format!("more.\"{from}\" = {}.\"{to}\"", relation.name);
        for way in 0..WAYS {
            let join = match way {
                0 => "JOIN",
                1 => "LEFT JOIN",
                _ => "INNER JOIN",
            };
            let flipped = format!("{}.\"{to}\" = more.\"{from}\"", relation.name);
            let on = if way == 2 { &flipped } else { &on };
            let write =
                |join: &str| format!("{head} {join} \"{}\" AS more ON {on} {tail}", key.from_table);
            found.push((write(join), write("LEFT JOIN")));
        }
    }
    found
}
