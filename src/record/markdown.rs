//! A run as a report to read: question, context, attempts, result and trust, in Markdown.

use std::fmt::Write;

use crate::domain::counts::{count, grouped};
use crate::domain::{
    Answer, Attempt, ContextPackage, Finding, Rows, Severity, Transcript, Value, Version,
};

/// Rows of the result that are shown.
const ROWS: usize = 20;

/// Longest cell, in characters.
const CELL: usize = 80;

/// Writes the report. Texts keep their own words; nothing in them can leave its table or fence.
pub fn markdown(run: &Transcript) -> String {
    let mut out = String::new();
    heading(&mut out, run);
    if let Some(answer) = &run.answer {
        ending(&mut out, run, answer);
    }
    if let Some((attempt, version)) = run.chosen() {
        chosen(&mut out, run, attempt, version);
    }
    if let Some(package) = run.package() {
        context(&mut out, package);
    }
    for attempt in &run.attempts {
        one_attempt(&mut out, attempt);
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn heading(out: &mut String, run: &Transcript) {
    let question = run.question.text.trim();
    let title = if question.is_empty() { "SQL of one's own" } else { question };
    line(out, &format!("# {}\n", inline(title)));
    let scripted = if run.scripted { " (scripted)" } else { "" };
    let mut facts = vec![
        ("run", run.run.0.clone()),
        ("asked", run.question.asked_at.clone()),
        ("database", format!("{} ({})", run.database, run.engine)),
        ("model", format!("{}{scripted}", run.model)),
        ("privacy", run.question.options.privacy.name().to_owned()),
    ];
    if let Some(parent) = &run.question.parent {
        facts.insert(1, ("made from run", parent.0.clone()));
    }
    for refusal in &run.question.refused {
        let repair = &refusal.repair;
        facts.push(("refused", format!("{} → {}", repair.from, repair.to)));
    }
    let usage = run.usage();
    let calls = run.calls().count();
    if calls > 0 {
        let read = count(usage.input_tokens, "token");
        let words = format!("{calls}, {read} read, {} written", grouped(usage.output_tokens));
        facts.push(("model calls", words));
    }
    facts.push(("took", format!("{} ms", run.elapsed_us.saturating_sub(run.paused_us) / 1_000)));
    for (name, words) in facts {
        if !words.is_empty() {
            line(out, &format!("- {name}: {}", inline(&words)));
        }
    }
}

fn ending(out: &mut String, run: &Transcript, answer: &Answer) {
    let status = answer.status.name().replace('_', " ");
    line(out, &format!("\n## Answer: {status}\n"));
    if !answer.summary.is_empty() {
        line(out, &format!("{}\n", inline(&answer.summary)));
    }
    if let Some(stop) = &answer.stop {
        line(out, &format!("{} {}\n", inline(&stop.message), inline(&stop.hint)));
    }
    if let Some(clarify) = &answer.clarify {
        line(out, &inline(&clarify.question));
        list(out, &clarify.choices);
    }
    if let Some(trust) = answer.trust {
        line(out, &format!("Trust: **{}**", trust.name().replace('_', " ")));
    }
    list(out, &answer.reasons);
    if !answer.assumptions.is_empty() {
        line(out, "\nTaken for granted:");
        list(out, &answer.assumptions);
    }
    for words in &run.escalations {
        line(out, &format!("\nRoute changed: {}", inline(words)));
    }
}

fn list(out: &mut String, items: &[String]) {
    if !items.is_empty() {
        out.push('\n');
    }
    for item in items {
        line(out, &format!("- {}", inline(item)));
    }
}

fn chosen(out: &mut String, run: &Transcript, attempt: &Attempt, version: &Version) {
    line(out, "\n## SQL\n");
    fence(out, &version.sql);
    let mended = if version.repair.is_some() { ", mended here" } else { "" };
    line(out, &format!("\nFrom attempt {}{mended}.", attempt.n));
    if let Some(english) = run.english.as_deref().filter(|text| !text.is_empty()) {
        line(out, &format!("In words: {}.", inline(english.trim_end_matches('.'))));
    }
    if let Some(rows) = &version.rows {
        result(out, rows);
    }
}

fn result(out: &mut String, rows: &Rows) {
    let more = if rows.truncated { "+" } else { "" };
    let all = if rows.truncated {
        format!("{}+ rows", grouped(rows.row_count))
    } else {
        count(rows.row_count, "row")
    };
    line(out, &format!("\n## Result: {all}\n"));
    if rows.columns.is_empty() || rows.rows.is_empty() {
        return;
    }
    let names: Vec<String> = rows.columns.iter().map(|column| cell(&column.name)).collect();
    line(out, &format!("| {} |", names.join(" | ")));
    let numeric = |n: usize| rows.rows.iter().filter_map(|row| row.get(n)).all(is_number);
    let rule: Vec<&str> =
        (0..names.len()).map(|n| if numeric(n) { "---:" } else { "---" }).collect();
    line(out, &format!("| {} |", rule.join(" | ")));
    for row in rows.rows.iter().take(ROWS) {
        let cells: Vec<String> = row.iter().map(value).collect();
        line(out, &format!("| {} |", cells.join(" | ")));
    }
    let shown = rows.rows.len().min(ROWS);
    if rows.row_count > shown as u64 {
        line(out, &format!("\nThe first {shown} of {}{more} rows.", rows.row_count));
    }
}

fn is_number(value: &Value) -> bool {
    value.is_null() || value.number().is_some()
}

fn value(value: &Value) -> String {
    if value.is_null() { "*NULL*".to_owned() } else { cell(&value.plain()) }
}

fn context(out: &mut String, package: &ContextPackage) {
    let (tokens, budget) = (package.tokens, package.budget);
    line(out, &format!("\n## What the model was told: {tokens} of {budget} tokens\n"));
    line(out, "| component | in | tokens | why |\n| --- | --- | ---: | --- |");
    for part in &package.components {
        let (sign, tokens) =
            if part.included { ("yes", part.tokens.to_string()) } else { ("no", String::new()) };
        let why = cell(&part.reason);
        line(out, &format!("| {} | {sign} | {tokens} | {why} |", part.kind.name()));
    }
    if !package.tables.is_empty() {
        line(out, &format!("\nTables: {}.", inline(&package.tables.join(", "))));
    }
    if !package.values.is_empty() {
        line(out, &format!("\nValues: {}.", inline(&package.values.join(", "))));
    }
}

fn one_attempt(out: &mut String, attempt: &Attempt) {
    let retry = match attempt.candidate {
        Some(candidate) => format!(", candidate {candidate} to compare with"),
        None if attempt.semantic_retry => ", a retry for a finding".to_owned(),
        None => String::new(),
    };
    line(out, &format!("\n## Attempt {}: by {}{retry}", attempt.n, attempt.origin.name()));
    for (n, version) in attempt.versions.iter().enumerate() {
        match &version.repair {
            None => line(out, "\nAs drafted:\n"),
            Some(repair) => line(
                out,
                &format!(
                    "\nVersion {}, mended here: {} → {} ({}):\n",
                    n + 1,
                    inline(&repair.from),
                    inline(&repair.to),
                    inline(&repair.evidence)
                ),
            ),
        }
        fence(out, &version.sql);
        outcome(out, version);
    }
}

fn outcome(out: &mut String, version: &Version) {
    let mut items = Vec::new();
    if let Some(failure) = &version.failure {
        let stage = failure.stage.name();
        let told = failure.diagnostics.iter();
        items.extend(told.map(|d| format!("✗ stopped at {stage}: {}", d.message)));
    }
    items.extend(version.findings.iter().map(finding));
    if let Some(rows) = &version.rows {
        items.push(format!("✓ ran: {}", count(rows.row_count, "row")));
    }
    list(out, &items);
}

fn finding(finding: &Finding) -> String {
    let sign = match finding.severity {
        Severity::Info => "·",
        Severity::Warning => "!",
        Severity::Blocking => "✗",
    };
    let mut text = format!("{sign} {}: {}", finding.gate, finding.message);
    if !finding.evidence.is_empty() {
        let _ = write!(text, " ({})", finding.evidence);
    }
    text
}

/// Writes SQL in a fence that is longer than any run of back quotes in it.
fn fence(out: &mut String, sql: &str) {
    let longest = sql.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    line(out, &format!("{fence}sql\n{}\n{fence}", sql.trim_end_matches('\n')));
}

/// Puts a text on one line.
fn inline(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes a text fit for a table: one line, no bar of its own, not too long.
fn cell(text: &str) -> String {
    let line = inline(text);
    let short: String = line.chars().take(CELL).collect();
    let cut = if short.len() < line.len() { "…" } else { "" };
    format!("{}{cut}", short.replace('\\', "\\\\").replace('|', "\\|"))
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
