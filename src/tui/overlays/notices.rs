//! What was said in the status line: newest first, whole on Enter.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::Pen;
use super::Overlay;
use super::text::Whole;

/// State of the list of notices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    /// The row chosen; 0 is the newest.
    pub cursor: Cursor,
}

/// Moves, opens, copies, closes.
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let height = usize::from(super::inner(area(Layout::of(app).body)).height);
    let Some(Overlay::Notices(said)) = &mut app.overlay else { return Vec::new() };
    let chosen = app.notices.iter().rev().nth(said.cursor.at).map(|(words, _, _)| words.clone());
    match (action, chosen) {
        (Action::Cancel, _) => app.overlay = None,
        (Action::Open, Some(words)) => {
            app.overlay = Some(Overlay::Text(Whole::of("Notice", words)));
        }
        (Action::Copy, Some(words)) => return vec![Effect::Copy(words)],
        (other, _) => {
            if let Some(step) = Move::of(other, height) {
                said.cursor.step(step, height, app.notices.len());
            }
        }
    }
    Vec::new()
}

fn area(body: Rect) -> Rect {
    super::place(body, 110, body.height.saturating_sub(2).clamp(4, 20))
}

/// Draws the list.
pub fn draw(app: &App, said: &Said, pen: &mut Pen<'_>, body: Rect) {
    let inside = super::front(app, pen, area(body), "Notices", Place::Notices);
    let end = inside.right().saturating_sub(1);
    if app.notices.is_empty() {
        let width = inside.width.saturating_sub(2);
        pen.text(inside.x + 1, inside.y, width, "Nothing was said yet.", Role::Dim);
    }
    let top = said.cursor.window(usize::from(inside.height));
    super::more(pen, inside, top, usize::from(inside.height), app.notices.len());
    let newest = app.notices.iter().rev().enumerate().skip(top);
    for ((n, (words, tone, at)), y) in newest.zip(inside.y..inside.bottom()) {
        let (sign, role) = tone.sign();
        pen.text(inside.x + 1, y, 1, sign, role);
        let right = pen.text_right(end, y, 14, &ago(app.clock.saturating_sub(*at)), Role::Dim);
        pen.text(inside.x + 3, y, right.saturating_sub(inside.x + 4), words, Role::Overlay);
        if n == said.cursor.at {
            pen.lay(Rect { y, height: 1, ..inside }, Role::Cursor);
        }
    }
}

/// Says how long ago something was, as coarsely as one remembers it.
fn ago(ms: u64) -> String {
    match ms / 1000 {
        0..10 => "just now".to_owned(),
        s @ 10..60 => format!("{} s ago", s / 10 * 10),
        s @ 60..3600 => format!("{} min ago", s / 60),
        s => format!("{} h ago", s / 3600),
    }
}
