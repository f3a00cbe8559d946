//! The workbench: five panes over the event stream.
//!
//! What belongs here: keys to actions, messages to state, state to cells. What must never come:
//! thinking about questions or SQL.
//!
//! A message goes through `App::apply` (pure), which answers with effects; `perform` does them, and
//! is the only part that waits for others; `view` draws the state. To add an action: a variant in
//! `action.rs`, a row in the key table, an arm in the pane or overlay that does it.

pub mod action;
pub mod app;
mod asking;
mod cells;
pub mod changes;
mod colours;
pub mod compare;
pub mod drafts;
pub mod effect;
mod furnish;
mod header;
mod highlight;
mod hints;
pub mod kept;
pub mod keymap;
mod keytable;
pub mod layout;
mod leaving;
pub mod linear;
pub mod moment;
pub mod mouse;
pub mod msg;
pub mod overlays;
pub mod panes;
pub mod pause;
mod perform;
mod picking;
mod place;
pub mod press;
mod queue;
pub mod said;
pub mod sense;
pub mod splits;
mod status;
mod switching;
mod terminal;
pub mod theme;
mod theme_file;
mod typing;
pub mod update;
pub mod view;
pub mod waits;
pub mod widgets;

use std::time::Duration;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::pipeline::Setup;

use app::App;
use effect::{Effect, Terms};
use keymap::{Keymap, Press};
use msg::{Mouse, Msg};
use perform::Performer;
use terminal::Screen;
use theme::Depth;
use widgets::chart::Dots;

/// Between frames: 60 a second.
const FRAME: Duration = Duration::from_micros(16_667);

/// Frames that may come at once after a rest: a key's, its first rows', its end's.
const AT_ONCE: u32 = 4;

/// How long we wait to be stopped after the terminal was given back.
const AWAY: Duration = Duration::from_millis(300);

/// Messages taken at once before a frame is drawn.
const BATCH: usize = 1_024;

/// What the workbench starts with.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// Session to open.
    pub setup: Setup,
    /// SQL to run at once.
    pub sql: Option<String>,
}

/// Why the workbench can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// There is no terminal.
    #[error("the workbench needs a terminal")]
    NoTerminal,
    /// The terminal failed.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] std::io::Error),
}

/// Shows the workbench until it is left. Returns the exit code: 0, or 128 + signal.
pub async fn run(start: Start) -> Result<u8, TuiError> {
    if !terminal::there() {
        return Err(TuiError::NoTerminal);
    }
    let signals = Signals::listen()?;
    let mut app = state(&start);
    let mut screen = Screen::take(app.depth, app.config.mouse, app.linear)?;
    let (width, height) = screen.size();
    app.resize(width, height);
    // the first frame comes before anything is opened
    screen.show(&app)?;
    let (performer, inbox) = Performer::new(start.setup);
    let mut bench = Bench { app, screen, performer, started: Instant::now() };
    let open = bench.app.open();
    bench.perform(open);
    let code = bench.work(inbox, signals).await;
    let Bench { screen, performer, .. } = bench;
    drop(screen);
    performer.close().await;
    code
}

/// Makes the state, with the person's own keys and themes, and what was remembered.
fn state(start: &Start) -> App {
    let config = start.setup.config.clone();
    let env = |name: &str| std::env::var(name).ok();
    let depth =
        Depth::of(env("NO_COLOR").as_deref(), env("COLORTERM").as_deref(), env("TERM").as_deref());
    let linear = config.linear;
    let depth = if linear { Depth::Mono } else { depth };
    let found = furnish::found(&config.places);
    let terms = Terms {
        database: start.setup.database.clone(),
        model: start.setup.model.clone(),
        privacy: start.setup.privacy,
    };
    let mut app = App::new(config, terms, depth, Keymap::none());
    app.linear = linear;
    app.furnish(found);
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env).find(|v| !v.is_empty());
    app.dots = Dots::of(env("TERM").as_deref(), locale.as_deref());
    app.waiting_sql.clone_from(&start.sql);
    app
}

/// Signals that end the workbench, and the one that tells of a new size.
///
/// They are listened to before the size is first read: a terminal that changes its size while we
/// start is then noticed in any case.
struct Signals {
    terminate: Signal,
    hangup: Signal,
    interrupt: Signal,
    resized: Signal,
    continued: Signal,
}

/// What a signal wants.
enum Signalled {
    /// To leave with an exit code.
    Leave(u8),
    /// To take the terminal's new size.
    Resize,
    /// To take the terminal again.
    Continue,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            resized: signal(SignalKind::window_change())?,
            continued: signal(SignalKind::from_raw(libc::SIGCONT))?,
        })
    }

    /// Waits for a signal.
    async fn next(&mut self) -> Signalled {
        tokio::select! {
            _ = self.terminate.recv() => Signalled::Leave(128 + 15),
            _ = self.hangup.recv() => Signalled::Leave(128 + 1),
            _ = self.interrupt.recv() => Signalled::Leave(128 + 2),
            _ = self.resized.recv() => Signalled::Resize,
            _ = self.continued.recv() => Signalled::Continue,
        }
    }
}

