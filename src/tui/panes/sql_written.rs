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
    /// What was typed and not run when other SQL was loaded over it, and the run it was made from.
    shelved: Option<(String, Option<(RunId, String)>)>,
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

impl Written {
    /// Tells whether the SQL in the editor was neither run nor loaded as it is.
    pub fn unsent(&self) -> bool {
        let text = self.editor.as_str();
        !text.trim().is_empty() && text != self.saved
    }

    /// Puts SQL into the editor, made from a run or not. What stood there can be taken back; tells
    /// whether that was something typed and not run.
    pub fn load(&mut self, sql: &str, parent: Option<(RunId, String)>) -> bool {
        let unsent = self.unsent();
        if unsent {
            self.shelved = Some((self.editor.text(), self.parent.take()));
        }
        self.editor.replace(0..self.editor.as_str().len(), sql);
        sql.clone_into(&mut self.saved);
        self.parent = parent;
        self.report = None;
        self.checked.clear();
        unsent
    }

    /// Gives a text that was taken back the run again that it was made from.
    pub fn remember(&mut self) {
        if let Some((text, parent)) = &self.shelved
            && text == self.editor.as_str()
        {
            self.parent.clone_from(parent);
        }
    }
}
