//! Events that were marked, to go back to.

use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::{Layout, Pane};
use super::super::moment::RunView;
use super::super::panes::{steps, trace};
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// State of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// The row chosen.
    pub cursor: Cursor,
}

/// Marks the event at the cursor, or takes the mark back.
pub fn toggle(app: &mut App) {
    let Some(run) = &mut app.run else { return };
    let Some(at) = run.at() else { return };
    let marked = !run.marks.remove(&at);
    if marked {
        run.marks.insert(at);
    }
    let words = if marked { "Marked." } else { "No longer marked." };
    app.say(words, Tone::Done);
}

/// Moves, goes to the chosen event, takes its mark back, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = Layout::of(app).body;
    let Some(Overlay::Marks(list)) = &mut app.overlay else { return Vec::new() };
    let Some(run) = &mut app.run else {
        app.overlay = None;
        return Vec::new();
    };
    let (count, at) = (run.marks.len(), list.cursor.at);
    let height = usize::from(super::inner(area(count, body)).height);
    let chosen = run.marks.iter().nth(at).copied();
    match action {
        Action::Mark => {
            if let Some(event) = chosen {
                run.marks.remove(&event);
            }
            list.cursor.go(Move::By(0), count.saturating_sub(1));
        }
        Action::Open => {
            if let Some(event) = chosen {
                trace::goto(run, event, 0);
            }
            app.overlay = None;
            app.go(Pane::Trace);
        }
        Action::Cancel => app.overlay = None,
        other => {
            if let Some(step) = Move::of(other, height) {
                list.cursor.step(step, height, count);
            }
        }
    }
    Vec::new()
}

fn area(marked: usize, body: Rect) -> Rect {
    super::place(body, 90, cols(marked.clamp(1, 14)) + 2)
}

/// Draws the list.
pub fn draw(app: &App, list: &Marks, pen: &mut Pen<'_>, body: Rect) {
    let empty = RunView::default();
    let run = app.run.as_ref().unwrap_or(&empty);
    let area = area(run.marks.len(), body);
    let inside = super::front(app, pen, area, "Marked", Place::Marks);
    let room = inside.width.saturating_sub(2);
    if run.marks.is_empty() {
        pen.text(inside.x + 1, inside.y, room, "Nothing in this run is marked.", Role::Dim);
    }
    let mut cursor = list.cursor;
    cursor.settle(usize::from(inside.height.max(1)), run.marks.len());
    super::more(pen, inside, cursor.top, usize::from(inside.height), run.marks.len());
    let shown = run.marks.iter().enumerate().skip(cursor.top);
    for ((n, event), y) in shown.zip(inside.y..inside.bottom()) {
        let Some(event) = run.events.get(*event) else { continue };
        let told = steps::told(&event.happened);
        pen.text_right(inside.x + 9, y, 8, &steps::moment(event.at_us), Role::Dim);
        let x = pen.text(inside.x + 11, y, 13, told.label, told.role).max(inside.x + 25);
        pen.text(x, y, inside.right().saturating_sub(x + 1), &told.detail, Role::Overlay);
        if n == cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
