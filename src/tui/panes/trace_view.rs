//! Draws the trace: time, the tree, and what each line took, as far as there is room.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use crate::domain::counts::{count, grouped};

use super::super::app::{App, Door};
use super::super::layout::Pane;
use super::super::moment::RunView;
use super::super::overlays::seek;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece, cols};
use super::steps::{self, duration, moment};
use super::trace::{cursor_line, lines};
use super::tree::{self, Figures, Filter, Line};

/// Columns up to the end of the time.
const TIME: u16 = 9;

/// Columns of an event's label, and at most of a child's.
const LABEL: u16 = 13;
const CHILD: u16 = 24;

/// Columns that details keep before a figure is hidden.
const DETAIL: u16 = 24;

/// The figures, the weightiest first, with their columns: time, tokens, price, budget left.
const FIGURES: [u16; 4] = [9, 11, 9, 17];

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let lines = lines(app);
    let height = usize::from(area.height.saturating_sub(2));
    let mut right = signs(app, pen);
    let unseen = super::unseen(pen, app.trace.top, height, lines.len());
    if !right.is_empty() && !unseen.is_empty() {
        right.push(pen.piece(" · ", Role::Dim));
    }
    right.extend(unseen);
    let frame = super::frame(app, pen, Pane::Trace, title(app, pen, &lines), right);
    let inside = pen.frame(area, &frame);
    let Some(run) = &app.run else {
        draw_start(app, pen, inside);
        return None;
    };
    if lines.is_empty() && app.trace.filter != Filter::All {
        let words = format!("Nothing here is listed: {}.", app.trace.filter.words());
        pen.text(inside.x + 1, inside.y, inside.width.saturating_sub(2), &words, Role::Dim);
        return None;
    }
    let at = cursor_line(run, &lines);
    let rows = Rows { columns: columns(inside.width, &lines), find: &app.trace.find };
    let shown = lines.iter().enumerate().skip(app.trace.top);
    for ((n, line), y) in shown.zip(inside.y..inside.bottom()) {
        let row = Rect::new(inside.x, y, inside.width, 1);
        rows.draw(pen, row, line);
        let marked = line.child == 0 && line.event.is_some_and(|n| run.marks.contains(&n));
        if marked {
            pen.text(inside.x + 2, y, 1, "◆", Role::Past);
        }
        if n == at {
            let sign = if run.cursor.is_some() { "▶" } else { "▸" };
            pen.text(inside.x + 1, y, 1, sign, Role::Accent);
            let focused = app.focus == Pane::Trace;
            pen.lay(row, if focused { Role::Cursor } else { Role::Row });
        }
    }
    None
}

/// Chooses the figures that are drawn: those that some line has, while details keep their room.
fn columns(width: u16, lines: &[Line]) -> [bool; 4] {
    let has = |n: usize| lines.iter().any(|line| words(&line.figures)[n].is_some());
    let mut room = width.saturating_sub(TIME + 4 + LABEL);
    let mut drawn = [false; 4];
    for (n, wide) in FIGURES.into_iter().enumerate() {
        if !has(n) {
            continue;
        }
        if room < DETAIL + wide {
            break;
        }
        room -= wide;
        drawn[n] = true;
    }
    drawn
}

/// Says the figures of a line.
fn words(figures: &Figures) -> [Option<String>; 4] {
    [
        figures.elapsed_us.map(duration),
        figures.tokens.map(|n| format!("{}{} tok", about(figures), grouped(n))),
        figures.cost.map(|cost| format!("${cost:.4}")),
        figures.left.clone(),
    ]
}

/// Returns the sign that stands before an estimate.
fn about(figures: &Figures) -> &'static str {
    if figures.estimated { "~" } else { "" }
}

/// How the rows of this frame are drawn.
struct Rows<'a> {
    columns: [bool; 4],
    find: &'a str,
}

impl Rows<'_> {
    fn draw(&self, pen: &mut Pen<'_>, row: Rect, line: &Line) {
        let (x, y) = (row.x, row.y);
        let end = self.figures(pen, row, &line.figures);
        let fold = match line.folded {
            Some(true) => "▸",
            Some(false) => "▾",
            None => " ",
        };
        let (from, wide, detail_role) = match (line.head, line.depth) {
            (Some(_), _) => {
                pen.text(x + 3, y, 1, fold, line.role);
                (x + 5, 7, Role::Text)
            }
            (None, 0 | 1) => {
                pen.text_right(x + TIME, y, TIME - 3, &moment(line.at_us), Role::Dim);
                let from = x + TIME + 3 + line.depth;
                pen.text(from - 2, y, 1, fold, Role::Dim);
                (from, LABEL, Role::Dim)
            }
            (None, depth) => {
                let branch = if line.last && depth == 2 { "└" } else { "│" };
                let branch = if !line.last && depth == 2 { "├" } else { branch };
                let branch = if depth > 2 && line.last { " " } else { branch };
                let from = x + TIME + 4;
                pen.text(from, y, 1, branch, Role::Border);
                if depth > 2 {
                    let room = end.saturating_sub(from + 4);
                    let shown = self.pieces(pen, &self.near(&line.detail, room), Role::Dim);
                    pen.pieces(from + 4, y, room, &shown);
                    return;
                }
                (from + 2, (cols(line.wide) + 2).min(CHILD), Role::Text)
            }
        };
        let label = self.pieces(pen, &line.label, line.role);
        let room = end.saturating_sub(from);
        let after =
            pen.pieces(from, y, room.min(wide.max(cols(line.label.chars().count()))), &label);
        // a short label keeps its column, a long one pushes the details on
        let at = (from + wide).max(after + 1);
        let room = end.saturating_sub(at);
        let detail = self.pieces(pen, &self.near(&line.detail, room), detail_role);
        pen.pieces(at, y, room, &detail);
    }

    /// Draws figures at the right, each in its column; returns where details must end.
    fn figures(&self, pen: &mut Pen<'_>, row: Rect, figures: &Figures) -> u16 {
        let mut end = row.right().saturating_sub(1);
        let mut free = end;
        for ((words, drawn), wide) in words(figures).into_iter().zip(self.columns).zip(FIGURES) {
            if !drawn {
                continue;
            }
            if let Some(words) = words {
                let from = pen.text_right(end, row.y, wide - 1, &words, Role::Dim);
                free = from.saturating_sub(1);
            }
            end = end.saturating_sub(wide);
        }
        free
    }

    /// Leaves out the beginning of a text where what was looked for would stand behind the room.
    fn near<'t>(&self, text: &'t str, room: u16) -> Cow<'t, str> {
        let room = usize::from(room);
        let Some((start, end)) = seek::found(text, self.find).into_iter().next() else {
            return text.into();
        };
        let letters = |to: usize| text.get(..to).unwrap_or("").chars().count();
        if letters(end) < room {
            return text.into();
        }
        let skip = letters(start).saturating_sub(room / 3);
        format!("…{}", text.chars().skip(skip + 1).collect::<String>()).into()
    }

    /// Marks what was looked for.
    fn pieces(&self, pen: &Pen<'_>, text: &str, role: Role) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (start, end) in seek::found(text, self.find) {
            pieces.push(pen.piece(text.get(from..start).unwrap_or(""), role));
            pieces.push(pen.piece(text.get(start..end).unwrap_or(""), Role::TabActive));
            from = end;
        }
        pieces.push(pen.piece(text.get(from..).unwrap_or(""), role));
        pieces
    }
}

