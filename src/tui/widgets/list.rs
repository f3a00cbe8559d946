//! The place of a cursor in a list longer than its window.

use super::super::action::Action;

/// A cursor and the first line shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The line the cursor is on.
    pub at: usize,
    /// The first line shown.
    pub top: usize,
}

/// How a cursor moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// By lines, up when negative.
    By(isize),
    /// By a screen of this many lines and one more, which stays in view; the window goes along.
    Screen(isize),
    /// To the first line.
    First,
    /// To the last line.
    Last,
}

impl Move {
    /// Returns how an action moves the cursor of a list in a window of `height` lines; none when it
    /// doesn't.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other actions move nothing")]
    pub fn of(action: Action, height: usize) -> Option<Move> {
        let screen = isize::try_from(height).unwrap_or(isize::MAX).saturating_sub(1).max(1);
        match action {
            Action::Up => Some(Move::By(-1)),
            Action::Down => Some(Move::By(1)),
            Action::PageUp => Some(Move::Screen(-screen)),
            Action::PageDown => Some(Move::Screen(screen)),
            Action::Top => Some(Move::First),
            Action::Bottom => Some(Move::Last),
            _ => None,
        }
    }
}

impl Cursor {
    /// Moves within `count` lines.
    pub fn go(&mut self, step: Move, count: usize) {
        let last = count.saturating_sub(1);
        self.at = match step {
            Move::By(by) => self.at.saturating_add_signed(by).min(last),
            Move::Screen(by) => {
                let height = by.unsigned_abs() + 1;
                let end = count.saturating_sub(height);
                // also where the cursor would still be inside: a screen shows what follows
                self.top = self.window(height).saturating_add_signed(by).min(end);
                self.at.saturating_add_signed(by).min(last)
            }
            Move::First => 0,
            Move::Last => last,
        };
    }

    /// Moves within `count` lines in a window of `height`, which moves only when it must.
    pub fn step(&mut self, step: Move, height: usize, count: usize) {
        self.go(step, count);
        self.settle(height, count);
    }

    /// Returns the first line to show so that the cursor is inside a window of `height` lines.
    pub fn window(&self, height: usize) -> usize {
        if height == 0 || self.at < self.top {
            self.at
        } else if self.at >= self.top + height {
            self.at + 1 - height
        } else {
            self.top
        }
    }

    /// Keeps the window where it was drawn, so that nothing moves without need.
    pub fn settle(&mut self, height: usize, count: usize) {
        self.at = self.at.min(count.saturating_sub(1));
        self.top = self.window(height).min(count.saturating_sub(height.min(count)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_moves_the_window_at_once_and_back() {
        let mut cursor = Cursor::default();
        let page = |cursor: &mut Cursor, action| {
            cursor.go(Move::of(action, 10).expect("a move"), 25);
            cursor.settle(10, 25);
            (cursor.at, cursor.top)
        };
        assert_eq!(page(&mut cursor, Action::PageDown), (9, 9));
        assert_eq!(page(&mut cursor, Action::PageDown), (18, 15));
        assert_eq!(page(&mut cursor, Action::PageDown), (24, 15));
        assert_eq!(page(&mut cursor, Action::PageUp), (15, 6));
        assert_eq!(page(&mut cursor, Action::PageUp), (6, 0));
        assert_eq!(page(&mut cursor, Action::PageUp), (0, 0));
    }

    #[test]
    fn the_window_moves_only_when_the_cursor_leaves_it() {
        let mut cursor = Cursor::default();
        for _ in 0..7 {
            cursor.go(Move::By(1), 20);
            cursor.settle(5, 20);
        }
        assert_eq!(cursor, Cursor { at: 7, top: 3 });
        cursor.go(Move::By(-2), 20);
        cursor.settle(5, 20);
        assert_eq!(cursor, Cursor { at: 5, top: 3 });
        cursor.go(Move::Last, 20);
        cursor.settle(5, 20);
        assert_eq!(cursor, Cursor { at: 19, top: 15 });
    }
}
