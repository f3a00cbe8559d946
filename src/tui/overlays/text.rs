//! A text shown whole: a component as sent, a cell, an event; wrapped, scrolled, copied.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};
use super::super::widgets::scroll;
use super::Overlay;

/// Bytes of a text that are made safe for the screen; all of it can be copied.
const SHOWN_AT_MOST: usize = 1 << 20;

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
        let most = text.len().min(SHOWN_AT_MOST);
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let mut lines = Shown::lines(text.get(..end).unwrap_or(""));
        if end < text.len() {
            let rest = format!("… {}; copying takes all", count(text.len() - end, "more byte"));
            lines.push(Shown::from(rest));
        }
        Whole { title: title.into(), text, lines, top: 0 }
    }

    /// Returns the lines as they stand at a width.
    fn rows(&self, width: usize) -> Vec<Shown> {
        self.lines.iter().flat_map(|line| line.wrap(width)).collect()
    }
}

/// Scrolls, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::super::layout::Layout::of(app).body;
    let Some(Overlay::Text(whole)) = &mut app.overlay else { return Vec::new() };
    let inside = area(body);
    let height = usize::from(inside.height.saturating_sub(2));
    let rows = whole.rows(usize::from(inside.width.saturating_sub(4))).len();
    if let Some(top) = scroll::by(action, whole.top, height, rows) {
        whole.top = top;
        return Vec::new();
    }
    match action {
        Action::Copy => {
            let text = whole.text.clone();
            app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

fn area(body: Rect) -> Rect {
    super::place(body, 110, body.height.saturating_sub(2).max(3))
}

/// Draws the text.
pub fn draw(app: &App, whole: &Whole, pen: &mut Pen<'_>, body: Rect) {
    let inside = super::front(app, pen, area(body), &whole.title, Place::Text);
    let width = inside.width.saturating_sub(2);
    let style = pen.style(Role::Overlay);
    let rows = whole.rows(usize::from(width));
    for (n, row) in rows.iter().skip(whole.top).take(usize::from(inside.height)).enumerate() {
        pen.put(inside.x + 1, inside.y + cols(n), width, row, style);
    }
    let below = rows.len().saturating_sub(whole.top + usize::from(inside.height));
    if below > 0 {
        let more = format!(" {} ", count(below, "more line"));
        pen.text_right(inside.right(), inside.bottom(), width, &more, Role::Dim);
    }
}
