//! Parser, binder, gates and repairs by engine, against what PostgreSQL, MySQL and DuckDB say.
//!
//! What belongs here: gold queries that must pass, mutated ones that must be flagged, and foreign
//! syntax with the text that it becomes. Sets come from the folder in `QUERENT_DATA`.

#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![expect(clippy::print_stdout, reason = "figures and what is skipped are stated")]

mod golds;
mod mutants;
mod schemas;
mod turned;
mod verdicts;
