//! Keys that are shown on the screen, where they stand, and what a click on one does.

use ratatui::layout::{Position, Rect};

use crate::shown::Shown;

use super::action::Action;
use super::app::App;
use super::keymap::Place;
use super::layout::{Layout, Pane};
use super::panes;
use super::picking;
use super::widgets::pen::cols;

/// Columns from which the status line shows the key of the command list too.
const BOTH: u16 = 70;

/// Lists the keys of the status line: key, word, action.
pub(super) fn of_status(app: &App, width: u16) -> Vec<(String, &'static str, Action)> {
    let mut hints = vec![(help_key(app), "help", Action::Help)];
    if width >= BOTH {
        hints.push((app.keys.key_of(Action::Palette), "commands", Action::Palette));
    }
    hints
}

/// Returns the key that shows all keys from where the focus is.
fn help_key(app: &App) -> String {
    let here = app.pane_places();
    app.keys.key_in(&here, Action::Help).unwrap_or_else(|| app.keys.key_of(Action::Help))
}

/// Finds the key shown at a cell: the pane it belongs to, and its action.
pub(super) fn at(app: &App, x: u16, y: u16) -> Option<(Option<Pane>, Action)> {
    let lay = Layout::of(app);
    if let Some(area) = picking::frame(app) {
        let places = [app.overlay.as_ref()?.place(), Place::Overlay];
        return Some((None, in_foot(app, &places, area, x, y)?));
    }
    if y == lay.status.y && lay.status.height > 0 {
        return Some((None, in_status(app, lay.status, x)?));
    }
    let pane = lay.at(x, y)?;
    let place = panes::place(app, pane);
    Some((Some(pane), in_foot(app, &[place], lay.pane(pane), x, y)?))
}

/// Finds the key at a cell of a bottom border: `╰ key word · key word ─╯`.
fn in_foot(app: &App, places: &[Place], area: Rect, x: u16, y: u16) -> Option<Action> {
    if y + 1 != area.bottom() || !area.contains(Position { x, y }) {
        return None;
    }
    let mut from = area.x + 2;
    for bound in places.iter().flat_map(|place| app.keys.foot_rows(*place)) {
        let (key, word) = (bound.shown()?, bound.foot.as_deref()?);
        let to = from + wide(&key) + 1 + wide(word);
        if from <= x && x < to && to < area.right() {
            return Some(bound.action);
        }
        from = to + 3;
    }
    None
}

fn in_status(app: &App, line: Rect, x: u16) -> Option<Action> {
    let hints = of_status(app, line.width);
    let width = |(key, word, _): &(String, &str, Action)| wide(key) + 1 + wide(word);
    let all: u16 = hints.iter().map(|hint| width(hint) + 2).sum();
    let mut from = (line.right() + 1).saturating_sub(all);
    for hint in &hints {
        let to = from + width(hint);
        if from <= x && x < to {
            return Some(hint.2);
        }
        from = to + 2;
    }
    None
}

fn wide(text: &str) -> u16 {
    cols(Shown::new(text).width())
}
