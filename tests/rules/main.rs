//! The offline drafter: sentences on a library of our own, and how often it is right on public
//! question sets.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "tests stop at what is wrong, and print what they measure or skip"
)]

mod accuracy;
mod library;
mod reader;
mod sentences;
