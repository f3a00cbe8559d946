//! Asks before a text that was typed is lost.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::Pen;

/// Leaves or stays.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::Yes => app.leave = Some(0),
        Action::No | Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

fn area(body: Rect) -> Rect {
    super::place(body, 56, 5)
}

/// Draws the question.
pub fn draw(app: &App, pen: &mut Pen<'_>, body: Rect) {
    let inside = super::front(app, pen, area(body), "Leave?", Place::Confirm);
    let room = inside.width.saturating_sub(2);
    let lines = ["A text was typed and not asked or run.", "It would be lost."];
    for (n, line) in (0u16..).zip(lines) {
        if n < inside.height {
            pen.text(inside.x + 1, inside.y + n, room, line, Role::Text);
        }
    }
}
