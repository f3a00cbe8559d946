//! Which key does what, where, in which words: one table for bindings, footers, help and palette.
//!
//! A key map is read in layers: the person's own `keymap.toml`, the flavour chosen, the shipped
//! table. In one place an earlier row takes its keys away from later ones.

use super::action::Action;
use super::keytable::{self, Table};

pub use super::place::Place;
pub use super::press::{Chord, Press};

/// The table that is shipped: every action, its keys and its words.
const DEFAULT: &str = include_str!("../../assets/keymaps/default.toml");

/// Flavours: name, what it is, rows that come before those of the shipped table.
const FLAVOURS: &[(&str, &str, &str)] = &[
    ("default", "arrows, function keys, single letters in lists", ""),
    ("vim", "modes in editors; hjkl, g g, /, :", include_str!("../../assets/keymaps/vim.toml")),
    ("emacs", "Ctrl-N, Ctrl-P, Ctrl-X o, Alt-X", include_str!("../../assets/keymaps/emacs.toml")),
];

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Where it works.
    pub place: Place,
    /// All keys that do it; none where others took them.
    pub keys: Vec<Chord>,
    /// What it does.
    pub action: Action,
    /// What it does, in words.
    pub words: String,
    /// The short word for the footer, if it stands there.
    pub foot: Option<String>,
    /// What stands for the key in the footer, if not its name.
    pub show: Option<String>,
    /// Which hints leave a footer first where there is little room: those of the highest rank.
    pub rank: u8,
    /// The line of the file it was read from.
    pub line: usize,
}

impl Bound {
    /// Returns what stands for the key in a footer; none where the row has no key.
    pub fn shown(&self) -> Option<String> {
        let first = self.keys.first()?;
        Some(self.show.clone().unwrap_or_else(|| first.words()))
    }
}

/// What keys pressed in a row mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// They do this.
    Does(Action),
    /// More keys must come.
    Waits,
    /// Nothing.
    Nothing,
}

/// All keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keymap {
    /// The name of its flavour.
    pub name: String,
    /// Letters are commands in editors until writing begins.
    pub modal: bool,
    rows: Vec<Bound>,
}

impl Keymap {
    /// Returns a map without a key: that of a workbench that is not furnished yet.
    pub fn none() -> Self {
        Keymap { name: String::new(), modal: false, rows: Vec::new() }
    }

    /// Lists the flavours: name and what it is.
    pub fn flavours() -> impl Iterator<Item = (&'static str, &'static str)> {
        FLAVOURS.iter().map(|(name, words, _)| (*name, *words))
    }

    /// Reads the shipped table and, before it, the person's own.
    ///
    /// What can't be used of the person's own is left out; the second value says what.
    pub fn load(own: Option<&str>) -> (Self, Option<String>) {
        let (keys, troubles) = Keymap::named("default", own);
        (keys, (!troubles.is_empty()).then(|| troubles.join(" ")))
    }

    /// Reads a flavour, with the person's own before it; an unknown name gives the default one.
    ///
    /// What can't be used is left out; the second value says what, one sentence each.
    pub fn named(name: &str, own: Option<&str>) -> (Self, Vec<String>) {
        let mut troubles = Vec::new();
        let found = FLAVOURS.iter().find(|(n, _, _)| *n == name);
        if found.is_none() && !name.is_empty() {
            let names: Vec<&str> = FLAVOURS.iter().map(|(n, _, _)| *n).collect();
            let names = names.join(", ");
            troubles.push(format!("No key map is called '{name}': there are {names}."));
        }
        let (name, _, flavour) = found.or(FLAVOURS.first()).copied().unwrap_or_default();
        let shipped = keytable::read("default.toml", DEFAULT);
        let mut layers = Vec::new();
        if let Some(own) = own {
            layers.push(keytable::read("keymap.toml", own));
        }
        layers.push(keytable::read(&format!("{name}.toml"), flavour));
        let modal = layers.iter().any(|layer| layer.modal);
        layers.push(shipped);
        let mut keys = Keymap { name: name.to_owned(), modal, rows: Vec::new() };
        for layer in layers {
            let Table { rows, troubles: more, .. } = layer;
            troubles.extend(more);
            for row in rows {
                keys.lay(row);
            }
        }
        keys.lend_words();
        (keys, troubles)
    }

    /// Adds a row; keys that an earlier row has in its place stay with that row.
    fn lay(&mut self, mut row: Bound) {
        let taken = |key: &Chord| {
            let there = self.rows.iter().filter(|b| b.place == row.place && b.action != row.action);
            there.flat_map(|b| &b.keys).any(|other| other.clashes(key))
        };
        row.keys.retain(|key| !taken(key));
        self.rows.push(row);
    }

