//! The small list of what could stand at the cursor: near it, never over its line.

use ratatui::layout::{Position, Rect};

use crate::shown::Shown;

use super::super::app::App;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::list::Cursor;
use super::super::widgets::pen::{Frame, Pen, cols};

/// Offers that are shown at once.
const SHOWN: usize = 7;

/// Columns of offers that are measured; longer ones are cut.
const MEASURED: usize = 60;

/// Rows and columns of the frame.
const FRAME: u16 = 2;

/// Draws the offers of the pane that has the focus.
pub fn draw(app: &App, pen: &mut Pen<'_>, at: Position, body: Rect) {
    if app.focus == Pane::Question {
        let offers = &app.question.offers;
        let rows: Vec<(&str, &str)> =
            offers.iter().map(|o| (o.text.as_str(), o.what.as_str())).collect();
        let back = Shown::code(app.question.editor.word()).width();
        list(pen, &rows, app.question.offer, back, at, body);
    } else if app.typing_sql() {
        let offers = &app.sql.offers;
        let rows: Vec<(&str, &str)> =
            offers.offers.iter().map(|o| (o.text.as_str(), o.what.as_str())).collect();
        let editor = &app.sql.editor;
        let typed = editor.as_str().get(offers.from..editor.cursor_byte()).unwrap_or("");
        list(pen, &rows, app.sql.offer, Shown::code(typed).width(), at, body);
    }
}

/// Draws a framed list below the cursor's line, or above it where there is more room.
fn list(
    pen: &mut Pen<'_>,
    rows: &[(&str, &str)],
    mut cursor: Cursor,
    back: usize,
    at: Position,
    body: Rect,
) {
    let letters = |text: &str| Shown::cut(text, MEASURED).width();
    let texts = cols(rows.iter().map(|(text, _)| letters(text)).max().unwrap_or(0));
    let whats = cols(rows.iter().map(|(_, what)| letters(what)).max().unwrap_or(0));
    let width = (texts + whats + FRAME + 2).clamp(18, 80);
    let Some(area) = place(rows.len(), width, back, at, body) else { return };
    pen.fill(area, Role::Overlay);
    let height = usize::from(area.height - FRAME);
    cursor.settle(height, rows.len());
    let right = super::unseen(pen, cursor.top, height, rows.len());
    let none = Vec::new();
    let frame = Frame { title: none.clone(), right, foot: none, focused: false };
    let inside = pen.frame(area, &frame);
    // the name matters more than what it is: where both don't fit, it has two thirds
    let names = texts.min((inside.width * 2 / 3).max(inside.width.saturating_sub(whats + 2)));
    for (n, (text, what)) in rows.iter().enumerate().skip(cursor.top).take(height) {
        let y = inside.y + cols(n - cursor.top);
        let style = pen.style(Role::Overlay);
        pen.put(inside.x, y, names, &Shown::middle(text, usize::from(names)), style);
        let room = inside.width.saturating_sub(names + 2);
        pen.text_right(inside.right(), y, room, what, Role::Dim);
        if n == cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}

/// Finds the place of a frame of so many rows: its letters stand under the word typed, and the line
/// typed stays free. None where not even one row has room.
fn place(rows: usize, width: u16, back: usize, at: Position, body: Rect) -> Option<Rect> {
    if rows == 0 || body.width < 8 {
        return None;
    }
    let width = width.min(body.width);
    let wanted = cols(rows.min(SHOWN)) + FRAME;
    let below = body.bottom().saturating_sub(at.y + 1);
    let above = at.y.saturating_sub(body.y);
    let (y, height) = if below >= wanted || below >= above {
        (at.y + 1, wanted.min(below))
    } else {
        let height = wanted.min(above);
        (at.y - height, height)
    };
    let x = at.x.saturating_sub(cols(back) + 1).min(body.right() - width).max(body.x);
    (height > FRAME).then_some(Rect { x, y, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_typed_is_never_covered_and_the_frame_is_on_the_screen() {
        let body = Rect::new(0, 1, 60, 18);
        for y in body.top()..body.bottom() {
            for x in body.left()..body.right() {
                for (rows, width) in [(1, 18), (5, 40), (60, 78)] {
                    let area = place(rows, width, 4, Position { x, y }, body).expect("room");
                    assert!(!(area.top()..area.bottom()).contains(&y), "{area:?} covers line {y}");
                    assert_eq!(area.intersection(body), area, "{area:?} leaves the screen");
                }
            }
        }
    }

    #[test]
    fn the_offers_stand_under_the_word_they_would_replace() {
        let at = Position { x: 30, y: 4 };
        let area = place(3, 20, 6, at, Rect::new(0, 1, 100, 28)).expect("room");
        // the border is one to the left of the letters
        assert_eq!((area.x + 1, area.y, area.height), (24, 5, 5));
    }
}
