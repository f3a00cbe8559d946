//! Keys on their way: a key that waits for the next one, actions, and letters into editors.

use crossterm::event::KeyCode;

use crate::domain::counts::count;

use super::action::Action;
use super::app::{App, Tone};
use super::effect::Effect;
use super::keymap::{Found, Press};
use super::layout::Pane;
use super::overlays;
use super::panes::{question, sql_editor};
use super::press;
use super::update::act;
use super::widgets::editor::Editor;
use super::widgets::strokes::Step;

/// Takes a key.
pub(super) fn key(app: &mut App, press: Press) -> Vec<Effect> {
    let waited = !app.pending.is_empty();
    let mut typed = std::mem::take(&mut app.pending);
    if waited && press.code == KeyCode::Esc {
        return Vec::new();
    }
    typed.push(press);
    let taken = question::taken(app).cloned();
    let effects = press_keys(app, press, typed, waited);
    if taken.is_some() && app.question.taken == taken {
        // only the very next key goes over it
        question::settle_taken(app);
    }
    effects
}

/// Does what keys pressed in a row mean.
fn press_keys(app: &mut App, press: Press, typed: Vec<Press>, waited: bool) -> Vec<Effect> {
    match app.keys.look(&app.places(), &typed) {
        Found::Does(action) => act(app, action),
        Found::Waits => {
            app.pending = typed;
            Vec::new()
        }
        Found::Nothing if waited => {
            app.say(format!("{} means nothing here.", press::words(&typed)), Tone::Trouble);
            Vec::new()
        }
        Found::Nothing => letter(app, press),
    }
}

/// Types into what takes letters.
fn letter(app: &mut App, press: Press) -> Vec<Effect> {
    if app.overlay.is_some() {
        overlays::typed(app, press);
        return Vec::new();
    }
    if app.keys.modal && !app.writing {
        return Vec::new();
    }
    match app.focus {
        Pane::Question => question::typed(app, press),
        Pane::Sql if app.typing_sql() => sql_editor::typed(app, press),
        Pane::Context | Pane::Sql | Pane::Result | Pane::Trace => Vec::new(),
    }
}

/// Returns the editor that takes keys, if one does.
fn editor(app: &mut App) -> Option<&mut Editor> {
    if app.focus == Pane::Question {
        Some(&mut app.question.editor)
    } else if app.typing_sql() {
        Some(&mut app.sql.editor)
    } else {
        None
    }
}

/// Does an action in the editor that takes keys; none where it is the pane's.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else is the pane's")]
pub(super) fn act_in_editor(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let offered = !app.question.offers.is_empty() || !app.sql.offers.offers.is_empty();
    let editor = editor(app)?;
    let changed = match change(editor, action) {
        Some(changed) => changed,
        None if offered => return None,
        None => {
            editor.go(step(action)?);
            return Some(Vec::new());
        }
    };
    match action {
        Action::Insert | Action::Append | Action::AppendLine | Action::OpenBelow => {
            app.writing = true;
        }
        Action::Normal => {
            app.writing = false;
            app.question.offers.clear();
            sql_editor::close(app);
        }
        Action::Copy => return Some(copy(app)),
        _ => {}
    }
    if !changed || app.focus != Pane::Sql {
        return Some(Vec::new());
    }
    if matches!(action, Action::Undo | Action::Redo) {
        app.sql.remember();
    }
    Some(sql_editor::changed(app))
}

/// Changes the text or what keys do with it; tells whether the text changed. None for all else.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else changes nothing")]
fn change(editor: &mut Editor, action: Action) -> Option<bool> {
    Some(match action {
        Action::Insert | Action::Copy => false,
        Action::Append => {
            editor.go(Step::Forward);
            false
        }
        Action::AppendLine => {
            editor.go(Step::End);
            false
        }
        Action::OpenBelow => {
            editor.go(Step::End);
            editor.new_line(false);
            true
        }
        Action::Normal => {
            editor.go(Step::Back);
            false
        }
        Action::DeleteLetter => editor.delete_letter(),
        Action::DeleteLine => editor.delete_line(),
        Action::Undo => editor.undo(),
        Action::Redo => editor.redo(),
        _ => return None,
    })
}

/// Returns how an action moves an editor's cursor.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves nothing")]
fn step(action: Action) -> Option<Step> {
    Some(match action {
        Action::Left => Step::Back,
        Action::Right => Step::Forward,
        Action::Up => Step::Up,
        Action::Down => Step::Down,
        Action::Top => Step::Top,
        Action::Bottom => Step::Bottom,
        Action::First => Step::Head,
        Action::Last => Step::End,
        Action::NextWord => Step::WordForward,
        Action::FormerWord => Step::WordBack,
        _ => return None,
    })
}

fn copy(app: &mut App) -> Vec<Effect> {
    let Some(editor) = editor(app) else { return Vec::new() };
    let range = editor.selection().unwrap_or(0..editor.as_str().len());
    let text = editor.as_str().get(range).unwrap_or("").to_owned();
    app.say(format!("Copied the text, {}.", count(text.len(), "byte")), Tone::Done);
    vec![Effect::Copy(text)]
}
