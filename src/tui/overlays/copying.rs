//! What to copy, and as what: a table of choices with a look at the text.

use ratatui::layout::Rect;

use crate::domain::counts::{count, grouped};
use crate::domain::{ResultColumn, Value};
use crate::render::table::{TableForm, table_text};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::{CopyTable, Effect};
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// Bytes that are put into a clipboard at most.
pub const COPIED_AT_MOST: u64 = 8 << 20;

/// Forms that can be chosen.
pub const FORMS: [(TableForm, &str); 6] = [
    (TableForm::Tsv, "TSV"),
    (TableForm::Csv, "CSV"),
    (TableForm::Json, "JSON"),
    (TableForm::JsonLines, "JSON lines"),
    (TableForm::Markdown, "Markdown"),
    (TableForm::Sql, "INSERT"),
];

/// Rows of a result that the text is shown of.
const LOOKED_AT: usize = 4;

/// What can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The cell of the cursor.
    Cell,
    /// Its row.
    Row,
    /// Its column.
    Column,
    /// What is selected.
    Selection,
    /// Everything that is shown.
    All,
}

impl Part {
    /// All parts, in the order in which they are offered.
    pub const ALL: [Part; 5] = [Part::Cell, Part::Row, Part::Column, Part::Selection, Part::All];

    fn name(self) -> &'static str {
        match self {
            Part::Cell => "cell",
            Part::Row => "row",
            Part::Column => "column",
            Part::Selection => "selection",
            Part::All => "all",
        }
    }
}

/// What is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copying {
    part: usize,
    form: usize,
}

/// Offers the parts; what is selected is chosen first, else the row.
pub fn open(app: &mut App) {
    if app.grid.row_values().is_none() {
        app.say("There is nothing to copy here.", Tone::Trouble);
        return;
    }
    let part = if app.grid.selection.is_some() { 3 } else { 1 };
    app.overlay = Some(Overlay::Copying(Copying { part, form: app.copied_as }));
}

/// Returns what a part is of the result shown; none where there is none.
pub fn table(app: &App, part: Part, form: TableForm) -> Option<CopyTable> {
    let result = app.looking.shown()?.clone();
    let (total, _) = app.grid.total();
    let shown = || app.grid.columns.shown().to_vec();
    let here = app.grid.row..app.grid.row + 1;
    let (rows, columns) = match part {
        Part::Cell => (here, vec![app.grid.col]),
        Part::Row => (here, shown()),
        Part::Column => (0..total, vec![app.grid.col]),
        Part::Selection => {
            let selected = app.grid.selected()?;
            (selected.rows, selected.columns)
        }
        Part::All => (0..total, shown()),
    };
    Some(CopyTable { result, rows, columns, form })
}

/// Chooses, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Copying(copying)) = &mut app.overlay else { return Vec::new() };
    let parts = Part::ALL.len();
    match action {
        Action::Up => copying.part = (copying.part + parts - 1) % parts,
        Action::Down => copying.part = (copying.part + 1) % parts,
        Action::Top => copying.part = 0,
        Action::Bottom => copying.part = parts - 1,
        Action::Left => copying.form = (copying.form + FORMS.len() - 1) % FORMS.len(),
        Action::Right => copying.form = (copying.form + 1) % FORMS.len(),
        Action::Cancel => app.overlay = None,
        Action::Open | Action::Copy => return take(app),
        _ => {}
    }
    Vec::new()
}

fn chosen(copying: &Copying) -> (Part, TableForm, &'static str) {
    let part = Part::ALL.get(copying.part).copied().unwrap_or(Part::Row);
    let (form, name) = FORMS.get(copying.form).copied().unwrap_or((TableForm::Tsv, "TSV"));
    (part, form, name)
}

fn take(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Copying(copying)) = &app.overlay else { return Vec::new() };
    let form_at = copying.form;
    let (part, form, name) = chosen(copying);
    let Some(table) = table(app, part, form) else {
        app.say("Nothing is selected: V or Shift with an arrow selects.", Tone::Trouble);
        return Vec::new();
    };
    let bytes = size(app, &table);
    if bytes > COPIED_AT_MOST {
        let words = format!(
            "That is about {} as {name}; a clipboard takes up to 8 MB. Export it: E.",
            size_words(bytes)
        );
        app.say(words, Tone::Trouble);
        return Vec::new();
    }
    app.copied_as = form_at;
    app.overlay = None;
    vec![Effect::CopyTable(Box::new(table))]
}

