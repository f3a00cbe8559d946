//! The report as Markdown: tables that read well as plain text, too.

//!
//! What belongs here: the order of sections, one file for a long one. What must never come: adding
//! up. To add a section: a table, and its line in `model`.

mod answers;
mod worth;

use std::fmt::Write;

use crate::domain::counts::{count, grouped};

use super::super::attribution::Lane;
use super::super::measure::{Evaluation, Measured};
use super::super::score::{LaneTally, Score, Tally, quantile};
use super::super::suite::Unscored;
use super::json::changed;
use super::table::Table;
use super::{float, mean, percent};

/// Lanes that are told even when they did nothing.
const ALWAYS: [Lane; 3] = [Lane::LocalRepair, Lane::ErrorRetry, Lane::SemanticRetry];

/// Writes the report.
pub fn report(evaluation: &Evaluation) -> String {
    let mut out = format!("# Evaluation: {}\n", evaluation.sets.join(", "));
    if evaluation.cancelled {
        out.push_str("\nStopped early: the figures are of the questions scored by then.\n");
    }
    if let [_, _, ..] = evaluation.measured.as_slice() {
        all_models(&mut out, &evaluation.measured);
    }
    if let Some(score) = &evaluation.together {
        head(&mut out, 2, "All first answers together");
        let _ = writeln!(out, "{}, a copy counted once.", count(score.questions, "answer"));
        section(&mut out, "Lanes", &lanes(score));
        checks(&mut out, score);
    }
    for measured in &evaluation.measured {
        model(&mut out, measured, &evaluation.sets);
    }
    listed(&mut out, "Not scored", &evaluation.unscored, &evaluation.sets);
    let odd = "Gold SQL that fails beside gold that runs";
    listed(&mut out, odd, &evaluation.notes, &evaluation.sets);
    out
}

fn head(out: &mut String, level: usize, text: &str) {
    let _ = write!(out, "\n{} {text}\n\n", "#".repeat(level));
}

/// Writes a table under a heading, if it has rows.
fn section(out: &mut String, text: &str, table: &Table) {
    if !table.is_empty() {
        head(out, 3, text);
        table.write(out);
    }
}

fn all_models(out: &mut String, all: &[Measured]) {
    let heads = [
        "model",
        "questions",
        "first answer",
        "bare loop",
        "querent",
        "fixed",
        "broken",
        "trusted",
    ];
    let mut table = Table::new(&heads);
    for measured in all {
        let (score, n) = (&measured.score, measured.score.questions);
        let (broken, fixed) = changed(&measured.scored);
        table.row([
            measured.subject.name.clone(),
            grouped(n),
            percent(score.first.right, n),
            score.bare.map_or_else(|| "–".to_owned(), |bare| percent(bare.right, n)),
            percent(score.right, n),
            grouped(fixed),
            grouped(broken),
            trusted(score),
        ]);
    }
    head(out, 2, "All models");
    table.write(out);
    out.push_str("\ntrusted: right among the answers called grounded or certified.\n");
}

/// Says how many of the answers that are called sure are right.
fn trusted(score: &Score) -> String {
    let sure = |name: &str| name.ends_with("grounded") || name.ends_with("certified");
    let mut sum = Tally::default();
    for (_, tally) in score.endings.iter().filter(|(name, _)| sure(name)) {
        sum.of += tally.of;
        sum.right += tally.right;
    }
    percent(sum.right, sum.of)
}

fn model(out: &mut String, measured: &Measured, sets: &[String]) {
    let score = &measured.score;
    head(out, 2, &measured.subject.name);
    let databases = count(score.databases.len(), "database");
    let _ = write!(out, "{} on {databases}", count(score.questions, "question"));
    if measured.subject.recorded {
        out.push_str("; the answers were recorded before");
    }
    if measured.unrecorded > 0 {
        let _ = write!(out, ", {} more questions have none", grouped(measured.unrecorded));
    }
    out.push_str(".\n\n");
    answers::write(out, measured);
    section(out, "Lanes", &lanes(score));
    let recorded = measured.subject.recorded;
    let endings = score.endings.iter().map(|(name, tally)| (ending(name, recorded), *tally));
    section(out, "How runs ended", &tallies("ending", endings));
    section(out, "Errors by class", &errors(score));
    checks(out, score);
    section(out, "Cost", &cost(score));
    if sets.len() > 1 {
        let named =
            score.sets.iter().filter_map(|(n, tally)| Some((sets.get(*n)?.clone(), *tally)));
        section(out, "Sets", &tallies("set", named));
    }
    let databases = score.databases.iter().map(|(name, tally)| (name.clone(), *tally));
    section(out, "Databases", &tallies("database", databases));
    worth::write(out, measured);
}

