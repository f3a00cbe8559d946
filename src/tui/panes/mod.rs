//! The five panes: what each does with a key, and how it is drawn.
//!
//! What belongs here: one file for each pane, its actions and its drawing from state alone. What must
//! never come: waiting, folding events, colours by name.
//! To add a pane: a file, a variant of `Pane`, its place in `layout.rs`, its rows in the key table.

pub mod account;
pub mod asking;
pub mod children;
pub mod context;
pub mod context_notes;
pub mod context_used;
pub mod context_view;
pub mod offers;
pub mod play;
pub mod question;
pub mod refusing;
pub mod result;
pub mod result_chart;
pub mod result_filter;
pub mod result_goto;
pub mod result_kept;
pub mod result_look;
pub mod result_title;
pub mod result_told;
pub mod result_view;
pub mod sql;
pub mod sql_diff;
pub mod sql_editor;
pub mod sql_editor_view;
pub mod sql_evidence;
pub mod sql_marks;
pub mod sql_notes;
pub mod sql_page;
pub mod sql_rows;
pub mod sql_view;
pub mod sql_words;
pub mod sql_written;
pub mod steps;
pub mod switched;
pub mod told;
pub mod trace;
pub mod trace_view;
pub mod tree;

use ratatui::layout::{Position, Rect};

use crate::domain::counts::grouped;

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::hints;
use super::layout::{Layout, Pane};
use super::msg::Mouse;
use super::theme::Role;
use super::widgets::pen::{Frame, Pen, Piece};
use super::widgets::tabs;

/// Does an action in the focused pane.
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match app.focus {
        Pane::Question => question::act(app, action),
        Pane::Context => context::act(app, action),
        Pane::Sql => sql::act(app, action),
        Pane::Result => result::act(app, action),
        Pane::Trace => trace::act(app, action),
    }
}

/// Takes a click inside a pane.
pub fn click(app: &mut App, pane: Pane, inside: Rect, x: u16, y: u16) -> Vec<Effect> {
    let row = y.checked_sub(inside.y).filter(|_| y < inside.bottom()).map(usize::from);
    match (pane, row) {
        (Pane::Question, Some(row)) => question::click(app, inside, row),
        (Pane::Context, Some(row)) => {
            let line = context_view::line_at(app, row, usize::from(inside.height));
            app.context.cursor.at = line.min(context::rows(app).saturating_sub(1));
            Vec::new()
        }
        (Pane::Sql, _) => sql::click(app, inside, x, y),
        (Pane::Result, Some(_)) => result::click(app, inside, x, y),
        (Pane::Trace, Some(row)) => trace::click(app, row),
        (Pane::Question | Pane::Context | Pane::Result | Pane::Trace, None) => {
            // the top border of a place that two panes share is their tabs
            if matches!(pane, Pane::Context | Pane::Trace) && shared(app) && y + 1 == inside.y {
                app.go(if x < inside.x + 11 { Pane::Context } else { Pane::Trace });
            }
            Vec::new()
        }
    }
}

/// Takes the mouse moving with the button down, or the button coming up, after a press in a pane.
///
/// `x` and `y` may lie outside the pane: the mouse goes where it likes.
pub fn drag(app: &mut App, pane: Pane, inside: Rect, mouse: Mouse, x: u16, y: u16) -> Vec<Effect> {
    match pane {
        Pane::Result => result::drag(app, inside, mouse, x, y),
        Pane::Question | Pane::Context | Pane::Sql | Pane::Trace => Vec::new(),
    }
}

/// Takes a click on the line of tabs.
pub fn click_tab(app: &mut App, area: Rect, x: u16) {
    let names = Pane::ALL.map(Pane::name);
    let places = tabs::places(area, &names);
    let hit = places.iter().position(|place| place.left() <= x && x < place.right());
    if let Some(pane) = hit.and_then(|n| Pane::ALL.get(n)) {
        app.go(*pane);
    }
}

/// Tells whether context and trace share a place.
pub fn shared(app: &App) -> bool {
    Layout::of(app).room == super::layout::Room::Normal && !app.zoom
}

/// Draws all panes that have a place; returns where the terminal's cursor belongs.
pub fn draw(app: &App, pen: &mut Pen<'_>, lay: &Layout) -> Option<Position> {
    let mut cursor = None;
    for pane in Pane::ALL {
        let area = lay.pane(pane);
        if area.width < 4 || area.height < 2 {
            continue;
        }
        let at = match pane {
            Pane::Question => question::draw(app, pen, area),
            Pane::Context => context_view::draw(app, pen, area),
            Pane::Sql => sql_view::draw(app, pen, area),
            Pane::Result => result_view::draw(app, pen, area),
            Pane::Trace => trace_view::draw(app, pen, area),
        };
        if pane == app.focus {
            cursor = at;
        }
    }
    cursor
}

/// Makes a pane's frame: title, what stands right of it, and the keys of its place.
pub fn frame(app: &App, pen: &Pen<'_>, pane: Pane, more: Vec<Piece>, right: Vec<Piece>) -> Frame {
    let focused = app.focus == pane;
    let role = if focused { Role::TitleFocus } else { Role::Title };
    let mut title = Vec::new();
    if matches!(pane, Pane::Context | Pane::Trace) && shared(app) {
        let names = [Pane::Context, Pane::Trace].map(|one| (one.name().to_owned(), Role::Tab));
        title.extend(tabs::pieces(pen, &names, usize::from(pane == Pane::Trace)));
    } else {
        title.push(pen.piece(pane.name(), role));
    }
    if !more.is_empty() {
        // tabs bring the blank before them along
        let blank = if tabs::begin(&more) { "" } else { " " };
        title.push(pen.piece(format!(" ─{blank}"), Role::Border));
        title.extend(more);
    }
    let width = Layout::of(app).pane(pane).width;
    let foot = hints::pane_foot(app, pane, width).pieces(pen, focused);
    Frame { title, right, foot, focused }
}

/// Says what stands before the keys on a pane's bottom border: where the cursor is in the result.
pub fn lead(app: &App, pane: Pane) -> String {
    let grid = pane == Pane::Result && app.focus == pane && !result_chart::showing(app);
    if grid && result::wanted(app).is_some() { result_title::row_words(app) } else { String::new() }
}

/// Says how many rows stand above and below what is shown; nothing when all is shown.
pub fn unseen(pen: &Pen<'_>, top: usize, height: usize, count: usize) -> Vec<Piece> {
    let below = count.saturating_sub(top + height);
    let mut words = Vec::new();
    if top > 0 {
        words.push(format!("↑ {}", grouped(top)));
    }
    if below > 0 {
        words.push(format!("↓ {}", grouped(below)));
    }
    if words.is_empty() { Vec::new() } else { vec![pen.piece(words.join(" "), Role::Dim)] }
}
