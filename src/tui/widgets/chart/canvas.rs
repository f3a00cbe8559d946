//! Dots finer than a cell: braille where the terminal's font has it, half blocks, or letters.

use ratatui::layout::Rect;

use super::super::super::theme::Role;
use super::super::pen::{Pen, cols};
use super::{role, sign};

/// What dots are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dots {
    /// Eight a cell.
    #[default]
    Braille,
    /// Two a cell.
    Blocks,
    /// One a cell, in ASCII.
    Letters,
}

impl Dots {
    /// Concludes what a terminal can draw from `TERM` and the locale that is in force.
    pub fn of(term: Option<&str>, locale: Option<&str>) -> Dots {
        let locale = locale.unwrap_or("").to_lowercase();
        let utf8 = locale.contains("utf-8") || locale.contains("utf8");
        match term.unwrap_or("") {
            "dumb" | "vt100" | "vt220" => Dots::Letters,
            _ if !utf8 && !locale.is_empty() => Dots::Letters,
            // the console's font has no braille
            "linux" => Dots::Blocks,
            _ => Dots::Braille,
        }
    }

    /// Returns the next one.
    pub fn next(self) -> Dots {
        match self {
            Dots::Braille => Dots::Blocks,
            Dots::Blocks => Dots::Letters,
            Dots::Letters => Dots::Braille,
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Dots::Braille => "braille dots",
            Dots::Blocks => "half blocks",
            Dots::Letters => "letters",
        }
    }

    /// Returns how many dots a cell has across and down.
    fn grain(self) -> (usize, usize) {
        match self {
            Dots::Braille => (2, 4),
            Dots::Blocks => (1, 2),
            Dots::Letters => (1, 1),
        }
    }
}

/// Bits of braille by column and row of the dot, as Unicode numbers them.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A place of dots.
pub(super) struct Canvas {
    dots: Dots,
    area: Rect,
    /// Bits and series of each cell.
    cells: Vec<(u8, usize)>,
}

impl Canvas {
    /// Makes an empty canvas.
    pub(super) fn new(dots: Dots, area: Rect) -> Self {
        let cells = vec![(0, 0); usize::from(area.width) * usize::from(area.height)];
        Canvas { dots, area, cells }
    }

    /// Returns the number of dots across and down.
    pub(super) fn size(&self) -> (usize, usize) {
        let (across, down) = self.dots.grain();
        (usize::from(self.area.width) * across, usize::from(self.area.height) * down)
    }

    /// Sets a dot, counted from the upper left.
    pub(super) fn set(&mut self, x: usize, y: usize, series: usize) {
        let (across, down) = self.dots.grain();
        let at = y / down * usize::from(self.area.width) + x / across;
        if x / across >= usize::from(self.area.width) {
            return;
        }
        let bit = match self.dots {
            Dots::Braille => BRAILLE.get(x % 2).and_then(|c| c.get(y % 4)).copied().unwrap_or(0),
            Dots::Blocks => 1 << (y % 2),
            Dots::Letters => 1,
        };
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (cell.0 | bit, series);
        }
    }

    /// Joins two dots.
    pub(super) fn join(&mut self, from: (usize, usize), to: (usize, usize), series: usize) {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let steps = dx.max(dy).max(1);
        let between = |a: usize, b: usize, n: usize| {
            // rounded to the nearest dot
            if a <= b {
                a + ((b - a) * n * 2 + steps) / (steps * 2)
            } else {
                a - ((a - b) * n * 2 + steps) / (steps * 2)
            }
        };
        for n in 0..=steps {
            self.set(between(from.0, to.0, n), between(from.1, to.1, n), series);
        }
    }

    /// Draws all cells that hold a dot.
    pub(super) fn draw(&self, pen: &mut Pen<'_>, many: bool) {
        let width = usize::from(self.area.width).max(1);
        for (n, (bits, series)) in self.cells.iter().enumerate().filter(|(_, (b, _))| *b != 0) {
            let (x, y) = (self.area.x + cols(n % width), self.area.y + cols(n / width));
            let braille = char::from_u32(0x2800 + u32::from(*bits)).unwrap_or('⣿').to_string();
            let mark = match (self.dots, bits) {
                (Dots::Braille, _) => braille.as_str(),
                (Dots::Blocks, 1) => "▀",
                (Dots::Blocks, 2) => "▄",
                (Dots::Blocks, _) => "█",
                (Dots::Letters, _) if many => sign(self.dots, *series),
                (Dots::Letters, _) => "*",
            };
            pen.text(x, y, 1, mark, role(*series));
        }
    }

    /// Draws a series' sign on the cell of a dot.
    pub(super) fn mark(&self, pen: &mut Pen<'_>, (x, y): (usize, usize), series: usize) {
        let (across, down) = self.dots.grain();
        let (x, y) = (self.area.x + cols(x / across), self.area.y + cols(y / down));
        if x < self.area.right() && y < self.area.bottom() {
            pen.text(x, y, 1, sign(self.dots, series), role(series));
        }
    }
}

/// Draws a line of the grid across a place.
pub(super) fn rule(pen: &mut Pen<'_>, area: Rect, y: u16, sign: &str) {
    let line = sign.repeat(usize::from(area.width));
    pen.text(area.x, y, area.width, &line, Role::Border);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_can_draw_follows_its_name_and_locale() {
        assert_eq!(Dots::of(Some("xterm-256color"), Some("en_US.UTF-8")), Dots::Braille);
        assert_eq!(Dots::of(Some("xterm"), None), Dots::Braille);
        assert_eq!(Dots::of(Some("linux"), Some("C.UTF-8")), Dots::Blocks);
        assert_eq!(Dots::of(Some("xterm"), Some("C")), Dots::Letters);
        assert_eq!(Dots::of(Some("dumb"), Some("en_US.UTF-8")), Dots::Letters);
    }

    #[test]
    fn a_joined_line_has_no_holes() {
        let mut canvas = Canvas::new(Dots::Letters, Rect::new(0, 0, 10, 5));
        canvas.join((0, 4), (9, 0), 0);
        for x in 0..10 {
            let column = (0..5).filter(|y| canvas.cells[y * 10 + x].0 != 0).count();
            assert_eq!(column, 1, "column {x}");
        }
    }
}
