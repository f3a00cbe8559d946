//! What stands in front of the panes: lists to choose from, and texts shown whole.
//!
//! What belongs here: one file for each overlay, with its state, keys and drawing. What must never
//! come: an overlay that only a mouse can close.
//! To add one: a file, a variant below, its row in the key table.

pub mod cell;
pub mod chart_list;
pub mod chart_path;
pub mod columns;
pub mod compare;
pub mod compare_view;
pub mod component;
pub mod component_view;
pub mod confirm;
pub mod copy_run;
pub mod copying;
pub mod explain;
pub mod export;
pub mod figures;
pub mod help;
pub mod history;
pub mod history_view;
pub mod ledger;
pub mod marks;
pub mod notices;
pub mod palette;
pub mod palette_rows;
pub mod prompt;
pub mod queue;
pub mod record;
pub mod schema;
pub mod schema_keys;
pub mod schema_search;
pub mod schema_view;
pub mod seek;
pub mod stops;
pub mod text;
pub mod verify;

use ratatui::layout::Rect;

use crate::shown::Shown;

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::hints;
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
    /// What repairs and gates did in past runs.
    Ledger(ledger::LedgerView),
    /// Questions that wait.
    Queue(queue::Waiting),
    /// What was said.
    Notices(notices::Said),
    /// A text, a cell or an event shown whole.
    Text(text::Whole),
    /// How the engine would run the SQL.
    Explain(explain::Explained),
    /// Kinds or columns of a chart to choose from.
    ChartList(chart_list::List),
    /// Where a chart is saved.
    ChartPath(chart_path::Path),
    /// A cell of the result shown whole.
    Cell(cell::CellView),
    /// A row of the result shown whole.
    Record(record::Record),
    /// The columns of the result.
    Columns(columns::ColumnList),
    /// Figures of a column.
    Figures(figures::Figures),
    /// What to copy of the result, and as what.
    Copying(copying::Copying),
    /// Writing the result into a file.
    Export(export::ExportForm),
    /// A line asked for at the foot of the result.
    Prompt(prompt::Prompt),
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
    /// Marking a pair as verified.
    Verify(verify::Pair),
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
            Overlay::Ledger(_) => Place::Ledger,
            Overlay::Queue(_) => Place::Queue,
            Overlay::Notices(_) => Place::Notices,
            Overlay::Text(_) => Place::Text,
            Overlay::Explain(_) => Place::Explain,
            Overlay::ChartList(_) => Place::ChartList,
            Overlay::ChartPath(_) => Place::ChartPath,
            Overlay::Cell(_) => Place::Cell,
            Overlay::Record(_) => Place::Record,
            Overlay::Columns(_) => Place::Columns,
            Overlay::Figures(_) => Place::Figures,
            Overlay::Copying(_) => Place::Copying,
            Overlay::Export(_) => Place::Export,
            Overlay::Prompt(_) => Place::Prompt,
            Overlay::Component(inspector) if inspector.typing => Place::Find,
            Overlay::Component(_) => Place::Component,
            Overlay::Schema(browser) if browser.typing => Place::Find,
            Overlay::Schema(_) => Place::Schema,
            Overlay::Compare(_) => Place::Compare,
            Overlay::Stops(_) => Place::Stops,
            Overlay::Marks(_) => Place::Marks,
            Overlay::Seek(_) => Place::Seek,
            Overlay::CopyRun(_) => Place::CopyRun,
            Overlay::Verify(_) => Place::Verify,
            Overlay::Confirm => Place::Confirm,
        }
    }

    /// Returns what is typed to narrow the list, where there is one.
    pub fn filter(&mut self) -> Option<&mut String> {
        match self {
            Overlay::Help(help) => Some(&mut help.filter),
            Overlay::Palette(palette) => Some(&mut palette.filter),
            Overlay::Runs(runs) => runs.searching.then_some(&mut runs.filter),
            Overlay::Columns(list) => Some(&mut list.filter),
            Overlay::Seek(seek) => Some(&mut seek.filter),
            Overlay::ChartPath(path) => Some(&mut path.text),
            Overlay::Component(inspector) => inspector.typing.then_some(&mut inspector.find),
            Overlay::Schema(browser) => browser.typing.then_some(&mut browser.filter),
            Overlay::Ledger(_)
            | Overlay::Queue(_)
            | Overlay::Notices(_)
            | Overlay::Text(_)
            | Overlay::Explain(_)
            | Overlay::ChartList(_)
            | Overlay::Cell(_)
            | Overlay::Record(_)
            | Overlay::Figures(_)
            | Overlay::Copying(_)
            | Overlay::Export(_)
            | Overlay::Prompt(_)
            | Overlay::Compare(_)
            | Overlay::Stops(_)
            | Overlay::Marks(_)
            | Overlay::CopyRun(_)
            | Overlay::Verify(_)
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
        Some(Overlay::Ledger(_)) => ledger::act(app, action),
        Some(Overlay::Queue(_)) => queue::act(app, action),
        Some(Overlay::Notices(_)) => notices::act(app, action),
        Some(Overlay::Text(_)) => text::act(app, action),
        Some(Overlay::Explain(_)) => explain::act(app, action),
        Some(Overlay::ChartList(_)) => chart_list::act(app, action),
        Some(Overlay::ChartPath(_)) => chart_path::act(app, action),
        Some(Overlay::Cell(_)) => cell::act(app, action),
        Some(Overlay::Record(_)) => record::act(app, action),
        Some(Overlay::Columns(_)) => columns::act(app, action),
        Some(Overlay::Figures(_)) => figures::act(app, action),
        Some(Overlay::Copying(_)) => copying::act(app, action),
        Some(Overlay::Export(_)) => export::act(app, action),
        Some(Overlay::Prompt(_)) => prompt::act(app, action),
        Some(Overlay::Component(_)) => component::act(app, action),
        Some(Overlay::Schema(_)) => schema::act(app, action),
        Some(Overlay::Compare(_)) => compare::act(app, action),
        Some(Overlay::Stops(_)) => stops::act(app, action),
        Some(Overlay::Marks(_)) => marks::act(app, action),
        Some(Overlay::Seek(_)) => seek::act(app, action),
        Some(Overlay::CopyRun(_)) => copy_run::act(app, action),
        Some(Overlay::Verify(_)) => verify::act(app, action),
        Some(Overlay::Confirm) => confirm::act(app, action),
        None => Vec::new(),
    }
}

