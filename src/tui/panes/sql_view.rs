//! Draws the SQL pane: tabs of versions, numbered lines with colours, errors under their place, the
//! reading in words, the plan; or the editor with what checking says.

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::domain::{Attempt, Diagnostic, Origin, Severity, Version};
use crate::shown::Shown;

use super::super::app::App;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::super::widgets::tabs;
use super::sql::GUTTER;
use super::sql_words;

/// One row of the pane.
enum Row {
    /// A line of the SQL: its number from 0, and its first byte.
    Code(usize, usize),
    /// Words under or after the SQL, at a column.
    Words(u16, Vec<(Shown, Role)>),
}

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let unseen = if app.showing_editor() {
        Vec::new()
    } else {
        let rows = count(app, area.width.saturating_sub(2));
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
    let spans = spans(version, former);
    let rows = rows(app, attempt, at, version, inside.width);
    let lines: Vec<&str> = version.sql.split('\n').collect();
    for (row, y) in rows.iter().skip(app.sql.top).zip(inside.y..inside.bottom()) {
        match row {
            Row::Code(n, first) => {
                let line = lines.get(*n).copied().unwrap_or("");
                pen.text_right(
                    inside.x + GUTTER - 2,
                    y,
                    GUTTER - 1,
                    &(n + 1).to_string(),
                    Role::Dim,
                );
                draw_line(
                    app,
                    pen,
                    Rect::new(inside.x + GUTTER, y, inside.width - GUTTER, 1),
                    line,
                    *first,
                    &spans,
                    0,
                );
            }
            Row::Words(x, pieces) => {
                let pieces: Vec<Piece> =
                    pieces.iter().map(|(text, role)| (text.clone(), pen.style(*role))).collect();
                pen.pieces(inside.x + x, y, inside.width.saturating_sub(x + 1), &pieces);
            }
        }
    }
    None
}

/// Counts the rows that the version looked at takes.
pub fn count(app: &App, width: u16) -> usize {
    let version = app.run.as_ref().and_then(|run| run.version());
    version.map_or(0, |(attempt, at, version)| rows(app, attempt, at, version, width).len())
}

fn rows(app: &App, attempt: &Attempt, at: usize, version: &Version, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    let diagnostics = version.failure.as_ref().map_or(&[][..], |f| &f.diagnostics);
    let mut first = 0;
    let last = version.sql.split('\n').count().saturating_sub(1);
    for (n, line) in version.sql.split('\n').enumerate() {
        rows.push(Row::Code(n, first));
        let end = first + line.len();
        for diagnostic in diagnostics {
            let starts = diagnostic.span.map_or(usize::MAX, |span| span.start);
            let here = (first..=end).contains(&starts)
                || (n == last && starts > end && starts < usize::MAX);
            if here {
                under(&mut rows, line, first, diagnostic, width);
            }
        }
        first = end + 1;
    }
    notes(app, &mut rows, attempt, at, version, width);
    rows
}

/// Writes a diagnostic under its place: `~~~~ ✗ message`, wrapped under the message.
fn under(rows: &mut Vec<Row>, line: &str, first: usize, diagnostic: &Diagnostic, width: u16) {
    let span = diagnostic.span.unwrap_or_default();
    let from = Shown::column(line, span.start.saturating_sub(first));
    let to = Shown::column(line, span.end.saturating_sub(first)).max(from + 1);
    let room = usize::from(width.saturating_sub(GUTTER + 2));
    let from = from.min(room.saturating_sub(24));
    let to = to.min(room.saturating_sub(20)).max(from + 1);
    let waves = Shown::from("~".repeat(to - from));
    let sentences = diagnostic.message.replace(". Did you", ".\nDid you");
    let mut first_row = true;
    for sentence in Shown::lines(&sentences) {
        for part in sentence.wrap(room.saturating_sub(to + 3).max(16)) {
            let x = GUTTER + cols(from);
            let pieces = if first_row {
                vec![(waves.clone(), Role::Bad), (Shown::new(" ✗ "), Role::Bad), (part, Role::Text)]
            } else {
                vec![(Shown::from(" ".repeat(to - from + 3)), Role::Text), (part, Role::Text)]
            };
            rows.push(Row::Words(x, pieces));
            first_row = false;
        }
    }
}

