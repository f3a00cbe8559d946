//! Where a key works: everywhere, in a pane, in an editor or a list in front.

use serde::Deserialize;

/// Where a key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Everywhere but in overlays.
    Anywhere,
    /// The question's editor.
    Question,
    /// The question's editor while suggestions are on offer.
    Suggest,
    /// The question's editor, empty, while a kept text is on offer.
    Kept,
    /// While names to complete are on offer.
    Completion,
    /// The editors while letters are commands, with a key map that has modes.
    Normal,
    /// The editors while letters are typed, with a key map that has modes.
    Insert,
    /// The context pane.
    Context,
    /// The context pane while it lists tables, for want of a package.
    Tables,
    /// The SQL pane.
    Sql,
    /// The SQL pane while its text is edited.
    SqlEditor,
    /// The result pane.
    Result,
    /// The result pane while it shows a chart.
    Chart,
    /// A list to choose a chart's kind or columns from.
    ChartList,
    /// The path that a chart is saved to.
    ChartPath,
    /// The trace pane.
    Trace,
    /// All panes that are lists: keys without a modifier are free there.
    List,
    /// All overlays.
    Overlay,
    /// The list of keys.
    Help,
    /// The list of commands.
    Palette,
    /// The list of past runs.
    Runs,
    /// The list of past runs while words are typed that narrow it.
    Search,
    /// What repairs and gates did in past runs.
    Ledger,
    /// The questions that wait.
    Queue,
    /// What was said in the status line.
    Notices,
    /// A text or a cell shown whole.
    Text,
    /// How the engine would run the SQL.
    Explain,
    /// A cell of the result shown whole.
    Cell,
    /// A row of the result shown whole.
    Record,
    /// The columns of the result.
    Columns,
    /// Figures of a column.
    Figures,
    /// What to copy of the result.
    Copying,
    /// Where to export the result to.
    Export,
    /// An export that goes on.
    Exporting,
    /// An export that is done.
    Exported,
    /// A line asked for at the foot of the result.
    Prompt,
    /// A component looked into.
    Component,
    /// The schema browser.
    Schema,
    /// While letters go into what is looked for.
    Find,
    /// Two runs side by side.
    Compare,
    /// The context, SQL and trace panes while a run waits for the person.
    Paused,
    /// The trace pane while a run is played.
    Playing,
    /// The question whether a pair is verified.
    Verify,
    /// The list of breakpoints and policies.
    Stops,
    /// The list of marked events.
    Marks,
    /// The line that words are looked for in.
    Seek,
    /// The list of forms to copy a run in.
    CopyRun,
    /// A question of ours.
    Confirm,
}

impl Place {
    /// Returns the place's heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Place::Anywhere => "Anywhere",
            Place::Question => "Question",
            Place::Suggest => "Question, empty",
            Place::Kept => "Question, empty, a text was kept",
            Place::Completion => "Names on offer",
            Place::Normal => "Editors, not writing",
            Place::Insert => "Editors, writing",
            Place::Context => "Context",
            Place::Tables => "Context, listing tables",
            Place::Sql => "SQL",
            Place::SqlEditor => "SQL editor",
            Place::Result => "Result",
            Place::Chart => "Chart",
            Place::ChartList => "Kinds and columns of a chart",
            Place::ChartPath => "Saving a chart",
            Place::Trace => "Trace",
            Place::List => "Context, SQL, Result, Trace",
            Place::Overlay => "Lists and texts in front",
            Place::Help => "Help",
            Place::Palette => "Commands",
            Place::Runs => "Past runs",
            Place::Search => "Past runs, searching",
            Place::Ledger => "What repairs and gates did",
            Place::Queue => "Questions that wait",
            Place::Notices => "Notices",
            Place::Text => "Text and cell",
            Place::Explain => "How the engine would run it",
            Place::Cell => "Cell",
            Place::Record => "Row",
            Place::Columns => "Columns",
            Place::Figures => "Figures of a column",
            Place::Copying => "Copy",
            Place::Export => "Export",
            Place::Exporting => "Export under way",
            Place::Exported => "Export done",
            Place::Prompt => "Filter, find, go to",
            Place::Component => "Component",
            Place::Schema => "Schema",
            Place::Find => "While finding",
            Place::Compare => "Compare",
            Place::Paused => "While a run waits for you",
            Place::Playing => "Trace, while a run is played",
            Place::Verify => "Verifying a pair",
            Place::Stops => "Where runs wait",
            Place::Marks => "Marked events",
            Place::Seek => "Find in the trace",
            Place::CopyRun => "Copy the run",
            Place::Confirm => "Leaving",
        }
    }
}
