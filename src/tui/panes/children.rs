//! What a step of the trace found, a line each: diagnostics, findings with their evidence, model
//! calls, looks at the data, changes of the package.

use crate::domain::counts::{count, grouped};
use crate::domain::links::LinkTarget;
use crate::domain::{
    Call, Check, ContextPackage, Failure, Finding, Happened, Link, Options, Paused, Resumed,
    Severity,
};

use crate::sql::words_diff::{self, Change};

use super::super::changes::{self, Sign};
use super::super::moment::RunView;
use super::super::theme::Role;
use super::steps::{duration, of_calls};
use super::tree::{Figures, Line};

/// Makes the children of an event, in order.
pub fn of(run: &RunView, n: usize) -> Vec<Line> {
    let Some(event) = run.events.get(n) else { return Vec::new() };
    let words = |label: &str, words: &[String]| -> Vec<Line> {
        words.iter().map(|one| child(label, Role::Dim, one.clone())).collect()
    };
    match &event.happened {
        Happened::Understood(found) => {
            let mut lines: Vec<Line> = found.links.iter().map(link).collect();
            lines.extend(words("! note", &found.warnings));
            lines
        }
        Happened::Gathered { notes, .. } => words("! note", notes),
        Happened::PackageReady(package) => {
            let mut lines = former(run, n).map(|old| changed(old, package)).unwrap_or_default();
            lines.extend(words("! note", &package.warnings));
            lines
        }
        Happened::Planned { plan, .. } => words("assumes", &plan.assumptions),
        Happened::Asked { question, .. } => vec![terms(&question.options)],
        Happened::Drafted { attempt, sql, calls, .. } => {
            let mut lines: Vec<Line> = calls.iter().map(call).collect();
            let old = run.live.attempts.iter().rfind(|former| former.n < *attempt);
            lines.extend(old.map(|former| rewritten(&former.last().sql, sql)));
            lines
        }
        Happened::Checked { checks, findings, failure, .. } => {
            let mut lines = stages(checks);
            lines.extend(failure.iter().flat_map(diagnostics));
            lines.extend(findings.iter().flat_map(finding));
            lines
        }
        Happened::Reviewed { findings, .. } => findings.iter().flat_map(finding).collect(),
        Happened::Failed { calls, failure, .. } => {
            calls.iter().map(call).chain(diagnostics(failure)).collect()
        }
        Happened::Probed { probes, .. } => {
            let look = |probe: &crate::domain::event::Probed| {
                [
                    child("looks", Role::Dim, probe.purpose.clone()),
                    evidence(format!("{} → {}", one_line(&probe.sql), probe.found)),
                ]
            };
            probes.iter().flat_map(look).collect()
        }
        Happened::Paused(Paused::Approval { sql, reason }) => {
            let because = child("because", Role::Dim, reason.clone());
            vec![child("SQL", Role::Dim, one_line(sql)), because]
        }
        Happened::Resumed(Resumed::WithSql { sql }) => {
            vec![child("SQL", Role::Dim, one_line(sql))]
        }
        Happened::Answered(answer) => {
            let mut lines = words("because", &answer.reasons);
            lines.extend(words("assumes", &answer.assumptions));
            lines
        }
        Happened::Estimated { .. }
        | Happened::Ran { .. }
        | Happened::Advised { .. }
        | Happened::Rewritten { .. }
        | Happened::AttemptClosed { .. }
        | Happened::Paused(Paused::Breakpoint { .. })
        | Happened::Resumed(Resumed::Go | Resumed::Stop | Resumed::WithSwitches { .. })
        | Happened::Escalated { .. }
        | Happened::Explained { .. } => Vec::new(),
    }
}

/// Tells whether an event has children, without making them.
pub fn any(run: &RunView, n: usize) -> bool {
    let Some(event) = run.events.get(n) else { return false };
    match &event.happened {
        Happened::Understood(found) => !found.links.is_empty() || !found.warnings.is_empty(),
        Happened::Gathered { notes, .. } => !notes.is_empty(),
        Happened::PackageReady(package) => !package.warnings.is_empty() || former(run, n).is_some(),
        Happened::Planned { plan, .. } => !plan.assumptions.is_empty(),
        Happened::Drafted { attempt, calls, .. } => *attempt > 1 || !calls.is_empty(),
        Happened::Checked { checks, findings, failure, .. } => {
            !checks.is_empty() || !findings.is_empty() || failure.is_some()
        }
        Happened::Reviewed { findings, .. } => !findings.is_empty(),
        Happened::Probed { probes, .. } => !probes.is_empty(),
        Happened::Asked { .. }
        | Happened::Failed { .. }
        | Happened::Paused(Paused::Approval { .. })
        | Happened::Resumed(Resumed::WithSql { .. }) => true,
        Happened::Answered(answer) => !answer.reasons.is_empty() || !answer.assumptions.is_empty(),
        Happened::Estimated { .. }
        | Happened::Ran { .. }
        | Happened::Advised { .. }
        | Happened::Rewritten { .. }
        | Happened::AttemptClosed { .. }
        | Happened::Paused(Paused::Breakpoint { .. })
        | Happened::Resumed(Resumed::Go | Resumed::Stop | Resumed::WithSwitches { .. })
        | Happened::Escalated { .. }
        | Happened::Explained { .. } => false,
    }
}

