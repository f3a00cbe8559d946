//! What is told to a model: the forms it is written in, what may leave, and what was left out.
//!
//! The program asks a server of ours on loopback, which keeps every byte that it was sent.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

mod ablation;
mod asked;
mod forms;
mod privacy;
#[path = "../program/mod.rs"]
mod program;
mod selection;
#[expect(dead_code, reason = "each binary of tests uses what it needs of the server")]
#[path = "../protocols/server.rs"]
mod server;
mod toon;
