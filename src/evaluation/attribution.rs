//! Which lane made an answer right or wrong: a run as a walk from the first answer to the last. Pure.
//!
//! Every text on the way is judged by the engine alone, as if the walk had ended there. A lane's step
//! leads from the verdict before to the verdict after it.
//!
//! **Invariant:** steps join: right at the end less right at the beginning is what lanes fixed less
//! what they broke.

use crate::domain::{Attempt, Failure, Stage, Status, Transcript, Version};

/// What is known of an answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The gold's rows.
    Right,
    /// The gold's rows with their columns in another order: not right, and told apart.
    OtherColumnOrder,
    /// Other rows.
    Wrong,
    /// It doesn't run: the class of the error.
    Failed(String),
    /// There is no answer.
    Unanswered,
}

impl Verdict {
    /// Tells whether it is right.
    pub fn right(&self) -> bool {
        *self == Verdict::Right
    }

    /// Tells whether the rows are the gold's in any order of columns.
    pub fn right_in_any_order(&self) -> bool {
        matches!(self, Verdict::Right | Verdict::OtherColumnOrder)
    }

    /// Tells whether there are rows.
    pub fn runs(&self) -> bool {
        matches!(self, Verdict::Right | Verdict::OtherColumnOrder | Verdict::Wrong)
    }

    /// Returns the verdict's name, or the class of the error.
    pub fn name(&self) -> &str {
        match self {
            Verdict::Right => "right",
            Verdict::OtherColumnOrder => "other_column_order",
            Verdict::Wrong => "wrong",
            Verdict::Failed(class) => class,
            Verdict::Unanswered => "unanswered",
        }
    }
}

/// A part of the pipeline that changes what the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Declining, or asking back, before anything is drafted.
    Understanding,
    /// Reading the SQL out of a reply.
    Reading,
    /// A rewrite made here, without a model.
    LocalRepair,
    /// Refusing SQL before it runs.
    Check,
    /// A blocking finding.
    Gate,
    /// Asking the model again with the error.
    ErrorRetry,
    /// The one retry that a gate grants.
    SemanticRetry,
    /// Taking another candidate's answer, because more of them agree on it.
    Agreement,
    /// Ending without an answer: a budget, a deadline, the model.
    Ending,
}

impl Lane {
    /// All lanes, in the order of a run.
    pub const ALL: [Lane; 9] = [
        Lane::Understanding,
        Lane::Reading,
        Lane::LocalRepair,
        Lane::Check,
        Lane::Gate,
        Lane::ErrorRetry,
        Lane::SemanticRetry,
        Lane::Agreement,
        Lane::Ending,
    ];

    /// Returns the lane's name as scripts read it.
    pub fn name(self) -> &'static str {
        match self {
            Lane::Understanding => "understanding",
            Lane::Reading => "reading",
            Lane::LocalRepair => "local_repair",
            Lane::Check => "check",
            Lane::Gate => "gate",
            Lane::ErrorRetry => "error_retry",
            Lane::SemanticRetry => "semantic_retry",
            Lane::Agreement => "agreement",
            Lane::Ending => "ending",
        }
    }

    /// Returns the lane in words.
    pub fn words(self) -> &'static str {
        match self {
            Lane::Understanding => "declined or asked back before drafting",
            Lane::Reading => "SQL read out of the reply",
            Lane::LocalRepair => "local repair",
            Lane::Check => "refused before running",
            Lane::Gate => "blocked by a gate",
            Lane::ErrorRetry => "retry with the error",
            Lane::SemanticRetry => "semantic retry",
            Lane::Agreement => "candidates that agree",
            Lane::Ending => "ended without an answer",
        }
    }
}

/// One step of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The lane.
    pub lane: Lane,
    /// What of it: kinds of repair, gates, the class of the error, the stop code.
    pub detail: String,
    /// The verdict before.
    pub before: Verdict,
    /// The verdict after.
    pub after: Verdict,
}

impl Move {
    /// Tells whether it made the answer right.
    pub fn fixed(&self) -> bool {
        !self.before.right() && self.after.right()
    }

    /// Tells whether it made a right answer wrong.
    pub fn broke(&self) -> bool {
        self.before.right() && !self.after.right()
    }
}

/// A run from its first answer to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// Verdict of the first answer as the model gave it.
    pub first: Verdict,
    /// Verdict of what the person got.
    pub last: Verdict,
    /// Steps, in order.
    pub moves: Vec<Move>,
}

/// Walks a finished run. `recorded` is the first answer as recorded, where there is a recording;
/// `judge` gives the verdict of a text.
pub fn walk(t: &Transcript, recorded: Option<&str>, judge: &dyn Fn(&str) -> Verdict) -> Walk {
    let drafted = t.attempts.first().map(|attempt| attempt.drafted_sql.as_str());
    let first = recorded.or(drafted).map_or(Verdict::Unanswered, judge);
    let mut walker = Walker { t, judge, state: first.clone(), moves: Vec::new() };
    if let (Some(recorded), Some(drafted)) = (recorded, drafted)
        && trimmed(recorded) != trimmed(drafted)
    {
        walker.step(Lane::Reading, String::new(), judge(drafted));
    }
    // candidates are drafted beside an answer, not after a failure
    let mut former = None;
    for attempt in t.attempts.iter().filter(|attempt| attempt.candidate.is_none()) {
        walker.attempt(former, attempt);
        former = Some(attempt);
    }
    walker.end();
    Walk { first, last: walker.state, moves: walker.moves }
}

