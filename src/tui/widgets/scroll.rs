//! Scrolling a text longer than its window: one answer to each moving key.

use super::super::action::Action;

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
