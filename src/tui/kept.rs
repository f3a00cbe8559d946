//! What the workbench remembers from start to start: looks, keys, sizes, commands done last.
//!
//! It is a file of ours: the config file is the person's, and is never written. A value of the
//! config file that was changed since a choice was made comes before that choice.

use serde::{Deserialize, Serialize};

use super::app::{App, Tone};
use super::keymap::Keymap;
use super::splits::Splits;
use super::theme::{Depth, Themes};

/// Commands that are remembered as done.
const RECENT: usize = 20;

/// Databases whose sizes are remembered.
const LAYOUTS: usize = 100;

/// The version of the file.
const VERSION: u32 = 1;

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Version of the file.
    version: u32,
    /// The theme chosen; empty when none was.
    theme: String,
    /// The theme that the config file named when it was chosen.
    theme_over: String,
    /// The key map chosen; empty when none was.
    keymap: String,
    /// The key map that the config file named when it was chosen.
    keymap_over: String,
    /// Commands done, the last one first, by the names of their actions.
    pub recent: Vec<String>,
    /// Sizes by database, the one changed last first.
    layouts: Vec<Laid>,
}

/// The sizes of one database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Laid {
    database: String,
    splits: Splits,
}

impl Kept {
    /// Reads the file; says why it can't be used.
    pub fn read(text: &str) -> Result<Kept, String> {
        let kept: Kept = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        if kept.version > VERSION {
            return Err(format!("it is of version {}, and this is {VERSION}", kept.version));
        }
        Ok(kept)
    }

    /// Writes the file, with sizes of other databases that stand in the file now.
    pub fn write(&self, now: Option<&str>) -> Result<String, String> {
        let mut kept = Kept { version: VERSION, ..self.clone() };
        for laid in now.and_then(|text| Kept::read(text).ok()).unwrap_or_default().layouts {
            if kept.layouts.iter().all(|ours| ours.database != laid.database) {
                kept.layouts.push(laid);
            }
        }
        kept.layouts.truncate(LAYOUTS);
        toml::to_string(&kept).map_err(|error| error.to_string())
    }

    /// Remembers a command as done.
    pub fn did(&mut self, id: &str) {
        self.recent.retain(|other| other != id);
        self.recent.insert(0, id.to_owned());
        self.recent.truncate(RECENT);
    }

    /// Returns the sizes chosen for a database.
    pub fn splits(&self, database: &str) -> Splits {
        let found = self.layouts.iter().find(|laid| laid.database == database);
        found.map(|laid| laid.splits).unwrap_or_default()
    }

    /// Remembers the sizes chosen for a database.
    pub fn lay(&mut self, database: &str, splits: Splits) {
        if database.is_empty() || self.splits(database) == splits {
            return;
        }
        self.layouts.retain(|laid| laid.database != database);
        self.layouts.insert(0, Laid { database: database.to_owned(), splits });
        self.layouts.truncate(LAYOUTS);
    }

    /// Returns the theme in force: the one chosen, unless the config file says another one since.
    pub fn theme<'a>(&'a self, config: &'a str) -> &'a str {
        if self.theme.is_empty() || self.theme_over != config { config } else { &self.theme }
    }

    /// Returns the key map in force, likewise.
    pub fn keymap<'a>(&'a self, config: &'a str) -> &'a str {
        if self.keymap.is_empty() || self.keymap_over != config { config } else { &self.keymap }
    }
}

/// What is read before the first frame, as it was found.
#[derive(Debug, Default)]
pub struct Found {
    /// What was remembered.
    pub kept: Kept,
    /// The person's own `keymap.toml`.
    pub keymap: Option<String>,
    /// All themes.
    pub themes: Themes,
    /// What couldn't be used, a sentence each.
    pub troubles: Vec<String>,
}

