//! `eval` over small sets whose figures are known by construction, and over public ones against what
//! was recorded of them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops where it must, and says what it skips"
)]

mod bad_sets;
#[path = "../program/mod.rs"]
mod program;
mod public;
#[expect(dead_code, reason = "each binary of tests uses what it needs of the server")]
#[path = "../protocols/server.rs"]
mod server;
mod shop;
mod stopping;
mod worth;
