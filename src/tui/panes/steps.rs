//! Events in a few words, and numbers as people read them.

use crate::domain::counts::count;
use crate::domain::package::Form;
use crate::domain::{Call, Happened, Question, Resumed, Severity, Status, tokens};
use crate::shown::in_one_line;

use super::super::theme::Role;
use super::tree::Figures;

/// An event in a few words.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What happened, with its sign.
    pub label: &'static str,
    /// How it went.
    pub role: Role,
    /// Details.
    pub detail: String,
    /// What it took.
    pub figures: Figures,
}

/// Returns the model calls that an event tells of.
pub fn calls(happened: &Happened) -> &[Call] {
    if let Happened::Judged(judgement) = happened {
        return &judgement.calls;
    }
    if let Happened::Drafted { calls, .. } | Happened::Failed { calls, .. } = happened {
        calls
    } else {
        &[]
    }
}

/// Adds up the time, tokens and price of model calls.
pub fn of_calls(calls: &[Call]) -> Figures {
    if calls.is_empty() {
        return Figures::default();
    }
    let cost: f64 = calls.iter().filter_map(|call| call.cost).sum();
    let (tokens, estimated) = tokens_of(calls);
    Figures {
        elapsed_us: Some(calls.iter().map(|call| call.elapsed_us).sum()),
        tokens: Some(tokens),
        estimated,
        cost: (cost > 0.0).then_some(cost),
        ..Figures::default()
    }
}

/// Adds up the tokens of calls as their providers counted them; where none counted, our estimate,
/// which is said to be one.
pub fn tokens_of<'a>(calls: impl IntoIterator<Item = &'a Call>) -> (u64, bool) {
    let (mut counted, mut estimate) = (0, 0);
    for call in calls {
        counted += call.usage.input_tokens + call.usage.output_tokens;
        estimate += tokens::sent(call) + u64::from(tokens::tokens(&call.reply));
    }
    if counted > 0 { (counted, false) } else { (estimate, estimate > 0) }
}

fn took(us: u64) -> Figures {
    Figures { elapsed_us: Some(us), ..Figures::default() }
}

fn say(label: &'static str, role: Role, detail: String) -> Told {
    Told { label, role, detail, figures: Figures::default() }
}

/// Says an event in a few words on one line: what, how it went, details, figures.
pub fn told(happened: &Happened) -> Told {
    let told = told_of_run(happened);
    Told { detail: in_one_line(&told.detail).into_owned(), ..told }
}

