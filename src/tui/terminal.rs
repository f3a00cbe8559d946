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
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::app::App;
use super::cells::{cells, mark_halves};
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
    mouse: bool,
    /// The terminal was given back for a while.
    away: bool,
    /// What was told, where the workbench is told as lines.
    teller: Option<Teller>,
}

impl Screen {
    /// Takes the terminal over. It is given back on drop, and before a panic is told.
    ///
    /// Where the workbench is told as lines, they scroll by below what stands there.
    pub(super) fn take(depth: Depth, mouse: bool, linear: bool) -> io::Result<Self> {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
        take_over(&mut out, mouse, linear)?;
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
            teller: linear.then(Teller::default),
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
        take_over(&mut self.out, self.mouse, self.teller.is_some())?;
        self.cursor = None;
        self.forget();
        Ok(())
    }

    /// Shows the workbench: as a frame, or as the lines that are new; nothing while the terminal is
    /// given back.
    pub(super) fn show(&mut self, app: &App) -> io::Result<()> {
        if self.away {
            return Ok(());
        }
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
        if self.next.area == area {
            return;
        }
        self.next = Buffer::empty(area);
        // lines that scrolled by are read: another width changes only those to come
        if self.teller.is_none() {
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
        mark_halves(&mut self.next);
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
        cells(&mut self.out, &changes, &self.next, self.depth)?;
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
fn take_over(out: &mut impl Write, mouse: bool, linear: bool) -> io::Result<()> {
    crossterm::terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    LINES.store(linear, Ordering::SeqCst);
    if linear {
        return queue!(out, EnableBracketedPaste);
    }
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

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

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

    /// Takes the terminal this test was started in, and panics.
    fn panic_on_the_terminal() -> ! {
        let mut screen = Screen::take(Depth::True, true, false).expect("a terminal");
        screen
            .draw(|cells| {
                cells.set_string(0, 0, "drawn", Style::new());
                None
            })
            .expect("a frame");
        panic!("on purpose");
    }

    /// What a panic leaves is seen from outside: the test starts itself on a terminal of its own.
    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_told() {
        use std::io::Read;

        use portable_pty::{CommandBuilder, PtySize, native_pty_system};

        const INSIDE: &str = "QUERENT_TEST_PANICS";
        if std::env::var_os(INSIDE).is_some() {
            panic_on_the_terminal();
        }
        let pair = native_pty_system().openpty(PtySize::default()).expect("a pty");
        let mut command = CommandBuilder::new(std::env::current_exe().expect("this test"));
        let this = "tui::terminal::tests::a_panic_gives_the_terminal_back_before_it_is_told";
        command.args(["--exact", this, "--nocapture"]);
        command.env(INSIDE, "1");
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
