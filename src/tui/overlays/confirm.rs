//! Asks before a text that was typed is lost, or a running question cancelled.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};

/// Leaves or stays.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::Yes => app.leave = Some(0),
        Action::Keep => {
            app.unsent.stays = true;
            app.leave = Some(0);
        }
        Action::No | Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

/// Says what leaving would cost, a line for each.
fn lines(app: &App) -> Vec<&'static str> {
    let mut lines = Vec::new();
    if app.running() {
        lines.push("A question is running: leaving cancels it.");
    }
    if app.unsaved() {
        lines.push("A text was typed and not asked or run.");
    }
    if lines.is_empty() {
        lines.push("What ran has ended meanwhile: nothing would be lost.");
    }
    lines
}

fn area(body: Rect, lines: usize) -> Rect {
    super::place(body, 60, cols(lines) + 2)
}

/// Draws the question.
pub fn draw(app: &App, pen: &mut Pen<'_>, body: Rect) {
    let lines = lines(app);
    let inside = super::front(app, pen, area(body, lines.len()), "Leave?", Place::Confirm);
    let room = inside.width.saturating_sub(2);
    for (line, y) in lines.iter().zip(inside.y..inside.bottom()) {
        pen.text(inside.x + 1, y, room, line, Role::Text);
    }
}
