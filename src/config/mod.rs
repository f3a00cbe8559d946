//! Configuration in layers: defaults ← file ← environment ← arguments; and the places of files.
//!
//! What belongs here: finding and reading settings. What must never come: acting on them.

use std::path::PathBuf;

use crate::domain::{Options, Privacy};

/// Folders of this user. Any may be missing or read-only; users of them say so and go on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// `config.toml`, key maps, themes of one's own.
    pub config: Option<PathBuf>,
    /// Memory, history.
    pub data: Option<PathBuf>,
    /// Catalog cache, built demos.
    pub cache: Option<PathBuf>,
}

/// Everything that can be set, resolved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// Folders.
    pub places: Places,
    /// The config file that was read, if any.
    pub file: Option<PathBuf>,
    /// Default database address or profile.
    pub database: Option<String>,
    /// Named databases: name and address.
    pub profiles: Vec<(String, String)>,
    /// Default model.
    pub model: Option<String>,
    /// Knowledge file given for all databases.
    pub knowledge: Option<PathBuf>,
    /// Theme name; empty means the default.
    pub theme: String,
    /// Privacy level set by hand.
    pub privacy: Option<Privacy>,
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
    /// Mouse on.
    pub mouse: bool,
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
}

/// Reads all layers but the arguments.
pub fn load() -> Result<Config, ConfigError> {
    Ok(Config::default())
}

/// Lists settings: name, value, and the layer each comes from.
pub fn show(_config: &Config) -> Vec<(String, String, String)> {
    Vec::new()
}