/// What doesn't change a statement.
fn trimmed(sql: &str) -> &str {
    sql.trim_matches(|c: char| c.is_whitespace() || c == ';')
}

struct Walker<'a> {
    t: &'a Transcript,
    judge: &'a dyn Fn(&str) -> Verdict,
    state: Verdict,
    moves: Vec<Move>,
}

impl Walker<'_> {
    fn step(&mut self, lane: Lane, detail: String, after: Verdict) {
        let before = std::mem::replace(&mut self.state, after.clone());
        self.moves.push(Move { lane, detail, before, after });
    }

    fn attempt(&mut self, former: Option<&Attempt>, attempt: &Attempt) {
        let drafted = (self.judge)(&attempt.drafted_sql);
        if let Some(former) = former {
            if attempt.semantic_retry {
                self.semantic_retry(former, attempt);
                return;
            }
            self.step(Lane::ErrorRetry, why(former.last()), drafted);
        }
        for version in attempt.versions.iter().skip(1) {
            let kind = version.repair.as_ref().map(|r| r.kind.clone()).unwrap_or_default();
            self.step(Lane::LocalRepair, kind, (self.judge)(&version.sql));
        }
        self.close(attempt.last());
    }

    /// The retry replaces a standing answer, so only what it has become counts: its own draft, which
    /// may have needed mending, was never the answer.
    fn semantic_retry(&mut self, former: &Attempt, attempt: &Attempt) {
        let taken = self.chosen(attempt);
        // set aside, the former stays
        let after = if taken { (self.judge)(&attempt.last().sql) } else { self.state.clone() };
        self.step(Lane::SemanticRetry, retryable(former.last()), after);
    }

    /// Takes a version that doesn't stand for what it is: nothing to show.
    fn close(&mut self, version: &Version) {
        if !self.state.runs() {
            return;
        }
        if let Some(failure) = &version.failure {
            let lane = if refused(failure) { Lane::Check } else { Lane::Ending };
            let code = failure.code().to_owned();
            self.step(lane, code.clone(), Verdict::Failed(code));
        } else if version.blocked() {
            let gates = names(version, |f| f.severity == crate::domain::Severity::Blocking);
            self.step(Lane::Gate, gates, Verdict::Failed("blocked".to_owned()));
        }
    }

    fn chosen(&self, attempt: &Attempt) -> bool {
        let answer = self.t.answer.as_ref();
        answer.and_then(|answer| answer.chosen).is_some_and(|(n, _)| n == attempt.n)
    }

    fn end(&mut self) {
        let asked_in_vain = !self.t.failures.is_empty()
            && !self.t.attempts.iter().any(|attempt| attempt.semantic_retry);
        if let Some((attempt, version)) = self.t.chosen() {
            if asked_in_vain {
                // the retry was granted, and no reply came
                let stays = self.state.clone();
                let gates = retryable(attempt.last());
                self.step(Lane::SemanticRetry, format!("{gates}, no reply"), stays);
            }
            let got = (self.judge)(&version.sql);
            if self.t.groups.is_some() {
                self.step(Lane::Agreement, String::new(), got);
            } else if got != self.state {
                self.step(Lane::Ending, String::new(), got);
            }
            return;
        }
        let answer = self.t.answer.as_ref();
        let status = answer.map_or(Status::Cancelled, |answer| answer.status);
        let stop = answer.and_then(|answer| answer.stop.as_ref()).map(|stop| stop.code.name());
        let detail = stop.unwrap_or_else(|| status.name()).to_owned();
        let undrafted = self.t.attempts.is_empty() && self.t.calls().next().is_none();
        let lane = match status {
            Status::Declined | Status::Clarify if undrafted => Lane::Understanding,
            Status::Declined
            | Status::Clarify
            | Status::Answered
            | Status::GaveUp
            | Status::Cancelled => Lane::Ending,
        };
        if self.state.runs() || lane == Lane::Understanding {
            self.step(lane, detail, Verdict::Unanswered);
        }
        self.state = Verdict::Unanswered;
    }
}

/// Tells whether a failure is a refusal of ours: the engine was not asked for rows.
pub(super) fn refused(failure: &Failure) -> bool {
    match failure.stage {
        Stage::Parse | Stage::Bind | Stage::Prepare | Stage::Policy => true,
        Stage::Run | Stage::Limit | Stage::Model | Stage::Connection => false,
    }
}

/// Says why an attempt was followed by another: the class of its failure, or what blocked it.
fn why(version: &Version) -> String {
    match &version.failure {
        Some(failure) => failure.code().to_owned(),
        None => names(version, |f| f.severity == crate::domain::Severity::Blocking),
    }
}

fn retryable(version: &Version) -> String {
    names(version, |finding| finding.retryable)
}

/// Names the gates of some findings, each once.
fn names(version: &Version, of: impl Fn(&crate::domain::Finding) -> bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    for finding in version.findings.iter().filter(|finding| of(finding)) {
        if !names.contains(&finding.gate.as_str()) {
            names.push(&finding.gate);
        }
    }
    names.join("+")
}

#[cfg(test)]
#[path = "attribution_tests.rs"]
mod tests;