/// Types into the overlay's filter.
pub fn typed(app: &mut App, press: Press) {
    use crossterm::event::KeyCode;
    match app.overlay {
        Some(Overlay::Prompt(_)) => return prompt::typed(app, press),
        Some(Overlay::Export(_)) => return export::typed(app, press),
        Some(_) | None => {}
    }
    let Some(filter) = app.overlay.as_mut().and_then(Overlay::filter) else { return };
    match (press.code, press.letter()) {
        (_, Some(c)) => filter.push(c),
        (KeyCode::Backspace, _) => {
            filter.pop();
        }
        _ => return,
    }
    narrowed(app);
}

/// Brings a list in line with what narrows it.
fn narrowed(app: &mut App) {
    match &mut app.overlay {
        Some(Overlay::Help(help)) => help.cursor = Cursor::default(),
        Some(Overlay::Palette(palette)) => palette.cursor = Cursor::default(),
        Some(Overlay::Runs(runs)) => runs.cursor = Cursor::default(),
        Some(Overlay::Columns(list)) => list.cursor = Cursor::default(),
        Some(Overlay::ChartPath(path)) => path.exists = false,
        Some(Overlay::Seek(_)) => seek::typed(app),
        Some(Overlay::Component(_)) => component::typed(app),
        Some(Overlay::Schema(_)) => schema::typed(app),
        Some(_) | None => {}
    }
    palette::preview(app);
}

/// Takes a pasted text into the line that is typed, where there is one.
pub fn pasted(app: &mut App, text: &str) {
    let line = text.lines().next().unwrap_or("");
    match &mut app.overlay {
        Some(Overlay::Prompt(prompt)) => prompt.line.insert(line),
        Some(Overlay::Export(_)) => export::pasted(app, line),
        Some(overlay) => {
            if let Some(filter) = overlay.filter() {
                filter.push_str(line);
                narrowed(app);
            }
        }
        None => {}
    }
}

