//! Configuration in layers: defaults ← file ← environment ← arguments; and the places of files.
//!
//! What belongs here: finding and reading settings, and passwords where a profile says they are.
//! What must never come: acting on them.
//! To add a setting: a field of [`Config`], a row in `settings.rs`, a line in
//! `assets/config.example.toml`.

mod file;
mod password;
mod places;
mod profiles;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::{Options, Privacy};

pub use password::{Password, PasswordError};
pub use places::Places;
pub use profiles::Profile;
pub use settings::show;

/// The folder that Querent has in each place.
const NAME: &str = "querent";

/// Where a setting's value came from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Layer {
    /// Built in.
    #[default]
    Default,
    /// The config file.
    File,
    /// An environment variable, by name.
    Environment(String),
    /// An argument.
    Argument,
}

impl std::fmt::Display for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Layer::Default => f.write_str("default"),
            Layer::File => f.write_str("file"),
            Layer::Environment(variable) => write!(f, "environment {variable}"),
            Layer::Argument => f.write_str("argument"),
        }
    }
}

/// Everything that can be set, resolved.
#[derive(Clone, PartialEq)]
pub struct Config {
    /// Folders.
    pub places: Places,
    /// The config file that was read, if any.
    pub file: Option<PathBuf>,
    /// Default database address or profile.
    pub database: Option<String>,
    /// Named connections.
    pub profiles: Vec<Profile>,
    /// Default model.
    pub model: Option<String>,
    /// Knowledge file given for all databases.
    pub knowledge: Option<PathBuf>,
    /// Theme name; empty means the default.
    pub theme: String,
    /// Key map of the workbench; empty means the default.
    pub keymap: String,
    /// The workbench is told as plain lines, for screen readers.
    pub linear: bool,
    /// Privacy level set by hand.
    pub privacy: Option<Privacy>,
    /// Where runs are remembered: a file, or the address of a server that a team shares; none means
    /// a file in the data folder.
    pub memory: Option<String>,
    /// `rows`, `counts` or `nothing`; empty means rows.
    pub store: String,
    /// Who verifies: the name stored with a verified pair.
    pub user: String,
    /// Budgets.
    pub options: Options,
    /// Base URLs by provider.
    pub base_urls: Vec<(String, String)>,
    /// Commands that print a key, by provider.
    pub key_commands: Vec<(String, String)>,
    /// Seconds without a byte before a model's request counts as dead; 0 means the built-in limit.
    pub idle_timeout_s: u64,
    /// Mouse on.
    pub mouse: bool,
    /// Where values came from, by setting; those left out are built in.
    pub layers: BTreeMap<String, Layer>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            places: Places::default(),
            file: None,
            database: None,
            profiles: Vec::new(),
            model: None,
            knowledge: None,
            theme: String::new(),
            keymap: String::new(),
            linear: false,
            privacy: None,
            memory: None,
            store: String::new(),
            user: "someone".to_owned(),
            options: Options::default(),
            base_urls: Vec::new(),
            key_commands: Vec::new(),
            idle_timeout_s: 0,
            mouse: true,
            layers: BTreeMap::new(),
        }
    }
}

/// Shows settings as [`show`] does: passwords and commands stay hidden.
impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(show(self).into_iter().map(|(name, value, _)| (name, value))).finish()
    }
}

/// Why settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("config file {path} can't be read: {what}")]
    File {
        /// The file.
        path: String,
        /// Why.
        what: String,
    },
    /// It holds something that we can't use; line and nearest name in the message.
    #[error("config file {path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// An environment variable holds something that we can't use.
    #[error("environment variable {variable}: {what}")]
    Environment {
        /// The variable.
        variable: String,
        /// What is wrong.
        what: String,
    },
}

/// Reads all layers but the arguments.
pub fn load() -> Result<Config, ConfigError> {
    load_from(&|name| std::env::var(name).ok(), places::of_user())
}

/// Reads all layers but the arguments, with variables looked up by `variable` and the folders of a
/// user; for tests, and for a face that has its own environment.
pub fn load_from(
    variable: &dyn Fn(&str) -> Option<String>,
    user: Places,
) -> Result<Config, ConfigError> {
    let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let mut config = Config { places: places::overridden(user, &variable), ..Config::default() };
    if let Some(user) = ["USER", "USERNAME", "LOGNAME"].iter().find_map(|name| variable(name)) {
        config.user = user;
    }
    let named = variable("QUERENT_CONFIG").map(PathBuf::from);
    let usual = config.places.config.as_ref().map(|folder| folder.join("config.toml"));
    if let Some(path) = named.clone().or(usual) {
        let home = variable("HOME").map(PathBuf::from);
        file::lay(&mut config, &path, named.is_some(), home.as_deref())?;
    }
    settings::lay_environment(&mut config, &variable)?;
    Ok(config)
}