    /// Gives rows that say no words those of the shipped row for their action.
    fn lend_words(&mut self) {
        let said: Vec<Bound> = self.rows.iter().filter(|b| !b.words.is_empty()).cloned().collect();
        for row in self.rows.iter_mut().filter(|b| b.words.is_empty()) {
            let here = said.iter().find(|b| b.action == row.action && b.place == row.place);
            let any = || said.iter().find(|b| b.action == row.action);
            if let Some(bound) = here.or_else(any) {
                row.words.clone_from(&bound.words);
            }
        }
    }

    /// Finds what keys in a row mean in the first of these places that knows them.
    pub fn look(&self, places: &[Place], typed: &[Press]) -> Found {
        for place in places {
            let here = self.rows.iter().filter(|b| b.place == *place);
            for (bound, key) in here.flat_map(|b| b.keys.iter().map(move |key| (b, key))) {
                if key.presses() == typed {
                    return Found::Does(bound.action);
                }
                if key.presses().starts_with(typed) {
                    return Found::Waits;
                }
            }
        }
        Found::Nothing
    }

    /// Finds what one key does in the first of these places that knows it.
    pub fn find(&self, places: &[Place], press: Press) -> Option<Action> {
        match self.look(places, &[press]) {
            Found::Does(action) => Some(action),
            Found::Waits | Found::Nothing => None,
        }
    }

    /// Lists the rows of the footer of a place.
    pub fn foot_rows(&self, place: Place) -> impl Iterator<Item = &Bound> {
        self.rows.iter().filter(move |b| b.place == place && b.foot.is_some() && !b.keys.is_empty())
    }

    /// Lists all rows.
    pub fn rows(&self) -> &[Bound] {
        &self.rows
    }

    /// Returns the first key that does an action, in words; empty when none does.
    pub fn key_of(&self, action: Action) -> String {
        let key = self.rows.iter().filter(|b| b.action == action).find_map(|b| b.keys.first());
        key.map(Chord::words).unwrap_or_default()
    }

    /// Returns the first key that does an action in one of these places, in words.
    pub fn key_in(&self, places: &[Place], action: Action) -> Option<String> {
        let here = |place: &Place| {
            let rows = self.rows.iter().filter(|b| b.place == *place && b.action == action);
            rows.flat_map(|b| &b.keys).next()
        };
        places.iter().find_map(here).map(Chord::words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(name: &str) -> Press {
        Press::named(name).expect("a key")
    }

    #[test]
    fn every_shipped_table_reads_and_no_key_has_two_meanings_in_one_place() {
        for (name, _) in Keymap::flavours() {
            let (keys, troubles) = Keymap::named(name, None);
            assert_eq!(troubles, Vec::<String>::new(), "{name}");
            assert_eq!(keys.name, name);
            assert!(keys.rows.iter().all(|b| !b.words.is_empty()), "{name}");
        }
    }

    #[test]
    fn every_action_has_a_row_with_words() {
        let (keys, _) = Keymap::load(None);
        for action in Action::ALL {
            let row = keys.rows().iter().find(|b| b.action == *action);
            assert!(row.is_some_and(|b| !b.words.is_empty()), "{action:?} has no row with words");
        }
    }

    #[test]
    fn a_key_of_ones_own_goes_before_the_shipped_one() {
        let own = "[[key]]\nin = \"trace\"\nkeys = [\"v\"]\ndo = \"follow\"\nwords = \"now\"";
        let (keys, trouble) = Keymap::load(Some(own));
        assert_eq!(trouble, None);
        assert_eq!(keys.find(&[Place::Trace], press("v")), Some(Action::Follow));
        // the shipped meaning lost its key, and no footer says otherwise
        assert!(keys.foot_rows(Place::Trace).all(|b| b.shown().as_deref() != Some("v")));
    }

    #[test]
    fn the_first_key_of_two_waits_for_the_second() {
        let own = "[[key]]\nin = \"trace\"\nkeys = [\"g g\"]\ndo = \"top\"";
        let (keys, trouble) = Keymap::load(Some(own));
        assert_eq!(trouble, None);
        let g = press("g");
        assert_eq!(keys.look(&[Place::Trace], &[g]), Found::Waits);
        assert_eq!(keys.look(&[Place::Trace], &[g, g]), Found::Does(Action::Top));
        assert_eq!(keys.look(&[Place::Trace], &[g, press("x")]), Found::Nothing);
    }

    #[test]
    fn an_unknown_flavour_is_named_and_the_default_serves() {
        let (keys, troubles) = Keymap::named("vi", None);
        assert_eq!(keys.name, "default");
        assert_eq!(troubles, ["No key map is called 'vi': there are default, vim, emacs."]);
    }
}