/// Brings what stands in front in line with the size of the screen.
pub fn settle(app: &mut App) {
    match app.overlay {
        Some(Overlay::Cell(_)) => cell::settle(app),
        Some(Overlay::Record(_)) => record::settle(app),
        Some(_) | None => {}
    }
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

/// Moves the cursor of a list whose rows stand under headings; `line` finds the line of a row.
///
/// By a screen the window goes along with the cursor, so that the first one already moves it.
pub fn go_headed(
    cursor: &mut Cursor,
    step: Move,
    (height, lines): (usize, usize),
    rows: usize,
    line: impl Fn(usize) -> usize,
) {
    let (top, before) = (cursor.top, line(cursor.at));
    cursor.go(step, rows);
    cursor.top = top;
    if matches!(step, Move::Screen(_)) {
        let last = lines.saturating_sub(height);
        let after = line(cursor.at);
        cursor.top = (top + after).saturating_sub(before).min(last);
    }
}

/// Draws the overlay in front.
pub fn draw(app: &App, pen: &mut Pen<'_>, body: Rect) {
    match &app.overlay {
        Some(Overlay::Help(help)) => help::draw(app, help, pen, body),
        Some(Overlay::Palette(palette)) => palette::draw(app, palette, pen, body),
        Some(Overlay::Runs(runs)) => history_view::draw(app, runs, pen, body),
        Some(Overlay::Ledger(view)) => ledger::draw(app, view, pen, body),
        Some(Overlay::Queue(waiting)) => queue::draw(app, waiting, pen, body),
        Some(Overlay::Notices(said)) => notices::draw(app, said, pen, body),
        Some(Overlay::Text(whole)) => text::draw(app, whole, pen, body),
        Some(Overlay::Explain(explained)) => explain::draw(app, explained, pen, body),
        Some(Overlay::ChartList(list)) => chart_list::draw(app, list, pen, body),
        Some(Overlay::ChartPath(path)) => chart_path::draw(app, path, pen, body),
        Some(Overlay::Cell(view)) => cell::draw(app, view, pen, body),
        Some(Overlay::Record(record)) => record::draw(app, record, pen, body),
        Some(Overlay::Columns(list)) => columns::draw(app, list, pen, body),
        Some(Overlay::Figures(figures)) => figures::draw(app, figures, pen, body),
        Some(Overlay::Copying(copying)) => copying::draw(app, copying, pen, body),
        Some(Overlay::Export(form)) => export::draw(app, form, pen, body),
        Some(Overlay::Prompt(prompt)) => prompt::draw(app, prompt, pen, body),
        Some(Overlay::Component(inspector)) => component_view::draw(app, inspector, pen, body),
        Some(Overlay::Schema(browser)) => schema_view::draw(app, browser, pen, body),
        Some(Overlay::Compare(compare)) => compare_view::draw(app, compare, pen, body),
        Some(Overlay::Stops(list)) => stops::draw(app, list, pen, body),
        Some(Overlay::Marks(list)) => marks::draw(app, list, pen, body),
        Some(Overlay::Seek(seek)) => seek::draw(app, seek, pen, body),
        Some(Overlay::CopyRun(list)) => copy_run::draw(app, list, pen, body),
        Some(Overlay::Verify(pair)) => verify::draw(app, pair, pen, body),
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
    let foot = hints::overlay_foot(app, place, area.width).pieces(pen, true);
    let title = vec![pen.piece(title, Role::TitleFocus)];
    pen.frame(area, &Frame { title, right: Vec::new(), foot, focused: true })
}

/// Says on the top border of an overlay how many lines stand above and below those shown.
pub fn more(pen: &mut Pen<'_>, inside: Rect, top: usize, height: usize, count: usize) {
    let mut words = super::panes::unseen(pen, top, height, count);
    if !words.is_empty() {
        words.insert(0, pen.piece(" ", Role::Dim));
        words.push(pen.piece(" ", Role::Dim));
        pen.pieces_right(inside.right(), inside.y.saturating_sub(1), inside.width / 2, &words);
    }
}

/// Draws the line that narrows a list.
pub fn filter_line(pen: &mut Pen<'_>, area: Rect, filter: &str, hint: &str) {
    let x = pen.text(area.x + 1, area.y, area.width.saturating_sub(2), "› ", Role::Accent);
    let room = area.right().saturating_sub(x + 1);
    if filter.is_empty() {
        pen.text(x, area.y, room, hint, Role::Dim);
    } else {
        let shown = Shown::new(filter);
        // the end is what is being typed
        let skip = (shown.width() + 1).saturating_sub(usize::from(room));
        let style = pen.style(Role::Text);
        let end = pen.put(x, area.y, room, &shown.skip(skip), style);
        if skip > 0 {
            pen.text(x, area.y, 1, "…", Role::Dim);
        }
        pen.text(end, area.y, 1, "▏", Role::Accent);
    }
}

/// Tells whether each word of a filter is in a text, whatever the letter case.
pub fn holds(text: &str, filter: &str) -> bool {
    let text = text.to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
