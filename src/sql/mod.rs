//! Query text: reading it, binding its names, changing it, saying it in English.
//!
//! What belongs here: everything that looks at SQL as text or syntax tree and needs at most a
//! catalog. What must never come: data, knowledge, models, a verdict on what a query is good for.
//! To add a dialect: one entry in `dialect.rs`.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the parser's enums are foreign and have hundreds of variants; the lint can't tell"
)]
#![expect(clippy::format_push_string, reason = "sentences grow by a few short pieces")]

pub mod complete;
pub mod dialect;
pub mod engine_words;
pub mod english;
pub mod foreign;
pub mod from_items;
mod functions;
pub mod layout;
pub mod lexemes;
pub mod measures;
pub mod nearest;
mod places;
mod postgres_effects;
pub mod read_query;
pub mod rewrite;
pub mod sameness;
pub mod scope;
mod spelled;
pub mod words_diff;
mod writes;

pub use read_query::ReadQuery;
pub use scope::{Binding, bind};

/// Takes the quotes off a name as written.
fn from_name(written: &str) -> &str {
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or(written);
    match written.as_bytes().first() {
        Some(b'"' | b'`' | b'[') if written.len() > 1 => inner,
        _ => written,
    }
}
