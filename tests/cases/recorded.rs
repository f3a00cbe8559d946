//! A run of the program as it told itself: its events, its report, its exit code.

use std::fmt::Write as _;

use querent::domain::{Event, Failure, Finding, Happened, Severity, Transcript};
use querent::record::lines;
use serde_json::Value as Json;

use super::program::Home;

/// A run that has ended.
pub(crate) struct Recorded {
    pub(crate) home: Home,
    pub(crate) code: i32,
    pub(crate) run: Json,
    pub(crate) events: Vec<Event>,
    pub(crate) transcript: Transcript,
}

/// Asks a shipped script.
pub(crate) fn ask(model: &str, db: &str, question: &str, more: &[&str]) -> Recorded {
    Recorded::of(Home::new(), model, db, question, more)
}

/// Asks a model that gives these replies, in this order, and then none.
pub(crate) fn told(replies: &[&str], db: &str, question: &str, more: &[&str]) -> Recorded {
    told_at(Home::new(), replies, db, question, more)
}

/// The same in a home that holds something already.
pub(crate) fn told_at(
    home: Home,
    replies: &[&str],
    db: &str,
    question: &str,
    more: &[&str],
) -> Recorded {
    let mut script = String::new();
    for reply in replies {
        let text = Json::from(*reply);
        writeln!(script, "[[reply]]\ntext = {text}").unwrap();
    }
    let file = home.file("replies.toml");
    std::fs::write(&file, script).unwrap();
    let model = format!("script:{}", file.display());
    Recorded::of(home, &model, db, question, more)
}

impl Recorded {
    /// Asks, and holds what was stored against what was told: a replay gives the same bytes.
    fn of(home: Home, model: &str, db: &str, question: &str, more: &[&str]) -> Self {
        let mut arguments = vec!["ask", "--db", db, "--model", model, "--json", "--trace"];
        arguments.extend(more);
        arguments.push(question);
        let ended = home.run(&arguments);
        let events: Vec<Event> =
            ended.err.lines().filter_map(|line| lines::read(line).ok()).collect();
        assert!(!events.is_empty(), "{ended:?}");
        let run = ended.json();
        let replayed = home.run(&["replay", run["run"].as_str().unwrap(), "--json"]);
        assert_eq!((replayed.code, &replayed.out), (ended.code, &ended.out));
        let transcript = Transcript::of(&events);
        Recorded { home, code: ended.code, run, events, transcript }
    }

    /// Holds the events against lines of kind and facts. Looks at the data are a gate's own affair,
    /// and not among them.
    #[track_caller]
    pub(crate) fn steps(&self, wanted: &[&str]) {
        let told: Vec<String> = self.events.iter().filter_map(|e| line(&e.happened)).collect();
        assert_eq!(told.join("\n"), wanted.join("\n"), "told, and wanted");
    }

    /// The steps after the first package: what comes before it is the same in every run.
    #[track_caller]
    pub(crate) fn steps_from_the_draft(&self, wanted: &[&str]) {
        let mut all = vec!["asked", "understood", "gathered", "package"];
        all.extend(wanted);
        self.steps(&all);
    }

    /// Holds the end against exit code, status, attempts and model calls.
    #[track_caller]
    pub(crate) fn ended(&self, code: i32, status: &str, attempts: usize, calls: u64) {
        let told = (
            self.code,
            self.run["status"].as_str().unwrap(),
            self.run["attempts"].as_array().unwrap().len(),
            self.run["usage"]["model_calls"].as_u64().unwrap(),
        );
        assert_eq!(told, (code, status, attempts, calls), "{:#}", self.run);
    }

    /// What a call told the model: role and text of each message, the system's left out.
    pub(crate) fn messages(&self, call: usize) -> Vec<(String, String)> {
        let call = self.transcript.calls().nth(call).unwrap();
        call.messages.iter().filter(|(role, _)| role != "system").cloned().collect()
    }

