//! Keys that are shown on the screen: which of them work right now, which fit, where they stand, and
//! what a click on one does. What is drawn and what is clicked are read off the same list.

use ratatui::layout::{Position, Rect};

use crate::shown::Shown;

use super::action::Action;
use super::app::App;
use super::keymap::{Bound, Found, Place};
use super::layout::{Layout, Pane};
use super::panes;
use super::picking;
use super::press::Chord;
use super::sense;
use super::status;
use super::theme::Role;
use super::widgets::pen::{Pen, Piece, SEAM, cols};

/// What parts what is said before the keys from them.
const BEHIND_LEAD: &str = " ── ";

/// A key that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hint {
    /// The key, as it is shown.
    pub(super) key: String,
    /// What it does, in a word or two.
    pub(super) words: String,
    /// What a click on it does.
    pub(super) action: Action,
    /// Which one goes first where there is little room: the highest.
    rank: u8,
}

impl Hint {
    fn wide(&self) -> u16 {
        wide(&self.key) + 1 + wide(&self.words)
    }
}

/// What stands on a bottom border.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Foot {
    /// What is said before the keys; empty for nothing.
    pub(super) lead: String,
    /// The keys that fit, in the order of the table.
    pub(super) hints: Vec<Hint>,
    /// Others work too and found no room.
    pub(super) more: bool,
}

impl Foot {
    /// Leaves out whole keys until the others fit `room` columns.
    fn fitted(lead: String, mut hints: Vec<Hint>, room: u16) -> Foot {
        let before = if lead.is_empty() { 0 } else { wide(&lead) + wide(BEHIND_LEAD) };
        let room = room.saturating_sub(before);
        let mut more = false;
        while !hints.is_empty() && extent(&hints, more) > room {
            let weakest = hints.iter().enumerate().max_by_key(|(n, hint)| (hint.rank, *n));
            if let Some(n) = weakest.map(|(n, _)| n) {
                hints.remove(n);
            }
            more = true;
        }
        more &= !hints.is_empty();
        Foot { lead, hints, more }
    }

    /// Makes the pieces of a border; keys of a pane without the focus are quiet.
    pub(super) fn pieces(&self, pen: &Pen<'_>, focused: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if !self.lead.is_empty() {
            pieces.push(pen.piece(&self.lead, Role::Text));
            pieces.push(pen.piece(BEHIND_LEAD, Role::Border));
        }
        let key = if focused { Role::Key } else { Role::Dim };
        for (n, hint) in self.hints.iter().enumerate() {
            if n > 0 {
                pieces.push(pen.piece(SEAM, Role::Dim));
            }
            pieces.push(pen.piece(&hint.key, key));
            pieces.push(pen.piece(format!(" {}", hint.words), Role::Dim));
        }
        if self.more {
            pieces.push(pen.piece(format!("{SEAM}…"), Role::Dim));
        }
        pieces
    }

    /// Finds the key at a column of a border that begins at `from`.
    fn at(&self, from: u16, x: u16) -> Option<Action> {
        let before = if self.lead.is_empty() { 0 } else { wide(&self.lead) + wide(BEHIND_LEAD) };
        let mut from = from + before;
        for hint in &self.hints {
            let to = from + hint.wide();
            if from <= x && x < to {
                return Some(hint.action);
            }
            from = to + wide(SEAM);
        }
        None
    }
}

/// Measures keys with what parts them.
fn extent(hints: &[Hint], more: bool) -> u16 {
    let own: u16 = hints.iter().map(Hint::wide).sum();
    let parts = cols(hints.len() + usize::from(more)).saturating_sub(1);
    own + parts * wide(SEAM) + u16::from(more)
}

/// Lists the footer rows of these places whose key does what it says: none that an earlier place
/// has taken, and the next key of the row where the first one is taken.
pub(super) fn reached<'a>(app: &'a App, places: &[Place]) -> Vec<(&'a Bound, &'a Chord)> {
    let does = |bound: &Bound, key: &&Chord| {
        app.keys.look(places, key.presses()) == Found::Does(bound.action)
    };
    let mut reached: Vec<(&Bound, &Chord)> = Vec::new();
    for bound in places.iter().flat_map(|place| app.keys.foot_rows(*place)) {
        let known = reached.iter().any(|(other, _)| other.action == bound.action);
        if let Some(key) = bound.keys.iter().find(|key| does(bound, key)).filter(|_| !known) {
            reached.push((bound, key));
        }
    }
    reached
}

fn hint(bound: &Bound, key: &Chord) -> Option<Hint> {
    let first = bound.keys.first() == Some(key);
    Some(Hint {
        key: if first { bound.shown()? } else { key.words() },
        words: bound.foot.clone()?,
        action: bound.action,
        rank: bound.rank,
    })
}

