//! What stands in front of the panes: lists to choose from, and texts shown whole.
//!
//! What belongs here: one file for each overlay, with its state, keys and drawing. What must never
//! come: an overlay that only a mouse can close.
//! To add one: a file, a variant below, its row in the key table.

pub mod confirm;
pub mod copy_run;
pub mod explain;
pub mod help;
pub mod history;
pub mod history_view;
pub mod marks;
pub mod notices;
pub mod palette;
pub mod palette_rows;
pub mod queue;
pub mod seek;
pub mod stops;
pub mod text;

use ratatui::layout::Rect;

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::keymap::{Place, Press};
use super::theme::Role;
use super::widgets::list::{Cursor, Move};
use super::widgets::pen::{Frame, Pen};

/// What stands in front.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// All keys.
    Help(help::Help),
    /// All commands and choices.
    Palette(palette::Palette),
    /// Past runs.
    Runs(history::Runs),
    /// Questions that wait.
    Queue(queue::Waiting),
    /// What was said.
    Notices(notices::Said),
    /// A text, a cell or an event shown whole.
    Text(text::Whole),
    /// How the engine would run the SQL.
    Explain(explain::Explained),
    /// Where runs wait.
    Stops(stops::StopsList),
    /// Marked events.
    Marks(marks::Marks),
    /// Words looked for in the trace.
    Seek(seek::Seek),
    /// Forms to copy the run in.
    CopyRun(copy_run::CopyRun),
    /// Leaving with unsaved text.
    Confirm,
}

impl Overlay {
    /// Returns where its keys are found.
    pub fn place(&self) -> Place {
        match self {
            Overlay::Help(_) => Place::Help,
            Overlay::Palette(_) => Place::Palette,
            Overlay::Runs(runs) if runs.searching => Place::Search,
            Overlay::Runs(_) => Place::Runs,
            Overlay::Queue(_) => Place::Queue,
            Overlay::Notices(_) => Place::Notices,
            Overlay::Text(_) => Place::Text,
            Overlay::Explain(_) => Place::Explain,
            Overlay::Stops(_) => Place::Stops,
            Overlay::Marks(_) => Place::Marks,
            Overlay::Seek(_) => Place::Seek,
            Overlay::CopyRun(_) => Place::CopyRun,
            Overlay::Confirm => Place::Confirm,
        }
    }

    /// Returns what is typed to narrow the list, where there is one.
    pub fn filter(&mut self) -> Option<&mut String> {
        match self {
            Overlay::Help(help) => Some(&mut help.filter),
            Overlay::Palette(palette) => Some(&mut palette.filter),
            Overlay::Runs(runs) => runs.searching.then_some(&mut runs.filter),
            Overlay::Seek(seek) => Some(&mut seek.filter),
            Overlay::Queue(_)
            | Overlay::Notices(_)
            | Overlay::Text(_)
            | Overlay::Explain(_)
            | Overlay::Stops(_)
            | Overlay::Marks(_)
            | Overlay::CopyRun(_)
            | Overlay::Confirm => None,
        }
    }
}

/// Does an action in the overlay in front.
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match &app.overlay {
        Some(Overlay::Help(_)) => help::act(app, action),
        Some(Overlay::Palette(_)) => palette::act(app, action),
        Some(Overlay::Runs(_)) => history::act(app, action),
        Some(Overlay::Queue(_)) => queue::act(app, action),
        Some(Overlay::Notices(_)) => notices::act(app, action),
        Some(Overlay::Text(_)) => text::act(app, action),
        Some(Overlay::Explain(_)) => explain::act(app, action),
        Some(Overlay::Stops(_)) => stops::act(app, action),
        Some(Overlay::Marks(_)) => marks::act(app, action),
        Some(Overlay::Seek(_)) => seek::act(app, action),
        Some(Overlay::CopyRun(_)) => copy_run::act(app, action),
        Some(Overlay::Confirm) => confirm::act(app, action),
        None => Vec::new(),
    }
}

