//! What stands in front of the panes: lists to choose from, and texts shown whole.
//!
//! What belongs here: one file for each overlay, with its state, keys and drawing. What must never
//! come: an overlay that only a mouse can close.
//! To add one: a file, a variant below, its row in the key table.

pub mod compare;
pub mod compare_view;
pub mod component;
pub mod component_view;
pub mod confirm;
pub mod copy_run;
pub mod help;
pub mod history;
pub mod history_view;
pub mod marks;
pub mod notices;
pub mod palette;
pub mod palette_rows;
pub mod queue;
pub mod schema;
pub mod schema_keys;
pub mod schema_search;
pub mod schema_view;
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
    /// A component looked into.
    Component(Box<component::Inspector>),
    /// Tables, columns and keys.
    Schema(schema::Browser),
    /// Two runs side by side.
    Compare(compare::Compare),
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
            Overlay::Component(inspector) if inspector.typing => Place::Find,
            Overlay::Component(_) => Place::Component,
            Overlay::Schema(browser) if browser.typing => Place::Find,
            Overlay::Schema(_) => Place::Schema,
            Overlay::Compare(_) => Place::Compare,
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
            Overlay::Component(inspector) => inspector.typing.then_some(&mut inspector.find),
            Overlay::Schema(browser) => browser.typing.then_some(&mut browser.filter),
            Overlay::Queue(_)
            | Overlay::Notices(_)
            | Overlay::Text(_)
            | Overlay::Compare(_)
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
        Some(Overlay::Component(_)) => component::act(app, action),
        Some(Overlay::Schema(_)) => schema::act(app, action),
        Some(Overlay::Compare(_)) => compare::act(app, action),
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
        Some(Overlay::Component(_)) => component::typed(app),
        Some(Overlay::Schema(_)) => schema::typed(app),
        Some(
            Overlay::Queue(_)
            | Overlay::Notices(_)
            | Overlay::Text(_)
            | Overlay::Compare(_)
            | Overlay::Stops(_)
            | Overlay::Marks(_)
            | Overlay::CopyRun(_)
            | Overlay::Confirm,
        )
        | None => {}
    }
    palette::preview(app);
}

/// Returns the place of the overlay in front, with its frame.
pub fn area(app: &App, body: Rect) -> Option<Rect> {
    Some(match app.overlay.as_ref()? {
        Overlay::Help(_) => help::area(body),
        Overlay::Palette(_) => palette::area(body),
        Overlay::Runs(_) => history_view::area(body),
        Overlay::Queue(_) => queue::area(app, body),
        Overlay::Notices(_) => notices::area(body),
        Overlay::Text(_) => text::area(body),
        Overlay::Component(_) => component_view::area(body),
        Overlay::Schema(_) | Overlay::Compare(_) => body,
        Overlay::Stops(_) => stops::area(body),
        Overlay::Marks(_) => marks::area(app, body),
        Overlay::Seek(_) => seek::area(app, body),
        Overlay::CopyRun(_) => copy_run::area(body),
        Overlay::Confirm => confirm::area(body),
    })
}

/// Returns where the keys of the overlay in front are found.
pub fn place_of(app: &App) -> Option<Place> {
    app.overlay.as_ref().map(Overlay::place)
}

/// Returns the row of a list at a cell; none beside its rows.
pub fn row_at(app: &App, x: u16, y: u16) -> Option<usize> {
    let area = area(app, super::layout::Layout::of(app).body)?;
    if !inner(area).contains(ratatui::layout::Position { x, y }) {
        return None;
    }
    match app.overlay.as_ref()? {
        Overlay::Help(help) => help::row_at(app, help, y),
        Overlay::Palette(palette) => palette::row_at(app, palette, y),
        Overlay::Runs(runs) => history_view::row_at(app, runs, y),
        Overlay::Queue(waiting) => queue::row_at(app, waiting, y),
        Overlay::Notices(said) => notices::row_at(app, said, y),
        Overlay::Stops(_) => stops::row_at(super::layout::Layout::of(app).body, y),
        Overlay::Marks(list) => marks::row_at(app, list, y),
        Overlay::CopyRun(_) => copy_run::row_at(super::layout::Layout::of(app).body, y),
        Overlay::Schema(browser) => schema_view::row_at(app, browser, x, y),
        Overlay::Text(_)
        | Overlay::Component(_)
        | Overlay::Compare(_)
        | Overlay::Seek(_)
        | Overlay::Confirm => None,
    }
}

/// Puts the cursor of a list on a row; tells whether it was there already.
pub fn point(app: &mut App, row: usize) -> bool {
    let cursor = match &mut app.overlay {
        Some(Overlay::Help(help)) => &mut help.cursor,
        Some(Overlay::Palette(palette)) => &mut palette.cursor,
        Some(Overlay::Runs(runs)) => &mut runs.cursor,
        Some(Overlay::Queue(waiting)) => &mut waiting.cursor,
        Some(Overlay::Notices(said)) => &mut said.cursor,
        Some(Overlay::Stops(list)) => &mut list.cursor,
        Some(Overlay::Marks(list)) => &mut list.cursor,
        Some(Overlay::CopyRun(list)) => &mut list.cursor,
        Some(Overlay::Schema(browser)) => &mut browser.cursor,
        Some(
            Overlay::Text(_)
            | Overlay::Component(_)
            | Overlay::Compare(_)
            | Overlay::Seek(_)
            | Overlay::Confirm,
        )
        | None => return false,
    };
    let there = cursor.at == row;
    cursor.at = row;
    palette::preview(app);
    there
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
        Some(Overlay::Component(inspector)) => component_view::draw(app, inspector, pen, body),
        Some(Overlay::Schema(browser)) => schema_view::draw(app, browser, pen, body),
        Some(Overlay::Compare(compare)) => compare_view::draw(app, compare, pen, body),
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
