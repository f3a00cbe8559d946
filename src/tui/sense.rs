//! Whether an action makes sense right now, and if not, why: one sentence for who wants it anyway.
//! Footers show only what does.

use crate::domain::Status;

use super::action::Action;
use super::app::App;
use super::keymap::Place;
use super::layout::{Layout, Pane, Room};
use super::leaving;
use super::panes::{
    context, play, question, refusing, result, result_chart, sql_editor, sql_evidence, trace,
};
use super::pause;

/// Says why an action of a place can't be done now; nothing when it can.
pub fn refusal(app: &App, place: Place, action: Action) -> Option<String> {
    let here = of_place(app, place).or_else(|| in_pane(app, place, action));
    here.or_else(|| of_action(app, place, action)).map(str::to_owned)
}

/// Says why nothing of a place works now.
#[expect(clippy::wildcard_enum_match_arm, reason = "what stands in front works where it stands")]
fn of_place(app: &App, place: Place) -> Option<&'static str> {
    match place {
        Place::Suggest if app.suggestions().is_empty() => Some("No question is on offer now."),
        Place::Kept if app.unsent.offered.is_empty() => Some("No text was kept."),
        Place::Completion if app.question.offers.is_empty() && app.sql.offers.offers.is_empty() => {
            Some("No name is on offer now.")
        }
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
        Place::Chart if !result_chart::showing(app) => Some("The result isn't shown as a chart."),
        Place::Trace if app.run.is_none() => Some("Nothing happened yet: ask a question."),
        Place::Tables if !context::lists_tables(app) => Some("No tables are listed there now."),
        Place::Paused if pause::paused(app).is_none() => Some("No run waits for you."),
        Place::Playing if app.run.as_ref().is_none_or(|run| run.playing.is_none()) => {
            Some("Nothing is being played.")
        }
        Place::Anywhere
        | Place::List
        | Place::Question
        | Place::Context
        | Place::Tables
        | Place::Suggest
        | Place::Kept
        | Place::Completion
        | Place::Normal
        | Place::Insert
        | Place::Sql
        | Place::SqlEditor
        | Place::Result
        | Place::Chart
        | Place::Trace
        | Place::Paused
        | Place::Playing => None,
        _ => Some("Works only while its list or text is in front."),
    }
}

