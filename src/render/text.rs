//! The text form: headed sections as S0 lays them out.

use crate::domain::{ComponentKind, Content};

/// Renders one component as text.
pub fn component(_kind: ComponentKind, _content: &Content) -> String {
    String::new()
}
