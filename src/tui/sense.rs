//! Whether an action makes sense right now, and if not, why: one sentence for who wants it anyway.

use super::action::Action;
use super::app::App;
use super::keymap::Place;
use super::layout::{Layout, Pane, Room};
use super::panes::result_chart;

/// Says why an action of a place can't be done now; nothing when it can.
pub fn refusal(app: &App, place: Place, action: Action) -> Option<String> {
    of_place(app, place, action).or_else(|| of_action(app, action)).map(str::to_owned)
}

/// Says why nothing of a place works now.
#[expect(clippy::wildcard_enum_match_arm, reason = "what stands in front works where it stands")]
fn of_place(app: &App, place: Place, action: Action) -> Option<&'static str> {
    match place {
        Place::Suggest if app.suggestions().is_empty() => Some("No question is on offer now."),
        Place::Completion if app.question.offers.is_empty() => Some("No name is on offer now."),
        Place::Normal | Place::Insert if !app.keys.modal => {
            Some("Only a key map with modes has this; vim is one.")
        }
        Place::Sql if app.showing_editor() && app.run.is_none() => {
            Some("No SQL was written yet: ask a question.")
        }
        Place::SqlEditor if !app.showing_editor() => {
            Some("The SQL isn't being edited; edit it first.")
        }
        Place::Result if app.grid.result.is_none() && app.run.is_none() => {
            Some("There is no result yet: ask a question.")
        }
        Place::Result if nothing_to_look_at(app) && !looks_without_rows(action) => {
            Some("There are no rows here.")
        }
        Place::Trace if app.run.is_none() => Some("Nothing happened yet: ask a question."),
        Place::Chart if !result_chart::showing(app) => Some("No chart is shown."),
        Place::Anywhere
        | Place::Chart
        | Place::List
        | Place::Question
        | Place::Context
        | Place::Suggest
        | Place::Completion
        | Place::Normal
        | Place::Insert
        | Place::Sql
        | Place::SqlEditor
        | Place::Result
        | Place::Trace => None,
        _ => Some("Works only while its list or text is in front."),
    }
}

/// Says why an action can't be done now, wherever it stands.
#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn of_action(app: &App, action: Action) -> Option<&'static str> {
    let run = app.run.as_ref();
    let running = app.running();
    match action {
        Action::Cancel if !something_to_close(app) => Some("Nothing is open, and nothing runs."),
        Action::Again if run.is_none_or(|run| run.live.question.text.is_empty()) => {
            Some("There is no question to ask again.")
        }
        Action::Compare if run.is_none() => Some("Nothing was asked yet."),
        Action::Follow if run.is_none_or(|run| run.cursor.is_none()) => {
            Some("The newest moment is shown already.")
        }
        Action::Good | Action::Bad | Action::Verify if running => Some("The run hasn't ended yet."),
        Action::Slower | Action::Faster if run.is_none_or(|run| run.playing.is_none()) => {
            Some("Nothing is being played.")
        }
        Action::FormerVersion | Action::NextVersion | Action::Diff
            if run.is_none_or(|run| run.versions().len() < 2) =>
        {
            Some("There is no other version.")
        }
        Action::Queue if app.queue.is_empty() => Some("No question waits."),
        Action::Notices if app.notices.is_empty() => Some("Nothing was said yet."),
        Action::Zoom if Layout::of(app).room == Room::Narrow => {
            Some("One pane at a time is shown at this size anyway.")
        }
        Action::Wider | Action::Narrower | Action::Taller | Action::Shorter
            if Layout::of(app).alone =>
        {
            Some("One pane is shown alone: it has all the room.")
        }
        Action::Evenly if app.splits.is_default() => Some("All panes have their own sizes."),
        _ => None,
    }
}

/// Tells whether the result holds no rows, and none are left out by a filter.
fn nothing_to_look_at(app: &App) -> bool {
    app.grid.total().0 == 0 && app.looking.view.filter.is_empty()
}

/// Tells whether an action of the result makes sense where it holds no rows.
fn looks_without_rows(action: Action) -> bool {
    action == Action::Open || moves(action) || action.suggestion().is_some()
}

/// Tells whether Esc would close or cancel something in the panes.
fn something_to_close(app: &App) -> bool {
    app.running()
        || app.zoom
        || app.sql.editing
        || !app.question.offers.is_empty()
        || app.run.as_ref().is_some_and(|run| run.cursor.is_some())
        || (app.focus == Pane::Sql && app.run.is_none())
}

/// Returns the pane a place belongs to; none for places that are everywhere or in front.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other places are no pane's")]
pub fn pane(place: Place) -> Option<Pane> {
    match place {
        Place::Question | Place::Suggest | Place::Completion | Place::Normal | Place::Insert => {
            Some(Pane::Question)
        }
        Place::Context => Some(Pane::Context),
        Place::Sql | Place::SqlEditor => Some(Pane::Sql),
        Place::Result => Some(Pane::Result),
        Place::Trace => Some(Pane::Trace),
        _ => None,
    }
}

/// Tells whether an action only moves the cursor.
pub fn moves(action: Action) -> bool {
    use Action::{Bottom, Down, First, Last, Left, PageDown, PageUp, Right, Top, Up};
    [Up, Down, Left, Right, PageUp, PageDown, Top, Bottom, First, Last].contains(&action)
}
