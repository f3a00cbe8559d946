//! A component's content in a form a model reads, and what it costs in tokens; rows as text.
//!
//! What belongs here: one file for each form, and the marks that keep stored text from passing for
//! ours. What must never come: choosing what is in, or what may leave.
//! To add a form: a file, a variant of `Form`, an arm in `component`.

use crate::domain::package::Form;
use crate::domain::{ComponentKind, Content};

mod figures;
pub mod marked;
pub mod skeleton;
pub mod table;
mod tables;
pub mod text;
pub mod toon;

pub use figures::looks_like_date;
pub use tables::{BRIEF_HEAD, brief_line, column_length, frame_length};

/// Renders one component in a form; empty content gives an empty text.
pub fn component(kind: ComponentKind, content: &Content, form: Form) -> String {
    match form {
        Form::Text => text::component(kind, content),
        Form::Toon => toon::component(kind, content),
        Form::Skeleton => skeleton::component(content),
    }
}

/// Estimates the tokens of a text: UTF-8 bytes / 3.6, rounded up.
///
/// Source: measured on SQL text against a byte-pair tokenizer; providers' own counts stand beside.
pub fn tokens(text: &str) -> u32 {
    tokens_of(text.len())
}

/// Estimates the tokens of so many UTF-8 bytes.
pub fn tokens_of(bytes: usize) -> u32 {
    let tenths = bytes.saturating_mul(10).div_ceil(36);
    u32::try_from(tenths).unwrap_or(u32::MAX)
}
