//! A run as a face holds it: what is told, what may be commanded; dropping it cancels the work.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::domain::{Event, Pulse, Question, Resumed, RunId, Stops};

use super::ask::Flow;
use super::session::Session;

/// Events that may wait for a face. A run tells some 20 events and a pulse a token; 256 lets a face
/// be busy for a few frames before the run waits for it.
const WAITING: usize = 256;

/// What a run tells a face.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A recorded fact.
    Event(Box<Event>),
    /// Something live.
    Pulse(Pulse),
}

/// Commands that may wait for a run. It takes each one as soon as it waits for anything.
const COMMANDS: usize = 16;

/// What a face may command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Stop: the engine is interrupted, the run ends as cancelled, and its last event still comes.
    Cancel,
    /// Go on, in one of the ways there are. Says nothing to a run that isn't paused.
    Resume(Resumed),
    /// Wait at these places from now on; a pause that has begun stays.
    Stops(Stops),
}

/// A running question. Dropping it stops the work at once.
#[derive(Debug)]
pub struct Run {
    /// Its name.
    pub id: RunId,
    /// Events and pulses in order; closed after `Answered`, once the run is remembered.
    pub told: mpsc::Receiver<Told>,
    /// Commands.
    pub commands: mpsc::Sender<Command>,
    task: JoinHandle<()>,
}

impl Run {
    /// Starts a run on a task of its own.
    pub(super) fn start(session: Arc<Session>, question: Question) -> Self {
        let id = RunId(uuid::Uuid::now_v7().to_string());
        let (sender, told) = mpsc::channel(WAITING);
        let (commands, receiver) = mpsc::channel(COMMANDS);
        let flow = Flow::new(session, id.clone(), sender);
        let task = tokio::spawn(flow.work(question, receiver));
        Run { id, told, commands, task }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.task.abort();
    }
}
