//! The folders of this user: by the platform's convention, or named by variables of our own.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use super::NAME;

/// Folders of this user. Any may be missing or read-only; users of them say so and go on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// `config.toml`, key maps, themes of one's own.
    pub config: Option<PathBuf>,
    /// Memory, history.
    pub data: Option<PathBuf>,
    /// Catalog cache, built demos.
    pub cache: Option<PathBuf>,
    /// What the workbench remembers of itself: sizes, looks, unsent texts.
    pub state: Option<PathBuf>,
}

/// Returns the folders by the platform's convention (XDG on Unix); none without a home folder.
pub(super) fn of_user() -> Places {
    let Ok(base) = etcetera::choose_base_strategy() else { return Places::default() };
    // An empty HOME gives relative folders, which would land wherever we were started.
    let ours = |folder: PathBuf| folder.is_absolute().then(|| folder.join(NAME));
    Places {
        config: ours(base.config_dir()),
        data: ours(base.data_dir()),
        cache: ours(base.cache_dir()),
        // a platform without a folder of this kind has it beside the data
        state: ours(base.state_dir().unwrap_or_else(|| base.data_dir())),
    }
}

/// Puts folders named by `QUERENT_CONFIG_HOME`, `QUERENT_DATA_HOME`, `QUERENT_CACHE_HOME` and
/// `QUERENT_STATE_HOME` in the place of the usual ones.
pub(super) fn overridden(user: Places, variable: &dyn Fn(&str) -> Option<String>) -> Places {
    let named = |name: &str| variable(name).map(PathBuf::from);
    Places {
        config: named("QUERENT_CONFIG_HOME").or(user.config),
        data: named("QUERENT_DATA_HOME").or(user.data),
        cache: named("QUERENT_CACHE_HOME").or(user.cache),
        state: named("QUERENT_STATE_HOME").or(user.state),
    }
}
