//! Switching to another database: what there is to choose from, and what stays when it can't be
//! opened.

use crate::config::Config;
use crate::pipeline::{Connection, connections};

use super::app::{App, Door, Tone};
use super::effect::{Effect, Terms};

/// Lists profiles and demos, each with the words that open it.
pub(super) fn choices(config: &Config) -> Vec<(String, Connection)> {
    let words = |to: &Connection| if to.name.is_empty() { &to.address } else { &to.name }.clone();
    connections(config).into_iter().map(|to| (words(&to), to)).collect()
}

/// Tells whether a choice is the database that is open. Profiles may share an address: then the one
/// that was named is meant.
pub(super) fn is_open(app: &App, opens: &str, to: &Connection) -> bool {
    let named = app.served.database.as_deref();
    let known = app.databases.iter().any(|(words, _)| Some(words.as_str()) == named);
    if known { Some(opens) == named } else { to.address == app.header.database }
}

impl App {
    /// Opens what the terms say; the former database serves until the new one is there.
    pub fn open(&mut self) -> Vec<Effect> {
        self.door = Door::Opening;
        vec![Effect::Open(self.terms.clone())]
    }

    /// Notes how that was named which is open now, so that it can be chosen again.
    pub(super) fn serve(&mut self, terms: Terms) {
        let address = &self.header.database;
        if !self.databases.iter().any(|(_, to)| to.address == *address) {
            let opens = terms.database.clone().unwrap_or_else(|| address.clone());
            self.databases.insert(0, (opens, Connection::to(address)));
        }
        self.served = terms;
    }

    /// Stays with what was open before, if anything was.
    pub(super) fn not_opened(&mut self, what: &str, hint: &str) {
        if self.header.database.is_empty() {
            self.door = Door::Shut(what.to_owned(), hint.to_owned());
            return;
        }
        self.door = Door::Open;
        self.terms = Terms { privacy: self.terms.privacy, ..self.served.clone() };
        let stays = &self.header.database;
        self.say(format!("{what} {hint} {stays} stays open."), Tone::Trouble);
    }
}
