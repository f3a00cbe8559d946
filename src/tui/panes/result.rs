//! The result pane's keys: moving in the grid, its columns, what is selected, what is asked of it.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::domain::{ResultId, Value};
use crate::pipeline::Page;
use crate::render::table::TableForm;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::moment::RunView;
use super::super::msg::Mouse;
use super::super::overlays::{cell, columns, copying, export, figures, prompt, record};
use super::super::widgets::grid::Hit;
use super::super::widgets::grid::selection::Extent;
use super::{question, result_chart, result_kept, result_look, result_view};

/// Does an action in the result pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if let Some(n) = action.suggestion() {
        return if app.choices().is_some() { question::choose(app, n) } else { Vec::new() };
    }
    if result_chart::showing(app) {
        return result_chart::act(app, action);
    }
    if moved(app, action) || changed(app, action) {
        return Vec::new();
    }
    match action {
        Action::Open => open(app),
        Action::Chart => result_chart::open(app),
        Action::Copy if app.grid.selection.is_some() => return copy_selection(app),
        Action::Copy => return copy_cell(app),
        Action::CopyRow => return copy_row(app),
        Action::CopyAs => copying::open(app),
        Action::Sort => return result_look::sort(app, false),
        Action::SortMore => return result_look::sort(app, true),
        Action::Filter => prompt::filter(app),
        Action::Unfilter => return result_look::unfilter(app),
        Action::Find => prompt::find(app),
        Action::FindNext => return result_look::find_again(app, false),
        Action::FindFormer => return result_look::find_again(app, true),
        Action::GoTo => prompt::go_to(app),
        Action::Columns => columns::open(app),
        Action::Record => record::open(app),
        Action::Figures => return figures::open(app),
        Action::Export => export::open(app),
        _ => {}
    }
    Vec::new()
}

/// Moves the cursor; returns whether the action is a move. What Shift selected is let go, what `V`
/// selects grows.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else moves nothing")]
fn moved(app: &mut App, action: Action) -> bool {
    let screen = i64::from(result_view::grid_area(app, app.inside(Pane::Result)).height.max(3)) - 2;
    let grid = &mut app.grid;
    let selects = matches!(
        action,
        Action::SelectUp | Action::SelectDown | Action::SelectLeft | Action::SelectRight
    );
    let before = (grid.row, grid.col, grid.selection);
    if selects {
        grid.select(Extent::Cells);
    }
    match action {
        Action::Up | Action::SelectUp => grid.go(-1, 0),
        Action::Down | Action::SelectDown => grid.go(1, 0),
        Action::Left | Action::SelectLeft => grid.go(0, -1),
        Action::Right | Action::SelectRight => grid.go(0, 1),
        Action::PageUp => grid.go(-screen, 0),
        Action::PageDown => grid.go(screen, 0),
        Action::Top => grid.go_row(0),
        Action::Bottom => grid.go_row(u64::MAX),
        Action::First => grid.go_place(0),
        Action::Last => grid.go_place(usize::MAX),
        _ => return false,
    }
    let by_shift = before.2.is_some_and(|s| s.extent == Extent::Cells);
    if !selects && by_shift && before != (grid.row, grid.col, grid.selection) {
        grid.selection = None;
    }
    true
}

/// Changes how columns stand or what is selected; returns whether the action does.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else changes no column")]
fn changed(app: &mut App, action: Action) -> bool {
    let grid = &mut app.grid;
    match action {
        Action::HideColumn => {
            if !grid.hide() {
                app.say("The last column stays.", Tone::Trouble);
            }
        }
        Action::ShowColumns => grid.columns.show_all(),
        Action::ColumnNarrower => grid.widen_by(-2),
        Action::ColumnWider => grid.widen_by(2),
        Action::FitColumn => grid.fit(),
        Action::ColumnLeft => grid.columns.shift(grid.col, -1),
        Action::ColumnRight => grid.columns.shift(grid.col, 1),
        Action::Freeze => grid.columns.freeze(grid.col),
        Action::Select => match grid.selection.map(|selection| selection.extent) {
            None | Some(Extent::Cells) => grid.select(Extent::Rows),
            Some(Extent::Rows) => grid.select(Extent::Columns),
            Some(Extent::Columns) => grid.selection = None,
        },
        _ => return false,
    }
    true
}

/// Shows the whole cell; where nothing ran, goes to the version that did.
fn open(app: &mut App) {
    if app.grid.current().is_some() {
        cell::open(app);
        return;
    }
    let Some(run) = &mut app.run else { return };
    if let Some(event) = last_ran(run).and_then(|(n, v)| run.last_event_of(n, v)) {
        run.look_at(event);
    }
}

/// Returns the newest version that gave rows.
fn last_ran(run: &RunView) -> Option<(u32, usize)> {
    run.versions().into_iter().rfind(|(n, v)| {
        let attempt = run.live.attempts.iter().find(|a| a.n == *n);
        attempt.and_then(|a| a.versions.get(*v)).is_some_and(|v| v.rows.is_some())
    })
}

/// Tells whether another version than the one looked at gave rows.
pub fn ran_elsewhere(app: &App) -> bool {
    let run = app.run.as_ref();
    run.is_some_and(|run| last_ran(run).is_some_and(|place| run.place() != Some(place)))
}

fn copy_cell(app: &mut App) -> Vec<Effect> {
    let Some((column, value)) = app.grid.current() else { return Vec::new() };
    let text = value.plain();
    let words =
        format!("Copied {}, row {}: {}.", column.name, app.grid.row + 1, count(text.len(), "byte"));
    app.say(words, Tone::Done);
    vec![Effect::Copy(text)]
}

