//! Borders between panes that can be moved, and where a person has put them.

use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::app::App;
use super::layout::{Layout, Pane, Room};

/// A border that can be moved; the pane before it grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Between the two columns.
    Columns,
    /// Below the question.
    Question,
    /// Between context and trace, in two columns.
    Context,
    /// Between SQL and result, in two columns.
    Sql,
    /// Below context or trace, in one column.
    Lower,
    /// Between SQL and result, in one column.
    Middle,
}

/// Sizes chosen by a person, in thousandths of the room; none leaves a size to the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Splits {
    columns: Option<u16>,
    question: Option<u16>,
    context: Option<u16>,
    sql: Option<u16>,
    lower: Option<u16>,
    middle: Option<u16>,
}

impl Splits {
    /// Returns the size of the pane before a border, in cells of a room of `extent` cells.
    pub fn size(&self, split: Split, extent: u16) -> Option<u16> {
        let share = match split {
            Split::Columns => self.columns,
            Split::Question => self.question,
            Split::Context => self.context,
            Split::Sql => self.sql,
            Split::Lower => self.lower,
            Split::Middle => self.middle,
        }?;
        let cells = (u32::from(share.min(1000)) * u32::from(extent) + 500) / 1000;
        u16::try_from(cells).ok()
    }

    /// Sets the size of the pane before a border, in cells of a room of `extent` cells.
    pub fn set(&mut self, split: Split, cells: u16, extent: u16) {
        let extent = u32::from(extent.max(1));
        let share = (u32::from(cells) * 1000 + extent / 2) / extent;
        let share = Some(u16::try_from(share.min(1000)).unwrap_or(1000));
        match split {
            Split::Columns => self.columns = share,
            Split::Question => self.question = share,
            Split::Context => self.context = share,
            Split::Sql => self.sql = share,
            Split::Lower => self.lower = share,
            Split::Middle => self.middle = share,
        }
    }

    /// Tells whether all sizes are left to the layout.
    pub fn is_default(&self) -> bool {
        *self == Splits::default()
    }
}

/// A border on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Which one.
    pub split: Split,
    /// The cells of the two lines that form it.
    pub cells: Rect,
    /// It stands upright, between columns.
    pub upright: bool,
    /// Where the pane before it begins.
    pub start: u16,
    /// Cells of the room that its size is a part of.
    pub extent: u16,
}

impl Edge {
    /// Returns the size that the pane before the border has now.
    fn size(&self) -> u16 {
        let end = if self.upright { self.cells.x } else { self.cells.y };
        (end + 1).saturating_sub(self.start)
    }

    /// Moves the border to a cell of the screen.
    pub fn to(&self, splits: &mut Splits, x: u16, y: u16) {
        let at = if self.upright { x } else { y };
        splits.set(self.split, (at + 1).saturating_sub(self.start), self.extent);
    }

    /// Moves the border by cells.
    fn by(&self, splits: &mut Splits, cells: i16) {
        let size = self.size().saturating_add_signed(cells);
        splits.set(self.split, size.max(1), self.extent);
    }
}

/// Columns and rows a key moves a border by.
const STEP: (i16, i16) = (2, 1);

/// Makes the focused pane larger or smaller.
#[expect(clippy::wildcard_enum_match_arm, reason = "only four actions change a size")]
pub(super) fn resize(app: &mut App, action: Action) {
    let lay = Layout::of(app);
    let (upright, grows) = match action {
        Action::Wider => (true, true),
        Action::Narrower => (true, false),
        Action::Taller => (false, true),
        _ => (false, false),
    };
    let Some((split, before)) = border(lay.room, app.focus, upright) else {
        let words = "Panes have the whole width in one column.";
        return app.say(words, super::app::Tone::Trouble);
    };
    let Some(edge) = lay.edges.iter().flatten().find(|edge| edge.split == split) else {
        let words = "One pane is shown alone: it has all the room.";
        return app.say(words, super::app::Tone::Trouble);
    };
    let step = if upright { STEP.0 } else { STEP.1 };
    edge.by(&mut app.splits, if grows == before { step } else { -step });
    // what has no room to give stays as it is
    let after = Layout::of(app);
    if let Some(moved) = after.edges.iter().flatten().find(|edge| edge.split == split) {
        let size = moved.size();
        app.splits.set(split, size, moved.extent);
    }
}

/// Returns the border that changes a pane's size, and whether the pane stands before it.
fn border(room: Room, pane: Pane, upright: bool) -> Option<(Split, bool)> {
    let left = matches!(pane, Pane::Question | Pane::Context | Pane::Trace);
    match (room, upright) {
        (Room::Wide, true) => Some((Split::Columns, left)),
        (Room::Wide, false) => Some(match pane {
            Pane::Question => (Split::Question, true),
            Pane::Context => (Split::Context, true),
            Pane::Trace => (Split::Context, false),
            Pane::Sql => (Split::Sql, true),
            Pane::Result => (Split::Sql, false),
        }),
        (Room::Normal | Room::Narrow | Room::Tiny, true) => None,
        (Room::Normal | Room::Narrow | Room::Tiny, false) => Some(match pane {
            Pane::Question => (Split::Question, true),
            Pane::Context | Pane::Trace => (Split::Lower, true),
            Pane::Sql => (Split::Middle, true),
            Pane::Result => (Split::Middle, false),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_comes_back_as_it_was_set() {
        for extent in [18u16, 46, 98, 160, 400] {
            for cells in 1..extent {
                let mut splits = Splits::default();
                splits.set(Split::Sql, cells, extent);
                assert_eq!(splits.size(Split::Sql, extent), Some(cells));
            }
        }
        assert!(Splits::default().is_default());
    }
}
