//! The ledger: how often each repair and gate fired in past runs, kept or undone, right or wrong.

use ratatui::layout::Rect;

use crate::domain::Ledger;
use crate::render::ledger::{self, Line};
use crate::shown::Shown;

use super::super::action::Action;
use super::super::app::{App, Tone};
use super::super::effect::Effect;
use super::super::keymap::Place;
use super::super::theme::Role;
use super::super::widgets::pen::{Pen, cols};
use super::super::widgets::scroll;
use super::Overlay;

/// Columns of the overlay at most.
const WIDE: u16 = 76;

/// The ledger, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LedgerView {
    /// What was counted, or why nothing was; nothing while runs are read.
    pub ledger: Option<Result<Ledger, String>>,
    /// First row shown.
    pub top: usize,
}

/// Opens it; past runs are read meanwhile.
pub fn open(app: &mut App) -> Vec<Effect> {
    app.overlay = Some(Overlay::Ledger(LedgerView::default()));
    vec![Effect::Ledger]
}

/// Takes what was counted, if it is still waited for.
pub fn take(app: &mut App, counted: Result<Ledger, String>) {
    if let Some(Overlay::Ledger(view)) = &mut app.overlay {
        view.ledger = Some(counted);
    }
}

/// Scrolls, copies, closes.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action without a meaning here does nothing")]
pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::super::layout::Layout::of(app).body;
    let Some(Overlay::Ledger(view)) = &mut app.overlay else { return Vec::new() };
    let height = usize::from(area(body, view).height.saturating_sub(2)).max(1);
    if let Some(top) = scroll::by(action, view.top, height, rows(view).len()) {
        view.top = top;
        return Vec::new();
    }
    match action {
        Action::Copy => {
            let text: Vec<String> =
                rows(view).into_iter().map(|(row, _)| row.as_str().to_owned()).collect();
            app.say("Copied the ledger.", Tone::Done);
            return vec![Effect::Copy(text.join("\n"))];
        }
        Action::Cancel | Action::Ledger => app.overlay = None,
        _ => {}
    }
    Vec::new()
}

fn rows(view: &LedgerView) -> Vec<(Shown, Role)> {
    let ledger = match &view.ledger {
        None => return vec![(Shown::new("Past runs are read."), Role::Dim)],
        Some(Err(why)) => return vec![(Shown::new(&format!("✗ {why}")), Role::Bad)],
        Some(Ok(ledger)) => ledger,
    };
    let role = |line| match line {
        Line::Head => Role::Accent,
        Line::Entry => Role::Overlay,
        Line::Words => Role::Dim,
    };
    let told = ledger::lines(ledger).into_iter();
    told.map(|(line, text)| (Shown::new(&text), role(line))).collect()
}

/// As high as the ledger, as far as the screen goes.
fn area(body: Rect, view: &LedgerView) -> Rect {
    let rows = cols(rows(view).len()) + 2;
    super::place(body, WIDE, rows.clamp(3, body.height.saturating_sub(2).max(3)))
}

/// Draws it.
pub fn draw(app: &App, view: &LedgerView, pen: &mut Pen<'_>, body: Rect) {
    let title = "What repairs and gates did";
    let inside = super::front(app, pen, area(body, view), title, Place::Ledger);
    let rows = rows(view);
    let rows: Vec<_> = rows.iter().map(|(row, role)| (row, *role)).collect();
    scroll::draw(pen, inside, &rows, view.top);
}