fn lanes(score: &Score) -> Table {
    let heads =
        ["lane", "fired", "fixed", "broken", "now runs", "still right", "still wrong", "untouched"];
    let mut table = Table::new(&heads);
    let figures = |tally: &LaneTally| {
        [
            tally.fired,
            tally.fixed,
            tally.broken,
            tally.made_to_run,
            tally.still_right,
            tally.still_wrong,
        ]
        .map(grouped)
    };
    for (lane, tally) in &score.lanes {
        if tally.fired == 0 && !ALWAYS.contains(lane) {
            continue;
        }
        let cells = figures(tally).into_iter().chain([grouped(tally.untouched)]);
        table.row(std::iter::once(lane.words().to_owned()).chain(cells));
        let kinds = score.details.iter().filter(|((of, kind), _)| of == lane && !kind.is_empty());
        for ((_, kind), tally) in kinds {
            let cells = figures(tally).into_iter().chain([String::new()]);
            table.row(std::iter::once(format!("· {kind}")).chain(cells));
        }
    }
    table
}

/// Puts an ending into words.
fn ending(name: &str, recorded: bool) -> String {
    match name {
        "gave_up, model" if recorded => "gave up, no more recorded answers".to_owned(),
        name => name.replace('_', " "),
    }
}

fn tallies(name: &str, all: impl Iterator<Item = (String, Tally)>) -> Table {
    let mut table = Table::new(&[name, "questions", "right", "share"]);
    for (name, tally) in all {
        table.row([name, grouped(tally.of), grouped(tally.right), percent(tally.right, tally.of)]);
    }
    table
}

fn errors(score: &Score) -> Table {
    let mut table = Table::new(&["class", "first answers", "ended so"]);
    for (class, tally) in &score.errors {
        table.row([class.clone(), grouped(tally.first), grouped(tally.last)]);
    }
    table
}

fn checks(out: &mut String, score: &Score) {
    let checks = &score.checks;
    if checks.failing + checks.right.0 + checks.wrong.0 == 0 {
        return;
    }
    head(out, 3, "Checks of first drafts");
    let mut table = Table::new(&["", "count", "of", "share"]);
    let mut row = |name: &str, (of, hits): (usize, usize)| {
        if of > 0 {
            table.row([name.to_owned(), grouped(hits), grouped(of), percent(hits, of)]);
        }
    };
    row("failing drafts flagged before running", (checks.failing, checks.flagged));
    row("· with the engine's class", (checks.failing, checks.same_class));
    row("failing drafts that run once mended here", (checks.failing, checks.mended));
    row("· and are right then", (checks.failing, checks.mended_right));
    row("right drafts refused", (checks.right.0, checks.right_refused));
    row("right drafts warned of", checks.right);
    row("wrong drafts warned of", checks.wrong);
    table.write(out);
    out.push_str("\nWrong: runs, and its rows differ in any order of columns.\n");
    let mut gates = Table::new(&["gate that warns", "on right", "on wrong"]);
    for (gate, (right, wrong)) in &score.gates {
        gates.row([gate.clone(), grouped(*right), grouped(*wrong)]);
    }
    if !gates.is_empty() {
        out.push('\n');
        gates.write(out);
    }
}

fn cost(score: &Score) -> Table {
    let n = score.questions;
    let mut table = Table::new(&["", "mean", "total"]);
    let mut row = |name: &str, sum: u64, of: usize| {
        table.row([name.to_owned(), format!("{:.2}", mean(sum, of)), grouped(sum)]);
    };
    row("attempts", score.attempts.0 as u64, n);
    row("attempts of right answers", score.attempts.1 as u64, score.right);
    row("model calls", score.calls.0 as u64, n);
    if score.calls.1 > 0 {
        row("model calls without a reply", score.calls.1 as u64, n);
    }
    row("tokens of the package (our estimate)", score.package_tokens, n);
    row("tokens sent (our estimate)", score.sent_tokens, n);
    if score.usage.input_tokens + score.usage.output_tokens > 0 {
        row("tokens read (provider's count)", score.usage.input_tokens, n);
        row("tokens written (provider's count)", score.usage.output_tokens, n);
    }
    let ms = |sorted: &[u64], at| format!("{:.1} ms", float(quantile(sorted, at)) / 1_000.0);
    let mut times = |name: &str, sorted: &[u64]| {
        table.row([
            name.to_owned(),
            format!("median {}", ms(sorted, 50)),
            format!("95 % {}", ms(sorted, 95)),
        ]);
    };
    times("time to the answer", &score.times.all);
    times("of it our own, without model and engine", &score.times.own);
    table
}

fn listed(out: &mut String, name: &str, lines: &[Unscored], sets: &[String]) {
    /// Lines listed at most; `--json` has all.
    const MOST: usize = 20;
    if lines.is_empty() {
        return;
    }
    head(out, 2, &format!("{name}: {}", count(lines.len(), "line")));
    for line in lines.iter().take(MOST) {
        let id = line.id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
        let set = sets.get(line.place.set).filter(|_| sets.len() > 1);
        let set = set.map(|set| format!("{set}, ")).unwrap_or_default();
        let why = line.why.replace('\n', " ");
        let _ = writeln!(out, "- {set}line {}{id}: {why}", line.place.line);
    }
    if lines.len() > MOST {
        let _ = writeln!(out, "- … and {} more", lines.len() - MOST);
    }
}
