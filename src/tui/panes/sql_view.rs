//! Draws the SQL pane: tabs of versions, numbered lines with colours, errors under their place, the
//! reading in words, the plan; or the editor with what checking says.

use ratatui::layout::{Position, Rect};

use crate::domain::Origin;
use crate::shown::Shown;

use super::super::app::App;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::super::widgets::tabs;
use super::sql::GUTTER;
use super::{sql_rows, sql_words};

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let unseen = if app.showing_editor() {
        Vec::new()
    } else {
        let rows = sql_rows::count(app, area.width.saturating_sub(2));
        super::unseen(pen, app.sql.top, usize::from(area.height.saturating_sub(2)), rows)
    };
    let frame = super::frame(app, pen, Pane::Sql, title(app, pen), unseen);
    let inside = pen.frame(area, &frame);
    if inside.height == 0 || inside.width <= GUTTER {
        return None;
    }
    if app.showing_editor() {
        return Some(draw_editor(app, pen, inside));
    }
    let run = app.run.as_ref()?;
    let Some((attempt, at, version)) = run.version() else {
        draw_draft(app, pen, inside);
        return None;
    };
    let former = at.checked_sub(1).and_then(|n| attempt.versions.get(n));
    let spans = sql_rows::spans(version, former);
    let rows = sql_rows::rows(app, attempt, at, version, inside.width);
    for (row, y) in rows.iter().skip(app.sql.top).zip(inside.y..inside.bottom()) {
        sql_rows::draw(app, pen, Rect { y, height: 1, ..inside }, &version.sql, row, &spans);
    }
    None
}

fn title(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    if app.showing_editor() {
        let words = match &app.sql.parent {
            Some(_) => "edited by hand",
            None => "of your own",
        };
        return vec![pen.piece(words, Role::Dim)];
    }
    let Some(run) = &app.run else { return Vec::new() };
    let Some((attempt, at, _)) = run.version() else {
        return if run.draft.is_empty() {
            Vec::new()
        } else {
            vec![pen.piece("being written", Role::Accent)]
        };
    };
    let mut pieces = Vec::new();
    if run.live.attempts.len() > 1 {
        let names: Vec<(String, Role)> = run
            .live
            .attempts
            .iter()
            .map(|a| {
                let (sign, role) = sql_words::sign(a.last());
                (format!("{} {sign}", a.n), role)
            })
            .collect();
        let front = run.live.attempts.iter().position(|a| a.n == attempt.n).unwrap_or(0);
        pieces.push(pen.piece("attempt ", Role::Dim));
        pieces.extend(tabs::pieces(pen, &names, front));
        pieces.push(pen.piece(" ─ ", Role::Border));
    }
    let drafted = if attempt.origin == Origin::Person { "as typed" } else { "as drafted" };
    let names: Vec<(String, Role)> = attempt
        .versions
        .iter()
        .enumerate()
        .map(|(n, version)| {
            let (sign, role) = sql_words::sign(version);
            let name = match n {
                0 => drafted.to_owned(),
                1 if attempt.versions.len() == 2 => "mended".to_owned(),
                n => format!("mended {n}"),
            };
            (format!("{name} {sign}"), role)
        })
        .collect();
    pieces.extend(tabs::pieces(pen, &names, at));
    pieces
}

/// Draws what a model is writing right now: its newest lines.
fn draw_draft(app: &App, pen: &mut Pen<'_>, inside: Rect) {
    let Some(run) = &app.run else { return };
    if run.draft.is_empty() {
        let later = run.running || !run.live.attempts.is_empty();
        let words = if later { "Nothing is written yet." } else { "No SQL was written." };
        pen.text(inside.x + 1, inside.y, inside.width - 2, words, Role::Dim);
        return;
    }
    let height = usize::from(inside.height);
    let mut lines: Vec<&str> = run.draft.rsplit('\n').take(height).collect();
    lines.reverse();
    let wrapped: Vec<Shown> = lines
        .iter()
        .flat_map(|line| Shown::code(line).wrap(usize::from(inside.width - 2)))
        .collect();
    let from = wrapped.len().saturating_sub(height);
    let style = pen.style(Role::Dim);
    for (line, y) in wrapped.iter().skip(from).zip(inside.y..inside.bottom()) {
        pen.put(inside.x + 1, y, inside.width - 2, line, style);
    }
}

/// Returns how many rows below the editor say what checking found.
pub fn notes_height(app: &App, inside: Rect) -> u16 {
    let found = editor_notes(app).len();
    cols(found.min(usize::from(inside.height / 2)))
}

fn editor_notes(app: &App) -> Vec<(&'static str, Role, String)> {
    let Some(report) = app.sql.report.as_ref() else { return Vec::new() };
    if app.sql.editor.is_empty() {
        return Vec::new();
    }
    let mut notes: Vec<(&'static str, Role, String)> =
        report.diagnostics.iter().map(|d| ("✗", Role::Bad, d.message.clone())).collect();
    notes.extend(report.findings.iter().map(|f| ("!", Role::Warn, f.message.clone())));
    if notes.is_empty() {
        let words = if report.analysed { "checked" } else { "checked by the engine only" };
        notes.push(("✓", Role::Good, words.to_owned()));
    }
    notes
}

fn draw_editor(app: &App, pen: &mut Pen<'_>, inside: Rect) -> Position {
    let notes = notes_height(app, inside);
    let (top, left) = app.sql.editor.scrolled();
    let height = inside.height - notes;
    if app.sql.editor.is_empty() {
        pen.text(
            inside.x + GUTTER,
            inside.y,
            inside.width - GUTTER,
            "Type SQL, or ask a question.",
            Role::Dim,
        );
    }
    let spans: sql_rows::Spans = app
        .sql
        .report
        .iter()
        .flat_map(|r| &r.diagnostics)
        .filter_map(|d| d.span)
        .map(|span| (span.start, span.end.max(span.start + 1), Role::Error))
        .collect();
    let mut first = 0;
    for (n, line) in app.sql.editor.lines().iter().enumerate() {
        if n >= top && n < top + usize::from(height) {
            let y = inside.y + cols(n - top);
            pen.text_right(inside.x + GUTTER - 2, y, GUTTER - 1, &(n + 1).to_string(), Role::Dim);
            let area = Rect::new(inside.x + GUTTER, y, inside.width - GUTTER, 1);
            let part = sql_rows::Part { line, first, from: 0, to: line.len() };
            sql_rows::draw_part(app, pen, area, &part, &spans, left);
        }
        first += line.len() + 1;
    }
    for ((sign, role, words), y) in editor_notes(app).iter().zip(inside.y + height..inside.bottom())
    {
        pen.text(inside.x + 2, y, 1, sign, *role);
        pen.text(inside.x + GUTTER, y, inside.width - GUTTER, words, Role::Text);
    }
    let (row, col) = app.sql.editor.cursor();
    let x = inside.x + GUTTER + cols(col.saturating_sub(left));
    let y = inside.y + cols(row.saturating_sub(top));
    Position::new(x.min(inside.right().saturating_sub(1)), y.min(inside.bottom() - 1))
}