fn told_of_run(happened: &Happened) -> Told {
    match happened {
        Happened::Asked { question, .. } => say("asked", Role::Text, asked(question)),
        Happened::Understood(found) => {
            let kinds: Vec<&str> = found.kinds.iter().map(|(kind, _)| kind.name()).collect();
            let words = found.kinds.iter().map(|(_, words)| words.as_str()).find(|w| !w.is_empty());
            let shown = words.map(|w| format!("   \"{w}\"")).unwrap_or_default();
            say("understood", Role::Text, format!("{}{shown}", kinds.join(" · ")))
        }
        Happened::Gathered { tables, notes, elapsed_us } => {
            let mut detail = tables.join(", ");
            if let Some(note) = notes.first() {
                detail = format!("{detail} · {note}");
            }
            Told { figures: took(*elapsed_us), ..say("gathered", Role::Text, detail) }
        }
        Happened::PackageReady(package) => {
            let inside = package.included().len();
            let mut detail = format!("{inside} in, {} out", package.components.len() - inside);
            if package.form != Form::Text {
                detail = format!("{detail} · as {}", package.form.name());
            }
            let tokens = Some(u64::from(package.tokens));
            let figures = Figures { tokens, estimated: true, ..Figures::default() };
            Told { figures, ..say("package", Role::Text, detail) }
        }
        Happened::Planned { plan, .. } => say("planned", Role::Text, super::sql_words::plan(plan)),
        Happened::Escalated { words } => say("escalated", Role::Warn, words.clone()),
        Happened::Explained { english } => say("read back", Role::Text, english.clone()),
        Happened::Sampled { candidate, of } => {
            say("candidate", Role::Text, format!("{candidate} of {of}, written apart"))
        }
        Happened::Compared { groups } => compared(groups),
        Happened::Judged(judgement) => judged(judgement),
        Happened::Paused(paused) => say("paused !", Role::Warn, paused.words().to_owned()),
        Happened::Resumed(decision) => say("resumed", Role::Text, decided(decision)),
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
            say("answered", role, detail)
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

/// Says what of a question is not its words: whose SQL it brings, which run it goes on from.
fn asked(question: &Question) -> String {
    let refused = question.refused.last().map(|refusal| &refusal.repair);
    match (&question.parent, &question.sql) {
        (Some(_), None) if let Some(repair) = refused => {
            format!("without the repair {} → {}", repair.from, repair.to)
        }
        (Some(_), Some(_)) => "SQL edited by hand".to_owned(),
        (None, Some(_)) => "SQL of your own".to_owned(),
        (Some(_), None) => "again, as a child run".to_owned(),
        (None, None) => String::new(),
    }
}

fn told_of_attempt(happened: &Happened) -> Told {
    match happened {
        Happened::Drafted { note, calls, .. } => {
            Told { figures: of_calls(calls), ..say("drafted", Role::Text, note.clone()) }
        }
        Happened::Checked { failure: Some(failure), .. } => {
            let first = failure.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
            say("checked ✗", Role::Bad, first)
        }
        Happened::Checked { checks, findings, .. } => {
            let worst = findings.iter().max_by_key(|f| f.severity);
            let (label, role, detail) = match worst.map(|f| (f.severity, f.message.clone())) {
                Some((Severity::Blocking, message)) => ("checked ✗", Role::Bad, message),
                Some((Severity::Warning, message)) => ("checked !", Role::Warn, message),
                Some((Severity::Info, _)) | None => ("checked ✓", Role::Good, stages(checks)),
            };
            let figures = took(checks.iter().map(|c| c.elapsed_us).sum());
            Told { figures, ..say(label, role, detail) }
        }
        Happened::Estimated { estimate, .. } => {
            say("estimated", Role::Text, estimate.words.clone())
        }
        Happened::Probed { probes, .. } => {
            let purpose = probes.first().map(|p| p.purpose.clone()).unwrap_or_default();
            let detail = format!("{}: {purpose}", count(probes.len() as u64, "look"));
            say("looked", Role::Text, detail)
        }
        Happened::Ran { rows, elapsed_us, .. } => {
            let detail = count(rows.row_count, "row");
            Told { figures: took(*elapsed_us), ..say("ran ✓", Role::Good, detail) }
        }
        Happened::Reviewed { findings, .. } => match findings.iter().max_by_key(|f| f.severity) {
            Some(finding) if finding.severity > Severity::Info => {
                say("reviewed !", Role::Warn, finding.message.clone())
            }
            Some(finding) => say("reviewed ✓", Role::Good, finding.message.clone()),
            None => say("reviewed ✓", Role::Good, "nothing to object".to_owned()),
        },
        Happened::Failed { failure, calls, .. } => {
            Told { figures: of_calls(calls), ..say("failed ✗", Role::Bad, failure.message()) }
        }
        Happened::Advised { words, .. } => say("advice", Role::Text, words.clone()),
        Happened::Rewritten { repair, .. } => {
            let detail = format!("{} → {}   {}", repair.from, repair.to, repair.evidence);
            say("mended", Role::Good, detail)
        }
        Happened::AttemptClosed { outcome, .. } => say("closed", Role::Dim, outcome.clone()),
        Happened::Asked { .. }
        | Happened::Understood(_)
        | Happened::Gathered { .. }
        | Happened::PackageReady(_)
        | Happened::Planned { .. }
        | Happened::Paused(_)
        | Happened::Resumed(_)
        | Happened::Escalated { .. }
        | Happened::Explained { .. }
        | Happened::Sampled { .. }
        | Happened::Compared { .. }
        | Happened::Judged(_)
        | Happened::Answered(_) => say("", Role::Dim, String::new()),
    }
}

/// Says which attempts gave the same rows.
fn compared(groups: &[Vec<u32>]) -> Told {
    let told: Vec<String> = groups
        .iter()
        .map(|group| {
            let members: Vec<String> = group.iter().map(u32::to_string).collect();
            let word = if group.len() == 1 { "attempt" } else { "attempts" };
            format!("{word} {}", members.join(" = "))
        })
        .collect();
    match groups.len() {
        0 => say("compared", Role::Dim, "nothing ran".to_owned()),
        1 => say("compared ✓", Role::Good, format!("the same rows: {}", told.join(""))),
        _ => say("compared !", Role::Warn, format!("rows differ: {}", told.join(" ≠ "))),
    }
}

fn judged(judgement: &crate::domain::event::Judgement) -> Told {
    let figures = of_calls(&judgement.calls);
    let told = match judgement.agrees {
        Some(true) => say("judged ✓", Role::Good, "it answers the question".to_owned()),
        Some(false) => say("judged !", Role::Warn, judgement.words.clone()),
        None => say("judged", Role::Dim, format!("no verdict: {}", judgement.words)),
    };
    Told { figures, ..told }
}

/// Says what a person decided at a pause.
fn decided(decision: &Resumed) -> String {
    match decision {
        Resumed::Go => "by you",
        Resumed::Stop => "you stopped here",
        Resumed::Refuse => "not approved",
        Resumed::WithSql { .. } => "with SQL of yours",
        Resumed::WithSwitches { .. } => "with your switches",
    }
    .to_owned()
}

fn stages(checks: &[crate::domain::Check]) -> String {
    let names: Vec<&str> = checks.iter().map(|check| check.stage.name()).collect();
    names.join(", ")
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
        assert_eq!(duration(600), "0.6 ms");
        assert_eq!(duration(1_840_000), "1.84 s");
        assert_eq!(moment(1_869_999), "1.86");
    }
}
