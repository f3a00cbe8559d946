//! What the question pane holds: the text, what was asked before, what is on offer.

use crate::pipeline::Completion;

use super::super::widgets::editor::Editor;
use super::super::widgets::list::Cursor;

/// A question that was taken from those shown by its digit, or by a click on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Which one, from 0.
    pub n: usize,
    /// What stood in the editor before; typing goes on from it and the digit.
    pub before: String,
    /// The state of the text as it was taken.
    pub revision: u64,
}

impl Taken {
    /// Returns the digit that took it.
    pub fn digit(&self) -> String {
        (self.n + 1).to_string()
    }
}

/// What the question pane holds.
#[derive(Debug, Default)]
pub struct Asking {
    /// The text.
    pub editor: Editor,
    /// The text that was asked last.
    pub asked: String,
    /// Questions asked before, newest first.
    pub past: Vec<String>,
    /// Which of them stands in the editor.
    pub back: Option<usize>,
    /// What stood in the editor before going back.
    pub stash: String,
    /// Questions follow up the one answered last, until this is switched off.
    pub follow: bool,
    /// The question taken from those shown, until the next key.
    pub taken: Option<Taken>,
    /// Names on offer at the cursor.
    pub offers: Vec<Completion>,
    /// Which of them would be taken.
    pub offer: Cursor,
}