/// Says why an action can't be done in its pane now.
#[expect(clippy::wildcard_enum_match_arm, reason = "what stands in front works where it stands")]
fn in_pane(app: &App, place: Place, action: Action) -> Option<&'static str> {
    match place {
        Place::Question => in_question(app, action),
        Place::Context | Place::Tables => in_context(app, action),
        Place::Sql => in_sql(app, action),
        Place::SqlEditor => in_editor(app, action),
        Place::Result => in_result(app, action),
        Place::Trace | Place::Playing => in_trace(app, action),
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn in_question(app: &App, action: Action) -> Option<&'static str> {
    let empty = app.question.editor.is_empty();
    match action {
        Action::Ask if pause::paused(app).is_some() && !app.unsent_question() => {
            Some("The run that waits goes on with it.")
        }
        Action::Ask if empty => Some("Type a question first."),
        Action::Clear if empty => Some("The editor is empty."),
        Action::Earlier if app.question.past.is_empty() && app.question.editor.place().0 == 0 => {
            Some("Nothing was asked before.")
        }
        Action::FollowUp if !question::can_follow(app) => {
            Some("There is no answered question to follow up yet.")
        }
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn in_context(app: &App, action: Action) -> Option<&'static str> {
    match action {
        Action::Switch | Action::Open
            if app.catalog.tables.is_empty() && context::lists_tables(app) =>
        {
            Some("Nothing is listed yet.")
        }
        Action::Copy if context::package(app).is_none() => Some("There is no package yet."),
        _ => None,
    }
}

/// Says why another version can't be gone to.
fn no_other_version(app: &App) -> Option<&'static str> {
    let one = app.run.as_ref().is_none_or(|run| run.versions().len() < 2);
    one.then_some("There is no other version.")
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn in_sql(app: &App, action: Action) -> Option<&'static str> {
    let bare = app.run.as_ref().is_none_or(|run| run.version().is_none());
    match action {
        Action::Edit
        | Action::Format
        | Action::Diff
        | Action::Explain
        | Action::Fix
        | Action::Copy
            if bare =>
        {
            Some("No SQL was written yet.")
        }
        Action::FormerVersion | Action::NextVersion | Action::Diff => no_other_version(app),
        Action::Open if !sql_evidence::any(app) => Some("Nothing is said of this SQL."),
        Action::Refuse => refusing::why_not(app),
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn in_editor(app: &App, action: Action) -> Option<&'static str> {
    let empty = app.sql.editor.as_str().trim().is_empty();
    match action {
        Action::Ask | Action::Explain if empty => Some("Type SQL first."),
        Action::Clear | Action::SelectAll | Action::Copy if app.sql.editor.is_empty() => {
            Some("The editor is empty.")
        }
        Action::Fix if !sql_editor::mends(app) => Some("Nothing here can be mended at a key."),
        Action::Cancel if app.running() && pause::paused(app).is_none() => {
            Some("A question runs: cancel it first.")
        }
        _ => None,
    }
}

/// Says why an action can't be done with the rows there are.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else needs no rows")]
fn in_result(app: &App, action: Action) -> Option<&'static str> {
    let none = "There are no rows here.";
    let bare = app.grid.columns().is_empty();
    let empty = bare || app.grid.total().0 == 0;
    match action {
        _ if action.suggestion().is_some() => {
            let offered = app.choices().map_or(0, <[String]>::len);
            let there = action.suggestion().is_some_and(|n| n < offered);
            (!there).then_some("No reading is on offer now.")
        }
        Action::Open if empty && !result::ran_elsewhere(app) => Some(none),
        Action::Copy | Action::CopyRow | Action::Record | Action::Find | Action::Figures
            if empty =>
        {
            Some(none)
        }
        Action::Sort
        | Action::SortMore
        | Action::Filter
        | Action::GoTo
        | Action::Chart
        | Action::CopyAs
        | Action::Export
        | Action::Columns
            if bare =>
        {
            Some(none)
        }
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn in_trace(app: &App, action: Action) -> Option<&'static str> {
    let run = app.run.as_ref()?;
    let follows = run.running && run.cursor.is_none();
    match action {
        Action::FormerVersion | Action::NextVersion => no_other_version(app),
        Action::Open if follows && run.paused().is_some() => {
            Some("The run waits here for you to go on.")
        }
        Action::Refuse if !refusing::at_repair(app) => Some(trace::NO_REPAIR),
        Action::Refuse => refusing::why_not(app),
        Action::Play if follows => Some("The run is followed as it goes."),
        Action::Slower if !play::can(app, false) => Some("It can't be played any slower."),
        Action::Faster if !play::can(app, true) => Some("It can't be played any faster."),
        Action::FindNext | Action::FindFormer if app.trace.find.is_empty() => {
            Some("Nothing was looked for yet.")
        }
        Action::Verify if !run.running => trace::no_pair(app),
        _ => None,
    }
}

/// Says why an action can't be done now, wherever it stands.
#[expect(clippy::wildcard_enum_match_arm, reason = "most actions always make sense")]
fn of_action(app: &App, place: Place, action: Action) -> Option<&'static str> {
    let run = app.run.as_ref();
    let running = app.running();
    match action {
        Action::Cancel if place == Place::Anywhere && leaving::innermost(app).is_none() => {
            Some("Nothing is open, and nothing runs.")
        }
        Action::Again if run.is_none_or(|run| run.live.question.text.is_empty()) => {
            Some("There is no question to ask again.")
        }
        Action::Compare if run.is_none() => Some("Nothing was asked yet."),
        Action::Compare if !other_run(app) => Some("There is no other run yet."),
        Action::Follow if run.is_none_or(|run| run.cursor.is_none()) => {
            Some("The newest moment is shown already.")
        }
        Action::Good | Action::Bad | Action::Verify if running => Some("The run hasn't ended yet."),
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

/// Tells whether there is a run to compare with: the one it was made from, or one before.
fn other_run(app: &App) -> bool {
    let Some(run) = &app.run else { return false };
    run.live.question.parent.is_some() || app.former.iter().any(|former| former.id() != run.id())
}

/// Tells whether a run was answered.
pub fn answered(app: &App) -> bool {
    let answer = app.run.as_ref().and_then(|run| run.live.answer.as_ref());
    answer.is_some_and(|answer| answer.status == Status::Answered)
}

/// Returns the pane a place belongs to; none for places that are everywhere or in front.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other places are no pane's")]
pub fn pane(place: Place) -> Option<Pane> {
    match place {
        Place::Question
        | Place::Suggest
        | Place::Kept
        | Place::Completion
        | Place::Normal
        | Place::Insert => Some(Pane::Question),
        Place::Context | Place::Tables => Some(Pane::Context),
        Place::Sql | Place::SqlEditor => Some(Pane::Sql),
        Place::Result | Place::Chart => Some(Pane::Result),
        Place::Trace | Place::Playing => Some(Pane::Trace),
        _ => None,
    }
}

/// Tells whether an action only moves the cursor.
pub fn moves(action: Action) -> bool {
    use Action::{Bottom, Down, First, Last, Left, PageDown, PageUp, Right, Top, Up};
    [Up, Down, Left, Right, PageUp, PageDown, Top, Bottom, First, Last].contains(&action)
}
