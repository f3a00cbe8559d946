//! The terminal: taken over, written to cell by changed cell, and given back whatever happens.
//!
//! Cells are written by our own few lines, so that without colours not one colour code is sent, and
//! nothing is sent when nothing changed.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

use super::app::App;
use super::linear::{Teller, Telling};
use super::theme::Depth;
use super::view;

/// The terminal is ours right now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The workbench is told as lines, and there is no screen of ours to leave.
static LINES: AtomicBool = AtomicBool::new(false);

/// Tells whether there is a terminal to be shown on.
pub(super) fn there() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Asks the terminal for its columns and rows; one that doesn't tell is taken for 80 × 24.
pub(super) fn size() -> (u16, u16) {
    let told = crossterm::terminal::size().ok();
    told.filter(|(width, height)| *width > 0 && *height > 0).unwrap_or((80, 24))
}

/// The screen: what stands on it, and what shall.
pub(super) struct Screen {
    out: io::BufWriter<io::Stdout>,
    shown: Buffer,
    next: Buffer,
    cursor: Option<Position>,
    depth: Depth,
    /// What was told, where the workbench is told as lines.
    teller: Option<Teller>,
}

impl Screen {
    /// Takes the terminal over. It is given back on drop, and before a panic is told.
    ///
    /// Where the workbench is told as lines, they scroll by below what stands there.
    pub(super) fn take(depth: Depth, mouse: bool, linear: bool) -> io::Result<Self> {
        crossterm::terminal::enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        LINES.store(linear, Ordering::SeqCst);
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
        if linear {
            queue!(out, EnableBracketedPaste)?;
        } else {
            queue!(out, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
        }
        if mouse && !linear {
            queue!(out, EnableMouseCapture)?;
        }
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |told| {
            give_back();
            former(told);
        }));
        let (width, height) = size();
        let area = Rect::new(0, 0, width, height);
        Ok(Screen {
            out,
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            cursor: None,
            depth,
            teller: linear.then(Teller::default),
        })
    }

    /// Shows the workbench: as a frame, or as the lines that are new.
    pub(super) fn show(&mut self, app: &App) -> io::Result<()> {
        match &mut self.teller {
            None => self.draw(|cells| view::draw(app, cells)),
            Some(teller) => match teller.tell(app) {
                Some(telling) => lines(&mut self.out, &telling, self.next.area.width),
                None => self.out.flush(),
            },
        }
    }

    /// Returns columns and rows.
    pub(super) fn size(&self) -> (u16, u16) {
        (self.next.area.width, self.next.area.height)
    }

    /// Takes a new size; everything is drawn anew.
    pub(super) fn resize(&mut self, width: u16, height: u16) {
        let area = Rect::new(0, 0, width, height);
        if self.next.area != area {
            self.next = Buffer::empty(area);
            self.forget();
        }
    }

    /// Forgets what stands on the screen, so that everything is drawn anew.
    pub(super) fn forget(&mut self) {
        if let Some(teller) = &mut self.teller {
            *teller = Teller::default();
            return;
        }
        self.shown = Buffer::empty(self.next.area);
        // a failing terminal shows at the next frame
        let _ = queue!(self.out, crossterm::terminal::Clear(crossterm::terminal::ClearType::All));
    }

    /// Draws one frame: only cells that changed are sent, and nothing when none did.
    pub(super) fn draw(
        &mut self,
        view: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        self.next.reset();
        let cursor = view(&mut self.next);
        let changes = self.shown.diff(&self.next);
        if changes.is_empty() && cursor == self.cursor {
            return self.out.flush();
        }
        // one frame is shown as one, where the terminal knows how
        self.out.write_all(b"\x1b[?2026h")?;
        if !changes.is_empty() && self.cursor.is_some() {
            queue!(self.out, cursor::Hide)?;
        }
        let hidden = !changes.is_empty() || self.cursor.is_none();
        cells(&mut self.out, &changes, self.depth)?;
        match cursor {
            Some(at) => {
                queue!(self.out, cursor::MoveTo(at.x, at.y))?;
                if hidden {
                    queue!(self.out, cursor::Show)?;
                }
            }
            None if !hidden => queue!(self.out, cursor::Hide)?,
            None => {}
        }
        self.out.write_all(b"\x1b[?2026l")?;
        self.out.flush()?;
        self.cursor = cursor;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(())
    }

    /// Puts a text into the terminal's clipboard, byte for byte.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.out, CopyToClipboard::to_clipboard_from(text))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // what was not written yet would come after the screen was given back
        let _ = self.out.flush();
        give_back();
    }
}

/// Gives the terminal back as it was; a second call does nothing.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // a lost terminal takes nothing, and needs nothing
    if LINES.load(Ordering::SeqCst) {
        let _ = execute!(out, DisableBracketedPaste);
        let _ = out.write_all(b"\r\n");
        let _ = crossterm::terminal::disable_raw_mode();
        return;
    }
    let _ = execute!(
        out,
        DisableMouseCapture,
        DisableBracketedPaste,
        cursor::Show,
        LeaveAlternateScreen
    );
    let _ = crossterm::terminal::disable_raw_mode();
}

/// Writes lines that stay, then the line that is typed on, its end where it is too long.
fn lines(out: &mut impl Write, telling: &Telling, width: u16) -> io::Result<()> {
    out.write_all(b"\r\x1b[K")?;
    for line in &telling.lines {
        write!(out, "{line}\r\n")?;
    }
    let most = usize::from(width.max(2) - 1);
    let over = telling.prompt.chars().count().saturating_sub(most);
    let seen: String = telling.prompt.chars().skip(over).collect();
    out.write_all(seen.as_bytes())?;
    let behind = telling.behind.min(most);
    if behind > 0 {
        write!(out, "\x1b[{behind}D")?;
    }
    out.flush()
}

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
fn cells(out: &mut impl Write, changes: &[(u16, u16, &Cell)], depth: Depth) -> io::Result<()> {
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
    fn lines_scroll_by_and_the_one_typed_on_is_written_anew() {
        let telling = Telling {
            lines: vec!["one".into(), "two".into()],
            prompt: "question: abc".into(),
            behind: 1,
        };
        let mut out = Vec::new();
        lines(&mut out, &telling, 12).expect("memory takes all");
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text, "\r\x1b[Kone\r\ntwo\r\nestion: abc\x1b[1D");
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
