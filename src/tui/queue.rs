//! Questions that wait for the run to end, and what is written down for the next start.

use crate::domain::counts::count;
use crate::domain::{Question, RunId};
use crate::pipeline::Header;

use super::app::{App, Tone};
use super::effect::Effect;
use super::overlays::palette_rows::leaves;

impl App {
    /// Puts a question behind those that wait.
    pub(super) fn wait(&mut self, question: Question) -> Vec<Effect> {
        if !question.text.is_empty() && question.sql.is_none() {
            question.text.trim().clone_into(&mut self.question.asked);
        }
        self.ran(&question);
        self.queue.push(question);
        let waiting = self.queue.len();
        let key = self.keys.key_of(super::action::Action::Queue);
        self.say(format!("It waits for the run to end. {waiting} waiting: {key}."), Tone::Note);
        Vec::new()
    }

    /// Takes the end of a run: the next question starts.
    pub(super) fn ended(&mut self, id: &RunId) -> Vec<Effect> {
        let Some(run) = self.run.as_mut().filter(|run| run.id() == id) else { return Vec::new() };
        run.ended();
        if self.queue.is_empty() {
            return Vec::new();
        }
        let question = self.queue.remove(0);
        self.start(question)
    }

    /// Lets go of questions that were meant for another database.
    pub(super) fn drop_queue(&mut self) {
        let waiting = self.queue.len();
        if waiting > 0 {
            self.queue.clear();
            let were = if waiting == 1 { "was" } else { "were" };
            let what = count(waiting, "waiting question");
            let words = format!("{what} {were} meant for the former database, and let go.");
            self.say(words, Tone::Trouble);
        }
    }

    /// Says what another database or model means, once it is open.
    pub(super) fn changed_words(&self, former: &Header) -> Option<String> {
        let Header { database, model, remote, .. } = &self.header;
        if *database != former.database {
            let tables = self.catalog.tables.len() as u64;
            return Some(format!("Opened {database}: {}.", count(tables, "table")));
        }
        let level = self.privacy();
        (*model != former.model).then(|| {
            if *remote {
                format!(
                    "{model} answers now; privacy {}: {} this machine.",
                    level.name(),
                    leaves(level)
                )
            } else {
                format!("{model} answers now; nothing leaves this machine.")
            }
        })
    }

    /// Has what changed of what is remembered written down; first, so that it is never the last word.
    pub(super) fn remember(&mut self, effects: &mut Vec<Effect>) {
        if self.pointer.moving() {
            return;
        }
        let database = self.header.database.clone();
        self.kept.lay(&database, self.splits);
        if self.kept != self.remembered {
            self.remembered = self.kept.clone();
            effects.insert(0, Effect::Remember(Box::new(self.kept.clone())));
        }
    }
}
