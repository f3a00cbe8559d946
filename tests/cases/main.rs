//! The cases of the documented self-correction loops as runs of the program, each held against its
//! events, its calls and its end: one file for each source.
//!
//! What belongs here: whole runs with scripted replies. What must never come: what one module says
//! by itself; that is tested where it stands. To add a case: a test in the file of its source.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on shall stop")]

mod insurance;
mod ladder;
mod lesson;
#[path = "../program/mod.rs"]
mod program;
mod recorded;