/// When frames may be drawn: 60 a second, and a few at once after a rest (a leaky bucket), so that
/// what comes first is seen first.
struct Pace {
    /// When all frames so far would have been drawn at 60 a second.
    even: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { even: Instant::now() }
    }
}

impl Pace {
    /// Returns when the next frame may be drawn.
    fn next(&self) -> Instant {
        self.even.checked_sub(FRAME * (AT_ONCE - 1)).unwrap_or(self.even)
    }

    /// Counts a frame.
    fn drawn(&mut self) {
        let now = Instant::now();
        // keys are drawn whenever they come: they must not hold back what moves by itself for long
        self.even = (self.even.max(now) + FRAME).min(now + FRAME * AT_ONCE);
    }
}

/// State, screen, and whoever does what is wanted.
struct Bench {
    app: App,
    screen: Screen,
    performer: Performer,
    started: Instant,
}

impl Bench {
    /// The loop: wait for one message, take all that are ready, update, draw once.
    async fn work(
        &mut self,
        mut inbox: mpsc::Receiver<Msg>,
        mut signals: Signals,
    ) -> Result<u8, TuiError> {
        let mut events = self.performer.listen();
        let mut pace = Pace::default();
        let mut due = true;
        loop {
            let mut batch = Vec::new();
            let mut pressed = false;
            let moving = self.app.moving();
            let tick = Duration::from_millis(panes::play::beat(&self.app));
            tokio::select! {
                biased;
                signal = signals.next() => match signal {
                    Signalled::Leave(code) => return Ok(code),
                    Signalled::Resize => {
                        let (width, height) = terminal::size();
                        batch.push(Msg::Size(width, height));
                    }
                    Signalled::Continue => batch.push(self.come_back()?),
                },
                event = events.recv() => match event {
                    Some(event) => {
                        pressed = true;
                        batch.extend(message(&event?));
                    }
                    None => return Ok(128 + 1),
                },
                msg = inbox.recv() => batch.extend(msg),
                () = tokio::time::sleep_until(pace.next()), if due => {}
                // nobody stopped us: there is no shell to go back to
                () = tokio::time::sleep(AWAY), if self.screen.away() => {
                    batch.push(self.come_back()?);
                }
                () = tokio::time::sleep(tick), if moving => due = true,
            }
            while batch.len() < BATCH
                && let Ok(event) = events.try_recv()
            {
                pressed = true;
                batch.extend(message(&event?));
            }
            while batch.len() < BATCH
                && let Ok(msg) = inbox.try_recv()
            {
                batch.push(msg);
            }
            due |= !batch.is_empty();
            self.act_on(batch);
            if let Some(code) = self.app.leave {
                return Ok(code);
            }
            if due && (pressed || pace.next() <= Instant::now()) {
                self.draw()?;
                pace.drawn();
                due = false;
            }
        }
    }

    /// Takes the terminal again after a while in the shell.
    fn come_back(&mut self) -> std::io::Result<Msg> {
        self.screen.take_again()?;
        let (width, height) = terminal::size();
        Ok(Msg::Size(width, height))
    }

    fn draw(&mut self) -> std::io::Result<()> {
        // told as lines, the workbench has a size of its own, and the terminal another
        let (width, height) = if self.app.linear { terminal::size() } else { self.app.size };
        self.screen.resize(width, height);
        self.screen.show(&self.app)
    }

    /// Takes messages in order, and does at once what they want.
    fn act_on(&mut self, batch: Vec<Msg>) {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let effects = self.app.apply(Msg::Clock(now));
        self.perform(effects);
        for msg in batch {
            let effects = self.app.apply(msg);
            self.perform(effects);
        }
    }

    /// Does effects; what is answered at once is taken before the next frame.
    fn perform(&mut self, effects: Vec<Effect>) {
        let mut queue = std::collections::VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            for msg in self.performer.perform(effect, &mut self.screen) {
                queue.extend(self.app.apply(msg));
            }
        }
    }
}

/// Makes a sentence of an error's words.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let rest = letters.as_str();
    let stop = if rest.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{rest}{stop}")
}

/// Makes a message of what the terminal sent, if it means anything here.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other mouse events mean nothing")]
fn message(event: &Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(Press::of(*key))),
        Event::Paste(text) => Some(Msg::Paste(text.clone())),
        Event::Resize(width, height) => Some(Msg::Size(*width, *height)),
        Event::Mouse(mouse) => {
            let what = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => Mouse::Press,
                MouseEventKind::Drag(MouseButton::Left) => Mouse::Drag,
                MouseEventKind::Up(MouseButton::Left) => Mouse::Release,
                MouseEventKind::ScrollUp => Mouse::WheelUp,
                MouseEventKind::ScrollDown => Mouse::WheelDown,
                _ => return None,
            };
            Some(Msg::Mouse(what, mouse.column, mouse.row))
        }
        Event::Key(_) | Event::FocusGained | Event::FocusLost => None,
    }
}