/// Takes the first rows of a part that are at hand.
fn sample(app: &App, table: &CopyTable, most: usize) -> (Vec<ResultColumn>, Vec<Vec<Value>>) {
    let columns = app.grid.columns();
    let page = app.grid.page();
    let first = table.rows.start.max(page.first);
    let end = table.rows.end.min(page.first + page.rows.len() as u64);
    let rows = (first..end).take(most).map(|row| {
        let value = |col: &usize| app.grid.value(row, *col).cloned().unwrap_or_default();
        table.columns.iter().map(value).collect()
    });
    let columns = table.columns.iter().filter_map(|col| columns.get(*col).cloned()).collect();
    (columns, rows.collect())
}

/// Guesses the bytes of a part from the rows at hand.
fn size(app: &App, table: &CopyTable) -> u64 {
    let (columns, rows) = sample(app, table, 200);
    let bytes = table_text(table.form, &columns, &rows, None).len() as u64;
    let all = table.rows.end.saturating_sub(table.rows.start);
    bytes.saturating_mul(all).checked_div(rows.len() as u64).unwrap_or(0)
}

/// Writes a size as people read it.
pub fn size_words(bytes: u64) -> String {
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes / 100 % 10),
        1_000_000..1_000_000_000 => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10),
    }
}

/// Draws parts, forms, and the first lines of the text.
pub fn draw(app: &App, copying: &Copying, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 72, 16);
    let inside = super::front(app, pen, area, "Copy", Place::Copying);
    let (part, form, _) = chosen(copying);
    for (n, one) in Part::ALL.into_iter().enumerate() {
        let y = inside.y + cols(n);
        if y >= inside.bottom() {
            return;
        }
        let is_chosen = n == copying.part;
        let sign = if is_chosen { "▶" } else { " " };
        pen.text(inside.x + 1, y, 2, sign, Role::Accent);
        let there = table(app, one, form);
        let role = if there.is_some() { Role::Overlay } else { Role::Dim };
        pen.text(inside.x + 3, y, 10, one.name(), role);
        let words = there.map_or("nothing is selected".to_owned(), |there| extent(app, &there));
        pen.text(inside.x + 14, y, inside.width.saturating_sub(15), &words, Role::Dim);
        if is_chosen {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
    let y = inside.y + cols(Part::ALL.len()) + 1;
    let mut x = inside.x;
    for (n, (_, name)) in FORMS.iter().enumerate() {
        let (words, role) = if n == copying.form {
            (format!("[{name}]"), Role::TabActive)
        } else {
            (format!(" {name} "), Role::Tab)
        };
        if y < inside.bottom() {
            x = pen.text(x, y, inside.right().saturating_sub(x), &words, role);
        }
    }
    let place = Rect { y: y + 2, height: inside.bottom().saturating_sub(y + 2), ..inside };
    draw_text(app, pen, place, part, form);
}

/// Says how much a part is.
fn extent(app: &App, table: &CopyTable) -> String {
    let rows = table.rows.end.saturating_sub(table.rows.start);
    let size = size(app, table);
    let mut words = format!("{} × {}", grouped(rows), table.columns.len());
    if rows > 1 {
        words = format!("{words} · about {}", size_words(size));
    }
    if size > COPIED_AT_MOST {
        words.push_str(" · too much: E exports");
    }
    words
}

/// Shows how the text begins.
fn draw_text(app: &App, pen: &mut Pen<'_>, area: Rect, part: Part, form: TableForm) {
    let Some(table) = table(app, part, form) else { return };
    let (columns, rows) = sample(app, &table, LOOKED_AT);
    let text = table_text(form, &columns, &rows, None);
    let style = pen.style(Role::Dim);
    for (line, y) in text.lines().zip(area.y..area.bottom()) {
        let width = area.width.saturating_sub(2);
        pen.put(area.x + 1, y, width, &Shown::cut(line, usize::from(width)), style);
    }
}
