//! Draws safe text with roles into cells; frames with title and footer.

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::shown::Shown;

use super::super::theme::{Role, Theme};

/// A piece of a line: text and how it looks.
pub type Piece = (Shown, Style);

/// Cells and the theme to draw them with.
pub struct Pen<'a> {
    /// The cells.
    pub cells: &'a mut Buffer,
    /// The roles.
    pub theme: &'a Theme,
}

/// Parts the keys of a bottom border.
pub const SEAM: &str = " · ";

/// What stands around a pane.
pub struct Frame {
    /// Pieces of the top border; what doesn't fit is cut.
    pub title: Vec<Piece>,
    /// Pieces at the right of the top border.
    pub right: Vec<Piece>,
    /// Pieces of the bottom border; where they don't fit, all behind a seam are left out.
    pub foot: Vec<Piece>,
    /// The pane has the focus.
    pub focused: bool,
}

impl Pen<'_> {
    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Makes a piece.
    pub fn piece(&self, text: impl Into<Shown>, role: Role) -> Piece {
        (text.into(), self.theme.style(role))
    }

    /// Draws a text at a place, cut to `most` columns; returns the column after it.
    pub fn put(&mut self, x: u16, y: u16, most: u16, text: &Shown, style: Style) -> u16 {
        let area = self.cells.area;
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return x;
        }
        let most = most.min(area.right() - x);
        self.half(x, y);
        if text.as_str().len() <= usize::from(most) || text.width() <= usize::from(most) {
            return self.cells.set_stringn(x, y, text.as_str(), usize::from(most), style).0;
        }
        let cut = text.clone().fit(usize::from(most));
        self.cells.set_stringn(x, y, cut.as_str(), usize::from(most), style).0
    }

    /// Draws a text of ours or of data at a place, made safe on the way.
    pub fn text(&mut self, x: u16, y: u16, most: u16, text: &str, role: Role) -> u16 {
        let shown = Shown::cut(text, usize::from(most));
        let style = self.style(role);
        self.put(x, y, most, &shown, style)
    }

    /// Draws a text so that it ends before column `end`; returns where it begins.
    pub fn text_right(&mut self, end: u16, y: u16, most: u16, text: &str, role: Role) -> u16 {
        let shown = Shown::cut(text, usize::from(most));
        let x = end.saturating_sub(cols(shown.width()));
        let style = self.style(role);
        self.put(x, y, most, &shown, style);
        x
    }

    /// Draws pieces one after the other, cut to `most` columns; returns the column after them.
    pub fn pieces(&mut self, x: u16, y: u16, most: u16, pieces: &[Piece]) -> u16 {
        let end = x.saturating_add(most);
        let mut at = x;
        for (n, (text, style)) in pieces.iter().enumerate() {
            let room = end.saturating_sub(at);
            let more = pieces.get(n + 1..).unwrap_or(&[]).iter().any(|(t, _)| !t.is_empty());
            // when nothing after this piece would fit, the cut must show
            let shown = if more && cols(text.width()) >= room && room > 0 {
                let mut cut = text.head(usize::from(room - 1));
                cut.push(&Shown::new("…"));
                cut
            } else {
                text.clone()
            };
            at = self.put(at, y, room, &shown, *style);
            if at >= end {
                break;
            }
        }
        at
    }

    /// Draws pieces so that they end before column `end`; draws nothing where they don't fit.
    pub fn pieces_right(&mut self, end: u16, y: u16, most: u16, pieces: &[Piece]) -> u16 {
        let wide: u16 = pieces.iter().map(|(text, _)| cols(text.width())).sum();
        if wide > most {
            return end;
        }
        let x = end.saturating_sub(wide);
        self.pieces(x, y, wide, pieces);
        x
    }

    /// Fills a place with a role's style, emptied.
    pub fn fill(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        let area = area.intersection(self.cells.area);
        for y in area.top()..area.bottom() {
            self.half(area.left(), y);
            for x in area.left()..area.right() {
                if let Some(cell) = self.cells.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// Takes away the wide letter before a place that is drawn on: half of it can't be shown, and a
    /// terminal would show the whole of it instead of what is drawn there.
    fn half(&mut self, x: u16, y: u16) {
        let before = x.checked_sub(1).and_then(|x| self.cells.cell_mut((x, y)));
        if let Some(cell) = before.filter(|cell| cell.symbol().cell_width() > 1) {
            cell.set_symbol(" ");
        }
    }

    /// Lays a role's style over what is drawn.
    pub fn lay(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        self.cells.set_style(area, style);
    }

    /// Draws a frame; returns the place inside it.
    pub fn frame(&mut self, area: Rect, frame: &Frame) -> Rect {
        let border = self.style(if frame.focused { Role::BorderFocus } else { Role::Border });
        if area.width < 2 || area.height < 2 {
            return Rect::new(area.x, area.y, 0, 0);
        }
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        let across = Shown::from("─".repeat(usize::from(area.width - 2)));
        let pillar = Shown::new("│");
        for (y, from, to) in [(area.y, "╭", "╮"), (bottom, "╰", "╯")] {
            self.put(area.x, y, 1, &Shown::new(from), border);
            self.put(area.x + 1, y, area.width - 2, &across, border);
            self.put(right, y, 1, &Shown::new(to), border);
        }
        for y in area.y + 1..bottom {
            self.put(area.x, y, 1, &pillar, border);
            self.put(right, y, 1, &pillar, border);
        }
        self.edge(area, area.y, &frame.title, &frame.right, border);
        let foot = self.whole(&frame.foot, area.width.saturating_sub(4));
        self.edge(area, bottom, &foot, &[], border);
        Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
    }

    /// Leaves out what doesn't fit as a whole, from a seam on; a sign says so.
    fn whole(&self, pieces: &[Piece], most: u16) -> Vec<Piece> {
        let wide = |pieces: &[Piece]| pieces.iter().map(|(text, _)| text.width()).sum::<usize>();
        let most = usize::from(most);
        if wide(pieces) <= most {
            return pieces.to_vec();
        }
        let sign = self.piece(format!("{SEAM}…"), Role::Dim);
        let seams = (0..pieces.len())
            .rev()
            .filter(|n| pieces.get(*n).is_some_and(|(text, _)| text.as_str() == SEAM));
        let fits =
            |n: &usize| pieces.get(..*n).is_some_and(|head| wide(head) + sign.0.width() <= most);
        let Some(seam) = seams.into_iter().find(fits) else { return pieces.to_vec() };
        let mut kept = pieces.get(..seam).unwrap_or(pieces).to_vec();
        kept.push(sign);
        kept
    }

    /// Writes pieces onto a border line: `╭ title ───── right ╮`.
    fn edge(&mut self, area: Rect, y: u16, left: &[Piece], right: &[Piece], border: Style) {
        let room = area.width.saturating_sub(4);
        if room < 4 {
            return;
        }
        let blank = Shown::new(" ");
        let mut most = room;
        if !right.is_empty() {
            let end = area.right() - 2;
            let from = self.pieces_right(end, y, room / 2, right);
            if from < end {
                self.put(from - 1, y, 1, &blank, border);
                self.put(end, y, 1, &blank, border);
                most = from.saturating_sub(area.x + 4);
            }
        }
        if left.iter().any(|(text, _)| !text.is_empty()) {
            self.put(area.x + 1, y, 1, &blank, border);
            let end = self.pieces(area.x + 2, y, most, left);
            self.put(end, y, 1, &blank, border);
        }
    }
}

/// Narrows a width to columns of a screen.
pub fn cols(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_letter_of_which_half_is_drawn_over_goes() {
        let theme = Theme::default();
        let area = Rect::new(0, 0, 6, 1);
        let mut cells = Buffer::empty(area);
        let mut pen = Pen { cells: &mut cells, theme: &theme };
        pen.text(0, 0, 6, "売上げ", Role::Text);
        pen.text(1, 0, 1, "│", Role::Border);
        pen.fill(Rect::new(5, 0, 1, 1), Role::Overlay);
        let row: Vec<&str> = cells.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(row, [" ", "│", "上", " ", " ", " "]);
    }
}
