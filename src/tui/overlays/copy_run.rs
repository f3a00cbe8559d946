//! Copies the whole run: as a report to read, as JSON, or as its events.

use ratatui::layout::Rect;

use crate::domain::Transcript;
use crate::domain::counts::count;
use crate::record::{lines, markdown, report};

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// State of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CopyRun {
    /// The row chosen.
    pub cursor: Cursor,
}

/// The forms, with what each is for.
const FORMS: [(&str, &str); 3] = [
    ("Markdown", "a report to read: question, context, attempts, result, trust"),
    ("JSON", "the object that `ask --json` prints"),
    ("Events", "JSON lines, one an event, as they are stored"),
];

/// Moves, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::CopyRun(list)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Up => list.cursor.go(Move::By(-1), FORMS.len()),
        Action::Down => list.cursor.go(Move::By(1), FORMS.len()),
        Action::Top => list.cursor.go(Move::First, FORMS.len()),
        Action::Bottom => list.cursor.go(Move::Last, FORMS.len()),
        Action::Open => {
            let at = list.cursor.at;
            app.overlay = None;
            return copy(app, at);
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

fn copy(app: &mut App, form: usize) -> Vec<Effect> {
    let Some(run) = &app.run else { return Vec::new() };
    let events = run.whole();
    let text = match form {
        0 => markdown::markdown(&Transcript::of(&events)),
        1 => serde_json::to_string_pretty(&report::report(&Transcript::of(&events)))
            .unwrap_or_default(),
        _ => events.iter().filter_map(|e| lines::write(e).ok()).map(|line| line + "\n").collect(),
    };
    let name = FORMS.get(form).map_or("text", |(name, _)| name);
    app.say(format!("Copied the run as {name}, {}.", count(text.len(), "byte")), Tone::Done);
    vec![Effect::Copy(text)]
}

/// Draws the list.
pub fn draw(app: &App, list: &CopyRun, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 78, cols(FORMS.len()) + 2);
    let inside = super::front(app, pen, area, "Copy the run", Place::CopyRun);
    for ((n, (name, what)), y) in FORMS.iter().enumerate().zip(inside.y..inside.bottom()) {
        pen.text(inside.x + 2, y, 10, name, Role::Overlay);
        pen.text(inside.x + 13, y, inside.width.saturating_sub(14), what, Role::Dim);
        if n == list.cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
