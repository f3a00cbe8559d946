//! Carries one run: fold, decide, act, until it has ended; then remembers it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::domain::event::Judgement;
use crate::domain::{
    Answer, Call, Event, Facts, Failure, Happened, Paused, Pulse, Question, Resumed, Rows, RunId,
    Stage, StopCode, Stops, Transcript,
};

use super::budget::Spent;
use super::ending::{self, Ending, Known};
use super::next::{self, Step, Writer};
use super::opening::Drafter;
use super::run::{Command, Told};
use super::session::Session;
use super::steps;

/// How long the end of a run waits for the engine to stop; SQLite takes milliseconds.
const ENGINE_STOPS_WITHIN: Duration = Duration::from_secs(5);

/// A run at work: the transcript so far, and the way to tell it.
pub(super) struct Flow {
    pub(super) session: Arc<Session>,
    pub(super) transcript: Transcript,
    /// What was read for this run; not recorded, the package says what mattered of it.
    pub(super) facts: Facts,
    /// Model calls made, lost ones too.
    pub(super) calls: u32,
    /// Calls of the draft at hand, the one in flight last; taken once an event tells of them.
    pub(super) at_hand: Vec<Call>,
    /// The rows of the newest statement, for the gates: the store policy may keep them from the
    /// events.
    pub(super) rows: Option<Rows>,
    /// The newest rows of each attempt, until candidates are compared; empty without them.
    pub(super) results: Vec<(u32, Rows)>,
    run: RunId,
    events: Vec<Event>,
    told: mpsc::Sender<Told>,
    started: Instant,
}

impl Flow {
    pub(super) fn new(session: Arc<Session>, run: RunId, told: mpsc::Sender<Told>) -> Self {
        Flow {
            session,
            transcript: Transcript::default(),
            facts: Facts::default(),
            calls: 0,
            at_hand: Vec::new(),
            rows: None,
            results: Vec::new(),
            run,
            events: Vec::new(),
            told,
            started: Instant::now(),
        }
    }

    /// Records what happened: stamps it, folds it, sends it.
    pub(super) async fn tell(&mut self, happened: Happened) {
        let event = Event { run: self.run.clone(), at_us: self.now_us(), happened };
        let event = self.session.archive.strip(event);
        self.transcript.apply(&event);
        self.events.push(event.clone());
        // a face that went away is no reason to fail: the run is dropped with it
        let _ = self.told.send(Told::Event(Box::new(event))).await;
    }

    /// Shows something live. Left out when the face is busy: it is never decided on.
    pub(super) fn pulse(&self, pulse: Pulse) {
        let _ = self.told.try_send(Told::Pulse(pulse));
    }

