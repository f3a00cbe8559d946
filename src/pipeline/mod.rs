//! The flow: from a question to an answer, told as events; and the faces' doors: `Session` for what
//! needs a database, `Archive` for past runs alone.
//!
//! What belongs here: deciding the next step (`next`, pure), doing it (`steps`), budgets, endings,
//! trust, and what faces may ask for, `results` and `export` among it. What must never come: drawing,
//! argument parsing, SQL rules.
//! To add a step: a variant of `Step`, its condition in `next`, a file in `steps`.
//!
//! **Invariant:** `agreement`, `budget`, `compare`, `cost`, `next`, `ending`, `trust`, `narrator`, `questions` and `units` take values and
//! give values; they never wait.

mod abreast;
mod agreement;
mod archive;
mod ask;
mod budget;
mod checking;
pub mod compare;
mod cost;
mod ending;
mod export;
mod keys;
mod knowing;
mod literals;
mod names;
mod narrator;
mod next;
mod opening;
mod questions;
mod results;
mod run;
mod session;
mod steps;
mod stored;
mod thinking;
mod trust;
mod typing;
mod units;

pub use abreast::Abreast;
pub use archive::Archive;
pub use checking::{CheckReport, CheckRequest};
pub use export::{Consent, Export, ExportFormat, ExportTrouble, Exported, Exporting, Written};
pub use knowing::{Outcome, Proof, ProveRequest, Proved, import, knowledge_text, proposals_text};
pub use opening::{Connection, SessionError, Setup, connect, connections, models, now, place};
pub use run::{Command, Run, Told};
pub use session::{Completion, Header, Session};

pub use crate::database::{Page, ResultStore};
pub use crate::knowledge::{Drift, Proposal};
pub use crate::memory::StoredRun;
pub use crate::model::Listed;
