//! A text longer than its window: where it is scrolled to, the rows in view, how many stand below.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::shown::Shown;

use super::super::action::Action;
use super::super::theme::Role;
use super::pen::{Pen, cols};

/// Bytes of a text that are made safe for the screen; all of it can be copied.
const SHOWN_AT_MOST: usize = 1 << 20;

/// Makes the lines of a text safe; of one that is very long the beginning, and says so.
pub fn lines(text: &str) -> Vec<Shown> {
    let most = text.len().min(SHOWN_AT_MOST);
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut lines = Shown::lines(text.get(..end).unwrap_or(""));
    if end < text.len() {
        let rest = format!("… {}; copying takes all", count(text.len() - end, "more byte"));
        lines.push(Shown::from(rest));
    }
    lines
}

/// Returns the first line shown after an action, of `count` lines in a window of `height`; none when
/// the action scrolls nothing. A screen keeps one line of the one before.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other actions scroll nothing")]
pub fn by(action: Action, top: usize, height: usize, count: usize) -> Option<usize> {
    let last = count.saturating_sub(height);
    let screen = height.saturating_sub(1).max(1);
    let top = match action {
        Action::Up => top.saturating_sub(1),
        Action::Down => top.saturating_add(1),
        Action::PageUp => top.saturating_sub(screen),
        Action::PageDown => top.saturating_add(screen),
        Action::Top => 0,
        Action::Bottom => last,
        _ => return None,
    };
    Some(top.min(last))
}

/// Draws the rows in view, and on the border below them how many more there are.
pub fn draw(pen: &mut Pen<'_>, inside: Rect, rows: &[(&Shown, Role)], top: usize) {
    let width = inside.width.saturating_sub(2);
    let height = usize::from(inside.height);
    for (n, (row, role)) in rows.iter().skip(top).take(height).enumerate() {
        let style = pen.style(*role);
        pen.put(inside.x + 1, inside.y + cols(n), width, row, style);
    }
    let below = rows.len().saturating_sub(top + height);
    if below > 0 {
        let more = format!(" {} ", count(below, "more line"));
        pen.text_right(inside.right(), inside.bottom(), width, &more, Role::Dim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_scrolls_by_lines_and_screens_and_stops_at_its_ends() {
        let at = |action, top| by(action, top, 10, 25);
        assert_eq!(at(Action::Down, 0), Some(1));
        assert_eq!(at(Action::PageDown, 0), Some(9));
        assert_eq!(at(Action::PageDown, 9), Some(15), "the last line stands at the foot");
        assert_eq!(at(Action::Bottom, 3), Some(15));
        assert_eq!(at(Action::PageUp, 15), Some(6));
        assert_eq!(at(Action::Up, 0), Some(0));
        assert_eq!(at(Action::Copy, 3), None);
        assert_eq!(by(Action::Bottom, 0, 10, 4), Some(0), "a short text never scrolls");
    }
}