/// Types into the overlay's filter.
pub fn typed(app: &mut App, press: Press) {
    use crossterm::event::KeyCode;
    let Some(filter) = app.overlay.as_mut().and_then(Overlay::filter) else { return };
    match (press.code, press.letter()) {
        (_, Some(c)) => filter.push(c),
        (KeyCode::Backspace, _) => {
            filter.pop();
        }
        _ => return,
    }
    match &mut app.overlay {
        Some(Overlay::Help(help)) => help.cursor = Cursor::default(),
        Some(Overlay::Palette(palette)) => palette.cursor = Cursor::default(),
        Some(Overlay::Runs(runs)) => runs.cursor = Cursor::default(),
        Some(Overlay::Seek(_)) => seek::typed(app),
        Some(
            Overlay::Queue(_)
            | Overlay::Notices(_)
            | Overlay::Text(_)
            | Overlay::Explain(_)
            | Overlay::Stops(_)
            | Overlay::Marks(_)
            | Overlay::CopyRun(_)
            | Overlay::Confirm,
        )
        | None => {}
    }
    palette::preview(app);
}

/// Returns the first line to show so that line `at` is in the window; `head` is the heading it
/// stands under, when that is the line above.
pub fn scrolled(top: usize, at: usize, head: bool, height: usize) -> usize {
    let first = at - usize::from(head && at > 0);
    if first < top {
        first
    } else if at >= top + height {
        at + 1 - height.max(1)
    } else {
        top
    }
}

/// Returns how an action moves the cursor of a list; none when it doesn't.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other actions move nothing")]
pub fn step(action: Action) -> Option<Move> {
    match action {
        Action::Up => Some(Move::By(-1)),
        Action::Down => Some(Move::By(1)),
        Action::PageUp => Some(Move::By(-10)),
        Action::PageDown => Some(Move::By(10)),
        Action::Top => Some(Move::First),
        Action::Bottom => Some(Move::Last),
        _ => None,
    }
}

/// Draws the overlay in front.
pub fn draw(app: &App, pen: &mut Pen<'_>, body: Rect) {
    match &app.overlay {
        Some(Overlay::Help(help)) => help::draw(app, help, pen, body),
        Some(Overlay::Palette(palette)) => palette::draw(app, palette, pen, body),
        Some(Overlay::Runs(runs)) => history_view::draw(app, runs, pen, body),
        Some(Overlay::Queue(waiting)) => queue::draw(app, waiting, pen, body),
        Some(Overlay::Notices(said)) => notices::draw(app, said, pen, body),
        Some(Overlay::Text(whole)) => text::draw(app, whole, pen, body),
        Some(Overlay::Explain(explained)) => explain::draw(app, explained, pen, body),
        Some(Overlay::Stops(list)) => stops::draw(app, list, pen, body),
        Some(Overlay::Marks(list)) => marks::draw(app, list, pen, body),
        Some(Overlay::Seek(seek)) => seek::draw(app, seek, pen, body),
        Some(Overlay::CopyRun(list)) => copy_run::draw(app, list, pen, body),
        Some(Overlay::Confirm) => confirm::draw(app, pen, body),
        None => {}
    }
}

/// Returns the place of an overlay of at most this size in the middle of the screen.
pub fn place(body: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(body.width);
    let height = height.min(body.height);
    let x = body.x + (body.width - width) / 2;
    let y = body.y + (body.height - height) / 3;
    Rect::new(x, y, width, height)
}

/// Returns the place inside an overlay's frame.
pub fn inner(area: Rect) -> Rect {
    Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2))
}

/// Clears a place and frames it; returns the place inside.
pub fn front(app: &App, pen: &mut Pen<'_>, area: Rect, title: &str, place: Place) -> Rect {
    pen.fill(area, Role::Overlay);
    let mut foot = Vec::new();
    for (key, words) in app.keys.foot(place).chain(app.keys.foot(Place::Overlay)) {
        if !foot.is_empty() {
            foot.push(pen.piece(" · ", Role::Dim));
        }
        foot.push(pen.piece(key, Role::Key));
        foot.push(pen.piece(format!(" {words}"), Role::Dim));
    }
    let title = vec![pen.piece(title, Role::TitleFocus)];
    pen.frame(area, &Frame { title, right: Vec::new(), foot, focused: true })
}

/// Draws the line that narrows a list.
pub fn filter_line(pen: &mut Pen<'_>, area: Rect, filter: &str, hint: &str) {
    let x = pen.text(area.x + 1, area.y, area.width.saturating_sub(2), "› ", Role::Accent);
    let room = area.right().saturating_sub(x + 1);
    if filter.is_empty() {
        pen.text(x, area.y, room, hint, Role::Dim);
    } else {
        let end = pen.text(x, area.y, room, filter, Role::Text);
        pen.text(end, area.y, 1, "▏", Role::Accent);
    }
}

/// Tells whether each word of a filter is in a text, whatever the letter case.
pub fn holds(text: &str, filter: &str) -> bool {
    let text = text.to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
