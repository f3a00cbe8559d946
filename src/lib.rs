//! Querent: ask a database in plain language, and defend the answer.
//!
//! # The whole idea
//! **Question → ContextPackage → Attempt → Outcome → Answer**, told as **Events**, folded into a
//! **Transcript**. Who has the events has everything: screen, JSON, history, replay.
//!
//! One pattern, twice: **fold, decide, act.**
//!
//! | | fold | decide (pure) | act (waits) |
//! |---|---|---|---|
//! | pipeline | `Transcript::apply(Event)` | `pipeline/next`: transcript, budget → `Step` | `pipeline/steps/*` → events |
//! | workbench | `App::apply(Msg)` in `tui/update.rs` | the same call returns `Effect`s | `tui/perform` |
//!
//! # Floors
//! Imports go down, events go up. Modules of one floor never import each other: what one finds,
//! another gets as a value. `tests/floors.rs` reads the `use` lines and fails on a forbidden one.
//!
//! | floor | modules | may import |
//! |---|---|---|
//! | 0 words | [`domain`] | std |
//! | 1 forms | [`sql`] query text · [`joins`] schema as a graph · [`search`] names and values by words, and how much of a question each explains · [`render`] a package as text · [`shown`] text made safe for a terminal · [`record`] events as versioned lines, and the report scripts read · [`chart`] rows as a chart | domain |
//! | 2 edges | [`database`] · [`model`] · [`memory`] · [`knowledge`] · [`config`] | 0–1 |
//! | 3 thinking | [`intake`] · [`context`] · [`plan`] · [`gates`] · [`repair`] · [`prompt`] | 0–1 |
//! | 4 flow | [`pipeline`] | 0–3 |
//! | 5 measure | [`evaluation`] a set of questions through the pipeline, and its score | 0–2, pipeline |
//! | 6 faces | [`tui`] · [`cli`] | domain, floor 1, config, pipeline, (`cli`) evaluation |
//! | 7 start | `main` | all, no logic |
//!
//! **Waiting has an address**: floor 2, `pipeline/{session,opening,thinking,stored,literals,names,abreast,checking,
//! knowing,archive,ask,typing,steps,results,export}`, `evaluation/{asking,judge,scoring,measure}`, `tui/{mod,terminal,perform}`, `cli`, `main`. All other code takes values and gives values:
//! no async, I/O, clock or randomness.
//!
//! **What grows lives in a folder with a table**: one file and one table row add a component, gate,
//! repair, step, pane, driver.
//!
//! # Walk of one question
//! `main` → `cli` reads arguments and config layers → `pipeline::Session` opens the edges → `tui`.
//! A key becomes an `Action`, `update` answers with `Effect`s, `perform` calls `Session::start`.
//! `ask` folds `Asked`; `next` says Understand; [`intake`] links by an index of names and stored values, which
//! is read behind the questions; what cut-off lists leave open is looked up; Gather reads facts once;
//! [`context`] proposes, the budget keeps what fits; Draft streams; Check parses ([`sql`]), binds,
//! runs the gates and the engine's own prepare; Run goes through the database session; Review runs
//! the gates on the result. On failure [`repair`] advises: a rewrite returns to Check, words return
//! to Draft; what no draft can ground is asked back, the one change of route. A repair that a person
//! refuses begins a child run where it was made, and the model goes on. Where a breakpoint or the run
//! policy says so, `next` answers Await, and the run waits until a `Command` resumes it: as it was, with
//! SQL, or with switches of the person's. Then, with `--thorough`, candidates are drafted, run and
//! grouped by result; Explain puts the SQL into words, a judge holds them against the question; trust,
//! Answered, remember. Each event goes through a bounded channel to the face, which folds it.

// nothing shipped stops at an expectation; tests may
#![warn(clippy::expect_used)]

pub mod chart;
pub mod cli;
pub mod config;
pub mod context;
pub mod database;
pub mod domain;
pub mod evaluation;
pub mod gates;
pub mod intake;
pub mod joins;
pub mod knowledge;
pub mod memory;
pub mod model;
pub mod pipeline;
pub mod plan;
pub mod prompt;
pub mod record;
pub mod render;
pub mod repair;
pub mod search;
pub mod shown;
pub mod sql;
pub mod tui;