/// Writes what stands below the SQL: errors without a place, findings, reading, plan, repair.
fn notes(
    app: &App,
    rows: &mut Vec<Row>,
    attempt: &Attempt,
    at: usize,
    version: &Version,
    width: u16,
) {
    rows.push(Row::Words(0, Vec::new()));
    let placeless =
        version.failure.iter().flat_map(|f| &f.diagnostics).filter(|d| d.span.is_none());
    for diagnostic in placeless {
        labelled(rows, "✗", Role::Bad, &diagnostic.message, width);
    }
    for finding in &version.findings {
        let (sign, role) = match finding.severity {
            Severity::Info => ("·", Role::Dim),
            Severity::Warning => ("!", Role::Warn),
            Severity::Blocking => ("✗", Role::Bad),
        };
        labelled(rows, sign, role, &finding.message, width);
    }
    if let Some(repair) = &version.repair {
        let words = format!("{} → {}, {}", repair.from, repair.to, repair.evidence);
        labelled(rows, "mended:", Role::Changed, &words, width);
    }
    let run = app.run.as_ref();
    let chosen = run.and_then(|run| run.live.answer.as_ref()).and_then(|a| a.chosen);
    let told = run.and_then(|run| run.live.english.clone());
    let english = told.filter(|_| chosen == Some((attempt.n, at)));
    let reading = english.unwrap_or_else(|| app.sql.reading.1.clone());
    if !reading.is_empty() {
        labelled(rows, "reads:", Role::Dim, &reading, width);
    }
    if let Some(plan) = &attempt.plan {
        labelled(rows, "plan:", Role::Dim, &sql_words::plan(plan), width);
    }
}

fn labelled(rows: &mut Vec<Row>, label: &str, role: Role, words: &str, width: u16) {
    let wide = if label.chars().count() > 1 { 8 } else { 2 };
    let room = usize::from(width).saturating_sub(wide + 3);
    let mut label = Some(label);
    for part in Shown::new(words).wrap(room) {
        let head = Shown::from(label.take().unwrap_or("")).left(wide);
        rows.push(Row::Words(1, vec![(head, role), (part, Role::Text)]));
    }
}

/// Byte ranges of the whole SQL that are marked, each with its role.
type Spans = Vec<(usize, usize, Role)>;

fn spans(version: &Version, former: Option<&Version>) -> Spans {
    let mut spans: Spans = Vec::new();
    if let Some((from, to)) = former.and_then(|f| sql_words::changed(&f.sql, &version.sql)) {
        spans.push((from, to, Role::Changed));
    }
    let wrong = version.failure.iter().flat_map(|f| &f.diagnostics).filter_map(|d| d.span);
    spans.extend(wrong.map(|span| (span.start, span.end.max(span.start + 1), Role::Error)));
    spans
}

/// Draws one line with its colours and marks, from column `left` on.
fn draw_line(
    app: &App,
    pen: &mut Pen<'_>,
    area: Rect,
    line: &str,
    first: usize,
    spans: &Spans,
    left: usize,
) {
    let colours = app.sql.colours.lines.get(line);
    let mut cuts: Vec<usize> = vec![0, line.len()];
    cuts.extend(colours.into_iter().flatten().map(|(end, _)| *end));
    for (from, to, _) in spans {
        cuts.extend([from.saturating_sub(first), to.saturating_sub(first)]);
    }
    cuts.retain(|at| line.is_char_boundary(*at));
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<Piece> = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = pair else { continue };
        let text = line.get(*from..*to).unwrap_or("");
        let paint = colours.and_then(|c| c.iter().find(|(end, _)| from < end));
        let style = paint.map_or(pen.style(Role::Text), |(_, paint)| pen.theme.paint(*paint));
        pieces.push((Shown::code(text), style.patch(marked(pen, spans, first + from))));
    }
    skip(&mut pieces, left);
    pen.pieces(area.x, area.y, area.width, &pieces);
}

fn marked(pen: &Pen<'_>, spans: &Spans, at: usize) -> Style {
    let mark = spans.iter().rev().find(|(from, to, _)| (*from..*to).contains(&at));
    mark.map_or(Style::new(), |(_, _, role)| pen.style(*role))
}

fn skip(pieces: &mut [Piece], mut left: usize) {
    for (text, _) in pieces {
        let wide = text.width();
        if left == 0 {
            break;
        }
        *text = text.skip(left.min(wide));
        left = left.saturating_sub(wide);
    }
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
        let words = if run.running { "Nothing is written yet." } else { "No SQL was written." };
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
    let spans: Spans = app
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
            draw_line(app, pen, area, line, first, &spans, left);
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
