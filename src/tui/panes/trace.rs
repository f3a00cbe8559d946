//! The trace pane: every event of a run; its cursor is time.

use ratatui::layout::{Position, Rect};

use super::super::action::Action;
use super::super::app::{App, Door, Tone};
use super::super::effect::Effect;
use super::super::layout::Pane;
use super::super::moment::RunView;
use super::super::overlays::Overlay;
use super::super::overlays::text::Whole;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, Piece};
use super::steps::{self, Line, count, duration, grouped};

/// Columns before the label: cursor, time.
const TIME: u16 = 9;

/// Columns of the label.
const LABEL: u16 = 13;

/// Does an action in the trace pane.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let screen = isize::try_from(app.inside(Pane::Trace).height.max(2)).unwrap_or(10) - 1;
    let Some(run) = &mut app.run else { return Vec::new() };
    match action {
        Action::Up => step(run, -1),
        Action::Down => step(run, 1),
        Action::PageUp => step(run, -screen),
        Action::PageDown => step(run, screen),
        Action::Top => run.look_at(0),
        Action::Follow | Action::Bottom | Action::Last => run.follow(),
        Action::FormerVersion => version(run, false),
        Action::NextVersion => version(run, true),
        Action::Fold => fold(run),
        Action::Open => {
            if let Some(event) = run.at().and_then(|n| run.events.get(n)) {
                let line = steps::lines(run).into_iter().find(|l| l.event == run.at());
                let label = line.map(|l| l.label).unwrap_or_default();
                let title = format!("{label} · {} s", steps::moment(event.at_us));
                let text = steps::whole(event);
                app.overlay = Some(Overlay::Text(Whole::of(title, text)));
            }
        }
        Action::Good => return rate(app, true),
        Action::Bad => return rate(app, false),
        Action::Verify => return verify(app),
        _ => {}
    }
    Vec::new()
}

/// Moves the cursor by lines that stand for events.
fn step(run: &mut RunView, by: isize) {
    let lines = steps::lines(run);
    let events: Vec<usize> = lines.iter().filter_map(|line| line.event).collect();
    let at = run.at().unwrap_or(0);
    let here = events.iter().rposition(|event| *event <= at).unwrap_or(0);
    let to = here.saturating_add_signed(by).min(events.len().saturating_sub(1));
    // at the newest event of a run that has ended, now is that moment
    if to + 1 == events.len() && !run.running {
        run.follow();
    } else if let Some(event) = events.get(to) {
        run.look_at(*event);
    }
}

/// Goes to the former or next version, at its last event.
fn version(run: &mut RunView, next: bool) {
    let versions = run.versions();
    let Some(place) = run.place() else { return };
    let Some(here) = versions.iter().position(|v| *v == place) else { return };
    let to = if next { here.checked_add(1) } else { here.checked_sub(1) };
    let Some((attempt, at)) = to.and_then(|n| versions.get(n)) else { return };
    if let Some(event) = run.last_event_of(*attempt, *at) {
        run.look_at(event);
    }
}

fn fold(run: &mut RunView) {
    let Some(place) = run.place() else { return };
    if !run.folds.remove(&place.0) {
        run.folds.insert(place.0);
    }
}

fn rate(app: &mut App, good: bool) -> Vec<Effect> {
    let Some(id) = finished(app) else { return Vec::new() };
    app.rated = Some(good);
    vec![Effect::Rate(id, good)]
}

fn verify(app: &mut App) -> Vec<Effect> {
    let Some(id) = finished(app) else { return Vec::new() };
    app.verified = !app.verified;
    vec![Effect::Verify(id, app.verified)]
}

fn finished(app: &mut App) -> Option<crate::domain::RunId> {
    let run = app.run.as_ref()?;
    if run.running {
        app.say("The run hasn't ended yet.", Tone::Trouble);
        return None;
    }
    Some(run.id().clone())
}

/// Goes to the event on a line that was clicked.
pub fn click(app: &mut App, row: usize) -> Vec<Effect> {
    let top = app.trace_top;
    let Some(run) = &mut app.run else { return Vec::new() };
    let lines = steps::lines(run);
    let Some(line) = lines.get(top + row) else { return Vec::new() };
    match (line.event, line.head) {
        (Some(event), _) if event + 1 == run.events.len() && !run.running => run.follow(),
        (Some(event), _) => run.look_at(event),
        (None, Some(attempt)) => {
            run.folds.insert(attempt);
        }
        (None, None) => {}
    }
    Vec::new()
}

