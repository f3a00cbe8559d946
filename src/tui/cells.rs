//! Changed cells as what a terminal reads: moves, looks, letters; without colours not one colour code.
//!
//! A frame shall fit into what a terminal takes at once (4,096 bytes on Linux), so only what differs
//! from the cell before is said: a colour, a weight; of a blank cell nothing but its ground.

use std::io::{self, Write};

use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::style::{Color, Modifier};

use super::theme::Depth;

/// Widest gap of unchanged cells that is written again rather than stepped over: a step takes as
/// many bytes.
const GAP: u16 = 3;

/// Weights that show on a blank cell too.
const ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

/// Weights with the SGR numbers of ECMA-48 that begin and end them.
const WEIGHTS: [(Modifier, u8, u8); 6] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::REVERSED, 7, 27),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// How cells look: colours and weight.
#[derive(PartialEq, Clone, Copy)]
struct Look {
    fg: Color,
    bg: Color,
    weight: Modifier,
}

/// The look after a reset.
const PLAIN: Look = Look { fg: Color::Reset, bg: Color::Reset, weight: Modifier::empty() };

impl Look {
    /// The look a cell needs; what nobody can see of it stays as it is.
    fn of(cell: &Cell, depth: Depth, now: Look) -> Look {
        let (fg, bg) = match depth {
            Depth::Mono => (PLAIN.fg, PLAIN.bg),
            Depth::Sixteen | Depth::Indexed | Depth::True => (cell.fg, cell.bg),
        };
        let shows = cell.symbol() != " " || (cell.modifier | now.weight).intersects(ON_BLANKS);
        if shows { Look { fg, bg, weight: cell.modifier } } else { Look { bg, ..now } }
    }
}

/// Marks the second halves of wide letters, so that one differs from a blank.
///
/// A wide letter over another's first half leaves a blank in the old look beside it; were a half
/// the same as a blank, that cell would count as unchanged.
pub(super) fn mark_halves(cells: &mut Buffer) {
    let wide = usize::from(cells.area.width).max(1);
    let mut at = 0;
    while let Some(cell) = cells.content.get(at) {
        // most cells hold one byte, and need no look at their width
        let double = cell.symbol().len() > 1 && cell.symbol().cell_width() > 1;
        if double
            && (at + 1) % wide != 0
            && let Some(half) = cells.content.get_mut(at + 1)
        {
            half.set_symbol("");
        }
        at += 1 + usize::from(double);
    }
}

/// Writes changed cells: moves where there is a gap, a new look where it differs.
///
/// `all` are the cells as they shall stand, changed or not.
pub(super) fn cells(
    out: &mut impl Write,
    changes: &[(u16, u16, &Cell)],
    all: &Buffer,
    depth: Depth,
) -> io::Result<()> {
    let mut at = None;
    let mut look = PLAIN;
    for &(x, y, cell) in changes {
        if at != Some((x, y)) {
            step(out, at, (x, y), all, |cell| Look::of(cell, depth, look) == look)?;
        }
        let wanted = Look::of(cell, depth, look);
        write_look(out, look, wanted)?;
        look = wanted;
        out.write_all(cell.symbol().as_bytes())?;
        at = Some((x.saturating_add(cell.symbol().cell_width().max(1)), y));
    }
    if look != PLAIN {
        out.write_all(b"\x1b[0m")?;
    }
    Ok(())
}

/// Goes to a cell: over a few that look alike by writing them again, else by the shortest move.
fn step(
    out: &mut impl Write,
    from: Option<(u16, u16)>,
    (x, y): (u16, u16),
    all: &Buffer,
    alike: impl Fn(&Cell) -> bool,
) -> io::Result<()> {
    let before = from.filter(|(was, line)| *line == y && *was < x);
    // behind the last column a terminal may stand on either side of the edge
    let Some((was, _)) = before.filter(|(was, _)| *was < all.area.right()) else {
        return write!(out, "\x1b[{};{}H", y + 1, x + 1);
    };
    let gap: Option<Vec<&Cell>> = (was..x).map(|x| all.cell((x, y))).collect();
    let single = |cell: &Cell| cell.symbol().len() == 1 && alike(cell);
    match gap.filter(|gap| x - was <= GAP && gap.iter().all(|cell| single(cell))) {
        Some(gap) => gap.iter().try_for_each(|cell| out.write_all(cell.symbol().as_bytes())),
        None if x - was == 1 => out.write_all(b"\x1b[C"),
        None => write!(out, "\x1b[{}C", x - was),
    }
}

