//! Writes the result into a file: form and name, then how far it is, then what was written.
//!
//! The work goes on when this is closed; its progress then stands in the result's title.

use std::path::{Path, PathBuf};

use ratatui::layout::Rect;

use crate::domain::ResultId;
use crate::domain::counts::{count, grouped};
use crate::pipeline::{Consent, Export, ExportFormat, ExportTrouble, Exported, Written};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::{Place, Press};
use super::super::theme::Role;
use super::super::widgets::bar;
use super::super::widgets::line::Line;
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;
use super::copying::size_words;

/// Letters of a file's name that are taken from the question.
const NAME_AT_MOST: usize = 40;

/// The form to be filled in, or how far the export is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportForm {
    format: usize,
    path: Line,
    /// What was agreed to for this file: pressed once more, Enter agrees to what is asked.
    agreed: Vec<Consent>,
    trouble: Option<ExportTrouble>,
}

/// An export that was begun in this session, last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Underway {
    /// What is written, where.
    export: Export,
    rows: u64,
    total: u64,
    /// Rows still arrive.
    arriving: bool,
    since: u64,
    /// When it ended, and with what file.
    ended: Option<(u64, Written)>,
}

impl Underway {
    /// Tells whether it still writes.
    pub fn writing(&self) -> bool {
        self.ended.is_none()
    }

    /// Says how far it is: `exporting 312,000 of 1,000,000`.
    pub fn words(&self) -> String {
        if self.arriving {
            return format!("exporting, {} arrived", count(self.rows, "row"));
        }
        format!("exporting {} of {}", grouped(self.rows), grouped(self.total))
    }
}

/// Offers to export the result shown, or shows the export that goes on.
pub fn open(app: &mut App) {
    if app.export.as_ref().is_some_and(|export| !export.writing()) {
        app.export = None;
    }
    if app.export.is_none() && app.grid.columns().is_empty() {
        app.say("There is no result to export.", Tone::Trouble);
        return;
    }
    let form = ExportForm { path: Line::of(format!("{}.csv", name(app))), ..ExportForm::default() };
    app.overlay = Some(Overlay::Export(form));
}

/// Makes a file's name of the question, else of the tables that the columns come from.
fn name(app: &App) -> String {
    let question = app.run.as_ref().map_or("", |run| run.live.question.text.as_str());
    let table = |column: &crate::domain::ResultColumn| {
        let origin = column.origin.as_deref()?;
        origin.split_once('.').map(|(table, _)| table.to_owned())
    };
    let mut words = question.to_lowercase();
    if words.is_empty() {
        words = app.grid.columns().iter().find_map(table).unwrap_or_default();
    }
    let mut name = String::new();
    for word in words.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()) {
        if name.chars().count() + word.chars().count() >= NAME_AT_MOST {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(word);
    }
    if name.is_empty() { "result".to_owned() } else { name }
}

/// Returns where the keys of the overlay are found: by how far the export is.
pub fn place(app: &App) -> Place {
    match &app.export {
        None => Place::Export,
        Some(export) if export.writing() => Place::Exporting,
        Some(_) => Place::Exported,
    }
}

/// Chooses the form, begins, stops, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let writing = app.export.as_ref().is_some_and(Underway::writing);
    match action {
        Action::Cancel if writing => {
            app.export = None;
            app.overlay = None;
            app.say("Export stopped; no file was left.", Tone::Note);
            return vec![Effect::StopExport];
        }
        Action::Cancel => app.overlay = None,
        Action::Open if app.export.is_some() => app.overlay = None,
        Action::Open => return begin(app),
        Action::Up => choose(app, ExportFormat::ALL.len() - 1),
        Action::Down => choose(app, 1),
        Action::Top => with_path(app, Line::home),
        Action::Bottom => with_path(app, Line::end),
        _ => {}
    }
    Vec::new()
}

fn with_path(app: &mut App, edit: impl Fn(&mut Line)) {
    if let Some(Overlay::Export(form)) = &mut app.overlay {
        edit(&mut form.path);
    }
}

/// Types into the file's name; its ending chooses the form.
pub fn typed(app: &mut App, press: Press) {
    if app.export.is_some() {
        return;
    }
    edited(app, |path| {
        path.press(press);
    });
}

/// Takes a pasted path.
pub fn pasted(app: &mut App, text: &str) {
    edited(app, |path| path.insert(text));
}

fn edited(app: &mut App, edit: impl Fn(&mut Line)) {
    let Some(Overlay::Export(form)) = &mut app.overlay else { return };
    edit(&mut form.path);
    form.agreed.clear();
    form.trouble = None;
    let format = ExportFormat::of_path(Path::new(form.path.text()));
    if let Some(at) = format.and_then(|f| ExportFormat::ALL.iter().position(|one| *one == f)) {
        form.format = at;
    }
}