/// Keeps the cursor in view.
pub fn settle(app: &mut App, inside: Rect) {
    let Some(run) = &app.run else { return };
    let lines = steps::lines(run);
    let height = usize::from(inside.height);
    if height == 0 {
        return;
    }
    let at = cursor_line(run, &lines);
    let top = app.trace_top.clamp((at + 1).saturating_sub(height), at);
    app.trace_top = top.min(lines.len().saturating_sub(height));
}

/// Returns the line of the event looked at.
fn cursor_line(run: &RunView, lines: &[Line]) -> usize {
    let at = run.at().unwrap_or(0);
    lines.iter().rposition(|line| line.event.is_some_and(|event| event <= at)).unwrap_or(0)
}

/// Draws the pane.
pub fn draw(app: &App, pen: &mut Pen<'_>, area: Rect) -> Option<Position> {
    let (title, mut right) = title(app, pen);
    let lines = app.run.as_ref().map(steps::lines).unwrap_or_default();
    let height = usize::from(area.height.saturating_sub(2));
    let unseen = super::unseen(pen, app.trace_top, height, lines.len());
    if !right.is_empty() && !unseen.is_empty() {
        right.push(pen.piece(" · ", Role::Dim));
    }
    right.extend(unseen);
    let frame = super::frame(app, pen, Pane::Trace, title, right);
    let inside = pen.frame(area, &frame);
    let Some(run) = &app.run else {
        draw_start(app, pen, inside);
        return None;
    };
    let at = cursor_line(run, &lines);
    let shown = lines.iter().enumerate().skip(app.trace_top);
    for ((n, line), y) in shown.zip(inside.y..inside.bottom()) {
        let row = Rect::new(inside.x, y, inside.width, 1);
        draw_line(pen, row, line);
        if n == at {
            let sign = if run.cursor.is_some() { "▶" } else { "▸" };
            pen.text(inside.x + 1, y, 1, sign, Role::Accent);
            let focused = app.focus == Pane::Trace;
            pen.lay(row, if focused { Role::Cursor } else { Role::Row });
        }
    }
    None
}

fn draw_line(pen: &mut Pen<'_>, row: Rect, line: &Line) {
    let (x, y, end) = (row.x, row.y, row.right());
    if line.head.is_some() {
        let after = pen.text(x + 3, y, 8, &line.label, line.role);
        let right = pen.text_right(end - 1, y, row.width / 2, &line.right, Role::Dim);
        let from = (x + TIME + 2).max(after + 1);
        pen.text(from, y, right.saturating_sub(from + 1), &line.detail, Role::Text);
        return;
    }
    pen.text_right(x + TIME, y, TIME - 3, &steps::moment(line.at_us), Role::Dim);
    let indent = if line.inner { 3 } else { 2 };
    let from = x + TIME + indent;
    pen.text(from, y, LABEL, &line.label, line.role);
    let right = pen.text_right(end - 1, y, row.width / 3, &line.right, Role::Dim);
    let detail = from + LABEL;
    pen.text(detail, y, right.saturating_sub(detail + 1), &line.detail, Role::Dim);
}

fn title(app: &App, pen: &Pen<'_>) -> (Vec<Piece>, Vec<Piece>) {
    let Some(run) = &app.run else { return (Vec::new(), Vec::new()) };
    let usage = run.live.usage();
    let calls = run.live.calls().count() as u64;
    let mut words = count(run.events.len() as u64, "event");
    if calls > 0 {
        let tokens = grouped(usage.input_tokens + usage.output_tokens);
        words = format!("{words} · {} · {tokens} tokens", count(calls, "model call"));
    }
    let cost: f64 = run.live.calls().filter_map(|call| call.cost).sum();
    if cost > 0.0 {
        words = format!("{words} · ${cost:.4}");
    }
    if !run.running {
        words = format!("{words} · {}", duration(run.live.elapsed_us));
    }
    let mut right = Vec::new();
    match app.rated {
        Some(true) => right.push(pen.piece("rated +", Role::Good)),
        Some(false) => right.push(pen.piece("rated −", Role::Warn)),
        None => {}
    }
    if app.verified {
        let space = if right.is_empty() { "" } else { " · " };
        right.push(pen.piece(format!("{space}✓ verified"), Role::Good));
    }
    (vec![pen.piece(words, Role::Dim)], right)
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
