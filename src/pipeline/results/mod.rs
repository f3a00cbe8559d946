//! What a face may do with a result besides reading pages: arrange, find, sum up.
//!
//! What belongs here: keeping the results of a session and their arrangements, and handing long work
//! on them to a thread that stops when nobody waits any more. What must never come: the work itself
//! (`database::results`), drawing, files.

mod arrange;
mod kept;
mod look;
mod thread;

pub(super) use kept::Kept;