fn child(label: &str, role: Role, detail: String) -> Line {
    Line {
        event: None,
        child: 0,
        head: None,
        depth: 2,
        folded: None,
        last: false,
        wide: 0,
        at_us: 0,
        label: label.to_owned(),
        role,
        detail,
        figures: Figures::default(),
    }
}

fn evidence(words: String) -> Line {
    Line { depth: 3, ..child("", Role::Dim, words) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn link(link: &Link) -> Line {
    let target = match &link.target {
        LinkTarget::Table(table) => table.clone(),
        LinkTarget::Column(at) => format!("{}.{}", at.table, at.column),
        LinkTarget::Value { column, stored } => {
            format!("'{stored}' of {}.{}", column.table, column.column)
        }
        LinkTarget::Metric(name) => format!("metric {name}"),
    };
    let how = format!("{:?}", link.how).to_lowercase();
    child(&format!("\"{}\"", link.words), Role::Dim, format!("→ {target}   {how}"))
}

fn call(call: &Call) -> Line {
    let usage = call.usage;
    let cached = match usage.cached_tokens {
        0 => String::new(),
        n => format!(" ({} from cache)", grouped(n)),
    };
    let detail = format!(
        "{} · {} read{cached}, {} written",
        call.model,
        grouped(usage.input_tokens),
        grouped(usage.output_tokens)
    );
    Line { figures: of_calls(std::slice::from_ref(call)), ..child("call", Role::Dim, detail) }
}

/// The terms that a question was asked on.
fn terms(options: &Options) -> Line {
    let seconds = |ms: u64| format!("{} s", ms / 1_000);
    let words = [
        count(options.max_attempts, "attempt"),
        count(options.max_calls, "call"),
        format!("{} a statement", seconds(options.timeout_ms)),
        format!("{} in all", seconds(options.deadline_ms)),
        format!("privacy {}", options.privacy.name()),
        format!("policy {}", options.stops.policy.name()),
    ];
    child("terms", Role::Dim, words.join(" · "))
}

/// What changed from the SQL of the attempt before: `price → price_cents · + LIMIT 5`.
fn rewritten(old: &str, new: &str) -> Line {
    let pieces = words_diff::diff(old, new);
    let mut words: Vec<String> = Vec::new();
    let mut gone: Option<String> = None;
    for piece in pieces {
        let text = one_line(&piece.text);
        match (piece.change, gone.take()) {
            (Change::Removed, _) => gone = Some(text),
            (Change::Added, Some(before)) => words.push(format!("{before} → {text}")),
            (Change::Added, None) => words.push(format!("+ {text}")),
            (Change::Same, Some(before)) => words.push(format!("− {before}")),
            (Change::Same, None) => {}
        }
    }
    words.extend(gone.map(|before| format!("− {before}")));
    if words.is_empty() {
        return child("same", Role::Dim, "as the attempt before".to_owned());
    }
    child("~ SQL", Role::Accent, words.join(" · "))
}

/// The stages of a check in one line: what each took.
fn stages(checks: &[Check]) -> Vec<Line> {
    if checks.is_empty() {
        return Vec::new();
    }
    let stage = |check: &Check| {
        let sign = if check.ok { "✓" } else { "✗" };
        format!("{sign} {} {}", check.stage.name(), duration(check.elapsed_us))
    };
    let told: Vec<String> = checks.iter().map(stage).collect();
    vec![child("stages", Role::Dim, told.join(" · "))]
}

fn diagnostics(failure: &Failure) -> Vec<Line> {
    let line = |d: &crate::domain::Diagnostic| {
        child(&format!("✗ {}", d.code), Role::Bad, one_line(&d.message))
    };
    failure.diagnostics.iter().map(line).collect()
}

/// A finding, and its evidence one step deeper.
fn finding(finding: &Finding) -> Vec<Line> {
    let (sign, role) = match finding.severity {
        Severity::Info => ("·", Role::Dim),
        Severity::Warning => ("!", Role::Warn),
        Severity::Blocking => ("✗", Role::Bad),
    };
    let mut lines = vec![child(&format!("{sign} {}", finding.gate), role, finding.message.clone())];
    if !finding.evidence.is_empty() {
        lines.push(evidence(one_line(&finding.evidence)));
    }
    lines
}

/// Returns the package before the one of event `n`.
fn former(run: &RunView, n: usize) -> Option<&ContextPackage> {
    run.events.iter().take(n).rev().find_map(|event| {
        if let Happened::PackageReady(package) = &event.happened { Some(&**package) } else { None }
    })
}

fn changed(old: &ContextPackage, new: &ContextPackage) -> Vec<Line> {
    let line = |change: changes::Change| {
        let role = match change.sign {
            Sign::In => Role::Good,
            Sign::Out => Role::Warn,
            Sign::Changed => Role::Accent,
        };
        let detail = match change.tokens {
            0 => change.why,
            n => format!("{}   {n:+} tok", change.why),
        };
        child(&format!("{} {}", change.sign.mark(), change.subject.words()), role, detail)
    };
    let mut lines: Vec<Line> = changes::package_changes(old, new).into_iter().map(line).collect();
    if lines.is_empty() {
        lines.push(child("same", Role::Dim, "as the package before".to_owned()));
    }
    lines
}
