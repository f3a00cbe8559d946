//! What panes are drawn with: each takes values and draws cells.
//!
//! What belongs here: drawing that more than one pane uses, with the small state it needs. What must
//! never come: knowledge of runs, keys, effects. To add one: a file, and a line below.
//!
//! **Invariant:** text reaches a cell only as `Shown`.

pub mod bar;
mod buffer;
pub mod chart;
pub mod editor;
pub mod grid;
pub mod json;
pub mod line;
pub mod lines;
pub mod list;
pub mod pen;
pub mod scroll;
pub mod strokes;
pub mod tabs;
mod wrapping;