fn choose(app: &mut App, by: usize) {
    if app.export.is_some() {
        return;
    }
    let Some(Overlay::Export(form)) = &mut app.overlay else { return };
    form.format = (form.format + by) % ExportFormat::ALL.len();
    form.agreed.clear();
    form.trouble = None;
    let path = Path::new(form.path.text());
    // an ending of one's own stays
    if path.extension().is_none() || ExportFormat::of_path(path).is_some() {
        let named = path.with_extension(format_of(form).extension());
        form.path = Line::of(named.to_string_lossy());
    }
}

fn format_of(form: &ExportForm) -> ExportFormat {
    ExportFormat::ALL.get(form.format).copied().unwrap_or_default()
}

fn begin(app: &mut App) -> Vec<Effect> {
    let Some(of) = app.looking.shown().cloned() else { return Vec::new() };
    let columns = chosen_columns(app);
    let Some(Overlay::Export(form)) = &mut app.overlay else { return Vec::new() };
    let text = form.path.text().trim().to_owned();
    if text.is_empty() {
        let what = "a file needs a name".to_owned();
        let hint = "Type one.".to_owned();
        form.trouble = Some(ExportTrouble { what, hint, consent: None });
        return Vec::new();
    }
    let path = PathBuf::from(text);
    form.agreed.extend(form.trouble.take().and_then(|trouble| trouble.consent));
    let export = Export {
        format: format_of(form),
        path,
        columns,
        overwrite: form.agreed.contains(&Consent::Overwrite),
        partial: form.agreed.contains(&Consent::Partial),
    };
    let underway = Underway {
        export: export.clone(),
        rows: 0,
        total: app.grid.total().0,
        arriving: false,
        since: app.clock,
        ended: None,
    };
    app.export = Some(underway);
    vec![Effect::Export(of, Box::new(export))]
}

/// Returns the columns as they stand; none when all stand as they came.
fn chosen_columns(app: &App) -> Option<Vec<usize>> {
    let shown = app.grid.columns.shown();
    let as_they_came = shown.iter().copied().eq(0..app.grid.columns().len());
    (!as_they_came).then(|| shown.to_vec())
}

/// Says how many rows of how many are at hand, when it isn't all.
fn kept_only(app: &App) -> Option<(u64, u64)> {
    let rows = app.run.as_ref()?.version()?.2.rows.as_ref()?;
    let (total, finished) = app.grid.total();
    let plain = app.looking.view.filter.is_empty();
    (plain && finished && rows.row_count > total).then_some((total, rows.row_count))
}

/// Takes what an export tells.
pub fn told(app: &mut App, of: &ResultId, told: Exported) {
    let clock = app.clock;
    let Some(underway) = app.export.as_mut().filter(|export| export.writing()) else { return };
    match told {
        Exported::Waiting { rows } => {
            underway.arriving = true;
            underway.rows = rows;
        }
        Exported::Wrote { rows, total } => {
            underway.arriving = false;
            (underway.rows, underway.total) = (rows, total);
        }
        Exported::Ended(Ok(written)) => {
            let words = format!(
                "Wrote {}: {}, {}.",
                written.path.display(),
                count(written.rows, "row"),
                size_words(written.bytes)
            );
            underway.ended = Some((clock, written));
            if !matches!(app.overlay, Some(Overlay::Export(_))) {
                app.export = None;
                app.say(words, Tone::Done);
            }
        }
        Exported::Ended(Err(trouble)) => failed(app, of, trouble),
    }
}

/// Goes back to the form with what is wrong; nothing typed is lost.
fn failed(app: &mut App, _of: &ResultId, trouble: ExportTrouble) {
    app.export = None;
    if let Some(Overlay::Export(form)) = &mut app.overlay {
        form.trouble = Some(trouble);
        return;
    }
    app.say(format!("Not exported: {}. {}", trouble.what, trouble.hint), Tone::Trouble);
}

/// Draws the form, the progress, or what was written.
pub fn draw(app: &App, form: &ExportForm, pen: &mut Pen<'_>, body: Rect) {
    match &app.export {
        None => draw_form(app, form, pen, body),
        Some(underway) => draw_underway(app, underway, pen, body),
    }
}

