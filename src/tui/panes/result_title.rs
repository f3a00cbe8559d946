//! What stands on the result's borders: rows, columns, order, filter, time; the cursor; work going on.

use crate::domain::counts::{count, grouped};
use crate::domain::{Answer, SortKey, Status, Version};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::App;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::grid::Marks;
use super::super::widgets::grid::selection::Selected;
use super::super::widgets::pen::{Pen, Piece};
use super::result_filter;
use super::result_view::verdict;
use super::steps::duration;

/// Columns that a filter takes in the title.
const FILTER_AT_MOST: usize = 36;

/// Says where the cursor is, or how much is selected, and which key shows a cell that is cut.
pub fn row_words(app: &App) -> String {
    let (total, finished) = app.grid.total();
    if total == 0 {
        return String::new();
    }
    let words = if let Some(selected) = app.grid.selected() {
        selected_words(app, &selected)
    } else {
        let more = if finished { "" } else { "+" };
        format!("row {} of {}{more}", grouped(app.grid.row + 1), grouped(total))
    };
    match app.keys.key_in(&[Place::Result], Action::FitColumn).filter(|_| app.grid.is_cut()) {
        Some(key) => format!("{words} · {key} fits the column"),
        None => words,
    }
}

/// Says how much is selected, and the sum of its numbers where all of its rows are at hand.
fn selected_words(app: &App, selected: &Selected) -> String {
    let rows = selected.rows.end - selected.rows.start;
    let words = format!("selected {} × {}", grouped(rows), selected.columns.len());
    if rows > 1_000 {
        return words;
    }
    let mut sum = 0.0;
    let mut numbers = 0;
    for row in selected.rows.clone() {
        for col in &selected.columns {
            let Some(value) = app.grid.value(row, *col) else { return words };
            if let Some(n) = value.number() {
                sum += n;
                numbers += 1;
            }
        }
    }
    if numbers < 2 {
        return words;
    }
    // the figure is for the eye: twelve digits count, which hides what adding reals leaves behind
    let shown = format!("{sum:.12e}").parse::<f64>().unwrap_or(sum);
    format!("{words} · sum {shown}")
}

/// Says what goes on with the result: an order being made, a text looked for, an export.
pub fn work(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    if let Some(words) = app.looking.work(app.clock) {
        return vec![pen.piece(words, Role::Accent), pen.piece("  Esc stops", Role::Dim)];
    }
    let writing = app.export.as_ref().filter(|export| export.writing());
    writing.map(|export| pen.piece(export.words(), Role::Accent)).into_iter().collect()
}

/// Says what the result is.
pub fn title(app: &App, pen: &Pen<'_>, shows_rows: bool) -> Vec<Piece> {
    let Some(run) = &app.run else { return Vec::new() };
    let version = run.version().map(|(_, _, version)| version);
    let mut pieces = Vec::new();
    if shows_rows {
        rows(app, pen, version, &mut pieces);
    } else if run.running && run.cursor.is_none() {
        pieces.push(pen.piece("waiting", Role::Dim));
    } else if version.is_some() && run.moment().answer.as_ref().is_none_or(told_of) {
        pieces.push(pen.piece("not run", Role::Dim));
    }
    if let Some((words, role)) = run.moment().answer.as_ref().map(verdict) {
        if !pieces.is_empty() {
            pieces.push(pen.piece(" · ", Role::Dim));
        }
        pieces.push(pen.piece(words, role));
    }
    pieces
}

/// Counts rows and columns; says filter, order and time.
fn rows(app: &App, pen: &Pen<'_>, version: Option<&Version>, pieces: &mut Vec<Piece>) {
    let Some(run) = &app.run else { return };
    let view = &app.looking.view;
    let (total, finished) = app.grid.total();
    let arriving = run.cursor.is_none() && run.arriving.is_some();
    let rows = version.and_then(|v| v.rows.as_ref()).filter(|_| !arriving);
    let all = rows.map_or(total, |rows| rows.row_count.max(total)).max(app.looking.all);
    let filtered = !view.filter.is_empty();
    let words = match (arriving, all) {
        (_, all) if filtered => format!("{} of {}", grouped(total), count(all, "row")),
        (true, 0) => "no rows yet".to_owned(),
        (true, _) => format!("{}+ rows (arriving)", grouped(all)),
        (false, _) => count(all, "row"),
    };
    pieces.push(pen.piece(words, if filtered { Role::Warn } else { Role::Dim }));
    if filtered {
        let words = result_filter::words(&view.filter, app.grid.columns());
        pieces.push(pen.piece(" where ", Role::Dim));
        pieces.push((Shown::cut(&words, FILTER_AT_MOST), pen.style(Role::Warn)));
    }
    let columns = app.grid.columns().len();
    let mut words = format!(" · {}", count(columns as u64, "column"));
    let hidden = app.grid.columns.hidden().len();
    if hidden > 0 {
        words = format!("{words}, {hidden} hidden");
    }
    pieces.push(pen.piece(words, Role::Dim));
    if !filtered && rows.is_some_and(|rows| finished && rows.row_count > total) {
        pieces.push(pen.piece(format!(" · the first {} kept", grouped(total)), Role::Warn));
    }
    if !view.sort.is_empty() {
        pieces.push(pen.piece(format!(" · by {}", order(app, &view.sort)), Role::Dim));
    }
    if let Some(version) = version.filter(|_| !arriving) {
        pieces.push(pen.piece(format!(" · {}", duration(version.run_us)), Role::Dim));
    }
}

/// Says an order: `region ▲1, revenue ▼2`.
fn order(app: &App, sort: &[SortKey]) -> String {
    let marks = Marks { sort, ..Marks::default() };
    let key = |key: &SortKey| {
        let name = app.grid.columns().get(key.column).map_or("?", |column| column.name.as_str());
        format!("{}{}", Shown::cut(name, 20), marks.sign(key.column))
    };
    sort.iter().map(key).collect::<Vec<_>>().join(", ")
}

/// Tells whether an ending leaves open whether anything ran.
fn told_of(answer: &Answer) -> bool {
    answer.status != Status::Cancelled
}
