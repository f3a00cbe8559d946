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

use super::theme::Depth;

/// The terminal is ours right now.
static TAKEN: AtomicBool = AtomicBool::new(false);

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
    mouse: bool,
    /// The terminal was given back for a while.
    away: bool,
}

impl Screen {
    /// Takes the terminal over. It is given back on drop, and before a panic is told.
    pub(super) fn take(depth: Depth, mouse: bool) -> io::Result<Self> {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
        take_over(&mut out, mouse)?;
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
            mouse,
            away: false,
        })
    }

    /// Gives the terminal back and stops the program, until the shell lets it go on.
    ///
    /// All of the shell's job is stopped, as its own key would: whoever started us stops with us.
    /// Where there is no shell to go back to, the system lets us go on at once.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        self.out.flush()?;
        give_back();
        self.away = true;
        Ok(rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?)
    }

    /// Tells whether the terminal is given back for a while.
    pub(super) fn away(&self) -> bool {
        self.away
    }

    /// Takes the terminal again; everything is drawn anew.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        self.away = false;
        take_over(&mut self.out, self.mouse)?;
        self.cursor = None;
        self.forget();
        Ok(())
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
        self.shown = Buffer::empty(self.next.area);
        // a failing terminal shows at the next frame
        let _ = queue!(self.out, crossterm::terminal::Clear(crossterm::terminal::ClearType::All));
    }

    /// Draws one frame: only cells that changed are sent, and nothing when none did.
    pub(super) fn draw(
        &mut self,
        view: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        if self.away {
            return Ok(());
        }
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

/// Takes the terminal over.
fn take_over(out: &mut impl Write, mouse: bool) -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    queue!(out, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    Ok(())
}

/// Gives the terminal back as it was; a second call does nothing.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // a lost terminal takes nothing, and needs nothing
    let _ = execute!(
        out,
        DisableMouseCapture,
        DisableBracketedPaste,
        cursor::Show,
        LeaveAlternateScreen
    );
    let _ = crossterm::terminal::disable_raw_mode();
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
    fn without_colours_no_colour_code_is_sent() {
        assert_eq!(sent(Depth::Mono), "\x1b[1;2H\x1b[0;1m売a\x1b[0mb");
    }

    /// What a panic leaves is seen from outside: this test takes the terminal it is started in, and
    /// panics. It is started by the next one alone.
    #[test]
    #[ignore = "takes the terminal; started by the test below, on a terminal of its own"]
    fn a_harness_that_takes_the_terminal_and_panics() {
        let mut screen = Screen::take(Depth::True, true).expect("a terminal");
        screen
            .draw(|cells| {
                cells.set_string(0, 0, "drawn", Style::new());
                None
            })
            .expect("a frame");
        panic!("on purpose");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_told() {
        use std::io::Read;

        use portable_pty::{CommandBuilder, PtySize, native_pty_system};

        let pair = native_pty_system().openpty(PtySize::default()).expect("a pty");
        let mut command = CommandBuilder::new(std::env::current_exe().expect("this test"));
        let harness = "tui::terminal::tests::a_harness_that_takes_the_terminal_and_panics";
        command.args(["--exact", harness, "--ignored", "--nocapture"]);
        let mut child = pair.slave.spawn_command(command).expect("it starts");
        drop(pair.slave);
        let mut told = Vec::new();
        // the end of a pty is an error on some systems
        let _ = pair.master.try_clone_reader().expect("a reader").read_to_end(&mut told);
        assert!(!child.wait().expect("an end").success());
        let told = String::from_utf8_lossy(&told).into_owned();
        let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("no {text:?} in {told:?}"));
        let drawn = at("drawn");
        let words = at("on purpose");
        for restored in ["\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l", "\x1b[?1000l"] {
            let back = at(restored);
            assert!(drawn < back && back < words, "{restored:?} in {told:?}");
        }
    }
}
