//! What is told to a model: the forms it is written in, what may leave, and what was left out.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

mod toon;
