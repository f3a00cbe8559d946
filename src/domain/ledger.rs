//! The ledger: how often each repair and gate fired in remembered runs, and what became of it.
//!
//! It counts what people did: a rating, a verified pair, a hand edit. It decides nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::attempt::Attempt;
use super::failure::Severity;
use super::run::RunId;
use super::transcript::Transcript;

/// A finished run with what a person said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    /// The run.
    pub run: Transcript,
    /// `Some(true)` for `+` or a verified pair, `Some(false)` for `-`.
    pub good: Option<bool>,
}

/// One repair or gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Entry {
    /// Its name: `unknown_name`, `fan_out`, …
    pub name: String,
    /// How often it fired.
    pub fired: u64,
    /// In how many runs.
    pub runs: u64,
    /// Runs whose answer is the SQL that it mended or spoke of.
    pub kept: u64,
    /// Runs where that SQL was given up for another: by a later rewrite, a retry, a hand edit.
    pub undone: u64,
    /// Runs with it that a person called right: rated `+`, or verified.
    pub right: u64,
    /// Runs with it that a person called wrong: rated `-`.
    pub wrong: u64,
}

/// What fired, most often first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Runs looked at.
    pub runs: u64,
    /// Of them, those that a person called right or wrong.
    pub judged: u64,
    /// Stored runs that can't be read.
    pub unread: u64,
    /// Local repairs.
    pub repairs: Vec<Entry>,
    /// Gates that warned or blocked.
    pub gates: Vec<Entry>,
    /// Gates that only informed.
    pub notes: Vec<Entry>,
}

/// What fired in a run: kind and name, how often, and whether the answer still has it.
type Fired = BTreeMap<(Kind, String), (u64, bool)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Repair,
    Gate,
    Note,
}

impl Ledger {
    /// Counts over runs. Runs made from another by hand tell whether that one's SQL was kept.
    pub fn of(noted: &[Noted]) -> Self {
        let mut edits: BTreeMap<&RunId, Vec<&Noted>> = BTreeMap::new();
        for child in noted.iter().filter(|noted| noted.run.question.sql.is_some()) {
            if let Some(parent) = &child.run.question.parent {
                edits.entry(parent).or_default().push(child);
            }
        }
        let mut entries: BTreeMap<(Kind, String), Entry> = BTreeMap::new();
        for one in noted {
            let by_hand = edits.get(&one.run.run).map(Vec::as_slice).unwrap_or_default();
            for ((kind, name), (times, stands)) in fired(&one.run, by_hand) {
                let entry = entries.entry((kind, name.clone())).or_default();
                entry.name = name;
                entry.count(times, stands, one);
            }
        }
        let all = |kind: Kind| {
            let of = entries.iter().filter(|((of, _), _)| *of == kind);
            let mut listed: Vec<Entry> = of.map(|(_, entry)| entry.clone()).collect();
            listed.sort_by(|a, b| b.fired.cmp(&a.fired).then_with(|| a.name.cmp(&b.name)));
            listed
        };
        Ledger {
            runs: noted.len() as u64,
            judged: noted.iter().filter(|one| one.good.is_some()).count() as u64,
            unread: 0,
            repairs: all(Kind::Repair),
            gates: all(Kind::Gate),
            notes: all(Kind::Note),
        }
    }
}

impl Entry {
    fn count(&mut self, times: u64, stands: bool, one: &Noted) {
        self.fired += times;
        self.runs += 1;
        match (one.run.chosen().is_some(), stands) {
            (true, true) => self.kept += 1,
            (true, false) => self.undone += 1,
            // without an answer there is nothing that could be kept
            (false, _) => {}
        }
        match one.good {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
    }
}

fn fired(run: &Transcript, by_hand: &[&Noted]) -> Fired {
    let mut fired = Fired::new();
    let chosen = run.chosen().map(|(attempt, _)| attempt.n);
    for attempt in &run.attempts {
        let is_answer = chosen == Some(attempt.n);
        let mut told: BTreeSet<(Kind, &str, &str)> = BTreeSet::new();
        for version in &attempt.versions {
            if let Some(repair) = &version.repair {
                let stands = is_answer && holds(attempt, &repair.to, by_hand);
                note(&mut fired, (Kind::Repair, &repair.kind), stands);
            }
            for finding in &version.findings {
                let warns = finding.severity > Severity::Info;
                let kind = if warns { Kind::Gate } else { Kind::Note };
                // a version that is checked again says the same once more
                if told.insert((kind, &finding.gate, &finding.message)) {
                    let last = attempt.last().findings.iter();
                    let still = last.into_iter().any(|f| f.gate == finding.gate);
                    let edited = by_hand.iter().any(|edit| !warned(edit, &finding.gate));
                    note(&mut fired, (kind, &finding.gate), is_answer && still && !edited);
                }
            }
        }
    }
    if run.groups.as_ref().is_some_and(|groups| groups.len() > 1) {
        note(&mut fired, (Kind::Gate, "candidates_disagree"), true);
    }
    if run.judgement.as_ref().is_some_and(|judged| judged.agrees == Some(false)) {
        note(&mut fired, (Kind::Gate, "judge_differs"), by_hand.is_empty());
    }
    fired
}

fn note(fired: &mut Fired, (kind, name): (Kind, &str), stands: bool) {
    let entry = fired.entry((kind, name.to_owned())).or_default();
    entry.0 += 1;
    entry.1 |= stands;
}

/// Tells whether what a repair wrote is still in the answer, and in every edit made by hand of it.
fn holds(attempt: &Attempt, written: &str, by_hand: &[&Noted]) -> bool {
    let edits = by_hand.iter().filter_map(|edit| edit.run.question.sql.as_deref());
    std::iter::once(attempt.last().sql.as_str()).chain(edits).all(|sql| sql.contains(written))
}

/// Tells whether a run warns of the same.
fn warned(edit: &Noted, gate: &str) -> bool {
    let versions = edit.run.attempts.iter().map(Attempt::last);
    versions.into_iter().any(|version| version.findings.iter().any(|f| f.gate == gate))
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
