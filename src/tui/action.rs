//! Everything a key can ask for. What each one does in words stands in `assets/keymaps/default.toml`.

use serde::Deserialize;

/// A wish of the person, in the imperative. The same action means the like in every pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Ask the question, or run the SQL in the editor.
    Ask,
    /// Close the innermost thing, or cancel the running question.
    Cancel,
    /// Cancel the running question; twice, leave.
    Interrupt,
    /// Leave.
    Quit,
    /// Show all keys.
    Help,
    /// Show all commands, models, databases, privacy levels, themes.
    Palette,
    /// Show past runs.
    History,
    /// Focus the next pane.
    NextPane,
    /// Focus the former pane.
    FormerPane,
    /// Focus the question.
    GoQuestion,
    /// Focus the context.
    GoContext,
    /// Focus the SQL.
    GoSql,
    /// Focus the result.
    GoResult,
    /// Focus the trace.
    GoTrace,
    /// Show the focused pane alone, or all panes again.
    Zoom,
    /// Draw everything anew.
    Redraw,
    /// Read the database's structure again.
    Refresh,
    /// Move up.
    Up,
    /// Move down.
    Down,
    /// Move left.
    Left,
    /// Move right.
    Right,
    /// Move up by a screen.
    PageUp,
    /// Move down by a screen.
    PageDown,
    /// Move to the first row.
    Top,
    /// Move to the last row.
    Bottom,
    /// Move to the first column.
    First,
    /// Move to the last column.
    Last,
    /// Open what the cursor is on, or take it.
    Open,
    /// Switch what the cursor is on.
    Switch,
    /// Browse the schema: tables, columns, keys.
    Tables,
    /// Ask again with the switches, as a child run.
    Again,
    /// Lay two runs side by side.
    Compare,
    /// Look for words, or narrow a list.
    Find,
    /// Go to the next place that holds what is looked for.
    FindNext,
    /// Go to the former place that holds what is looked for.
    FindFormer,
    /// Go to the next line that the SQL used.
    NextUsed,
    /// Take the first suggestion.
    Suggestion1,
    /// Take the second suggestion.
    Suggestion2,
    /// Take the third suggestion.
    Suggestion3,
    /// Take the fourth suggestion.
    Suggestion4,
    /// Take the fifth suggestion.
    Suggestion5,
    /// Begin a new line in the editor.
    NewLine,
    /// Empty the editor.
    Clear,
    /// Go to the question asked before.
    Earlier,
    /// Go to the question asked after.
    Later,
    /// Take the completion.
    Complete,
    /// Edit the SQL by hand.
    Edit,
    /// Write new SQL.
    New,
    /// Copy the cell, or the whole text.
    Copy,
    /// Copy the row.
    CopyRow,
    /// Go to the former version of the SQL.
    FormerVersion,
    /// Go to the next version of the SQL.
    NextVersion,
    /// Follow the newest event again.
    Follow,
    /// Fold or unfold an attempt.
    Fold,
    /// Rate the run as good.
    Good,
    /// Rate the run as bad.
    Bad,
    /// Mark the run's pair as verified, or withdraw it.
    Verify,
    /// Say yes.
    Yes,
    /// Say no.
    No,
}

impl Action {
    /// Returns which suggestion is meant, from 0.
    pub fn suggestion(self) -> Option<usize> {
        let five = [
            Action::Suggestion1,
            Action::Suggestion2,
            Action::Suggestion3,
            Action::Suggestion4,
            Action::Suggestion5,
        ];
        five.into_iter().position(|one| one == self)
    }
}
