//! DuckDB, and any engine with an ADBC driver, read only.
//!
//! What belongs here: everything that speaks to a foreign driver library. What is common to all of
//! them (connections, threads, cancelling, cells) stands in this folder's files, DuckDB and the
//! drivers that we know nothing of have a folder each. What must never come: SQL from outside that
//! runs past a proof that it only reads.
//! To teach it one more engine: a row in `generic/vendor.rs`.

mod cells;
mod duckdb;
mod generic;
mod kinds;
mod library;
mod line;
mod opaque;
mod places;
mod reading;
mod types;

pub(super) use duckdb::connect as duckdb;
pub(super) use generic::connect;
