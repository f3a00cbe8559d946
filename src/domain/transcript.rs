//! The fold of a run's events and nothing else. Who has the events has everything.

use super::answer::Answer;
use super::attempt::{Attempt, Call, Origin, Usage, Version};
use super::event::{Event, Happened, Judgement, Probed};
use super::failure::Failure;
use super::links::Understanding;
use super::package::ContextPackage;
use super::pauses::{Lately, Paused, Pauses, Resumed};
use super::plan::Plan;
use super::question::Question;
use super::run::{ResultId, RunId};

/// Everything known of a run after some of its events.
///
/// The workbench's time travel is folding a prefix; screen, JSON, history and replay all read this.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// The run.
    pub run: RunId,
    /// The question and its terms.
    pub question: Question,
    /// Database as named by the person.
    pub database: String,
    /// Where the database is, the same for every spelling of its name.
    pub place: String,
    /// Engine and version.
    pub engine: String,
    /// Model as `provider:name`.
    pub model: String,
    /// Replies come from a script.
    pub scripted: bool,
    /// Where knowledge was read from.
    pub knowledge: String,
    /// What intake found.
    pub understanding: Option<Understanding>,
    /// Notes of the last gathering.
    pub gathered: Option<Vec<String>>,
    /// The packages, one for each time it was put together.
    pub packages: Vec<ContextPackage>,
    /// The newest plan.
    pub plan: Option<Plan>,
    /// The attempts so far.
    pub attempts: Vec<Attempt>,
    /// Looks at the data so far.
    pub probes: Vec<Probed>,
    /// Failures that belong to no attempt: model calls, refusals, the connection before drafting.
    pub failures: Vec<Failure>,
    /// Calls that led to no attempt.
    pub lost_calls: Vec<Call>,
    /// The candidate that is being drafted, and of how many.
    pub sampling: Option<(u32, u32)>,
    /// Candidates that came to no SQL: which, and why.
    pub unsampled: Vec<(u32, String)>,
    /// Attempts by result, once those of the candidates were compared.
    pub groups: Option<Vec<Vec<u32>>>,
    /// What the judge says.
    pub judgement: Option<Judgement>,
    /// Words of advice: attempt, version, text.
    pub advice: Vec<(u32, usize, String)>,
    /// Changes of route.
    pub escalations: Vec<String>,
    /// What the run waits for.
    pub paused: Option<Paused>,
    /// Microseconds spent paused.
    pub paused_us: u64,
    /// When the pause began.
    paused_at_us: u64,
    /// What pauses have left to be done.
    pub pauses: Pauses,
    /// The chosen SQL in words.
    pub english: Option<String>,
    /// The end.
    pub answer: Option<Answer>,
    /// Time of the last event, in microseconds since the question.
    pub elapsed_us: u64,
}