fn title(app: &App, pen: &Pen<'_>, lines: &[Line]) -> Vec<Piece> {
    let Some(run) = &app.run else { return Vec::new() };
    let mut pieces = Vec::new();
    if let Some(at) = run.cursor.filter(|_| run.playing.is_some()) {
        let words = format!("▶ {} · {} of {}", app.trace.speed.words(), at + 1, run.events.len());
        pieces.push(pen.piece(words, Role::Accent));
        pieces.push(pen.piece(" · ", Role::Dim));
    }
    let only = app.trace.filter.words();
    if !only.is_empty() {
        pieces.push(pen.piece(only, Role::Past));
        pieces.push(pen.piece(" · ", Role::Dim));
    }
    let all = count(run.events.len() as u64, "event");
    let shown = tree::events(lines);
    let words = if only.is_empty() { all } else { format!("{shown} of {all}") };
    pieces.push(pen.piece(format!("{words}{}", sums(run)), Role::Dim));
    pieces
}

/// Adds a run up behind its events: calls, tokens, price, time.
fn sums(run: &RunView) -> String {
    let (tokens, estimated) = steps::tokens_of(run.live.calls());
    let calls = run.live.calls().count() as u64;
    let mut words = String::new();
    if calls > 0 {
        let about = if estimated { "~" } else { "" };
        let tokens = format!("{about}{}", grouped(tokens));
        words = format!("{words} · {} · {tokens} tokens", count(calls, "model call"));
    }
    let cost: f64 = run.live.calls().filter_map(|call| call.cost).sum();
    if cost > 0.0 {
        words = format!("{words} · ${cost:.4}");
    }
    if !run.running {
        words = format!("{words} · {}", duration(run.live.elapsed_us));
    }
    words
}

/// Says how the run was rated.
fn signs(app: &App, pen: &Pen<'_>) -> Vec<Piece> {
    let mut signs: Vec<(String, Role)> = Vec::new();
    match app.rated {
        Some(true) => signs.push(("rated +".to_owned(), Role::Good)),
        Some(false) => signs.push(("rated −".to_owned(), Role::Warn)),
        None => {}
    }
    if app.verified {
        signs.push(("✓ verified".to_owned(), Role::Good));
    }
    let mut pieces = Vec::new();
    for (n, (words, role)) in signs.into_iter().enumerate() {
        if n > 0 {
            pieces.push(pen.piece(" · ", Role::Dim));
        }
        pieces.push(pen.piece(words, role));
    }
    pieces
}

/// Says what this tool does and which model answers, before anything was asked.
fn draw_start(app: &App, pen: &mut Pen<'_>, inside: Rect) {
    let model = match (&app.door, app.header.model.as_str()) {
        (Door::Opening, "") => "Choosing a model …".to_owned(),
        (Door::Shut(..), _) | (_, "") => "No model is open.".to_owned(),
        (_, "rules") => "No model set: rules answer simple questions; set ANTHROPIC_API_KEY or \
                         OPENAI_API_KEY, or start Ollama, for all others."
            .to_owned(),
        (_, model) if app.header.scripted => format!("{model} answers: a script, not a model."),
        (_, model) if app.header.remote => {
            format!("{model} answers; {} may leave this machine.", app.privacy().name())
        }
        (_, model) => format!("{model} answers; nothing leaves this machine."),
    };
    let lines = [
        "Ask a question; the model is told the context on this screen, and no more.".to_owned(),
        "Its SQL is checked against this database before it runs; errors are mended in sight."
            .to_owned(),
        model,
    ];
    let width = inside.width.saturating_sub(2);
    let wrapped =
        lines.iter().flat_map(|line| crate::shown::Shown::new(line).wrap(usize::from(width)));
    let style = pen.style(Role::Dim);
    for (line, y) in wrapped.zip(inside.y..inside.bottom()) {
        pen.put(inside.x + 1, y, width, &line, style);
    }
}
