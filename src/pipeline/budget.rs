//! What a run may spend, what it has spent, and what is left. Pure.

use crate::domain::{Origin, Transcript};

/// What a run has spent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent {
    /// Attempts opened; those of a person's SQL and further candidates cost none.
    pub attempts: u32,
    /// Model calls made.
    pub calls: u32,
    /// Semantic retries drafted.
    pub semantic_retries: u32,
    /// Microseconds since the question, pauses left out.
    pub elapsed_us: u64,
}

impl Spent {
    /// Counts what a run has spent at a moment, given in microseconds since the question.
    pub(super) fn of(transcript: &Transcript, now_us: u64) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Spent {
            attempts: count(
                transcript
                    .attempts
                    .iter()
                    .filter(|a| a.origin != Origin::Person && a.candidate.is_none())
                    .count(),
            ),
            calls: count(transcript.calls().count()),
            semantic_retries: count(
                transcript.attempts.iter().filter(|a| a.semantic_retry).count(),
            ),
            elapsed_us: now_us.saturating_sub(transcript.paused_us),
        }
    }

    /// Tells whether another attempt with a model call may be opened.
    pub(super) fn allows_draft(&self, transcript: &Transcript) -> bool {
        let options = &transcript.question.options;
        self.attempts < options.max_attempts && self.calls < options.max_calls
    }

    /// Tells whether time is up.
    pub(super) fn out_of_time(&self, transcript: &Transcript) -> bool {
        self.elapsed_us / 1_000 >= transcript.question.options.deadline_ms
    }
}
