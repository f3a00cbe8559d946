//! Questions that wait for the run to end: one can be asked now, or taken out.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};

/// State of the list of waiting questions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Waiting {
    /// The row chosen.
    pub cursor: Cursor,
}

/// Moves, asks now, takes out, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let height = usize::from(super::inner(area(app, Layout::of(app).body)).height);
    let Some(super::Overlay::Queue(waiting)) = &mut app.overlay else { return Vec::new() };
    let (at, count) = (waiting.cursor.at, app.queue.len());
    match action {
        Action::Cancel => app.overlay = None,
        Action::Remove if at < count => {
            app.queue.remove(at);
            waiting.cursor.at = at.min(count.saturating_sub(2));
            if app.queue.is_empty() {
                app.overlay = None;
            }
        }
        Action::Open if at < count => {
            let question = app.queue.remove(at);
            app.overlay = None;
            if !app.running() {
                return app.start(question);
            }
            app.queue.insert(0, question);
            return super::super::leaving::stop(app);
        }
        other => {
            if let Some(step) = Move::of(other, height) {
                waiting.cursor.step(step, height, count);
            }
        }
    }
    Vec::new()
}

fn area(app: &App, body: Rect) -> Rect {
    super::place(body, 84, cols(app.queue.len()).saturating_add(2).clamp(4, 14))
}

/// Draws the list.
pub fn draw(app: &App, waiting: &Waiting, pen: &mut Pen<'_>, body: Rect) {
    let inside = super::front(app, pen, area(app, body), "Waiting questions", Place::Queue);
    let width = inside.width.saturating_sub(5);
    if app.queue.is_empty() {
        pen.text(inside.x + 1, inside.y, width, "No question waits.", Role::Dim);
    }
    let top = waiting.cursor.window(usize::from(inside.height));
    super::more(pen, inside, top, usize::from(inside.height), app.queue.len());
    for ((n, question), y) in app.queue.iter().enumerate().skip(top).zip(inside.y..inside.bottom())
    {
        let words = question.sql.as_ref().unwrap_or(&question.text);
        pen.text(inside.x + 1, y, 3, &(n + 1).to_string(), Role::Dim);
        pen.text(inside.x + 4, y, width, words, Role::Overlay);
        if n == waiting.cursor.at {
            pen.lay(Rect { y, height: 1, ..inside }, Role::Cursor);
        }
    }
}
