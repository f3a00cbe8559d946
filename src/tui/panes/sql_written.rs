//! What the SQL pane holds: SQL of one's own, how SQL is shown, what is known of it.

use crate::domain::RunId;
use crate::pipeline::CheckReport;
use crate::sql::complete::Offers;

use super::super::msg::Colours;
use super::super::widgets::editor::Editor;
use super::super::widgets::list::Cursor;

/// What the SQL pane holds.
#[derive(Debug, Default)]
pub struct Written {
    /// SQL of one's own.
    pub editor: Editor,
    /// The editor is in front and takes keys.
    pub editing: bool,
    /// The run that the SQL in the editor was made from, and its question.
    pub parent: Option<(RunId, String)>,
    /// SQL that was run or loaded last; the editor holds something new when it differs.
    pub saved: String,
    /// What checking the editor's text found, and the text.
    pub report: Option<CheckReport>,
    /// The text that was checked last.
    pub checked: String,
    /// First line shown.
    pub top: usize,
    /// The SQL is shown laid out, not as it was written.
    pub formatted: bool,
    /// What differs from the former version is shown.
    pub diff: bool,
    /// The SQL looked at, and the same laid out.
    pub laid: (String, String),
    /// What could stand at the cursor.
    pub offers: Offers,
    /// Which of them would be taken.
    pub offer: Cursor,
    /// The state of the text that they were made for.
    pub offers_of: u64,
    /// Colours as they came.
    pub colours: Colours,
    /// Text and theme that colours were asked for.
    pub colouring: Option<(String, String)>,
    /// The SQL looked at, and what it says in plain English.
    pub reading: (String, String),
}
