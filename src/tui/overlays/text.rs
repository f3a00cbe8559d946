//! A text shown whole: a component as sent, a cell, an event; wrapped, scrolled, copied.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::Pen;
use super::super::widgets::scroll;
use super::Overlay;

/// A text shown whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Whole {
    /// What it is.
    pub title: String,
    /// The text, byte for byte, as it is copied.
    pub text: String,
    /// Its lines, made safe.
    lines: Vec<Shown>,
    /// First row shown.
    top: usize,
}

impl Whole {
    /// Makes an overlay of a text.
    pub fn of(title: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        Whole { title: title.into(), lines: scroll::lines(&text), text, top: 0 }
    }

    /// Returns the lines as they stand at a width.
    fn rows(&self, width: usize) -> Vec<Shown> {
        self.lines.iter().flat_map(|line| line.wrap(width)).collect()
    }
}

/// Scrolls, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else scrolls, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::super::layout::Layout::of(app).body;
    let Some(Overlay::Text(whole)) = &mut app.overlay else { return Vec::new() };
    let inside = area(body);
    match action {
        Action::Copy => {
            let text = whole.text.clone();
            app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel => app.overlay = None,
        other => {
            let count = whole.rows(usize::from(inside.width.saturating_sub(4))).len();
            let height = usize::from(inside.height.saturating_sub(2));
            whole.top = scroll::by(other, whole.top, height, count).unwrap_or(whole.top);
        }
    }
    Vec::new()
}

fn area(body: Rect) -> Rect {
    super::place(body, 110, body.height.saturating_sub(2).max(3))
}

/// Draws the text.
pub fn draw(app: &App, whole: &Whole, pen: &mut Pen<'_>, body: Rect) {
    let inside = super::front(app, pen, area(body), &whole.title, Place::Text);
    let rows = whole.rows(usize::from(inside.width.saturating_sub(2)));
    let rows: Vec<_> = rows.iter().map(|row| (row, Role::Overlay)).collect();
    scroll::draw(pen, inside, &rows, whole.top);
}
