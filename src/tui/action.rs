//! Everything a key can ask for. What each one does in words stands in `assets/keymaps/default.toml`.

use serde::{Deserialize, Serialize};

/// Makes the enum and the list of all its variants from one table, so that none is forgotten.
macro_rules! actions {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// A wish of the person, in the imperative. The same action means the like in every pane.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum Action {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Action {
            /// Every action, in the order of the table.
            pub const ALL: &[Action] = &[$(Action::$name,)+];

            /// Names of the variants, in the same order.
            const NAMES: &[&str] = &[$(stringify!($name),)+];
        }
    };
}

actions! {
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
    /// Show what repairs and gates did in past runs.
    Ledger,
    /// Choose another model.
    Models,
    /// Choose another database.
    Databases,
    /// Choose what may leave this machine.
    Privacies,
    /// Choose other looks.
    Themes,
    /// Choose other keys.
    Keymaps,
    /// Show the questions that wait for the run to end.
    Queue,
    /// Show what was said in the status line.
    Notices,
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
    /// Make the focused pane wider.
    Wider,
    /// Make the focused pane narrower.
    Narrower,
    /// Make the focused pane taller.
    Taller,
    /// Make the focused pane shorter.
    Shorter,
    /// Give all panes their own sizes again.
    Evenly,
    /// Give the terminal back to the shell for a while.
    Suspend,
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
    /// Choose the form that the next asking's package is told in.
    Form,
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
    /// Ask as a follow-up of the question answered last, or no longer.
    FollowUp,
    /// Take back the text that was kept.
    TakeBack,
    /// Let the text go that was kept.
    LetGo,
    /// Take the completion.
    Complete,
    /// Show what could stand at the cursor.
    Offer,
    /// Edit the SQL by hand.
    Edit,
    /// Write new SQL.
    New,
    /// Show the SQL laid out, or as it was written; in the editor, lay it out.
    Format,
    /// Show what differs from the former version.
    Diff,
    /// Show how the engine would run the SQL.
    Explain,
    /// Mend what is wrong at the cursor as is suggested.
    Fix,
    /// Undo a repair and have the model write instead.
    Refuse,
    /// Select the whole text.
    SelectAll,
    /// Copy the cell, or the whole text.
    Copy,
    /// Copy the row.
    CopyRow,
    /// Show the result as a chart, or as a table again.
    Chart,
    /// Draw the former kind of chart that suits.
    FormerKind,
    /// Draw the next kind of chart that suits.
    NextKind,
    /// List the kinds of chart with their reasons.
    Kinds,
    /// Choose what stands along the chart's axis.
    ChooseAlong,
    /// Choose the numbers that the chart draws.
    ChooseNumbers,
    /// Choose what tells the chart's series apart.
    ChooseSplit,
    /// Draw charts with other dots.
    Dots,
    /// Save the chart as a file.
    SaveChart,
    /// Choose what to copy, and as what.
    CopyAs,
    /// Sort by the cursor's column.
    Sort,
    /// Sort by the cursor's column within the order there is.
    SortMore,
    /// Filter the rows by the cursor's column; show the next kind of events only.
    Filter,
    /// Drop all filters.
    Unfilter,
    /// Look for words.
    Find,
    /// Go to the next place that holds the words.
    FindNext,
    /// Go to the former place that holds the words.
    FindFormer,
    /// Go to a row or column.
    GoTo,
    /// List the columns.
    Columns,
    /// Hide the cursor's column.
    HideColumn,
    /// Show all columns.
    ShowColumns,
    /// Make the column narrower.
    ColumnNarrower,
    /// Make the column wider.
    ColumnWider,
    /// Fit the column to its content.
    FitColumn,
    /// Move the column to the left.
    ColumnLeft,
    /// Move the column to the right.
    ColumnRight,
    /// Keep the columns up to the cursor's at the left.
    Freeze,
    /// Show the whole row, a line a field.
    Record,
    /// Sum the column up.
    Figures,
    /// Select rows; again, columns; again, nothing.
    Select,
    /// Select cells upwards.
    SelectUp,
    /// Select cells downwards.
    SelectDown,
    /// Select cells to the left.
    SelectLeft,
    /// Select cells to the right.
    SelectRight,
    /// Write the result into a file.
    Export,
    /// Show JSON as it is, or indented.
    Raw,
    /// Go to the former version of the SQL.
    FormerVersion,
    /// Go to the next version of the SQL.
    NextVersion,
    /// Follow the newest event again.
    Follow,
    /// Fold or unfold an attempt, or what a step found.
    Fold,
    /// Unfold everything, or fold it again.
    FoldAll,
    /// Play the run from the cursor, or hold still.
    Play,
    /// Play slower.
    Slower,
    /// Play faster.
    Faster,
    /// List the marked events.
    Marks,
    /// Choose where runs wait for the person.
    Stops,
    /// Stop the run where it waits.
    StopHere,
    /// Edit the SQL that a run waits with.
    EditHere,
    /// Copy the whole run.
    CopyAll,
    /// Rate the run as good.
    Good,
    /// Rate the run as bad.
    Bad,
    /// Mark the run's pair as verified, or withdraw it.
    Verify,
    /// Mark the chosen run or event, or take the mark away.
    Mark,
    /// Lay two runs side by side.
    Compare,
    /// Show only runs with another outcome.
    Outcomes,
    /// Show only runs with another rating.
    Ratings,
    /// Take the chosen one out of the list.
    Remove,
    /// Write before the cursor.
    Insert,
    /// Write behind the cursor.
    Append,
    /// Write at the end of the line.
    AppendLine,
    /// Write in a new line below.
    OpenBelow,
    /// Stop writing: letters are commands again.
    Normal,
    /// Go to the next word.
    NextWord,
    /// Go to the former word.
    FormerWord,
    /// Delete the letter under the cursor.
    DeleteLetter,
    /// Delete the line.
    DeleteLine,
    /// Take back the last change of the text.
    Undo,
    /// Make the change again that was taken back.
    Redo,
    /// Say yes.
    Yes,
    /// Leave, and keep the text for the next start.
    Keep,
    /// Say no.
    No,
}

impl Action {
    /// Returns the name that tables of keys use: `next-pane`.
    pub fn name(self) -> String {
        let at = Action::ALL.iter().position(|action| *action == self).unwrap_or(0);
        let mut name = String::new();
        for letter in Action::NAMES.get(at).copied().unwrap_or_default().chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// Finds an action by its name.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.name() == name)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_tables() {
        assert_eq!(Action::NextPane.name(), "next-pane");
        assert_eq!(Action::named("go-sql"), Some(Action::GoSql));
        assert_eq!(Action::named("suggestion1"), Some(Action::Suggestion1));
        assert_eq!(Action::named("fly"), None);
        for action in Action::ALL {
            assert_eq!(Action::named(&action.name()), Some(*action));
        }
    }
}
