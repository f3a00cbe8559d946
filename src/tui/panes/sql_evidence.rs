//! Everything that is said of a version with what shows it: errors, findings, the repair that made
//! it, and why none was made.

use crate::domain::{Diagnostic, Finding, Span, Stage, Transcript, Version};

use super::super::app::{App, Tone};
use super::super::overlays::Overlay;
use super::super::overlays::text::Whole;
use super::sql_page::sign;

/// Tells whether anything is said of the version looked at.
pub fn any(app: &App) -> bool {
    let version = app.run.as_ref().and_then(|run| run.version()).map(|(_, _, version)| version);
    version.is_some_and(|version| {
        version.failure.is_some() || version.repair.is_some() || !version.findings.is_empty()
    })
}

/// Shows it in front.
pub fn open(app: &mut App) {
    if !any(app) {
        app.say("Nothing is said of this SQL: no error, no finding, no repair.", Tone::Note);
        return;
    }
    let Some(run) = &app.run else { return };
    let Some((attempt, at, version)) = run.version() else { return };
    let which =
        if at == 0 { "as drafted".to_owned() } else { format!("mended, version {}", at + 1) };
    let title = format!("Evidence · attempt {}, {which}", attempt.n);
    let text = text(&run.live, (attempt.n, at), version);
    app.overlay = Some(Overlay::Text(Whole::of(title, text)));
}

/// Writes what is said of a version: the repair that made it, then what is wrong, then what to look
/// at, each with its place and what shows it.
fn text(run: &Transcript, place: (u32, usize), version: &Version) -> String {
    let mut parts = Vec::new();
    if let Some(repair) = &version.repair {
        let head = format!("~ mended: {} → {}", repair.from, repair.to);
        parts.push(part(&head, &repair.kind, &[("because", &repair.evidence)]));
    }
    if let Some(failure) = &version.failure {
        let wrong = failure.diagnostics.iter();
        parts.extend(wrong.map(|wrong| diagnostic(wrong, failure.stage, &version.sql)));
    }
    let advice = run.advice.iter().filter(|(n, at, _)| (*n, *at) == place);
    parts.extend(advice.map(|(_, _, words)| part("· not mended here", "", &[("because", words)])));
    parts.extend(version.findings.iter().map(|found| finding(found, &version.sql)));
    parts.join("\n\n")
}

fn diagnostic(wrong: &Diagnostic, stage: Stage, sql: &str) -> String {
    let about = format!("{} at {}{}", wrong.code, stage.name(), place(wrong.span, sql));
    let could = wrong.suggestions.join(", ");
    part(&format!("✗ {}", wrong.message), &about, &[("could be", &could)])
}

fn finding(found: &Finding, sql: &str) -> String {
    let (sign, _) = sign(found.severity);
    let about = format!("{}{}", found.gate, place(found.span, sql));
    let told = [
        ("shown by", found.evidence.as_str()),
        ("advice", found.hint.as_deref().unwrap_or("")),
        ("would be", found.rewrite.as_deref().unwrap_or("")),
    ];
    part(&format!("{sign} {}", found.message), &about, &told)
}

/// Writes one thing: what it says, what it is, and labelled lines; what is empty is left out.
fn part(head: &str, about: &str, told: &[(&str, &str)]) -> String {
    let mut lines = vec![head.to_owned()];
    if !about.is_empty() {
        lines.push(format!("  {about}"));
    }
    for (label, words) in told.iter().filter(|(_, words)| !words.is_empty()) {
        for (n, line) in words.lines().enumerate() {
            let label = if n == 0 { *label } else { "" };
            lines.push(format!("  {label:<9} {line}"));
        }
    }
    lines.join("\n")
}

/// Says where a place is: line and column from 1, and the text there.
fn place(span: Option<Span>, sql: &str) -> String {
    let Some(span) = span else { return String::new() };
    let before = sql.get(..span.start).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    let text: Vec<&str> = span.of(sql).split_whitespace().collect();
    let text: String = text.join(" ");
    let short: String = text.chars().take(SHORT).collect();
    let more = if text.chars().count() > SHORT { "…" } else { "" };
    format!(" · {line}:{column}  {short}{more}")
}

/// Letters of a place that are shown.
const SHORT: usize = 60;
