//! All keys with their words, from the table that binds them; filtered, and the chosen one is done.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::{Bound, Place};
use super::super::layout::Layout;
use super::super::sense;
use super::super::theme::Role;
use super::super::update;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// Columns for the names of keys.
const KEYS_WIDE: u16 = 22;

/// State of the list of keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Help {
    /// What narrows the list.
    pub filter: String,
    /// The row chosen.
    pub cursor: Cursor,
}

/// Lists the rows that a filter leaves, those of the focused pane first.
fn rows<'a>(app: &'a App, filter: &str) -> Vec<&'a Bound> {
    let here = app.pane_places();
    let mut rows: Vec<&Bound> = app
        .keys
        .rows()
        .iter()
        .filter(|b| !b.keys.is_empty())
        .filter(|b| super::holds(&format!("{} {} {}", b.place.heading(), keys(b), b.words), filter))
        .collect();
    rows.sort_by_key(|b| (here.iter().position(|p| *p == b.place).unwrap_or(usize::MAX), b.place));
    rows
}

fn keys(bound: &Bound) -> String {
    let names: Vec<String> = bound.keys.iter().map(super::super::press::Chord::words).collect();
    names.join(", ")
}

/// Moves, does what the chosen key does, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Help(help)) = &app.overlay else { return Vec::new() };
    let rows = rows(app, &help.filter);
    let count = rows.len();
    let height = height(app);
    match action {
        Action::Open => {
            let chosen = rows.get(help.cursor.at).map(|b| (b.place, b.action));
            return chosen.map(|(place, action)| press(app, place, action)).unwrap_or_default();
        }
        Action::Cancel => app.overlay = None,
        other => {
            let lines = headed(&rows);
            let mut cursor = help.cursor;
            if let Some(step) = Move::of(other, height) {
                let line = |at| lines.iter().position(|line| *line == Line::Key(at)).unwrap_or(0);
                super::go_headed(&mut cursor, step, (height, lines.len()), count, line);
            }
            if let Some(Overlay::Help(help)) = &mut app.overlay {
                help.cursor = cursor;
            }
            settle(app);
        }
    }
    Vec::new()
}

/// Keeps the window where it is drawn, so that nothing moves without need.
fn settle(app: &mut App) {
    let height = height(app);
    let Some(Overlay::Help(help)) = &app.overlay else { return };
    let top = top(help, &headed(&rows(app, &help.filter)), height);
    if let Some(Overlay::Help(help)) = &mut app.overlay {
        help.cursor.top = top;
    }
}

/// Returns the lines that have room.
fn height(app: &App) -> usize {
    usize::from(super::inner(area(Layout::of(app).body)).height).saturating_sub(1)
}

/// Does what a key does in its place; where it can't be done now, says why, and the list stays.
fn press(app: &mut App, place: Place, action: Action) -> Vec<Effect> {
    if let Some(why) = sense::refusal(app, place, action) {
        app.say(why, Tone::Trouble);
        return Vec::new();
    }
    app.overlay = None;
    if let Some(pane) = sense::pane(place) {
        app.go(pane);
    }
    update::act(app, action)
}

fn area(body: Rect) -> Rect {
    super::place(body, 92, body.height.saturating_sub(2).max(3))
}

/// Returns the first line shown, so that the cursor's row and its heading are in the window.
fn top(help: &Help, lines: &[Line], height: usize) -> usize {
    let at = lines.iter().position(|line| *line == Line::Key(help.cursor.at)).unwrap_or(0);
    let above = at.checked_sub(1).and_then(|n| lines.get(n));
    let head = matches!(above, Some(Line::Heading(_)));
    super::scrolled(help.cursor.top, at, head, height)
}

/// Draws the list.
pub fn draw(app: &App, help: &Help, pen: &mut Pen<'_>, body: Rect) {
    let title = format!("Keys of '{}'", app.keys.name);
    let inside = super::front(app, pen, area(body), &title, Place::Help);
    if inside.height < 2 {
        return;
    }
    super::filter_line(pen, inside, &help.filter, "type to narrow");
    let rows = rows(app, &help.filter);
    let lines = headed(&rows);
    let height = usize::from(inside.height - 1);
    if rows.is_empty() {
        pen.text(
            inside.x + 3,
            inside.y + 1,
            inside.width.saturating_sub(4),
            "No key fits.",
            Role::Dim,
        );
    }
    let top = top(help, &lines, height);
    super::more(pen, inside, top, height, lines.len());
    for (n, line) in lines.iter().skip(top).take(height).enumerate() {
        let y = inside.y + 1 + cols(n);
        match line {
            Line::Heading(place) => {
                let room = inside.width.saturating_sub(2);
                pen.text(inside.x + 1, y, room, place.heading(), Role::Accent);
            }
            Line::Key(row) => {
                if let Some(bound) = rows.get(*row) {
                    draw_row(pen, inside, y, bound, *row == help.cursor.at);
                }
            }
        }
    }
}

#[derive(Debug, PartialEq)]
enum Line {
    Heading(Place),
    Key(usize),
}

fn headed(rows: &[&Bound]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut place = None;
    for (n, bound) in rows.iter().enumerate() {
        if place != Some(bound.place) {
            place = Some(bound.place);
            lines.push(Line::Heading(bound.place));
        }
        lines.push(Line::Key(n));
    }
    lines
}

fn draw_row(pen: &mut Pen<'_>, inside: Rect, y: u16, bound: &Bound, chosen: bool) {
    let wide = KEYS_WIDE.min(inside.width / 2);
    pen.text(inside.x + 3, y, wide.saturating_sub(2), &keys(bound), Role::Key);
    let x = inside.x + 3 + wide;
    pen.text(x, y, inside.right().saturating_sub(x + 1), &bound.words, Role::Overlay);
    if chosen {
        pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
    }
}
