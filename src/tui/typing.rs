//! Keys on their way: a key that waits for the next one, actions, and letters into editors.

use crossterm::event::KeyCode;
use tui_textarea::CursorMove;

use super::action::Action;
use super::app::{App, Tone};
use super::effect::Effect;
use super::keymap::{Found, Press};
use super::layout::Pane;
use super::overlays;
use super::panes::{question, sql};
use super::press;
use super::update::act;
use super::widgets::editor::Editor;

/// Takes a key.
pub(super) fn key(app: &mut App, press: Press) -> Vec<Effect> {
    let waited = !app.pending.is_empty();
    let mut typed = std::mem::take(&mut app.pending);
    if waited && press.code == KeyCode::Esc {
        return Vec::new();
    }
    typed.push(press);
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
        Pane::Sql if app.typing_sql() => sql::typed(app, press),
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
pub(super) fn act_in_editor(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let offered = !app.question.offers.is_empty();
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
        }
        Action::Copy => return Some(copy(app)),
        _ => {}
    }
    Some(if changed && app.focus == Pane::Sql { sql::changed(app) } else { Vec::new() })
}

/// Changes the text or what keys do with it; tells whether the text changed. None for all else.
fn change(editor: &mut Editor, action: Action) -> Option<bool> {
    Some(match action {
        Action::Insert | Action::Copy => false,
        Action::Append => {
            editor.go(CursorMove::Forward);
            false
        }
        Action::AppendLine => {
            editor.go(CursorMove::End);
            false
        }
        Action::OpenBelow => {
            editor.go(CursorMove::End);
            editor.new_line();
            true
        }
        Action::Normal => {
            editor.go(CursorMove::Back);
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
fn step(action: Action) -> Option<CursorMove> {
    Some(match action {
        Action::Left => CursorMove::Back,
        Action::Right => CursorMove::Forward,
        Action::Up => CursorMove::Up,
        Action::Down => CursorMove::Down,
        Action::Top => CursorMove::Top,
        Action::Bottom => CursorMove::Bottom,
        Action::First => CursorMove::Head,
        Action::Last => CursorMove::End,
        Action::NextWord => CursorMove::WordForward,
        Action::FormerWord => CursorMove::WordBack,
        _ => return None,
    })
}

fn copy(app: &mut App) -> Vec<Effect> {
    let Some(text) = editor(app).map(|editor| editor.text()) else { return Vec::new() };
    app.say(format!("Copied the text, {} bytes.", text.len()), Tone::Done);
    vec![Effect::Copy(text)]
}
