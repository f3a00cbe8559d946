//! The result pane's keys: moving in the grid, whole cells, copying, and the way to what did run.

use ratatui::layout::Rect;

use crate::domain::{ResultId, Value};
use crate::pipeline::Page;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::overlays::Overlay;
use super::super::overlays::text::Whole;
use super::{question, result_chart, result_view};

/// Does an action in the result pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if let Some(n) = action.suggestion() {
        return if app.choices().is_some() { question::suggested(app, n) } else { Vec::new() };
    }
    if result_chart::showing(app) {
        return result_chart::act(app, action);
    }
    let screen = i64::from(result_view::grid_area(app, app.inside(Pane::Result)).height.max(3)) - 2;
    let grid = &mut app.grid;
    match action {
        Action::Up => grid.go(-1, 0),
        Action::Down => grid.go(1, 0),
        Action::Left => grid.go(0, -1),
        Action::Right => grid.go(0, 1),
        Action::PageUp => grid.go(-screen, 0),
        Action::PageDown => grid.go(screen, 0),
        Action::Top => grid.go_row(0),
        Action::Bottom => grid.go_row(u64::MAX),
        Action::First => grid.go_col(0),
        Action::Last => grid.go_col(usize::MAX),
        Action::Open => open(app),
        Action::Chart => result_chart::open(app),
        Action::Copy => return copy_cell(app),
        Action::CopyRow => return copy_row(app),
        _ => {}
    }
    Vec::new()
}

/// Shows the whole cell; where nothing ran, goes to the version that did.
fn open(app: &mut App) {
    if let Some((column, value)) = app.grid.current() {
        let size = match value {
            Value::Text(text) => format!(" · {} bytes", text.len()),
            Value::Blob(bytes) | Value::Malformed(bytes) => format!(" · {} bytes", bytes.len()),
            Value::Null | Value::Integer(_) | Value::Real(_) => String::new(),
        };
        let title = format!("{} · row {}{size}", column.name, app.grid.row + 1);
        let text = match value {
            Value::Null => "∅  (NULL: no value)".to_owned(),
            Value::Malformed(bytes) => bytes_text(bytes),
            Value::Integer(_) | Value::Real(_) | Value::Text(_) | Value::Blob(_) => value.plain(),
        };
        app.overlay = Some(Overlay::Text(Whole::of(title, text)));
        return;
    }
    let Some(run) = &mut app.run else { return };
    let ran = run.versions().into_iter().rfind(|(n, v)| {
        let attempt = run.live.attempts.iter().find(|a| a.n == *n);
        attempt.and_then(|a| a.versions.get(*v)).is_some_and(|v| v.rows.is_some())
    });
    if let Some(event) = ran.and_then(|(n, v)| run.last_event_of(n, v)) {
        run.look_at(event);
    }
}

/// Writes bytes that are no text, eight a group.
fn bytes_text(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|line| {
        let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        hex.join(" ")
    });
    format!("no valid UTF-8:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn copy_cell(app: &mut App) -> Vec<Effect> {
    let Some((column, value)) = app.grid.current() else { return Vec::new() };
    let text = value.plain();
    let words = format!("Copied {}, row {}: {} bytes.", column.name, app.grid.row + 1, text.len());
    app.say(words, Tone::Done);
    vec![Effect::Copy(text)]
}

fn copy_row(app: &mut App) -> Vec<Effect> {
    let Some(row) = app.grid.row_values() else { return Vec::new() };
    let cells: Vec<String> = row.iter().map(Value::plain).collect();
    let words =
        format!("Copied row {}: {} cells, tabs between them.", app.grid.row + 1, cells.len());
    app.say(words, Tone::Done);
    vec![Effect::Copy(cells.join("\t"))]
}

/// Puts the cursor on the cell that was clicked.
pub fn click(app: &mut App, inside: Rect, x: u16, y: u16) -> Vec<Effect> {
    if result_chart::showing(app) {
        return Vec::new();
    }
    let area = result_view::grid_area(app, inside);
    if let Some((row, col)) = app.grid.at(area, x, y) {
        app.grid.go_row(row);
        app.grid.go_col(col);
    }
    Vec::new()
}

/// Takes rows that were read; where they are no longer kept, those stored with the run.
pub fn take_page(app: &mut App, id: &ResultId, page: Option<Page>) {
    if app.grid.result.as_ref() != Some(id) {
        return;
    }
    let kept = || app.run.as_ref()?.kept_page(id);
    // a result without anything at hand counts as read, so that it isn't asked for again and again
    let none = Page { finished: true, ..Page::default() };
    app.grid.take(page.or_else(kept).unwrap_or(none));
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
    let wanted = wanted(app);
    app.grid.show(wanted.clone());
    let (Some(id), true) = (wanted, inside.height > 0) else { return Vec::new() };
    let area = result_view::grid_area(app, inside);
    let missing = app.grid.settle(area.width, area.height);
    let (total, finished) = app.grid.total();
    let arriving = app.run.as_ref().and_then(|run| run.arriving.as_ref()).map(|(_, count)| *count);
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
