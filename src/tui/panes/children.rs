//! What a step of the trace found, a line each: diagnostics, findings with their evidence, model
//! calls, looks at the data, changes of the package.

use crate::domain::counts::{count, grouped};
use crate::domain::event::Probed;
use crate::domain::links::LinkTarget;
use crate::domain::{
    Call, Check, Component, ComponentKind, ContextPackage, Diagnostic, Finding, Happened, Link,
    Options, Paused, Repair, Resumed, Severity, tokens,
};
use crate::shown::in_one_line;
use crate::sql::words_diff::{self, Change};

use super::super::changes::{self, Sign};
use super::super::moment::RunView;
use super::super::theme::Role;
use super::steps::{duration, of_calls};
use super::tree::{Figures, Line};

/// One thing that a step found, as it lies in its event.
enum Part<'a> {
    /// A link, with the words that show it.
    Link(&'a Link),
    /// A sentence, and what it is.
    Words(&'static str, &'a str),
    /// A component that a person switched, or that lost something for lack of room.
    Trimmed(&'a Component),
    /// A package, and the one before it.
    Changed(&'a ContextPackage, &'a ContextPackage),
    /// The terms a question was asked on.
    Terms(&'a Options),
    /// A repair that a person refused.
    Refused(&'a Repair),
    /// A model call.
    Call(&'a Call),
    /// SQL that was written.
    Sql(&'a str),
    /// SQL of the attempt before, and SQL.
    Rewritten(&'a str, &'a str),
    /// The stages of a check.
    Stages(&'a [Check]),
    /// What is wrong.
    Diagnostic(&'a Diagnostic),
    /// What a gate says.
    Finding(&'a Finding),
    /// A look at the data.
    Look(&'a Probed),
}

/// Makes the children of an event, in order.
pub fn of(run: &RunView, n: usize) -> Vec<Line> {
    parts(run, n).iter().flat_map(lines).collect()
}

/// Tells whether an event has children, without making them.
pub fn any(run: &RunView, n: usize) -> bool {
    !parts(run, n).is_empty()
}

/// Lists what an event found.
fn parts(run: &RunView, n: usize) -> Vec<Part<'_>> {
    let Some(event) = run.events.get(n) else { return Vec::new() };
    match &event.happened {
        Happened::Understood(found) => {
            let links = found.links.iter().map(Part::Link);
            links.chain(words("! note", &found.warnings)).collect()
        }
        Happened::Gathered { notes, .. } => words("! note", notes).collect(),
        Happened::PackageReady(package) => {
            let changed = former(run, n).map(|old| Part::Changed(old, package));
            let trimmed = package.components.iter().filter(|c| by_hand(c) || !c.cut.is_empty());
            let notes = words("! note", &package.warnings);
            changed.into_iter().chain(trimmed.map(Part::Trimmed)).chain(notes).collect()
        }
        Happened::Planned { plan, .. } => words("assumes", &plan.assumptions).collect(),
        Happened::Asked { question, .. } => {
            let refused = question.refused.iter().map(|refusal| Part::Refused(&refusal.repair));
            refused.chain([Part::Terms(&question.options)]).collect()
        }
        Happened::Drafted { attempt, sql, calls, .. } => {
            let old = run.live.attempts.iter().rfind(|former| former.n < *attempt);
            let rewritten = old.map(|former| Part::Rewritten(&former.last().sql, sql));
            calls.iter().map(Part::Call).chain(rewritten).chain([Part::Sql(sql)]).collect()
        }
        Happened::Rewritten { sql, .. } | Happened::Resumed(Resumed::WithSql { sql }) => {
            vec![Part::Sql(sql)]
        }
        Happened::Checked { checks, findings, failure, .. } => {
            let stages = (!checks.is_empty()).then_some(Part::Stages(checks));
            let wrong = failure.iter().flat_map(|failure| &failure.diagnostics);
            let wrong = wrong.map(Part::Diagnostic);
            stages.into_iter().chain(wrong).chain(findings.iter().map(Part::Finding)).collect()
        }
        Happened::Reviewed { findings, .. } => findings.iter().map(Part::Finding).collect(),
        Happened::Failed { calls, failure, .. } => {
            let wrong = failure.diagnostics.iter().map(Part::Diagnostic);
            calls.iter().map(Part::Call).chain(wrong).collect()
        }
        Happened::Judged(judgement) => judgement.calls.iter().map(Part::Call).collect(),
        Happened::Probed { probes, .. } => probes.iter().map(Part::Look).collect(),
        Happened::Paused(Paused::Approval { sql, reason }) => {
            vec![Part::Sql(sql), Part::Words("because", reason)]
        }
        Happened::Answered(answer) => {
            let because = words("because", &answer.reasons);
            because.chain(words("assumes", &answer.assumptions)).collect()
        }
        Happened::Estimated { .. }
        | Happened::Ran { .. }
        | Happened::Advised { .. }
        | Happened::AttemptClosed { .. }
        | Happened::Paused(Paused::Breakpoint { .. })
        | Happened::Resumed(
            Resumed::Go | Resumed::Stop | Resumed::Refuse | Resumed::WithSwitches { .. },
        )
        | Happened::Escalated { .. }
        | Happened::Explained { .. }
        | Happened::Sampled { .. }
        | Happened::Compared { .. } => Vec::new(),
    }
}

fn words<'a>(what: &'static str, words: &'a [String]) -> impl Iterator<Item = Part<'a>> {
    words.iter().map(move |one| Part::Words(what, one))
}

fn lines(part: &Part<'_>) -> Vec<Line> {
    match *part {
        Part::Link(found) => vec![link(found)],
        Part::Words(what, words) => vec![child(what, Role::Dim, words)],
        Part::Trimmed(component) => trimmed(component),
        Part::Changed(old, new) => changed(old, new),
        Part::Terms(options) => vec![terms(options)],
        Part::Refused(repair) => {
            let words = format!("{} → {}", repair.from, repair.to);
            vec![child("✗ refused", Role::Warn, &words), evidence(&repair.evidence)]
        }
        Part::Call(one) => vec![call(one)],
        Part::Sql(sql) => vec![child("SQL", Role::Dim, sql)],
        Part::Rewritten(old, new) => vec![rewritten(old, new)],
        Part::Stages(checks) => vec![stages(checks)],
        Part::Diagnostic(wrong) => {
            vec![child(&format!("✗ {}", wrong.code), Role::Bad, &wrong.message)]
        }
        Part::Finding(found) => finding(found),
        Part::Look(probe) => {
            let found = format!("{} → {}", probe.sql, probe.found);
            vec![child("looks", Role::Dim, &probe.purpose), evidence(&found)]
        }
    }
}

fn child(label: &str, role: Role, detail: &str) -> Line {
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
        detail: in_one_line(detail).into_owned(),
        figures: Figures::default(),
    }
}

fn evidence(words: &str) -> Line {
    Line { depth: 3, ..child("", Role::Dim, words) }
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
    child(&format!("\"{}\"", link.words), Role::Dim, &format!("→ {target}   {how}"))
}

fn call(call: &Call) -> Line {
    let usage = call.usage;
    let cached = match usage.cached_tokens {
        0 => String::new(),
        n => format!(" ({} from cache)", grouped(n)),
    };
    let detail = format!(
        "{} · {} read{cached}, {} written{}",
        call.model,
        grouped(usage.input_tokens),
        grouped(usage.output_tokens),
        estimate(call)
    );
    Line { figures: of_calls(std::slice::from_ref(call)), ..child("call", Role::Dim, &detail) }
}

/// Says what a call sent by our own estimate, beside the provider's count.
pub fn estimate(call: &Call) -> String {
    match tokens::sent(call) {
        0 => String::new(),
        sent => format!(" · ~{} sent by our estimate", grouped(sent)),
    }
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
    child("terms", Role::Dim, &words.join(" · "))
}

/// What changed from the SQL of the attempt before: `price → price_cents · + LIMIT 5`.
fn rewritten(old: &str, new: &str) -> Line {
    let pieces = words_diff::diff(old, new);
    let mut words: Vec<String> = Vec::new();
    let mut gone: Option<String> = None;
    for piece in pieces {
        let text = in_one_line(&piece.text).trim().to_owned();
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
        return child("same", Role::Dim, "as the attempt before");
    }
    child("~ SQL", Role::Accent, &words.join(" · "))
}

/// The stages of a check in one line: what each took.
fn stages(checks: &[Check]) -> Line {
    let stage = |check: &Check| {
        let sign = if check.ok { "✓" } else { "✗" };
        format!("{sign} {} {}", check.stage.name(), duration(check.elapsed_us))
    };
    let told: Vec<String> = checks.iter().map(stage).collect();
    child("stages", Role::Dim, &told.join(" · "))
}

/// A finding, and its evidence one step deeper.
fn finding(finding: &Finding) -> Vec<Line> {
    let (sign, role) = match finding.severity {
        Severity::Info => ("·", Role::Dim),
        Severity::Warning => ("!", Role::Warn),
        Severity::Blocking => ("✗", Role::Bad),
    };
    let mut lines = vec![child(&format!("{sign} {}", finding.gate), role, &finding.message)];
    if !finding.evidence.is_empty() {
        lines.push(evidence(&finding.evidence));
    }
    if let Some(rewrite) = &finding.rewrite {
        let flat: Vec<&str> = rewrite.split_whitespace().collect();
        lines.push(evidence(&format!("→ {}", flat.join(" "))));
    }
    lines
}

/// Tells whether a person decided that a component is in or out.
fn by_hand(component: &Component) -> bool {
    component.reason.starts_with("switched o")
}

/// A component that was switched by hand, and what each one lost for lack of room.
fn trimmed(component: &Component) -> Vec<Line> {
    let name = component.kind.name();
    let (sign, state) = if component.included { ("+", "in") } else { ("−", "out") };
    let switched = by_hand(component).then(|| {
        child(&format!("{sign} {name}"), Role::Warn, &format!("{state}: {}", component.reason))
    });
    let mut lines: Vec<Line> = switched.into_iter().collect();
    // what was cut of a schema may be hundreds of tables: its component lists them
    if component.kind == ComponentKind::Schema && component.cut.len() > 1 {
        let words = format!("{} left out", count(component.cut.len() as u64, "part"));
        lines.push(child(&format!("− {name}"), Role::Dim, &words));
    } else {
        let cut = component.cut.iter().map(|cut| child(&format!("− {name}"), Role::Dim, cut));
        lines.extend(cut);
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
            n => format!("{}   ~{n:+} tok", change.why),
        };
        child(&format!("{} {}", change.sign.mark(), change.subject.words()), role, &detail)
    };
    let mut lines: Vec<Line> = changes::package_changes(old, new).into_iter().map(line).collect();
    if lines.is_empty() {
        lines.push(child("same", Role::Dim, "as the package before"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewritten_query_stands_in_one_line_below_the_evidence() {
        let found = Finding {
            gate: "fan_out".to_owned(),
            severity: Severity::Warning,
            message: "counted twice".to_owned(),
            evidence: "2.0 times".to_owned(),
            retryable: true,
            hint: None,
            span: None,
            rewrite: Some("SELECT 1\n  FROM rooms".to_owned()),
        };
        let told: Vec<String> = finding(&found).into_iter().map(|line| line.detail).collect();
        assert_eq!(told, ["counted twice", "2.0 times", "→ SELECT 1 FROM rooms"]);
    }
}
