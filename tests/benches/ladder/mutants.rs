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
            if made == MOST || !lies(bench, &item, &mutant.sql) {
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
    vec![sums, counts, alarmed]
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
            for sql in joined(sql, scope, owner, catalog) {
                found.push(Mutant { sql, function: function.clone() });
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

fn joined(sql: &str, scope: &Scope, owner: usize, catalog: &Catalog) -> Vec<String> {
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
            found.push(format!("{head} {join} \"{}\" AS more ON {on} {tail}", key.from_table));
        }
    }
    found
}
