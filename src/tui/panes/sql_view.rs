//! Draws the SQL pane: tabs of attempts and versions, numbered lines with colours, what is said of
//! their places, the reading in words, the plan; or the editor.

use ratatui::layout::{Position, Rect};

use crate::domain::{Attempt, Origin, Version};
use crate::shown::Shown;

use super::super::app::App;
use super::super::layout::Pane;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::super::widgets::tabs;
use super::sql::GUTTER;
use super::sql_page::{self, Page};
use super::{sql_diff, sql_editor_view, sql_notes, sql_rows, sql_words};

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let inner = Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2);
    let page = if app.showing_editor() { None } else { sql_page::page(app) };
    let arranged =
        page.as_ref().map(|page| (page, sql_notes::arranged(app, page, inner.width, inner.height)));
    let unseen = match &arranged {
        Some((_, arranged)) => {
            super::unseen(pen, app.sql.top, usize::from(inner.height), arranged.count())
        }
        None if app.showing_editor() => sql_editor_view::unseen(app, pen, inner),
        None => Vec::new(),
    };
    let room = area.width.saturating_sub(16);
    let frame = super::frame(app, pen, Pane::Sql, title(app, pen, page.as_ref(), room), unseen);
    let inside = pen.frame(area, &frame);
    if inside.height == 0 || inside.width <= GUTTER {
        return None;
    }
    if app.showing_editor() {
        return Some(sql_editor_view::draw(app, pen, inside));
    }
    let Some((page, arranged)) = arranged else {
        draw_draft(app, pen, inside);
        return None;
    };
    let spans = sql_rows::spans(page);
    let width = arranged.beside.as_ref().map_or(inside.width, |(from, _)| from - 1);
    for (row, y) in arranged.rows.iter().skip(app.sql.top).zip(inside.y..inside.bottom()) {
        let area = Rect::new(inside.x, y, width, 1);
        sql_rows::draw(app, pen, area, &page.sql, row, &spans);
    }
    if let Some((from, rows)) = &arranged.beside {
        for y in inside.y..inside.bottom() {
            pen.text(inside.x + from - 1, y, 1, "│", Role::Border);
        }
        for (row, y) in rows.iter().skip(app.sql.top).zip(inside.y..inside.bottom()) {
            let area = Rect::new(inside.x + from, y, inside.width - from, 1);
            sql_rows::draw(app, pen, area, "", row, &Vec::new());
        }
    }
    None
}

/// Makes the pane's title: attempts and versions as tabs, in full where there is room.
fn title(app: &App, pen: &Pen<'_>, page: Option<&Page<'_>>, room: u16) -> Vec<Piece> {
    if app.showing_editor() {
        return sql_editor_view::title(app, pen);
    }
    let (Some(run), Some(page)) = (&app.run, page) else {
        let writing = app.run.as_ref().is_some_and(|run| !run.draft.is_empty());
        return if writing { vec![pen.piece("being written", Role::Accent)] } else { Vec::new() };
    };
    let mut more = Vec::new();
    if app.sql.diff {
        let words = format!(" ─ diff {}", sql_diff::words(app, page));
        more.push(pen.piece(words, Role::Dim));
    } else if app.sql.formatted {
        more.push(pen.piece(" ─ laid out", Role::Dim));
    }
    let wide = |pieces: &[Piece]| pieces.iter().map(|(text, _)| cols(text.width())).sum::<u16>();
    let attempts = &run.live.attempts;
    let room = room.saturating_sub(wide(&more));
    let mut pieces = all_tabs(pen, attempts, page);
    if wide(&pieces) > room {
        pieces = few_tabs(pen, attempts, page);
    }
    pieces.extend(more);
    pieces
}

fn all_tabs(pen: &Pen<'_>, attempts: &[Attempt], page: &Page<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if attempts.len() > 1 {
        let names: Vec<(String, Role)> = attempts
            .iter()
            .map(|attempt| {
                let (sign, role) = sql_words::sign(attempt.last());
                (format!("{} {sign}", attempt.n), role)
            })
            .collect();
        let front = attempts.iter().position(|a| a.n == page.attempt.n).unwrap_or(0);
        pieces.push(pen.piece("attempt", Role::Dim));
        pieces.extend(tabs::pieces(pen, &names, front));
        pieces.push(pen.piece(" ─", Role::Border));
    }
    let versions = page.attempt.versions.iter().enumerate();
    let names: Vec<(String, Role)> = versions.map(|(n, v)| named(page.attempt, n, v)).collect();
    pieces.extend(tabs::pieces(pen, &names, page.at));
    pieces
}

/// Names only what is in front: `attempt 2 of 5 ─ mended 3 ✗, 4 of 6`.
fn few_tabs(pen: &Pen<'_>, attempts: &[Attempt], page: &Page<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if attempts.len() > 1 {
        let words = format!("attempt {} of {} ", page.attempt.n, attempts.len());
        pieces.push(pen.piece(words, Role::Dim));
        pieces.push(pen.piece("─ ", Role::Border));
    }
    let (name, _) = named(page.attempt, page.at, page.version);
    pieces.push(pen.piece(name, Role::TabActive));
    let versions = page.attempt.versions.len();
    if versions > 1 {
        pieces.push(pen.piece(format!(" {} of {versions}", page.at + 1), Role::Dim));
    }
    pieces
}

fn named(attempt: &Attempt, n: usize, version: &Version) -> (String, Role) {
    let (sign, role) = sql_words::sign(version);
    let name = match n {
        0 if attempt.origin == Origin::Person => "as typed".to_owned(),
        0 => "as drafted".to_owned(),
        1 if attempt.versions.len() == 2 => "mended".to_owned(),
        n => format!("mended {n}"),
    };
    (format!("{name} {sign}"), role)
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
