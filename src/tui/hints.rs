//! Keys that are shown on the screen, where they stand, and what a click on one does.

use ratatui::layout::{Position, Rect};

use crate::shown::Shown;

use super::action::Action;
use super::app::App;
use super::keymap::Place;
use super::layout::{Layout, Pane};
use super::panes::{self, result_title};
use super::picking;
use super::sense;
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

/// Lists the keys of a place for its bottom border: key, word, action; those that make sense now.
pub(super) fn of_place(app: &App, place: Place) -> Vec<(String, String, Action)> {
    let rows = app.keys.foot_rows(place);
    rows.filter(|bound| sense::refusal(app, place, bound.action).is_none())
        .filter_map(|bound| Some((bound.shown()?, bound.foot.clone()?, bound.action)))
        .collect()
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
        let rows = places.iter().flat_map(|place| app.keys.foot_rows(*place));
        let keys = rows.filter_map(|row| Some((row.shown()?, row.foot.clone()?, row.action)));
        return Some((None, in_foot(&keys.collect::<Vec<_>>(), 0, area, x, y)?));
    }
    if y == lay.status.y && lay.status.height > 0 {
        return Some((None, in_status(app, lay.status, x)?));
    }
    let pane = lay.at(x, y)?;
    let keys = of_place(app, panes::place(app, pane));
    let before = if pane == Pane::Result { result_title::row_width(app) } else { 0 };
    Some((Some(pane), in_foot(&keys, before, lay.pane(pane), x, y)?))
}

/// Finds the key at a cell of a bottom border: `╰ key word · key word ─╯`; other words may stand
/// before the keys.
fn in_foot(
    keys: &[(String, String, Action)],
    before: u16,
    area: Rect,
    x: u16,
    y: u16,
) -> Option<Action> {
    if y + 1 != area.bottom() || !area.contains(Position { x, y }) {
        return None;
    }
    let mut from = area.x + 2 + before;
    for (n, (key, word, action)) in keys.iter().enumerate() {
        let to = from + wide(key) + 1 + wide(word);
        // behind what has no room stands only the sign that there is more
        let sign = if n + 1 < keys.len() { 4 } else { 0 };
        if to + sign > area.right().saturating_sub(2) {
            return None;
        }
        if from <= x && x < to {
            return Some(*action);
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
