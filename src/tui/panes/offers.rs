//! The small list of what could stand at the cursor: near it, never over its line.

use ratatui::layout::{Position, Rect};

use super::super::app::App;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::list::Cursor;
use super::super::widgets::pen::{Pen, cols};

/// Offers that are shown at once.
const SHOWN: usize = 7;

/// Letters of offers that are measured; longer ones are cut.
const MEASURED: usize = 60;

/// Draws the offers of the pane that has the focus.
pub fn draw(app: &App, pen: &mut Pen<'_>, at: Position, body: Rect) {
    if app.focus == Pane::Question {
        let offers = &app.question.offers;
        let rows: Vec<(&str, &str)> =
            offers.iter().map(|o| (o.text.as_str(), o.what.as_str())).collect();
        let back = app.question.editor.word().chars().count();
        list(pen, &rows, app.question.offer, back, at, body);
    } else if app.typing_sql() {
        let offers = &app.sql.offers;
        let rows: Vec<(&str, &str)> =
            offers.offers.iter().map(|o| (o.text.as_str(), o.what.as_str())).collect();
        let editor = &app.sql.editor;
        let typed = editor.as_str().get(offers.from..editor.cursor_byte()).unwrap_or("");
        list(pen, &rows, app.sql.offer, typed.chars().count(), at, body);
    }
}

/// Draws a list below the cursor's line, or above it where there is more room.
fn list(
    pen: &mut Pen<'_>,
    rows: &[(&str, &str)],
    mut cursor: Cursor,
    back: usize,
    at: Position,
    body: Rect,
) {
    if rows.is_empty() {
        return;
    }
    let letters = |text: &str| text.chars().take(MEASURED).count();
    let texts = cols(rows.iter().map(|(text, _)| letters(text)).max().unwrap_or(0));
    let whats = cols(rows.iter().map(|(_, what)| letters(what)).max().unwrap_or(0));
    let width = (texts + whats + 4).clamp(16, 78).min(body.width);
    let wanted = cols(rows.len().min(SHOWN));
    let below = body.bottom().saturating_sub(at.y + 1);
    let above = at.y.saturating_sub(body.y);
    let (y, height) = if below >= wanted || below >= above {
        (at.y + 1, wanted.min(below))
    } else {
        let height = wanted.min(above);
        (at.y - height, height)
    };
    let x = at.x.saturating_sub(cols(back) + 1).min(body.right().saturating_sub(width));
    let area = Rect::new(x, y, width, height);
    pen.fill(area, Role::Overlay);
    cursor.settle(usize::from(height), rows.len());
    for (n, (text, what)) in rows.iter().enumerate().skip(cursor.top).take(usize::from(height)) {
        let y = area.y + cols(n - cursor.top);
        let room = whats.min(width.saturating_sub(texts.min(width / 2) + 3));
        let right = pen.text_right(area.right() - 1, y, room, what, Role::Dim);
        pen.text(area.x + 1, y, right.saturating_sub(area.x + 2), text, Role::Overlay);
        if n == cursor.at {
            pen.lay(Rect::new(area.x, y, width, 1), Role::Cursor);
        }
    }
}
