//! The columns of the result: found by a few letters, gone to, hidden and shown.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::Rect;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::grid::Marks;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// State of the list of columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnList {
    /// What narrows the list.
    pub filter: String,
    /// The row chosen.
    pub cursor: Cursor,
}

/// Lists the columns, the cursor on the grid's column.
pub fn open(app: &mut App) {
    if app.grid.columns().is_empty() {
        app.say("There are no columns here.", Tone::Trouble);
        return;
    }
    let at = rows(app, "").iter().position(|col| *col == app.grid.col).unwrap_or(0);
    let cursor = Cursor { at, top: 0 };
    app.overlay = Some(Overlay::Columns(ColumnList { filter: String::new(), cursor }));
}

/// Lists the columns that a filter leaves: as they stand, hidden ones behind; with a filter the
/// best fit first.
fn rows(app: &App, filter: &str) -> Vec<usize> {
    let columns = &app.grid.columns;
    let all = columns.shown().iter().chain(columns.hidden()).copied();
    if filter.is_empty() {
        return all.collect();
    }
    let pattern = Pattern::parse(filter, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored = Vec::new();
    for col in all {
        let name = app.grid.columns().get(col).map_or("", |column| column.name.as_str());
        if let Some(score) = pattern.score(Utf32Str::new(name, &mut letters), &mut matcher) {
            scored.push((std::cmp::Reverse(score), col));
        }
    }
    scored.sort_by_key(|(score, _)| *score);
    scored.into_iter().map(|(_, col)| col).collect()
}

/// Moves, goes to a column, hides or shows it, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Columns(list)) = &app.overlay else { return Vec::new() };
    let rows = rows(app, &list.filter);
    let height =
        usize::from(super::inner(area(app, Layout::of(app).body)).height).saturating_sub(1);
    let chosen = rows.get(list.cursor.at).copied();
    let step = match action {
        Action::Switch => {
            if let Some(col) = chosen {
                switch(app, col);
            }
            Move::By(0)
        }
        Action::Open => {
            app.overlay = None;
            if let Some(col) = chosen {
                app.grid.go_col(col);
            }
            return Vec::new();
        }
        Action::Cancel => {
            app.overlay = None;
            return Vec::new();
        }
        other => match Move::of(other, height) {
            Some(step) => step,
            None => return Vec::new(),
        },
    };
    // hiding moves a row down the list; the cursor stays where it is, on the next one
    if let Some(Overlay::Columns(list)) = &mut app.overlay {
        list.cursor.step(step, height, rows.len());
    }
    Vec::new()
}

fn switch(app: &mut App, col: usize) {
    if app.grid.columns.place(col).is_none() {
        app.grid.columns.show(col);
        return;
    }
    let here = app.grid.col;
    app.grid.col = col;
    if app.grid.hide() {
        if here != col {
            app.grid.col = here;
        }
    } else {
        app.grid.col = here;
        app.say("The last column stays.", Tone::Trouble);
    }
}

fn area(app: &App, body: Rect) -> Rect {
    super::place(body, 64, cols(app.grid.columns().len()).saturating_add(3).min(24))
}

/// Draws the list.
pub fn draw(app: &App, list: &ColumnList, pen: &mut Pen<'_>, body: Rect) {
    let area = area(app, body);
    let hidden = app.grid.columns.hidden().len();
    let title =
        if hidden == 0 { "Columns".to_owned() } else { format!("Columns · {hidden} hidden") };
    let inside = super::front(app, pen, area, &title, Place::Columns);
    if inside.height < 2 {
        return;
    }
    super::filter_line(pen, inside, &list.filter, "a few letters of its name");
    let rows = rows(app, &list.filter);
    let height = usize::from(inside.height - 1);
    if rows.is_empty() {
        let words = "No column holds these letters.";
        pen.text(inside.x + 1, inside.y + 1, inside.width.saturating_sub(2), words, Role::Dim);
    }
    let mut cursor = list.cursor;
    cursor.settle(height, rows.len());
    let marks = Marks { sort: &app.looking.view.sort, ..Marks::default() };
    super::more(pen, inside, cursor.top, height, rows.len());
    for (n, col) in rows.iter().enumerate().skip(cursor.top).take(height) {
        let y = inside.y + 1 + cols(n - cursor.top);
        let shown = app.grid.columns.place(*col).is_some();
        let (sign, role) = if shown { ("■", Role::Overlay) } else { ("□", Role::Dim) };
        let Some(column) = app.grid.columns().get(*col) else { continue };
        let x = pen.text(inside.x + 1, y, 1, sign, Role::Accent) + 1;
        let kind = column.data_type.to_lowercase();
        let note = if shown { kind } else { format!("{kind}  hidden") };
        let right = pen.text_right(inside.right() - 1, y, inside.width / 2, &note, Role::Dim);
        let name = format!("{}{}", column.name, marks.sign(*col));
        pen.text(x, y, right.saturating_sub(x + 1), &name, role);
        if n == cursor.at {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
}
