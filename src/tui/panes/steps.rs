//! Events as lines of the trace, and numbers as people read them.

use crate::domain::{Attempt, Event, Happened, Origin, Resumed, Severity, Status};

use super::super::moment::{RunView, about};
use super::super::theme::Role;

/// One line of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The event it stands for; none for the head of an unfolded attempt.
    pub event: Option<usize>,
    /// The attempt whose head it is.
    pub head: Option<u32>,
    /// Belongs to an attempt.
    pub inner: bool,
    /// When, in microseconds since the question.
    pub at_us: u64,
    /// What happened, with its sign.
    pub label: String,
    /// How it went.
    pub role: Role,
    /// Details.
    pub detail: String,
    /// What stands right: time, tokens.
    pub right: String,
}

/// Lists the lines of a run: events, with a head before each attempt.
pub fn lines(run: &RunView) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (n, event) in run.events.iter().enumerate() {
        let attempt = about(event).map(|(attempt, _)| attempt);
        if let Happened::Drafted { attempt, .. } = &event.happened
            && let Some(found) = run.live.attempts.iter().find(|a| a.n == *attempt)
        {
            lines.push(head(run, found));
        }
        if attempt.is_some_and(|n| run.folds.contains(&n)) {
            continue;
        }
        lines.push(line(n, event, attempt.is_some()));
    }
    lines
}

/// Makes the head of an attempt; folded, it stands for the attempt's last event.
fn head(run: &RunView, attempt: &Attempt) -> Line {
    let folded = run.folds.contains(&attempt.n);
    let last = run.events.iter().rposition(|e| about(e).is_some_and(|(n, _)| n == attempt.n));
    let (sign, role) = super::sql_words::sign(attempt.last());
    let fold = if folded { "▸" } else { "▾" };
    let tokens: u64 =
        attempt.calls.iter().map(|c| c.usage.input_tokens + c.usage.output_tokens).sum();
    let model: u64 = attempt.calls.iter().map(|c| c.elapsed_us).sum();
    let mut right = Vec::new();
    if model > 0 {
        right.push(duration(model));
    }
    if tokens > 0 {
        right.push(format!("{} tok", grouped(tokens)));
    }
    let author = match attempt.origin {
        Origin::Model => run.live.model.clone(),
        Origin::Person => "you".to_owned(),
        Origin::Rules | Origin::Plan | Origin::Assembly => attempt.origin.name().to_owned(),
    };
    let again = if attempt.semantic_retry { " · retry for a finding" } else { "" };
    Line {
        event: if folded { last } else { None },
        head: Some(attempt.n),
        inner: false,
        at_us: attempt.started_us,
        label: format!("{fold} {} {sign}", attempt.n),
        role,
        detail: format!("attempt {} · {author}{again}", attempt.n),
        right: right.join(" · "),
    }
}

fn line(n: usize, event: &Event, inner: bool) -> Line {
    let (label, role, detail, right) = told(&event.happened);
    let label = label.to_owned();
    Line { event: Some(n), head: None, inner, at_us: event.at_us, label, role, detail, right }
}