impl App {
    /// Takes what was found at the start: themes, keys, what was remembered.
    pub fn furnish(&mut self, found: Found) {
        let Found { kept, keymap, themes, troubles } = found;
        self.kept = kept.clone();
        self.remembered = kept;
        self.themes = themes;
        self.own_keys = keymap;
        for trouble in troubles {
            self.say(trouble, Tone::Trouble);
        }
        let name = self.kept.keymap(&self.config.keymap).to_owned();
        self.set_keys(&name);
        let name = self.kept.theme(&self.config.theme).to_owned();
        if name.is_empty() {
            self.dress(if self.depth == Depth::Mono { "monochrome" } else { "querent-dark" });
        } else {
            self.dress(&name);
        }
    }

    /// Puts a theme on; one that can't be made says why, and the former one stays.
    pub fn dress(&mut self, name: &str) {
        if self.theme.name == name {
            return;
        }
        match self.themes.make(name, self.depth) {
            Ok(theme) => self.theme = theme,
            Err(what) => self.say(super::sentence(&what), Tone::Trouble),
        }
    }

    /// Puts a theme on and remembers it.
    pub fn choose_theme(&mut self, name: &str) {
        self.dress(name);
        if self.theme.name == name {
            name.clone_into(&mut self.kept.theme);
            self.kept.theme_over.clone_from(&self.config.theme);
        }
    }

    /// Takes another key map and remembers it.
    pub fn choose_keys(&mut self, name: &str) {
        self.set_keys(name);
        name.clone_into(&mut self.kept.keymap);
        self.kept.keymap_over.clone_from(&self.config.keymap);
        let palette = self.keys.key_of(super::action::Action::Palette);
        let help = self.keys.key_of(super::action::Action::Help);
        self.say(
            format!(
                "Keys are those of '{name}' now: {help} lists them, {palette} has all commands."
            ),
            Tone::Done,
        );
    }

    fn set_keys(&mut self, name: &str) {
        let (keys, troubles) = Keymap::named(name, self.own_keys.as_deref());
        self.keys = keys;
        self.pending.clear();
        self.writing = true;
        for trouble in troubles {
            self.say(trouble, Tone::Trouble);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::splits::Split;
    use super::*;

    #[test]
    fn what_is_remembered_comes_back() {
        let mut kept = Kept::default();
        kept.did("zoom");
        kept.did("refresh");
        kept.did("zoom");
        let mut splits = Splits::default();
        splits.set(Split::Sql, 20, 46);
        kept.lay("demo:sales", splits);
        let text = kept.write(None).expect("text");
        let back = Kept::read(&text).expect("the file");
        assert_eq!(back.recent, ["zoom", "refresh"]);
        assert_eq!(back.splits("demo:sales"), splits);
        assert_eq!(back.splits("demo:reservo"), Splits::default());
    }

    #[test]
    fn sizes_that_another_workbench_wrote_meanwhile_stay() {
        let mut splits = Splits::default();
        splits.set(Split::Sql, 20, 46);
        let mut other = Kept::default();
        other.lay("a", splits);
        let file = other.write(None).expect("text");
        let mut ours = Kept::default();
        ours.lay("b", splits);
        let back = Kept::read(&ours.write(Some(&file)).expect("text")).expect("the file");
        assert_eq!((back.splits("a"), back.splits("b")), (splits, splits));
    }

    #[test]
    fn a_damaged_or_newer_file_is_refused_with_a_reason() {
        assert!(Kept::read("recent = 1").is_err());
        let newer = Kept::read("version = 9");
        assert_eq!(newer, Err("it is of version 9, and this is 1".to_owned()));
    }

    #[test]
    fn a_config_file_changed_since_comes_before_the_choice() {
        let kept = Kept { theme: "paper".into(), theme_over: "ember".into(), ..Kept::default() };
        assert_eq!(kept.theme("ember"), "paper");
        assert_eq!(kept.theme("midnight"), "midnight");
        assert_eq!(Kept::default().theme("ember"), "ember");
    }
}
