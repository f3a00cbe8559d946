//! Asking: questions made on the terms in force, started, and the runs that are kept at hand.

use crate::domain::{Options, Question, RunId};

use super::app::{App, Door, Tone};
use super::effect::Effect;
use super::layout::{Layout, Pane};
use super::moment::RunView;

/// Runs looked at before that are kept whole; others are read from memory.
const RUNS_AT_HAND: usize = 8;

impl App {
    /// Makes a question on the terms in force.
    pub fn made(&self, text: &str, sql: Option<String>, parent: Option<RunId>) -> Question {
        Question {
            text: text.to_owned(),
            sql,
            parent,
            switches: self.context.switches.clone(),
            options: Options {
                privacy: self.privacy(),
                stops: self.stops,
                ..self.config.options.clone()
            },
            ..Question::default()
        }
    }

    /// Starts a question; while a run goes on, it waits for its end.
    pub fn ask(&mut self, question: Question) -> Vec<Effect> {
        if self.door != Door::Open {
            self.say("The database isn't open yet.", Tone::Trouble);
            return Vec::new();
        }
        if self.running() || !self.queue.is_empty() {
            return self.wait(question);
        }
        self.start(question)
    }

    /// Starts a question now.
    pub fn start(&mut self, question: Question) -> Vec<Effect> {
        self.ran(&question);
        if !question.text.is_empty() && question.sql.is_none() {
            question.text.trim().clone_into(&mut self.question.asked);
            self.question.past.retain(|past| *past != question.text);
            self.question.past.insert(0, question.text.clone());
        }
        self.question.back = None;
        self.question.offers.clear();
        self.runs += 1;
        self.rated = None;
        self.verified = false;
        self.sql.editing = false;
        if Layout::of(self).alone {
            // with one pane at a time, the one that tells how it goes
            self.focus = Pane::Result;
        }
        self.sql.top = 0;
        self.trace.top = 0;
        let mut run = RunView::started(RunId::default(), self.clock);
        run.live.question = question.clone();
        run.number = self.runs;
        self.put_in_front(run);
        vec![Effect::Ask(Box::new(question))]
    }

    /// Notes that what stands in the SQL editor was run, where it was.
    pub(super) fn ran(&mut self, question: &Question) {
        if question.sql.as_deref() == Some(self.sql.editor.as_str()) {
            self.sql.saved = self.sql.editor.text();
        }
    }

    /// Looks at a run; the one looked at before is kept.
    pub fn put_in_front(&mut self, run: RunView) {
        self.former.retain(|former| *former.id() != *run.id());
        if let Some(former) = self.run.replace(run) {
            self.shelve(former);
        }
    }

    /// Keeps a run at hand, for comparing; the oldest one goes when there are too many.
    pub fn shelve(&mut self, run: RunView) {
        if run.events.is_empty() {
            return;
        }
        self.former.retain(|former| *former.id() != *run.id());
        self.former.push(run);
        let more = self.former.len().saturating_sub(RUNS_AT_HAND);
        self.former.drain(..more);
    }

    /// Finds a run that is at hand.
    pub fn find_run(&self, id: &RunId) -> Option<&RunView> {
        self.run.iter().chain(&self.former).find(|run| *run.id() == *id)
    }
}