type Told = (&'static str, Role, String, String);

/// Says an event in a few words: what, how it went, details, figures.
fn told(happened: &Happened) -> Told {
    let none = String::new;
    match happened {
        Happened::Asked { question, .. } => {
            let detail = match (&question.parent, &question.sql) {
                (Some(_), Some(_)) => "SQL edited by hand".to_owned(),
                (None, Some(_)) => "SQL of your own".to_owned(),
                (Some(_), None) => "again, as a child run".to_owned(),
                (None, None) => none(),
            };
            ("asked", Role::Text, detail, none())
        }
        Happened::Understood(found) => {
            let kinds: Vec<&str> = found.kinds.iter().map(|(kind, _)| kind.name()).collect();
            let words = found.kinds.iter().map(|(_, words)| words.as_str()).find(|w| !w.is_empty());
            let shown = words.map(|w| format!("   \"{w}\"")).unwrap_or_default();
            ("understood", Role::Text, format!("{}{shown}", kinds.join(" · ")), none())
        }
        Happened::Gathered { tables, notes, elapsed_us } => {
            let mut detail = tables.join(", ");
            if let Some(note) = notes.first() {
                detail = format!("{detail} · {note}");
            }
            ("gathered", Role::Text, detail, duration(*elapsed_us))
        }
        Happened::PackageReady(package) => {
            let inside = package.included().len();
            let detail = format!("{inside} in, {} out", package.components.len() - inside);
            let right = format!("{} tok", grouped(u64::from(package.tokens)));
            ("package", Role::Text, detail, right)
        }
        Happened::Planned { plan, .. } => {
            ("planned", Role::Text, super::sql_words::plan(plan), none())
        }
        Happened::Escalated { words } => ("escalated", Role::Warn, words.clone(), none()),
        Happened::Explained { english } => ("read back", Role::Text, english.clone(), none()),
        Happened::Paused(paused) => ("paused !", Role::Warn, paused.words().to_owned(), none()),
        Happened::Resumed(decision) => ("resumed", Role::Text, decided(decision), none()),
        Happened::Answered(answer) => {
            let (words, role) = super::result_view::verdict(answer);
            let detail = match (&answer.stop, answer.status) {
                (Some(stop), _) => format!("{words} · {}", stop.code.name()),
                (
                    None,
                    Status::Answered
                    | Status::Clarify
                    | Status::Declined
                    | Status::GaveUp
                    | Status::Cancelled,
                ) => words,
            };
            ("answered", role, detail, none())
        }
        Happened::Drafted { .. }
        | Happened::Checked { .. }
        | Happened::Estimated { .. }
        | Happened::Probed { .. }
        | Happened::Ran { .. }
        | Happened::Reviewed { .. }
        | Happened::Failed { .. }
        | Happened::Advised { .. }
        | Happened::Rewritten { .. }
        | Happened::AttemptClosed { .. } => told_of_attempt(happened),
    }
}

fn told_of_attempt(happened: &Happened) -> Told {
    let none = String::new;
    match happened {
        Happened::Drafted { note, .. } => ("drafted", Role::Text, note.clone(), none()),
        Happened::Checked { failure: Some(failure), .. } => {
            let first = failure.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
            ("checked ✗", Role::Bad, first, none())
        }
        Happened::Checked { checks, findings, .. } => {
            let time = checks.iter().map(|c| c.elapsed_us).sum();
            let warns = findings.iter().find(|f| f.severity > Severity::Info);
            match warns {
                Some(finding) => ("checked !", Role::Warn, finding.message.clone(), duration(time)),
                None => ("checked ✓", Role::Good, stages(checks), duration(time)),
            }
        }
        Happened::Estimated { estimate, .. } => {
            ("estimated", Role::Text, estimate.words.clone(), none())
        }
        Happened::Probed { probes, .. } => {
            let purpose = probes.first().map(|p| p.purpose.clone()).unwrap_or_default();
            let detail = format!("{}: {purpose}", count(probes.len() as u64, "look"));
            ("looked", Role::Text, detail, none())
        }
        Happened::Ran { rows, elapsed_us, .. } => {
            ("ran ✓", Role::Good, count(rows.row_count, "row"), duration(*elapsed_us))
        }
        Happened::Reviewed { findings, .. } => match findings.iter().max_by_key(|f| f.severity) {
            Some(finding) if finding.severity > Severity::Info => {
                ("reviewed !", Role::Warn, finding.message.clone(), none())
            }
            Some(finding) => ("reviewed ✓", Role::Good, finding.message.clone(), none()),
            None => ("reviewed ✓", Role::Good, "nothing to object".to_owned(), none()),
        },
        Happened::Failed { failure, .. } => ("failed ✗", Role::Bad, failure.message(), none()),
        Happened::Advised { words, .. } => ("advice", Role::Text, words.clone(), none()),
        Happened::Rewritten { repair, .. } => {
            let detail = format!("{} → {}   {}", repair.from, repair.to, repair.evidence);
            ("mended", Role::Good, detail, none())
        }
        Happened::AttemptClosed { outcome, .. } => ("closed", Role::Dim, outcome.clone(), none()),
        Happened::Asked { .. }
        | Happened::Understood(_)
        | Happened::Gathered { .. }
        | Happened::PackageReady(_)
        | Happened::Planned { .. }
        | Happened::Paused(_)
        | Happened::Resumed(_)
        | Happened::Escalated { .. }
        | Happened::Explained { .. }
        | Happened::Answered(_) => ("", Role::Dim, none(), none()),
    }
}

/// Says what a person decided at a pause.
fn decided(decision: &Resumed) -> String {
    match decision {
        Resumed::Go => "by you",
        Resumed::Stop => "you stopped here",
        Resumed::WithSql { .. } => "with SQL of yours",
        Resumed::WithSwitches { .. } => "with your switches",
    }
    .to_owned()
}

fn stages(checks: &[crate::domain::Check]) -> String {
    let names: Vec<&str> = checks.iter().map(|check| check.stage.name()).collect();
    names.join(", ")
}

/// Writes everything an event says, for reading.
pub fn whole(event: &Event) -> String {
    if let Happened::PackageReady(package) = &event.happened {
        return package.text();
    }
    let Happened::Drafted { sql, note, calls, .. } = &event.happened else {
        return serde_json::to_string_pretty(&event.happened).unwrap_or_default();
    };
    let mut parts = vec![sql.clone()];
    if !note.is_empty() {
        parts.push(format!("Note:\n{note}"));
    }
    for call in calls {
        let usage = call.usage;
        parts.push(format!(
            "── {} · {} · {} read ({} from cache), {} written",
            call.model,
            duration(call.elapsed_us),
            grouped(usage.input_tokens),
            grouped(usage.cached_tokens),
            grouped(usage.output_tokens)
        ));
        parts.extend(call.messages.iter().map(|(role, words)| format!("[{role}]\n{words}")));
        parts.push(format!("[reply]\n{}", call.reply));
    }
    parts.join("\n\n")
}

/// Writes a number with its thousands apart.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Writes a count with its noun: `1 row`, `12 rows`.
pub fn count(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(n))
}

/// Writes microseconds as people read them: `0.6 ms`, `1.84 s`.
pub fn duration(us: u64) -> String {
    let tenths = us.div_ceil(100);
    if us < 100_000 {
        format!("{}.{} ms", tenths / 10, tenths % 10)
    } else {
        let hundredths = (us + 5_000) / 10_000;
        format!("{}.{:02} s", hundredths / 100, hundredths % 100)
    }
}

/// Writes a point in time since the question, in seconds: `1.86`.
pub fn moment(us: u64) -> String {
    let hundredths = us / 10_000;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_people_write_them() {
        assert_eq!(grouped(1_246), "1,246");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(count(1, "row"), "1 row");
        assert_eq!(count(0, "row"), "0 rows");
        assert_eq!(duration(600), "0.6 ms");
        assert_eq!(duration(1_840_000), "1.84 s");
        assert_eq!(moment(1_869_999), "1.86");
    }
}
