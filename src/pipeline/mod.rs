//! The flow: from a question to an answer, told as events; and `Session`, the faces' only door.
//!
//! What belongs here: deciding the next step (`next`, pure), doing it (`steps`), budgets, trust, and
//! what faces may ask for. What must never come: drawing, argument parsing, SQL rules.
//! To add a step: a variant of `Step`, its condition in `next`, a file in `steps`.

pub mod run;
pub mod session;

pub use run::{Command, Run, Told};
pub use session::{CheckReport, CheckRequest, Completion, Header, Session, SessionError, Setup};
