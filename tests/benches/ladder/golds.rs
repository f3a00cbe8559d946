//! Golds and predictions: what check says of what is right, of what is wrong, and of what fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use querent::pipeline::CheckReport;

use super::Wanted;
use super::engine::{Engine, class};
use super::places::{Places, blocks, warnings};
use super::sets::{GOLDS, Item, PREDICTED, half, items};
use super::table::Row;

/// What is measured with.
pub(crate) struct Bench {
    pub(crate) engine: Engine,
    pub(crate) places: Places,
    /// Whether checks may look at the data.
    pub(crate) probe: bool,
    /// Warnings by gate: on right answers, on wrong ones, by half.
    pub(crate) gates: BTreeMap<String, [[usize; 2]; 2]>,
    /// One line for each warned or silent answer, for reading elsewhere.
    pub(crate) dump: String,
}

impl Bench {
    fn check(&mut self, item: &Item, sql: &str) -> CheckReport {
        let file = self.engine.file(&item.db);
        self.places.check(&item.db, &file, sql, Some(&item.question), self.probe)
    }
}

fn flat(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn told(report: &CheckReport) -> String {
    let mut told = String::new();
    for found in &report.findings {
        write!(told, " [{:?} {}: {}]", found.severity, found.gate, found.message).unwrap();
    }
    for found in &report.diagnostics {
        write!(told, " [{}: {}]", found.code, found.message).unwrap();
    }
    told
}

/// Golds that are rejected, changed, blocked, and warned of.
pub(crate) fn of_golds(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    let mut rejected = Row::new("golds rejected", "0");
    let mut changed = Row::new("golds changed", "0");
    let mut blocked = Row::new("golds with a blocking finding", "0");
    let mut warned = Row::new("golds warned of", "(told)");
    let mut seen = BTreeSet::new();
    for item in GOLDS.iter().flat_map(|set| items(data, set)).step_by(wanted.every) {
        if !seen.insert((item.db.clone(), item.question.clone(), item.gold_sql.clone())) {
            continue;
        }
        let report = bench.check(&item, &item.gold_sql);
        let gates = warnings(&report);
        let line = format!("{} {}: {} | {}", item.id, item.db, item.question, flat(&item.gold_sql));
        let hits = [
            (&mut rejected, report.status == "rejected"),
            (&mut changed, report.status == "repaired" || report.sql != item.gold_sql),
            (&mut blocked, blocks(&report)),
            (&mut warned, !gates.is_empty()),
        ];
        for (row, hit) in hits {
            row.count(half(&item.db), hit);
            if hit {
                row.misses.push(format!("{line}{}", told(&report)));
            }
        }
    }
    vec![rejected, changed, blocked, warned]
}

/// Recorded answers that run.
pub(crate) fn of_answers(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    let mut touched = Row::new("right answers rejected or rewritten", "0");
    let mut right = Row::new("right answers warned of", "≤ 2 %");
    let mut wrong = Row::new("wrong answers warned of", "≥ 40 %");
    for item in PREDICTED.iter().flat_map(|set| items(data, set)).step_by(wanted.every) {
        for said in &item.predictions {
            let correct = said.class == "ok_correct";
            if !correct && (said.class != "ok_wrong" || said.any_column_order) {
                continue;
            }
            let report = bench.check(&item, &said.sql);
            let gates = warnings(&report);
            let h = half(&item.db);
            for gate in &gates {
                if let Some(count) = bench.gates.entry(gate.clone()).or_default().get_mut(h) {
                    count[usize::from(!correct)] += 1;
                }
            }
            let line = format!(
                "{} {}: {} | {} | gold {}{}",
                item.id,
                item.db,
                item.question,
                flat(&said.sql),
                flat(&item.gold_sql),
                told(&report)
            );
            if correct {
                touched.count(h, report.status != "ok");
                touched.baseline(false);
                right.count(h, !gates.is_empty());
                right.baseline(false);
                if report.status != "ok" {
                    touched.misses.push(line.clone());
                }
                if !gates.is_empty() {
                    right.misses.push(line);
                }
            } else {
                wrong.count(h, !gates.is_empty());
                wrong.baseline(false);
                if gates.is_empty() {
                    wrong.misses.push(line);
                }
            }
            dump(&mut bench.dump, &item, &said.sql, correct, &report);
        }
    }
    vec![touched, right, wrong]
}

fn dump(to: &mut String, item: &Item, sql: &str, correct: bool, report: &CheckReport) {
    let findings: Vec<serde_json::Value> = report
        .findings
        .iter()
        .map(|f| {
            serde_json::json!({"gate": f.gate, "severity": f.severity, "message": f.message,
                "evidence": f.evidence})
        })
        .collect();
    let line = serde_json::json!({"id": item.id, "db": item.db, "half": half(&item.db),
        "question": item.question, "gold": item.gold_sql, "sql": sql, "correct": correct,
        "status": report.status, "findings": findings});
    writeln!(to, "{line}").unwrap();
}

/// Recorded answers that fail.
pub(crate) fn of_failures(bench: &mut Bench, data: &Path, wanted: &Wanted) -> Vec<Row> {
    let mut flagged = Row::new("failing answers flagged before running, with the class", "≥ 98 %");
    let mut runs = Row::new("… mended here so that they run", "≥ 65 %");
    let mut right = Row::new("… and are then right, columns in any order", "≥ 35 %");
    let mut exact = Row::new("… in the order of the gold's columns", "(told)");
    for item in PREDICTED.iter().flat_map(|set| items(data, set)).step_by(wanted.every) {
        for said in &item.predictions {
            if matches!(said.class.as_str(), "ok_correct" | "ok_wrong" | "empty" | "timeout") {
                continue;
            }
            let Err(error) = bench.engine.run(&item.db, &said.sql).as_ref().clone() else {
                continue;
            };
            let report = bench.check(&item, &said.sql);
            let h = half(&item.db);
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.code.as_str()).collect();
            let classed = !codes.is_empty() && codes.iter().any(|code| is(code, &said.class));
            let line = format!(
                "{} {} {} ({error}): {} | {} | gold {} → {} {}{}",
                item.id,
                item.db,
                said.class,
                item.question,
                flat(&said.sql),
                flat(&item.gold_sql),
                report.status,
                flat(&report.sql),
                told(&report)
            );
            flagged.count(h, classed);
            flagged.baseline(is(class(&error), &said.class));
            let mended = report.status == "repaired"
                && bench.engine.run(&item.db, &report.sql).as_ref().is_ok();
            let mut golds = std::iter::once(&item.gold_sql).chain(&item.gold_alternatives);
            let same = golds.clone().any(|g| bench.engine.same(&item.db, &report.sql, g));
            let good = mended && golds.any(|g| bench.engine.alike(&item.db, &report.sql, g));
            exact.count(h, mended && same);
            exact.baseline(false);
            runs.count(h, mended);
            runs.baseline(false);
            right.count(h, good);
            right.baseline(false);
            for (row, hit) in [(&mut flagged, classed), (&mut runs, mended)] {
                if !hit {
                    row.misses.push(line.clone());
                }
            }
            if mended && !good {
                right.misses.push(line);
            }
        }
    }
    vec![flagged, runs, right, exact]
}

/// Tells whether one of our codes is the recorded class.
fn is(code: &str, class: &str) -> bool {
    let ours = match code {
        "write" => "write_attempt",
        "foreign_syntax" | "stray_text" | "incomplete" => "syntax_error",
        other => other,
    };
    ours == class || class == "other_error"
}