impl Transcript {
    /// Folds events in order. Events of another run than the first one's are ignored.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut transcript = Transcript::default();
        for event in events {
            transcript.apply(event);
        }
        transcript
    }

    /// Folds one event. An event of a foreign run is ignored.
    pub fn apply(&mut self, event: &Event) {
        if self.run.0.is_empty() {
            self.run = event.run.clone();
        }
        if self.run != event.run {
            return;
        }
        self.elapsed_us = event.at_us;
        self.fold(event);
        self.pauses.lately = self.lately(&event.happened);
    }

    /// Tells what an event means for waiting; it was folded already.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events mean nothing for waiting")]
    fn lately(&self, happened: &Happened) -> Lately {
        let blocked = || self.attempt().is_some_and(|attempt| attempt.last().blocked());
        match happened {
            Happened::Checked { failure: Some(_), .. } | Happened::Failed { .. } => Lately::Failed,
            Happened::Checked { .. } | Happened::Reviewed { .. } if blocked() => Lately::Failed,
            Happened::Resumed(_) => Lately::Decided,
            // what follows from new switches was decided with them
            Happened::PackageReady(_) | Happened::AttemptClosed { .. } if self.pauses.redraft => {
                self.pauses.lately
            }
            _ => Lately::Nothing,
        }
    }

    /// Ends a pause, if there is one.
    fn resume(&mut self, at_us: u64) -> Option<Paused> {
        let paused = self.paused.take()?;
        self.paused_us += at_us.saturating_sub(self.paused_at_us);
        Some(paused)
    }

    fn resumed(&mut self, decision: Resumed, at_us: u64) {
        let paused = self.resume(at_us);
        match decision {
            Resumed::Go => {}
            Resumed::Stop => self.pauses.stopped = paused,
            Resumed::Refuse => self.pauses.refused = paused,
            Resumed::WithSql { sql } => self.pauses.sql = Some(sql),
            Resumed::WithSwitches { switches } => {
                self.question.switches = switches;
                self.pauses.redraft = true;
                self.pauses.package_is_new = false;
            }
        }
    }

    fn fold(&mut self, event: &Event) {
        match event.happened.clone() {
            Happened::Asked { question, database, place, engine, model, scripted, knowledge } => {
                self.place = if place.is_empty() { database.clone() } else { place };
                self.question = *question;
                self.database = database;
                self.engine = engine;
                self.model = model;
                self.scripted = scripted;
                self.knowledge = knowledge;
            }
            Happened::Understood(understanding) => self.understanding = Some(*understanding),
            Happened::Gathered { notes, .. } => self.gathered = Some(notes),
            Happened::PackageReady(package) => {
                self.packages.push(*package);
                self.pauses.package_is_new = true;
            }
            Happened::Planned { plan, .. } => self.plan = Some(*plan),
            Happened::Probed { probes, .. } => self.probes.extend(probes),
            Happened::Advised { attempt, version, words } => {
                self.advice.push((attempt, version, words));
            }
            Happened::Paused(paused) => {
                self.paused = Some(paused);
                self.paused_at_us = event.at_us;
            }
            Happened::Resumed(decision) => self.resumed(decision, event.at_us),
            Happened::Escalated { words } => self.escalations.push(words),
            Happened::Explained { english } => self.english = Some(english),
            Happened::Sampled { candidate, of } => self.sampling = Some((candidate, of)),
            Happened::Compared { groups } => self.groups = Some(groups),
            Happened::Judged(judgement) => {
                self.lost_calls.extend(judgement.calls.iter().cloned());
                self.judgement = Some(*judgement);
            }
            Happened::Answered(answer) => {
                // a run that is cancelled while it waits is never resumed
                self.resume(event.at_us);
                self.answer = Some(*answer);
            }
            of_attempt @ (Happened::Drafted { .. }
            | Happened::Checked { .. }
            | Happened::Estimated { .. }
            | Happened::Ran { .. }
            | Happened::Reviewed { .. }
            | Happened::Failed { .. }
            | Happened::Rewritten { .. }
            | Happened::AttemptClosed { .. }) => self.fold_attempt(of_attempt, event.at_us),
        }
    }

    /// A draft uses up what a person decided at a pause.
    fn fold_pauses_of(&mut self, attempt: u32, origin: Origin) {
        if self.pauses.sql.take().is_some() && origin == Origin::Person {
            self.pauses.given.push(attempt);
        }
        self.pauses.redraft = false;
        self.pauses.package_is_new = false;
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all other events are not of an attempt")]
    fn fold_attempt(&mut self, happened: Happened, at_us: u64) {
        match happened {
            Happened::Drafted { attempt, origin, sql, note, calls, semantic_retry } => {
                self.fold_pauses_of(attempt, origin);
                let first = Version { sql: sql.clone(), analysed: true, ..Version::default() };
                self.attempts.push(Attempt {
                    n: attempt,
                    origin,
                    versions: vec![first],
                    drafted_sql: sql,
                    plan: self.plan.clone(),
                    repair_note: note,
                    calls,
                    semantic_retry,
                    candidate: self.sampling.take().map(|(candidate, _)| candidate),
                    started_us: at_us,
                    ended_us: at_us,
                    closed: false,
                });
            }
            Happened::Checked { attempt, version, checks, analysed, findings, failure } => {
                if let Some(v) = self.version_mut(attempt, version, at_us) {
                    v.checks.extend(checks);
                    v.analysed = analysed;
                    v.findings.extend(findings);
                    v.failure = failure;
                }
            }
            Happened::Estimated { attempt, version, estimate } => {
                if let Some(v) = self.version_mut(attempt, version, at_us) {
                    v.estimate = Some(estimate);
                }
            }
            Happened::Ran { attempt, version, rows, elapsed_us } => {
                let result = ResultId { run: self.run.clone(), attempt, version, view: 0 };
                if let Some(v) = self.version_mut(attempt, version, at_us) {
                    v.rows = Some(rows);
                    v.result = Some(result);
                    v.run_us = elapsed_us;
                }
            }
            Happened::Reviewed { attempt, version, findings } => {
                if let Some(v) = self.version_mut(attempt, version, at_us) {
                    v.findings.extend(findings);
                    v.reviewed = true;
                }
            }
            Happened::Failed { attempt, calls, failure } => {
                self.fold_failed(attempt, calls, failure, at_us);
            }
            Happened::Rewritten { attempt, version: _, sql, repair } => {
                if let Some(a) = self.attempt_mut(attempt) {
                    a.ended_us = at_us;
                    let repair = Some(repair);
                    a.versions.push(Version { sql, repair, analysed: true, ..Version::default() });
                }
            }
            Happened::AttemptClosed { attempt, .. } => {
                if let Some(a) = self.attempt_mut(attempt) {
                    a.ended_us = at_us;
                    a.closed = true;
                }
            }
            _ => {}
        }
    }

    fn fold_failed(
        &mut self,
        attempt: Option<u32>,
        calls: Vec<Call>,
        failure: Failure,
        at_us: u64,
    ) {
        self.lost_calls.extend(calls);
        self.pauses.redraft = false;
        if let (None, Some((candidate, _))) = (attempt, self.sampling.take()) {
            // an answer stands already: a candidate that came to nothing is no failure of the run
            self.unsampled.push((candidate, failure.message()));
            return;
        }
        let open = attempt.and_then(|n| self.attempt_mut(n));
        let version = open.and_then(|a| {
            a.ended_us = at_us;
            a.versions.last_mut()
        });
        match version {
            Some(version) => version.failure = Some(failure),
            None => self.failures.push(failure),
        }
    }

    fn attempt_mut(&mut self, n: u32) -> Option<&mut Attempt> {
        self.attempts.iter_mut().rev().find(|attempt| attempt.n == n)
    }

    fn version_mut(&mut self, n: u32, version: usize, at_us: u64) -> Option<&mut Version> {
        let attempt = self.attempt_mut(n)?;
        attempt.ended_us = at_us;
        attempt.versions.get_mut(version)
    }

    /// Returns the newest package.
    pub fn package(&self) -> Option<&ContextPackage> {
        self.packages.last()
    }

    /// Returns the attempt that is being worked on, or was last.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Returns the version that is the answer.
    pub fn chosen(&self) -> Option<(&Attempt, &Version)> {
        let (n, version) = self.answer.as_ref()?.chosen?;
        let attempt = self.attempts.iter().find(|attempt| attempt.n == n)?;
        Some((attempt, attempt.versions.get(version)?))
    }

    /// Lists all model calls in order of attempts, then those that led to none.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.attempts.iter().flat_map(|a| a.calls.iter()).chain(self.lost_calls.iter())
    }

    /// Adds up the tokens of all calls.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for call in self.calls() {
            usage += call.usage;
        }
        usage
    }

    /// Counts the local rewrites of an attempt.
    pub fn rewrites(&self, n: u32) -> usize {
        let attempt = self.attempts.iter().find(|attempt| attempt.n == n);
        attempt.map_or(0, |a| a.versions.len().saturating_sub(1))
    }
}
