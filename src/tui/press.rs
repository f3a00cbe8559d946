//! Pressed keys: told apart, named in tables, shown as people read them, one or several in a row.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A pressed key, told apart as far as terminals can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd)]
pub struct Press {
    /// The key; a letter carries its case.
    pub code: KeyCode,
    /// Control, alternate, and shift where the letter doesn't show it.
    pub with: KeyModifiers,
}

impl Press {
    /// Reads a key's name: `Ctrl-P`, `Shift-Tab`, `F5`, `?`.
    pub fn named(name: &str) -> Option<Press> {
        let mut rest = name;
        let mut with = KeyModifiers::NONE;
        let kinds = [
            ("Ctrl-", KeyModifiers::CONTROL),
            ("Alt-", KeyModifiers::ALT),
            ("Shift-", KeyModifiers::SHIFT),
        ];
        while let Some((prefix, modifier)) = kinds.iter().find(|(p, _)| rest.starts_with(p)) {
            rest = rest.strip_prefix(prefix)?;
            with |= *modifier;
        }
        let code = code_named(rest)?;
        Some(Press { code, with }.normal())
    }

    /// Makes a press of what the terminal sent.
    pub fn of(event: KeyEvent) -> Press {
        let with = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        Press { code: event.code, with: event.modifiers & with }.normal()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "foreign enum: all other keys are as they are"
    )]
    fn normal(mut self) -> Press {
        match self.code {
            KeyCode::BackTab => {
                self.code = KeyCode::Tab;
                self.with |= KeyModifiers::SHIFT;
            }
            KeyCode::Char(c) if self.with.contains(KeyModifiers::CONTROL) => {
                self.code = KeyCode::Char(c.to_ascii_lowercase());
                self.with -= KeyModifiers::SHIFT;
            }
            KeyCode::Char(_) => self.with -= KeyModifiers::SHIFT,
            _ => {}
        }
        self
    }

    /// Returns the letter typed, if it is one without control or alternate.
    pub fn letter(self) -> Option<char> {
        let KeyCode::Char(c) = self.code else { return None };
        self.with.is_empty().then_some(c)
    }

    fn code_words(self) -> String {
        let named = NAMED.iter().find(|(_, _, code)| *code == self.code);
        if let Some((_, shown, _)) = named {
            return (*shown).to_owned();
        }
        if let KeyCode::F(n) = self.code {
            return format!("F{n}");
        }
        let KeyCode::Char(c) = self.code else { return "?".to_owned() };
        if self.with.contains(KeyModifiers::CONTROL) {
            c.to_uppercase().to_string()
        } else {
            c.to_string()
        }
    }

    /// Returns the key's name in words alone, as it is told: `Ctrl-P`, `Up`, `PageDown`.
    pub fn spoken(self) -> String {
        match NAMED.iter().find(|(_, _, code)| *code == self.code) {
            Some((name, shown, _)) => self.words().replace(shown, name),
            None => self.words(),
        }
    }

    /// Returns the key's name as people read it: `Ctrl-P`, `↑`, `PgDn`.
    pub fn words(self) -> String {
        let mut words = String::new();
        for (name, _) in self.with.iter_names() {
            words.push_str(match name {
                "CONTROL" => "Ctrl-",
                "ALT" => "Alt-",
                _ => "Shift-",
            });
        }
        words.push_str(&self.code_words());
        words
    }
}

/// Names in the table, as shown, and the key.
const NAMED: &[(&str, &str, KeyCode)] = &[
    ("Enter", "Enter", KeyCode::Enter),
    ("Esc", "Esc", KeyCode::Esc),
    ("Tab", "Tab", KeyCode::Tab),
    ("Space", "Space", KeyCode::Char(' ')),
    ("Up", "↑", KeyCode::Up),
    ("Down", "↓", KeyCode::Down),
    ("Left", "←", KeyCode::Left),
    ("Right", "→", KeyCode::Right),
    ("Home", "Home", KeyCode::Home),
    ("End", "End", KeyCode::End),
    ("PageUp", "PgUp", KeyCode::PageUp),
    ("PageDown", "PgDn", KeyCode::PageDown),
    ("Backspace", "Backspace", KeyCode::Backspace),
    ("Delete", "Del", KeyCode::Delete),
    ("Insert", "Ins", KeyCode::Insert),
];

fn code_named(name: &str) -> Option<KeyCode> {
    if let Some((_, _, code)) = NAMED.iter().find(|(n, _, _)| *n == name) {
        return Some(*code);
    }
    let mut letters = name.chars();
    match (letters.next(), letters.as_str()) {
        (Some(c), "") => Some(KeyCode::Char(c)),
        (Some('F'), n) => n.parse().ok().map(KeyCode::F),
        _ => None,
    }
}

/// Keys pressed one after the other, most often one: `F5`, `g g`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Chord(Vec<Press>);

impl Chord {
    /// Reads names with spaces between them; says which one is no key.
    pub fn named(names: &str) -> Result<Chord, String> {
        let mut keys = Vec::new();
        for name in names.split_whitespace() {
            keys.push(Press::named(name).ok_or_else(|| format!("no key is called '{name}'"))?);
        }
        if keys.is_empty() { Err("a key has no name".to_owned()) } else { Ok(Chord(keys)) }
    }

    /// Returns the keys in order.
    pub fn presses(&self) -> &[Press] {
        &self.0
    }

    /// Returns the keys as people read them: `g g`.
    pub fn words(&self) -> String {
        words(&self.0)
    }

    /// Tells whether one of the two begins with the other, so that only one can be meant.
    pub fn clashes(&self, other: &Chord) -> bool {
        self.0.starts_with(&other.0) || other.0.starts_with(&self.0)
    }
}

/// Returns keys in a row as people read them.
pub fn words(keys: &[Press]) -> String {
    keys.iter().map(|key| key.words()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_as_they_are_written() {
        for name in ["Ctrl-P", "Alt-1", "F5", "?", "Space", "Enter", "Alt-+", "Alt--"] {
            let press = Press::named(name).expect(name);
            assert_eq!(press.words(), name);
        }
        assert_eq!(Press::named("Up").map(Press::words).as_deref(), Some("↑"));
        assert_eq!(Press::named("Nonsense"), None);
    }

    #[test]
    fn keys_in_a_row_clash_when_one_begins_with_the_other() {
        let chord = |names| Chord::named(names).expect(names);
        assert!(chord("g").clashes(&chord("g g")));
        assert!(chord("g g").clashes(&chord("g")));
        assert!(!chord("g g").clashes(&chord("g e")));
        assert_eq!(chord("Ctrl-X o").words(), "Ctrl-X o");
        assert_eq!(Chord::named("g Moon"), Err("no key is called 'Moon'".to_owned()));
    }
}
