//! Past runs, newest first; one can be replayed without model or network.

use ratatui::layout::Rect;

use crate::pipeline::StoredRun;

use super::super::action::Action;
use super::super::app::App;
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::list::{Cursor, Move};
use super::super::widgets::pen::{Pen, cols};
use super::Overlay;

/// State of the list of past runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Runs {
    /// What narrows the list.
    pub filter: String,
    /// The runs; none while they are being read.
    pub runs: Option<Vec<StoredRun>>,
    /// The row chosen.
    pub cursor: Cursor,
}

impl Runs {
    fn rows(&self) -> Vec<&StoredRun> {
        let all = self.runs.as_deref().unwrap_or(&[]);
        let text =
            |r: &StoredRun| format!("{} {} {} {}", r.question, r.status, r.model, r.asked_at);
        all.iter().filter(|run| super::holds(&text(run), &self.filter)).collect()
    }
}

/// Moves, replays, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Runs(runs)) = &mut app.overlay else { return Vec::new() };
    let count = runs.rows().len();
    match action {
        Action::Up => runs.cursor.go(Move::By(-1), count),
        Action::Down => runs.cursor.go(Move::By(1), count),
        Action::PageUp => runs.cursor.go(Move::By(-10), count),
        Action::PageDown => runs.cursor.go(Move::By(10), count),
        Action::Top => runs.cursor.go(Move::First, count),
        Action::Bottom => runs.cursor.go(Move::Last, count),
        Action::Open => {
            let chosen = runs.rows().get(runs.cursor.at).map(|run| run.run.clone());
            app.overlay = None;
            return chosen.map(Effect::Replay).into_iter().collect();
        }
        Action::Cancel => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

/// Draws the list.
pub fn draw(app: &App, runs: &Runs, pen: &mut Pen<'_>, body: Rect) {
    let area = super::place(body, 120, body.height.saturating_sub(2).max(3));
    let inside = super::front(app, pen, area, "Past runs of this database", Place::Runs);
    if inside.height < 2 {
        return;
    }
    super::filter_line(pen, inside, &runs.filter, "type to narrow");
    let rows = runs.rows();
    let height = usize::from(inside.height - 1);
    if rows.is_empty() {
        let words = match &runs.runs {
            None => "Reading past runs …",
            Some(all) if all.is_empty() => "Nothing was asked of this database yet.",
            Some(_) => "No past run holds these words.",
        };
        pen.text(inside.x + 1, inside.y + 1, inside.width.saturating_sub(2), words, Role::Dim);
    }
    let mut cursor = runs.cursor;
    cursor.settle(height, rows.len());
    for (n, run) in rows.iter().enumerate().skip(cursor.top).take(height) {
        draw_row(pen, inside, inside.y + 1 + cols(n - cursor.top), run, n == runs.cursor.at);
    }
}

fn draw_row(pen: &mut Pen<'_>, inside: Rect, y: u16, run: &StoredRun, chosen: bool) {
    let (sign, role) = match run.status.as_str() {
        "answered" if run.trust == "needs_review" => ("!", Role::Warn),
        "answered" => ("✓", Role::Good),
        "clarify" => ("?", Role::Warn),
        "cancelled" => ("·", Role::Dim),
        _ => ("✗", Role::Bad),
    };
    let verified = if run.verified_by.is_empty() { "" } else { "verified" };
    let when: String =
        run.asked_at.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    let end = inside.right().saturating_sub(1);
    let mut right = end;
    if inside.width > 90 {
        right = pen.text_right(end, y, 26, &format!("  {}", run.model), Role::Dim).min(end - 26);
    }
    let x = pen.text(inside.x + 1, y, 18, &format!("{when}  "), Role::Dim);
    let x = pen.text(x, y, 2, sign, role);
    let x = pen.text(x + 1, y, 2, &run.rating, Role::Accent);
    let room = right.saturating_sub(x + 11);
    pen.text(x + 1, y, room, &run.question, Role::Overlay);
    pen.text_right(right, y, 9, verified, Role::Good);
    if chosen {
        pen.lay(Rect::new(inside.x, y, inside.width, 1), Role::Cursor);
    }
}
