//! Query text: reading it, binding its names, changing it, saying it in English.
//!
//! What belongs here: everything that looks at SQL as text or syntax tree and needs at most a
//! catalog. What must never come: data, knowledge, models, a verdict on what a query is good for.
//! To add a dialect: one entry in `dialect.rs`.

pub mod dialect;
pub mod english;
pub mod layout;
pub mod nearest;
pub mod read_query;
pub mod sameness;
pub mod scope;

pub use read_query::ReadQuery;
pub use scope::{Binding, bind};
