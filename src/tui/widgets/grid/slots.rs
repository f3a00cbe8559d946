//! Where columns stand on the screen: what stays at the left, what is scrolled, what has room.

use ratatui::layout::Rect;

use super::super::pen::cols;
use super::Grid;

/// Columns that can be seen at once on any screen.
pub(super) const COLUMNS_SEEN: usize = 120;

/// The least room that is left for scrolled columns, or nothing stays at the left.
const SCROLLED_ROOM: usize = 12;

/// A column on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Its index in the result.
    pub(super) col: usize,
    /// Where it begins.
    pub(super) x: u16,
    /// The room it has.
    pub(super) width: u16,
    /// It is the last one that stays at the left.
    pub(super) edge: bool,
    /// More columns follow it.
    pub(super) more: bool,
}

/// What stands at a cell of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// The head of a column.
    Head(usize),
    /// The line right of a column.
    Rule(usize),
    /// A cell: row and column.
    Cell(u64, usize),
}

impl Grid {
    /// Returns the columns that the row numbers take: the last one's, so that nothing is pushed aside
    /// on the way down; while rows arrive, those that can be seen.
    pub(super) fn gutter(&self) -> u16 {
        let seen = (self.top + self.window).min(self.page.total);
        let last = if self.page.finished { self.page.total } else { seen };
        cols(last.max(1).ilog10() as usize + 1).max(3)
    }

    /// Returns how many columns stay at the left in a window of this width.
    pub(super) fn kept(&self, width: u16) -> usize {
        let frozen = self.columns.frozen();
        let used: usize =
            self.columns.shown().iter().take(frozen).map(|c| self.width(*c) + 3).sum();
        let room = usize::from(width).saturating_sub(usize::from(self.gutter()) + 2);
        if used + SCROLLED_ROOM <= room { frozen } else { 0 }
    }

    /// Returns the width of a column.
    pub(super) fn width(&self, col: usize) -> usize {
        self.widths.get(col).map_or(1, super::widths::Width::get)
    }

    /// Scrolls sideways as little as the cursor's column needs.
    pub(super) fn settle_left(&mut self, width: u16) {
        let kept = self.kept(width);
        let place = self.columns.place(self.col).unwrap_or(0);
        self.left = self.left.max(kept);
        if place < kept {
            return;
        }
        self.left = self.left.min(place);
        while self.left < place && !self.fits(width, kept, place) {
            self.left += 1;
        }
    }

    /// Tells whether the column at a place is wholly inside when the scrolled ones begin at `left`.
    fn fits(&self, width: u16, kept: usize, place: usize) -> bool {
        let shown = self.columns.shown();
        let before = shown.iter().take(kept);
        let seen = shown.get(self.left..=place).unwrap_or(&[]);
        let used: usize = before.chain(seen).map(|col| self.width(*col) + 3).sum();
        used + usize::from(self.gutter()) < usize::from(width) + 1
    }

    /// Lays out the columns that have room in a place.
    pub(super) fn slots(&self, area: Rect) -> Vec<Slot> {
        let kept = self.kept(area.width);
        let shown = self.columns.shown();
        let first = self.left.max(kept);
        let mut slots = Vec::new();
        let mut x = area.x + self.gutter() + 2;
        let places = (0..kept).chain(first..shown.len());
        for place in places {
            let Some(col) = shown.get(place).copied() else { break };
            let room = area.right().saturating_sub(x);
            let wanted = cols(self.width(col));
            let width = wanted.min(room);
            let number = self.widths.get(col).is_some_and(super::widths::Width::is_number);
            // half a number misleads; a column without room only says that there are more
            let readable = width == wanted || (room >= 8 && !number);
            if room == 0 || (place > first && !readable) {
                break;
            }
            let more = place + 1 < shown.len();
            slots.push(Slot { col, x, width, edge: place + 1 == kept, more });
            x = x.saturating_add(width).saturating_add(3);
            if x >= area.right() {
                break;
            }
        }
        slots
    }

    /// Returns the line of a row on the screen.
    pub(super) fn y_of(&self, area: Rect, row: u64) -> Option<u16> {
        let below = u16::try_from(row.checked_sub(self.top)?).ok()?;
        let y = area.y.checked_add(2)?.checked_add(below)?;
        (y < area.bottom()).then_some(y)
    }

    /// Returns what stands at a cell of the screen.
    pub fn at(&self, area: Rect, x: u16, y: u16) -> Option<Hit> {
        let slots = self.slots(area);
        let line = y.checked_sub(area.y)?;
        let rule = slots.iter().find(|slot| x == slot.x + slot.width + 1 && slot.more);
        let slot = slots.iter().find(|slot| x + 1 >= slot.x && x <= slot.x + slot.width + 1)?;
        if let Some(rule) = rule.filter(|_| line < 2) {
            return Some(Hit::Rule(rule.col));
        }
        if line < 2 {
            return Some(Hit::Head(slot.col));
        }
        let row = self.top + u64::from(line - 2);
        (row < self.page.total).then_some(Hit::Cell(row, slot.col))
    }

    /// Returns the column of the screen where a column of the result begins, when it is seen.
    pub fn x_of(&self, area: Rect, col: usize) -> Option<u16> {
        self.slots(area).into_iter().find(|slot| slot.col == col).map(|slot| slot.x)
    }
}
