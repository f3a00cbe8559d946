//! The place of a cursor in a list longer than its window.

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
    /// To the first line.
    First,
    /// To the last line.
    Last,
}

impl Cursor {
    /// Moves within `count` lines.
    pub fn go(&mut self, step: Move, count: usize) {
        let last = count.saturating_sub(1);
        self.at = match step {
            Move::By(by) => self.at.saturating_add_signed(by).min(last),
            Move::First => 0,
            Move::Last => last,
        };
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
