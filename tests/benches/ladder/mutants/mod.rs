//! Fan-out: right queries with more rows joined in, so that what is measured counts several times.
//!
//! A mutant counts only if it lies, and lies because rows are repeated: its rows differ from the
//! right query's, and still do when all its joins are outer ones, which leave out no row.

mod made;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use querent::domain::{Catalog, Finding, Severity, Span};
use querent::sql::rewrite::apply;
use querent::sql::scope::{AggregateUse, Scope};
use querent::sql::{Binding, ReadQuery, bind};

use super::Wanted;
use super::golds::Bench;
use super::sets::{GOLDS, Item, half, items};
use super::table::Row;

/// Mutants wanted.
const MOST: usize = 5_000;

/// Mutants of the sets' own golds at most; the others are of questions made up for every table.
const OF_GOLDS: usize = 3_000;

/// A query that counts rows several times.
pub(super) struct Mutant {
    pub(super) sql: String,
    /// The same by outer joins, which leave out no row: where it differs, rows are repeated.
    pub(super) outer: String,
    /// Of a masked one, the same without the mask, and the same joined to one row for each: all
    /// three differ.
    pub(super) once: Option<(String, String)>,
    /// How the rows came in.
    pub(super) shape: &'static str,
    /// True when rows are counted, false when amounts are summed.
    pub(super) counts: bool,
}

/// A way of writing the right query with a join that does no harm.
struct Control {
    sql: String,
}

/// Measures mutants caught, and right queries alarmed.
pub(crate) fn rows(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    let mut tally = Tally::new();
    let mut seen = BTreeSet::new();
    let golds = GOLDS.iter().flat_map(|set| items(data, set)).step_by(wanted.every);
    for (n, item) in golds.enumerate() {
        if seen.insert((item.db.clone(), item.question.clone(), item.gold_sql.clone())) {
            tally.gold(bench, &item, "golds", n, OF_GOLDS);
        }
    }
    let databases: BTreeSet<String> = seen.into_iter().map(|(db, ..)| db).collect();
    let most = |made: usize, left: usize| made + MOST.saturating_sub(made).div_ceil(left.max(1));
    for (n, db) in databases.iter().enumerate() {
        let most = most(tally.made, databases.len() - n);
        let file = bench.engine.file(db);
        let catalog = bench.places.catalog(db, &file);
        for (item, mutant) in made::of_both(db, &catalog) {
            tally.mutant(bench, &item, &mutant, "made-up questions", most);
        }
        for (n, item) in made::items(db, &catalog).into_iter().enumerate() {
            if ones(bench, &item) {
                continue;
            }
            tally.gold(bench, &item, "made-up questions", n, most);
        }
    }
    tally.rows()
}

/// What was measured so far.
struct Tally {
    made: usize,
    all: Row,
    /// By whose questions and which measures.
    sources: BTreeMap<String, Row>,
    shapes: BTreeMap<&'static str, Row>,
    alarmed: Row,
    controls: Row,
    offered: Row,
    equal: Row,
}

impl Tally {
    fn new() -> Self {
        Tally {
            made: 0,
            all: Row::new("fan-out mutants caught", "≥ 99 %"),
            sources: BTreeMap::new(),
            shapes: BTreeMap::new(),
            alarmed: Row::new("golds alarmed of a fan-out", "0"),
            controls: Row::new("joins without harm alarmed of a fan-out", "0"),
            offered: Row::new("… of the caught ones with a rewritten query", "(told)"),
            equal: Row::new("… rewritten queries that give the gold's rows", "100 %"),
        }
    }

    fn gold(&mut self, bench: &mut Bench, item: &Item, source: &str, n: usize, most: usize) {
        let file = bench.engine.file(&item.db);
        let catalog = bench.places.catalog(&item.db, &file);
        let alarm = alarm(bench, item, &item.gold_sql).is_some();
        self.alarmed.count(half(&item.db), alarm);
        if alarm {
            self.alarmed.misses.push(format!("{} {}: {}", item.id, item.db, item.gold_sql));
        }
        let (mutants, controls) = mutants(&item.gold_sql, &catalog);
        for control in controls {
            if bench.engine.same(&item.db, &control.sql, &item.gold_sql) {
                let alarm = alarm_of(bench, item, &control.sql);
                self.controls.count(half(&item.db), alarm);
                if alarm {
                    self.controls.misses.push(format!("{}: {}", item.db, control.sql));
                }
            }
        }
        // of the many ways each gold gets every other one, so that all get their turn
        for (k, mutant) in mutants.into_iter().enumerate() {
            if (k + n).is_multiple_of(2) {
                self.mutant(bench, item, &mutant, source, most);
            }
        }
    }

