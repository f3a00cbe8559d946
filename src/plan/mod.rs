//! Plans: read from a model's reply, drawn from links without a model, compiled to SQL, and held
//! against SQL.
//!
//! What belongs here: the typed `Plan` and its ways in and out. What must never come: running.

pub mod compile;
pub mod conform;
pub mod read;
pub mod rules;
