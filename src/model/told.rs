//! A reply's work as a stream: an async function tells chunks, and dropping the stream drops it.
//!
//! Nothing is spawned. The stream itself polls the work, so a dropped stream closes the connection.

use std::future::Future;
use std::pin::Pin;

use futures_util::stream::{self, BoxStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::{Chunk, Done, ModelError};

/// Chunks between the work and its reader. Small: the work is polled by the reader, so a longer
/// queue would only delay cancelling.
const QUEUE: usize = 16;

/// What the work tells its chunks through.
pub(super) struct Teller(Sender<Chunk>);

impl Teller {
    /// Tells a chunk, waiting for room. A reader that has gone takes the work with it.
    pub(super) async fn tell(&self, chunk: Chunk) {
        // The receiver lives beside the work in one stream, so this fails only while both go.
        let _ = self.0.send(chunk).await;
    }

    /// Tells text, if there is any.
    pub(super) async fn text(&self, text: String) {
        if !text.is_empty() {
            self.tell(Chunk::Text(text)).await;
        }
    }
}

type Work = Pin<Box<dyn Future<Output = Result<Done, ModelError>> + Send>>;

enum State {
    Working(Receiver<Chunk>, Work),
    Draining(Receiver<Chunk>, Result<Done, ModelError>),
    Over,
}

/// Turns work into a stream of what it tells, ended by its `Done` or error.
pub(super) fn told<F, W>(work: F) -> BoxStream<'static, Result<Chunk, ModelError>>
where
    F: FnOnce(Teller) -> W,
    W: Future<Output = Result<Done, ModelError>> + Send + 'static,
{
    let (sender, receiver) = channel(QUEUE);
    let work: Work = Box::pin(work(Teller(sender)));
    Box::pin(stream::unfold(State::Working(receiver, work), advance))
}

async fn advance(mut state: State) -> Option<(Result<Chunk, ModelError>, State)> {
    loop {
        state = match state {
            State::Working(mut receiver, mut work) => {
                tokio::select! {
                    biased;
                    Some(chunk) = receiver.recv() => {
                        return Some((Ok(chunk), State::Working(receiver, work)));
                    }
                    end = &mut work => State::Draining(receiver, end),
                }
            }
            State::Draining(mut receiver, end) => match receiver.try_recv() {
                Ok(chunk) => return Some((Ok(chunk), State::Draining(receiver, end))),
                Err(_) => return Some((end.map(Chunk::Done), State::Over)),
            },
            State::Over => return None,
        }
    }
}