    fn mutant(&mut self, bench: &mut Bench, item: &Item, mutant: &Mutant, of: &str, most: usize) {
        let repeats = mutant.once.as_ref().is_none_or(|(bare, once)| {
            !bench.engine.same(&item.db, bare, once)
                && !bench.engine.same(&item.db, &mutant.sql, once)
        });
        let lies = |bench: &mut Bench, sql: &str| lies(bench, item, sql);
        if self.made >= most || !repeats || !lies(bench, &mutant.outer) || !lies(bench, &mutant.sql)
        {
            return;
        }
        self.made += 1;
        let found = alarm(bench, item, &mutant.sql);
        let what = if mutant.counts { "counts" } else { "sums and averages" };
        let source = self
            .sources
            .entry(format!("{what} of {of}"))
            .or_insert_with(|| Row::new(format!("… {what} of {of}"), "≥ 99 %"));
        let shape = self
            .shapes
            .entry(mutant.shape)
            .or_insert_with(|| Row::new(format!("… {}", mutant.shape), "(told)"));
        let h = half(&item.db);
        for row in [&mut self.all, source, shape] {
            row.count(h, found.is_some());
            row.baseline(false);
        }
        let line = format!("{} {}: {} | {}", item.id, item.db, item.question, mutant.sql);
        let Some(found) = found else {
            self.all.misses.push(format!("[{what}, {}] {line}", mutant.shape));
            return;
        };
        self.offered.count(h, found.rewrite.is_some());
        if let Some(rewrite) = found.rewrite {
            let equal = bench.engine.same(&item.db, &rewrite, &item.gold_sql);
            self.equal.count(h, equal);
            if !equal {
                self.equal.misses.push(format!("[{}] {line} → {rewrite}", mutant.shape));
            }
        } else {
            self.offered.misses.push(format!("[{what}, {}] {line}", mutant.shape));
        }
    }

    fn rows(self) -> Vec<Row> {
        let mut rows = vec![self.all];
        rows.extend(self.sources.into_values());
        rows.extend(self.shapes.into_values());
        rows.extend([self.offered, self.equal, self.controls, self.alarmed]);
        rows
    }
}

/// Tells whether a query counts one row for each: nobody asks that.
fn ones(bench: &mut Bench, item: &Item) -> bool {
    let rows = bench.engine.run(&item.db, &item.gold_sql);
    let one = |row: &Vec<String>| row.last().is_some_and(|cell| cell == "1");
    rows.as_ref().as_ref().is_ok_and(|rows| rows.len() > 1 && rows.iter().all(one))
}

/// Tells whether a mutant runs and gives something else than the gold.
fn lies(bench: &mut Bench, item: &Item, sql: &str) -> bool {
    bench.engine.run(&item.db, sql).is_ok() && !bench.engine.same(&item.db, sql, &item.gold_sql)
}

fn alarm_of(bench: &mut Bench, item: &Item, sql: &str) -> bool {
    alarm(bench, item, sql).is_some()
}

/// Checks a query; returns what is said of a fan-out, that with a rewritten query first.
fn alarm(bench: &mut Bench, item: &Item, sql: &str) -> Option<Finding> {
    let file = bench.engine.file(&item.db);
    let report = bench.places.check(&item.db, &file, sql, Some(&item.question), true);
    let warns = |f: &Finding| f.gate == "fan_out" && f.severity >= Severity::Warning;
    report.findings.into_iter().filter(warns).max_by_key(|f| f.rewrite.is_some())
}

/// Joins more rows to each table that is measured, written in every way.
fn mutants(sql: &str, catalog: &Catalog) -> (Vec<Mutant>, Vec<Control>) {
    let (mut found, mut controls) = (Vec::new(), Vec::new());
    let Ok(query) = ReadQuery::parse(sql, catalog.dialect) else { return (found, controls) };
    let binding = bind(&query, catalog);
    for scope in &binding.scopes {
        for aggregate in &scope.aggregates {
            let function = aggregate.function.as_str();
            let measured = matches!(function, "sum" | "avg" | "total" | "count");
            if !measured || aggregate.distinct || aggregate.window {
                continue;
            }
            let Some(owner) = owner(&binding, scope, aggregate) else { continue };
            let Some(spot) = shapes::Spot::of(sql, scope, owner, catalog) else { continue };
            for way in spot.ways(aggregate) {
                let written = |edits: &[_]| apply(sql, edits);
                if let (Some(sql), Some(outer)) = (written(&way.edits), written(&way.outer)) {
                    let counts = function == "count";
                    let once =
                        way.once.and_then(|(bare, once)| Some((written(&bare)?, written(&once)?)));
                    found.push(Mutant { sql, outer, once, shape: way.shape, counts });
                }
            }
            let harmless = spot.harmless(aggregate, scope.aggregates.len() == 1);
            controls.extend(harmless.iter().filter_map(|e| Some(Control { sql: apply(sql, e)? })));
        }
    }
    (found, controls)
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
