//! Which key does what, where, in which words: one table for bindings, footers, help and palette.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;

use super::action::Action;

/// The table that is shipped.
const DEFAULT: &str = include_str!("../../assets/keymaps/default.toml");

/// Where a key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Everywhere but in overlays.
    Anywhere,
    /// The question's editor.
    Question,
    /// The question's editor while suggestions are on offer.
    Suggest,
    /// The question's editor, empty, while a kept text is on offer.
    Kept,
    /// While names to complete are on offer.
    Completion,
    /// The context pane.
    Context,
    /// The SQL pane.
    Sql,
    /// The SQL pane while its text is edited.
    SqlEditor,
    /// The result pane.
    Result,
    /// The trace pane.
    Trace,
    /// All panes that are lists: keys without a modifier are free there.
    List,
    /// All overlays.
    Overlay,
    /// The list of keys.
    Help,
    /// The list of commands.
    Palette,
    /// The list of past runs.
    Runs,
    /// A text or a cell shown whole.
    Text,
    /// How the engine would run the SQL.
    Explain,
    /// The context, SQL and trace panes while a run waits for the person.
    Paused,
    /// The list of breakpoints and policies.
    Stops,
    /// The list of marked events.
    Marks,
    /// The line that words are looked for in.
    Seek,
    /// The list of forms to copy a run in.
    CopyRun,
    /// A question of ours.
    Confirm,
}

impl Place {
    /// Returns the place's heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Place::Anywhere => "Anywhere",
            Place::Question => "Question",
            Place::Suggest => "Question, empty",
            Place::Kept => "Question, empty, a text was kept",
            Place::Completion => "Names on offer",
            Place::Context => "Context",
            Place::Sql => "SQL",
            Place::SqlEditor => "SQL editor",
            Place::Result => "Result",
            Place::Trace => "Trace",
            Place::List => "Context, SQL, Result, Trace",
            Place::Overlay => "Lists and texts in front",
            Place::Help => "Help",
            Place::Palette => "Commands",
            Place::Runs => "Past runs",
            Place::Text => "Text and cell",
            Place::Explain => "How the engine would run it",
            Place::Paused => "While a run waits for you",
            Place::Stops => "Where runs wait",
            Place::Marks => "Marked events",
            Place::Seek => "Find in the trace",
            Place::CopyRun => "Copy the run",
            Place::Confirm => "Leaving",
        }
    }
}

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

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// Where it works.
    pub place: Place,
    /// All keys that do it.
    pub keys: Vec<Press>,
    /// What it does.
    pub action: Action,
    /// What it does, in words.
    pub words: String,
    /// The short word for the footer, if it stands there.
    pub foot: Option<String>,
    /// What stands for the key in the footer, if not its name.
    pub show: Option<String>,
}

#[derive(Deserialize)]
struct Table {
    key: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    r#in: Place,
    keys: Vec<String>,
    r#do: Action,
    words: String,
    foot: Option<String>,
    show: Option<String>,
}

/// All keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keymap {
    rows: Vec<Bound>,
}

impl Keymap {
    /// Reads the shipped table and, before it, the person's own.
    ///
    /// What can't be read of the person's own is left out; the second value says what.
    pub fn load(own: Option<&str>) -> (Self, Option<String>) {
        let (mut rows, trouble) = match own.map(read) {
            None => (Vec::new(), None),
            Some(Ok(rows)) => (rows, None),
            Some(Err(what)) => (Vec::new(), Some(format!("keymap.toml can't be used: {what}"))),
        };
        rows.extend(read(DEFAULT).unwrap_or_default());
        (Keymap { rows }, trouble)
    }

    /// Finds what a key does in the first of these places that knows it.
    pub fn find(&self, places: &[Place], press: Press) -> Option<Action> {
        let bound =
            |place: &Place| self.rows.iter().find(|b| b.place == *place && b.keys.contains(&press));
        places.iter().find_map(bound).map(|b| b.action)
    }

    /// Lists the keys of the footer of a place: key and short word.
    pub fn foot(&self, place: Place) -> impl Iterator<Item = (String, &str)> {
        self.rows.iter().filter(move |b| b.place == place).filter_map(|b| {
            let key = b.show.clone().or_else(|| b.keys.first().map(|k| k.words()))?;
            b.foot.as_deref().map(|foot| (key, foot))
        })
    }

    /// Lists all rows.
    pub fn rows(&self) -> &[Bound] {
        &self.rows
    }

    /// Returns the first key that does an action, in words; empty when none does.
    pub fn key_of(&self, action: Action) -> String {
        let row = self.rows.iter().find(|b| b.action == action);
        row.and_then(|b| b.keys.first()).map(|key| key.words()).unwrap_or_default()
    }
}

fn read(text: &str) -> Result<Vec<Bound>, String> {
    let table: Table = toml::from_str(text).map_err(|e| e.to_string())?;
    table.key.into_iter().map(bound).collect()
}

fn bound(row: Row) -> Result<Bound, String> {
    let mut keys = Vec::new();
    for name in &row.keys {
        keys.push(Press::named(name).ok_or_else(|| format!("no key is called '{name}'"))?);
    }
    Ok(Bound {
        place: row.r#in,
        keys,
        action: row.r#do,
        words: row.words,
        foot: row.foot,
        show: row.show,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_reads_and_no_key_has_two_meanings_in_one_place() {
        let rows = read(DEFAULT).expect("the shipped key table reads");
        let mut seen = Vec::new();
        for row in &rows {
            for key in &row.keys {
                let at = (row.place, *key);
                let twice = seen.iter().any(|(p, k, a)| (*p, *k) == at && *a != row.action);
                assert!(!twice, "{} is bound twice in {:?}", key.words(), row.place);
                seen.push((row.place, *key, row.action));
            }
        }
    }

    #[test]
    fn keys_read_as_they_are_written() {
        for name in ["Ctrl-P", "Alt-1", "F5", "?", "Space", "Enter"] {
            let press = Press::named(name).expect(name);
            assert_eq!(press.words(), name);
        }
        assert_eq!(Press::named("Up").map(Press::words).as_deref(), Some("↑"));
        assert_eq!(Press::named("Nonsense"), None);
    }

    #[test]
    fn a_key_of_ones_own_goes_before_the_shipped_one() {
        let own = "[[key]]\nin = \"trace\"\nkeys = [\"x\"]\ndo = \"follow\"\nwords = \"now\"";
        let (keys, trouble) = Keymap::load(Some(own));
        assert_eq!(trouble, None);
        let x = Press::named("x").expect("a key");
        assert_eq!(keys.find(&[Place::Trace], x), Some(Action::Follow));
        let (_, trouble) = Keymap::load(Some("[[key]]\nin = \"moon\""));
        assert!(trouble.is_some_and(|t| t.starts_with("keymap.toml can't be used")));
    }
}
