//! Exit codes (P11): scripts depend on them.

use crate::domain::{Answer, Status, StopCode};
use crate::pipeline::SessionError;

/// Answered, or clean.
pub(super) const OK: u8 = 0;
/// Clarify, a question that stays unanswered, or a check with anything to say.
pub(super) const OPEN: u8 = 1;
/// Wrong usage or configuration.
pub(super) const USAGE: u8 = 2;
/// The database can't be read.
pub(super) const DATABASE: u8 = 3;
/// Time is up, or a policy forbids it.
pub(super) const LIMIT: u8 = 4;
/// The model can't be reached or used.
pub(super) const MODEL: u8 = 5;
/// Cancelled by the person.
pub(super) const CANCELLED: u8 = 130;

/// The code of a run's end.
pub(super) fn of_answer(answer: &Answer) -> u8 {
    match answer.status {
        Status::Answered => OK,
        Status::Clarify => OPEN,
        Status::Cancelled => CANCELLED,
        Status::Declined | Status::GaveUp => match answer.stop.as_ref().map(|stop| stop.code) {
            Some(StopCode::Database) => DATABASE,
            Some(StopCode::Deadline | StopCode::Policy) => LIMIT,
            Some(StopCode::Model) => MODEL,
            Some(
                StopCode::Budget
                | StopCode::NoProgress
                | StopCode::WriteRequest
                | StopCode::OffTopic
                | StopCode::Ungrounded,
            )
            | None => OPEN,
        },
    }
}

/// The code of a session that can't be opened or used.
pub(super) fn of_error(error: &SessionError) -> u8 {
    if error.is_database() { DATABASE } else { USAGE }
}