    /// A sender for pulses, for work that outlives a borrow of the flow.
    pub(super) fn pulses(&self) -> mpsc::Sender<Told> {
        self.told.clone()
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn writer(&self) -> Writer {
        match (&self.transcript.question.sql, &self.session.drafter) {
            (Some(_), _) => Writer::Person,
            (None, Drafter::Model(_)) => Writer::Model,
            (None, Drafter::Rules) => Writer::Rules,
        }
    }

    /// Works until the run has ended, was cancelled, or is out of time.
    pub(super) async fn work(mut self, question: Question, mut commands: mpsc::Receiver<Command>) {
        let mut stops = question.options.stops;
        self.tell(self.session.asked(question)).await;
        loop {
            let spent = Spent::of(&self.transcript, self.now_us());
            let step = next::next(&self.transcript, &spent, self.writer(), stops);
            if step == Step::Done {
                break;
            }
            let ending = if let Step::Await(paused) = step {
                self.pause(paused, &mut commands, &mut stops).await
            } else {
                self.act(step, &spent, &mut commands, &mut stops).await
            };
            let out_of_time = ending == Some(Ending::stopped(StopCode::Deadline));
            if out_of_time
                && self.transcript.answer.is_none()
                && next::lanes_begun(&self.transcript)
            {
                self.cut_lanes_short().await;
                continue;
            }
            // the step was dropped, and with it whatever it waited for
            if let Some(ending) = ending.filter(|_| self.transcript.answer.is_none()) {
                self.end(&ending).await;
            }
        }
        self.remember().await;
    }

    /// Does one step, listening to commands meanwhile; returns an ending that cuts it off.
    async fn act(
        &mut self,
        step: Step,
        spent: &Spent,
        commands: &mut mpsc::Receiver<Command>,
        stops: &mut Stops,
    ) -> Option<Ending> {
        let left = self.time_left(spent);
        let work = tokio::time::timeout(left, steps::take(self, step));
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                command = listen(commands) => match command {
                    Command::Cancel => return Some(Ending::Cancelled),
                    Command::Stops(new) => *stops = new,
                    // nothing waits
                    Command::Resume(_) => {}
                },
                done = &mut work => {
                    return done.is_err().then(|| Ending::stopped(StopCode::Deadline));
                }
            }
        }
    }

    /// Waits for a person, for as long as it takes; returns an ending when they cancel.
    async fn pause(
        &mut self,
        paused: Paused,
        commands: &mut mpsc::Receiver<Command>,
        stops: &mut Stops,
    ) -> Option<Ending> {
        self.tell(Happened::Paused(paused)).await;
        loop {
            match commands.recv().await {
                Some(Command::Cancel) => return Some(Ending::Cancelled),
                Some(Command::Stops(new)) => *stops = new,
                Some(Command::Resume(decision)) => {
                    self.tell(Happened::Resumed(decision)).await;
                    return None;
                }
                // nobody is left who could decide
                None => {
                    self.tell(Happened::Resumed(Resumed::Stop)).await;
                    return None;
                }
            }
        }
    }

    fn time_left(&self, spent: &Spent) -> Duration {
        let deadline = self.transcript.question.options.deadline_ms.saturating_mul(1_000);
        // a little above zero, so that the step that ends the run is never cut off itself
        Duration::from_micros(deadline.saturating_sub(spent.elapsed_us))
            .max(Duration::from_millis(250))
    }

    /// Tells that time was up in an optional lane; the answer that stands is told next.
    async fn cut_lanes_short(&mut self) {
        let calls = std::mem::take(&mut self.at_hand);
        let words = "time was up";
        if self.transcript.sampling.is_some() {
            let failure = Failure::new(Stage::Model, "unfinished", words);
            self.tell(Happened::Failed { attempt: None, calls, failure }).await;
        } else if !calls.is_empty() {
            let judgement = Judgement { agrees: None, words: words.to_owned(), calls };
            self.tell(Happened::Judged(Box::new(judgement))).await;
        }
        self.session.database.settled(ENGINE_STOPS_WITHIN).await;
    }

    /// Ends the run. Calls that a cut-off draft had made are told first: they were paid for.
    pub(super) async fn end(&mut self, ending: &Ending) {
        let calls = std::mem::take(&mut self.at_hand);
        if !calls.is_empty() {
            let words = "the model was still writing when the run ended";
            let failure = Failure::new(Stage::Model, "unfinished", words);
            self.tell(Happened::Failed { attempt: None, calls, failure }).await;
        }
        // nothing is called cancelled or timed out while the engine still works on it
        let stopped = self.session.database.settled(ENGINE_STOPS_WITHIN).await;
        let mut answer: Answer = ending::answer(&self.transcript, ending, &self.known());
        if !stopped {
            let seconds = ENGINE_STOPS_WITHIN.as_secs();
            let words =
                format!("The engine was told to stop and had not done so after {seconds} s.");
            answer.reasons.push(words);
        }
        self.tell(Happened::Answered(Box::new(answer))).await;
    }

    fn known(&self) -> Known {
        let knowledge = self.session.knowledge();
        let approved = knowledge.metrics.iter().filter(|m| m.approved).map(|m| m.name.clone());
        let mut verified = self.facts.history.clone();
        verified.extend(knowledge.examples.iter().filter(|e| !e.verified_by.is_empty()).cloned());
        Known { examples: self.session.example_questions(), verified, approved: approved.collect() }
    }

    async fn remember(self) {
        self.session.archive.store(self.events).await;
    }
}

/// Waits for a command. A face that only listens never gives one.
async fn listen(commands: &mut mpsc::Receiver<Command>) -> Command {
    match commands.recv().await {
        Some(command) => command,
        None => std::future::pending().await,
    }
}