fn copy_row(app: &mut App) -> Vec<Effect> {
    let Some(row) = app.grid.row_values() else { return Vec::new() };
    let cells: Vec<String> = row.iter().map(Value::plain).collect();
    let words = format!(
        "Copied row {}: {}, tabs between them.",
        app.grid.row + 1,
        count(cells.len(), "cell")
    );
    app.say(words, Tone::Done);
    vec![Effect::Copy(cells.join("\t"))]
}

/// Copies what is selected, with tabs between the cells.
fn copy_selection(app: &mut App) -> Vec<Effect> {
    let table = copying::table(app, copying::Part::Selection, TableForm::Tsv);
    table.map(|table| Effect::CopyTable(Box::new(table))).into_iter().collect()
}

/// Puts the cursor on what was clicked: a cell, or a column by its head; clicked again, the head
/// sorts.
pub fn click(app: &mut App, inside: Rect, x: u16, y: u16) -> Vec<Effect> {
    if result_chart::showing(app) {
        return Vec::new();
    }
    let area = result_view::grid_area(app, inside);
    match app.grid.at(area, x, y) {
        Some(Hit::Cell(row, col)) => {
            app.grid.selection = None;
            app.grid.go_row(row);
            app.grid.go_col(col);
        }
        Some(Hit::Head(col)) if col == app.grid.col => return result_look::sort(app, false),
        Some(Hit::Head(col)) => app.grid.go_col(col),
        Some(Hit::Rule(col)) => app.grid.pulled = Some(col),
        None => {}
    }
    Vec::new()
}

/// Tells whether a cell of the screen is in the head of the grid, where a second click sorts.
pub fn on_head(app: &App, inside: Rect, x: u16, y: u16) -> bool {
    let area = result_view::grid_area(app, inside);
    matches!(app.grid.at(area, x, y), Some(Hit::Head(_) | Hit::Rule(_)))
}

/// Pulls a column's right edge along with the mouse, or selects cells down to it.
pub fn drag(app: &mut App, inside: Rect, mouse: Mouse, x: u16, y: u16) -> Vec<Effect> {
    let area = result_view::grid_area(app, inside);
    if mouse == Mouse::Release {
        app.grid.pulled = None;
    } else if let Some(col) = app.grid.pulled {
        if let Some(from) = app.grid.x_of(area, col) {
            app.grid.set_width(col, usize::from(x.saturating_sub(from).saturating_sub(1)));
        }
    } else if let Some(Hit::Cell(row, col)) = app.grid.at(area, x, y)
        && (row, col) != (app.grid.row, app.grid.col)
    {
        app.grid.select(Extent::Cells);
        app.grid.go_row(row);
        app.grid.go_col(col);
    }
    Vec::new()
}

/// Takes rows that were read; where they are no longer kept, those stored with the run.
pub fn take_page(app: &mut App, id: &ResultId, page: Option<Page>) -> Vec<Effect> {
    if app.grid.result.as_ref() != Some(id) {
        return Vec::new();
    }
    if page.is_none() && id.view != 0 {
        return result_look::remake(app);
    }
    // rows kept with the run stand as they came
    let kept = || app.run.as_ref().filter(|_| id.view == 0)?.kept_page(id);
    // a result without anything at hand counts as read, so that it isn't asked for again and again
    let none = Page { finished: true, ..Page::default() };
    let page = page.or_else(kept).unwrap_or(none);
    if id.view == 0 {
        app.looking.all = page.total;
    }
    app.grid.take(page);
    Vec::new()
}

/// Returns the result that the pane shows at the moment looked at.
pub fn wanted(app: &App) -> Option<ResultId> {
    let run = app.run.as_ref()?;
    if run.cursor.is_none()
        && let Some((result, _)) = &run.arriving
    {
        return Some(result.clone());
    }
    let (n, at) = run.place()?;
    let attempt = run.moment().attempts.iter().find(|a| a.n == n)?;
    attempt.versions.get(at)?.result.clone()
}

/// Shows the moment's result, and asks for rows that are missing.
pub fn settle(app: &mut App, inside: Rect) -> Vec<Effect> {
    let came = wanted(app);
    result_kept::turn(app, came.as_ref());
    let wanted = app.looking.shown().cloned();
    app.grid.show(wanted.clone());
    let (Some(id), true) = (wanted, inside.height > 0) else { return Vec::new() };
    let area = result_view::grid_area(app, inside);
    let missing = app.grid.settle(area.width, area.height);
    let (total, finished) = app.grid.total();
    let plain = id.view == 0;
    let arriving = app.run.as_ref().and_then(|run| run.arriving.as_ref()).map(|(_, count)| *count);
    let arriving = arriving.filter(|_| plain);
    // the last rows and the end come with `Ran`
    let grown = arriving.map_or(!finished, |count| count > total);
    if missing.is_none() && !grown {
        return Vec::new();
    }
    let range = missing.unwrap_or_else(|| app.grid.around(u64::from(area.height)));
    // what was asked for once at this count isn't asked for again: it may not be there
    let asked = (range.clone(), arriving.unwrap_or(u64::MAX));
    if app.grid.asked.as_ref() == Some(&asked) {
        return Vec::new();
    }
    app.grid.asked = Some(asked);
    vec![Effect::Page(id, range)]
}
