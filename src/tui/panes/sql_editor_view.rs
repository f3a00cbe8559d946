//! Draws the SQL editor: numbered lines, what is wrong underlined at its place, and below them what
//! checking says, each with line and column.

use ratatui::layout::{Position, Rect};

use super::super::action::Action;
use super::super::app::App;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::sql::GUTTER;
use super::sql_editor::{Moved, fixes};
use super::sql_page::sign;
use super::sql_rows::{self, Part, Spans};

/// One line below the editor.
struct Note {
    sign: &'static str,
    role: Role,
    /// The first byte it is about.
    at: Option<usize>,
    words: String,
}

/// Makes the title: whose SQL it is.
pub fn title(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let words = match &app.sql.parent {
        Some(_) => "edited by hand",
        None => "of your own",
    };
    vec![pen.piece(words, Role::Dim)]
}

/// Says how many lines stand above and below those shown.
pub fn unseen(app: &App, pen: &Pen<'_>, inside: Rect) -> Vec<Piece> {
    let height = usize::from(inside.height - notes_height(app, inside));
    let editor = &app.sql.editor;
    super::unseen(pen, editor.scrolled().0, height, editor.count())
}

/// Returns how many rows below the editor say what checking found.
pub fn notes_height(app: &App, inside: Rect) -> u16 {
    cols(notes(app).len().min(usize::from(inside.height / 2)))
}

fn moved(app: &App) -> Moved {
    let checked = app.sql.report.as_ref().map_or("", |report| &report.sql);
    Moved::between(checked, app.sql.editor.as_str())
}

fn notes(app: &App) -> Vec<Note> {
    let Some(report) = app.sql.report.as_ref() else { return Vec::new() };
    if app.sql.editor.is_empty() {
        return Vec::new();
    }
    let moved = moved(app);
    let at = |span: Option<crate::domain::Span>| {
        span.and_then(|span| moved.range(span.start..span.end)).map(|range| range.start)
    };
    let wrong = report.diagnostics.iter();
    let mut notes: Vec<Note> = wrong
        .map(|d| Note { sign: "✗", role: Role::Bad, at: at(d.span), words: d.message.clone() })
        .collect();
    notes.extend(report.findings.iter().map(|finding| {
        let (sign, role) = sign(finding.severity);
        Note { sign, role, at: at(finding.span), words: finding.message.clone() }
    }));
    notes.sort_by_key(|note| note.at);
    if notes.is_empty() {
        let (sign, role, words) = match (moved.same(), report.analysed) {
            (false, _) => ("·", Role::Dim, "checking"),
            (true, true) => ("✓", Role::Good, "checked"),
            (true, false) => ("✓", Role::Good, "checked by the engine only"),
        };
        notes.push(Note { sign, role, at: None, words: words.to_owned() });
    }
    notes
}

/// Draws the editor; returns where the terminal's cursor belongs.
pub fn draw(app: &App, pen: &mut Pen<'_>, inside: Rect) -> Position {
    let below = notes_height(app, inside);
    let editor = &app.sql.editor;
    let (top, left) = editor.scrolled();
    let height = inside.height - below;
    if editor.is_empty() {
        let room = inside.width - GUTTER;
        pen.text(inside.x + GUTTER, inside.y, room, "Type SQL, or ask a question.", Role::Dim);
    }
    let spans = spans(app);
    for (n, y) in (top..editor.count()).zip(inside.y..inside.y + height) {
        pen.text_right(inside.x + GUTTER - 2, y, GUTTER - 1, &(n + 1).to_string(), Role::Dim);
        let area = Rect::new(inside.x + GUTTER, y, inside.width - GUTTER, 1);
        let (line, first) = editor.line_at(n);
        let part = Part { line, first, from: 0, to: line.len() };
        sql_rows::draw_part(app, pen, area, &part, &spans, left);
        if left > 0 && !line.is_empty() {
            // beside the first letter, so that it hides none
            pen.text(inside.x + GUTTER - 1, y, 1, "…", Role::Dim);
        }
    }
    draw_notes(app, pen, Rect { y: inside.y + height, height: below, ..inside });
    let (row, col) = editor.cursor();
    let x = inside.x + GUTTER + cols(col.saturating_sub(left));
    let y = inside.y + cols(row.saturating_sub(top));
    Position::new(x.min(inside.right().saturating_sub(1)), y.min(inside.bottom() - 1))
}

/// Lists what is marked: what is wrong, what to look at, what is selected.
fn spans(app: &App) -> Spans {
    let end = app.sql.editor.as_str().len();
    let mut spans = Spans::new();
    if let Some(report) = &app.sql.report {
        let moved = moved(app);
        let marks = report.findings.iter().filter_map(|f| Some((f.span?, Role::Changed)));
        let wrong = report.diagnostics.iter().filter_map(|d| Some((d.span?, Role::Error)));
        let found = marks.chain(wrong).filter_map(|(span, role)| {
            let range = moved.range(span.start..span.end)?;
            Some((range.start..range.end.max(range.start + 1), role))
        });
        spans.extend(found.filter(|(range, _)| range.start < end));
    }
    spans.extend(app.sql.editor.selection().map(|range| (range, Role::Cursor)));
    spans
}

fn draw_notes(app: &App, pen: &mut Pen<'_>, area: Rect) {
    let editor = &app.sql.editor;
    let fixable =
        app.sql.report.as_ref().map_or_else(Vec::new, |report| {
            fixes(&report.diagnostics, &report.findings, &moved(app))
        });
    let key = app.keys.key_of(Action::Fix);
    let notes = notes(app);
    let unseen = notes.len().saturating_sub(usize::from(area.height));
    for (n, (note, y)) in notes.iter().zip(area.y..area.bottom()).enumerate() {
        pen.text(area.x + 2, y, 1, note.sign, note.role);
        let mut words = note.words.clone();
        if let Some(at) = note.at {
            let before = editor.as_str().get(..at).unwrap_or("");
            let line = before.rfind('\n').map_or(0, |n| n + 1);
            let row = before.matches('\n').count() + 1;
            let column = before.get(line..).unwrap_or("").chars().count() + 1;
            words = format!("{row}:{column}  {words}");
        }
        let mut end = area.right() - 1;
        if n + 1 == usize::from(area.height) && unseen > 0 {
            end = pen.text_right(end, y, 12, &format!(" +{unseen} more"), Role::Dim);
        } else if fixable.iter().any(|fix| Some(fix.range.start) == note.at) {
            end = pen.text_right(end, y, 20, &format!(" {key} mends"), Role::Key);
        }
        let x = area.x + GUTTER;
        pen.text(x, y, end.saturating_sub(x), &words, Role::Text);
    }
}
