//! What the question pane holds: the text, what was asked before, what is on offer.

use crate::pipeline::Completion;

use super::super::widgets::editor::Editor;
use super::super::widgets::list::Cursor;

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
    /// Names on offer at the cursor.
    pub offers: Vec<Completion>,
    /// Which of them would be taken.
    pub offer: Cursor,
}