    /// The newest message of a call.
    pub(crate) fn last_words(&self, call: usize) -> String {
        self.messages(call).pop().unwrap().1
    }

    /// Everything that a person reads as the answer, whatever the form it is asked in.
    pub(crate) fn answer_text(&self) -> String {
        let id = self.run["run"].as_str().unwrap();
        let parts = ["summary", "columns", "rows", "reasons", "assumptions", "english", "sql"];
        let mut text: String = parts.iter().map(|part| self.run[*part].to_string()).collect();
        for form in ["table", "markdown", "csv", "tsv", "jsonl"] {
            let ended = self.home.run(&["replay", id, "--format", form]);
            text.push_str(&ended.out);
        }
        text
    }

    /// The reasons for the trust, one a line.
    pub(crate) fn reasons(&self) -> String {
        let reasons = self.run["reasons"].as_array().unwrap();
        reasons.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// An event as its kind and the facts that matter.
fn line(happened: &Happened) -> Option<String> {
    Some(match happened {
        Happened::Probed { .. } => return None,
        Happened::Asked { .. } => "asked".to_owned(),
        Happened::Understood(_) => "understood".to_owned(),
        Happened::Gathered { .. } => "gathered".to_owned(),
        Happened::PackageReady(_) => "package".to_owned(),
        Happened::Planned { origin, .. } => format!("planned by {}", origin.name()),
        Happened::Drafted { attempt, origin, semantic_retry, .. } => {
            let why = if *semantic_retry { ", for a gate" } else { "" };
            format!("drafted {attempt} by {}{why}", origin.name())
        }
        Happened::Checked { attempt, version, findings, failure, .. } => {
            format!("checked {attempt}.{version}: {}", verdict(findings, failure.as_ref()))
        }
        Happened::Estimated { attempt, version, .. } => format!("estimated {attempt}.{version}"),
        Happened::Ran { attempt, version, rows, .. } => {
            format!("ran {attempt}.{version}: {} rows", rows.row_count)
        }
        Happened::Reviewed { attempt, version, findings } => {
            format!("reviewed {attempt}.{version}: {}", verdict(findings, None))
        }
        Happened::Failed { failure, .. } => {
            format!("failed: {} at {}", failure.code(), failure.stage.name())
        }
        Happened::Advised { attempt, version, .. } => format!("abstained {attempt}.{version}"),
        Happened::Rewritten { attempt, version, repair, .. } => {
            format!("mended {attempt}.{version}: {}", repair.kind)
        }
        Happened::AttemptClosed { attempt, outcome } => format!("closed {attempt}: {outcome}"),
        Happened::Paused(paused) => format!("paused {}", paused.words()),
        Happened::Resumed(_) => "resumed".to_owned(),
        Happened::Escalated { words } => format!("escalated: {words}"),
        Happened::Explained { .. } => "explained".to_owned(),
        Happened::Sampled { candidate, of } => format!("candidate {candidate} of {of}"),
        Happened::Compared { groups } => format!("compared: {groups:?}"),
        Happened::Judged(judgement) => format!("judged: {:?}", judgement.agrees),
        Happened::Answered(answer) => {
            let trust = answer.trust.map(|trust| format!(", {}", trust.name()));
            let stop = answer.stop.as_ref().map(|stop| format!(", {}", stop.code.name()));
            let more = trust.or(stop).unwrap_or_default();
            format!("{}{more}", answer.status.name())
        }
    })
}

/// What a look found: what failed, else the gates that cost trust.
fn verdict(findings: &[Finding], failure: Option<&Failure>) -> String {
    if let Some(failure) = failure {
        let codes: Vec<&str> = failure.diagnostics.iter().map(|d| d.code.as_str()).collect();
        return format!("{} at {}", codes.join(", "), failure.stage.name());
    }
    let warns = findings.iter().filter(|f| f.severity >= Severity::Warning);
    let gates: Vec<&str> = warns.map(|f| f.gate.as_str()).collect();
    if gates.is_empty() { "passed".to_owned() } else { gates.join(", ") }
}
