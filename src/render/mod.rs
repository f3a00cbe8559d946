//! A component's content in a form a model reads, and what it costs in tokens; rows as text.
//!
//! What belongs here: one file for each form, the ledger as lines, and the marks that keep stored text from passing for
//! ours. What must never come: choosing what is in, or what may leave.
//! To add a form: a file, a variant of `Form`, an arm in `component`.

use crate::domain::package::Form;
use crate::domain::{ComponentKind, Content};

mod figures;
pub mod ledger;
pub mod marked;
pub mod skeleton;
pub mod table;
mod tables;
pub mod text;
pub mod toon;

pub use crate::domain::tokens::{tokens, tokens_of};
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