fn draw_form(app: &App, form: &ExportForm, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 76, cols(ExportFormat::ALL.len()) + 8);
    let inside = super::front(app, pen, area, "Export", Place::Export);
    let room = inside.width.saturating_sub(2);
    for ((n, format), y) in ExportFormat::ALL.iter().enumerate().zip(inside.y..inside.bottom()) {
        let chosen = n == form.format;
        pen.text(inside.x + 1, y, 2, if chosen { "▶" } else { " " }, Role::Accent);
        pen.text(inside.x + 3, y, 14, format.name(), Role::Overlay);
        pen.text(inside.x + 18, y, room.saturating_sub(17), about(*format), Role::Dim);
        if chosen {
            pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
        }
    }
    let y = inside.y + cols(ExportFormat::ALL.len()) + 1;
    if y + 2 >= inside.bottom() {
        return;
    }
    let x = pen.text(inside.x + 1, y, room, "file › ", Role::Accent);
    form.path.draw(pen, x, y, inside.right().saturating_sub(x + 1), Role::Overlay);
    let (words, role) = below_path(app, form);
    for (line, at) in Shown::from(words).wrap(usize::from(room)).iter().zip(y + 2..inside.bottom())
    {
        let style = pen.style(role);
        pen.put(inside.x + 1, at, room, line, style);
    }
}

/// Says what would be written, or what is in the way.
fn below_path(app: &App, form: &ExportForm) -> (String, Role) {
    if let Some(trouble) = &form.trouble {
        return match trouble.consent {
            None => (format!("✗ {}. {}", trouble.what, trouble.hint), Role::Bad),
            Some(Consent::Overwrite) => {
                let words = format!("! {}. Enter replaces it; or type another name.", trouble.what);
                (words, Role::Warn)
            }
            Some(Consent::Partial) => {
                (format!("! {}. Enter writes that part.", trouble.what), Role::Warn)
            }
        };
    }
    if let Some((kept, all)) = kept_only(app) {
        let words =
            format!("! Only the first {} of {} rows are kept.", grouped(kept), grouped(all));
        return (words, Role::Warn);
    }
    let (total, finished) = app.grid.total();
    let columns = app.grid.columns.shown().len();
    let rows = if finished { count(total, "row") } else { format!("{}+ rows", grouped(total)) };
    let mut words = format!("{rows}, {}", count(columns, "column"));
    if !app.looking.view.is_plain() {
        words.push_str(", as sorted and filtered");
    }
    let hidden = app.grid.columns.hidden().len();
    if hidden > 0 {
        words = format!("{words}; {hidden} hidden are left out");
    }
    (format!("{words}. A path without / is in the working folder."), Role::Dim)
}

/// Says in few words what a form keeps.
fn about(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Csv => "for spreadsheets and scripts; NULL is an empty field",
        ExportFormat::Tsv => "tabs between the cells",
        ExportFormat::JsonLines => "an object a line",
        ExportFormat::Parquet => "typed columns, compressed",
        ExportFormat::Xlsx => "a workbook, up to 1,048,575 rows",
        ExportFormat::Markdown => "a table for documents",
        ExportFormat::Sql => "statements that insert the rows",
    }
}

fn draw_underway(app: &App, underway: &Underway, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 76, 9);
    let title = format!("Export as {}", underway.export.format.name());
    let inside = super::front(app, pen, area, &title, place(app));
    let (x, room) = (inside.x + 1, inside.width.saturating_sub(2));
    let path = match &underway.ended {
        Some((_, written)) => &written.path,
        None => &underway.export.path,
    };
    pen.text(x, inside.y, room, &path.to_string_lossy(), Role::Overlay);
    let end = underway.ended.as_ref().map_or(app.clock, |(at, _)| *at);
    let took = end.saturating_sub(underway.since);
    let took = if took < 100 {
        "under 0.1 s".to_owned()
    } else {
        format!("{}.{} s", took / 1000, took / 100 % 10)
    };
    if let Some((_, written)) = &underway.ended {
        let words =
            format!("✓ {}, {}, in {took}", count(written.rows, "row"), size_words(written.bytes));
        pen.text(x, inside.y + 2, room, &words, Role::Good);
        let notes = written.notes.iter().flat_map(|note| Shown::from(note).wrap(usize::from(room)));
        for (note, y) in notes.zip(inside.y + 4..inside.bottom()) {
            let style = pen.style(Role::Dim);
            pen.put(x, y, room, &note, style);
        }
        return;
    }
    let part = u32::try_from(underway.rows * 1000 / underway.total.max(1)).unwrap_or(1000);
    bar::draw(pen, x, inside.y + 2, room, part.min(1000), 1000);
    let words = format!("{}   {took}", underway.words());
    pen.text(x, inside.y + 4, room, &words, Role::Dim);
}