/// Lists the keys of a pane that work right now: the row of the table, and the key.
pub(super) fn of_pane(app: &App, pane: Pane) -> Vec<(&Bound, &Chord)> {
    let mut rows = reached(app, &app.places_of(pane));
    rows.retain(|(bound, _)| {
        // what decides where a run waits is said once, where the keys go
        let elsewhere = bound.place == Place::Paused && pane != app.focus;
        // with no cell to show, the key goes to the version that has some: the pane says so
        let cell = (bound.place, bound.action) == (Place::Result, Action::Open);
        let other = cell && app.grid.total().0 == 0;
        !elsewhere && !other && sense::refusal(app, bound.place, bound.action).is_none()
    });
    rows
}

/// Returns what stands on the bottom border of a pane of this width.
pub(super) fn pane_foot(app: &App, pane: Pane, width: u16) -> Foot {
    let hints = of_pane(app, pane).into_iter().filter_map(|(bound, key)| hint(bound, key));
    Foot::fitted(panes::lead(app, pane), hints.collect(), width.saturating_sub(4))
}

/// Returns what stands on the bottom border of an overlay of this width.
pub(super) fn overlay_foot(app: &App, place: Place, width: u16) -> Foot {
    let rows = reached(app, &[place, Place::Overlay]);
    let hints = rows.into_iter().filter_map(|(bound, key)| hint(bound, key));
    Foot::fitted(String::new(), hints.collect(), width.saturating_sub(4))
}

/// Finds the key shown at a cell: the pane it belongs to, and its action.
pub(super) fn at(app: &App, x: u16, y: u16) -> Option<(Option<Pane>, Action)> {
    let lay = Layout::of(app);
    if let Some(area) = picking::frame(app) {
        let foot = overlay_foot(app, *app.places().first()?, area.width);
        return Some((None, on_border(&foot, area, x, y)?));
    }
    if y == lay.status.y && lay.status.height > 0 {
        return Some((None, status::at(app, lay.status, x)?));
    }
    let pane = lay.at(x, y)?;
    let area = lay.pane(pane);
    Some((Some(pane), on_border(&pane_foot(app, pane, area.width), area, x, y)?))
}

/// Finds the key at a cell of a bottom border: `╰ key word · key word ─╯`.
fn on_border(foot: &Foot, area: Rect, x: u16, y: u16) -> Option<Action> {
    let on = y + 1 == area.bottom() && area.contains(Position { x, y });
    foot.at(area.x + 2, x).filter(|_| on)
}

fn wide(text: &str) -> u16 {
    cols(Shown::new(text).width())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(key: &str, words: &str, rank: u8) -> Hint {
        Hint { key: key.into(), words: words.into(), action: Action::Ask, rank }
    }

    fn told(foot: &Foot) -> Vec<&str> {
        foot.hints.iter().map(|hint| hint.key.as_str()).collect()
    }

    #[test]
    fn whole_keys_go_the_highest_rank_first_and_a_mark_says_so() {
        let all = || vec![hint("a", "one", 5), hint("b", "two", 7), hint("c", "three", 1)];
        // `a one · b two · c three` takes 23 columns
        let foot = Foot::fitted(String::new(), all(), 23);
        assert_eq!((told(&foot), foot.more), (vec!["a", "b", "c"], false));
        // `a one · c three · …` takes 19
        let foot = Foot::fitted(String::new(), all(), 22);
        assert_eq!((told(&foot), foot.more), (vec!["a", "c"], true));
        let foot = Foot::fitted(String::new(), all(), 18);
        assert_eq!((told(&foot), foot.more), (vec!["c"], true));
        let foot = Foot::fitted("row 1".into(), all(), 20);
        assert_eq!((told(&foot), foot.more), (vec!["c"], true));
        let foot = Foot::fitted(String::new(), all(), 3);
        assert_eq!((told(&foot), foot.more), (Vec::new(), false));
    }

    #[test]
    fn a_click_finds_the_key_that_is_drawn_there() {
        let mut other = hint("b", "two", 5);
        other.action = Action::Help;
        let foot = Foot::fitted("row 1".into(), vec![hint("a", "one", 5), other], 80);
        // `row 1 ── a one · b two` begins at 2
        assert_eq!(foot.at(2, 10), None);
        assert_eq!(foot.at(2, 11), Some(Action::Ask));
        assert_eq!(foot.at(2, 15), Some(Action::Ask));
        assert_eq!(foot.at(2, 17), None);
        assert_eq!(foot.at(2, 19), Some(Action::Help));
    }
}
