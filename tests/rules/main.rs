//! The offline drafter: sentences on a library of our own, and how often it is right on public
//! question sets.

mod accuracy;
mod library;
mod reader;
mod sentences;
