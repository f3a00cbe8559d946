//! The SQL pane's keys: versions, how they are shown, editing by hand, the engine's plan, copying.

use ratatui::layout::Rect;

use crate::domain::counts::count;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::overlays::explain;
use super::super::widgets::scroll;
use super::{refusing, sql_editor, sql_editor_view, sql_evidence, sql_notes, sql_page, trace};

/// Columns of the line numbers, with the space behind them.
pub const GUTTER: u16 = 6;

/// Longest SQL that is put into words while it is looked at, in bytes.
const READ_AT_MOST: usize = 20_000;

/// Longest SQL that is coloured, in bytes.
const COLOURED_AT_MOST: usize = 100_000;

/// Does an action in the SQL pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if action == Action::Explain {
        return explain::open(app);
    }
    if app.typing_sql()
        && let Some(effects) = sql_editor::act(app, action)
    {
        return effects;
    }
    let height = usize::from(app.inside(Pane::Sql).height);
    // how many rows there are is known when the pane settles
    if let Some(top) = scroll::by(action, app.sql.top, height, usize::MAX) {
        app.sql.top = top;
        return Vec::new();
    }
    match action {
        Action::FormerVersion | Action::NextVersion => return trace::act(app, action),
        Action::Edit => return sql_editor::edit(app),
        Action::New => return sql_editor::begin(app),
        Action::Fix => return sql_editor::fix(app),
        Action::Open => sql_evidence::open(app),
        Action::Refuse => return refusing::refuse(app),
        Action::Format => app.sql.formatted = !app.sql.formatted,
        Action::Diff => diff(app),
        Action::Copy => return copy(app),
        _ => {}
    }
    Vec::new()
}

fn diff(app: &mut App) {
    app.sql.diff = !app.sql.diff;
    if app.sql.diff && app.run.as_ref().is_some_and(|run| run.versions().len() < 2) {
        app.sql.diff = false;
        app.say("There is no other version to compare with.", Tone::Note);
    }
}

fn copy(app: &mut App) -> Vec<Effect> {
    let Some(page) = sql_page::page(app) else { return Vec::new() };
    let sql = page.sql.into_owned();
    app.say(format!("Copied the SQL, {}.", count(sql.len(), "byte")), Tone::Done);
    vec![Effect::Copy(sql)]
}

/// Puts the editor's cursor where the mouse points.
pub fn click(app: &mut App, inside: Rect, x: u16, y: u16) -> Vec<Effect> {
    if app.showing_editor() && y >= inside.y && x >= inside.x + GUTTER {
        let (top, left) = app.sql.editor.scrolled();
        let row = top + usize::from(y - inside.y);
        app.sql.editor.point(row, left + usize::from(x - inside.x - GUTTER));
        sql_editor::close(app);
    }
    Vec::new()
}

/// Returns the SQL that the pane shows.
pub fn shown(app: &App) -> String {
    if app.showing_editor() {
        app.sql.editor.text()
    } else {
        sql_page::page(app).map(|page| page.sql.into_owned()).unwrap_or_default()
    }
}

/// Keeps the editor's cursor in view, reads the SQL in words, asks for colours that are missing.
pub fn settle(app: &mut App, inside: Rect) -> Vec<Effect> {
    if inside.height == 0 {
        return Vec::new();
    }
    if app.showing_editor() {
        let notes = sql_editor_view::notes_height(app, inside);
        app.sql.editor.settle(inside.width.saturating_sub(GUTTER + 1), inside.height - notes);
    } else {
        sql_page::settle(app);
        read(app);
        let rows = sql_page::page(app)
            .map_or(0, |page| sql_notes::arranged(app, &page, inside.width, inside.height).count());
        app.sql.top = app.sql.top.min(rows.saturating_sub(usize::from(inside.height)));
    }
    colour(app)
}

/// Puts the version looked at into words; empty where it can't be read.
fn read(app: &mut App) {
    let Some((_, _, version)) = app.run.as_ref().and_then(|run| run.version()) else { return };
    if app.sql.reading.0 == version.sql {
        return;
    }
    let sql = version.sql.clone();
    let words = if sql.len() > READ_AT_MOST { String::new() } else { reading(app, &sql) };
    app.sql.reading = (sql, words);
}

fn reading(app: &App, sql: &str) -> String {
    match crate::sql::ReadQuery::parse(sql, app.catalog.dialect) {
        Ok(query) => {
            let binding = crate::sql::bind(&query, &app.catalog);
            crate::sql::english::english(&query, &binding, &app.catalog)
        }
        Err(_) => String::new(),
    }
}

fn colour(app: &mut App) -> Vec<Effect> {
    let sql = shown(app);
    if sql.is_empty() || sql.len() > COLOURED_AT_MOST || app.sql.colouring.is_some() {
        return Vec::new();
    }
    let wanted = (sql, app.theme.name.clone());
    if app.sql.colours.of == wanted {
        return Vec::new();
    }
    app.sql.colouring = Some(wanted.clone());
    vec![Effect::Colour { sql: wanted.0, theme: wanted.1 }]
}
