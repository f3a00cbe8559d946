//! Changed cells as what a terminal reads: moves, looks, letters; without colours not one colour code.

use std::io::{self, Write};

use ratatui::buffer::{Cell, CellWidth};
use ratatui::style::{Color, Modifier};

use super::theme::Depth;

/// How cells look: colours and weight.
#[derive(PartialEq, Clone, Copy)]
struct Look {
    fg: Color,
    bg: Color,
    weight: Modifier,
}

/// The look after a reset.
const PLAIN: Look = Look { fg: Color::Reset, bg: Color::Reset, weight: Modifier::empty() };

/// Writes changed cells: moves where there is a gap, a new look where it differs.
pub(super) fn cells(
    out: &mut impl Write,
    changes: &[(u16, u16, &Cell)],
    depth: Depth,
) -> io::Result<()> {
    let mut at = None;
    let mut look = PLAIN;
    for (x, y, cell) in changes {
        if at != Some((*x, *y)) {
            write!(out, "\x1b[{};{}H", y + 1, x + 1)?;
        }
        let wanted = Look { fg: cell.fg, bg: cell.bg, weight: cell.modifier };
        let wanted = if depth == Depth::Mono {
            Look { fg: PLAIN.fg, bg: PLAIN.bg, ..wanted }
        } else {
            wanted
        };
        if wanted != look {
            write_look(out, wanted)?;
            look = wanted;
        }
        out.write_all(cell.symbol().as_bytes())?;
        at = Some((x.saturating_add(cell.symbol().cell_width().max(1)), *y));
    }
    if look != PLAIN {
        out.write_all(b"\x1b[0m")?;
    }
    Ok(())
}

fn write_look(out: &mut impl Write, look: Look) -> io::Result<()> {
    /// SGR numbers of ECMA-48.
    const WEIGHTS: [(Modifier, u8); 6] = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ];
    out.write_all(b"\x1b[0")?;
    for (weight, number) in WEIGHTS {
        if look.weight.contains(weight) {
            write!(out, ";{number}")?;
        }
    }
    write_colour(out, look.fg, 30)?;
    write_colour(out, look.bg, 40)?;
    out.write_all(b"m")
}

/// Writes a colour; `base` is 30 for letters and 40 for the ground behind them.
fn write_colour(out: &mut impl Write, colour: Color, base: u8) -> io::Result<()> {
    let dark = |n: u8| base + n;
    let bright = |n: u8| base + 60 + n;
    let number = match colour {
        Color::Reset => return Ok(()),
        Color::Rgb(r, g, b) => return write!(out, ";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(n) => return write!(out, ";{};5;{n}", base + 8),
        Color::Black => dark(0),
        Color::Red => dark(1),
        Color::Green => dark(2),
        Color::Yellow => dark(3),
        Color::Blue => dark(4),
        Color::Magenta => dark(5),
        Color::Cyan => dark(6),
        Color::Gray => dark(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
    };
    write!(out, ";{number}")
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn sent(depth: Depth) -> String {
        let area = Rect::new(0, 0, 6, 1);
        let mut next = Buffer::empty(area);
        next.set_string(1, 0, "売a", Style::new().fg(Color::Rgb(1, 2, 3)).bold());
        next.set_string(4, 0, "b", Style::new());
        let mut out = Vec::new();
        cells(&mut out, &Buffer::empty(area).diff(&next), depth).expect("memory takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn neighbours_are_written_without_a_move_between_them() {
        assert_eq!(sent(Depth::True), "\x1b[1;2H\x1b[0;1;38;2;1;2;3m売a\x1b[0mb");
    }

    #[test]
    fn what_stands_already_is_not_sent_again() {
        let area = Rect::new(0, 0, 6, 1);
        let mut shown = Buffer::empty(area);
        shown.set_string(0, 0, "abcdef", Style::new());
        let mut next = shown.clone();
        next.set_string(2, 0, "x", Style::new());
        let mut out = Vec::new();
        cells(&mut out, &shown.diff(&next), Depth::True).expect("memory takes all");
        assert_eq!(String::from_utf8(out).expect("text"), "\x1b[1;3Hx");
    }

    #[test]
    fn without_colours_no_colour_code_is_sent() {
        assert_eq!(sent(Depth::Mono), "\x1b[1;2H\x1b[0;1m売a\x1b[0mb");
    }
}
