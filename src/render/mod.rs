//! A component's content in a form a model reads, and what it costs in tokens.
//!
//! What belongs here: one file for each form. What must never come: choosing what is in.

use crate::domain::package::Form;
use crate::domain::{ComponentKind, Content};

pub mod text;

/// Renders one component in a form; empty content gives an empty text.
pub fn component(kind: ComponentKind, content: &Content, form: Form) -> String {
    match form {
        Form::Text | Form::Toon | Form::Skeleton => text::component(kind, content),
    }
}

/// Estimates the tokens of a text: UTF-8 bytes / 3.6, rounded up.
///
/// Source: measured on SQL text against a byte-pair tokenizer; providers' own counts stand beside.
pub fn tokens(text: &str) -> u32 {
    let tenths = text.len().saturating_mul(10).div_ceil(36);
    u32::try_from(tenths).unwrap_or(u32::MAX)
}
