//! A whole row: one line a field, with its name, type and value.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::grid::cells::{cell, role_of};
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::{Overlay, cell as cell_view};

/// Widest column of names.
const NAMES_AT_MOST: usize = 32;

/// Widest column of types.
const TYPES_AT_MOST: usize = 14;

/// A row shown whole. The row itself is the grid's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// The field chosen, in the order of `fields`.
    pub cursor: Cursor,
}

/// Shows the cursor's row whole, with the cursor on its column.
pub fn open(app: &mut App) {
    if app.grid.row_values().is_none() {
        app.say("There is no row here.", Tone::Trouble);
        return;
    }
    let at = fields(app).iter().position(|col| *col == app.grid.col).unwrap_or(0);
    app.overlay = Some(Overlay::Record(Record { cursor: Cursor { at, top: 0 } }));
}

/// Lists the columns as they stand, hidden ones behind them.
fn fields(app: &App) -> Vec<usize> {
    let columns = &app.grid.columns;
    columns.shown().iter().chain(columns.hidden()).copied().collect()
}

/// Moves between fields and rows, opens or copies a field, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let height = usize::from(super::inner(area(app, Layout::of(app).body)).height);
    let fields = fields(app);
    let step = match action {
        Action::Left => {
            app.grid.go(-1, 0);
            Move::By(0)
        }
        Action::Right => {
            app.grid.go(1, 0);
            Move::By(0)
        }
        Action::Cancel => {
            app.overlay = None;
            return Vec::new();
        }
        Action::Open => {
            cell_view::open(app);
            return Vec::new();
        }
        Action::Copy => return copy(app),
        other => match Move::of(other, height) {
            Some(step) => step,
            None => return Vec::new(),
        },
    };
    if let Some(Overlay::Record(record)) = &mut app.overlay {
        record.cursor.go(step, fields.len());
        // the grid's cursor goes along, so that closing leaves it on the field
        if let Some(col) = fields.get(record.cursor.at).copied()
            && app.grid.columns.place(col).is_some()
        {
            app.grid.go_col(col);
        }
    }
    Vec::new()
}

fn chosen(app: &App) -> Option<usize> {
    let Some(Overlay::Record(record)) = &app.overlay else { return None };
    fields(app).get(record.cursor.at).copied()
}

fn copy(app: &mut App) -> Vec<Effect> {
    let value = chosen(app).and_then(|col| app.grid.value(app.grid.row, col));
    let Some(text) = value.map(crate::domain::Value::plain) else { return Vec::new() };
    app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
    vec![Effect::Copy(text)]
}

fn area(app: &App, body: Rect) -> Rect {
    let rows = cols(app.grid.columns().len()).saturating_add(2);
    super::place(body, 110, rows.min(body.height.saturating_sub(2)).max(4))
}

/// Keeps the window where the cursor is.
pub fn settle(app: &mut App) {
    let height = usize::from(area(app, Layout::of(app).body).height.saturating_sub(2));
    let count = app.grid.columns().len();
    if let Some(Overlay::Record(record)) = &mut app.overlay {
        record.cursor.settle(height, count);
    }
}

/// Draws the row.
pub fn draw(app: &App, record: &Record, pen: &mut Pen<'_>, body: Rect) {
    let (total, finished) = app.grid.total();
    let more = if finished { "" } else { "+" };
    let title = format!("Row {} of {}{more}", grouped(app.grid.row + 1), grouped(total));
    let inside = super::front(app, pen, area(app, body), &title, Place::Record);
    let columns = app.grid.columns();
    let wide = |most: usize, text: &dyn Fn(usize) -> usize| {
        (0..columns.len()).map(text).max().unwrap_or(0).min(most)
    };
    let name = |col: usize| columns.get(col).map_or("", |column| column.name.as_str());
    let kind = |col: usize| columns.get(col).map_or(String::new(), |c| c.data_type.to_lowercase());
    let names = cols(wide(NAMES_AT_MOST, &|col| Shown::new(name(col)).width()));
    let mut kinds = cols(wide(TYPES_AT_MOST, &|col| Shown::from(kind(col)).width()));
    if names + kinds + 20 > inside.width {
        kinds = 0;
    }
    let height = usize::from(inside.height);
    super::more(pen, inside, record.cursor.top, height, fields(app).len());
    for (n, col) in fields(app).iter().enumerate().skip(record.cursor.top).take(height) {
        let y = inside.y + cols(n - record.cursor.top);
        let hidden = app.grid.columns.place(*col).is_none();
        let role = if hidden { Role::Dim } else { Role::Column };
        pen.text(inside.x + 1, y, names, name(*col), role);
        let mut x = inside.x + 1 + names + 2;
        if kinds > 0 {
            pen.text(x, y, kinds, &kind(*col), Role::Dim);
            x += kinds + 2;
        }
        let room = inside.right().saturating_sub(x + 1);
        if let Some(value) = app.grid.value(app.grid.row, *col) {
            let style = pen.style(role_of(value));
            pen.put(x, y, room, &cell(value, usize::from(room)), style);
        }
        if n == record.cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
