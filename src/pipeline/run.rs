//! A run as a face holds it: what is told, what may be commanded; dropping it cancels the work.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::domain::{Event, Pulse, Resumed, RunId};

/// What a run tells a face.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A recorded fact.
    Event(Box<Event>),
    /// Something live.
    Pulse(Pulse),
}

/// What a face may command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The decision a paused run waits for.
    Resume(Resumed),
    /// Stop: the engine is interrupted, the run ends as cancelled, and its last event still comes.
    Cancel,
}

/// A running question. Dropping it stops the work at once.
#[derive(Debug)]
pub struct Run {
    /// Its name.
    pub id: RunId,
    /// Events and pulses in order; closed after `Answered`.
    pub told: mpsc::Receiver<Told>,
    /// Commands.
    pub commands: mpsc::Sender<Command>,
    pub(super) task: JoinHandle<()>,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.task.abort();
    }
}
