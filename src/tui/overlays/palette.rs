//! Every command, model, database, privacy level and theme, found by a few of its letters.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::Rect;

use crate::domain::Privacy;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::{Role, Theme};
use super::super::update;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// State of the list of commands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Palette {
    /// What narrows the list.
    pub filter: String,
    /// The row chosen.
    pub cursor: Cursor,
}

/// What can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An action, as its key would do it.
    Do(Action),
    /// A model.
    Model(String),
    /// A database.
    Database(String),
    /// What may leave this machine.
    Privacy(Privacy),
    /// The looks.
    Theme(String),
}

/// A row: the choice, its words, and what stands at the right.
struct Row {
    choice: Choice,
    words: String,
    note: String,
}

/// Lists what a filter leaves, the best fit first.
fn rows(app: &App, filter: &str) -> Vec<Row> {
    let mut rows = all(app);
    if filter.is_empty() {
        return rows;
    }
    let pattern = Pattern::parse(filter, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored: Vec<(u32, Row)> = Vec::new();
    for row in rows.drain(..) {
        let text = Utf32Str::new(&row.words, &mut letters);
        if let Some(score) = pattern.score(text, &mut matcher) {
            scored.push((score, row));
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut found: Vec<Row> = scored.into_iter().map(|(_, row)| row).collect();
    found.extend(typed(filter));
    found
}

/// Reads the filter itself as an address or a model's name.
fn typed(filter: &str) -> Vec<Row> {
    let text = filter.trim();
    let path = text.contains('/') || text.contains("://") || text.starts_with("demo:");
    let file = [".db", ".sqlite", ".sqlite3"].iter().any(|end| text.ends_with(end));
    let mut rows = Vec::new();
    if path || file {
        let words = format!("Open database {text}");
        rows.push(Row { choice: Choice::Database(text.to_owned()), words, note: String::new() });
    }
    if text.contains(':') && !text.contains("://") && !text.starts_with("demo:") {
        let words = format!("Use model {text}");
        rows.push(Row { choice: Choice::Model(text.to_owned()), words, note: String::new() });
    }
    rows
}

fn all(app: &App) -> Vec<Row> {
    let mut rows = Vec::new();
    let places = app.pane_places();
    let mut seen = Vec::new();
    for bound in app.keys.rows() {
        let here = places.contains(&bound.place) || bound.place == Place::Anywhere;
        let moves = bound.keys.iter().any(|k| k.words().chars().any(|c| "↑↓←→".contains(c)));
        if here && !moves && !seen.contains(&bound.action) && bound.action != Action::Palette {
            seen.push(bound.action);
            let note = bound.keys.first().map(|key| key.words()).unwrap_or_default();
            rows.push(Row { choice: Choice::Do(bound.action), words: bound.words.clone(), note });
        }
    }
    for model in &app.models {
        let words = format!("Model {}", model.spec);
        let note =
            if model.spec == app.header.model { "in use".to_owned() } else { model.state.clone() };
        rows.push(Row { choice: Choice::Model(model.spec.clone()), words, note });
    }
    for database in &app.databases {
        let words = format!("Database {database}");
        let note = if *database == app.header.database { "in use" } else { "" };
        rows.push(Row { choice: Choice::Database(database.clone()), words, note: note.to_owned() });
    }
    for level in [Privacy::Names, Privacy::Stats, Privacy::Rows] {
        let words = format!("Privacy {}: {}", level.name(), leaves(level));
        let note = if app.privacy() == level { "in use" } else { "" };
        rows.push(Row { choice: Choice::Privacy(level), words, note: note.to_owned() });
    }
    for theme in Theme::names() {
        let words = format!("Theme {theme}");
        let note = if app.theme.name == theme { "in use" } else { "" };
        rows.push(Row { choice: Choice::Theme(theme.to_owned()), words, note: note.to_owned() });
    }
    rows
}

/// Says what may leave at a level.
fn leaves(level: Privacy) -> &'static str {
    match level {
        Privacy::Names => "only names, types, comments and your words may leave",
        Privacy::Stats => "also counts, ranges and short value lists may leave",
        Privacy::Rows => "also sample rows and stored spellings may leave",
    }
}

/// Moves, takes the chosen row, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Palette(palette)) = &app.overlay else { return Vec::new() };
    let mut rows = rows(app, &palette.filter);
    let (at, count) = (palette.cursor.at, rows.len());
    let step = match action {
        Action::Up => Move::By(-1),
        Action::Down => Move::By(1),
        Action::PageUp => Move::By(-10),
        Action::PageDown => Move::By(10),
        Action::Top => Move::First,
        Action::Bottom => Move::Last,
        Action::Open => {
            app.overlay = None;
            if at < count {
                return take(app, rows.swap_remove(at).choice);
            }
            return Vec::new();
        }
        Action::Cancel => {
            app.overlay = None;
            return Vec::new();
        }
        _ => return Vec::new(),
    };
    if let Some(Overlay::Palette(palette)) = &mut app.overlay {
        palette.cursor.go(step, count);
    }
    Vec::new()
}

fn take(app: &mut App, choice: Choice) -> Vec<Effect> {
    match choice {
        Choice::Do(action) => update::act(app, action),
        Choice::Model(model) => {
            app.terms.model = Some(model);
            app.open()
        }
        Choice::Database(database) => {
            app.terms.database = Some(database);
            app.open()
        }
        Choice::Privacy(level) => {
            app.terms.privacy = Some(level);
            app.header.privacy = Some(level);
            Vec::new()
        }
        Choice::Theme(theme) => {
            app.theme = Theme::named(&theme, app.depth);
            Vec::new()
        }
    }
}

/// Draws the list.
pub fn draw(app: &App, palette: &Palette, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 84, 22);
    let inside = super::front(app, pen, area, "Commands", Place::Palette);
    if inside.height < 2 {
        return;
    }
    super::filter_line(
        pen,
        inside,
        &palette.filter,
        "a command, model, database, theme; or a path",
    );
    let rows = rows(app, &palette.filter);
    let height = usize::from(inside.height - 1);
    let mut cursor = palette.cursor;
    cursor.settle(height, rows.len());
    for (n, row) in rows.iter().enumerate().skip(cursor.top).take(height) {
        let y = inside.y + 1 + cols(n - cursor.top);
        let end = inside.right().saturating_sub(1);
        let right = pen.text_right(end, y, 24.min(inside.width / 2), &row.note, Role::Dim);
        let x = inside.x + 3;
        pen.text(x, y, right.saturating_sub(x + 1), &row.words, Role::Overlay);
        if n == palette.cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
