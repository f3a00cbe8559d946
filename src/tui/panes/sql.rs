//! The SQL pane's keys: versions, editing by hand, running SQL of one's own, copying.

use ratatui::layout::Rect;

use crate::domain::RunId;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Press;
use super::super::layout::Pane;
use super::trace;

/// Columns of the line numbers, with the space behind them.
pub const GUTTER: u16 = 6;

/// Longest SQL that is put into words while it is looked at.
const READ_AT_MOST: usize = 20_000;

/// Does an action in the SQL pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let screen = usize::from(app.inside(Pane::Sql).height.max(2)) - 1;
    let top = &mut app.sql.top;
    match action {
        Action::Up => *top = top.saturating_sub(1),
        Action::Down => *top = top.saturating_add(1),
        Action::PageUp => *top = top.saturating_sub(screen),
        Action::PageDown => *top = top.saturating_add(screen),
        Action::Top => *top = 0,
        Action::Bottom => *top = usize::MAX,
        Action::FormerVersion | Action::NextVersion => return trace::act(app, action),
        Action::Edit => edit(app),
        Action::New => {
            if app.sql.editor.text() == app.sql.saved {
                app.sql.editor.set("");
                app.sql.parent = None;
            }
            app.sql.editing = true;
            return changed(app);
        }
        Action::Clear => {
            app.sql.editor.set("");
            app.sql.parent = None;
            return changed(app);
        }
        Action::Copy => return copy(app),
        _ => {}
    }
    Vec::new()
}

/// Takes the version looked at into the editor, unless an edit of it is there already.
fn edit(app: &mut App) {
    let Some((id, question, sql)) = looked_at(app) else { return };
    let same = app.sql.parent.as_ref().is_some_and(|(parent, _)| *parent == id);
    let edited = app.sql.editor.text() != app.sql.saved;
    if !(same && edited) {
        app.sql.editor.set(&sql);
        app.sql.saved = sql;
        app.sql.parent = Some((id, question));
        app.sql.report = None;
    }
    app.sql.editing = true;
}

fn looked_at(app: &App) -> Option<(RunId, String, String)> {
    let run = app.run.as_ref()?;
    let (_, _, version) = run.version()?;
    Some((run.id().clone(), run.live.question.text.clone(), version.sql.clone()))
}

/// Runs the SQL in the editor: as a child run where it was edited from a run.
pub fn run(app: &mut App) -> Vec<Effect> {
    let sql = app.sql.editor.text();
    if sql.trim().is_empty() {
        app.say("Type SQL first.", Tone::Trouble);
        return Vec::new();
    }
    let (parent, text) = match app.sql.parent.clone() {
        Some((id, text)) => (Some(id), text),
        None => (None, String::new()),
    };
    let question = app.made(&text, Some(sql), parent);
    app.ask(question)
}

/// Types into the editor.
pub fn typed(app: &mut App, press: Press) -> Vec<Effect> {
    if app.sql.editor.press(press) { changed(app) } else { Vec::new() }
}

/// Has the new text checked, once the typing has paused.
pub fn changed(app: &mut App) -> Vec<Effect> {
    let sql = app.sql.editor.text();
    if sql == app.sql.checked || sql.trim().is_empty() {
        app.sql.report = None;
        app.sql.checked = sql;
        return Vec::new();
    }
    app.sql.checked.clone_from(&sql);
    let question = app.sql.parent.as_ref().map(|(_, text)| text.clone()).filter(|t| !t.is_empty());
    vec![Effect::Check { sql, question }]
}

fn copy(app: &mut App) -> Vec<Effect> {
    let Some((_, _, sql)) = looked_at(app) else { return Vec::new() };
    app.say(format!("Copied the SQL, {} bytes.", sql.len()), Tone::Done);
    vec![Effect::Copy(sql)]
}

/// Puts the editor's cursor where the mouse points.
pub fn click(app: &mut App, inside: Rect, x: u16, y: u16) -> Vec<Effect> {
    if app.showing_editor() && y >= inside.y && x >= inside.x + GUTTER {
        let (top, left) = app.sql.editor.scrolled();
        let row = top + usize::from(y - inside.y);
        app.sql.editor.point(row, left + usize::from(x - inside.x - GUTTER));
    }
    Vec::new()
}

/// Returns the SQL that the pane shows.
pub fn shown(app: &App) -> String {
    if app.showing_editor() {
        app.sql.editor.text()
    } else {
        let version = app.run.as_ref().and_then(|run| run.version());
        version.map(|(_, _, version)| version.sql.clone()).unwrap_or_default()
    }
}

/// Keeps the editor's cursor in view, reads the SQL in words, asks for colours that are missing.
pub fn settle(app: &mut App, inside: Rect) -> Vec<Effect> {
    if inside.height == 0 {
        return Vec::new();
    }
    let sql = shown(app);
    if app.showing_editor() {
        let notes = super::sql_view::notes_height(app, inside);
        app.sql.editor.settle(inside.width.saturating_sub(GUTTER + 1), inside.height - notes);
    } else {
        let rows = super::sql_rows::count(app, inside.width);
        app.sql.top = app.sql.top.min(rows.saturating_sub(usize::from(inside.height)));
        if app.sql.reading.0 != sql {
            app.sql.reading = (sql.clone(), reading(app, &sql));
        }
    }
    let wanted = (sql, app.theme.name.clone());
    if wanted.0.is_empty() || app.sql.colours.of == wanted || app.sql.colouring.is_some() {
        return Vec::new();
    }
    app.sql.colouring = Some(wanted.clone());
    vec![Effect::Colour { sql: wanted.0, theme: wanted.1 }]
}

/// Puts SQL into words; empty where it can't be read.
fn reading(app: &App, sql: &str) -> String {
    if sql.len() > READ_AT_MOST {
        return String::new();
    }
    match crate::sql::ReadQuery::parse(sql, app.catalog.dialect) {
        Ok(query) => {
            let binding = crate::sql::bind(&query, &app.catalog);
            crate::sql::english::english(&query, &binding, &app.catalog)
        }
        Err(_) => String::new(),
    }
}
