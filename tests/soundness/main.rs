//! What holds whatever comes in: nothing panics, what is mended stands, no write passes.
//!
//! What belongs here: properties over queries nobody thought of, made from right ones. What must
//! never come: what one query should give. To add a property: a function that takes a corpus and
//! says what must hold.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod corpus;
mod holding;
mod mended;
mod predictions;
mod writes;