/// Writes what changes from one look to another, if anything does.
fn write_look(out: &mut impl Write, from: Look, to: Look) -> io::Result<()> {
    if from == to {
        return Ok(());
    }
    if to == PLAIN {
        return out.write_all(b"\x1b[0m");
    }
    let mut said = Vec::with_capacity(48);
    let gone = from.weight - to.weight;
    let mut kept = from.weight - gone;
    for (weight, _, end) in WEIGHTS {
        if gone.contains(weight) {
            write!(said, ";{end}")?;
            // bold and dim have one end
            kept -= if end == 22 { Modifier::BOLD | Modifier::DIM } else { weight };
        }
    }
    for (weight, begin, _) in WEIGHTS {
        if (to.weight - kept).contains(weight) {
            write!(said, ";{begin}")?;
        }
    }
    if from.fg != to.fg {
        write_colour(&mut said, to.fg, 30)?;
    }
    if from.bg != to.bg {
        write_colour(&mut said, to.bg, 40)?;
    }
    out.write_all(b"\x1b[")?;
    out.write_all(said.get(1..).unwrap_or_default())?;
    out.write_all(b"m")
}

/// Writes a colour; `base` is 30 for letters and 40 for the ground behind them.
fn write_colour(out: &mut impl Write, colour: Color, base: u8) -> io::Result<()> {
    let dark = |n: u8| base + n;
    let bright = |n: u8| base + 60 + n;
    let number = match colour {
        Color::Reset => base + 9,
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
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn sent(depth: Depth) -> String {
        let area = Rect::new(0, 0, 6, 1);
        let mut next = Buffer::empty(area);
        next.set_string(1, 0, "売a", Style::new().fg(Color::Rgb(1, 2, 3)).bold());
        next.set_string(4, 0, "b", Style::new());
        let mut out = Vec::new();
        cells(&mut out, &Buffer::empty(area).diff(&next), &next, depth).expect("memory takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn neighbours_are_written_without_a_move_between_them() {
        assert_eq!(sent(Depth::True), "\x1b[1;2H\x1b[1;38;2;1;2;3m売a\x1b[0mb");
    }

    #[test]
    fn what_stands_already_is_not_sent_again() {
        let area = Rect::new(0, 0, 6, 1);
        let mut shown = Buffer::empty(area);
        shown.set_string(0, 0, "abcdef", Style::new());
        let mut next = shown.clone();
        next.set_string(2, 0, "x", Style::new());
        let mut out = Vec::new();
        cells(&mut out, &shown.diff(&next), &next, Depth::True).expect("memory takes all");
        assert_eq!(String::from_utf8(out).expect("text"), "\x1b[1;3Hx");
    }

    #[test]
    fn without_colours_no_colour_code_is_sent() {
        assert_eq!(sent(Depth::Mono), "\x1b[1;2H\x1b[1m売a\x1b[0mb");
    }

    #[test]
    fn of_two_looks_only_the_difference_is_sent() {
        let area = Rect::new(0, 0, 5, 1);
        let ground = Style::new().bg(Color::Indexed(1));
        let mut next = Buffer::empty(area);
        next.set_string(0, 0, "a", ground.fg(Color::Indexed(2)).bold());
        next.set_string(1, 0, " ", ground);
        next.set_string(2, 0, "b", ground.fg(Color::Indexed(2)));
        next.set_string(3, 0, " ", ground.underlined());
        next.set_string(4, 0, "c", ground.fg(Color::Indexed(3)));
        let mut out = Vec::new();
        cells(&mut out, &Buffer::empty(area).diff(&next), &next, Depth::True).expect("all");
        let text = String::from_utf8(out).expect("text");
        let start = "\x1b[1;1H\x1b[1;38;5;2;48;5;1ma ";
        assert_eq!(text, format!("{start}\x1b[22mb\x1b[4;39m \x1b[24;38;5;3mc\x1b[0m"));
    }

    /// A frame of made-up cells: letters, blanks, wide letters, in few looks, with runs between.
    fn frame(area: Rect, seed: &mut u64) -> Buffer {
        let mut roll = |n: u16| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u16::try_from(*seed >> 48).expect("16 bits") % n
        };
        let mut frame = Buffer::empty(area);
        for y in 0..area.height {
            let mut x = 0;
            while x < area.width {
                let text = ["a", "b", " ", "  ", "売", "→", "xyz"][usize::from(roll(7))];
                let colours = [Color::Reset, Color::Red, Color::Rgb(1, 2, 3), Color::Indexed(99)];
                let weights = [
                    Modifier::empty(),
                    Modifier::BOLD,
                    Modifier::DIM,
                    Modifier::UNDERLINED | Modifier::ITALIC,
                    Modifier::REVERSED,
                ];
                let style = Style::reset()
                    .fg(colours[usize::from(roll(4))])
                    .bg(colours[usize::from(roll(4))])
                    .add_modifier(weights[usize::from(roll(5))]);
                // no frame of ours holds half a letter
                let before = x.checked_sub(1).map(|x| &mut frame[(x, y)]);
                if let Some(cell) = before.filter(|cell| cell.symbol().cell_width() > 1) {
                    cell.set_symbol(" ");
                }
                frame.set_string(x, y, text, style);
                x += 1 + roll(4);
            }
        }
        mark_halves(&mut frame);
        frame
    }

    /// What a terminal shows in a cell; of a blank one only what can be seen.
    fn seen(screen: &vt100::Screen, x: u16, y: u16) -> String {
        let cell = screen.cell(y, x).expect("on the screen");
        let letters = if cell.has_contents() { cell.contents() } else { " " };
        let weights = (cell.bold(), cell.dim(), cell.italic());
        let marks = (cell.underline(), cell.inverse());
        let shows = letters != " " || marks != (false, false);
        let letter = shows.then(|| (cell.fgcolor(), weights));
        format!("{letters:?} {letter:?} {marks:?} {:?}", cell.bgcolor())
    }

    #[test]
    fn a_terminal_shows_the_same_after_small_changes_as_after_everything() {
        let area = Rect::new(0, 0, 40, 6);
        let size = |n: u16| std::num::NonZero::new(n).expect("no size is zero");
        let mut seed = 7;
        let mut shown = Buffer::empty(area);
        let mut terminal = vt100::Parser::new(size(6), size(40), 0);
        for _ in 0..300 {
            let next = frame(area, &mut seed);
            let mut small = Vec::new();
            cells(&mut small, &shown.diff(&next), &next, Depth::True).expect("memory takes all");
            terminal.process(&small);
            let mut anew = vt100::Parser::new(size(6), size(40), 0);
            for y in 0..6 {
                let mut x = 0;
                while x < 40 {
                    let cell = &next[(x, y)];
                    let mut all = Vec::new();
                    cells(&mut all, &[(x, y, cell)], &next, Depth::True).expect("memory");
                    anew.process(&all);
                    x += cell.symbol().cell_width().max(1);
                }
            }
            for (x, y) in (0..6).flat_map(|y| (0..40).map(move |x| (x, y))) {
                let wide =
                    terminal.screen().cell(y, x).is_some_and(vt100::Cell::is_wide_continuation);
                if !wide {
                    let (a, b) = (seen(terminal.screen(), x, y), seen(anew.screen(), x, y));
                    assert_eq!(a, b, "cell {x}, {y}");
                }
            }
            shown = next;
        }
    }
}
