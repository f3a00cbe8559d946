//! A line asked for at the foot of the result: a filter, a text to find, a row to go to.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Press;
use super::super::layout::{Layout, Pane};
use super::super::panes::{result_filter, result_goto, result_look, result_view};
use super::super::theme::Role;
use super::super::widgets::line::Line;
use super::super::widgets::pen::Pen;
use super::Overlay;

/// Rows that a prompt takes: what is understood, and the line.
pub const ROWS: u16 = 2;

/// Columns that the line keeps where its meaning stands behind it.
const LINE_AT_LEAST: u16 = 24;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A filter of this column.
    Filter(usize),
    /// A text to find.
    Find,
    /// A row, a column, or both.
    GoTo,
}

/// A line being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What is asked for.
    pub asks: Asks,
    /// The line.
    pub line: Line,
}

/// Asks for a filter of the cursor's column; proposes the one in force, else the cell's value.
pub fn filter(app: &mut App) {
    let col = app.grid.col;
    let line = match (app.looking.filter_of(col), app.grid.current()) {
        (Some(text), _) => Line::of(text),
        (None, Some((_, value))) => Line::proposing(result_filter::of_value(value)),
        (None, None) => Line::default(),
    };
    open(app, Asks::Filter(col), line);
}

/// Asks for a text to find; proposes the last one.
pub fn find(app: &mut App) {
    let line = Line::proposing(app.looking.find.text.clone());
    open(app, Asks::Find, line);
}

/// Asks where to go.
pub fn go_to(app: &mut App) {
    open(app, Asks::GoTo, Line::default());
}

fn open(app: &mut App, asks: Asks, line: Line) {
    if app.grid.columns().is_empty() {
        app.say("There are no rows here.", Tone::Trouble);
        return;
    }
    app.overlay = Some(Overlay::Prompt(Prompt { asks, line }));
}

/// Takes the line, or closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Open => return take(app),
        Action::Cancel => app.overlay = None,
        Action::Top => prompt.line.home(),
        Action::Bottom => prompt.line.end(),
        _ => {}
    }
    Vec::new()
}

/// Types into the line.
pub fn typed(app: &mut App, press: Press) {
    if let Some(Overlay::Prompt(prompt)) = &mut app.overlay {
        prompt.line.press(press);
    }
}

/// Does what was asked for; a line that can't be read stays, with what is wrong with it.
fn take(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = app.overlay.take() else { return Vec::new() };
    let text = prompt.line.text();
    let done = match prompt.asks {
        Asks::Filter(col) => result_look::filter(app, col, text),
        Asks::Find if text.is_empty() => Ok(Vec::new()),
        Asks::Find => Ok(result_look::find(app, text)),
        Asks::GoTo => result_goto::go(app, text).map(|()| Vec::new()),
    };
    if done.is_err() {
        app.overlay = Some(Overlay::Prompt(prompt));
    }
    done.unwrap_or_default()
}

/// Says how the line is understood, or what is wrong with it.
fn understood(app: &App, prompt: &Prompt) -> Result<String, String> {
    let text = prompt.line.text();
    match prompt.asks {
        Asks::Filter(_) if text.trim().is_empty() => {
            Ok("Try > 100, = Berlin, != x, ~ part, null, not null; and joins several.".to_owned())
        }
        Asks::Filter(col) => {
            let read = result_look::read_filter(app, col, text)?;
            Ok(format!("rows where {}", result_filter::words(&read, app.grid.columns())))
        }
        Asks::Find => Ok("Any cell that holds this text; n and N go on and back.".to_owned()),
        Asks::GoTo if text.trim().is_empty() => {
            Ok("A row, a column, or both: 1500 · revenue · 1500, revenue · 50% · -1".to_owned())
        }
        Asks::GoTo => result_goto::read(app, text).map(|place| place.words(app)),
    }
}

/// Draws the line at the foot of the result, and above it how it is understood.
pub fn draw(app: &App, prompt: &Prompt, pen: &mut Pen<'_>, body: Rect) {
    let inside = Layout::of(app).inside(Pane::Result);
    let inside = if inside.height == 0 { body } else { result_view::prompt_area(inside) };
    if inside.height == 0 || inside.width < 8 {
        return;
    }
    pen.fill(inside, Role::Overlay);
    let label = match prompt.asks {
        Asks::Filter(col) => {
            let name = app.grid.columns().get(col).map_or("", |column| column.name.as_str());
            format!("filter {name} › ")
        }
        Asks::Find => "find › ".to_owned(),
        Asks::GoTo => "go to › ".to_owned(),
    };
    let y = inside.bottom() - 1;
    let x = pen.text(inside.x + 1, y, inside.width / 2, &label, Role::Accent);
    let (words, role) = match understood(app, prompt) {
        Ok(words) => (words, Role::Dim),
        Err(words) => (format!("! {words}"), Role::Warn),
    };
    let mut right = inside.right() - 1;
    if inside.height > 1 {
        pen.text(inside.x + 1, inside.y, inside.width.saturating_sub(2), &words, role);
    } else {
        // with one row only, it stands behind the line
        let room = right.saturating_sub(x + LINE_AT_LEAST);
        right = pen.text_right(right, y, room, &words, role).saturating_sub(2);
    }
    prompt.line.draw(pen, x, y, right.saturating_sub(x), Role::Overlay);
}
