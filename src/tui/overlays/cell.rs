//! A cell shown whole: JSON indented or as it is, bytes beside their letters.

use ratatui::layout::Rect;

use crate::domain::counts::count;
use crate::domain::{ResultColumn, Value};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::layout::Layout;
use super::super::theme::Role;
use super::super::widgets::json;
use super::super::widgets::pen::Pen;
use super::super::widgets::scroll;
use super::Overlay;

/// Bytes of a blob that are shown.
const BYTES_AT_MOST: usize = 1 << 14;

/// A cell shown whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellView {
    title: String,
    /// The text as it is copied.
    text: String,
    /// The text indented, when it is JSON.
    pretty: Option<String>,
    /// JSON is shown as it is.
    raw: bool,
    /// Rows as they stand at a width; made anew when the width changes.
    rows: (usize, Vec<Shown>),
    top: usize,
    /// What stood in front before, and comes back.
    back: Option<Box<Overlay>>,
}

impl CellView {
    /// Makes an overlay of a cell; `back` comes back when it is closed.
    pub fn of(column: &ResultColumn, row: u64, value: &Value, back: Option<Overlay>) -> Self {
        let text = match value {
            Value::Null => "∅  (NULL: no value)".to_owned(),
            Value::Blob(bytes) => dump(bytes),
            Value::Malformed(bytes) => format!("no valid UTF-8:\n{}", dump(bytes)),
            Value::Text(text) if text.is_empty() => "''  (a text without letters)".to_owned(),
            Value::Integer(_) | Value::Real(_) | Value::Text(_) => value.plain(),
        };
        let pretty = if let Value::Text(text) = value { json::indented(text) } else { None };
        let size = match value {
            Value::Text(text) => format!(" · {}", sizes(text)),
            Value::Blob(bytes) | Value::Malformed(bytes) => {
                format!(" · {}", count(bytes.len() as u64, "byte"))
            }
            Value::Null | Value::Integer(_) | Value::Real(_) => String::new(),
        };
        let kind = if column.data_type.is_empty() { "" } else { " · " };
        let title = format!(
            "{} · row {}{kind}{}{size}",
            column.name,
            row + 1,
            column.data_type.to_lowercase()
        );
        CellView { title, text, pretty, back: back.map(Box::new), ..CellView::default() }
    }

    /// Makes the rows for a width, unless they are there.
    fn wrap(&mut self, width: usize) {
        if self.rows.0 == width && !self.rows.1.is_empty() {
            return;
        }
        let text = self.pretty.as_deref().filter(|_| !self.raw).unwrap_or(&self.text);
        let lines = scroll::lines(text);
        self.rows = (width, lines.iter().flat_map(|line| line.wrap(width)).collect());
    }
}

fn sizes(text: &str) -> String {
    let letters = text.chars().count();
    let mut words = count(letters as u64, "character");
    if letters != text.len() {
        words = format!("{words}, {}", count(text.len() as u64, "byte"));
    }
    words
}

/// Writes bytes as people read them: place, sixteen bytes, and their letters.
fn dump(bytes: &[u8]) -> String {
    let line = |(n, line): (usize, &[u8])| {
        let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String = line
            .iter()
            .map(|b| if (b' '..=b'~').contains(b) { char::from(*b) } else { '·' })
            .collect();
        format!("{:06x}  {:<47}  {letters}", n * 16, hex.join(" "))
    };
    let shown = bytes.get(..BYTES_AT_MOST.min(bytes.len())).unwrap_or(bytes);
    let mut lines: Vec<String> = shown.chunks(16).enumerate().map(line).collect();
    if shown.len() < bytes.len() {
        lines.push(format!("… {}", count(bytes.len() - shown.len(), "more byte")));
    }
    lines.join("\n")
}

/// Shows the cursor's cell whole.
pub fn open(app: &mut App) {
    let back = app.overlay.take();
    let Some((column, value)) = app.grid.current() else {
        app.overlay = back;
        return;
    };
    app.overlay = Some(Overlay::Cell(CellView::of(column, app.grid.row, value, back)));
    settle(app);
}

/// Scrolls, copies, turns JSON over, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "all else scrolls, or does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let inside = area(Layout::of(app).body);
    let Some(Overlay::Cell(view)) = &mut app.overlay else { return Vec::new() };
    match action {
        Action::Raw if view.pretty.is_some() => {
            view.raw = !view.raw;
            view.top = 0;
            view.rows.1.clear();
            return Vec::new();
        }
        Action::Raw => app.say("This cell holds no JSON object or array.", Tone::Trouble),
        Action::Copy => {
            let raw = app.grid.current().map(|(_, value)| value.plain());
            let text = match (&view.pretty, view.raw, raw) {
                (Some(pretty), false, _) => pretty.clone(),
                (_, _, Some(plain)) => plain,
                (_, _, None) => view.text.clone(),
            };
            app.say(format!("Copied {}.", count(text.len(), "byte")), Tone::Done);
            return vec![Effect::Copy(text)];
        }
        Action::Cancel => app.overlay = view.back.take().map(|back| *back),
        other => {
            let height = usize::from(inside.height.saturating_sub(2));
            let count = view.rows.1.len();
            view.top = scroll::by(other, view.top, height, count).unwrap_or(view.top);
        }
    }
    Vec::new()
}

/// Makes the rows for the size of the screen.
pub fn settle(app: &mut App) {
    let inside = area(Layout::of(app).body);
    if let Some(Overlay::Cell(view)) = &mut app.overlay {
        view.wrap(usize::from(inside.width.saturating_sub(4)));
    }
}

fn area(body: Rect) -> Rect {
    super::place(body, 110, body.height.saturating_sub(2).max(3))
}

/// Draws the cell.
pub fn draw(app: &App, view: &CellView, pen: &mut Pen<'_>, body: Rect) {
    let title = match (&view.pretty, view.raw) {
        (Some(_), false) => format!("{} · JSON, indented", view.title),
        (Some(_), true) => format!("{} · JSON, as it is", view.title),
        (None, _) => view.title.clone(),
    };
    let inside = super::front(app, pen, area(body), &title, Place::Cell);
    let rows: Vec<_> = view.rows.1.iter().map(|row| (row, Role::Overlay)).collect();
    scroll::draw(pen, inside, &rows, view.top);
}
